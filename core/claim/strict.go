package claim

import "go.starlark.net/syntax"

// strict replaces `and` and `or` by calls that evaluate both sides, so that a row
// names everything it lacks, and not only what its first part does. The predicates
// have no effects, so their answers stay the same.
func strict(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		e.X, e.Y = strict(e.X), strict(e.Y)
		if e.Op == syntax.AND || e.Op == syntax.OR {
			return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: e.OpPos, Name: strictNames[e.Op]}, Args: []syntax.Expr{e.X, e.Y}}
		}
	case *syntax.UnaryExpr:
		e.X = strict(e.X)
	case *syntax.ParenExpr:
		e.X = strict(e.X)
	case *syntax.CallExpr:
		for i := range e.Args {
			e.Args[i] = strict(e.Args[i])
		}
	case *syntax.LambdaExpr:
		e.Body = strict(e.Body)
	case *syntax.Comprehension:
		e.Body = strict(e.Body)
	case *syntax.CondExpr:
		e.True, e.False = strict(e.True), strict(e.False)
	case *syntax.ListExpr:
		for i := range e.List {
			e.List[i] = strict(e.List[i])
		}
	case *syntax.TupleExpr:
		for i := range e.List {
			e.List[i] = strict(e.List[i])
		}
	}
	return e
}

var strictNames = map[syntax.Token]string{syntax.AND: "_and", syntax.OR: "_or"}

// measured returns the expression whose value the predicate is about: the side of
// its first comparison that is no number. It is nil where there is none, or where
// it is inside a comprehension and cannot stand alone.
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

// asksResults reports whether an expression calls a function over results.
func asksResults(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			if name, ok := call.Fn.(*syntax.Ident); ok {
				switch name.Name {
				case "v", "gm", "am", "max_w", "min_w", "std_w", "corr_w", "ned", "snap":
					found = true
				}
			}
		}
		return true
	})
	return found
}
