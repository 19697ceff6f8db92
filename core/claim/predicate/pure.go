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

func power(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	x := Floats(args)
	if len(x) != 2 {
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
func sum(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	var list starlark.Iterable
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 1, &list); err != nil {
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
func canonical(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ named) (starlark.Value, error) {
	var lengths *starlark.Dict
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 1, &lengths); err != nil {
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
