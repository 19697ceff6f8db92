package memctrl

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/golden"
)

// device is a DRAM type in the configuration of a machine.
type device struct {
	name  string
	spec  dram.Spec
	text  string // address map
	mag   int
	clock sim.ClockRatio
}

// devices are the DRAM types, with the clocks of machines that have them.
func devices() []device {
	fermi, pascal, volta := sim.ClockRatio{Num: 924, Den: 700}, sim.ClockRatio{Num: 715, Den: 1480}, sim.ClockRatio{Num: 850, Den: 1132}
	groups := dram.GDDR5_8Gb_x32()
	groups.BankGroups = 4
	inTurn := dram.HBM2_8Gb()
	inTurn.Refresh = dram.RefreshPerBank
	return []device{
		{"gtx480", dram.GTX480(), dram.MapGTX480, 32, fermi},
		{"gtx480 refreshed", dram.GTX480().GDDR5Refresh(924), dram.MapGTX480, 32, fermi},
		{"gtx580v4", dram.GTX580(), dram.MapGTX480, 32, coreOverDRAM},
		{"gddr5-8gb-x32", dram.GDDR5_8Gb_x32(), dram.MapGDDR5_8Gb_x32, 32, sameClock},
		{"gddr5-8gb-x32 bank groups", groups, dram.MapGTX480Rows4K, 32, sameClock},
		{"p100", dram.P100(), dram.MapP100, 32, pascal},
		{"p100 refreshed", dram.P100().HBM2Refresh(715), dram.MapP100, 32, pascal},
		{"v100", dram.V100(), dram.MapV100, 32, volta},
		{"v100 refreshed", dram.V100().HBM2Refresh(850), dram.MapV100, 32, volta},
		{"hbm2-8gb legacy", dram.HBM2_8Gb(), dram.MapHBM2_8Gb, 64, sameClock},
		{"hbm2-8gb bank by bank", inTurn, dram.MapHBM2_8Gb, 64, sameClock},
		{"hbm2-8gb pseudo-channel", dram.HBM2_8Gb().PseudoChannel(), dram.MapA100, 32, sameClock},
		{"a100", dram.A100(), dram.MapA100, 32, sim.ClockRatio{Num: 1215, Den: 1410}},
		{"h100", dram.H100(), dram.MapHBM3, 32, sim.ClockRatio{Num: 1309, Den: 1980}},
		{"gddr6", dram.GDDR6(), dram.MapRTX2060, 32, sim.ClockRatio{Num: 1750, Den: 1365}},
		{"gddr6x", dram.GDDR6X(), dram.MapRTX2060, 32, sim.ClockRatio{Num: 1219, Den: 1695}},
		{"lpddr5", dram.LPDDR5(), dram.MapRTX2060, 32, sameClock},
		{"lpddr5x", dram.LPDDR5X(), dram.MapRTX2060, 32, sameClock},
		{"h200", dram.H200(), dram.MapHBM3, 32, sim.ClockRatio{Num: 1600, Den: 1980}},
	}
}

func (d *device) config(tb testing.TB, scheme codec.Scheme) Config {
	cfg := testConfig(tb, 1, d.clock, scheme)
	cfg.DRAM = d.spec
	var err error
	if cfg.Map, err = dram.ParseAddressMap(d.text, 1, dram.HashNone); err != nil {
		tb.Fatal(err)
	}
	return cfg
}

// leastShare is the least share of the peak that a stream must reach on a device: nearly all of it, unless refreshes
// take their time. Those of GDDR6 stop all banks and open rows again more often than those of other devices do. Those of
// LPDDR5 take one bank after the other, and the stream waits where it comes to a bank that is being refreshed.
func leastShare(device string) float64 {
	switch device {
	case "gddr6x":
		return 0.912
	case "gddr6":
		return 0.914
	case "lpddr5", "lpddr5x":
		return 0.984
	}
	return 0.9995
}

