package scheme

import (
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/memctrl"
)

// machines are one that suits every scheme, and some of which each rule of machines breaks on one.
func machines() (suits *parameter.GPU, breaks []*parameter.GPU) {
	make := func(l1Loads bool, ways, sets, bus int) *parameter.GPU {
		g := &parameter.GPU{Name: "toy"}
		g.SM.L1Loads, g.SM.L1.Ways, g.SM.L1.Sets, g.DRAM.BytesPerCommandClock = l1Loads, ways, sets, bus
		return g
	}
	back, joint := make(true, 4, 256, 16), make(true, 4, 256, 16)
	back.SM.L1.Local, joint.Controller.Schedule = cache.LocalBack, memctrl.ScheduleJoint
	return make(true, 4, 256, 16), []*parameter.GPU{make(false, 4, 256, 16), make(true, 128, 256, 16), make(true, 4, 2, 16), make(true, 4, 8, 16), make(true, 4, 256, 32), back, joint}
}

func faultsOf(s *Scheme, g *parameter.GPU, prefix string) *fault.Errors {
	e := &fault.Errors{}
	s.Validate(e, prefix)
	s.Check(g, e, prefix)
	return e
}

// Each rule refuses its sample with its path, every way out mends it, and none refuses the
// default. The table's line of it is complete.
func TestEveryRuleCanFail(t *testing.T) {
	suits, breaks := machines()
	if e := faultsOf(&Scheme{Memory: DefaultMemory()}, suits, ""); len(e.List) > 0 {
		t.Errorf("the default is refused: %s", e)
	}
	for i := range Rules {
		r := &Rules[i]
		if r.Choice == "" || r.Not == "" || r.Why == "" {
			t.Errorf("rule %d of %s has no line for the table", i, r.Path)
		}
		for _, group := range r.Groups {
			if Find(group) == nil {
				t.Errorf("rule %d is about group %s, which there is not", i, group)
			}
		}
		s := r.sample()
		on := slices.IndexFunc(breaks, func(g *parameter.GPU) bool { return r.Broken(s, g).Message != "" })
		if on < 0 {
			t.Errorf("rule %d (%s) breaks on no machine", i, r.Path)
			continue
		}
		g := breaks[on]
		if r.OfMachine && r.Broken(s, suits).Message != "" {
			t.Errorf("rule %d (%s) breaks on every machine", i, r.Path)
		}
		e := faultsOf(s, g, "compare.")
		at := slices.IndexFunc(e.List, func(f fault.Fault) bool { return f.Path == "compare."+r.Path && f.Message == r.Broken(s, g).Message })
		if at < 0 || e.List[at].Mend == "" || strings.Contains(e.List[at].Mend, "{}") || len(e.List[at].Fixes) == 0 {
			t.Errorf("rule %d: %+v", i, e.List)
			continue
		}
		for _, x := range e.List[at].Fixes {
			path, own := strings.CutPrefix(x.Path, "compare.")
			if !own {
				continue // it changes the machine: TestNearestLegal of core/scenario
			}
			mended := r.sample()
			if err := mended.set(path, x.Value); err != nil {
				t.Errorf("rule %d: %v", i, err)
			}
			if b := r.Broken(mended, g); b.Message != "" {
				t.Errorf("rule %d: %s=%s does not mend it: %s", i, path, x.Value, b.Message)
			}
		}
	}
}
