// Package predicate is the language of predicates: expressions of Starlark that are bounded, with functions of numbers
// and lists. It knows no results; package claim gives it the names that do.
package predicate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Predicates are data: a wrong one may give a wrong verdict, but it must not take much
// time or memory or look at anything else. Starlark bounds the number of steps. This file
// bounds each step:
//
//   - names: the vocabulary and the few functions of Starlark below, no attributes
//   - `+ * %` are of numbers, and whole numbers have at most 64 bits
//   - lists, tuples and the like hold scalars, or lists of scalars, and no more
//   - a range has at most 100 numbers, a text at most 4096 bytes

// Bounds of predicates [ours]: the longest of the table takes some thousand steps
// and 400 bytes.
const (
	stepLimit    = 100_000
	TextBytesMax = 4096
	maxRange     = 100
	maxBits      = 64
)

// universal are the functions and constants of Starlark that predicates have.
var universal = []string{
	"True", "False", "None", "abs", "all", "any", "dict", "float", "int", "len", "max", "min", "range", "set", "sorted",
}

// Builtin is a function of the language.
type Builtin = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, named) (starlark.Value, error)

type named = []starlark.Tuple // arguments by name

// options of the language: expressions with sets, without input or output. Its own functions may be called inside
// themselves, such as max_w.
var (
	options    = &syntax.FileOptions{Set: true}
	ownOptions = &syntax.FileOptions{Set: true, Recursion: true}
)

// Parse reads an expression; name stands in its errors.
func Parse(name, text string) (syntax.Expr, error) {
	if len(text) > TextBytesMax {
		return nil, fmt.Errorf("the predicate has %d bytes; at most %d are allowed", len(text), TextBytesMax)
	}
	return options.ParseExpr(name, text, 0)
}

// Confined is an expression that has bounds.
type Confined struct{ expr syntax.Expr }

// Read parses and confines an expression.
func Read(name, text string) (Confined, error) {
	e, err := Parse(name, text)
	if err != nil {
		return Confined{}, err
	}
	return Confine(e)
}

// Value evaluates the expression over names. It ends after a bounded number of steps.
func (c Confined) Value(names starlark.StringDict) (starlark.Value, error) {
	thread := &starlark.Thread{Name: "claim", Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(stepLimit)
	return starlark.EvalExprOptions(options, thread, c.expr, names)
}

// Confine replaces operators whose results could grow by calls that check their operands,
// and refuses everything that predicates may not use. Calls replace `and` and `or` too, so that
// both sides are evaluated and a row names everything it lacks. Predicates have no effects,
// so their results stay the same.
func Confine(e syntax.Expr) (Confined, error) {
	c := confiner{}
	return Confined{c.expr(e)}, c.err
}

type confiner struct{ err error }

func (c *confiner) refuse(at syntax.Node, what string) {
	if c.err == nil {
		start, _ := at.Span()
		c.err = fmt.Errorf("%s: predicates have no %s", start, what)
	}
}

// guards are the functions that replace operators.
var guards = map[syntax.Token]string{
	syntax.PLUS: "_add", syntax.STAR: "_multiply", syntax.PERCENT: "_remainder", syntax.MINUS: "_subtract",
	syntax.SLASH: "_divide", syntax.AND: "_and", syntax.OR: "_or",
}

func call(at syntax.Position, name string, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Args: args}
}

// item is an element of a list, tuple or dict.
func (c *confiner) item(e syntax.Expr) syntax.Expr {
	start, _ := e.Span()
	return call(start, "_item", c.expr(e))
}

func (c *confiner) all(list []syntax.Expr, f func(syntax.Expr) syntax.Expr) {
	for i := range list {
		list[i] = f(list[i])
	}
}

func (c *confiner) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case *syntax.Literal:
	case *syntax.Ident:
		if starlark.Universe.Has(e.Name) && !slices.Contains(universal, e.Name) || strings.HasPrefix(e.Name, "_") {
			c.refuse(e, e.Name)
		}
	case *syntax.BinaryExpr:
		e.X, e.Y = c.expr(e.X), c.expr(e.Y)
		if name, ok := guards[e.Op]; ok {
			return call(e.OpPos, name, e.X, e.Y)
		}
		if e.Op == syntax.LTLT || e.Op == syntax.PIPE || e.Op == syntax.CIRCUMFLEX {
			c.refuse(e, "operator "+e.Op.String())
		}
	case *syntax.UnaryExpr:
		e.X = c.expr(e.X)
	case *syntax.ParenExpr:
		e.X = c.expr(e.X)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = c.expr(e.Cond), c.expr(e.True), c.expr(e.False)
	case *syntax.CallExpr:
		c.call(e)
	case *syntax.LambdaExpr:
		for _, p := range e.Params {
			if usual, ok := p.(*syntax.BinaryExpr); ok {
				usual.Y = c.item(usual.Y)
			} else if _, ok := p.(*syntax.Ident); !ok {
				c.refuse(p, "parameters but plain ones")
			}
		}
		e.Body = c.expr(e.Body)
	case *syntax.Comprehension:
		e.Body = c.item(e.Body)
		if e.Curly {
			c.refuse(e, "comprehensions but those of lists")
		}
		for _, clause := range e.Clauses {
			switch clause := clause.(type) {
			case *syntax.ForClause:
				clause.X = c.expr(clause.X)
			case *syntax.IfClause:
				clause.Cond = c.expr(clause.Cond)
			}
		}
	case *syntax.ListExpr:
		c.all(e.List, c.item)
	case *syntax.TupleExpr:
		c.all(e.List, c.item)
	case *syntax.DictExpr:
		for _, entry := range e.List {
			entry := entry.(*syntax.DictEntry)
			entry.Key, entry.Value = c.item(entry.Key), c.item(entry.Value)
		}
	case *syntax.IndexExpr:
		e.X, e.Y = c.expr(e.X), c.expr(e.Y)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = c.expr(e.X), c.expr(e.Lo), c.expr(e.Hi), c.expr(e.Step)
	default:
		c.refuse(e, "such expressions")
	}
	return e
}