// A stream of reads keeps the bus busy on every device, except while a refresh stops all
// banks; every cycle is accounted for. The table of README.md is compared with the
// measurement.
func TestStreamingReadsReachPeakOnEveryDevice(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	var rows [][]string
	var stopped, unstopped []float64 // shares with a refresh of all banks, and without
	for _, d := range devices() {
		cfg := d.config(t, codec.NewRaw(d.mag))
		r := newRig(t, cfg, 8<<20)
		r.check(cfg)
		r.slice[0].onReply = func(sim.Cycle, *Reply) {}
		for i := range 8 << 20 / 128 {
			r.slice[0].script = append(r.slice[0].script, readOf(base+uint64(i)*128, i))
		}
		const until = 60000
		r.run(until)
		s := &r.stats
		cycles := float64(s[stat.DRAMCycles])
		share := func(c stat.Counter) float64 { return float64(s[c]) / cycles }
		t.Logf("%-26s read %.4f turnaround %.4f refresh %.4f bank %.4f idle %.4f; row hits %.4f",
			d.name, share(stat.BusReadCycles), share(stat.BusTurnaroundCycles), share(stat.BusRefreshCycles),
			share(stat.BusBankCycles), share(stat.BusIdleCycles), float64(s[stat.RowHits])/float64(s[stat.BurstsRead]))
		got, floor := share(stat.BusReadCycles), leastShare(d.name)
		if d.spec.REFI > 0 && d.spec.Refresh == dram.RefreshAllBanks {
			floor = min(floor, 0.9225)
			stopped = append(stopped, got)
		} else {
			unstopped = append(unstopped, got)
		}
		if got < floor {
			t.Errorf("%s: %.4f of peak", d.name, got)
		}
		row := []string{d.name}
		for _, v := range []float64{got, share(stat.BusRefreshCycles), share(stat.BusBankCycles), share(stat.BusIdleCycles)} {
			row = append(row, fmt.Sprintf("%.4f", v))
		}
		rows = append(rows, row)
		causes := s[stat.BusReadCycles] + s[stat.BusTurnaroundCycles] + s[stat.BusRefreshCycles] + s[stat.BusBankCycles] + s[stat.BusIdleCycles] + s[stat.BusPendingCycles]
		if causes != s[stat.DRAMCycles]+s[stat.BusAheadCycles] {
			t.Errorf("%s: causes add up to %d of %d cycles", d.name, causes, s[stat.DRAMCycles])
		}
		if s[stat.BusTurnaroundCycles] != 0 || d.spec.REFI == 0 && s[stat.BusRefreshCycles] != 0 {
			t.Errorf("%s: %d cycles of turnaround, %d of refresh", d.name, s[stat.BusTurnaroundCycles], s[stat.BusRefreshCycles])
		}
		// All banks rest for RFC at each refresh, less the rest of the last burst; closing
		// rows, one command each, is added.
		least, most := d.spec.RFC-d.spec.CL, d.spec.RFC+d.spec.RAS+d.spec.RP+d.spec.Banks
		if n := int(s[stat.Refreshes]); d.spec.Refresh == dram.RefreshAllBanks && (int(s[stat.BusRefreshCycles]) < n*least || int(s[stat.BusRefreshCycles]) > n*most) {
			t.Errorf("%s: %d cycles of refresh for %d refreshes", d.name, s[stat.BusRefreshCycles], n)
		}
	}
	golden.Table(t, "README.md", "streaming reads", []string{"device", "read", "refresh", "bank", "idle"}, rows)
	golden.Words(t, "../VALIDATION.md", fmt.Sprintf("at least %.4f of the data bus", slices.Min(unstopped)))
	golden.Words(t, "../VALIDATION.md", fmt.Sprintf("%.3f to %.3f where one does", slices.Min(stopped), slices.Max(stopped)))
}

// runsPerDevice is the number of random runs of a device: all runs if CI is set, a sample
// otherwise. With -short, which is how CI runs these tests in WebAssembly, it is a small sample
// in any case: the same seeds have been through the same code natively, and all that the other
// runs could show is a fault of the compiler.
func runsPerDevice() int {
	switch {
	case testing.Short():
		return 8
	case os.Getenv("CI") != "":
		return 300
	}
	return 60
}

