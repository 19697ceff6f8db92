package memctrl

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/bits"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// traffic describes random requests.
type traffic struct {
	requests int
	lines    int // distinct lines, from the image's base
	streams  int // if not 0, so many streams take turns, each through its share of the lines
	writes   int // of 10
	gap      int // mean cycles between requests, 0 = as fast as possible
	partial  bool
	seed     uint64
}

// flat is the slow twin: memory without queues, in which the requests of a channel take
// effect in the order in which they are sent.
type flat map[mem.Addr]mem.Line

// script fills the slices with traffic and returns the expected data of each read.
func (r *rig) script(cfg Config, v traffic, first func(rnd *sim.Rand) byte) map[uint32]mem.Line {
	rnd := sim.NewRand(v.seed, 1)
	twin, want := flat{}, map[uint32]mem.Line{}
	for i := range v.lines {
		line := patternOf(i, first(&rnd))
		a := base + uint64(i)*128
		r.image.WriteLine(a, line)
		twin[a] = *line
	}
	r.control.ResetBlocks()
	touched := map[mem.Addr]bool{}
	reconstruct := func(a mem.Addr, line mem.Line) mem.Line {
		if cfg.Scheme.Compressed() {
			cfg.Scheme.Store(&line, codec.Region{Safe: true})
		}
		return line
	}
	now := sim.Cycle(0)
	for i := range v.requests {
		a := base + uint64(rnd.Intn(v.lines))*128
		if rnd.Intn(3) == 0 && i > 0 { // some locality, and reads soon after writes
			a = base + (a-base)%uint64(v.lines*128/8)&^127
		}
		if v.streams > 0 {
			share := v.lines / v.streams
			a = base + uint64(i%v.streams*share+i/v.streams%share)*128
		}
		s := r.slice[cfg.Map.Channel(a)]
		if v.gap > 0 {
			now += sim.Cycle(rnd.Intn(2*v.gap + 1))
		}
		if !touched[a] {
			twin[a] = reconstruct(a, twin[a])
			touched[a] = true
		}
		var q scripted
		if rnd.Intn(10) < v.writes {
			line := patternOf(1000000+i, first(&rnd))
			q = writeOf(a, line)
			q.req.Tag, q.req.Ack = uint32(i), i%2 == 0
			if v.partial {
				q.req.Mask = mem.ByteMask{}
				at := rnd.Intn(128)
				q.req.Mask.Set(at, 1+rnd.Intn(128-at))
				merged := twin[a]
				merged.Merge(line, q.req.Mask)
				twin[a] = merged
			} else {
				twin[a] = reconstruct(a, *line)
			}
		} else {
			q = readOf(a, i)
			want[uint32(i)] = twin[a]
		}
		q.at = now
		s.script = append(s.script, q)
	}
	return want
}

func anyByte(rnd *sim.Rand) byte { return byte(rnd.Uint32()) }

