package predicate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

func both(f func(a, b bool) bool) Builtin {
	return func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
		return starlark.Bool(f(bool(args[0].Truth()), bool(args[1].Truth()))), nil
	}
}

// integers is a function of whole numbers above 0.
func integers(count int, f func([]int) int) Builtin {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
		var n []int
		for _, a := range args {
			i, err := starlark.AsInt32(a)
			if err != nil || i < 1 {
				return nil, fmt.Errorf("%s: %s must be a whole number above 0", b.Name(), a)
			}
			n = append(n, i)
		}
		if len(n) != count {
			return nil, fmt.Errorf("%s: want %d numbers", b.Name(), count)
		}
		return starlark.MakeInt(f(n)), nil
	}
}

func power(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("%s: want two numbers", b.Name())
	}
	x, okX := starlark.AsFloat(args[0])
	y, okY := starlark.AsFloat(args[1])
	if !okX || !okY {
		return nil, fmt.Errorf("%s: want two numbers", b.Name())
	}
	p := math.Pow(x, y)
	if math.IsNaN(p) || math.IsInf(p, 0) {
		return nil, fmt.Errorf("%s(%s, %s) is not a finite number", b.Name(), args[0], args[1])
	}
	if p == math.Trunc(p) && math.Abs(p) < 1<<53 {
		return starlark.MakeInt64(int64(p)), nil
	}
	return starlark.Float(p), nil
}

// sum adds numbers; a truth value counts as 1 or 0.
func sum(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want a list", b.Name())
	}
	list, err := Elements(args[0])
	if err != nil {
		return nil, err
	}
	total := 0.0
	for _, v := range list {
		switch v := v.(type) {
		case starlark.Bool:
			if v {
				total++
			}
		default:
			f, ok := starlark.AsFloat(v)
			if !ok {
				return nil, fmt.Errorf("%s: %s is not a number", b.Name(), v)
			}
			total += f
		}
	}
	return starlark.Float(total), nil
}

// canonical gives the canonical codewords of a map of lengths by E2MC's rule: symbols are
// sorted by length, then by name; each codeword is the next number, shifted when the length
// grows.
func canonical(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want a map of lengths", b.Name())
	}
	lengths, ok := args[0].(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("%s: want a map of lengths", b.Name())
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
