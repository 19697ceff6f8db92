package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// If an unneeded row is closed, the next row of the bank is ready a precharge earlier, and
// the same row an activate later; sums by hand as in TestUnloadedLatenciesAreHandSums.
func TestRowPolicies(t *testing.T) {
	const (
		hit      = 2 + 3*3 + 12 + 2 + 1
		closed   = hit + 12
		conflict = closed + 12
	)
	for _, c := range []struct {
		name    string
		policy  RowPolicy
		timeout int
		gap     sim.Cycle
		same    sim.Cycle // latency of a second read of the same row
		other   sim.Cycle // and of another row of the bank
	}{
		{"open", RowOpen, 0, 500, hit, conflict},
		{"closed", RowClose, 0, 500, closed, closed},
		{"before the timeout", RowTimeout, 200, 150, hit, conflict},
		{"after the timeout", RowTimeout, 200, 500, closed, closed},
		{"adaptive, after the timeout", RowAdaptive, 200, 500, closed, closed},
	} {
		latency := func(second int) sim.Cycle {
			cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
			cfg.RowPolicy, cfg.RowTimeoutCycles = c.policy, c.timeout
			r := newRig(t, cfg, rigBytes)
			r.check(cfg)
			q := readOf(base+uint64(second), 1)
			q.at = c.gap
			r.slice[0].script = []scripted{readOf(base, 0), q}
			r.run(2000)
			r.laws(cfg)
			return r.slice[0].replies[1].at - c.gap
		}
		if got := latency(sameRow); got != c.same {
			t.Errorf("%s, same row: %d cycles, want %d", c.name, got, c.same)
		}
		if got := latency(nextRow); got != c.other {
			t.Errorf("%s, other row: %d cycles, want %d", c.name, got, c.other)
		}
	}
}

// A row opened at cycle 2 may close after RAS, 28 cycles later.
func TestRowsOpenCycles(t *testing.T) {
	for policy, want := range map[RowPolicy]uint64{RowOpen: 1000 - 2, RowClose: 28} {
		cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
		cfg.RowPolicy = policy
		r := newRig(t, cfg, rigBytes)
		r.slice[0].script = []scripted{readOf(base, 0)}
		r.engine.Seal()
		for _, at := range []sim.Cycle{1, 17, 300, 1000} { // the time of the read does not matter
			r.engine.Advance(at)
			r.control.Settle(at)
		}
		r.expect(t, map[stat.Counter]uint64{stat.RowsOpenCycles: want})
	}
}

// The adaptive time doubles until a row that is used every 400 cycles stays open. It
// shrinks again while rows conflict.
func TestAdaptiveRowsLearn(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	cfg.RowPolicy, cfg.RowTimeoutCycles = RowAdaptive, 50
	r := newRig(t, cfg, rigBytes)
	for i := range 20 {
		q := readOf(base, i)
		q.at = sim.Cycle(i * 400)
		r.slice[0].script = append(r.slice[0].script, q)
	}
	r.engine.Seal()
	r.engine.Advance(8000)
	// 50, 100, 200 and 400 less the read's own time are too short.
	if got := r.stats[stat.Activates]; got != 4 && got != 5 {
		t.Errorf("%d activates for a row used 20 times", got)
	}
	grown := r.control.channels[0].schedule.(*drainSchedule).device.rowTimeout[0]
	for i := range 20 {
		q := readOf(base+uint64(i%2*nextRow), i)
		q.at = sim.Cycle(8100 + i*100)
		r.slice[0].script = append(r.slice[0].script, q)
	}
	r.engine.Wake(1, 8100)
	r.engine.Advance(20000)
	if got := r.control.channels[0].schedule.(*drainSchedule).device.rowTimeout[0]; got >= grown {
		t.Errorf("the time grew to %d cycles and is %d after conflicts", grown, got)
	}
}

// Refreshing banks in turn leaves the others usable, so a stream loses hardly any cycles.
// Refreshing all banks at once costs RFC of every REFI.
func TestRefreshInTurnHidesBehindOtherBanks(t *testing.T) {
	var read [2]uint64
	for mode := range read {
		d := device{"", dram.HBM2_8Gb(), dram.MapHBM2_8Gb, 64, sameClock}
		d.spec.Refresh = dram.RefreshMode(mode)
		cfg := d.config(t, codec.NewRaw(64))
		r := newRig(t, cfg, 8<<20)
		r.check(cfg)
		r.slice[0].onReply = func(sim.Cycle, *Reply) {}
		for i := range 8 << 20 / 128 {
			r.slice[0].script = append(r.slice[0].script, readOf(base+uint64(i)*128, i))
		}
		r.run(39000)
		read[mode] = r.stats[stat.BusReadCycles]
		want := uint64(39000 / d.spec.REFI)
		if mode == int(dram.RefreshPerBank) {
			want *= uint64(d.spec.Banks)
		}
		if got := r.stats[stat.Refreshes]; got+1 < want || got > want {
			t.Errorf("mode %d: %d refreshes, want %d", mode, got, want)
		}
	}
	if lost := 39000 - read[1]; lost*10 > 39000-read[0] {
		t.Errorf("all banks at once lose %d cycles, in turn %d", 39000-read[0], lost)
	}
}
