package recipes

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
)

// pythonFolder holds the Python package.
const pythonFolder = "../../python"

// pythonWith finds a Python that has modules: the one on the path, or the one for which Debian has packages of them.
func pythonWith(t *testing.T, modules ...string) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import "+strings.Join(append(modules, "pip"), ", ")).Run() == nil {
			return name
		}
	}
	var packages strings.Builder
	for _, m := range append(modules, "pip") {
		packages.WriteString(" python3-" + m)
	}
	t.Skip("SKIPPED: nothing ran in Python, because something is missing; on Debian: apt install python3" + packages.String())
	return ""
}

// installedPython installs the package as its README says, into a folder. It returns a function that runs a
// program of Python, which has these modules, with this folder and this test as the command burstscope.
func installedPython(t *testing.T, modules ...string) func(program string) (out string, err error) {
	t.Helper()
	python := pythonWith(t, modules...)
	dir := t.TempDir()
	asProgram(t, dir)
	packages := filepath.Join(dir, "packages")
	if out, err := exec.Command(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir",
		"--disable-pip-version-check", "--root-user-action=ignore", "--target", packages, pythonFolder).CombinedOutput(); err != nil {
		t.Fatalf("pip install: %v\n%s", err, out)
	}
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	return func(program string) (string, error) {
		c := exec.Command(python, "-c", program)
		c.Dir = work
		c.Env = append(os.Environ(), "PYTHONPATH="+packages, "BURSTSCOPE="+filepath.Join(dir, "burstscope"))
		out, err := c.CombinedOutput()
		return string(out), err
	}
}

