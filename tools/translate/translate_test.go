package translate

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/translate/testdata/constructs"
	"github.com/evanw/esbuild/pkg/api"
)

const root = "../.."

// node runs a module whose last expression is a text, and returns the text.
func node(t *testing.T, module, result string) string {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing. Install it: apt install nodejs, brew install node, or https://nodejs.org/")
	}
	made := api.Transform(module+"\nprocess.stdout.write("+result+");\n", api.TransformOptions{Loader: api.LoaderTS, Target: api.ES2022})
	if len(made.Errors) > 0 {
		t.Fatalf("esbuild: %v", made.Errors)
	}
	file := filepath.Join(t.TempDir(), "module.mjs")
	if err := os.WriteFile(file, made.Code, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestBothDrawTheSame draws the samples of render/model with the translation; the
// package's own test draws them with the package.
func TestBothDrawTheSame(t *testing.T) {
	module, err := translate(filepath.Join(root, packageFolder), append(slices.Clone(described), "samples_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	got := node(t, string(module), `samples().map((n) => "== " + n + "\n" + sample(n).replaceAll("><", ">\n<") + "\n").join("")`)
	want, err := os.ReadFile(filepath.Join(root, packageFolder, "testdata", "samples.txt"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("line %d of the samples: the page has\n%s\nthe package has\n%s", i+1, strings.Join(a[min(i, len(a)):min(i+3, len(a))], "\n"), strings.Join(b[min(i, len(b)):min(i+3, len(b))], "\n"))
		}
	}
}

// TestConstructs: translated constructs mean the same in both languages.
func TestConstructs(t *testing.T) {
	module, err := translate("testdata/constructs", []string{"constructs.go"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := json.Unmarshal([]byte(node(t, string(module), "JSON.stringify(Results())")), &got); err != nil {
		t.Fatal(err)
	}
	for i, want := range constructs.Results() {
		if i >= len(got) || got[i] != want {
			t.Errorf("%q is %q there", want, got[min(i, len(got)-1)])
		}
	}
}

// TestRefusals: a construct without a translation is named with its place.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"func f(m map[int]int) {}", "x.go:2:8: the type map[int]int has no translation"},
		{"func f(s string) int { return len(s) }", "x.go:2:31: the length of a string"},
		{"func f(s string) string { return s[1:] }", "x.go:2:34: a part of a string"},
		{"func f() { go f() }", "x.go:2:12: this statement"},
		{"func f(n int) { for { switch n { case 1: break } } }", "x.go:2:42: a break in a switch"},
		{"type p struct{ n int }\nfunc f(a, b p) bool { return a == b }", "x.go:3:30: structs are not compared"},
		{"type p struct{ n int }\nfunc f(a, b *p) { *a = *b }", "x.go:3:19: an assignment through a pointer"},
		{"func f(n int) int { return n & 3 }", "x.go:2:28: & of int"},
		{"func f() { other() }", "x.go:2:12: other is declared in y.go, which is not translated"},
		{`import "os"` + "\nfunc f() { os.Exit(1) }", "x.go:3:12: os.Exit has no translation"},
		{`import "fmt"` + "\nfunc f(v float64) string { return fmt.Sprintf(\"%.1f\", v) }", "x.go:3:35: only %d of integers"},
		{"func f(a []int) bool { return a == nil }", "x.go:2:31: a slice is not compared"},
		{"func f() int8 { n := int8(3); n++; return n }", "x.go:2:10: the type int8 has no translation"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"x.go": c.code, "y.go": "func other() {}"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("package x\n"+text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := translate(dir, []string{"x.go"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ncame to: %v\nwant: %s", c.code, err, c.want)
		}
	}
}
