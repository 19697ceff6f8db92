package scenario

import (
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// The search for legal settings looks at nearestStates scenarios at most, of nearestChanges
// changes at most [ours]: every combination of entries needs fewer.
const (
	nearestStates  = 256
	nearestChanges = 5
)

// settingFaults are the faults of the machine and of the schemes.
func (s *Scenario) settingFaults() []fault.Fault {
	var e fault.Errors
	s.validateMachine(&e)
	s.Scheme.Validate(&e, "")
	if s.Compare != nil {
		s.Compare.Scheme.Validate(&e, "compare.")
	}
	return e.List
}

// NearestLegal returns the fewest changes after which machine and schemes have no fault, nil
// if they have none or if no fixes of the faults lead there. Changes of paths that begin with keep are
// left out where there is another way: a reader has just chosen them.
func (s *Scenario) NearestLegal(keep string) []fault.Fix {
	if len(s.settingFaults()) == 0 {
		return nil
	}
	if keep != "" {
		if fixes := s.nearest(keep); fixes != nil {
			return fixes
		}
	}
	return s.nearest("")
}

func (s *Scenario) nearest(keep string) []fault.Fix {
	type state struct {
		s     *Scenario
		fixes []fault.Fix
	}
	queue := []state{{s: s}}
	for n := 0; n < len(queue) && n < nearestStates; n++ {
		at := queue[n]
		faults := at.s.settingFaults()
		if len(faults) == 0 {
			return at.fixes
		}
		if len(at.fixes) == nearestChanges {
			continue
		}
		// One fault is mended at a time; the order of the others does not matter.
		for _, x := range faults[0].Fixes {
			if keep != "" && strings.HasPrefix(x.Path, keep) {
				continue
			}
			next := at.s.clone()
			if next.Set(x.Path, x.Value) == nil {
				queue = append(queue, state{next, append(at.fixes[:len(at.fixes):len(at.fixes)], x)})
			}
		}
	}
	return nil
}

// clone returns a scenario whose machine and schemes share nothing with s.
func (s *Scenario) clone() *Scenario {
	c := *s
	c.Scheme = s.Scheme.Clone()
	if s.Compare != nil {
		compare := *s.Compare
		compare.Scheme = compare.Scheme.Clone()
		c.Compare = &compare
	}
	return &c
}
