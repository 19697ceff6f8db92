package scenario_test

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// TestL1OnAMachine: an L1 scheme that a machine cannot have is refused by its path, with
// what to change, on both sides of a comparison.
func TestL1OnAMachine(t *testing.T) {
	for _, c := range []struct{ sets, want string }{
		{"l1.store=latte machine.overrides.sm.l1Loads=off", "l1.store: global loads of gtx580b bypass L1, so latte would do nothing: set machine.overrides.sm.l1Loads to on or l1.store to none"},
		{"l1.store=delayed machine.overrides.sm.l1Loads=off", "l1.store: global loads of gtx580b bypass L1"},
		{"compare.l1.store=latte machine.overrides.sm.l1Loads=off", "compare.l1.store: global loads of gtx580b bypass L1, so latte would do nothing: set machine.overrides.sm.l1Loads to on or compare.l1.store to none"},
		{"l1.store=static-bdi machine.overrides.sm.l1.local=back", "l1.store: a compressed L1 keeps no stores to local memory"},
		{"l1.store=latte machine.overrides.sm.l1.sets=8", "l1.dedicated: 4 sets for each of 3 modes do not fit an L1 of 8 sets: use at most 2, or set machine.overrides.sm.l1.sets to 16 or more"},
		{"l1.store=latte machine.overrides.sm.l1.sets=2", "l1.store: latte learns from one set for each of 3 modes at least, and an L1 has 2 sets: set machine.overrides.sm.l1.sets to 4 or more"},
		{"l1.store=static-sc machine.overrides.sm.l1.ways=128", "l1.tags: 4 tags for each of the 128 ways make 512 tags a set: use at most 256 tags a set"},
		{"l1.store=static-sc l1.period=1", "l1.period: 1 is out of range: use 2 to 1000 phases"},
		{"l1.store=static-sc l1.phase=0", "l1.phase: 0 is out of range: use 16 to"},
		{"l1.store=latte l1.dedicated=3", "l1.dedicated: 3 is out of range: use one of 1, 2, 4"},
		{"l1.store=static-bdi l1.highDecompress=3", "l1.highDecompress: l1 static-bdi has no such setting: set l1.store to static-sc, or remove it"},
		{"l1.store=kernel-opt l1.modes=low,best", `l1.modes: "best" is no mode: write none, low or high for each launch`},
	} {
		s := scenario.Default("vecadd")
		s.Machine.Preset = "gtx580b"
		for _, set := range strings.Fields(c.sets) {
			path, value, _ := strings.Cut(set, "=")
			if strings.HasPrefix(path, "compare.") && s.Compare == nil {
				s.Compare = &scenario.Compare{Scheme: s.Scheme.Clone()}
			}
			if err := s.Set(path, value); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Validate(); err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s:\n%v\nwant %s", c.sets, err, c.want)
		}
	}
}