// random returns a configuration of a device, traffic, and a cycle by which the traffic
// has been served.
func (d *device) random(tb testing.TB, seed uint64) (Config, traffic, sim.Cycle) {
	rnd := sim.NewRand(seed, 77)
	var scheme codec.Scheme = codec.NewRaw(d.mag)
	if rnd.Intn(2) == 0 {
		scheme = byFirstByte{d.mag, rnd.Intn(50), rnd.Intn(30)}
	}
	cfg := d.config(tb, scheme)
	cfg.RowPolicy, cfg.RowTimeoutCycles = RowPolicy(rnd.Intn(4)), 1+rnd.Intn(200)
	cfg.RowHitCap = 1 + rnd.Intn(20)
	cfg.WriteHigh = 2 + rnd.Intn(cfg.WriteQueue-1)
	cfg.WriteLow = rnd.Intn(cfg.WriteHigh)
	cfg.Metadata.Bytes = []int{0, 512, 8192}[rnd.Intn(3)]
	if rnd.Intn(2) == 0 && d.spec.RFCPB > 0 {
		cfg.DRAM.Refresh = dram.RefreshPerBank
	}
	v := traffic{requests: 120, lines: 8 << rnd.Intn(9), writes: rnd.Intn(9), gap: []int{0, 0, 20, 200}[rnd.Intn(4)], seed: seed}
	return cfg, v, sim.Cycle(2*v.gap*v.requests + 40000)
}

// Cutting a run anywhere and reading its counters changes nothing, on any device and with
// any policy.
func TestSlicingChangesNothingOnEveryDevice(t *testing.T) {
	for _, d := range devices() {
		for seed := range uint64(runsPerDevice() / 10) {
			cfg, v, end := d.random(t, seed)
			var digests [2]uint64
			for way := range digests {
				r := newRig(t, cfg, 256<<10)
				r.script(cfg, v, anyByte)
				r.engine.Seal()
				rnd := sim.NewRand(seed, 3)
				for at := sim.Cycle(0); way == 1 && at < end; at += sim.Cycle(1 + rnd.Intn(700)) {
					r.engine.Advance(at)
					r.control.Settle(at)
				}
				r.engine.Advance(end)
				r.control.Settle(end)
				digests[way] = r.digest()
			}
			if digests[0] != digests[1] {
				t.Errorf("%s, run %d (row policy %d, refresh mode %d): digests %x", d.name, seed, cfg.RowPolicy, cfg.DRAM.Refresh, digests)
			}
		}
	}
}

// Random traffic under random policies never breaks a rule of the standard, and
// every law of the counters holds.
func TestRandomTrafficIsLegalOnEveryDevice(t *testing.T) {
	for _, d := range devices() {
		commands, refreshes, runs := 0, uint64(0), runsPerDevice()
		for seed := range runs {
			cfg, v, end := d.random(t, uint64(seed))
			r := newRig(t, cfg, 256<<10)
			k := dram.NewChecker(cfg.DRAM, d.mag)
			r.control.Watch(0, k)
			want := r.script(cfg, v, anyByte)
			r.run(end)
			r.laws(cfg)
			k.End(cfg.Clock.Local(end))
			if k.Err() != nil || len(r.slice[0].replies) != len(want) {
				t.Fatalf("%s, run %d: %v; %d replies to %d reads", d.name, seed, k.Err(), len(r.slice[0].replies), len(want))
			}
			commands += k.Count()
			refreshes += r.stats[stat.Refreshes]
		}
		if commands < 300*runs || d.spec.REFI > 0 && refreshes == 0 {
			t.Errorf("%s: only %d commands, %d refreshes in %d runs", d.name, commands, refreshes, runs)
		}
		t.Logf("%-26s %d runs, %d commands, %d refreshes", d.name, runs, commands, refreshes)
	}
}
