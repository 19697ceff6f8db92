package memctrl

import (
	"maps"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// recorder notes when each transfer of a port is complete.
type recorder struct{ end map[int16]Moved }

func (r *recorder) Moved(_ int, i int16, m Moved) bool {
	r.end[i] = m
	return false
}

// linkRequest is a transfer of a test.
type linkRequest struct {
	port    int
	at      uint64
	addr    uint64
	sectors int
	write   bool
}

// slowLink is a link that moves one unit of each channel after the other. It keeps a queue of
// packets for each channel and direction.
type slowLink struct {
	cfg     LinkConfig
	mhz     uint64
	transit uint64
	queue   [2][][]*slowPacket
	busy    uint64
}

type slowPacket struct {
	request int
	ready   uint64 // unit
	left    uint64 // units
	data    uint64 // bytes that come in afterwards; 0 = last packet
}

// run returns the cycle in which each request is complete.
func (l *slowLink) run(requests []linkRequest, cycles uint64) map[int]uint64 {
	done := map[int]uint64{}
	perCycle, perByte := uint64(l.cfg.MBPerSecond), l.mhz*uint64(l.cfg.Channels)
	for d := range l.queue {
		l.queue[d] = make([][]*slowPacket, l.cfg.Channels)
	}
	next := 0
	for cycle := range cycles {
		for ; next < len(requests) && requests[next].at == cycle; next++ {
			r := requests[next]
			c := r.addr / 128 % uint64(l.cfg.Channels)
			p := &slowPacket{request: next, ready: cycle * perCycle, left: uint64(l.cfg.HeaderBytes) * perByte}
			if data := uint64(32 * r.sectors); r.write {
				p.left += data * perByte
			} else {
				p.data = data
			}
			l.queue[LinkOut][c] = append(l.queue[LinkOut][c], p)
		}
		if len(done) == len(requests) {
			break
		}
		for d := range l.queue {
			for c := range l.queue[d] {
				l.pass(d, c, cycle*perCycle, perCycle, perByte, done)
			}
		}
	}
	return done
}

// pass moves one cycle's units of a channel.
func (l *slowLink) pass(d, c int, now, perCycle, perByte uint64, done map[int]uint64) {
	used := false
	for at := now; at < now+perCycle; at++ {
		q := l.queue[d][c]
		if len(q) == 0 || q[0].ready > at {
			continue
		}
		used = true
		if q[0].left--; q[0].left > 0 {
			continue
		}
		p := q[0]
		l.queue[d][c] = q[1:]
		end := at + 1
		if p.data == 0 {
			done[p.request] = (end + perCycle - 1) / perCycle
			continue
		}
		l.queue[LinkIn][c] = append(l.queue[LinkIn][c], &slowPacket{request: p.request, ready: end + l.transit, left: (uint64(l.cfg.HeaderBytes) + p.data) * perByte})
	}
	if used {
		l.busy++
	}
}

// linkCounters are those of a memory that no system has.
var linkCounters = LinkCounters{stat.FirstPlace, stat.FirstPlace + 1, stat.FirstPlace + 2, stat.FirstPlace + 3}

func hbmConfig(t testing.TB, channels int) Config {
	c := testConfig(t, channels, sim.ClockRatio{Num: 875, Den: 1300}, byFirstByte{32, 11, 11})
	c.DRAM = dram.P100()
	c.CommandMHz = 875
	c.Map, _ = dram.ParseAddressMap(dram.MapP100, channels, dram.HashBank)
	c.FixedLatencyCycles = 100
	return c
}

// The times of random transfers of several ports are those of a link that moves unit by unit:
// other channels, other directions, and contention among ports.
func TestLinkIsThatOfItsTwin(t *testing.T) {
	rnd := sim.NewRand(7, 1)
	rounds := 24
	if testing.Short() {
		rounds = 8
	}
	for round := range rounds {
		cfg := hbmConfig(t, 2)
		// Rates of a few units a cycle keep the twin fast; a channel is a fraction of them.
		cfg.CommandMHz = 1 + rnd.Intn(3)
		c := LinkConfig{Channels: 1 + rnd.Intn(6), MBPerSecond: 20 + rnd.Intn(200), HeaderBytes: []int{0, 16, 32}[rnd.Intn(3)], LatencyFactor: 1 + rnd.Intn(3), Counters: linkCounters}
		if c.HeaderBytes == 0 {
			c.HeaderBytes = 8 // a packet of no bytes takes no unit
		}
		l, err := NewLink(c, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		var stats stat.Set
		ports := []*recorder{{map[int16]Moved{}}, {map[int16]Moved{}}, {map[int16]Moved{}}}
		var backings []Backing
		for _, p := range ports {
			backings = append(backings, l.Port(p, &stats, &cfg))
		}
		var requests []linkRequest
		at := uint64(0)
		for range 60 {
			at += uint64(rnd.Intn(12))
			requests = append(requests, linkRequest{rnd.Intn(len(ports)), at, uint64(rnd.Intn(64)) * 128, 1 + rnd.Intn(4), rnd.Intn(3) == 0})
		}
		for i, r := range requests {
			v := Transfer{Addr: r.addr, Bursts: uint8(1<<r.sectors - 1)}
			if r.write {
				v.Class = WriteBlock
			}
			backings[r.port].Take(int16(i), &v, r.at)
			backings[r.port].Start(int16(i), r.at)
		}
		twin := slowLink{cfg: c, mhz: uint64(cfg.CommandMHz), transit: l.transit}
		want := twin.run(requests, 20000)
		var bytes, headers, writes uint64
		for cycle := range slices.Max(slices.Collect(maps.Values(want))) + 1 {
			for k, b := range backings {
				b.Run(cycle + 1)
				for i, m := range ports[k].end {
					if m.End > cycle {
						t.Fatalf("round %d: transfer %d is complete in cycle %d, before %d", round, i, cycle, m.End)
					}
				}
			}
		}
		for i, r := range requests {
			m, ok := ports[r.port].end[int16(i)]
			if !ok || m.End != want[i] || m.First < r.at || m.Column < m.First || m.End < m.Column {
				t.Fatalf("round %d, %+v: transfer %d of %+v ends at %d (%+v), in the twin at %d", round, c, i, r, m.End, m, want[i])
			}
			headers++
			if r.write {
				writes++
			} else {
				headers++
			}
			bytes += uint64(32 * r.sectors)
		}
		if got := stats[stat.LinkOutBytes] + stats[stat.LinkInBytes]; got != bytes+headers*uint64(c.HeaderBytes) || stats[stat.LinkHeaderBytes] != headers*uint64(c.HeaderBytes) || stats[linkCounters.ReadBytes]+stats[linkCounters.WriteBytes] != bytes {
			t.Errorf("%d bytes passed, %d of headers; want %d and %d headers", got, stats[stat.LinkHeaderBytes], bytes, headers)
		}
		if r, w := stats[linkCounters.Reads], stats[linkCounters.Writes]; w != writes || r+w != uint64(len(requests)) {
			t.Errorf("%d reads and %d writes of %d, %d of them writes", r, w, len(requests), writes)
		}
		if busy := stats[stat.LinkBusyCycles]; busy > twin.busy || busy+2*60 < twin.busy {
			t.Errorf("round %d: busy for %d cycles, the twin in %d", round, busy, twin.busy)
		}
	}
}

// An unloaded read of one sector takes twice an unloaded read of device memory, reply
// included, or as often as the factor says.
func TestUnloadedBuddyLatency(t *testing.T) {
	cfg := hbmConfig(t, 1)
	timing, err := cfg.DRAM.Resolve(32)
	if err != nil {
		t.Fatal(err)
	}
	fixed := cfg.Clock.Local(100)
	local := timing.RCD + timing.CL + timing.BurstCycles + fixed
	for factor := uint64(1); factor <= 4; factor++ {
		l, err := NewLink(LinkConfig{6, 150_000, 32, int(factor), linkCounters}, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		var stats stat.Set
		r := &recorder{map[int16]Moved{}}
		p := l.Port(r, &stats, &cfg)
		p.Take(0, &Transfer{Bursts: 0b1000}, 50)
		p.Start(0, 50)
		p.Run(never)
		if got := r.end[0].End - 50 + fixed; got != factor*local {
			t.Errorf("factor %d: %d cycles, a read of device memory takes %d", factor, got, local)
		}
	}
}

// Twice the bandwidth passes a stream in half the time, and the directions do not hinder each
// other: reads and writes together take as long as the longer of them.
func TestLinkBandwidthAndDirections(t *testing.T) {
	cfg := hbmConfig(t, 1)
	stream := func(gbPerSecond int, reads, writes bool) float64 {
		l, err := NewLink(LinkConfig{6, gbPerSecond * 1000, 32, 2, linkCounters}, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		var stats stat.Set
		end := uint64(0)
		r := &recorder{map[int16]Moved{}}
		p := l.Port(r, &stats, &cfg)
		for i := range 6000 {
			if i%2 == 0 && reads || i%2 == 1 && writes {
				v := Transfer{Addr: uint64(i/2) * 128, Bursts: 0b1111}
				if i%2 == 1 {
					v.Class = WriteBlock
				}
				p.Take(0, &v, 0)
				p.Start(0, 0)
				p.Run(never)
				end = max(end, r.end[0].End)
			}
		}
		return float64(end)
	}
	// 3000 packets of 160 bytes at 150 GB/s take 3.2 us, 2800 cycles of 875 MHz.
	both, reads, writes := stream(150, true, true), stream(150, true, false), stream(150, false, true)
	if writes != 2800 || reads < writes || reads > writes+500 {
		t.Errorf("a stream of reads takes %v cycles, of writes %v", reads, writes)
	}
	// Each read sends a header in the direction of the writes.
	if want := 2800 * (160.0 + 32) / 160; both < want || both > want+500 {
		t.Errorf("reads and writes together take %v cycles, want %v and the latency", both, want)
	}
	if half := stream(300, false, true); half*2 != writes {
		t.Errorf("twice the bandwidth takes %v of %v cycles", half, writes)
	}
	if slow := stream(50, false, true); slow != 3*writes {
		t.Errorf("a third of the bandwidth takes %v of %v cycles", slow, writes)
	}
}

func TestLinkRefuses(t *testing.T) {
	cfg := hbmConfig(t, 1)
	good := LinkConfig{6, 150_000, 32, 2, linkCounters}
	for name, change := range map[string]func(*LinkConfig){
		"no channel": func(c *LinkConfig) { c.Channels = 0 }, "no bandwidth": func(c *LinkConfig) { c.MBPerSecond = 0 },
		"too fast": func(c *LinkConfig) { c.MBPerSecond = 1 << 40 }, "no latency": func(c *LinkConfig) { c.LatencyFactor = 0 },
		"negative headers": func(c *LinkConfig) { c.HeaderBytes = -1 },
		"no counter":       func(c *LinkConfig) { c.Counters.ReadBytes = stat.Invalid },
	} {
		c := good
		change(&c)
		if _, err := NewLink(c, &cfg); err == nil {
			t.Errorf("a link with %s is accepted", name)
		}
	}
}

// The first port carries the state of the link, so a copy goes on as the original would.
func TestLinkState(t *testing.T) {
	cfg := hbmConfig(t, 1)
	var stats stat.Set
	build := func() ([]Backing, []*recorder) {
		l, err := NewLink(LinkConfig{2, 50_000, 32, 2, linkCounters}, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		r := []*recorder{{map[int16]Moved{}}, {map[int16]Moved{}}}
		return []Backing{l.Port(r[0], &stats, &cfg), l.Port(r[1], &stats, &cfg)}, r
	}
	send := func(b []Backing, i int16, at uint64) {
		b[i%2].Take(i, &Transfer{Addr: uint64(i) * 256, Bursts: 0b1110}, at)
		b[i%2].Start(i, at)
	}
	ports, ends := build()
	for i := range int16(20) {
		send(ports, i, uint64(i))
	}
	copies, copied := build()
	paper := tape.NewTape()
	all := func(b []Backing) func(*tape.Tape) {
		return func(t *tape.Tape) {
			for _, p := range b {
				p.State(t)
			}
		}
	}
	paper.Load(all(copies), paper.Save(all(ports), nil))
	for _, b := range [][]Backing{ports, copies} {
		send(b, 20, 30)
		send(b, 21, 30)
		b[0].Run(never)
		b[1].Run(never)
	}
	for k := range ends {
		if len(ends[k].end) != 11 || len(copied[k].end) != 11 {
			t.Fatalf("%d and %d transfers are complete", len(ends[k].end), len(copied[k].end))
		}
		for i, m := range ends[k].end {
			if copied[k].end[i] != m {
				t.Errorf("transfer %d: %+v, in the copy %+v", i, m, copied[k].end[i])
			}
		}
	}
}
