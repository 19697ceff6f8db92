package predicate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"
)

// defined are the functions that the language can say itself. undominated(x, list, costs) is 1 if no other element of
// the list is at least as good as x in all costs, and better in one of them; fetch is what is read of a block of a
// size in accesses of n bytes.
var defined = [][2]string{
	{"all_w", "lambda items, f: all([f(w) for w in items])"},
	{"any_w", "lambda items, f: any([f(w) for w in items])"},
	{"max_w", "lambda items, f: max([f(w) for w in items])"},
	{"min_w", "lambda items, f: min([f(w) for w in items])"},
	{"argmax_w", "lambda items, f: max(items, key=f)"},
	{"argmax_s", "lambda f, items: max(items, key=f)"},
	{"std_w", "lambda items, f: deviation([f(w) for w in items])"},
	{"corr_w", "lambda items, f, g: (lambda x, y, d: sum([(x[i] - sum(x) / len(x)) * (y[i] - sum(y) / len(y)) " +
		"for i in range(len(x))]) / len(x) / d if d else 0.0)([f(w) for w in items], [g(w) for w in items], " +
		"std_w(items, f) * std_w(items, g))"},
	{"undominated", "lambda x, items, f: (lambda costs, own: float(not any([" +
		"all([c[i] <= own[i] for i in range(len(own))]) and any([c[i] < own[i] for i in range(len(own))]) " +
		"for c in costs])))([f(e) for e in items], [f(e) for e in items if e == x][0])"},
	{"fetch", "lambda size, n: min(128, (size + n - 1) // n * n)"},
	{"ceildiv", "lambda a, b: (a + b - 1) // b"},
	{"bits_for", "lambda n: len([k for k in range(64) if pow(2, k) < n])"},
}

// functions are those of the language, made once.
var functions = sync.OnceValue(func() starlark.StringDict {
	d := starlark.StringDict{
		"KiB": starlark.MakeInt(1 << 10), "MiB": starlark.MakeInt(1 << 20), "GiB": starlark.MakeInt(1 << 30),
	}
	put := func(name string, f Builtin) { d[name] = starlark.NewBuiltin(name, f) }
	confine(put)
	put("deviation", func(
		_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs named,
	) (starlark.Value, error) {
		var list starlark.Iterable
		err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &list)
		if err != nil {
			return nil, err
		}
		values, err := Elements(list)
		return starlark.Float(deviation(Floats(values))), err
	})
	put("pow", power)
	put("sum", sum)
	put("canonical", canonical)
	for _, f := range defined {
		e, err := Read(f[0], f[1])
		if err == nil {
			d[f[0]], err = starlark.EvalExprOptions(ownOptions, &starlark.Thread{}, e.expr, d)
		}
		if err != nil {
			panic(err) // it is part of the program
		}
	}
	d.Freeze()
	return d
})

// Functions returns the functions and constants of the language.
func Functions() starlark.StringDict { return maps.Clone(functions()) }

// Strings is a list of texts.
func Strings(words []string) *starlark.List {
	l := make([]starlark.Value, len(words))
	for i, w := range words {
		l[i] = starlark.String(w)
	}
	return starlark.NewList(l)
}

// Plain is a scalar as a value of Go: a text, a whole number or a number; others are their text.
func Plain(v starlark.Value) any {
	switch v := v.(type) {
	case starlark.String:
		return string(v)
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return int(n)
		}
	case starlark.Float:
		return float64(v)
	}
	return v.String()
}

// Mean is the geometric or arithmetic mean.
func Mean(list []float64, geometric bool) float64 {
	total := 0.0
	for _, f := range list {
		if geometric {
			f = math.Log(f)
		}
		total += f
	}
	total /= float64(len(list))
	if geometric {
		return math.Exp(total)
	}
	return total
}

// Elements are the values of a list.
func Elements(v starlark.Value) ([]starlark.Value, error) {
	iterable, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("want a list, not %s", v.Type())
	}
	var list []starlark.Value
	it := iterable.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		list = append(list, x)
	}
	return list, nil
}

// Floats are the numbers of a list; NaN stands for another value.
func Floats(list []starlark.Value) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		f, ok := starlark.AsFloat(v)
		if !ok {
			f = math.NaN()
		}
		out[i] = f
	}
	return out
}

// deviation is the standard deviation of the whole list.
func deviation(list []float64) float64 {
	mean, total := Mean(list, false), 0.0
	for _, f := range list {
		total += float64((f - mean) * (f - mean))
	}
	return math.Sqrt(total / float64(len(list)))
}

func both(f func(a, b bool) bool) Builtin {
	return func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
		return starlark.Bool(f(bool(args[0].Truth()), bool(args[1].Truth()))), nil
	}
}

func power(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs named) (starlark.Value, error) {
	x := Floats(args)
	if len(x) != 2 || len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: want two numbers", b.Name())
	}
	p := math.Pow(x[0], x[1])
	if math.IsNaN(p) || math.IsInf(p, 0) {
		return nil, fmt.Errorf("%s(%s, %s) is not a finite number", b.Name(), args[0], args[1])
	}
	if p == math.Trunc(p) && math.Abs(p) < 1<<53 {
		return starlark.MakeInt64(int64(p)), nil
	}
	return starlark.Float(p), nil
}

// sum adds numbers; a truth value counts as 1 or 0.
func sum(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs named) (starlark.Value, error) {
	var list starlark.Iterable
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &list); err != nil {
		return nil, err
	}
	total := 0.0
	for v := range starlark.Elements(list) {
		if v == starlark.True {
			v = starlark.MakeInt(1)
		} else if v == starlark.False {
			v = starlark.MakeInt(0)
		}
		f, ok := starlark.AsFloat(v)
		if !ok {
			return nil, fmt.Errorf("%s: %s is not a number", b.Name(), v)
		}
		total += f
	}
	return starlark.Float(total), nil
}

// canonical gives the canonical codewords of a map of lengths by E2MC's rule: symbols are
// sorted by length, then by name; each codeword is the next number, shifted when the length
// grows.
func canonical(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs named) (starlark.Value, error) {
	var lengths *starlark.Dict
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &lengths); err != nil {
		return nil, err
	}
	type code struct {
		symbol string
		length int
	}
	var list []code
	for _, item := range lengths.Items() {
		symbol, ok := starlark.AsString(item[0])
		n, err := starlark.AsInt32(item[1])
		if !ok || err != nil || n < 1 || n > 32 {
			return nil, fmt.Errorf("%s: %s: want lengths of 1 to 32 bits", b.Name(), item)
		}
		list = append(list, code{symbol, n})
	}
	slices.SortFunc(list, func(a, b code) int {
		if a.length != b.length {
			return a.length - b.length
		}
		return strings.Compare(a.symbol, b.symbol)
	})
	out := starlark.NewDict(len(list))
	next, length := uint64(0), 0
	for _, c := range list {
		next <<= c.length - length
		length = c.length
		if err := out.SetKey(starlark.String(c.symbol), starlark.String(fmt.Sprintf("%0*b", length, next))); err != nil {
			return nil, err
		}
		next++
	}
	return out, nil
}
