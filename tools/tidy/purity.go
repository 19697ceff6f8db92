package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Core computes the same bits everywhere, from its input alone. These rules forbid
// dependence on the host, the scheduler or random numbers. Tests may measure time and
// shuffle, but must not start goroutines, because the machine is not safe for them. One
// file has the threads of a machine.
const threadsFile = "core/sim/crew.go"

// clock names what package time does with the host's clock; durations and
// formatting are free.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// seeded names what packages math/rand and math/rand/v2 offer without global state.
var seeded = []string{"New", "NewSource", "NewPCG", "NewChaCha8", "NewZipf"}

// mapOrder names what yields the elements of a map in its order.
var mapOrder = []string{"maps.All", "maps.Keys", "maps.Values", "reflect.MapKeys", "reflect.MapRange"}

// keysFile sorts the keys of maps of any type, which no sorter takes.
const keysFile = "core/jsontext/jsontext.go"

// sorters make an order out of what they are given.
var sorters = []string{"slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc"}

func inCore(pkg string) bool { return pkg == "core" || strings.HasPrefix(pkg, "core/") }

// checkPurity applies the rules of core: those that need only syntax to every
// file, those that need types to what the host compiles.
func checkPurity(tree *Tree, exports map[string]string) []Finding {
	packages := map[string][]*File{}
	var names []string
	var findings []Finding
	for i := range tree.Files {
		file := &tree.Files[i]
		if file.Syntax == nil || !inCore(file.Package()) {
			continue
		}
		findings = append(findings, checkSyntax(tree.Fset, file)...)
		if file.Test || !file.Built {
			continue
		}
		if packages[file.Package()] == nil {
			names = append(names, file.Package())
		}
		packages[file.Package()] = append(packages[file.Package()], file)
	}
	for _, name := range names {
		findings = append(findings, checkTyped(tree.Fset, name, packages[name], exports)...)
	}
	return findings
}

// checkSyntax finds goroutines and init functions.
func checkSyntax(fset *token.FileSet, file *File) []Finding {
	var findings []Finding
	ast.Inspect(file.Syntax, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok && file.Path != threadsFile {
			findings = append(findings, Finding{file.Path, fset.Position(g.Pos()).Line, "goroutine", "core has one thread of control, but for " + threadsFile})
		}
		return true
	})
	for _, decl := range file.Syntax.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" && !file.Test {
			findings = append(findings, Finding{file.Path, fset.Position(f.Pos()).Line, "init function",
				"write the table down, or build it where it is asked for"})
		}
	}
	return findings
}

// purity looks at one type-checked package.
type purity struct {
	fset     *token.FileSet
	info     *types.Info
	pkg      *types.Package
	sorted   map[ast.Node]bool // calls whose order a sorter replaces
	findings []Finding
}

func (p *purity) report(n ast.Node, rule, format string, args ...any) {
	pos := p.fset.Position(n.Pos())
	p.findings = append(p.findings, Finding{pos.Filename, pos.Line, rule, fmt.Sprintf(format, args...)})
}

// checkTyped finds map ranges, clock, global chance and initialisers that act.
func checkTyped(fset *token.FileSet, name string, files []*File, exports map[string]string) []Finding {
	var syntax []*ast.File
	for _, f := range files {
		syntax = append(syntax, f.Syntax)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: exportImporter(fset, exports)}
	pkg, err := config.Check(Module+"/"+name, fset, syntax, info)
	if err != nil {
		return []Finding{{name, 0, "types", err.Error()}}
	}
	p := &purity{fset: fset, info: info, pkg: pkg, sorted: map[ast.Node]bool{}}
	for _, file := range syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			p.visit(n)
			return true
		})
	}
	p.checkInitialisers(syntax)
	return p.findings
}

func (p *purity) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if t := p.info.TypeOf(n.X); t != nil && isMap(t) {
			p.report(n, "map range", "the order of a map is random; keep a sorted slice of keys, or a slice instead of the map")
		}
	case *ast.CallExpr:
		if slices.Contains(sorters, p.callee(n)) && len(n.Args) > 0 {
			p.sorted[ast.Unparen(n.Args[0])] = true
		}
		inKeysFile := p.fset.Position(n.Pos()).Filename == keysFile
		if name := p.callee(n); slices.Contains(mapOrder, name) && !p.sorted[n] && !inKeysFile {
			p.report(n, "map range", "%s yields in the order of a map, which is random; pass it to slices.Sorted", name)
		}
	case *ast.Ident:
		p.use(n)
	}
}

// use finds the clock and global chance, called or taken as a value.
func (p *purity) use(id *ast.Ident) {
	f, ok := p.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return
	}
	switch path := f.Pkg().Path(); {
	case path == "time" && slices.Contains(clock, f.Name()):
		p.report(id, "wall clock", "time.%s; core knows only sim.Cycle", f.Name())
	case (path == "math/rand" || path == "math/rand/v2") && !slices.Contains(seeded, f.Name()):
		p.report(id, "global rand", "rand.%s has a random seed; use sim's seeded generator", f.Name())
	}
}

// callee names the function a call calls as package.Name, or "".
func (p *purity) callee(call *ast.CallExpr) string {
	if f := p.calledFunc(call); f != nil && f.Pkg() != nil {
		return f.Pkg().Name() + "." + f.Name()
	}
	return ""
}

func (p *purity) calledFunc(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) { // an instantiated generic function
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	f, _ := p.info.Uses[id].(*types.Func)
	return f
}

// isMap is true for maps and for type parameters that a map could fill.
func isMap(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if isMap(u.EmbeddedType(i)) {
				return true
			}
		}
	case *types.Union:
		for i := range u.Len() {
			if isMap(u.Term(i).Type()) {
				return true
			}
		}
	}
	return false
}
