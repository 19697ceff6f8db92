package reproduce

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/run"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// zipEntry is a file of a zip file that a test writes.
type zipEntry struct {
	name, text string
	mode       os.FileMode
	size       uint64 // stated instead of the true size
}

func writeZip(t *testing.T, list []zipEntry) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range list {
		h := zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(0o644 | e.mode)
		var w io.Writer
		var err error
		if e.size > 0 {
			h.Method, h.UncompressedSize64, h.CompressedSize64 = zip.Store, e.size, uint64(len(e.text))
			w, err = z.CreateRaw(&h)
		} else {
			w, err = z.CreateHeader(&h)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return clitest.WriteTemp(t, "paper.zip", b.Bytes())
}

// withSums adds the list of the hashes of all entries.
func withSums(list ...zipEntry) []zipEntry {
	var sums strings.Builder
	for _, e := range list {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(e.text)), e.name)
	}
	return append(list, zipEntry{name: artifactSums, text: sums.String()})
}

// smallScenario is a scenario whose run takes a fraction of a second.
const smallScenario = "workload: {name: vecadd, size: 16384}\nmachine: {preset: mini}\nmemory: {codec: bdi, " +
	"approximation: none}\n"

// packedSmall packs a small run without a program, and returns the files.
func packedSmall(t *testing.T) []zipEntry {
	t.Helper()
	p := packer{meter: run.NewMeter(), files: map[string]packed{}}
	if err := p.scenario(clitest.WriteTemp(t, "small.yaml", []byte(smallScenario)), nil,
		sweep.OpenStore("")); err != nil {
		t.Fatal(err)
	}
	var list []zipEntry
	for _, name := range p.sorted() {
		list = append(list, zipEntry{name: name, text: string(p.files[name].data)})
	}
	return list
}

