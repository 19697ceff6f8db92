package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// pump keeps a window of reads in flight on one channel without end.
type pump struct {
	rig     *rig
	out     *sim.Link[Request]
	in      *sim.Link[Reply]
	addr    func(i int) mem.Addr
	sent    int
	back    int
	window  int
	writing int // of 8 requests
	line    mem.Line
	mask    mem.ByteMask
}

func (p *pump) Tick(now sim.Cycle) sim.Cycle {
	for {
		r, ok := p.in.Recv(now)
		if !ok {
			break
		}
		p.rig.arena.Free(r.Data)
		p.back++
	}
	for p.sent-p.back < p.window && p.out.CanSend(now) {
		q := Request{Addr: p.addr(p.sent), Mask: p.mask, Tag: uint32(p.sent)}
		if p.sent&7 < p.writing {
			q.Write, q.Data = true, p.rig.arena.New()
			*p.rig.arena.Line(q.Data) = p.line
			p.back++
		}
		p.out.Send(now, q)
		p.sent++
	}
	return sim.Never
}

const pumpLines = rigBytes / 128

func newPump(tb testing.TB, cfg Config, writing int, addr func(i int) mem.Addr) (*rig, *pump) {
	r := newRig(tb, cfg, rigBytes)
	for i := range pumpLines {
		r.image.WriteLine(base+uint64(i)*128, patternOf(i, byte(i%4)))
	}
	r.control.ResetBlocks()
	p := &pump{rig: r, addr: addr, window: 64, writing: writing, mask: mem.FullMask}
	id := r.engine.Add(p)
	p.out = sim.Connect[Request](&r.engine, id, 0, 16, 1)
	p.in = sim.Connect[Reply](&r.engine, 0, id, 16, 1)
	r.control.Attach(0, p.out, p.in)
	r.engine.Seal()
	return r, p
}

func sequential(i int) mem.Addr { return base + uint64(i)%pumpLines*128 }

func scattered(i int) mem.Addr {
	return base + (uint64(i)*2654435761>>7)%pumpLines*128
}

func TestTickingDoesNotAllocate(t *testing.T) {
	for name, cfg := range shapes(t) {
		cfg.Channels = 1
		if cfg.DRAM.SeparateRowBus {
			continue // another map
		}
		cfg.Map = mapOf(t, 1, 0)
		cfg.Paranoid = false
		r, _ := newPump(t, cfg, 3, scattered)
		at := sim.Cycle(50000)
		r.engine.Advance(at)
		if n := testing.AllocsPerRun(20, func() {
			at += 2000
			r.engine.Advance(at)
		}); n != 0 {
			t.Errorf("%s: %v allocations in 2000 cycles", name, n)
		}
	}
}

func benchmark(b *testing.B, scheme codec.Scheme, writing int, addr func(i int) mem.Addr) {
	benchmarkMasked(b, scheme, writing, addr, mem.FullMask)
}

func benchmarkMasked(b *testing.B, scheme codec.Scheme, writing int, addr func(i int) mem.Addr, mask mem.ByteMask) {
	cfg := testConfig(b, 1, coreOverDRAM, scheme)
	cfg.SectorFill = !mask.Full()
	cfg.FixedLatencyCycles = DRAMFixedLatencyCycles
	benchmarkConfig(b, cfg, writing, addr, mask)
}

func benchmarkConfig(b *testing.B, cfg Config, writing int, addr func(i int) mem.Addr, mask mem.ByteMask) {
	r, p := newPump(b, cfg, writing, addr)
	if p.mask = mask; !mask.Full() {
		p.window = 160 // more requests for the same number of bytes in flight
	}
	at, begin := sim.Cycle(0), cpuSeconds()
	for b.Loop() {
		at += 10000
		r.engine.Advance(at)
	}
	spent := cpuSeconds() - begin
	s := &r.stats
	b.ReportMetric(float64(p.back)/spent/1e6, "Mrequests/cpu-s")
	b.ReportMetric(float64(s[stat.BurstsRead]+s[stat.BurstsWritten])/spent/1e6, "Mbursts/cpu-s")
	b.ReportMetric(float64(at)/spent/1e6, "Mcycles/cpu-s")
	b.ReportMetric(float64(s[stat.DataBusBusyCycles])/float64(cfg.Clock.Local(at)), "utilisation")
}

func BenchmarkStreamingReads(b *testing.B) { benchmark(b, codec.NewRaw(32), 0, sequential) }
func BenchmarkRandomReads(b *testing.B)    { benchmark(b, codec.NewRaw(32), 0, scattered) }

// One request for each burst of 32 bytes, as in DRAMsim3. DRAMsim3 simulates 0.64 million
// requests a second streaming, 0.085 million at random.
func BenchmarkStreamingBursts(b *testing.B) {
	benchmarkMasked(b, codec.NewRaw(32), 0, sequential, mem.SectorMask(1))
}
func BenchmarkRandomBursts(b *testing.B) {
	benchmarkMasked(b, codec.NewRaw(32), 0, scattered, mem.SectorMask(1))
}
func BenchmarkStreamingMixed(b *testing.B) { benchmark(b, codec.NewRaw(32), 3, sequential) }
func BenchmarkStreamingCompressed(b *testing.B) {
	benchmark(b, byFirstByte{32, 46, 20}, 0, sequential)
}
func BenchmarkRandomCompressed(b *testing.B) { benchmark(b, byFirstByte{32, 46, 20}, 3, scattered) }

// The joint schedule, with as many requests in flight as the partitions of GPGPU-Sim 3.2.1.
func BenchmarkJointStreaming(b *testing.B) {
	benchmarkConfig(b, jointConfig(b, 1, coreOverDRAM, codec.NewRaw(64), 2), 3, sequential, mem.FullMask)
}
func BenchmarkJointRandom(b *testing.B) {
	benchmarkConfig(b, jointConfig(b, 1, coreOverDRAM, codec.NewRaw(64), 2), 3, scattered, mem.FullMask)
}
