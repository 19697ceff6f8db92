package memctrl

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Blocks of one channel (MapGTX480): bit 8 and bits 12 to 14 of an address are its bank, and
// bit 14 is the group of the bank.
const otherGroup = 1 << 14

// A stream inside one group of banks has a column command every CCDL = 3 clocks, of which
// the data take 2. Two streams in different groups, or one without groups, use nearly all of
// the bus. The figures are by arithmetic: CCD 2, CCDL 3, a burst 2 clocks.
func TestJointStreams(t *testing.T) {
	oneHalf := func(i int) mem.Addr { return base + uint64(i/128)*2*otherGroup + uint64(i%128)*128 }
	bothHalves := func(i int) mem.Addr { return oneHalf(i/2) + uint64(i%2)*otherGroup }
	for _, c := range []struct {
		name   string
		groups int
		addr   func(i int) mem.Addr
		want   float64
	}{
		{"one group", 2, oneHalf, 2. / 3},
		{"both groups", 2, bothHalves, 1},
		{"without groups", 1, oneHalf, 1},
	} {
		cfg := jointConfig(t, 1, sim.ClockRatio{Num: 924, Den: 700}, codec.NewRaw(64), 2)
		cfg.DRAM.BankGroups = c.groups
		r := newRig(t, cfg, 8<<20)
		r.check(cfg)
		r.slice[0].onReply = func(sim.Cycle, *Reply) {}
		for i := range 8 << 20 / 128 {
			r.slice[0].script = append(r.slice[0].script, readOf(c.addr(i)%(base+8<<20-128), i))
		}
		r.run(40000)
		got := float64(r.stats[stat.DataBusBusyCycles]) / float64(r.stats[stat.DRAMCycles])
		if math.Abs(got-c.want) > 0.02*c.want {
			t.Errorf("%s: %.3f of the data bus, want %.3f", c.name, got, c.want)
		}
		t.Logf("%s: %.3f", c.name, got)
	}
}

// times keeps the clocks of the column commands.
type times struct{ at []uint64 }

func (v *times) Command(cmd dram.Command, _ int, _ uint32, at uint64) {
	if cmd == dram.Read || cmd == dram.Write {
		v.at = append(v.at, at)
	}
}

// GPGPU-Sim 3.2.1 waits CL + 2 clocks of data + 2 - WL = 12 clocks from a read to a write, and
// WL + 2 clocks of data + CDLR = 11 clocks from a write to a read. Nothing waits for a batch.
func TestJointTurnarounds(t *testing.T) {
	cfg := jointConfig(t, 1, sameClock, codec.NewRaw(64), 2)
	r := newRig(t, cfg, rigBytes)
	var v times
	line := patternOf(0, 0)
	half := func(q scripted, from int, at sim.Cycle) scripted {
		q.req.Mask = mem.ByteMask{}
		q.req.Mask.Set(from, 32) // half of an atom
		q.at = at
		return q
	}
	// Rows are open. The last read comes when the write has been commanded.
	r.slice[0].script = []scripted{readOf(base, 0), readOf(base+256, 1)}
	wait := readOf(base, 2)
	wait.at = 500
	r.slice[0].script = append(r.slice[0].script, wait, half(writeOf(base+256, line), 32, 500), half(readOf(base, 3), 0, 518))
	r.control.Watch(0, &v)
	r.run(1000)
	r.laws(cfg)
	// Four columns open the rows.
	var gaps []uint64
	for i := 5; i < len(v.at); i++ {
		gaps = append(gaps, v.at[i]-v.at[i-1])
	}
	if want := []uint64{3, 12, 11, 3}; !slices.Equal(gaps, want) {
		t.Errorf("clocks between column commands: %v, want %v", gaps, want)
	}
	if got := r.stats[stat.DRAMWriteBytes]; got != 64 {
		t.Errorf("a write of 32 bytes counts %d bytes, want the whole atom of 64", got)
	}
}

