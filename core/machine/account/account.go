// Package account computes the energy of a run: counters times values of a GPU.
package account

import (
	"slices"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// ClassCount counts the instructions of one class.
type ClassCount struct {
	Class      string `json:"class"`
	Executions uint64 `json:"executions"` // warp instructions
	Lanes      uint64 `json:"lanes"`      // thread instructions
}

// accountParts are the parts of every account, in order.
var accountParts = []struct{ name, title string }{
	{"execution", "Execution"}, {"registers", "Register file"}, {"shared", "Shared memory"}, {"l1", "L1"},
	{"crossbars", "Crossbars"}, {"l2", "L2"}, {"codec", "Codec"},
	{"dramActivate", "DRAM rows"}, {"dramRead", "DRAM reads"}, {"dramWrite", "DRAM writes"}, {"dramIO", "DRAM pins"},
	{"dramRefresh", "DRAM refresh"}, {"dramBackground", "DRAM background"}, {"static", "Static"},
}

// Parts returns the names of the parts of every account.
func Parts() (names []string) {
	for _, p := range accountParts {
		names = append(names, p.name)
	}
	return names
}

// accountEvents are the counters of each part, with the energy value of an event.
// A flit carries a sector or a request for some; blocks between L2 and DRAM are
// whole lines.
var accountEvents = []struct {
	part    string
	counter stat.Counter
	value   string
	times   uint64
}{
	{"shared", stat.SharedAccesses, "sharedFemtojoules", 1},
	{"l1", stat.L1Accesses, "l1Femtojoules", 1},
	{"l1", stat.L1Bypasses, "l1Femtojoules", 1},
	{"l1", stat.L1Writes, "l1Femtojoules", 1},
	{"l1", stat.AtomicLines, "l1Femtojoules", 1},
	{"crossbars", stat.XbarRequestFlits, "flitFemtojoules", 1},
	{"crossbars", stat.XbarReplyFlits, "flitFemtojoules", 1},
	{"l2", stat.XbarRequestFlits, "l2SectorFemtojoules", 1},
	{"l2", stat.XbarReplyFlits, "l2SectorFemtojoules", 1},
	{"l2", stat.L2Fills, "l2SectorFemtojoules", mem.LineSectors},
	{"l2", stat.L2Writebacks, "l2SectorFemtojoules", mem.LineSectors},
	{"codec", stat.MetadataAccesses, "metadataFemtojoules", 1},
	{"dramActivate", stat.Activates, "dramActivateFemtojoules", 1},
	{"dramRead", stat.DRAMReadBytes, "dramReadFemtojoules", 1},
	{"dramWrite", stat.DRAMWriteBytes, "dramWriteFemtojoules", 1},
	{"dramIO", stat.DRAMReadBytes, "dramIOFemtojoules", 1},
	{"dramIO", stat.DRAMWriteBytes, "dramIOFemtojoules", 1},
}

// The compressor works on every block written, also if it stays raw. Raw blocks do not
// pass the decompressor.
var (
	compressedBlocks   = []stat.Counter{stat.BlocksWrittenRaw, stat.BlocksWrittenLossless, stat.BlocksWrittenLossy}
	decompressedBlocks = []stat.Counter{stat.BlocksReadLossless, stat.BlocksReadLossy}
)

// accounting is an account that is being filled.
type accounting struct {
	values parameter.Values
	source func(path string) string // of a value
	parts  []energy.Part
}

func (a *accounting) part(name string) *energy.Part {
	for i := range a.parts {
		if a.parts[i].Name == name {
			return &a.parts[i]
		}
	}
	panic("account: an account has no part " + name)
}

// value returns the machine's value at a path.
func (a *accounting) value(path string) uint64 { return a.values.Find(path).Uint() }

func (a *accounting) add(part string, t energy.Term) {
	if t.Source == "" {
		t.Source = a.source(t.Path)
	}
	p := a.part(part)
	p.Terms = append(p.Terms, t)
}

func (a *accounting) codec(counters []stat.Counter, s *stat.Set, path string, femtojoules uint64, source string) {
	if femtojoules == 0 {
		return
	}
	for _, c := range counters {
		t := energy.Events(stat.Describe(c).Name, s[c], path, femtojoules)
		t.Source = source
		a.add("codec", t)
	}
}

// charge adds what systems charge.
func (a *accounting) charge(charges []energy.Charge, s *stat.Set) {
	for i := range charges {
		e := &charges[i]
		if s[e.If] == 0 {
			continue
		}
		if e.Title != "" && !slices.ContainsFunc(a.parts, func(p energy.Part) bool { return p.Name == e.Part }) {
			a.parts = append(a.parts, energy.Part{Name: e.Part, Title: e.Title})
		}
		t := energy.Events(stat.Describe(e.Counter).Name, s[e.Counter], e.Path, e.Femtojoules)
		t.Source = e.Source
		a.add(e.Part, t)
	}
}

// Of returns the energy of a run on s, from its counters, its instructions by class, the register operands of its threads
// and its cycles, under a codec of the memory and with what systems charge.
func Of(s *parameter.GPU, c *stat.Set, classes []ClassCount, operands, cycles uint64, codec energy.Codec,
	charges []energy.Charge,
) energy.Account {
	a := accounting{values: s.Values(), source: preset.Sources(s.Name)}
	for _, p := range accountParts {
		a.parts = append(a.parts, energy.Part{Name: p.name, Title: p.title})
	}
	for _, k := range classes {
		if k.Lanes > 0 {
			path := "laneFemtojoules." + k.Class
			a.add("execution", energy.Events("lanes."+k.Class, k.Lanes, path, a.value(path)))
		}
	}
	a.add("registers", energy.Events("registerOperands", operands, "energy.registerFemtojoules", s.Energy.RegisterFemtojoules))
	a.codec(compressedBlocks, c, "codec.compress", codec.CompressFemtojoules, codec.Source)
	a.codec(decompressedBlocks, c, "codec.decompress", codec.DecompressFemtojoules, codec.Source)
	a.charge(charges, c)
	a.texture(c)
	for _, e := range accountEvents {
		path := "energy." + e.value
		a.add(e.part, energy.Events(stat.Describe(e.counter).Name, c[e.counter], path, a.value(path)*e.times))
	}
	refresh := s.Energy.DRAMRefreshFemtojoules
	if s.DRAM.Refresh == dram.RefreshPerBank {
		refresh /= uint64(s.DRAM.Banks)
	}
	a.add("dramRefresh", energy.Events("refreshes", c[stat.Refreshes], "energy.dramRefreshFemtojoules", refresh))
	// Queues may empty after the last launch has ended; these cycles are not counted.
	open := min(c[stat.RowsOpenCycles], c[stat.DRAMCycles])
	a.add("dramBackground", energy.Time("rowsOpenCycles", open, "energy.dramOpenMilliwatts", s.Energy.DRAMOpenMilliwatts, s.DRAMMHz))
	a.add("dramBackground", energy.Time("dramCycles - rowsOpenCycles", c[stat.DRAMCycles]-open, "energy.dramClosedMilliwatts", s.Energy.DRAMClosedMilliwatts, s.DRAMMHz))
	a.add("static", energy.Time("cycles", cycles, "energy.staticMilliwatts", s.Energy.StaticMilliwatts, s.CoreMHz))
	return energy.Sum(a.parts, float64(cycles)/(float64(s.CoreMHz)*1e6))
}
