package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// layers is the table of allowed import edges, lowest first: a package imports from the
// rows above its own and never from its own row. core/machine connects packages of one
// row by links. A name ending in /... stands for the packages below it, without itself.
var layers = [][]string{
	{"core/tape", "core/fault", "core/jsontext"},
	{"core/sim", "core/mem", "core/digest", "core/arithmetic", "core/setting", "core/claim/predicate"},
	{"core/probe", "core/stat"},
	{"core/probe/perfetto", "core/probe/series"},
	{"core/codec", "core/ptx", "core/dram", "core/energy"},
	{"core/codec/...", "core/system/slc/tslc", "core/ptx/arith"},
	// codecs is the table of them. Execution knows nothing of the text of a program.
	{"core/codec/codecs", "core/ptx/syntax", "core/ptx/execute", "core/system/buddy/layout"},
	// survey measures data with all of them, explain takes one block apart.
	{"core/codec/survey", "core/codec/explain", "core/system/buddy/profile", "core/ptx/compile", "core/ptx/approximate"},
	{"core/sm", "core/cache", "core/noc", "core/memctrl"},
	{"core/system/buddy/storage"},
	{"core/machine/parameter"},
	{"core/machine/preset"}, // the table of GPUs
	{"core/machine/account"},
	{"core/machine", "core/workload"},
	// An estimate codes the blocks that a machine moved.
	{"core/workload/programs", "core/workload/argument", "core/estimate"}, // the table of them, and arguments of a user's own
	{"core/system"},     // what a system is
	{"core/system/..."}, // the systems
	{"core/scheme"},     // the table of them
	{"core/metric"},
	{"core/scenario"},
	{"core/lesson/formula"},
	{"core/lesson/steps"},
	{"core/scenario/authoring", "core/experiment"},
	{"core/system/rfvp/study"}, // what a paper asks by many runs
	{"core/claim", "core/lesson", "core/catalog", "core/system/buddy/fit"},
}

// extraEdges are the intended edges inside one layer, and all allowed edges of packages
// outside core.
var extraEdges = map[string][]string{
	// TSLC truncates symbols of a code; it needs that code's tables.
	"core/system/slc/tslc": {"core/codec/e2mc"},
	// An L1 is a part of its SM: it answers in the cycle it is asked.
	"core/sm": {"core/cache"},
	// A policy of LATTE-CC knows neither lines nor codecs.
	"core/system/latte": {"core/system/latte/policy"},
	// The ledger carries the papers.
	"core/claim": {"assets/papers"},
	// Programs carry the text of their kernels.
	"core/workload/programs": {"assets/kernels"},
	// HyComp chooses among other codecs.
	"core/codec/hycomp": {"core/codec/bdi", "core/codec/sc", "core/codec/e2mc"},
	// Byte groups are coded by the tables of E2MC.
	"core/codec/bytegroup": {"core/codec/e2mc"},
	// SC is Huffman coding with other counters than E2MC's.
	"core/codec/sc": {"core/codec/e2mc"},

	// What is drawn depends on records, not on the simulator behind them.
	"render/model": {"core/sim", "core/mem", "core/probe", "core/stat"},
	"render/draw":  {"core/sim", "core/mem", "core/probe", "core/stat", "render/model"},
	"render/app":   {"core/sim", "core/mem", "core/probe", "core/stat", "render/model", "render/draw"},

	"wasm/engine": {"core/...", "assets/scenarios", "assets/kernels"},
	"wasm/view":   {"core/sim", "core/mem", "core/probe", "core/stat", "render/model", "render/draw", "render/app"},
	"wasm/edge":   {"core/...", "assets/scenarios"},

	"tools/burstscope": {"core/...", "assets/data", "assets/scenarios", "assets/lessons", "assets/papers", "tools/silicon/...", "tools/plugin", "tools/input", "tools/serve/static", "tools/convert"},
	// A host of codecs that are modules: core has their contract, and no engine of WebAssembly.
	"tools/plugin": {"core/mem", "core/codec", "core/codec/..."},
	// Settings of other simulators become values of a machine.
	"tools/convert": {"core/fault", "core/machine/parameter", "core/machine/preset", "core/mem"},
	// What a GPU runs is a program; its PTX says whether it has variables.
	// A recording holds the cases, and the simulator runs them too.
	"tools/silicon/correlate":           {"core/...", "tools/silicon/gpu"},
	"tools/silicon/gpu":                 {"core/workload", "core/ptx/compile"},
	"tools/silicon/correlate/semantics": {"core/...", "tools/silicon/correlate", "tools/silicon/forms", "tools/silicon/gpu", "tools/input"},
	// A list of instructions, and their run in the simulator.
	"tools/silicon/forms": {"core/mem", "core/ptx", "core/ptx/..."},
	"tools/build": {
		"core/...", "render/model", "assets/lessons", "assets/kernels", "tools/wasmlink", "tools/guides", "tools/npm",
		"tools/translate",
	},
	// Documents become pages as they are.
	"tools/guides": {},
	// A post-linker knows nothing of the programs.
	"tools/wasmlink": {},
	// The speed that the page's engine has, too.
	"tools/bench": {"tools/wasmlink"},
	"tools/serve": {"tools/serve/static"},
	// A release is what other programs make.
	"tools/release": {"tools/npm"},
	"tools/npm":     {},
	// Its tables measure real arrays and those of generators.
	"tools/datasets": {"core/...", "assets/data", "tools/input", "tools/golden"},
	// It sets the variable that package golden reads.
	"tools/update": {"tools/golden"},
}

