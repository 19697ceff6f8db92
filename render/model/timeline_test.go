package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

func record(e probe.Event) []byte { return e.Append(nil) }

// naiveTotals counts bursts straight from the records.
func naiveTotals(records []byte, cycle float64, burstsPerBlock int) Totals {
	type block struct {
		addr uint64
		req  uint32
		kind probe.Kind
	}
	cuts := map[block][2]int{}
	for b := records; len(b) > 0; b = b[probe.RecordBytes:] {
		e := probe.DecodeEvent(b)
		kind := map[probe.Kind]probe.Kind{probe.KindDecompress: probe.KindRead, probe.KindCompress: probe.KindWrite}[e.Kind]
		if kind != 0 {
			cuts[block{e.Addr, e.Req, kind}] = [2]int{int(e.B >> 8 & 0xff), int(e.B >> 16 & 0xff)}
		}
	}
	var t Totals
	for b := records; len(b) > 0; b = b[probe.RecordBytes:] {
		e := probe.DecodeEvent(b)
		if e.Kind != probe.KindRead && e.Kind != probe.KindWrite || float64(e.Cycle) > cycle {
			continue
		}
		if e.B&1 != 0 {
			t.Metadata++
			continue
		}
		t.Data++
		index, fetched, mode := int(e.A>>8&0xff), int(e.A>>16&0xff), probe.Mode(e.A>>24)
		if index == 0 && mode != probe.ModeRaw {
			t.Saved += burstsPerBlock - fetched
		}
		if mode == probe.ModeLossy {
			cut := cuts[block{e.Addr, e.Req, e.Kind}]
			for symbol := cut[0]; symbol < cut[0]+cut[1]; symbol++ {
				if symbol*fetched/64 == index {
					t.Approximated++
					break
				}
			}
		}
	}
	return t
}

func TestTotalsAtAnyCycleEqualACountOfTheRecords(t *testing.T) {
	top := testTopology()
	records := generate(top, 3, 60, true, 60)
	line := NewTimeline(top)
	if kept := line.Add(records); kept != len(records)/probe.RecordBytes {
		t.Fatalf("kept %d of %d records", kept, len(records)/probe.RecordBytes)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		cycle := r.Float64() * line.LastCycle() * 1.1
		if got, want := line.Totals(cycle), naiveTotals(records, cycle, 4); got != want {
			t.Fatalf("at cycle %.1f: %+v, counted %+v", cycle, got, want)
		}
	}
}

func TestRecordsInPiecesAndAskedInBetweenGiveTheSamePicture(t *testing.T) {
	top := testTopology()
	records := generate(top, 5, 40, true, 60)
	whole, pieces := NewTimeline(top), NewTimeline(top)
	whole.Add(records)
	v := View{Sides: [2]*Timeline{pieces}, Cycle: 400, CyclesPerSecond: 50}
	var s Scene
	for b := range slices.Chunk(records, 97*probe.RecordBytes) {
		pieces.Add(b)
		v.Build(&s, 800, 400)
	}
	for _, cycle := range []float64{250, 700, 300} { // and back again
		v.Cycle = cycle
		v.Sides[0] = pieces
		v.Build(&s, 800, 400)
		got := slices.Clone(s.Shapes)
		v.Sides[0] = whole
		v.Build(&s, 800, 400)
		if !slices.Equal(got, s.Shapes) {
			t.Fatalf("the pictures of cycle %v differ", cycle)
		}
	}
}

func TestRecordsOfPartsTheMachineLacksAreCountedAndIgnored(t *testing.T) {
	top := testTopology()
	line := NewTimeline(top)
	for _, e := range []probe.Event{
		{Kind: probe.KindRead, Unit: 12}, {Kind: probe.KindIssue, Unit: 16}, {Kind: probe.KindL2, Unit: 12},
		{Kind: probe.KindXbarRequest, Unit: 16 << 8}, {Kind: 0}, {Kind: 200}, {Kind: probe.KindRead, Cycle: 1 << 40},
	} {
		line.Add(record(e))
	}
	if line.Kept() != 0 || line.Rejected() != 7 {
		t.Errorf("kept %d, rejected %d of 7 records that make no sense", line.Kept(), line.Rejected())
	}
	if line.Add(make([]byte, probe.RecordBytes-1)) != 0 {
		t.Error("part of a record was kept")
	}
}