// shapes are the configurations for random traffic; in WebAssembly, which only has to give
// the same results, every third.
func shapes(t testing.TB) map[string]Config {
	v := map[string]Config{}
	for _, mag := range []int{16, 32, 64} {
		v[fmt.Sprintf("raw MAG %d", mag)] = testConfig(t, 2, coreOverDRAM, codec.NewRaw(mag))
		c := testConfig(t, 2, coreOverDRAM, byFirstByte{mag, 46, 20})
		c.Metadata.Bytes = 512 // small enough to miss
		v[fmt.Sprintf("compressed MAG %d", mag)] = c
	}
	hashed := v["compressed MAG 32"]
	hashed.Map = mapOf(t, 2, dram.HashBoth)
	hashed.Metadata.LookupCycles = 3
	v["hashed"] = hashed
	small := v["compressed MAG 32"]
	small.ReadQueue, small.WriteQueue, small.ReturnQueue, small.MetadataQueue = 2, 2, 1, 1
	small.WriteHigh, small.WriteLow = 2, 0
	v["queues of two"] = small
	hbm := testConfig(t, 2, sim.ClockRatio{Num: 715, Den: 1480}, codec.NewRaw(32))
	hbm.DRAM = dram.P100().HBM2Refresh(715)
	hbm.Map, _ = dram.ParseAddressMap(dram.MapP100, 2, dram.HashBank)
	hbm.FixedLatencyCycles = 100
	v["HBM2 with refresh"] = hbm
	pseudo := testConfig(t, 2, sim.ClockRatio{Num: 1215, Den: 1410}, byFirstByte{32, 46, 20})
	pseudo.DRAM = dram.A100()
	pseudo.Map, _ = dram.ParseAddressMap(dram.MapA100, 2, dram.HashNone)
	pseudo.Metadata.Bytes = 512
	pseudo.RowPolicy, pseudo.RowTimeoutCycles = RowTimeout, 40
	v["HBM2 bank by bank, rows time out"] = pseudo
	closed := v["compressed MAG 32"]
	closed.DRAM = closed.DRAM.GDDR5Refresh(1002)
	closed.RowPolicy = RowClose
	v["rows closed, refresh"] = closed
	adaptive := v["raw MAG 32"]
	adaptive.RowPolicy, adaptive.RowTimeoutCycles = RowAdaptive, 20
	v["rows adaptive"] = adaptive
	v["joint MAG 64"] = jointConfig(t, 2, sim.ClockRatio{Num: 924, Den: 700}, codec.NewRaw(64), 2)
	v["joint MAG 32"] = jointConfig(t, 2, sim.ClockRatio{Num: 7392, Den: 700}, codec.NewRaw(32), 1)
	joint := jointConfig(t, 2, coreOverDRAM, byFirstByte{32, 46, 20}, 1)
	joint.Metadata.Bytes, joint.Metadata.LookupCycles = 512, 3
	v["joint compressed MAG 32"] = joint
	joint = jointConfig(t, 2, sim.ClockRatio{Num: 300, Den: 700}, byFirstByte{64, 46, 20}, 2)
	joint.Metadata.Bytes = 512
	joint.Queue, joint.ReturnQueue, joint.MetadataQueue, joint.FixedLatencyCycles = 2, 1, 1, 0
	v["joint queues of two"] = joint
	joint = v["joint MAG 64"]
	joint.DRAM = joint.DRAM.GDDR5Refresh(924)
	v["joint refreshed"] = joint
	joint = v["joint compressed MAG 32"]
	joint.DRAM = joint.DRAM.GDDR5Refresh(924)
	joint.DRAM.Refresh = dram.RefreshPerBank
	v["joint refreshed bank by bank"] = joint
	for i, name := range slices.Sorted(maps.Keys(v)) {
		c := v[name]
		c.Paranoid = true
		v[name] = c
		if testing.Short() && i%3 != 0 {
			delete(v, name)
		}
	}
	return v
}

// Every read under random traffic returns what flat memory would, every command
// is legal, every law of the counters holds.
func TestRandomTrafficAgainstFlatMemory(t *testing.T) {
	for name, cfg := range shapes(t) {
		for _, v := range []traffic{
			{requests: 4000, lines: 64, writes: 5, seed: 1},
			{requests: 4000, lines: 8000, writes: 3, seed: 2},
			{requests: 1500, lines: 2000, writes: 4, gap: 30, seed: 3},
			{requests: 3000, lines: 300, writes: 5, partial: !cfg.Scheme.Compressed(), seed: 4},
		} {
			t.Run(fmt.Sprintf("%s/%d", name, v.seed), func(t *testing.T) {
				r := newRig(t, cfg, rigBytes)
				r.check(cfg)
				want := r.script(cfg, v, anyByte)
				r.run(400000)
				r.laws(cfg)
				got, acks, wantAcks := 0, 0, 0
				for _, s := range r.slice {
					acks += len(s.acks)
					for _, q := range s.script {
						if q.req.Ack {
							wantAcks++
						}
					}
					for _, x := range s.replies {
						got++
						if x.data != want[x.tag] {
							t.Fatalf("read %d returned other bytes than flat memory holds", x.tag)
						}
					}
				}
				if got != len(want) {
					t.Errorf("%d replies to %d reads", got, len(want))
				}
				if acks != wantAcks {
					t.Errorf("%d acknowledgements of %d writes that asked for one", acks, wantAcks)
				}
				if cfg.Schedule == ScheduleDrain && v.lines == 64 && r.stats[stat.ControllerForwards] == 0 {
					t.Error("no read met a queued write")
				}
			})
		}
	}
}

