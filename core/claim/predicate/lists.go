package predicate

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"go.starlark.net/starlark"
)

// Functions returns the functions and constants of the language.
func Functions() starlark.StringDict {
	d := starlark.StringDict{
		"KiB": starlark.MakeInt(1 << 10), "MiB": starlark.MakeInt(1 << 20), "GiB": starlark.MakeInt(1 << 30),
	}
	put := func(name string, f Builtin) { d[name] = starlark.NewBuiltin(name, f) }
	confine(put)
	put("all_w", over(func(list []starlark.Value) (int, starlark.Value) {
		return -1, starlark.Bool(!slices.ContainsFunc(list, func(v starlark.Value) bool { return !bool(v.Truth()) }))
	}))
	put("any_w", over(func(list []starlark.Value) (int, starlark.Value) {
		return -1, starlark.Bool(slices.ContainsFunc(list, func(v starlark.Value) bool { return bool(v.Truth()) }))
	}))
	put("max_w", over(func(list []starlark.Value) (int, starlark.Value) { return -1, list[Largest(list, 1)] }))
	put("min_w", over(func(list []starlark.Value) (int, starlark.Value) { return -1, list[Largest(list, -1)] }))
	put("argmax_w", over(func(list []starlark.Value) (int, starlark.Value) { return Largest(list, 1), nil }))
	put("std_w", over(func(list []starlark.Value) (int, starlark.Value) {
		return -1, starlark.Float(deviation(Floats(list)))
	}))
	put("corr_w", correlation)
	put("argmax_s", bestOf)
	put("undominated", undominated)
	put("fetch", integers(2, func(n []int) int { return min(128, (n[0]+n[1]-1)/n[1]*n[1]) }))
	put("ceildiv", integers(2, func(n []int) int { return (n[0] + n[1] - 1) / n[1] }))
	put("bits_for", integers(1, func(n []int) int { return bits.Len(uint(max(n[0]-1, 0))) }))
	put("pow", power)
	put("sum", sum)
	put("canonical", canonical)
	return d
}

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

// over calls a function for each program of a set. reduce returns the place of a program in
// the set, or -1 and a value.
func over(reduce func([]starlark.Value) (int, starlark.Value)) Builtin {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
		if len(args) != 2 {
			return nil, fmt.Errorf("%s: want a set and a function", b.Name())
		}
		ids, values, err := Apply(thread, args[0], args[1])
		if err != nil || len(ids) == 0 {
			return nil, fmt.Errorf("%s: %v", b.Name(), err)
		}
		at, value := reduce(values)
		if at >= 0 {
			return ids[at], nil
		}
		return value, nil
	}
}

// Apply calls a function for each element of a set.
func Apply(thread *starlark.Thread, set, f starlark.Value) (ids, values []starlark.Value, err error) {
	if ids, err = Elements(set); err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		v, err := starlark.Call(thread, f, starlark.Tuple{id}, nil)
		if err != nil {
			return nil, nil, err
		}
		values = append(values, v)
	}
	return ids, values, nil
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

// Largest is the place of the first largest value; with sign -1 of the first smallest.
func Largest(list []starlark.Value, sign float64) int {
	best := 0
	values := Floats(list)
	for i, f := range values {
		if float64(sign*f) > float64(sign*values[best]) {
			best = i
		}
	}
	return best
}

// deviation is the standard deviation of the whole list.
func deviation(list []float64) float64 {
	mean, total := Mean(list, false), 0.0
	for _, f := range list {
		total += float64((f - mean) * (f - mean))
	}
	return math.Sqrt(total / float64(len(list)))
}

// correlation is Pearson's correlation of two functions of a program.
func correlation(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	if len(args) != 3 {
		return nil, fmt.Errorf("%s: want a set and two functions", b.Name())
	}
	_, first, err := Apply(thread, args[0], args[1])
	if err != nil {
		return nil, err
	}
	_, second, err := Apply(thread, args[0], args[2])
	if err != nil {
		return nil, err
	}
	x, y := Floats(first), Floats(second)
	mx, my, total := Mean(x, false), Mean(y, false), 0.0
	for i := range x {
		total += float64((x[i] - mx) * (y[i] - my))
	}
	return starlark.Float(total / float64(len(x)) / (deviation(x) * deviation(y))), nil
}

// bestOf is the element of a list at which a function is largest.
func bestOf(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("%s: want a function and a list", b.Name())
	}
	points, values, err := Apply(thread, args[1], args[0])
	if err != nil || len(points) == 0 {
		return nil, fmt.Errorf("%s: %v", b.Name(), err)
	}
	return points[Largest(values, 1)], nil
}

// undominated is undominated(x, list, costs): 1 if no other element of the list is at least as good as x in all costs,
// and better in one of them.
func undominated(
	thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) != 3 {
		return nil, fmt.Errorf("%s: give an element, a list and a function", b.Name())
	}
	list, values, err := Apply(thread, args[1], args[2])
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(v starlark.Value) bool { return v.String() == args[0].String() })
	if at < 0 {
		return nil, fmt.Errorf("%s: %s is none of %s", b.Name(), args[0], args[1])
	}
	var costs [][]float64
	for _, v := range values {
		cost, err := Elements(v)
		if err != nil {
			return nil, err
		}
		costs = append(costs, Floats(cost))
	}
	for i, other := range costs {
		if i != at && dominates(other, costs[at]) {
			return starlark.Float(0), nil
		}
	}
	return starlark.Float(1), nil
}

// dominates reports whether a is nowhere above b, and below it somewhere.
func dominates(a, b []float64) bool {
	below := false
	for i := range min(len(a), len(b)) {
		if a[i] > b[i] {
			return false
		}
		below = below || a[i] < b[i]
	}
	return below
}