func TestQueueShrinksAsItsBlocksMove(t *testing.T) {
	line := NewTimeline(testTopology())
	burst := func(at uint64, addr uint64) probe.Event {
		return probe.Event{Kind: probe.KindRead, Cycle: sim.Cycle(at), Addr: addr, A: 1 << 16, B: 3 << 16, Unit: 2}
	}
	for _, e := range []probe.Event{
		{Kind: probe.KindQueue, Cycle: 10, Addr: 0, B: 1, Unit: 2}, {Kind: probe.KindQueue, Cycle: 12, Addr: 128, B: 2, Unit: 2},
		{Kind: probe.KindQueue, Cycle: 13, Addr: 999 * 128, A: 1, B: 40, Unit: 2},
		burst(20, 0), burst(30, 128),
	} {
		line.Add(record(e))
	}
	for _, c := range []struct {
		cycle float64
		want  int
	}{{9, 0}, {11, 1}, {19, 2}, {25, 1}, {31, 0}} {
		if got := line.channels[2].queueLength(c.cycle); got != c.want {
			t.Errorf("at cycle %v the queue holds %d, want %d", c.cycle, got, c.want)
		}
	}
}

func TestWarpWaitsFromItsMissToTheLastReply(t *testing.T) {
	line := NewTimeline(testTopology())
	for _, e := range []probe.Event{
		{Kind: probe.KindIssue, Cycle: 5, A: 3<<16 | 2, B: 9, Unit: 1, Req: 1},
		{Kind: probe.KindL1, Cycle: 6, Addr: 128, A: probe.ResultMiss, B: 9, Unit: 1, Req: 1},
		{Kind: probe.KindL1, Cycle: 7, Addr: 256, A: probe.ResultMerged, B: 9, Unit: 1, Req: 1},
		{Kind: probe.KindReply, Cycle: 50, Addr: 128, Unit: 1, Req: 1},
		{Kind: probe.KindReply, Cycle: 60, Addr: 256, Unit: 1, Req: 8}, // of the one it joined
		{Kind: probe.KindBarrier, Cycle: 70, A: 3 << 16, Unit: 1},
		{Kind: probe.KindExit, Cycle: 90, A: 3 << 16, Unit: 1},
	} {
		line.Add(record(e))
	}
	for _, c := range []struct {
		cycle float64
		want  WarpState
	}{{4, WarpAbsent}, {5, WarpReady}, {6, WarpWaiting}, {55, WarpWaiting}, {60, WarpReady}, {75, WarpBarrier}, {95, WarpAbsent}} {
		if got := line.Warp(1, 3, c.cycle); got != c.want {
			t.Errorf("at cycle %v: state %d, want %d", c.cycle, got, c.want)
		}
	}
}