// digest covers everything about a run that is visible outside the controller.
func (r *rig) digest() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, r.stats)
	for _, s := range r.slice {
		for _, x := range slices.Concat(s.replies, s.acks) {
			fmt.Fprint(h, x.at, x.tag)
			h.Write(x.data[:])
		}
	}
	return h.Sum64()
}

// nudge ticks the controller although no event is due.
type nudge struct {
	rnd   sim.Rand
	other *Controller
	wake  func(at sim.Cycle)
}

func (n *nudge) Tick(now sim.Cycle) sim.Cycle {
	n.wake(now + 1 + sim.Cycle(n.rnd.Intn(5)))
	return now + 1 + sim.Cycle(n.rnd.Intn(50))
}

// Slicing a run anywhere, and extra calls of Tick and Settle, change nothing.
func TestSlicingAndSpuriousTicksChangeNothing(t *testing.T) {
	const until = 120000
	v := traffic{requests: 2500, lines: 3000, writes: 4, gap: 20, seed: 9}
	for name, cfg := range shapes(t) {
		var digests [3]uint64
		for way := range digests {
			r := newRig(t, cfg, rigBytes)
			r.script(cfg, v, anyByte)
			if way == 2 {
				n := &nudge{rnd: sim.NewRand(5, 5)}
				n.wake = func(at sim.Cycle) { r.engine.Wake(0, at) }
				r.engine.Add(n)
			}
			r.engine.Seal()
			rnd := sim.NewRand(3, 3)
			for at := sim.Cycle(0); way == 1 && at < until; at += sim.Cycle(1 + rnd.Intn(700)) {
				r.engine.Advance(at)
				r.control.Settle(at)
			}
			r.engine.Advance(until)
			r.control.Settle(until)
			digests[way] = r.digest()
		}
		if digests[0] != digests[1] || digests[0] != digests[2] {
			t.Errorf("%s: digests %x", name, digests)
		}
	}
}

// copyFrom copies the state of another rig, as a machine's Save and Load do.
func (r *rig) copyFrom(src *rig) {
	paper := tape.NewTape()
	paper.Load(r.state, paper.Save(src.state, nil))
	r.image.CopyFrom(src.image)
	for i, s := range r.slice {
		o := src.slice[i]
		s.next, s.pending = o.next, o.pending
		s.script = o.script
		s.replies = append(s.replies[:0], o.replies...)
		s.acks = append(s.acks[:0], o.acks...)
	}
}

// state lists the state of the engine, the controller and its links.
func (r *rig) state(t *tape.Tape) {
	r.engine.State(t)
	r.arena.State(t)
	tape.Value(t, &r.stats)
	r.control.State(t)
	for _, s := range r.slice {
		s.out.State(t)
		s.in.State(t)
	}
}

