package policy

import (
	"math"
	"testing"
)

// fermi is the L1 of LATTE-CC: 32 sets, with BDI and SC.
func fermi() Params {
	return Params{Sets: 32, PeriodPhases: 10, DedicatedSets: 4, HitCycles: 3, Decompress: [NumModes]int{Low: 2, High: 14}, Plan: &Plan{}}
}

// play makes hits and misses in the sets of one mode.
func play(p Policy, m Mode, hits, misses int) {
	place := func(i int) int { return int(m) + i%4*8 }
	if s, ok := p.(*sampled); ok && s.skewed {
		place = func(i int) int { return (int(m)+8-3+i%4)%8 + i%4*8 }
	}
	for i := range hits {
		p.Hit(Hit{Set: place(i), Mode: m})
	}
	for i := range misses {
		p.Miss(place(i), false)
	}
}

func winner(p Policy) Mode { return p.Mode(31) }

// TestDedicatedSets: while a policy learns, each mode has four sets, spread evenly, and
// the other 20 follow the winner; afterwards all sets follow it.
func TestDedicatedSets(t *testing.T) {
	p := latte(fermi())
	count := func() (n [NumModes]int) {
		for set := range 32 {
			n[p.Mode(set)]++
		}
		return n
	}
	if n := count(); n != [NumModes]int{4 + 20, 4, 4} {
		t.Errorf("sets by mode in the first phase: %v", n)
	}
	if p.Mode(0) != None || p.Mode(9) != Low || p.Mode(26) != High || p.Mode(3) != None {
		t.Error("sets 0, 9, 26 belong to none, low and high, and set 3 to no mode")
	}
	play(p, None, 0, 4)
	play(p, Low, 0, 4)
	play(p, High, 10, 1)
	for phase := 1; phase < 10; phase++ {
		p.End(&Phase{MissCycles: 400})
		if n := count(); n != [NumModes]int{High: 32} {
			t.Fatalf("phase %d: %v", phase, n)
		}
	}
	p.End(&Phase{MissCycles: 400})
	if n := count(); n != [NumModes]int{4, 4, 4 + 20} {
		t.Errorf("the second period begins with %v", n)
	}
}

