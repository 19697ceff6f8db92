package latte

import (
	"testing"
	"unsafe"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// steady is a meter that always measures the same.
type steady struct{ ready, run float64 }

func (m steady) Take(sim.Cycle) (float64, float64) { return m.ready, m.run }

// TestPhaseLogOfATrace: three phases of eight accesses, every number of whose records was
// computed by hand.
func TestPhaseLogOfATrace(t *testing.T) {
	l, u, s := latteL1(t, "latte-bpc", func(c *CompressedConfig, _ *cache.L1Config) { c.PhaseAccesses, c.PeriodPhases = 8, 3 })
	store := u.stores[0]
	store.env.Meter = steady{2, 3}
	if u.phaseLog() != nil {
		t.Fatal("phases are kept although nobody asked")
	}
	u.keepPhases()
	data := words(func(i uint32) uint32 { return i })
	line := func(set int) mem.Addr { return mem.Addr(set) * mem.LineBytes }
	miss := func(now sim.Cycle, set int) (fill func()) {
		o, i := l.Take(now, l.Find(line(set), wholeLine), 0, s)
		if o != cache.Miss {
			t.Fatalf("cycle %d: outcome %d, want a miss", now, o)
		}
		return func() { l.Fill(now+100, i, data, s) }
	}
	hit := func(now sim.Cycle, set int) {
		if o, i := l.Take(now, l.Find(line(set), wholeLine), 0, s); o != cache.Hit {
			t.Fatalf("cycle %d: outcome %d, want a hit", now, o)
		} else {
			l.Read(now, i)
		}
	}

	// Sets 0, 1 and 2 are dedicated to none, BDI and BPC. One of BDI's two hits waits for the other.
	for set := range 3 {
		miss(sim.Cycle(200*set), set)()
	}
	hit(600, 0)
	hit(700, 1)
	hit(700, 1)
	hit(800, 2)
	last := miss(900, 3)
	// The second phase: line 0 hits once more, and counts for its mode; set 3 counts for none.
	last()
	hit(1100, 0)
	for i := range sim.Cycle(7) {
		hit(1200+i, 3)
	}
	// The third phase: hits count no longer.
	hit(1300, 0)
	for i := range sim.Cycle(7) {
		hit(1400+i, 3)
	}

	measured := policy.Phase{
		ReadyWarps: 2, RunCycles: 3, MissCycles: 100, Positions: [policy.NumModes]float64{0, 0.5, 0},
		Passed: [policy.NumModes]bool{policy.Low: true, policy.High: true},
	}
	quiet := policy.Phase{ReadyWarps: 2, RunCycles: 3, MissCycles: 100}
	// A hit takes 3 cycles, 3 + 2 x 1.5 with BDI and 3 + 14 with BPC; 6 cycles are hidden.
	first := policy.Grounds{
		Basis: policy.ByAMAT, ToleranceCycles: 6, Hits: [policy.NumModes]uint8{1, 2, 1}, Misses: [policy.NumModes]uint8{1, 1, 1},
		HitCycles: [policy.NumModes]float64{3, 6, 17}, AMAT: [policy.NumModes]float64{100. / 2, 100. / 3, (11 + 100) / 2.},
	}
	second := policy.Grounds{
		Basis: policy.ByAMAT, ToleranceCycles: 6, Hits: [policy.NumModes]uint8{2, 2, 1}, Misses: [policy.NumModes]uint8{1, 1, 1},
		HitCycles: [policy.NumModes]float64{3, 5, 17}, AMAT: [policy.NumModes]float64{100. / 3, 100. / 3, (11 + 100) / 2.},
	}
	want := []PhaseRecord{
		{Phase: 0, Began: 0, Ended: 900, Mode: policy.None, Measured: measured, Lines: [policy.NumModes]uint64{0, 2, 1}, HeldSectors: 12},
		{Phase: 1, Began: 900, Ended: 1206, Mode: policy.Low, Measured: quiet, HeldSectors: 16, Grounds: first, Before: measured},
		// Equal AMATs: the cheaper mode.
		{Phase: 2, Began: 1206, Ended: 1406, Mode: policy.None, Measured: quiet, HeldSectors: 16, Grounds: second, Before: quiet},
	}
	log := u.phaseLog()
	if len(log.SMs) != 1 || len(log.SMs[0]) != len(want) {
		t.Fatalf("%d phases, want %d", len(log.SMs[0]), len(want))
	}
	for i, w := range want {
		if got := log.SMs[0][i]; got != w {
			t.Errorf("phase %d is\n%+v, want\n%+v", i, got, w)
		}
	}
	if log.RoomSectors != 32*4*4 || log.PeriodPhases != 3 || log.Policy.Name != "latte-bpc" {
		t.Errorf("%d sectors, periods of %d phases, %s", log.RoomSectors, log.PeriodPhases, log.Policy.Name)
	}
	values := map[string]float64{}
	row := log.Row(nil, 0, &log.SMs[0][1])
	if len(row) != len(PhaseColumns()) {
		t.Fatalf("%d values, %d columns", len(row), len(PhaseColumns()))
	}
	for i, name := range PhaseColumns() {
		values[name] = row[i]
	}
	for name, want := range map[string]float64{
		"phase": 1, "mode": 1, "tolerance": 6, "capacity": 16. / 512, "basis": 1, "whyTolerance": 6, "whyQueueLow": 0.5, "whyHitsLow": 2, "whyMissesHigh": 1, "whyHitCyclesLow": 6, "whyAMATNone": 50, "whyMissCycles": 100, "whyReadyWarps": 2, "whyRunCycles": 3, "missCycles": 100, "linesLow": 0,
	} {
		if values[name] != want {
			t.Errorf("column %s is %g, want %g", name, values[name], want)
		}
	}
	if v := values["whySaved"]; v == v {
		t.Errorf("LATTE-CC has no counter of saved cycles, column whySaved is %g", v)
	}
}

// TestOccupancy: a set whose lines take one sub-block, four, and four that wait for data. The
// tags of one set take no more than its sub-blocks.
func TestOccupancy(t *testing.T) {
	l, _, s := latteL1(t, "static-bdi", nil)
	at := func(i int) mem.Addr { return mem.Addr(5+32*i) * mem.LineBytes }
	fetch(t, l, 0, at(0), words(func(uint32) uint32 { return 7 }), s)
	fetch(t, l, 10, at(1), random(1), s)
	if o, _ := l.Take(20, l.Find(at(2), wholeLine), 0, s); o != cache.Miss {
		t.Fatalf("outcome %d", o)
	}
	o, lines := l.Occupancy()
	if o.Sets != 32 || o.TagsPerSet != 16 || o.SubBlocks != 16 || o.HeldSectors != 8 || o.Room != 512 {
		t.Fatalf("%d sets of %d tags and %d sub-blocks, %d of %d sectors", o.Sets, o.TagsPerSet, o.SubBlocks, o.HeldSectors, o.Room)
	}
	want := []cache.TagState{
		{Taken: true, Data: true, Packed: true, Blocks: 1, Mode: uint8(policy.Low)},
		{Taken: true, Data: true, Blocks: 4, Mode: uint8(policy.Low)},
		{Taken: true, Blocks: 4, Mode: uint8(policy.Low)},
	}
	for i, got := range o.Tags {
		expected := cache.TagState{}
		if set, tag := i/16, i%16; set == 5 && tag < len(want) {
			expected = want[tag]
		}
		if got != expected {
			t.Errorf("tag %d of set %d is %+v, want %+v", i%16, i/16, got, expected)
		}
	}
	if len(lines) != len(o.Tags) || lines[5*16+1] != at(1) {
		t.Errorf("%d tags have %d addresses, the second of set 5 is %#x", len(o.Tags), len(lines), lines[5*16+1])
	}
}

// TestFullPhaseLog: however long a run is, the log of an SM holds at most its bound and takes
// no memory: every phase, or every second, fourth ... one, as the bound allows.
func TestFullPhaseLog(t *testing.T) {
	l := newPhaseLog()
	every := 1
	for phase := range 5000 {
		l.end(sim.Cycle(10*phase+10), 0, 0, policy.None, &policy.Phase{}, policy.Grounds{Saved: phase})
		for phase/every >= MostRecords {
			every *= 2
		}
		if n := phase/every + 1; len(l.records) != n {
			t.Fatalf("after phase %d: %d records, want %d", phase, len(l.records), n)
		}
	}
	for i, r := range l.records {
		if r.Phase != i*every || r.Began != sim.Cycle(10*r.Phase) || r.Ended != r.Began+10 || r.Phase > 0 && r.Grounds.Saved != r.Phase-1 {
			t.Fatalf("record %d: %+v", i, r)
		}
	}
	if n := unsafe.Sizeof(PhaseRecord{}); n > recordBytes {
		t.Errorf("a record takes %d bytes, counted as %d", n, recordBytes)
	}
	if n := testing.AllocsPerRun(2000, func() { l.end(0, 0, 0, policy.None, &policy.Phase{}, policy.Grounds{}) }); n != 0 {
		t.Errorf("%g allocations at the end of a phase", n)
	}
}
