package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Blocks of one channel with rows of 2 KB: the second pair of blocks of a row lies 512
// bytes further, the next row of the same bank 32 KB further (MapGTX480 with one channel).
const (
	base    = mem.DefaultBase
	sameRow = 512
	nextRow = 32 << 10
)

// With both clocks equal and links of one cycle, every latency is a sum of the
// specification's constants.
func TestUnloadedLatenciesAreHandSums(t *testing.T) {
	const (
		// A request sent at cycle s arrives at s+1 and is scheduled from s+2. Four
		// bursts of one bank follow each other at CCDL = 3; the last is back CL 12
		// + burst 2 later, and the reply takes one cycle of link.
		toCommand = 2
		columns   = 3*3 + 12 + 2 + 1
		rcd, rp   = 12, 12
	)
	for _, c := range []struct {
		name string
		addr mem.Addr
		want sim.Cycle
	}{
		{"row closed", base + 256, toCommand + rcd + columns},
		{"row hit", base + sameRow, toCommand + columns},
		{"row conflict", base + nextRow, toCommand + rp + rcd + columns},
	} {
		cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
		r := newRig(t, cfg, rigBytes)
		r.check(cfg)
		opener, q := readOf(base, 0), readOf(c.addr, 1)
		q.at = 500
		r.slice[0].script = []scripted{opener, q}
		r.run(1000)
		if got := r.slice[0].replies[1].at - 500; got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
		if first := r.slice[0].replies[0].at; first != toCommand+rcd+columns {
			t.Errorf("first read: %d cycles, want %d", first, toCommand+rcd+columns)
		}
		r.laws(cfg)
	}
}

// The fixed latency is in core cycles, DRAM latencies in memory cycles.
func TestLatencyAcrossClocks(t *testing.T) {
	cfg := testConfig(t, 1, coreOverDRAM, codec.NewRaw(32))
	cfg.FixedLatencyCycles = DRAMFixedLatencyCycles
	r := newRig(t, cfg, rigBytes)
	r.slice[0].script = []scripted{readOf(base, 0)}
	r.run(1000)
	// Arrives at base cycle 1 = DRAM cycle 1; commands from 2: ACT 2, RD 14 to 23,
	// data until 37 = base cycle 31; + 100 + 1.
	if got := r.slice[0].replies[0].at; got != coreOverDRAM.Base(37)+101 {
		t.Errorf("%d cycles, want %d", got, coreOverDRAM.Base(37)+101)
	}
}

// stream measures blocks of a sequential stream over one channel.
func stream(t *testing.T, cfg Config, blocks int, write bool, first byte) (r *rig, shareOfPeak float64, dramCycles uint64) {
	r = newRig(t, cfg, rigBytes)
	r.check(cfg)
	for i := range blocks {
		a := base + uint64(i)*128
		r.image.WriteLine(a, patternOf(i, first))
		q := readOf(a, i)
		if write {
			q = writeOf(a, patternOf(i, first))
		}
		r.slice[0].script = append(r.slice[0].script, q)
	}
	r.control.ResetBlocks()
	r.run(200000)
	r.laws(cfg)
	end := uint64(0)
	for _, x := range r.slice[0].replies {
		end = max(end, cfg.Clock.Local(x.at))
	}
	moved := float64((r.stats[stat.DRAMReadBytes] + r.stats[stat.DRAMWriteBytes]) / uint64(cfg.DRAM.BytesPerCommandClock))
	return r, moved / float64(end), end
}

func TestStreamingReadsReachPeak(t *testing.T) {
	for _, mag := range []int{16, 32, 64} {
		cfg := testConfig(t, 1, coreOverDRAM, codec.NewRaw(mag))
		if _, share, _ := stream(t, cfg, 4096, false, 0); share < 0.90 {
			t.Errorf("MAG %d: %.3f of peak bandwidth", mag, share)
		} else {
			t.Logf("MAG %d: %.3f of peak bandwidth", mag, share)
		}
	}
	p100 := testConfig(t, 1, sim.ClockRatio{Num: 715, Den: 1480}, codec.NewRaw(32))
	p100.DRAM = dram.P100()
	p100.Map, _ = dram.ParseAddressMap(dram.MapP100, 1, dram.HashNone)
	if _, share, _ := stream(t, p100, 4096, false, 0); share < 0.90 {
		t.Errorf("HBM2: %.3f of peak bandwidth", share)
	}
}