func readPython(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(pythonFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// notebookCode returns the code of a notebook as one program.
func notebookCode(t *testing.T, name string) string {
	t.Helper()
	var n struct {
		Cells []struct {
			Kind   string   `json:"cell_type"`
			Source []string `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal([]byte(readPython(t, name)), &n); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range n.Cells {
		if c.Kind == "code" {
			b.WriteString(strings.Join(c.Source, "") + "\n")
		}
	}
	return b.String()
}

// The README's example and the notebook run as they stand, and give the results of the command line.
func TestPythonRunsItsDocuments(t *testing.T) {
	t.Parallel()
	python := installedPython(t)
	example := regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(readPython(t, "README.md"))
	if example == nil {
		t.Fatal("the README has no example")
	}
	out, err := python(example[1] + `
import json
assert burstscope.VERSION == r.version, (burstscope.VERSION, r.version)
print(json.dumps({"hash": r.resultHash, "rows": [row["resultHash"] for row in rows], "csv": open("tp.csv").read(), "svg": open("tp.svg").read()}))`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var got struct {
		Hash, CSV, SVG string
		Rows           []string
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want experiment.Result
	text := mustCall(t, "run", "tp", "--set", "memory.codec=e2mc16", "--set", "memory.approximation=none", "--format", "json")
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	// The third row is the same run, made by a sweep.
	if got.Hash != want.ResultHash || len(got.Rows) != 6 || got.Rows[2] != want.ResultHash {
		t.Errorf("Python has %s and the rows %v, the command line %s", got.Hash, got.Rows, want.ResultHash)
	}
	if !strings.HasPrefix(got.CSV, "memory.mag,memory.codec,") || strings.Count(got.CSV, "\n") != 7 || strings.Count(got.SVG, "<title>") != 6 {
		t.Errorf("the table or the figure is wrong:\n%s\n%s", got.CSV, got.SVG)
	}
	if !strings.Contains(out, `memory.codec: unknown codec "zip": use one of none, bdi`) {
		t.Errorf("the exception lacks the command's words:\n%s", out)
	}
	if out, err := python(notebookCode(t, "notebook.ipynb")); err != nil || !strings.Contains(out, "16 1.") {
		t.Errorf("the notebook: %v\n%s", err, out)
	}
}

// Faults of the caller and of the machine are one error with what to do.
func TestPythonFaults(t *testing.T) {
	t.Parallel()
	python := installedPython(t)
	out, err := python(`
import burstscope, os
def fault(f):
    try: f()
    except (burstscope.Error, AttributeError, KeyError, ValueError) as e: print(type(e).__name__, getattr(e, "status", ""), e)
    else: print("no fault")
fault(lambda: burstscope.run("nothing"))
fault(lambda: burstscope.run("tp", bogus=1))
fault(lambda: burstscope.sweep("tp", {"memory.mag": [32, 33]}))
fault(lambda: burstscope.sweep("tp", {"memory.mag": []}))
fault(lambda: burstscope.sweep("figures", {}))
r = burstscope.run("vecadd", {"machine.preset": "mini"})
fault(lambda: r.cycle)
fault(lambda: r.value("cycle"))
fault(lambda: burstscope.figure(burstscope.Rows(), "a", "b"))
fault(lambda: burstscope.figure(burstscope.Rows([{"a": 1, "b": 2}]), "a", "c"))
fault(lambda: burstscope.figure(burstscope.Rows([{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 4}]), "a", "c"))
os.environ["BURSTSCOPE"] = "missing"
fault(burstscope.program)
del os.environ["BURSTSCOPE"]
os.environ["PATH"] = ""
fault(burstscope.program)
`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, want := range []string{
		"Error 1 unknown scenario: nothing: name one of",
		"Error 2 flag provided but not defined: -bogus",
		"Error 1 memory.mag:",
		"Error 1 vary memory.mag: give at least one value",
		"Error 2 --format jsonl: burstscope sweep: only scenarios",
		"AttributeError  a result has no cycle: it has version",
		`KeyError  'a result has no number cycle`,
		"ValueError  a figure needs a row",
		"ValueError  the rows have no column c: use one of a, b",
		"ValueError  several rows have the same a: choose rows",
		"Error 1 BURSTSCOPE names missing, which cannot be run",
		"Error 1 the program burstscope is missing: set BURSTSCOPE",
	} {
		var line string
		for rest := range strings.SplitSeq(out, "\n") {
			if strings.HasPrefix(rest, want) {
				line = rest
			}
		}
		if line == "" {
			t.Errorf("fault %d: no line begins with %q in\n%s", i, want, out)
		}
	}
}

// A program that is not burstscope, or ends early, is an error that says so, and never a success or an exception of something else.
func TestPythonWithAnotherProgram(t *testing.T) {
	t.Parallel()
	python := installedPython(t)
	const program = `
import burstscope, os, stat
def fake(name, script):
    with open(name, "w") as f: f.write("#!/bin/sh\n" + script + "\n")
    os.chmod(name, 0o755)
    os.environ["BURSTSCOPE"] = os.path.abspath(name)
def fault(name, f):
    try: r = f()
    except burstscope.Error as e: print(name, "Error", str(e).replace(os.getcwd(), ""))
    else: print(name, "no fault", repr(r))
ROW = '{"settings":{"memory.mag":16},"result":{"workload":"a","preset":"b","cycles":1,"resultHash":"c","stats":{},"metrics":{}}}'
for name, script in {
    "nothing": "exit 0", "blank": "echo", "words": "echo done", "half": """echo '{"workload": '""", "bytes": r"printf '\377\376x'", "list": "echo '[1]'",
    "other": """echo '{"a": 1}'""", "number": "echo 5", "nan": """echo '{"workload": NaN}'""", "deep": r"head -c 200000 /dev/zero | tr '\0' '['", "silent": "exit 3",
    "badwords": r"printf '\377' >&2; exit 1",
    "row": "echo '" + ROW + "'",
}.items():
    fake(name, script)
    fault(name + " run", lambda: burstscope.run("tp"))
    fault(name + " sweep", lambda: burstscope.sweep("tp", {"memory.mag": [16, 32]}))
`
	out, err := python(program)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"nothing run Error burstscope run printed nothing", "nothing sweep Error burstscope sweep printed 0 results of 2 runs", "blank run Error", "blank sweep Error", "words run Error burstscope run printed no JSON",
		"words sweep Error burstscope sweep printed no JSON", "half run Error", "half sweep Error", "bytes run Error /bytes printed bytes that are not UTF-8, from byte 0 on", "bytes sweep Error", "list run Error",
		"list sweep Error", "other run Error burstscope run printed no result: it has no workload", "other sweep Error", "number run Error", "number sweep Error", "nan run Error", "nan sweep Error", "deep run Error", "deep sweep Error",
		"silent run Error /silent ended with status 3", "badwords run Error", "row run Error", "row sweep Error burstscope sweep printed 1 results of 2 runs",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "no fault") {
		t.Error(out)
	}
}

// A result can be copied and pickled, flags that change what is printed are refused, None is no flag, and a figure draws finite numbers only.
func TestPythonObjects(t *testing.T) {
	t.Parallel()
	python := installedPython(t)
	out, err := python(`
import burstscope, copy, os, pickle, multiprocessing
r = burstscope.run("vecadd", {"machine.preset": "mini", "workload.size": 16384}, trace=None)
assert not os.path.exists("None")
for other in (copy.copy(r), copy.deepcopy(r), pickle.loads(pickle.dumps(r))):
    assert other == r and other.cycles == r.cycles and other.stats == r.stats and repr(other) == repr(r)
rows = burstscope.sweep("vecadd", {"memory.mag": (m for m in (16, 32))}, {"machine.preset": "mini", "workload.size": 16384}, checkpoint=None)
assert len(rows) == 2 and pickle.loads(pickle.dumps(rows)) == rows and copy.deepcopy(rows) == rows
with multiprocessing.Pool(1) as pool: assert pool.map(abs, [r.cycles]) == [r.cycles] and pool.map(len, [r]) == [len(r)]
def fault(kind, f):
    try: f()
    except kind as e: print(kind.__name__, e)
    else: print("no fault")
for name in ("help", "h", "format", "quiet"):
    fault(burstscope.Error, lambda: burstscope.run("vecadd", **{name: True}))
    fault(burstscope.Error, lambda: burstscope.sweep("vecadd", {"memory.mag": [16]}, **{name: True}))
fault(burstscope.Error, lambda: burstscope.run("vecadd", {"memory.mag": None}))
fault(burstscope.Error, lambda: burstscope.run("vec\0add"))
Rows = burstscope.Rows
for v in (float("nan"), float("inf"), -float("inf"), None, "5", [1], True, 10**400, {}):
    fault(ValueError, lambda: burstscope.figure(Rows([{"a": 1, "b": 2}, {"a": 2, "b": v}]), "a", "b"))
fault(ValueError, lambda: burstscope.figure(Rows([{"a": [1], "b": 2}]), "a", "b"))
fault(ValueError, lambda: burstscope.figure(Rows([{"a": r, "b": 2}]), "a", "b"))
svg = burstscope.figure(Rows([{"a": "\x1b[2J<b>", "b": 1e308}, {"a": 2, "b": 1e-308}, {"a": 3, "b": -1}]), "a", "b").svg
assert "nan" not in svg and "inf" not in svg and "\x1b" not in svg
import xml.dom.minidom; xml.dom.minidom.parseString(svg)
`)
	if err != nil || strings.Contains(out, "no fault") {
		t.Fatalf("%v\n%s", err, out)
	}
}
