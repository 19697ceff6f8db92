package predicate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Known are values of expressions that are known without results: the numbers of rows, such as committed ones. A
// predicate whose parts are known has a value without any run.
type Known map[string]starlark.Value

// unknown is a function without a value.
const unknown = "_unknown"

// Truth evaluates a predicate. It is decided if the known parts decide it, whatever the others are.
func (k Known) Truth(text string) (truth, decided bool) {
	e, err := Parse("predicate", text)
	if err != nil {
		return false, false
	}
	names := starlark.StringDict{unknown: starlark.NewBuiltin(unknown, func(
		*starlark.Thread, *starlark.Builtin, starlark.Tuple, named,
	) (starlark.Value, error) {
		return nil, errors.New("the value is not known")
	})}
	e, _ = k.in(text, e, names)
	v, err := starlark.EvalExprOptions(options, &starlark.Thread{}, e, names)
	is, ok := v.(starlark.Bool)
	return bool(is), ok && err == nil
}

// in puts names of the known values into an expression, and the unknown into the places of others. What is known comes
// first in and and or, so that it decides where it can.
func (k Known) in(text string, e syntax.Expr, names starlark.StringDict) (out syntax.Expr, all bool) {
	start, _ := e.Span()
	if v := k[Text(text, e)]; v != nil {
		name := fmt.Sprintf("_%d", len(names))
		names[name] = v
		return &syntax.Ident{NamePos: start, Name: name}, true
	}
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return k.in(text, e.X, names)
	case *syntax.Literal:
		return e, true
	case *syntax.UnaryExpr:
		e.X, all = k.in(text, e.X, names)
		return e, all
	case *syntax.BinaryExpr:
		x, allX := k.in(text, e.X, names)
		y, allY := k.in(text, e.Y, names)
		if e.Op == syntax.AND || e.Op == syntax.OR {
			if !allX && allY {
				x, y = y, x
			}
		}
		e.X, e.Y = x, y
		return e, allX && allY
	case *syntax.CallExpr:
		if name, ok := e.Fn.(*syntax.Ident); ok && slices.Contains([]string{"abs", "min", "max"}, name.Name) {
			all = true
			for i, arg := range e.Args {
				var known bool
				e.Args[i], known = k.in(text, arg, names)
				all = all && known
			}
			return e, all
		}
	}
	return call(start, unknown), false
}

// Text returns the text of an expression that stands in the first line of text.
func Text(text string, e syntax.Expr) string {
	start, end := e.Span()
	if start.Line != 1 || end.Line != 1 {
		return ""
	}
	runes := []rune(text)
	return Plainly(string(runes[start.Col-1 : end.Col-1]))
}

// Plainly leaves out the white space around an expression.
func Plainly(text string) string { return strings.TrimSpace(text) }

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

// A Name is a name in an expression, and its place.
type Name struct{ Name, Place string }

// Undefined returns the names of an expression that neither it nor its surroundings define.
func Undefined(e syntax.Expr, known func(name string) bool) (names []Name) {
	_, err := resolve.ExprOptions(options, e, known, starlark.Universe.Has)
	var list resolve.ErrorList
	errors.As(err, &list)
	for _, one := range list {
		if text, is := strings.CutPrefix(one.Msg, "undefined: "); is {
			name, _, _ := strings.Cut(text, " ")
			names = append(names, Name{name, one.Pos.String()})
		}
	}
	return names
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
