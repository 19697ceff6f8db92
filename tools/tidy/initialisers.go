package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// acting names packages of the standard library whose functions reach out of the
// program, so that calling them while a package is initialised is an effect.
var acting = []string{"os", "flag", "log", "net", "net/http", "io", "io/ioutil", "os/exec", "runtime/debug"}

// checkInitialisers finds package-level variables whose initial value is not
// only computed: it is thrown away, reaches out of the program, or changes other
// package-level variables, which is an init function in disguise.
func (p *purity) checkInitialisers(files []*ast.File) {
	writers := p.writers(files)
	for _, file := range files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				p.checkValueSpec(spec.(*ast.ValueSpec), writers)
			}
		}
	}
}

func (p *purity) checkValueSpec(spec *ast.ValueSpec, writers map[*types.Func]bool) {
	discarded := !slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool { return id.Name != "_" })
	for _, value := range spec.Values {
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				// A function kept for later does nothing now; one that is called
				// on the spot is looked at through its call.
				return false
			case *ast.CallExpr:
				p.checkInitialCall(n, discarded, writers)
			}
			return true
		})
	}
}

func (p *purity) checkInitialCall(call *ast.CallExpr, discarded bool, writers map[*types.Func]bool) {
	const rule = "initialiser"
	if p.info.Types[call.Fun].IsType() {
		return // a conversion
	}
	if literal, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		if discarded || p.writesGlobals(literal.Body, writers) {
			p.report(call, rule, "a function that acts while the package is initialised")
		}
		return
	}
	f := p.calledFunc(call)
	switch {
	case f == nil:
	case discarded:
		p.report(call, rule, "calls %s and drops the answer, so it is called for its effect", f.Name())
	case f.Pkg() != nil && slices.Contains(acting, f.Pkg().Path()):
		p.report(call, rule, "calls %s.%s, which reaches out of the program", f.Pkg().Name(), f.Name())
	case writers[f]:
		p.report(call, rule, "calls %s, which changes package-level variables", f.Name())
	}
}

// writers are the package's functions that assign to package-level variables,
// themselves or through a function of the package they call.
func (p *purity) writers(files []*ast.File) map[*types.Func]bool {
	writers := map[*types.Func]bool{}
	for changed := true; changed; {
		changed = false
		for _, file := range files {
			for _, decl := range file.Decls {
				d, ok := decl.(*ast.FuncDecl)
				if !ok || d.Body == nil {
					continue
				}
				f, ok := p.info.Defs[d.Name].(*types.Func)
				if ok && !writers[f] && p.writesGlobals(d.Body, writers) {
					writers[f], changed = true, true
				}
			}
		}
	}
	return writers
}

func (p *purity) writesGlobals(body ast.Node, writers map[*types.Func]bool) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, p.isGlobal) {
				found = true
			}
		case *ast.IncDecStmt:
			found = found || p.isGlobal(n.X)
		case *ast.CallExpr:
			if f := p.calledFunc(n); f != nil && writers[f] {
				found = true
			}
		}
		return !found
	})
	return found
}

// isGlobal is true if what an expression names lies in a package-level variable.
func (p *purity) isGlobal(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if _, isPkg := p.info.Uses[id].(*types.PkgName); isPkg {
					v, ok := p.info.Uses[x.Sel].(*types.Var)
					return ok && !v.IsField()
				}
			}
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			v, ok := p.info.Uses[x].(*types.Var)
			return ok && v.Parent() == p.pkg.Scope()
		default:
			return false
		}
	}
}