// TestLATTEAmatUsesMax0: a latency below the tolerance costs nothing, never less.
func TestLATTEAmatUsesMax0(t *testing.T) {
	for _, c := range []struct{ hits, misses, hit, tolerance, miss, want float64 }{
		{3, 1, 17, 5, 400, (3*12 + 400) / 4.},
		{3, 1, 17, 17, 400, 100},
		{3, 1, 17, 40, 400, 100}, // with min as printed, hits would give back 23 cycles each
		{4, 0, 5, 100, 400, 0},
	} {
		if got := AMAT(c.hits, c.misses, c.hit, c.tolerance, c.miss); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// TestLATTEEffHitLatency: a line after two others takes three decompressions.
func TestLATTEEffHitLatency(t *testing.T) {
	if a, b := HitCycles(3, 14, 0), HitCycles(3, 14, 2); a != 17 || b != 3+14*3 {
		t.Errorf("%g and %g", a, b)
	}
}

// TestLATTETolerance: ready warps times the run of one; round robin runs one instruction.
// The same counts choose SC where the tolerance hides its 14 cycles.
func TestLATTETolerance(t *testing.T) {
	e := &Phase{ReadyWarps: 2.5, RunCycles: 6, MissCycles: 400}
	if Tolerance(e) != 15 {
		t.Errorf("%g", Tolerance(e))
	}
	// 100 hits and 20 misses without compression, 104 and 19 with SC. Hidden, SC costs
	// (104x2 + 19x400)/123 = 63.5 and none (0 + 8000)/120 = 66.7. Exposed by 14.5 cycles of
	// 17, it costs (1508 + 7600)/123 = 74.0, and none (50 + 8000)/120 = 67.1.
	sample := func(p Policy) Mode {
		play(p, None, 100, 20)
		play(p, High, 104, 19)
		p.End(e)
		return winner(p)
	}
	if got := sample(latte(fermi())); got != High {
		t.Errorf("with a tolerance of 15: %v", ModeNames[got])
	}
	if got := sample(latteRoundRobin(fermi())); got != None {
		t.Errorf("with a tolerance of 2.5: %v", ModeNames[got])
	}
	if got := sample(cmp(fermi())); got != None {
		t.Errorf("without tolerance: %v", ModeNames[got])
	}
	if got := sample(hitCount(fermi())); got != High {
		t.Errorf("by hits alone: %v", ModeNames[got])
	}
}

// TestQueueChoosesTheMode: a decompressor with a queue makes its mode lose.
func TestQueueChoosesTheMode(t *testing.T) {
	for position, want := range map[float64]Mode{0: High, 20: None} {
		p := latte(fermi())
		play(p, None, 60, 60)
		play(p, High, 100, 20)
		p.End(&Phase{MissCycles: 200, Positions: [NumModes]float64{High: position}})
		// None costs (180 + 12000)/120 = 101.5. SC costs (1700 + 4000)/120 = 47.5 with an
		// empty queue, and (100x297 + 4000)/120 = 280.8 behind 20 lines.
		if got := winner(p); got != want {
			t.Errorf("%g lines in front: %s", position, ModeNames[got])
		}
	}
}

// TestLATTEHitCounterWindow: hits count in the learning phase and the next, there only if
// the line came under the set's own mode; insertions count in the learning phase only.
func TestLATTEHitCounterWindow(t *testing.T) {
	p := latte(fermi()).(*sampled)
	play(p, Low, 3, 2)
	p.End(&Phase{})
	p.Hit(Hit{Set: 1, Mode: Low})
	p.Hit(Hit{Set: 1, Mode: High}) // entered after the learning phase, under the winner
	p.Hit(Hit{Set: 3, Mode: Low})  // no dedicated set
	p.Miss(1, false)
	if p.hits[Low] != 4 || p.misses[Low] != 2 || p.hits[High] != 0 {
		t.Errorf("hits %v, misses %v", p.hits, p.misses)
	}
	p.End(&Phase{})
	p.Hit(Hit{Set: 1, Mode: Low})
	if p.hits[Low] != 4 {
		t.Error("a hit counts in the third phase")
	}
	for range 8 {
		p.End(&Phase{})
	}
	if p.hits != [NumModes]uint8{} || p.misses != [NumModes]uint8{} || p.phase != 0 {
		t.Errorf("a new period begins with %v, %v", p.hits, p.misses)
	}
}

// TestRefinedHits: the hits of the second phase change the winner from the third phase on.
func TestRefinedHits(t *testing.T) {
	p := latte(fermi())
	play(p, None, 10, 10)
	play(p, Low, 8, 10)
	p.End(&Phase{MissCycles: 100})
	if winner(p) != None {
		t.Fatal("low wins with fewer hits")
	}
	play(p, Low, 30, 0)
	p.End(&Phase{MissCycles: 100})
	if winner(p) != Low {
		t.Error("the later hits of low do not count")
	}
}

// TestCountersSaturate: 300 hits count as 255.
func TestCountersSaturate(t *testing.T) {
	p := latte(fermi()).(*sampled)
	play(p, High, 300, 700)
	if p.hits[High] != math.MaxUint8 || p.misses[High] != math.MaxUint8 {
		t.Errorf("%d and %d", p.hits[High], p.misses[High])
	}
}

// TestTies: equal costs choose the cheaper mode, and a mode without samples never wins,
// except no compression if no mode has samples.
func TestTies(t *testing.T) {
	e := &Phase{ReadyWarps: 100, RunCycles: 100, MissCycles: 100}
	p := latte(fermi())
	p.End(e)
	if winner(p) != None {
		t.Error("no samples, and a codec wins")
	}
	p = latte(fermi())
	play(p, High, 5, 5)
	play(p, Low, 5, 5)
	p.End(e)
	if winner(p) != Low {
		t.Errorf("equal costs: %s wins", ModeNames[winner(p)])
	}
	play(p, None, 5, 0)
	p.End(e) // too late: only hits of the learning phase's lines come with no misses
	if winner(p) != None {
		t.Errorf("hits alone cost nothing: %s wins", ModeNames[winner(p)])
	}
}

// TestOneCounter: compression goes on while deep hits pay for decompressions, stops, and
// begins again when ghosts show what it would save.
func TestOneCounter(t *testing.T) {
	p := cmpCounter(fermi())
	if p.Mode(0) != Low {
		t.Error("the counter begins at 0, which compresses")
	}
	p.End(&Phase{MissCycles: 5})
	p.Hit(Hit{Mode: Low, Deep: true}) // 5
	p.Hit(Hit{Mode: None})
	p.Hit(Hit{Mode: Low}) // 3
	p.Hit(Hit{Mode: Low}) // 1
	if p.Mode(0) != Low {
		t.Error("one deep hit of 5 cycles pays for two decompressions")
	}
	p.Hit(Hit{Mode: Low}) // -1
	if p.Mode(0) != None {
		t.Error("a third decompression costs more than was saved")
	}
	p.Miss(0, false)
	if p.Mode(0) != None {
		t.Error("a miss of a new line says nothing")
	}
	p.Miss(0, true)
	if p.Mode(0) != Low {
		t.Error("a ghost does not count")
	}
}

// TestPlan: a planned policy takes the mode of the launch; the last mode holds on.
func TestPlan(t *testing.T) {
	modes, err := ParsePlan("none,high,low")
	if err != nil {
		t.Fatal(err)
	}
	params := fermi()
	params.Plan.Modes = modes
	p := planned(params)
	for launch, want := range []Mode{None, High, Low, Low} {
		params.Plan.Launch = launch
		if got := p.Mode(0); got != want {
			t.Errorf("launch %d: %s", launch, ModeNames[got])
		}
	}
	if _, err := ParsePlan("none,,low"); err == nil {
		t.Error("an empty mode is taken")
	}
}

// TestTheHardwareOfTheController: LATTE-CC's section IV-C3 counts 134 bytes: two bits for
// each of the 512 tags, and six counters of 8 bits.
func TestTheHardwareOfTheController(t *testing.T) {
	p := fermi()
	tags := p.Sets * 4 * 4
	s := newSampled(p, ByHits, nil).(*sampled)
	counters := len(s.hits) + len(s.misses)
	if got := tags*2/8 + counters; got != 134 {
		t.Errorf("%d bytes", got)
	}
}

// TestEveryRow: a row makes a policy whose modes have codecs.
func TestEveryRow(t *testing.T) {
	for i := range Table {
		row := &Table[i]
		p := row.New(fermi())
		for range 25 {
			for set := range 32 {
				m := p.Mode(set)
				if m != None && row.Codec(m) == "" {
					t.Fatalf("%s uses mode %s, which has no codec", row.Name, ModeNames[m])
				}
				p.Hit(Hit{Set: set, Mode: m})
				p.Miss(set, false)
			}
			p.End(&Phase{MissCycles: 1})
		}
		if Find(row.Name) != row || row.Title == "" || row.About == "" {
			t.Errorf("%s: incomplete", row.Name)
		}
	}
}

// A period whose learning phase visits no dedicated set was not sampled: its phases name no rule, and no compression
// wins.
func TestNoSampleNoBasis(t *testing.T) {
	for i := range Table {
		row := &Table[i]
		s, ok := row.New(fermi()).(*sampled)
		if !ok {
			continue
		}
		s.Miss(31, false) // a set that is dedicated to no mode
		if g := s.End(&Phase{MissCycles: 100}); g.Basis != NotSampled || winner(s) != None {
			t.Errorf("%s without a sample: basis %d, mode %d", row.Name, g.Basis, winner(s))
		}
		s = row.New(fermi()).(*sampled)
		play(s, Low, 1, 1)
		if g := s.End(&Phase{MissCycles: 100}); g.Basis != s.basis || g.Basis == NotSampled {
			t.Errorf("%s with a sample of one mode: basis %d, want %d", row.Name, g.Basis, s.basis)
		}
	}
}
