package recipes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// The notebook of a codec runs with a committed module, beside the built-in codec of the same name and ratio.
func TestPythonCodecNotebook(t *testing.T) {
	t.Parallel()
	python := installedPython(t)
	module, err := filepath.Abs("../../plugin/testdata/bdi.wasm")
	if err != nil {
		t.Fatal(err)
	}
	out, err := python("import os; os.environ['MODULE'] = " + pythonText(module) + "\n" + notebookCode(t, "codec.ipynb"))
	if err != nil || !strings.Contains(out, "512 blocks checked") {
		t.Errorf("%v\n%s", err, out)
	}
}

// pythonText is a text of Python: paths have no quotes.
func pythonText(text string) string { return "r'" + text + "'" }

// Arrays go into a kernel and come out of it, with the values that NumPy computes; the notebook says so itself.
func TestPythonKernels(t *testing.T) {
	t.Parallel()
	python := installedPython(t, "numpy")
	if out, err := python(notebookCode(t, "kernel.ipynb")); err != nil || !strings.Contains(out, "saved bursts:") {
		t.Errorf("the notebook: %v\n%s", err, out)
	}
	out, err := python(`
import burstscope, numpy as np
PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .u32 f)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<6>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.u32 %r2, [f];
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  mul.lo.u32 %r4, %r3, %r2;
  st.global.u32 [%rd5], %r4;
  ret;
}
"""
x = np.arange(64, dtype=np.uint32).reshape(8, 8)
y = np.zeros((8, 8), np.uint32)
for program in (PTX, type("Compiled", (), {"asm": {"ptx": PTX}, "metadata": type("M", (), {"num_warps": 2})})()):
    y[:] = 5
    r = burstscope.kernel(program, block=64)(x, y, np.uint32(3), out=y, functional=True)
    assert (y == 3 * x).all() and y.shape == (8, 8) and r.workload, y
# A view with other strides is read as it looks.
r = burstscope.kernel(PTX, block=64)(x.T, y, 1, out=y, settings={"machine.preset": "mini"})
assert (y == x.T).all() and r.cycles > 0
# Comments are no kernels, and the shared memory that Triton states is given.
about = type("About", (), {"num_warps": 2, "shared": 1024})
compiled = type("Compiled", (), {"asm": {"ptx": "// .entry no()\n/* .entry none() */" + PTX}, "metadata": about})()
assert burstscope.kernel(compiled).shared == 1024 and burstscope.kernel(compiled).block == 64
assert burstscope.kernel(compiled)(x, y, 1, out=y).cycles > 0
open("k.ptx", "w").write(PTX)
assert burstscope.kernel("k.ptx").entry == "scale" and burstscope.kernel("k.ptx").parameters == ["u64", "u64", "u32"]
def fault(f):
    try: f()
    except (burstscope.Error, ValueError, TypeError) as e: print(type(e).__name__, e)
    else: print("no fault")
k = burstscope.kernel(PTX, block=64)
fault(lambda: k(x, y))
fault(lambda: k(x, y, 3, out=[1, 2]))
fault(lambda: k(x, y.T[::2], 3, out=y.T[::2]))
fault(lambda: k(np.zeros(0, np.uint32), y, 3))
fault(lambda: k(y, y, 3, out=y))
fault(lambda: k(np.array(["a"]), y, 3))
fault(lambda: burstscope.kernel("no program\n"))
fault(lambda: burstscope.kernel(5))
fault(lambda: burstscope.kernel(PTX, entry="other"))
fault(lambda: burstscope.kernel(type("Compiled", (), {"asm": {"amdgcn": ""}})()))
fault(lambda: k(x, y, 3, settings={"memory.codec": "zip"}))
`)
	if err != nil || strings.Contains(out, "no fault") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"scale takes 3 arguments, and 2 are given: u64, u64, u32", "an array of out must be a NumPy array", "0 elements",
		"elements of <U1", "an array of out is given twice",
		"the text has no .entry", "TypeError int is no PTX", "no kernel other: use one of scale", "has no .asm['ptx']",
		`unknown codec "zip"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// A sweep shows how far it is, without a bar of others too; results know the run that a site can show.
func TestPythonInNotebooks(t *testing.T) {
	t.Parallel()
	python := installedPython(t)
	out, err := python(`
import builtins, burstscope, pickle
real = builtins.__import__
def without(name, *rest, **more):  # as on a machine without these packages
    if name.split(".")[0] in ("tqdm", "rich", "pandas", "polars"): raise ImportError(name)
    return real(name, *rest, **more)
builtins.__import__ = without
small = {"machine.preset": "mini", "workload.size": 16384}
rows = burstscope.sweep("vecadd", {"memory.mag": [16, 32]}, small, progress=True)
assert len(rows) == 2
try: rows.frame()
except burstscope.Error as e: print(e)
r = burstscope.run("vecadd", {**small, "memory.codec": "bdi", "memory.approximation": "none"})
assert "<iframe" not in r._repr_html_() and "cycles" in r._repr_html_()
burstscope.embed_from("https://example.org/bs")
text = r._repr_html_()
assert 'src="https://example.org/bs/embed.html#v=1&amp;s=vecadd&amp;machine.preset=mini' in text, text
assert "B.memory.codec=bdi" in text, text
assert "<iframe" in pickle.loads(pickle.dumps(rows))[0]["result"]._repr_html_()
try: burstscope.embed_from("javascript:alert(1)")
except ValueError as e: print(e)
`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"2 of 2 runs", "a frame needs pandas or polars", "begin it with http:// or https://"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// Where pandas, tqdm and rich are installed, rows are frames of pandas, and a sweep moves the bar of one of the others.
func TestPythonWithPackagesOfOthers(t *testing.T) {
	t.Parallel()
	for modules, said := range map[string]string{"pandas tqdm": "vecadd: 100%", "pandas rich": "vecadd \u2501"} {
		t.Run(modules, func(t *testing.T) {
			list := strings.Fields(modules)
			python := installedPython(t, list...)
			out, err := python(`
import builtins, burstscope
real = builtins.__import__
def without(name, *rest, **more):  # the other bar
    if name.split(".")[0] in {"tqdm", "rich"} - {"` + list[1] + `"}: raise ImportError(name)
    return real(name, *rest, **more)
builtins.__import__ = without
small = {"machine.preset": "mini", "workload.size": 16384, "memory.approximation": "none"}
rows = burstscope.sweep("vecadd", {"memory.codec": ["none", "bdi"]}, small, stats=["burstsRead"], progress=True)
frame = rows.frame()
assert list(frame["memory.codec"]) == ["none", "bdi"] and list(frame["cycles"]) == [r["cycles"] for r in rows], frame
assert frame["burstsRead"].dtype.kind == "i" and frame["burstsRead"].sum() == sum(r["burstsRead"] for r in rows)
numbers = rows[0]["result"].frame().set_index("name")["value"]
assert numbers["burstsRead"] == rows[0]["burstsRead"] and "compressionRatioEffective" in numbers
`)
			if err != nil || !strings.Contains(out, said) {
				t.Errorf("%v, want %s in\n%s", err, said, out)
			}
		})
	}
}

// The claims of a reproduction are rows. The lines of progress of its runs are a bar, and no part of what an error
// says.
func TestPythonReproduces(t *testing.T) {
	t.Parallel()
	python := installedPython(t)
	out, err := python(`
import burstscope, os
rows = burstscope.reproduce("RFVP", out="here", store="results", as_is=True)
first = rows.where({"id": "RFVP-01"})[0]
assert len(rows) == 83 and first["paperValue"] == "36" and first["measured"] is None, first
assert first["verdict"] == "not yet measured" and os.path.exists("here/natural/rfvp-7.svg"), first
real = os.environ["BURSTSCOPE"]
def slow(end):
    with open("slow", "w") as f: f.write(
        "#!/bin/sh\necho '2 runs, with 1 simulations shared between them: about 6 min expected' >&2\n"
        "echo 'The estimate comes from costs measured on another machine' >&2\n"
        f"echo '  1 of 2  abc  one  done' >&2\necho '1 of 2 runs, 3 minutes left' >&2\n"
        f"echo '  2 of 2  abd  two  done' >&2\necho '2 runs done, 0 were in the store, 0 failed' >&2\n{end}\n")
    os.chmod("slow", 0o755)
    os.environ["BURSTSCOPE"] = os.path.abspath("slow")
    try: print(len(burstscope.reproduce("RFVP", out="there", as_is=True, progress=True)), "claims")
    except burstscope.Error as e: print("it says", repr(str(e)))
slow(f'exec {real} "$@"')
slow("echo the disk is full >&2; exit 1")
for f in (lambda: burstscope.reproduce(check=3), lambda: burstscope.reproduce(format="json")):
    try: f()
    except burstscope.Error as e: print(e)
    else: print("no fault")
os.environ["BURSTSCOPE"] = real
try: burstscope.reproduce("NONE")
except burstscope.Error as e: print(e)
`)
	if err != nil || strings.Contains(out, "no fault") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"83 claims", "2/2", "it says 'the disk is full'", "reproduce takes no check",
		"reproduce takes no format"} {
		if want == "2/2" && !strings.Contains(out, want) {
			want = "2 of 2 runs" // without tqdm
		}
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// The package is typed: a checker finds nothing in it, and finds the faults of a program that uses it.
func TestPythonTypes(t *testing.T) {
	t.Parallel()
	mypy, err := exec.LookPath("mypy")
	if err != nil {
		t.Skip("SKIPPED: the types of the Python package were not checked, because mypy is missing; on Debian: " +
			"apt install mypy")
	}
	use := clitest.WriteTemp(t, "use.py", []byte(`import burstscope
r = burstscope.run("tp", {"memory.mag": 32})
rows = burstscope.sweep("tp", {"memory.mag": [16, 32]}, jobs=2, store="results", progress=True)
good: float = rows[0]["result"].value("cycles")
burstscope.compare(r, r)[0]
burstscope.reproduce("SLC", quick=True).csv("claims.csv")
burstscope.kernel("k.ptx")([1], out=[], block=(16, 16))
burstscope.run(5)
burstscope.sweep("tp", ["memory.mag"])
burstscope.compare(r, "r")
burstscope.kernel("k.ptx", block="many")
`))
	c := exec.Command(mypy, "--ignore-missing-imports", "--cache-dir", t.TempDir(),
		filepath.Join(pythonFolder, "burstscope"), use)
	c.Env = append(os.Environ(), "MYPYPATH="+pythonFolder)
	out, err := c.CombinedOutput()
	if err == nil || strings.Contains(string(out), "burstscope/_") {
		t.Errorf("%v\n%s", err, out)
	}
	for line := 1; line <= 11; line++ {
		if wrong := strings.Contains(string(out), fmt.Sprintf("use.py:%d: error", line)); wrong != (line >= 8) {
			t.Errorf("line %d is a fault: %v\n%s", line, wrong, out)
		}
	}
}