// A copy made in the middle of a run ends like the original, and copying does not disturb
// the original.
func TestCopyContinuesLikeTheOriginal(t *testing.T) {
	const middle, until = 9000, 120000
	v := traffic{requests: 2500, lines: 3000, writes: 4, gap: 12, seed: 4}
	for name, cfg := range shapes(t) {
		whole := newRig(t, cfg, rigBytes)
		whole.script(cfg, v, anyByte)
		later := byFirstByte{32, 46, 20}
		if name == "raw MAG 32" { // switched before the copy: the copy must know
			whole.control.SetScheme(later, middle/2)
		}
		whole.run(until)
		first, second := newRig(t, cfg, rigBytes), newRig(t, cfg, rigBytes)
		first.script(cfg, v, anyByte)
		if name == "raw MAG 32" {
			first.control.SetScheme(later, middle/2)
		}
		first.engine.Seal()
		second.engine.Seal()
		first.engine.Advance(middle)
		if first.control.Idle() {
			t.Fatalf("%s: idle in the middle", name)
		}
		second.copyFrom(first)
		for _, r := range []*rig{second, first} {
			r.engine.Advance(until)
			r.control.Settle(until)
			if r.digest() != whole.digest() {
				t.Errorf("%s: a run with a copy in the middle ends differently", name)
			}
		}
	}
}

// exhaustive compares all banks with work and keeps no state between commands: the slow
// twin of decide.
func exhaustive(sc *scheduler) choice {
	best := choice{at: never, entry: none}
	var bestRank [2]uint64
	for n := range sc.cfg.DRAM.Banks {
		if (sc.started|sc.waiting[sc.serving])>>n&1 == 0 {
			continue
		}
		i := sc.bank[n].current
		e := &sc.entry[i]
		row, open := sc.dram.OpenRow(n)
		cmd := dram.Read + dram.Command(e.Class.writes())
		if !open {
			cmd = dram.Activate
		} else if row != e.row {
			cmd = dram.Precharge
		}
		at := sc.dram.Earliest(cmd, n, sc.frontier)
		rank := [2]uint64{0, e.seq}
		if cmd < dram.Read && (sc.timing.CCDS > 1 || sc.timing.SeparateRowBus) {
			rank[0] = 1
		}
		if at < best.at || at == best.at && (rank[0] < bestRank[0] || rank[0] == bestRank[0] && rank[1] < bestRank[1]) {
			best, bestRank = choice{at: at, entry: i, bank: uint8(n), cmd: cmd}, rank
		}
	}
	return best
}

// everyCycle calls f after the controller's tick of every cycle.
type everyCycle struct {
	wake func(at sim.Cycle)
	f    func()
}

func (c *everyCycle) Tick(now sim.Cycle) sim.Cycle {
	c.f()
	c.wake(now + 1)
	return now + 1
}

// everyCycle calls f for each channel after the controller's tick of every cycle.
func (r *rig) everyCycle(f func(i int, c *channel)) {
	r.engine.Add(&everyCycle{
		wake: func(at sim.Cycle) { r.engine.Wake(0, at) },
		f: func() {
			for i := range r.control.channels {
				f(i, &r.control.channels[i])
			}
		},
	})
}

// forgetful makes a scheduler compare all banks again, and choose again in a bank that has got an entry.
type forgetful struct{ newest [dram.MaxBanks]uint64 }

func (f *forgetful) forget(sc *scheduler) {
	waiting := sc.waiting[0] | sc.waiting[1]
	sc.decided = sc.decided && waiting == 0
	for m := waiting; m != 0; m &= m - 1 {
		n := bits.TrailingZeros32(m)
		b, newest := &sc.bank[n], uint64(0)
		for _, l := range b.list {
			if l.tail != none {
				newest = max(newest, sc.entry[l.tail].seq)
			}
		}
		if newest > f.newest[n] && sc.started>>n&1 == 0 {
			b.current = none
			sc.unplan(uint8(n))
		}
		f.newest[n] = max(f.newest[n], newest)
	}
}

