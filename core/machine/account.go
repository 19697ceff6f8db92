package machine

import (
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// ClassCount is what the instructions of one class came to.
type ClassCount struct {
	Class      string `json:"class"`
	Executions uint64 `json:"executions"` // warp instructions
	Lanes      uint64 `json:"lanes"`      // thread instructions
}

// Classes returns what the instructions of each class came to up to now, and the
// register operands of all threads: registers and predicates, whatever their
// width.
func (m *Machine) Classes() (classes []ClassCount, registerOperands uint64) {
	classes = make([]ClassCount, len(classNames))
	for i, name := range classNames {
		classes[i].Class = name
	}
	for _, k := range m.Counts() {
		for pc := range k.Counts {
			in, n := &k.Kernel.Code[pc], &k.Counts[pc]
			c := &classes[in.Class]
			c.Executions += n.Executions
			c.Lanes += n.Lanes
			registerOperands += n.Lanes * uint64(len(in.Deps))
		}
	}
	return classes, registerOperands
}

// Energy returns what the run took up to now, under a codec. Every term is a
// counter of the run times a value that Describe lists, or one of the codec.
func (m *Machine) Energy(codec energy.Codec) energy.Account {
	s, spec := m.Stats(), m.spec
	classes, operands := m.Classes()
	return spec.account(&s, classes, operands, uint64(m.Cycles()), codec)
}

func (spec *Spec) account(s *stat.Set, classes []ClassCount, operands, cycles uint64, codec energy.Codec) energy.Account {
	e := &spec.Energy
	event := func(path string, femtojoules uint64, counters ...stat.Counter) []energy.Term {
		var terms []energy.Term
		for _, c := range counters {
			terms = append(terms, energy.Events(stat.Describe(c).Name, s[c], "energy."+path, femtojoules))
		}
		return terms
	}
	var lanes []energy.Term
	for i, c := range classes {
		if c.Lanes > 0 {
			lanes = append(lanes, energy.Events("lanes."+c.Class, c.Lanes, "laneFemtojoules."+c.Class, spec.LaneFemtojoules[i]))
		}
	}
	sector := e.L2SectorFemtojoules
	line := sector * (mem.LineBytes / mem.SectorBytes)
	refresh := e.DRAMRefreshFemtojoules
	if spec.DRAM.Refresh == dram.RefreshPerBank {
		refresh /= uint64(spec.DRAM.Banks)
	}
	parts := []energy.Part{
		{Name: "execution", Title: "Execution", Terms: lanes},
		{Name: "registers", Title: "Register file", Terms: []energy.Term{energy.Events("registerOperands", operands, "energy.registerFemtojoules", e.RegisterFemtojoules)}},
		{Name: "shared", Title: "Shared memory", Terms: event("sharedFemtojoules", e.SharedFemtojoules, stat.SharedAccesses)},
		{Name: "l1", Title: "L1", Terms: event("l1Femtojoules", e.L1Femtojoules, stat.L1Accesses, stat.L1Bypasses, stat.L1Writes, stat.AtomicLines)},
		{Name: "crossbars", Title: "Crossbars", Terms: event("flitFemtojoules", e.FlitFemtojoules, stat.XbarRequestFlits, stat.XbarReplyFlits)},
		// A flit carries a sector or a request for some; blocks to and from DRAM are
		// whole lines.
		{Name: "l2", Title: "L2", Terms: append(event("l2SectorFemtojoules", sector, stat.XbarRequestFlits, stat.XbarReplyFlits),
			event("l2SectorFemtojoules", line, stat.L2Fills, stat.L2Writebacks)...)},
		{Name: "codec", Title: "Codec", Terms: codecTerms(s, e, codec)},
		{Name: "dramActivate", Title: "DRAM rows", Terms: event("dramActivateFemtojoules", e.DRAMActivateFemtojoules, stat.Activates)},
		{Name: "dramRead", Title: "DRAM reads", Terms: event("dramReadFemtojoules", e.DRAMReadFemtojoules, stat.DRAMReadBytes)},
		{Name: "dramWrite", Title: "DRAM writes", Terms: event("dramWriteFemtojoules", e.DRAMWriteFemtojoules, stat.DRAMWriteBytes)},
		{Name: "dramIO", Title: "DRAM pins", Terms: event("dramIOFemtojoules", e.DRAMIOFemtojoules, stat.DRAMReadBytes, stat.DRAMWriteBytes)},
		{Name: "dramRefresh", Title: "DRAM refresh", Terms: event("dramRefreshFemtojoules", refresh, stat.Refreshes)},
		{Name: "dramBackground", Title: "DRAM background", Terms: []energy.Term{
			energy.Time(stat.Describe(stat.DRAMCycles).Name, s[stat.DRAMCycles], "energy.dramBackgroundMilliwatts", e.DRAMBackgroundMilliwatts, spec.DRAMMHz),
		}},
		{Name: "static", Title: "Static", Terms: []energy.Term{energy.Time("cycles", cycles, "energy.staticMilliwatts", e.StaticMilliwatts, spec.CoreMHz)}},
	}
	spec.cite(parts, codec)
	return energy.Sum(parts, float64(cycles)/(float64(spec.CoreMHz)*1e6))
}

// codecTerms counts blocks that the compressor sees, whatever comes of them, and
// those that the decompressor does: raw ones pass it by.
func codecTerms(s *stat.Set, e *energy.Spec, codec energy.Codec) []energy.Term {
	var terms []energy.Term
	add := func(path string, femtojoules uint64, counters ...stat.Counter) {
		for _, c := range counters {
			if femtojoules > 0 {
				terms = append(terms, energy.Events(stat.Describe(c).Name, s[c], path, femtojoules))
			}
		}
	}
	add("codec.compress", codec.CompressFemtojoules, stat.BlocksWrittenRaw, stat.BlocksWrittenLossless, stat.BlocksWrittenLossy)
	add("codec.decompress", codec.DecompressFemtojoules, stat.BlocksReadLossless, stat.BlocksReadLossy)
	add("energy.metadataFemtojoules", e.MetadataFemtojoules, stat.MetadataAccesses)
	return terms
}

// cite gives every term the source of its value.
func (spec *Spec) cite(parts []energy.Part, codec energy.Codec) {
	p := find(spec.Name)
	for i := range parts {
		for k := range parts[i].Terms {
			t := &parts[i].Terms[k]
			switch {
			case t.Path == "codec.compress" || t.Path == "codec.decompress":
				t.Source = codec.Source
			case p != nil:
				t.Source = p.sourceOf(t.Path)
			}
		}
	}
}
