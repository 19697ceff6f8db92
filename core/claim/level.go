package claim

import (
	"fmt"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"go.starlark.net/starlark"
)

// bestLevel is the level of SLC's tree with the largest sum over a set. Level 1 holds single
// symbols.
func (s *session) bestLevel(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 3 {
		return nil, fmt.Errorf("%s: give a metric, a system and a set of programs", b.Name())
	}
	r, err := s.readRequest(args, kwargs)
	if err != nil {
		return nil, err
	}
	if r.metric != "excess_bits" {
		s.lack("metric " + r.metric + " is not measured by level")
		return nothing, nil
	}
	ids, err := predicate.Elements(args[2])
	if err != nil || len(ids) == 0 {
		return nil, fmt.Errorf("%s: the set has no programs", b.Name())
	}
	var sums []starlark.Value
	for _, what := range r.lacks {
		s.lack(what)
	}
	for _, id := range ids {
		name, _ := starlark.AsString(id)
		p, err := s.point(r.system, name, r.on)
		if err != nil {
			s.lackError(err)
			continue
		}
		result, err := s.resultOf(p)
		if err != nil {
			s.lackError(err)
			continue
		}
		for i, bits := range lossyOf(result).ExcessBits {
			if i == len(sums) {
				sums = append(sums, starlark.Float(0))
			}
			sums[i] = sums[i].(starlark.Float) + starlark.Float(bits)
		}
	}
	if len(sums) == 0 {
		return nothing, nil
	}
	return starlark.MakeInt(predicate.Largest(sums, 1) + 1), nil
}