// Writes of 32, 64 and 128 bytes take one, one and two atoms of 64 bytes, and leave the
// other bytes.
func TestJointPartialWrites(t *testing.T) {
	for size, atoms := range map[int]uint64{32: 1, 64: 1, 128: 2} {
		cfg := jointConfig(t, 1, sameClock, codec.NewRaw(64), 2)
		cfg.Paranoid = true
		r := newRig(t, cfg, rigBytes)
		before, line := patternOf(1, 1), patternOf(2, 2)
		r.image.WriteLine(base, before)
		r.control.ResetBlocks()
		q := writeOf(base, line)
		q.req.Mask = mem.ByteMask{}
		q.req.Mask.Set(128-size, size)
		r.slice[0].script = []scripted{q, readOf(base, 1)}
		r.run(1000)
		r.laws(cfg)
		if s := &r.stats; s[stat.BurstsWritten] != atoms || s[stat.DRAMWriteBytes] != 64*atoms {
			t.Errorf("%d bytes: %d bursts and %d bytes written, want %d atoms of 64", size, s[stat.BurstsWritten], s[stat.DRAMWriteBytes], atoms)
		}
		want := *before
		copy(want[128-size:], line[128-size:])
		if r.slice[0].replies[0].data != want {
			t.Errorf("%d bytes: the block reads differently afterwards", size)
		}
	}
}

// With both clocks equal, latencies are sums. A request sent at cycle s is taken at s+1 and
// waits for the fixed latency; one clock later it enters the queue, its bank takes it and
// may activate. Data leave the pipe CL or WL after the last column command, go to the link
// in the next clock, and are there one cycle later.
func TestJointLatenciesAreHandSums(t *testing.T) {
	const (
		toQueue  = 1 + 100 + 1
		fromPipe = 1 + 1
		rcd, rp  = 12, 12
		rcdwr    = 12 - (4 + 1)
		cl, wl   = 12, 4
		ccdl     = 3
	)
	ack := writeOf(base, patternOf(0, 0))
	ack.req.Ack = true
	silent := writeOf(base, patternOf(0, 0))
	for _, c := range []struct {
		name    string
		opener  bool
		request scripted
		want    sim.Cycle
	}{
		{"read, row closed", false, readOf(base, 1), toQueue + rcd + ccdl + cl + fromPipe},
		{"read, row open", true, readOf(base+sameRow, 1), toQueue + ccdl + cl + fromPipe},
		{"read, another row", true, readOf(base+nextRow, 1), toQueue + rp + rcd + ccdl + cl + fromPipe},
		{"acknowledged write, row closed", false, ack, toQueue + rcdwr + ccdl + wl + fromPipe},
		{"acknowledged write, row open", true, ack, toQueue + ccdl + wl + fromPipe},
		{"write without acknowledgement", true, silent, 0},
	} {
		cfg := jointConfig(t, 1, sameClock, codec.NewRaw(64), 2)
		r := newRig(t, cfg, rigBytes)
		r.check(cfg)
		if c.opener {
			r.slice[0].script = []scripted{readOf(base, 0)}
		}
		c.request.at = 500
		c.request.req.Tag = 7
		r.slice[0].script = append(r.slice[0].script, c.request)
		r.run(1000)
		r.laws(cfg)
		got := sim.Cycle(0)
		for _, x := range slices.Concat(r.slice[0].replies, r.slice[0].acks) {
			if x.tag == 7 {
				got = x.at - 500
			}
		}
		if got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
	}
}

