// Package recall is a load policy for tests: every so many misses of an SM get what memory holds, without a request. It
// shows what a load policy needs: this folder, and a row of scheme.Systems.
package recall

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/tape"
)

// System is the row.
var System = system.System{
	Entries: []system.Entry{entry},
	Metrics: []system.Metric{{
		Name: "recalledShare", Title: "Recalled misses", Unit: "share", Formula: "recalledLines / recallAsked",
		About: "Share of the misses that were recalled.", Source: "a test", Format: "{percent}", Needs: "recallAsked",
	}},
	Inputs: []system.Input{{Name: "recallAsked", Unit: "lines"}},
	Counters: func() []stat.Group {
		return []stat.Group{{First: Lines, After: stat.L1Answered, Infos: []stat.Info{
			{Name: "recalledLines", Unit: "lines", Doc: "Lines that a recall gave to the loads that missed."},
		}}}
	},
	Charges: func() []energy.Charge {
		return []energy.Charge{{
			Part: "l1", Counter: Lines, Path: "loads.recall", Source: "a test", Femtojoules: 7, If: Lines,
		}}
	},
}

// Lines counts what was recalled.
const Lines = stat.NumCounters - 1

var entry = system.Entry{
	Group: "loads", Name: "recall", Title: "Recall", Place: "on load misses",
	About: "Every so many misses get what memory holds.",
	Settings: []system.Setting{
		{
			Name: "period", Title: "period", Unit: "misses", Low: 1, High: 100, Default: 2,
			About: "How many misses come to one.",
		},
	},
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error {
		job.Loads = func(e sm.LoadEnv) sm.LoadPolicy { return &policy{env: e, period: uint64(p.Int("period"))} }
		return nil
	},
	Report: func() system.Report { return new(Report) },
}

// Report says how many misses the policies were asked about.
type Report struct {
	Asked uint64 `json:"asked"`
}

// Fill implements system.Report.
func (r *Report) Fill(ran *system.Ran) bool {
	for _, p := range ran.Machine.LoadPolicies() {
		r.Asked += p.(*policy).asked
	}
	return true
}

// Given implements system.Report.
func (r *Report) Given(name string) (float64, bool) { return float64(r.Asked), name == "recallAsked" }

// policy is that of an SM.
type policy struct {
	env    sm.LoadEnv
	period uint64
	asked  uint64
}

func (p *policy) Miss(_ sim.Cycle, m *sm.LoadMiss, line *mem.Line) sm.Answer {
	if p.asked++; p.asked%p.period != 0 {
		return sm.Fetched
	}
	p.env.Memory(m.Addr, line)
	p.env.Stats[Lines]++
	return sm.Answered
}

func (p *policy) Fetched(sim.Cycle, *sm.LoadMiss, *mem.Line) {}

func (p *policy) State(t *tape.Tape) { tape.Value(t, &p.asked) }
