package claim

import (
	"slices"

	"go.starlark.net/syntax"
)

// measured returns the expression that a predicate is about: the side of its first
// comparison that calls a function over results. It is nil if there is none, or if it is
// inside a comprehension and cannot stand alone.
func measured(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return measured(e.X)
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.AND, syntax.OR:
			if m := measured(e.X); m != nil {
				return m
			}
			return measured(e.Y)
		case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ:
			for _, side := range []syntax.Expr{e.X, e.Y} {
				if asksResults(side) {
					return side
				}
			}
		}
	}
	return nil
}

// compares reports whether a predicate compares something, or asks whether a test of this program passes.
func compares(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryExpr:
			switch n.Op {
			case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ, syntax.IN, syntax.NOT_IN:
				found = true
			}
		case *syntax.CallExpr:
			if name, ok := n.Fn.(*syntax.Ident); ok && name.Name == "unit" {
				found = true
			}
		}
		return !found
	})
	return found
}

// remainder returns x of an expression 1 - x, as a row about a loss writes it; its unit is about x.
func remainder(e syntax.Expr) syntax.Expr {
	b, ok := e.(*syntax.BinaryExpr)
	if !ok || b.Op != syntax.MINUS {
		return e
	}
	if one, ok := b.X.(*syntax.Literal); ok && one.Raw == "1" {
		return b.Y
	}
	return e
}

// overResults are the functions over results.
var overResults = []string{"v", "gm", "am", "max_w", "min_w", "std_w", "corr_w"}

// asksResults reports whether an expression calls a function over results.
func asksResults(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			if name, ok := call.Fn.(*syntax.Ident); ok {
				found = found || slices.Contains(overResults, name.Name) || (*Paper)(nil).defined(name.Name, wordsOf) != ""
			}
		}
		return true
	})
	return found
}