func (c *confiner) call(e *syntax.CallExpr) {
	e.Fn = c.expr(e.Fn)
	for i, arg := range e.Args {
		switch arg := arg.(type) {
		case *syntax.BinaryExpr:
			if arg.Op == syntax.EQ { // a keyword
				arg.Y = c.item(arg.Y)
				continue
			}
		case *syntax.UnaryExpr:
			if arg.Op == syntax.STAR || arg.Op == syntax.STARSTAR {
				c.refuse(arg, "arguments out of lists")
				continue
			}
		}
		e.Args[i] = c.expr(e.Args[i])
	}
}

// deep reports whether a value nests lists more than one deep.
func deep(v starlark.Value) bool {
	holds := func(v starlark.Value) bool { _, ok := v.(starlark.Iterable); return ok }
	switch v := v.(type) {
	case *starlark.Dict:
		for _, item := range v.Items() {
			if holds(item[0]) || holds(item[1]) {
				return true
			}
		}
	case starlark.Iterable:
		it := v.Iterate()
		defer it.Done()
		var x starlark.Value
		for it.Next(&x) {
			if holds(x) {
				return true
			}
		}
	}
	return false
}

// confine adds the functions that replace operators and functions of Starlark.
func confine(put func(name string, f Builtin)) {
	put("_and", both(func(a, b bool) bool { return a && b }))
	put("_or", both(func(a, b bool) bool { return a || b }))
	put("_add", numbers(syntax.PLUS))
	put("_multiply", numbers(syntax.STAR))
	put("_remainder", numbers(syntax.PERCENT))
	put("_item", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
		if deep(args[0]) {
			return nil, fmt.Errorf("lists in predicates nest at most two deep")
		}
		return args[0], nil
	})
	put("float", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, more named) (starlark.Value, error) {
		v, err := starlark.Call(t, starlark.Universe["float"], args, more)
		if f, ok := v.(starlark.Float); ok && err == nil && (math.IsNaN(float64(f)) || math.IsInf(float64(f), 0)) {
			return nil, fmt.Errorf("float: %s is not a finite number", v)
		}
		return v, err
	})
	put("_subtract", less(syntax.MINUS))
	put("_divide", less(syntax.SLASH))
	put("range", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, more named) (starlark.Value, error) {
		v, err := starlark.Call(t, starlark.Universe["range"], args, more)
		if err == nil && starlark.Len(v) > maxRange {
			return nil, fmt.Errorf("range: %d numbers; at most %d are allowed", starlark.Len(v), maxRange)
		}
		return v, err
	})
}

// numbers is an operator on numbers, with results of a bounded size.
func numbers(op syntax.Token) Builtin {
	return func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
		for _, a := range args {
			switch a.(type) {
			case starlark.Int, starlark.Float:
			default:
				return nil, fmt.Errorf("%s %s %s: predicates add, multiply and divide numbers only",
					args[0].Type(), op, args[1].Type())
			}
		}
		v, err := starlark.Binary(op, args[0], args[1])
		if i, ok := v.(starlark.Int); ok && err == nil && i.BigInt().BitLen() > maxBits {
			return nil, fmt.Errorf("%s: the result needs more than %d bits", op, maxBits)
		}
		if f, ok := v.(starlark.Float); ok && math.IsInf(float64(f), 0) {
			return nil, fmt.Errorf("%s: the result is infinite", op)
		}
		return v, err
	}
}

// less is an operator whose result is at most as large as its operands, unless a number is too large.
func less(op syntax.Token) Builtin {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, more named) (starlark.Value, error) {
		if _, isSet := args[0].(*starlark.Set); isSet {
			return starlark.Binary(op, args[0], args[1])
		}
		return numbers(op)(thread, b, args, more)
	}
}
