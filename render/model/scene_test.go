package model

import (
	"fmt"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// block appends the records of one block read on channel 0.
func block(b []byte, at, addr uint64, req uint32, fetched int, mode probe.Mode, first, cut uint32) []byte {
	for i := range fetched {
		e := probe.Event{Kind: probe.KindRead, Cycle: sim.Cycle(at) + sim.Cycle(3*i), Addr: addr, Req: req,
			A: uint32(i)<<8 | uint32(fetched)<<16 | uint32(mode)<<24, B: 3 << 16}
		b = e.Append(b)
	}
	e := probe.Event{Kind: probe.KindDecompress, Cycle: sim.Cycle(at) + sim.Cycle(3*fetched) + 5, Addr: addr, Req: req,
		A: 500 | uint32(mode)<<24, B: first<<8 | cut<<16 | uint32(fetched)}
	return e.Append(b)
}

func oneChannel() Topology {
	return Topology{SMs: 1, WarpsPerSM: 8, Slices: 1, Controllers: 1, Channels: 1, Banks: 4, MAGBytes: 32, PeakBytesPerCycle: 32.0 / 3}
}

func stripShapes(s *Scene, k Kind, c Colour, strip rect) (list []Shape) {
	for _, sh := range s.Shapes {
		if sh.Kind == k && sh.Colour == c && sh.X >= strip.x && sh.Y >= strip.y && sh.Y < strip.bottom() {
			list = append(list, sh)
		}
	}
	return list
}

func TestSavedBurstLeavesAnOutlineThatTheNextBlockMovesInto(t *testing.T) {
	top := oneChannel()
	line := NewTimeline(top)
	b := block(nil, 100, 0, 1, 2, probe.ModeLossless, 0, 0) // 2 of 4: saves 106..112
	b = block(b, 106, 128, 2, 4, probe.ModeRaw, 0, 0)       // moves in
	b = block(b, 130, 256, 3, 3, probe.ModeLossless, 0, 0)  // saves 139..142, bus idle
	line.Add(b)
	v := View{Sides: [2]*Timeline{line}, Cycle: 150, CyclesPerSecond: 10}
	var s Scene
	v.Build(&s, 880, 400)
	strip := newFrame(&top, 0, margin, captionH+headerH, 880-2*margin, 0).strips
	strip.y, strip.h = 0, 380
	saved, fetched := stripShapes(&s, Dashed, Muted, strip), stripShapes(&s, Fill, FetchedColour, strip)
	if len(saved) != 3 || s.Counts.Saved != 3 {
		t.Fatalf("%d outlines, %d counted, want 3", len(saved), s.Counts.Saved)
	}
	if len(fetched) != 9 || s.Counts.Bursts != 9 {
		t.Fatalf("%d bursts drawn, %d counted, want 9", len(fetched), s.Counts.Bursts)
	}
	inside := func(o Shape) (n int) {
		for _, f := range fetched {
			if f.X >= o.X-1 && f.X+f.W <= o.X+o.W+1 && f.Y > o.Y && f.Y+f.H <= o.Y+o.H+0.01 {
				n++
			}
		}
		return n
	}
	for i, want := range []int{1, 1, 0} {
		if got := inside(saved[i]); got != want {
			t.Errorf("outline %d holds %d bursts, want %d", i, got, want)
		}
	}
}

func TestRawPartOfABlockSavesNothing(t *testing.T) {
	line := NewTimeline(oneChannel())
	line.Add(block(nil, 100, 0, 1, 1, probe.ModeRaw, 0, 0))
	v := View{Sides: [2]*Timeline{line}, Cycle: 120, CyclesPerSecond: 10}
	var s Scene
	v.Build(&s, 880, 400)
	if s.Counts.Saved != 0 || s.Counts.Bursts != 1 {
		t.Errorf("a sector of a raw block: %+v", s.Counts)
	}
}

func TestHatchMarksTheBurstWithTheTruncatedSymbols(t *testing.T) {
	for _, c := range []struct {
		first, cut uint32
		want       [3]bool
	}{
		{0, 4, [3]bool{true, false, false}},
		{40, 4, [3]bool{false, true, true}}, // symbols 21..42 | 42..64
		{60, 4, [3]bool{false, false, true}},
		{16, 16, [3]bool{true, true, false}},
	} {
		tr := Transfer{Fetched: 3, Mode: probe.ModeLossy, FirstCut: uint8(c.first), Cut: uint8(c.cut)}
		for i, want := range c.want {
			if tr.Approximated(i) != want {
				t.Errorf("symbols %d+%d: burst %d approximated: %v, want %v", c.first, c.cut, i, !want, want)
			}
		}
	}
	lossless := Transfer{Fetched: 3, Mode: probe.ModeLossless}
	if lossless.Approximated(2) {
		t.Error("a lossless block is hatched")
	}
}

func TestEveryLayoutStaysInsideThePicture(t *testing.T) {
	big := testTopology()
	big.Channels, big.Slices, big.Controllers, big.SMs = 32, 32, 8, 56
	for _, top := range []Topology{testTopology(), oneChannel(), big} {
		lines := [2]*Timeline{NewTimeline(top), NewTimeline(top)}
		if len(top.Allocations) > 0 {
			lines[0].Add(generate(top, 1, 60, true, 40))
			lines[1].Add(generate(top, 2, 60, true, 40))
		}
		for _, size := range [][2]float64{{880, 560}, {390, 390}, {320, 300}, {1920, 560}, {700, 900}} {
			for tab := TabBursts; tab <= TabDRAM; tab++ {
				for _, speed := range []float64{4, 200, 1e5} {
					v := View{Sides: lines, Labels: [2]string{"E2MC-16", "TSLC-OPT"}, Tab: tab, Cycle: 500, CyclesPerSecond: speed, Divider: 0.5, ThresholdBytes: 16}
					v.Blocks = [2]*Blocks{testBlocks(3000, 1), testBlocks(3000, 2)}
					var s Scene
					v.Build(&s, size[0], size[1])
					checkInside(t, &s, fmt.Sprintf("%v, %d channels, tab %d, speed %v", size, top.Channels, tab, speed))
				}
			}
		}
	}
}

func checkInside(t *testing.T, s *Scene, what string) {
	t.Helper()
	const slack = 1.5
	for _, sh := range s.Shapes {
		x1, y1, x2, y2 := sh.X, sh.Y, sh.X+sh.W, sh.Y+sh.H
		switch sh.Kind {
		case Line:
			x2, y2 = sh.W, sh.H
		case Words:
			w := s.TextWidth(sh.Text, sh.Size, sh.Bold)
			switch sh.Align {
			case Centre:
				x1 -= w / 2
			case Right:
				x1 -= w
			}
			x2, y1 = x1+w, y2-sh.Size*0.7
		default:
			if sh.W < 0 || sh.H < 0 {
				t.Fatalf("%s: a shape turned inside out: %+v", what, sh)
			}
		}
		for _, f := range []float64{x1, y1, x2, y2, sh.Alpha} {
			if math.IsNaN(f) {
				t.Fatalf("%s: not a number: %+v", what, sh)
			}
		}
		if min(x1, x2) < -slack || min(y1, y2) < -slack || max(x1, x2) > s.W+slack || max(y1, y2) > s.H+slack {
			t.Fatalf("%s: outside %vx%v: %+v", what, s.W, s.H, sh)
		}
	}
}

func TestReducedMotionStepsFromCycleToCycle(t *testing.T) {
	top := testTopology()
	line := NewTimeline(top)
	line.Add(generate(top, 1, 40, true, 40))
	v := View{Sides: [2]*Timeline{line}, CyclesPerSecond: 20, ReducedMotion: true}
	var a, b Scene
	v.Cycle = 300.1
	v.Build(&a, 800, 400)
	v.Cycle = 300.9
	v.Build(&b, 800, 400)
	if len(a.Shapes) != len(b.Shapes) {
		t.Fatal("the picture changes within a cycle")
	}
	for i := range a.Shapes {
		if a.Shapes[i] != b.Shapes[i] {
			t.Fatalf("moved within a cycle: %+v", b.Shapes[i])
		}
	}
}

func TestKeyboardWalksAllBlocksAndChannels(t *testing.T) {
	top := testTopology()
	v := View{Cycle: 600, CyclesPerSecond: 20}
	for i := range v.Sides {
		v.Sides[i] = NewTimeline(top)
		v.Sides[i].Add(generate(top, uint64(i), 40, true, 40))
	}
	f, ok := v.Move(Focus{Side: -1}, Later)
	if !ok || f.Side != 0 || f.Channel != 0 {
		t.Fatalf("starts at %+v, %v", f, ok)
	}
	if back, ok := v.Move(f, Earlier); !ok || back.Index != f.Index-1 {
		t.Errorf("earlier goes to %+v, %v", back, ok)
	}
	if _, ok := v.Move(f, Later); ok {
		t.Error("the focus goes beyond the cursor")
	}
	for i := 1; i < 24; i++ {
		var ok bool
		if f, ok = v.Move(f, ChannelBelow); !ok || f.Channel != i%12 || f.Side != i/12 {
			t.Fatalf("step %d down: %+v, %v", i, f, ok)
		}
	}
	if _, ok := v.Move(f, ChannelBelow); ok {
		t.Error("goes below the last channel of B")
	}
	if text := v.TransferText(f.Side, f.Channel, f.Index); text == "" {
		t.Error("a block without words")
	}
}

func TestWordsSayWhatABlockCosts(t *testing.T) {
	line := NewTimeline(oneChannel())
	line.Add(block(nil, 100, 0x2100, 1, 2, probe.ModeLossy, 36, 4))
	v := View{Sides: [2]*Timeline{line}, Cycle: 150}
	want := "0x2100 · 63 B, fetched as 2 bursts (64 B) · 2 saved · 4 symbols cut · bank 0"
	if got := v.TransferText(0, 0, 0); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range []struct {
		n    int
		want string
	}{{0, "0"}, {999, "999"}, {1000, "1,000"}, {-1234567, "−1,234,567"}} {
		if got := Count(c.n); got != c.want {
			t.Errorf("Count(%d) = %q", c.n, got)
		}
	}
	if Share(1, 3) != "33\u202f%" || Share(1, 40) != "2.5\u202f%" || Share(0, 0) != "0\u202f%" {
		t.Error("shares:", Share(1, 3), Share(1, 40), Share(0, 0))
	}
}

func BenchmarkBuildBursts(b *testing.B) {
	top := testTopology()
	v := View{CyclesPerSecond: 64, Cycle: 3000}
	for i := range v.Sides {
		v.Sides[i] = NewTimeline(top)
		v.Sides[i].Add(generate(top, uint64(i), 1500, true, 60))
	}
	for _, speed := range []float64{24, 200, 20000} {
		b.Run(fmt.Sprint(speed), func(b *testing.B) {
			v.CyclesPerSecond = speed
			var s Scene
			for b.Loop() {
				v.Build(&s, 880, 560)
			}
			b.ReportMetric(float64(len(s.Shapes)), "shapes")
		})
	}
}

// A refresh is a box over the time its banks cannot be used: over all banks, or
// over one, and on the channel's strip; the legend names it only where there is one.
func TestRefreshIsABoxOverTheBanksItBlocks(t *testing.T) {
	top := oneChannel()
	line := NewTimeline(top)
	b := block(nil, 100, 0, 1, 2, probe.ModeRaw, 0, 0)
	v := View{Sides: [2]*Timeline{line}, Cycle: 180, CyclesPerSecond: 10, Tab: TabDRAM}
	line.Add(b)
	var s Scene
	legend := func() (n int) {
		for _, sh := range s.Shapes {
			if sh.Kind == Words && sh.Text == "refresh" && sh.Colour == Ink && sh.Y > 460 { // at the foot
				n++
			}
		}
		return n
	}
	v.Build(&s, 880, 500)
	if s.Counts.Refreshes != 0 || legend() != 0 {
		t.Fatalf("%d refreshes, %d in the legend, before any", s.Counts.Refreshes, legend())
	}
	all := probe.Event{Kind: probe.KindRefresh, Cycle: 110, A: probe.AllBanks, B: 30}
	one := probe.Event{Kind: probe.KindRefresh, Cycle: 150, A: 2, B: 12}
	line.Add(one.Append(all.Append(nil)))
	v.Build(&s, 880, 500)
	var boxes []Shape
	for _, sh := range s.Shapes {
		if sh.Kind == Outline && sh.Colour == RawColour && sh.W > 13 {
			boxes = append(boxes, sh)
		}
	}
	if len(boxes) != 2 || s.Counts.Refreshes != 2 || legend() != 1 {
		t.Fatalf("%d boxes, %d counted, %d in the legend", len(boxes), s.Counts.Refreshes, legend())
	}
	if ratio := boxes[0].W / boxes[1].W; ratio < 2.4 || ratio > 2.6 {
		t.Errorf("widths %g and %g, want 30 to 12 cycles", boxes[0].W, boxes[1].W)
	}
	if lane := boxes[1].H + 1; boxes[0].H < 3.9*lane || boxes[0].H > 4.1*lane || boxes[1].Y < boxes[0].Y+1.9*lane {
		t.Errorf("all banks %g high from %g, bank 2 %g high from %g", boxes[0].H, boxes[0].Y, boxes[1].H, boxes[1].Y)
	}
	v.Tab = TabBursts
	v.Build(&s, 880, 500)
	if s.Counts.Refreshes != 2 {
		t.Errorf("%d refreshes on the strip", s.Counts.Refreshes)
	}
}