func TestDecisionsAgreeWithExhaustiveSearch(t *testing.T) {
	for name, cfg := range shapes(t) {
		if cfg.DRAM.REFI > 0 || cfg.RowPolicy != RowOpen || cfg.Schedule != ScheduleDrain {
			continue // refreshes and closings by policy override decisions
		}
		r := newRig(t, cfg, rigBytes)
		r.script(cfg, traffic{requests: 3000, lines: 3000, writes: 4, seed: 6}, anyByte)
		decisions := 0
		r.everyCycle(func(_ int, c *channel) {
			sc := &c.schedule.(*drainSchedule).device
			if sc.choice.at == never {
				return
			}
			decisions++
			if want := exhaustive(sc); sc.choice != want {
				t.Fatalf("%s: decided for %+v, want %+v", name, sc.choice, want)
			}
		})
		r.run(60000)
		r.laws(cfg)
		if decisions < 5000 {
			t.Errorf("%s: only %d decisions compared", name, decisions)
		}
	}
}

// log lists the commands of a channel.
type log []string

func (l *log) Command(cmd dram.Command, bank int, row uint32, at uint64) {
	*l = append(*l, fmt.Sprintf("%v bank %d row %d at %d", cmd, bank, row, at))
}

// TestKnownDecisionsAreThoseOfAComparison runs the same traffic three times: with a comparison of the
// banks in each cycle, with the decisions that follow and remains take over from the last one, and
// without watchers, so that a channel is ticked only when it has work. In one more shape a refresh often closes a row that
// chosen reads and writes wait for.
func TestKnownDecisionsAreThoseOfAComparison(t *testing.T) {
	all := shapes(t)
	often := testConfig(t, 2, sim.ClockRatio{Num: 715, Den: 1480}, codec.NewRaw(32))
	often.DRAM, often.FixedLatencyCycles, often.Paranoid = dram.P100().HBM2Refresh(715), 100, true
	often.DRAM.REFI = 300
	often.Map, _ = dram.ParseAddressMap(dram.MapP100, 2, dram.HashBank)
	all["HBM2 refreshed often"] = often
	for name, cfg := range all {
		if cfg.Schedule != ScheduleDrain {
			continue
		}
		for k, v := range []traffic{
			{requests: 2500, lines: 3000, writes: 4, seed: 11},
			{requests: 2500, lines: 400, writes: 1, gap: 3, seed: 12},
			{requests: 1500, lines: 3000, writes: 3, gap: 60, seed: 13},
			{requests: 6000, lines: 6000, streams: 7, gap: 2, seed: 14},
			{requests: 6000, lines: 6000, streams: 16, writes: 2, seed: 15},
		} {
			if testing.Short() && k != 0 {
				continue // in WebAssembly the work is the same
			}
			run := func(compares, watched bool) (commands, answers log) {
				r := newRig(t, cfg, rigBytes)
				r.script(cfg, v, anyByte)
				logs := make([]log, len(r.control.channels))
				for i := range logs {
					if watched {
						r.control.Watch(i, &logs[i])
					}
				}
				if compares {
					of := make([]forgetful, len(logs))
					r.everyCycle(func(i int, c *channel) { of[i].forget(&c.schedule.(*drainSchedule).device) })
				}
				r.run(200_000)
				for i, s := range r.slice {
					commands = append(commands, logs[i]...)
					for _, q := range append(s.replies, s.acks...) {
						answers = append(answers, fmt.Sprintf("answer of channel %d to %d at %d", i, q.tag, q.at))
					}
				}
				return commands, append(answers, fmt.Sprint(r.stats))
			}
			differ := func(got, want log) {
				t.Helper()
				for n := range max(len(got), len(want)) {
					if n >= len(got) || n >= len(want) || got[n] != want[n] {
						t.Fatalf("%s, traffic %d: line %d of %d and %d differs: %q, want %q", name, k, n, len(got), len(want), got[min(n, len(got)-1)], want[min(n, len(want)-1)])
					}
				}
			}
			commands, answers := run(true, true)
			known, same := run(false, true)
			_, each := run(false, false)
			differ(known, commands)
			differ(same, answers)
			differ(each, answers)
			if len(commands) < 1000 || len(answers) < 300 {
				t.Errorf("%s, traffic %d: only %d commands and %d answers compared", name, k, len(commands), len(answers))
			}
		}
	}
}
