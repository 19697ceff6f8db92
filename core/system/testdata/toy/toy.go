// Package toy is a system for tests: an L1 some of whose hits take longer, with settings, a log, a report and a
// metric. Beside this folder it needs a row of scheme.Systems.
package toy

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/tape"
)

// System is the row.
var System = system.System{
	Entries: []system.Entry{entry},
	Metrics: []system.Metric{{
		Name: "toyLateShare", Title: "Late hits", Row: "late hits", Unit: "share", Formula: "toyLate / l1Hits",
		About: "Share of the hits in L1 that took longer.", Source: "a test", Format: "{percent}", Better: system.Lower,
	}},
	Inputs: []system.Input{{Name: "toyLate", Unit: "hits"}},
}

var entry = system.Entry{
	Group: "l1", Name: "toy", Title: "toy L1", About: "Every so many hits one takes longer.",
	Settings: []system.Setting{
		{Name: "every", Title: "every", Unit: "hits", Low: 1, High: 100, Default: 4, About: "How many hits come to one that takes longer."},
		{Name: "cycles", Title: "cycles", Unit: "cycles", High: 100, Default: 10, About: "How much longer that is."},
	},
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error {
		job.L1 = func() (cache.Stores, error) {
			return &stores{every: uint64(p.Int("every")), cycles: sim.Cycle(p.Int("cycles"))}, nil
		}
		return nil
	},
	Report: func() system.Report { return new(Report) },
	Log:    func(m *machine.Machine) { m.Stores().(*stores).logs = true },
	Search: func(_ system.Part, m *machine.Machine) (system.Search, error) { return &search{m}, nil },
	Idle: func(p system.Part, _ *system.Counts) string {
		if p.Int("cycles") > 0 {
			return ""
		}
		return "did nothing: its hits take no longer"
	},
}

// Report says how many hits there were, and which took longer.
type Report struct {
	Hits  uint64      `json:"hits"`
	Late  uint64      `json:"late"`
	Times []sim.Cycle `json:"-"` // of the late ones; nil unless logs are kept
}

// Fill implements system.Report.
func (r *Report) Fill(ran *system.Ran) bool {
	u := ran.Machine.Stores().(*stores)
	for _, s := range u.list {
		r.Hits += s.hits
		r.Late += s.hits / u.every
		r.Times = append(r.Times, s.times...)
	}
	return true
}

// Given implements system.Report.
func (r *Report) Given(name string) (float64, bool) { return float64(r.Late), name == "toyLate" }

// search needs one step, and finds nothing.
type search struct{ machine *machine.Machine }

func (s *search) Step(uint64) (done bool, err error) { return true, nil }
func (s *search) Machine() *machine.Machine          { return s.machine }

// stores are those of all SMs.
type stores struct {
	every  uint64
	cycles sim.Cycle
	logs   bool
	list   []*store
}

func (u *stores) New(c *cache.L1Config, e cache.StoreEnv) (cache.Store, int) {
	plain, entries := cache.Plain(c, e)
	s := &store{Store: plain, of: u}
	u.list = append(u.list, s)
	return s, entries
}

func (*stores) State(*tape.Tape) {}

// store is a plain one that counts its hits.
type store struct {
	cache.Store
	of    *stores
	hits  uint64
	times []sim.Cycle
}

func (s *store) Read(now sim.Cycle, entry int) (*mem.Line, sim.Cycle) {
	line, ready := s.Store.Read(now, entry)
	if s.hits++; s.hits%s.of.every != 0 {
		return line, ready
	}
	if s.of.logs {
		s.times = append(s.times, now)
	}
	return line, ready + s.of.cycles
}

func (s *store) State(t *tape.Tape) {
	s.Store.State(t)
	tape.Value(t, &s.hits)
}