// Blocks that need fewer bursts arrive faster, which is the purpose of compression.
func TestSavedBurstsRaiseBlockThroughput(t *testing.T) {
	var cycles [5]uint64
	for bursts := 1; bursts <= 4; bursts++ {
		cfg := testConfig(t, 1, coreOverDRAM, byFirstByte{32, 46, 20})
		_, _, cycles[bursts] = stream(t, cfg, 4096, false, byte(bursts))
	}
	for bursts, atLeast := range map[int]float64{3: 1.3, 2: 1.8, 1: 2.5} {
		if gain := float64(cycles[4]) / float64(cycles[bursts]); gain < atLeast {
			t.Errorf("%d bursts a block instead of 4: %.2f times as fast, want %.1f", bursts, gain, atLeast)
		} else {
			t.Logf("%d bursts: %.2f", bursts, gain)
		}
	}
}

func order(r *rig) []uint32 {
	var tags []uint32
	for _, x := range r.slice[0].replies {
		tags = append(tags, x.tag)
	}
	return tags
}

func TestFirstReadyFirstComeFirstServed(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	r := newRig(t, cfg, rigBytes)
	r.check(cfg)
	// Row 0, row 1 of the same bank, row 0 again: the third passes the second.
	for i, a := range []mem.Addr{base, base + nextRow, base + 128, base + nextRow + 128} {
		r.slice[0].script = append(r.slice[0].script, readOf(a, i))
	}
	r.run(1000)
	if got := order(r); len(got) != 4 || got[1] != 2 || got[2] != 1 || got[3] != 3 {
		t.Errorf("order %v, want 0 2 1 3", got)
	}
	if r.stats[stat.Activates] != 2 {
		t.Errorf("%d activates, want 2", r.stats[stat.Activates])
	}
}

// A row hit also goes first if it arrives while the bank's next row waits to be opened.
func TestLateRowHitGoesFirst(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	r := newRig(t, cfg, rigBytes)
	late := readOf(base+128, 2)
	late.at = 26 // the four bursts are commanded until 23, RAS ends at 30
	r.slice[0].script = []scripted{readOf(base, 0), readOf(base+nextRow, 1), late}
	r.run(1000)
	if got := order(r); len(got) != 3 || got[1] != 2 {
		t.Errorf("order %v, want 0 2 1", got)
	}
}

func TestRowHitsCannotStarveABlock(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	cfg.RowHitCap = 3
	r := newRig(t, cfg, rigBytes)
	r.slice[0].script = append(r.slice[0].script, readOf(base, 0), readOf(base+nextRow, 99))
	for i := 1; i < 10; i++ {
		r.slice[0].script = append(r.slice[0].script, readOf(base+uint64(i/2*sameRow+i%2*128), i))
	}
	r.run(2000)
	for place, tag := range order(r) {
		if tag == 99 && place != 1+cfg.RowHitCap {
			t.Errorf("the older block came %dth, want %dth", place, 1+cfg.RowHitCap)
		}
	}
}

// Writes wait for reads until the high watermark, then drain to the low one.
func TestWriteDrain(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	cfg.WriteHigh, cfg.WriteLow = 8, 3
	r := newRig(t, cfg, rigBytes)
	watch := &drainWatch{t: t, r: r}
	r.control.Watch(0, watch)
	line := patternOf(1, 0)
	for i := range 300 {
		r.slice[0].script = append(r.slice[0].script, readOf(base+uint64(i)*128, i))
		if i%3 == 0 {
			r.slice[0].script = append(r.slice[0].script, writeOf(base+512<<10+uint64(i)*128, line))
		}
	}
	r.run(20000)
	r.laws(cfg)
	if watch.turns < 5 || watch.turns > 2*100/(cfg.WriteHigh-cfg.WriteLow)+4 {
		t.Errorf("%d turns from reads to writes for 100 writes", watch.turns)
	}
	if watch.early > 0 {
		t.Errorf("%d turns to writes below the high watermark while reads waited", watch.early)
	}
}

// drainWatch counts turns from reading to writing.
type drainWatch struct {
	t            *testing.T
	r            *rig
	last         dram.Command
	turns, early int
}

