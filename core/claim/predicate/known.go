package predicate

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Known are values of expressions that are known without results: the numbers of rows, such as committed ones. A
// predicate whose parts are known has a value without any run.
type Known map[string]starlark.Value

// Truth evaluates a predicate. It is decided if the known parts decide it, whatever the others are.
func (k Known) Truth(text string) (truth, decided bool) {
	e, err := Parse("predicate", text)
	if err != nil {
		return false, false
	}
	v, ok := k.value(text, e).(starlark.Bool)
	return bool(v), ok
}

// value is nil if the known parts do not decide the value of e, which stands in text.
func (k Known) value(text string, e syntax.Expr) starlark.Value {
	if v := k[Text(text, e)]; v != nil {
		return v
	}
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return k.value(text, e.X)
	case *syntax.Literal:
		if f, err := strconv.ParseFloat(e.Raw, 64); err == nil {
			return starlark.Float(f)
		}
	case *syntax.UnaryExpr:
		if x := k.value(text, e.X); x != nil {
			if v, err := starlark.Unary(e.Op, x); err == nil {
				return v
			}
		}
	case *syntax.BinaryExpr:
		return k.binary(e.Op, k.value(text, e.X), k.value(text, e.Y))
	case *syntax.CallExpr:
		return k.call(text, e)
	}
	return nil
}

// binary has the value of `and` and `or` from one side where that decides.
func (k Known) binary(op syntax.Token, x, y starlark.Value) starlark.Value {
	switch op {
	case syntax.AND, syntax.OR:
		decides := starlark.Bool(op == syntax.OR)
		if x == decides || y == decides {
			return decides
		}
		if x == nil || y == nil {
			return nil
		}
		return !decides
	}
	if x == nil || y == nil {
		return nil
	}
	switch op {
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ:
		if truth, err := starlark.Compare(op, x, y); err == nil {
			return starlark.Bool(truth)
		}
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH:
		if v, err := starlark.Binary(op, x, y); err == nil {
			return v
		}
	}
	return nil
}

// call knows the functions of numbers.
func (k Known) call(text string, e *syntax.CallExpr) starlark.Value {
	name, ok := e.Fn.(*syntax.Ident)
	if !ok || !slices.Contains([]string{"abs", "min", "max"}, name.Name) {
		return nil
	}
	var args starlark.Tuple
	for _, a := range e.Args {
		v := k.value(text, a)
		if v == nil {
			return nil
		}
		args = append(args, v)
	}
	v, err := starlark.Call(&starlark.Thread{}, starlark.Universe[name.Name], args, nil)
	if err != nil {
		return nil
	}
	return v
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
