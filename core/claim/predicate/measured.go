package predicate

import "go.starlark.net/syntax"

// Measured returns the expression that a predicate is about: the side of its first comparison that calls a function
// over results, which overResults knows by name. It is nil if there is none, or if it is inside a comprehension and
// cannot stand alone.
func Measured(e syntax.Expr, overResults func(name string) bool) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return Measured(e.X, overResults)
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.AND, syntax.OR:
			if m := Measured(e.X, overResults); m != nil {
				return m
			}
			return Measured(e.Y, overResults)
		case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ:
			for _, side := range []syntax.Expr{e.X, e.Y} {
				if calls(side, overResults) {
					return side
				}
			}
		}
	}
	return nil
}

// Compares reports whether a predicate compares something, or asks whether a test of this program passes.
func Compares(e syntax.Expr) bool {
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

// Remainder returns x of an expression 1 - x, as a row about a loss writes it; its unit is about x.
func Remainder(e syntax.Expr) syntax.Expr {
	b, ok := e.(*syntax.BinaryExpr)
	if !ok || b.Op != syntax.MINUS {
		return e
	}
	if one, ok := b.X.(*syntax.Literal); ok && one.Raw == "1" {
		return b.Y
	}
	return e
}

// calls reports whether an expression calls a function of a kind.
func calls(e syntax.Expr, kind func(name string) bool) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			if name, ok := call.Fn.(*syntax.Ident); ok {
				found = found || kind(name.Name)
			}
		}
		return true
	})
	return found
}
