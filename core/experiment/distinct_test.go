package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// someBlocks are blocks with many repeats, and some whose hashes fall into the same slots.
func someBlocks(n int) []mem.Line {
	r := sim.NewRand(7, 0)
	lines := make([]mem.Line, n)
	for i := range lines {
		v := r.Uint64() % 5000
		for k := range lines[i] {
			if k%16 == 0 {
				lines[i][k] = byte(v >> (k % 64 / 8))
			}
		}
	}
	return lines
}

// The twin is a map from blocks to counts, and the order of first crossings.
func TestDistinctBlocks(t *testing.T) {
	var d distinct
	times := map[mem.Line]uint64{}
	var order []mem.Line
	lines := someBlocks(20000)
	for i := range lines {
		if times[lines[i]]++; times[lines[i]] == 1 {
			order = append(order, lines[i])
		}
		if d.add(&lines[i], 1<<20) {
			t.Fatal("full")
		}
	}
	if len(d.lines) != len(order) || d.all != uint64(len(lines)) || len(order) < 1000 || len(order) > 10000 {
		t.Fatalf("%d distinct blocks of %d, want %d of %d", len(d.lines), d.all, len(order), len(lines))
	}
	for i := range order {
		if d.lines[i] != order[i] || d.times[i] != times[order[i]] {
			t.Fatalf("block %d crossed %d times, want %d", i, d.times[i], times[order[i]])
		}
	}
	// At the limit known blocks still count, and new ones do not.
	var small distinct
	var a, b mem.Line
	b[0] = 1
	if small.add(&a, 1) || !small.add(&b, 1) || small.add(&a, 1) || small.all != 2 || len(small.lines) != 1 {
		t.Errorf("%d blocks, %d distinct", small.all, len(small.lines))
	}
}

// The twin of a measurement of traffic: every block on its own, one after the other.
func TestTrafficIsThatOfEveryBlock(t *testing.T) {
	trainer, err := codecs.NewTrainer(trafficCodecs()...)
	if err != nil {
		t.Fatal(err)
	}
	blocks := newTape(trainer)
	lines := someBlocks(3000)
	for i := range lines {
		blocks.Observe(&lines[i])
	}
	r := newTraffic(trafficPlan(t, "none"), blocks)
	if err := r.keep(); err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = r.Step(100); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bdi", "fpc", "cpack", "bpc", "e2mc4", "e2mc8", "e2mc16", "e2mc32"} {
		a, err := survey.New([]string{name}, trainer, codecs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a.Add(lines)
		want, got := a.Sizes()[0], r.Traffic().Find(name, 0, 0)
		if got == nil || got.Bits != want.Bits || [mem.LineBytes + 1]uint64(got.Bytes) != want.Bytes {
			t.Errorf("%s: %+v, want %d bits and %v", name, got, want.Bits, want.Bytes)
		}
	}
	if r.Traffic().Blocks != 3000 {
		t.Errorf("%d blocks", r.Traffic().Blocks)
	}
}
