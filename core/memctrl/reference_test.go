package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// dramsim3 is DRAMsim3's GDDR5_8Gb_x32 as shipped: four chips in step, one burst
// of 128 bytes a request, clock 0.667 ns, map rochrababgco. It limits activates to
// 32 in 360 cycles, which a window of four in 45 stands for here.
func dramsim3(t *testing.T) Config {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(128))
	cfg.DRAM = dram.Spec{
		Name: "DRAMsim3 GDDR5", Source: "DRAMsim3 configs/GDDR5_8Gb_x32.ini",
		Banks: 16, BankGroups: 4, RowBytes: 16384, BytesPerCommandClock: 64, BurstBytes: 128,
		RCD: 24, RAS: 56, RP: 24, RC: 80, RRD: 10, CCD: 2, CCDL: 3, CL: 24, WL: 7,
		CDLR: 10, WR: 24, RTP: 2, FAW: 45, RFC: 74, REFI: 3800,
	}
	var err error
	if cfg.Map, err = dram.ParseAddressMap("dramid@8; RRRRRRRR.RRRRRRBB.BBCCCCCC.CSSSSSSS", 1, dram.HashNone); err != nil {
		t.Fatal(err)
	}
	cfg.Metadata.Bytes = 0
	return cfg
}

// Share of peak bandwidth and latency that DRAMsim3 measures for the same device
// and patterns. Its reordering is by a queue of 32 and eight places for each bank;
// ours is one queue, whose length is chosen to see as far: 160 blocks over all
// banks, 8 in one bank.
func TestAgainstDRAMsim3(t *testing.T) {
	const size = 32 << 20
	random := uint64(1)
	for _, c := range []struct {
		name      string
		queue     int
		addr      func(i uint64) uint64
		share     float64 // DRAMsim3's
		tolerance float64
	}{
		{"sequential", 160, func(i uint64) uint64 { return i * 128 }, 0.945, 0.04},
		{"stride 1 KB", 160, func(i uint64) uint64 { return i * 1024 }, 0.9409, 0.06},
		{"random", 160, func(uint64) uint64 {
			random = random*6364136223846793005 + 1442695040888963407
			return random >> 20
		}, 0.1703, 0.015}, // 32 MB instead of 1 GB: 128 rows a bank, so 7 % row hits
		{"16 streams in one bank", 8, func(i uint64) uint64 { return i%16*(2<<20) + i/16*128 }, 0.0248, 0.0005},
	} {
		cfg := dramsim3(t)
		cfg.ReadQueue = c.queue
		r := newRig(t, cfg, size)
		r.check(cfg)
		r.control.ResetBlocks()
		s := r.slice[0]
		for i := range uint64(60000) {
			s.script = append(s.script, readOf(base+c.addr(i)%size&^127, int(i)))
		}
		s.onReply = func(sim.Cycle, *Reply) {}
		const until = 100000
		r.run(until)
		share := float64(r.stats[stat.DataBusBusyCycles]) / until
		t.Logf("%s: %.4f of peak, DRAMsim3 %.4f", c.name, share, c.share)
		if share < c.share-c.tolerance || share > c.share+c.tolerance {
			t.Errorf("%s: %.4f of peak, DRAMsim3 %.4f", c.name, share, c.share)
		}
	}
}

// One read at a time: DRAMsim3's 28.0 cycles for sequential and 71.6 for random
// addresses, from acceptance to return.
func TestLatencyAgainstDRAMsim3(t *testing.T) {
	const size = 32 << 20
	rnd := sim.NewRand(1, 1)
	for _, c := range []struct {
		name string
		addr func(i int) mem.Addr
		want float64
	}{
		{"sequential", func(i int) mem.Addr { return base + uint64(i)*128 }, 28.02},
		{"random", func(int) mem.Addr { return base + uint64(rnd.Intn(size/128))*128 }, 71.58},
	} {
		cfg := dramsim3(t)
		r := newRig(t, cfg, size)
		var sum, n float64
		s := r.slice[0]
		s.window = 1
		for i := range 2000 {
			s.script = append(s.script, readOf(c.addr(i), i))
		}
		last := sim.Cycle(0)
		s.onReply = func(now sim.Cycle, _ *Reply) {
			sum, n, last = sum+float64(now-last), n+1, now
		}
		r.run(400000)
		// The time between replies holds two link cycles that are not DRAM's.
		mean := sum/n - 2
		t.Logf("%s: %.2f cycles, DRAMsim3 %.2f", c.name, mean, c.want)
		if mean < c.want-3 || mean > c.want+3 {
			t.Errorf("%s: %.2f cycles, DRAMsim3 %.2f", c.name, mean, c.want)
		}
	}
}