func TestRequestMovesFromTheSMToTheBankAndBack(t *testing.T) {
	line := NewTimeline(testTopology())
	for _, e := range []probe.Event{
		{Kind: probe.KindL1, Cycle: 10, A: probe.ResultMiss, Unit: 4},
		{Kind: probe.KindXbarRequest, Cycle: 12, A: 1, Unit: 4<<8 | 2},
		{Kind: probe.KindL2, Cycle: 20, A: probe.ResultMiss, Unit: 2},
		{Kind: probe.KindQueue, Cycle: 25, B: 1, Unit: 2},
		{Kind: probe.KindRead, Cycle: 100, A: 2 << 16, B: 3 << 16, Unit: 2},
		{Kind: probe.KindRead, Cycle: 103, A: 1<<8 | 2<<16, B: 3 << 16, Unit: 2},
		{Kind: probe.KindDecompress, Cycle: 120, A: 300, Unit: 2},
		{Kind: probe.KindXbarReply, Cycle: 125, A: 5, Unit: 4<<8 | 2},
		{Kind: probe.KindReply, Cycle: 140, Unit: 4},
	} {
		e.Req, e.Addr = 7, 0x1000
		line.Add(record(e))
	}
	var way []Station
	for cycle := 0.0; cycle < 160; cycle += 0.5 {
		n := 0
		line.Flights(cycle, func(f Flight) {
			n++
			if f.Along < 0 || f.Along > 1 {
				t.Fatalf("cycle %v: %v of the way", cycle, f.Along)
			}
			if f.Back != (cycle >= 106) {
				t.Fatalf("cycle %v: carries data: %v", cycle, f.Back)
			}
			if len(way) == 0 || way[len(way)-1] != f.From {
				way = append(way, f.From)
			}
		})
		if alive := cycle >= 10 && cycle < 140; (n == 1) != alive {
			t.Fatalf("cycle %v: %d requests under way", cycle, n)
		}
	}
	if want := []Station{AtSM, AtCrossbar, AtSlice, AtController, AtBank, AtController, AtSlice}; !slices.Equal(way, want) {
		t.Errorf("the way was %v, want %v", way, want)
	}
}

func FuzzAnyBytesAreSafe(f *testing.F) {
	f.Add([]byte{}, 100.0, 64.0, uint16(400), uint16(300))
	f.Add(generate(testTopology(), 1, 2, true, 50), 250.0, 1e5, uint16(390), uint16(390))
	f.Add(generate(testTopology(), 1, 2, true, 50), 1e300, math.Inf(1), uint16(1), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, cycle, speed float64, w, h uint16) {
		line := NewTimeline(testTopology())
		line.Add(data)
		v := View{Sides: [2]*Timeline{line, line}, Cycle: cycle, CyclesPerSecond: speed}
		var s Scene
		v.Blocks = [2]*Blocks{testBlocks(1200, 1), nil}
		v.ThresholdBytes, v.MapFirst, v.MapCount, v.Divider = int(w)-50, int(h), int(w), cycle
		for tab := TabBursts; tab <= TabDRAM; tab++ {
			v.Tab = tab
			v.Build(&s, float64(w%2000)+1, float64(h%2000)+1)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	top := testTopology()
	records := generate(top, 1, 1500, true, 60)
	b.ReportAllocs()
	for b.Loop() {
		NewTimeline(top).Add(records)
	}
	b.ReportMetric(float64(len(records)/probe.RecordBytes), "records")
}

func TestBurstsOfAFractionOfACycleAreDrawnAlikeAndWithoutOverlap(t *testing.T) {
	top := oneChannel()
	top.PeakBytesPerCycle = 32 / 1.64
	line := NewTimeline(top)
	for i := range 200 {
		at := 1.64 * float64(i)
		if i >= 100 {
			at += 7.3 // the bus was idle
		}
		e := probe.Event{Kind: probe.KindRead, Cycle: sim.Cycle(math.Ceil(at)), Addr: uint64(i) * 128, A: 1 << 16, B: 2 << 16}
		line.Add(record(e))
	}
	c := &line.channels[0]
	c.sum()
	short := 0
	for i := range c.bursts {
		begin, end := c.extent(i)
		if late := begin - 1.64*float64(i); i < 100 && (late < -1e-3 || late >= 1) {
			t.Fatalf("burst %d is drawn %.2f cycles late", i, late)
		}
		if i > 0 {
			if _, before := c.extent(i - 1); before > begin+1e-3 {
				t.Fatalf("burst %d begins %.2f cycles before the one before it ends", i, before-begin)
			}
		}
		if end-begin < 1.63 {
			short++
		}
	}
	if short > 3 {
		t.Errorf("%d of 200 bursts are drawn short", short)
	}
}