// A request that its bank has taken does not count: with a queue of 16 and all requests to
// rows of one bank, 17 are with the device. Requests that are already on their way wait in
// front of it, and the link keeps the rest.
func TestJointQueueBound(t *testing.T) {
	cfg := jointConfig(t, 1, sameClock, codec.NewRaw(64), 2)
	cfg.DRAM.RAS, cfg.DRAM.RC = 1000, 1000 // each row takes 1,000 clocks
	r := newRig(t, cfg, 8<<20)
	for i := range 200 {
		q := readOf(base+uint64(i)*nextRow, i)
		q.at = sim.Cycle(2 * i)
		r.slice[0].script = append(r.slice[0].script, q)
	}
	r.run(900)
	j := r.control.channels[0].schedule.(*jointSchedule).device
	if j.length != 16 || j.busy != 1 {
		t.Errorf("%d requests in the queue, banks %b serve one, want 16 and bank 0", j.length, j.busy)
	}
	// The first has gone; 17 are with the device. Request 17 entered at clock 136, and
	// one was taken every second cycle until then.
	if w := r.control.Waiting(0, r.engine.Now()); w.RequestBlockedBy != blockedNames[jointQueueFull] || w.Arrived != 16 || j.delayed < 40 || j.delayed > cfg.delayed() {
		t.Errorf("%d requests on their way, in front: %+v", j.delayed, w)
	}
}

// Under compression a block that waits for its metadata lets others pass.
func TestJointBlocksPassThoseThatWaitForMetadata(t *testing.T) {
	cfg := jointConfig(t, 1, sameClock, byFirstByte{64, 0, 0}, 2)
	r := newRig(t, cfg, rigBytes)
	r.check(cfg)
	// The first block brings the metadata of its neighbour; a block 512 kB away has others.
	far := readOf(base+512<<10, 1)
	near := readOf(base+sameRow, 2)
	far.at, near.at = 1000, 1001
	r.slice[0].script = []scripted{readOf(base, 0), far, near}
	r.run(2000)
	r.laws(cfg)
	order := fmt.Sprint(r.slice[0].replies[1].tag, r.slice[0].replies[2].tag)
	if order != "2 1" {
		t.Errorf("replies in the order %s, want 2 1", order)
	}
}

// Random traffic keeps every rule of the device and every law of the counters, with and
// without compression.
func TestJointTrafficIsLegal(t *testing.T) {
	commands, refreshes := 0, uint64(0)
	for seed := range uint64(runsPerDevice()) {
		rnd := sim.NewRand(seed, 78)
		chips := 1 + rnd.Intn(2)
		var scheme codec.Scheme = codec.NewRaw(32 * chips)
		if rnd.Intn(2) == 0 {
			scheme = byFirstByte{32 * chips, rnd.Intn(50), rnd.Intn(30)}
		}
		cfg := jointConfig(t, 1, []sim.ClockRatio{coreOverDRAM, {Num: 924, Den: 700}, {Num: 1497, Den: 700}}[rnd.Intn(3)], scheme, chips)
		cfg.Metadata.Bytes = []int{0, 512, 8192}[rnd.Intn(3)]
		if rnd.Intn(3) == 0 {
			cfg.DRAM = cfg.DRAM.GDDR5Refresh(924)
			cfg.DRAM.Refresh = dram.RefreshMode(rnd.Intn(2))
		}
		v := traffic{requests: 150, lines: 8 << rnd.Intn(9), writes: rnd.Intn(9), gap: []int{0, 0, 20, 200}[rnd.Intn(4)], partial: !scheme.Compressed(), seed: seed}
		r := newRig(t, cfg, 256<<10)
		k := dram.NewChecker(cfg.DRAM, scheme.MAGBytes())
		r.control.Watch(0, k)
		want := r.script(cfg, v, anyByte)
		r.run(sim.Cycle(2*v.gap*v.requests + 40000))
		r.laws(cfg)
		k.End(cfg.Clock.Local(r.engine.Now()))
		refreshes += r.stats[stat.Refreshes]
		if k.Err() != nil || len(r.slice[0].replies) != len(want) {
			t.Fatalf("run %d: %v; %d replies to %d reads", seed, k.Err(), len(r.slice[0].replies), len(want))
		}
		commands += k.Count()
	}
	if commands < 100*runsPerDevice() || refreshes == 0 {
		t.Errorf("only %d commands, %d refreshes", commands, refreshes)
	}
}
