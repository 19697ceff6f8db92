package machine

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// meters makes plain stores, and keeps the meters of the SMs.
type meters struct{ list []cache.Meter }

func (m *meters) New(c *cache.L1Config, e cache.StoreEnv) (cache.Store, int) {
	m.list = append(m.list, e.Meter)
	return cache.Plain(c, e)
}

func (*meters) State(*tape.Tape) {}

// TestMeterAgainstSlots: with one warp for each scheduler, the warp is ready exactly in the
// cycles in which its scheduler issues, or waits for a unit or the queue; and it is issued in
// one run. Measuring changes no cycle.
func TestMeterAgainstSlots(t *testing.T) {
	for policy := range sm.NumPolicies {
		spec := mini()
		spec.SM.Schedulers, spec.SM.Policy, spec.SM.ActiveWarps, spec.SMs = 2, policy, 8, 1
		plain, _ := runJob(t, spec, summing, func(*Job) {})
		all := &meters{}
		m, _ := runJob(t, spec, summing, func(j *Job) { j.L1 = func() (cache.Stores, error) { return all, nil } })
		s := m.Stats()
		ready, run := all.list[0].Take(m.Now())
		want := float64(s[stat.SlotIssued] + s[stat.SlotUnit] + s[stat.SlotQueue])
		got := ready * float64(s[stat.SchedulerCycles])
		// The meter ends with the SM's last tick, the counters with the run.
		if m.Cycles() != plain.Cycles() || math.Abs(got-want) > 0.05*want {
			t.Errorf("%s: %.1f ready cycles, %.0f slots; %d cycles, %d without a meter", sm.PolicyNames[policy], got, want, m.Cycles(), plain.Cycles())
		}
		if issues := float64(s[stat.SlotIssued]); run < issues/4 || run > issues/2+1 {
			t.Errorf("%s: runs of %g instructions, two warps issue %g", sm.PolicyNames[policy], run, issues)
		}
		if again, _ := all.list[0].Take(m.Now()); again != 0 {
			t.Errorf("%s: %g ready warps in no time", sm.PolicyNames[policy], again)
		}
	}
}
