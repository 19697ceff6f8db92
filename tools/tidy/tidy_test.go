package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestTree holds this tree to every rule.
func TestTree(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	findings, err := Check(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}

// tree makes a Tree of one file.
func tree(t *testing.T, path, text string) *Tree {
	t.Helper()
	tree, err := ReadTree(fstest.MapFS{path: {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// expect checks that a rule finds exactly what it should: each want is a
// fragment of one finding.
func expect(t *testing.T, findings []Finding, wants ...string) {
	t.Helper()
	for i, f := range findings {
		if i >= len(wants) || !strings.Contains(f.String(), wants[i]) {
			t.Errorf("unexpected: %s", f)
		}
	}
	if len(findings) < len(wants) {
		t.Errorf("%d findings, want %d: %q", len(findings), len(wants), wants)
	}
}

func TestImportEdges(t *testing.T) {
	own := func(path string) string { return Module + "/" + path }
	for _, c := range []struct{ from, to, want string }{
		{"core/sm", own("core/ptx"), ""},
		{"core/claim", own("core/experiment"), ""},
		{"core/system/slc/tslc", own("core/codec"), ""},
		{"core/system/slc/tslc", own("core/codec/e2mc"), ""},
		{"core/codec/bdi", own("core/codec"), ""},
		{"tools/burstscope", own("core/machine"), ""},
		{"wasm/engine", own("core/experiment"), ""},
		{"wasm/engine/bridge", own("core/experiment"), ""},
		{"wasm/engine", own("wasm/engine/bridge"), ""},
		{"render/app", own("render/model"), ""},
		{"core/scenario/authoring", "github.com/vmihailenco/msgpack/v5/msgpcode", ""},
		{"core/sim", "math/bits", ""},

		{"core/sim", own("core/mem"), "may not import core/mem"},                // siblings
		{"core/sm", own("core/noc"), "may not import core/noc"},                 // siblings
		{"core/codec/bdi", own("core/codec/fpc"), "may not import"},             // siblings
		{"core/mem", own("core/codec"), "may not import core/codec"},            // upwards
		{"core/machine", own("core/experiment"), "may not import"},              // upwards
		{"core/stat", own("render/model"), "may not import"},                    // out of core
		{"render/model", own("core/machine"), "may not import"},                 // behind the records
		{"wasm/view", own("core/machine"), "may not import"},                    // behind the records
		{"tools/serve", own("core/scenario"), "may not import"},                 // serves files
		{"core/unheard", own("core/sim"), "has no row"},                         // not in the table
		{"core/machine", "github.com/vmihailenco/msgpack/v5", "may not import"}, // only core/scenario
		{"render/model", "github.com/hajimehoshi/ebiten/v2", "may not import"},
		{"core/sm", "syscall/js", "may not import syscall/js"},
		{"core/sm", "crypto/rand", "may not import crypto/rand"},
		{"core/sm", "example.org/left/pad", "no package may import"},
	} {
		got := judgeImport(c.from, c.to)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s imports %s: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestImportEdgesAreReadFromFiles(t *testing.T) {
	bad := "package sim\n\nimport (\n\t\"fmt\"\n\t_ \"" + Module + "/core/stat\"\n)\n"
	expect(t, checkImports(tree(t, "core/sim/bad.go", bad)), "core/sim/bad.go:5: core/sim may not import core/stat")
	expect(t, checkImports(tree(t, "core/sim/bad_test.go", bad)))
}

// TestRowsNamePackages: a row of a package that does not exist is found, once.
func TestRowsNamePackages(t *testing.T) {
	one := tree(t, "core/codec/bdi/a.go", "package bdi\n")
	expect(t, checkRows(one, []string{"core/codec/bdi", "core/codec/...", "core/buddy", "core/dram/...", "core/buddy"}),
		"core/buddy has a row but is not a package", "core/dram/... has a row")
}

// purityOf runs the rules of core on one file.
func purityOf(t *testing.T, path, text string) []Finding {
	t.Helper()
	exports, err := goListExports(".", "time", "math/rand", "math/rand/v2", "maps", "slices", "os", "reflect")
	if err != nil {
		t.Fatal(err)
	}
	findings := checkPurity(tree(t, path, text), exports)
	sortFindings(findings)
	return findings
}

func TestGoroutine(t *testing.T) {
	bad := "package sm\n\nfunc f() {\n\tgo f()\n}\n"
	expect(t, purityOf(t, "core/sm/a.go", bad), "core/sm/a.go:4: core has one thread of control")
	expect(t, purityOf(t, "core/sm/a_test.go", bad), "core/sm/a_test.go:4: core has one thread of control")
	expect(t, purityOf(t, "tools/serve/a.go", bad))
	expect(t, purityOf(t, threadsFile, bad))
}

func TestInitFunction(t *testing.T) {
	bad := "package sm\n\nfunc init() {}\n"
	expect(t, purityOf(t, "core/sm/a.go", bad), "core/sm/a.go:3: write the table down")
	expect(t, purityOf(t, "core/sm/a.go", "package sm\n\ntype s struct{}\n\nfunc (s) init() {}\n"))
	expect(t, purityOf(t, "wasm/engine/a.go", bad))
}

func TestMapRange(t *testing.T) {
	expect(t, purityOf(t, "core/sm/a.go", `package sm

import (
	"maps"
	"reflect"
	"slices"
)

type table map[int]int

func f(m map[string]int, named table, list []int) (n int) {
	for range m {
		n++
	}
	for k := range named {
		n += k
	}
	for _, v := range list {
		n += v
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		n += m[k]
	}
	for v := range maps.Values(m) {
		n += v
	}
	return n + len(reflect.ValueOf(m).MapKeys())
}

func generic[M map[int]int](m M) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}
`), "a.go:12: the order of a map", "a.go:15: the order", "a.go:24: maps.Values yields", "a.go:27: reflect.MapKeys yields", "a.go:31: the order")
	expect(t, purityOf(t, "core/sm/a_test.go", "package sm\n\nfunc f(m map[int]int) {\n\tfor range m {\n\t}\n}\n"))
}

func TestWallClock(t *testing.T) {
	expect(t, purityOf(t, "core/sm/a.go", `package sm

import clock "time"

var limit = 3 * clock.Second

func f(start clock.Time) clock.Duration {
	now := clock.Now
	clock.Sleep(limit)
	return now().Sub(start)
}
`), "a.go:8: time.Now", "a.go:9: time.Sleep")
}

func TestGlobalRand(t *testing.T) {
	expect(t, purityOf(t, "core/sm/a.go", `package sm

import (
	"math/rand"
	v2 "math/rand/v2"
)

func f() int {
	r := rand.New(rand.NewSource(1))
	s := v2.New(v2.NewPCG(1, 2))
	return r.Int() + s.Int() + rand.Int() + v2.IntN(3)
}
`), "a.go:11: rand.Int ", "a.go:11: rand.IntN ")
}

func TestInitialiser(t *testing.T) {
	expect(t, purityOf(t, "core/sm/a.go", `package sm

import "os"

type part interface{ name() string }
type one struct{}

func (one) name() string { return "one" }

var (
	parts []part
	count struct{ n int }

	square         = build(4)
	later          = func() { count.n++ }
	_         part = one{}
	_              = part(one{})
	_              = add(one{})
	known          = add(one{})
	indirect       = both()
	home           = os.Getenv("HOME")
	direct         = func() int { count.n++; return 1 }()
)

func build(n int) (table [4]int) {
	for i := range n {
		table[i] = i * i
	}
	return table
}

func add(p part) bool {
	parts = append(parts, p)
	return true
}

func both() bool { return add(one{}) && add(one{}) }
`), "a.go:18: calls add and drops", "a.go:19: calls add, which changes", "a.go:20: calls both, which changes", "a.go:21: calls os.Getenv", "a.go:22: a function that acts")
}

func TestCoreMustTypeCheck(t *testing.T) {
	expect(t, purityOf(t, "core/sm/a.go", "package sm\n\nvar x int = \"a\"\n"), "core/sm: core/sm/a.go:3")
}

func TestFileLength(t *testing.T) {
	long := "package sm\n" + strings.Repeat("\n", maxLines)
	expect(t, checkFiles(tree(t, "core/sm/a.go", long)), "core/sm/a.go: 601 lines, more than 600")
	expect(t, checkFiles(tree(t, "core/sm/a_test.go", long)))
	expect(t, checkFiles(tree(t, "core/sm/a.go", "package sm\n"+strings.Repeat("\n", maxLines-1))))
	expect(t, checkFiles(tree(t, "assets/data.txt", long)))
}

func TestOpenWork(t *testing.T) {
	word := "TO" + "DO"
	expect(t, checkFiles(tree(t, "site/a.ts", "// "+word+": later\n")), "site/a.ts:1: "+word+" without an issue")
	expect(t, checkFiles(tree(t, "site/a.ts", "// FIX"+"ME(issue 4): why\n")), "site/a.ts:1")
	expect(t, checkFiles(tree(t, "site/a.ts", "// "+word+"(issue 4): needs the shuffle instructions\n")))
	expect(t, checkFiles(tree(t, "site/a.ts", "const method"+word+"s = 1\n")))
}

func TestTopLevel(t *testing.T) {
	expect(t, checkTopLevel(tree(t, "scratch/a.txt", "")), "scratch: is not one of the agreed entries")
	expect(t, checkTopLevel(tree(t, "notes.md", "")), "notes.md: is not one")
	expect(t, checkTopLevel(tree(t, ".ci/run", "")))
	expect(t, checkTopLevel(tree(t, "core/a.txt", "")))
	expect(t, checkTopLevel(tree(t, "dist/a.txt", "")))
}

func TestMachinePath(t *testing.T) {
	expect(t, checkFiles(tree(t, "README.md", "see /ro"+"ot/notes\n")), "README.md:1: names a folder of one machine")
	expect(t, checkFiles(tree(t, "site/a.ts", "\n\"/ho"+"me/someone\"\n")), "site/a.ts:2")
	expect(t, checkFiles(tree(t, "README.md", "https://example.org/work/1 and core/work/a.go and a/home/b\n")))
	expect(t, checkFiles(tree(t, "a.png", "\x00/wo"+"rk/x")))
}

func TestCitations(t *testing.T) {
	cites := func(file, text string) []Finding {
		both, err := ReadTree(fstest.MapFS{
			"core/codec/README.md": {}, ".github/RULES.md": {}, file: {Data: []byte(text)},
		})
		if err != nil {
			t.Fatal(err)
		}
		return checkCitations(both)
	}
	expect(t, cites("core/sm/a.go", "package sm\n\n// As work"+"loads.md says.\nvar a = \"other.md\"\n"), "core/sm/a.go:3: names work"+"loads.md")
	expect(t, cites("core/sm/a.go", "package sm\n\n// As codec/README.md and core/codec/README.md say.\n"))
	expect(t, cites("core/sm/a.go", "package sm\n\n/* one\n   gone.go */\n"), "core/sm/a.go:4: names gone.go")
	expect(t, cites("core/NOTES.md", "see [it](codec/README.md) and gone.csv\n```\nx > out.csv\n```\n"), "core/NOTES.md:1: names gone.csv")
	expect(t, cites("README.md", "see .github/RULES.md and .github/gone.md\n"), "README.md:1: names .github/gone.md")
	expect(t, cites("site/a.ts", "const a = 1; // gone.md\n"), "site/a.ts:1: names gone.md")
	expect(t, cites("site/a.ts", "const a = \"gone.md\";\n// https://example.org/gone.md, *_test.go and {name}.csv\n"))
}

// What a build leaves in the tree is not looked at.
func TestIgnoredFiles(t *testing.T) {
	for _, name := range []string{"wasm/edge/build/wasm_exec.js", "dist/a.js", "site/e2e/node_modules/x/a.js", "results/a.json", "release/a.go"} {
		if files := tree(t, name, "// gone.go\n").Files; len(files) != 0 {
			t.Errorf("%s is read", name)
		}
	}
}