func (w *drainWatch) Command(cmd dram.Command, _ int, _ uint32, _ uint64) {
	if cmd != dram.Read && cmd != dram.Write {
		return
	}
	if cmd == dram.Write && w.last == dram.Read {
		w.turns++
		if sc := &w.r.control.channels[0].schedule.(*drainSchedule).device; !sc.draining && sc.ready[0] > 0 {
			w.early++
		}
	}
	w.last = cmd
}

// A read of a block that is still in the write queue is answered without DRAM.
func TestForwardFromWriteQueue(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	r := newRig(t, cfg, rigBytes)
	line := patternOf(5, 9)
	r.slice[0].script = []scripted{writeOf(base+1024, line), readOf(base+1024, 1)}
	r.run(1000)
	r.laws(cfg)
	if r.stats[stat.ControllerForwards] != 1 || r.stats[stat.BurstsRead] != 0 {
		t.Errorf("%d forwards, %d bursts read", r.stats[stat.ControllerForwards], r.stats[stat.BurstsRead])
	}
	if x := r.slice[0].replies[0]; x.data != *line {
		t.Error("the forwarded block is not the one written")
	}
}

// A queued write answers a read only if it covers all bytes of the read.
func TestPartialForward(t *testing.T) {
	for _, c := range []struct {
		want     mem.ByteMask
		forwards uint64
	}{{mem.SectorMask(2), 1}, {mem.SectorMask(3), 0}, {mem.FullMask, 0}} {
		cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
		r := newRig(t, cfg, rigBytes)
		w, q := writeOf(base, patternOf(1, 1)), readOf(base, 1)
		w.req.Mask, q.req.Mask = mem.SectorMask(6), c.want
		r.slice[0].script = []scripted{w, q}
		r.run(1000)
		r.laws(cfg)
		r.expect(t, map[stat.Counter]uint64{stat.ControllerForwards: c.forwards})
	}
}

// firstCommands records when the first activate and read were issued.
type firstCommands struct{ activate, read, write []uint64 }

func (f *firstCommands) Command(cmd dram.Command, _ int, _ uint32, at uint64) {
	switch cmd {
	case dram.Activate:
		f.activate = append(f.activate, at)
	case dram.Read:
		f.read = append(f.read, at)
	case dram.Write:
		f.write = append(f.write, at)
	}
}

// A write may not start before the compressor is done. A read may not start before its
// burst count has arrived.
func TestNothingStartsBeforeItIsReady(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
	cfg.Metadata.Bytes = 0
	r := newRig(t, cfg, rigBytes)
	var write firstCommands
	r.control.Watch(0, &write)
	r.slice[0].script = []scripted{writeOf(base, patternOf(1, 1))}
	r.run(1000)
	if want := uint64(1 + 1 + 46); write.activate[0] != want || write.write[0] != want+7 {
		t.Errorf("the write's row is opened at %d and written at %d, want %d and %d", write.activate[0], write.write[0], want, want+7)
	}
	cfg.Metadata.Bytes = 8192
	r = newRig(t, cfg, rigBytes)
	var read firstCommands
	r.control.Watch(0, &read)
	r.slice[0].script = []scripted{readOf(base+256, 0)} // another bank than its metadata
	r.run(1000)
	if want := read.read[0] + 12 + 2; read.activate[1] != want {
		t.Errorf("the block's row is opened at %d, its count is there at %d", read.activate[1], want)
	}
}

// Without compression, a partial write sends only the bursts that it changes and keeps all
// other bytes; a sector fill reads only the wanted bursts.
func TestPartialBlocks(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	cfg.SectorFill = true
	r := newRig(t, cfg, rigBytes)
	old, line := patternOf(1, 1), patternOf(2, 2)
	r.image.WriteLine(base, old)
	w := writeOf(base, line)
	w.req.Mask = mem.ByteMask{}
	w.req.Mask.Set(30, 4) // sectors 0 and 1
	q := readOf(base, 7)
	q.at = 300
	q.req.Mask = mem.SectorMask(0b0101)
	r.slice[0].script = []scripted{w, q}
	r.run(1000)
	r.laws(cfg)
	if r.stats[stat.BurstsWritten] != 2 || r.stats[stat.BurstsRead] != 2 {
		t.Errorf("%d bursts written, %d read, want 2 and 2", r.stats[stat.BurstsWritten], r.stats[stat.BurstsRead])
	}
	want := *old
	want.Merge(line, w.req.Mask)
	if r.slice[0].replies[0].data != want {
		t.Error("the bytes that were not written have changed")
	}
}
