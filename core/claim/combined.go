package claim

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/experiment"
)

// combinations are the systems of the figure RFVP-combinations: RFVP, E2MC, TSLC and LATTE-CC, each on or
// off. TSLC cuts symbols of E2MC's code, so TSLC without E2MC does not exist, and 12 of the 16
// combinations do.
var combinations = func() (list []string) {
	for _, values := range []string{"", rfvpPaper} {
		for _, l1 := range []string{"", "LATTE"} {
			for _, memory := range []string{"", "E2MC16", "TSLC-OPT"} {
				parts := slices.DeleteFunc([]string{values, memory, l1}, func(p string) bool { return p == "" })
				if len(parts) == 0 {
					parts = []string{"NONE"}
				}
				list = append(list, strings.Join(parts, "+"))
			}
		}
	}
	return list
}()

// front is 1 if a combination is on the Pareto front of a program: no other one is at least as
// good in speed, energy and loss, and better in one of them. RFVP has a drop rate of 50 %.
func (s *session) front(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	var system, id string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 2, &system, &id); err != nil {
		return nil, err
	}
	at := slices.Index(combinations, system)
	if at < 0 {
		return nil, fmt.Errorf("%s: %s is none of %s", b.Name(), system, strings.Join(combinations, ", "))
	}
	var costs [][3]float64
	for _, name := range combinations {
		set := defaultSettings()
		if strings.Contains(name, rfvpPaper) {
			set.rfvp.drop = experiment.DropStart
		}
		p, err := s.point(name, id, set)
		if err != nil {
			s.lackError(err)
			continue
		}
		var cost [3]float64
		for i, metric := range []string{"seconds", "energy", "err"} {
			if cost[i], _, err = s.ofRun(metric, p); err != nil {
				s.lackError(err)
			}
		}
		costs = append(costs, cost)
	}
	if len(s.missing) > 0 || len(costs) < len(combinations) {
		return nothing, nil
	}
	for i, other := range costs {
		if i != at && dominates(other, costs[at]) {
			return starlark.Float(0), nil
		}
	}
	return starlark.Float(1), nil
}

// dominates reports whether a is nowhere above b, and below it somewhere.
func dominates(a, b [3]float64) bool {
	below := false
	for i := range a {
		if a[i] > b[i] {
			return false
		}
		below = below || a[i] < b[i]
	}
	return below
}