// outside lists the packages that may import a module of others. A module without a row
// may not be imported.
var outside = map[string][]string{
	"github.com/hajimehoshi/ebiten/v2":  {"render/draw", "render/app", "wasm/view"},
	"github.com/vmihailenco/msgpack/v5": {"core/scenario/authoring"},
	"go.yaml.in/yaml/v4":                {"core/scenario/authoring", "tools/convert"},
	"go.starlark.net":                   {"core/claim", "core/claim/predicate"},
	"github.com/ebitengine/purego":      {"tools/silicon/gpu"},
	"github.com/tetratelabs/wazero":     {"tools/plugin"},
	"github.com/evanw/esbuild":          {"tools/build"},
	// Formats of others: the types of their specifications.
	"github.com/opencontainers/image-spec": {"tools/release"},
	"github.com/opencontainers/go-digest":  {"tools/release"},
	"github.com/CycloneDX/cyclonedx-go":    {"tools/release"},
	"github.com/andybalholm/brotli":        {"tools/build"},
	"github.com/yuin/goldmark":             {"tools/guides"},
	"github.com/syumai/workers":            {"wasm/edge"},
}

// standard says which packages may import a package of the standard library that
// ties code to one host, to other programs or to chance.
var standard = map[string][]string{
	"syscall/js":  {"wasm/engine", "wasm/view", "wasm/edge", "render/app"},
	"net/http":    {"tools/serve", "tools/serve/static", "wasm/edge"},
	"crypto/rand": {"wasm/edge"},
	"os/exec":     {"tools/bench", "tools/build", "tools/datasets", "tools/release", "tools/wasmlink", "tools/silicon/gpu/standin", "tools/serve", "tools/serve/static", "tools/tidy", "tools/update"},
}

// layerOf is the row of a package of core, or -1.
func layerOf(pkg string) int {
	for i, row := range layers {
		if slices.Contains(row, pkg) {
			return i
		}
	}
	for i, row := range layers {
		for _, name := range row {
			if prefix, ok := strings.CutSuffix(name, "..."); ok && strings.HasPrefix(pkg, prefix) {
				return i
			}
		}
	}
	return -1
}

// home is the row of the tables that holds for pkg: a folder below a command
// (wasm/engine/bridge) has the rights of the command, and the command may import it.
func home(pkg string) string {
	if layerOf(pkg) >= 0 {
		return pkg
	}
	for p := pkg; strings.Contains(p, "/"); p = p[:strings.LastIndexByte(p, '/')] {
		if _, ok := extraEdges[p]; ok {
			return p
		}
	}
	return pkg
}

// allowed reports whether package from may import package to, both of this module.
func allowed(from, to string) bool {
	from = home(from)
	if strings.HasPrefix(to, from+"/") && !strings.HasPrefix(from, "core/") {
		return true
	}
	for _, name := range extraEdges[from] {
		prefix, tree := strings.CutSuffix(name, "...")
		if to == name || tree && strings.HasPrefix(to, prefix) {
			return true
		}
	}
	a, b := layerOf(from), layerOf(to)
	return a >= 0 && b >= 0 && b < a
}

// ownerOf finds the row of a table whose module holds the import path.
func ownerOf(table map[string][]string, importPath string) (module string, found bool) {
	for p := importPath; ; p = p[:strings.LastIndexByte(p, '/')] {
		if _, ok := table[p]; ok {
			return p, true
		}
		if !strings.Contains(p, "/") {
			return "", false
		}
	}
}

// checkImports compares every import of non-test files with the tables. Tests
// may look across: a slow twin often lives in a sibling.
func checkImports(tree *Tree) []Finding {
	var findings []Finding
	for i := range tree.Files {
		file := &tree.Files[i]
		if file.Syntax == nil || file.Test {
			continue
		}
		pkg := file.Package()
		for _, spec := range file.Syntax.Imports {
			importPath, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			if text := judgeImport(pkg, importPath); text != "" {
				findings = append(findings, Finding{file.Path, tree.Fset.Position(spec.Pos()).Line, "import edge", text})
			}
		}
	}
	return findings
}

// judgeImport returns the breach of an import, or "".
func judgeImport(pkg, importPath string) string {
	if to, ours := strings.CutPrefix(importPath, Module+"/"); ours {
		if strings.HasPrefix(pkg, "core/") && layerOf(pkg) < 0 {
			return fmt.Sprintf("%s has no row in the table of import edges (tools/tidy/edges.go)", pkg)
		}
		if !allowed(pkg, to) {
			return fmt.Sprintf("%s may not import %s; imports go downward only (tools/tidy/edges.go)", pkg, to)
		}
		return ""
	}
	if module, found := ownerOf(standard, importPath); found {
		if !slices.Contains(standard[module], pkg) && !slices.Contains(standard[module], home(pkg)) {
			return fmt.Sprintf("%s may not import %s", pkg, importPath)
		}
		return ""
	}
	if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") {
		return "" // the rest of the standard library is free
	}
	module, found := ownerOf(outside, importPath)
	if !found {
		return fmt.Sprintf("no package may import %s: it has no row in tools/tidy/edges.go", importPath)
	}
	if !slices.Contains(outside[module], pkg) && !slices.Contains(outside[module], home(pkg)) {
		return fmt.Sprintf("%s may not import %s", pkg, importPath)
	}
	return ""
}