// What is packed, is checked by the script inside the artifact, with the program inside; a second pack has the same
// bytes.
func TestArtifactOfAPaper(t *testing.T) {
	if testing.Short() {
		t.Skip("packs this program")
	}
	t.Parallel()
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.yaml")
	data := filepath.Join(dir, "measured.csv")
	for name, text := range map[string]string{mine: smallScenario, data: "a,b\n1,2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	store := filepath.Join(dir, "results")
	mustCall(t, "sweep", mine, "--vary", "memory.mag=32,64", "--store", store, "--quiet")
	first, second := filepath.Join(dir, "first.zip"), filepath.Join(dir, "second.zip")
	for _, name := range []string{first, second} {
		out := mustCall(t, "artifact", name, mine, "--store", store, "--data", data, "--quiet")
		if !strings.Contains(out, "2 results of 1 named scenarios") {
			t.Error(out)
		}
	}
	a, errA := os.ReadFile(first)
	b, errB := os.ReadFile(second)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("two packs differ: %v %v", errA, errB)
	}
	out := mustCall(t, "artifact", "check", first, "--run", "all", "--quiet")
	if !strings.Contains(out, "2 results belong to their scenarios, 1 of these by name") || !strings.Contains(out,
		"2 of 2 runs made again have the same results") {
		t.Error(out)
	}
	z, err := zip.NewReader(bytes.NewReader(a), int64(len(a)))
	if err != nil {
		t.Fatal(err)
	}
	unpacked := filepath.Join(dir, "unpacked")
	if err := os.CopyFS(unpacked, z); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("SKIPPED: check.sh was not run, because this system has no sh")
	}
	script := func() (string, error) {
		c := exec.Command("sh", filepath.Join(unpacked, artifactScript), "--run", "1", "--quiet")
		c.Dir, c.Env = dir, append(os.Environ(), calls.Program+"=1")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := script(); err != nil || !strings.Contains(out, "1 of 2 runs made again have the same results") {
		t.Errorf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(unpacked, "scenarios", "mine.yaml"), []byte("seed: 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := script(); err == nil || !strings.Contains(out, "files differ from SHA256SUMS") ||
		!strings.Contains(out, "scenarios/mine.yaml: FAILED") || strings.Contains(out, ": OK") {
		t.Errorf("a changed scenario passes, or its name is not said: %v\n%s", err, out)
	}
}

// A zip file that is no artifact, or a hostile one, is refused with the name of the file at fault.
func TestBadArtifacts(t *testing.T) {
	t.Parallel()
	good := packedSmall(t)
	result, scen := good[0], good[1]
	if !strings.HasPrefix(result.name, "results/") || scen.name != "scenarios/small.yaml" {
		t.Fatal(result.name, scen.name)
	}
	other := zipEntry{name: "data/x", text: "x"}
	changed := withSums(result, scen)
	changed[1].text += "#"
	unlisted := append(withSums(result, scen), zipEntry{name: "README.txt", text: "x"})
	twice := withSums(result, scen)
	twice[2].text += twice[2].text
	cut := result
	cut.text = strings.Replace(cut.text, `"cycles": `, `"cycles": 1`, 1)
	old := result
	old.name = strings.Replace(old.name, experiment.Version, "0.1.0", 1)
	another := scen
	another.text = strings.Replace(another.text, "seed: 1", "seed: 77", 1)
	for _, c := range []struct {
		what string
		list []zipEntry
		want string
	}{
		{"good", withSums(result, scen), ""},
		{"empty", nil, "it has no SHA256SUMS"},
		{"outside", append(withSums(result), zipEntry{name: "../../etc/x", text: "x"}),
			`file "../../etc/x": the name leads out`},
		{"absolute", append(withSums(result), zipEntry{name: "/etc/x", text: "x"}), `file "/etc/x": the name leads out`},
		{"drive", append(withSums(result), zipEntry{name: "C:x", text: "x"}), `file "C:x": the name leads out`},
		{"backslash", append(withSums(result), zipEntry{name: `..\x`, text: "x"}), "the name leads out"},
		{"link", append(withSums(result), zipEntry{name: "data/x", text: "/etc/passwd", mode: os.ModeSymlink}),
			`file "data/x": it is a link`},
		{"twice", append(withSums(result, scen), scen), `two files of one name`},
		{"twice but for case", append(withSums(result, scen), zipEntry{name: "SCENARIOS/small.yaml", text: "x"}),
			`files "scenarios/small.yaml" and "SCENARIOS/small.yaml"`},
		{"huge", append(withSums(result), zipEntry{name: "data/x", text: "x", size: 1 << 40}),
			`file "data/x": 1099511627776 bytes`},
		{"huge together", append(withSums(result), hugeTogether()...), "bytes together"},
		{"lies about its size", append(withSums(result), zipEntry{name: artifactReadme, text: "x", size: 1000}),
			`README.txt`},
		{"changed", changed, `file "scenarios/small.yaml" has the hash`},
		{"missing", withSums(result, scen)[1:], `is missing, and SHA256SUMS names it`},
		{"unlisted", unlisted, `file "README.txt" is not in SHA256SUMS`},
		{"listed twice", twice, "stands there twice"},
		{"no list", []zipEntry{result, {name: artifactSums, text: "hello\n"}}, "SHA256SUMS:1: want a SHA-256"},
		{"data under another hash", withSums(result, scen, other), `file "data/x" lies below another hash`},
		{"changed result", withSums(cut, scen), "it was cut or changed"},
		{"result of another version", withSums(old, scen), `its results are of version "0.1.0"`},
		{"no results", withSums(scen), "it has no results"},
		{"scenario without a result", withSums(result, another), `file "scenarios/small.yaml": its result`},
		{"scenario of nothing", withSums(result, zipEntry{name: "scenarios/a.yaml", text: "workload: {name: nothing}\n"}),
			`scenarios/a.yaml:1:18`},
	} {
		status, out, errs := call("artifact", "check", writeZip(t, c.list))
		if c.want == "" && (status != 0 || errs != "") || c.want != "" && (status != cli.ExitFault || !strings.Contains(errs,
			c.want)) {
			t.Errorf("%s: status %d, %q lacks %q\n%s", c.what, status, errs, c.want, out)
		}
	}
	for _, text := range []string{"", "PK", "no zip file"} {
		if status, _, errs := call("artifact", "check", clitest.WriteTemp(t, "a.zip",
			[]byte(text))); status != cli.ExitFault ||
			!strings.Contains(errs, "not a zip file") {
			t.Errorf("%q: %d %s", text, status, errs)
		}
	}
}

// hugeTogether are files that may be there one by one.
func hugeTogether() (list []zipEntry) {
	for i := range 9 {
		list = append(list, zipEntry{name: fmt.Sprint("data/", i), text: "x", size: maxArtifactFile})
	}
	return list
}

// A folder with links is refused, as is a zip file with them; a command line says what is missing in it.
func TestArtifactCommandLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, artifactSums)); err == nil {
		if status, _, errs := call("artifact", "check", dir); status != cli.ExitFault || !strings.Contains(errs, "it is a link") {
			t.Errorf("%d %s", status, errs)
		}
	}
	for args, want := range map[string]string{
		"artifact": "no file", "artifact dct": "give it a name that ends in .zip", "artifact a.zip": "nothing to pack",
		"artifact check":                  "no artifact",
		"artifact check a.zip --run some": "give a number of runs, or all",
		"artifact check a.zip --run -1":   "give a number of runs, or all",
		"artifact check a.zip b.zip":      "unexpected word", "artifact a.zip nothing": "unknown scenario: nothing",
		"artifact a.zip --store " + dir: "no store of version",
	} {
		if status, _, errs := call(strings.Fields(args)...); status == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}
