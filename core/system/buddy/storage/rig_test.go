package storage

import (
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/tape"
)

const base = mem.DefaultBase

// rig is a controller under Buddy Compression, with one allocation for each target, a link that its channels share, and
// a scripted L2 slice on each channel.
type rig struct {
	engine  sim.Engine
	image   *mem.Image
	arena   *mem.Arena
	stats   stat.Set
	control *memctrl.Controller
	slice   []*slice
}

// slice sends requests in order, as early as it may, and collects replies.
type slice struct {
	rig     *rig
	out     *sim.Link[memctrl.Request]
	in      *sim.Link[memctrl.Reply]
	script  []scripted
	next    int
	replies []received
	acks    []received // of writes, without data
}

type scripted struct {
	at   sim.Cycle
	req  memctrl.Request
	line *mem.Line // data of a write
}

type received struct {
	at   sim.Cycle
	tag  uint32
	data mem.Line
}

func (s *slice) Tick(now sim.Cycle) sim.Cycle {
	s.receive(now)
	return s.send(now)
}

func (s *slice) receive(now sim.Cycle) {
	for {
		r, ok := s.in.Recv(now)
		if !ok {
			return
		}
		if r.Ack {
			s.acks = append(s.acks, received{at: now, tag: r.Tag})
			continue
		}
		s.replies = append(s.replies, received{now, r.Tag, *s.rig.arena.Line(r.Data)})
		s.rig.arena.Free(r.Data)
	}
}

// send sends what is due, and returns when more is due.
func (s *slice) send(now sim.Cycle) sim.Cycle {
	for s.next < len(s.script) {
		q := &s.script[s.next]
		if q.at > now {
			return q.at
		}
		if !s.out.CanSend(now) {
			return sim.Never
		}
		r := q.req
		if r.Write {
			r.Data = s.rig.arena.New()
			*s.rig.arena.Line(r.Data) = *q.line
		}
		s.out.Send(now, r)
		s.next++
	}
	return sim.Never
}

func bpcScheme(tb testing.TB) codec.Lossless {
	s, err := codec.NewLossless(bpc.Codec{}, 32)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// fermi configures a controller with the channels of a GTX480, at a clock of the DRAM.
func fermi(tb testing.TB, channels int) memctrl.Config {
	m, err := dram.ParseAddressMap(dram.MapGTX480, channels, dram.HashNone)
	if err != nil {
		tb.Fatal(err)
	}
	c := memctrl.Preset(dram.GTX480(), m, 0, channels, sim.ClockRatio{Num: 1, Den: 1}, codec.MemoryMHz, bpcScheme(tb))
	c.FixedLatencyCycles = 0
	return c
}

// hbm configures a controller with channels of HBM2, as the paper's machine has it.
func hbm(tb testing.TB, channels int) memctrl.Config {
	m, err := dram.ParseAddressMap(dram.MapP100, channels, dram.HashBank)
	if err != nil {
		tb.Fatal(err)
	}
	return memctrl.Preset(dram.P100(), m, 0, channels, sim.ClockRatio{Num: 875, Den: 1300}, 875, bpcScheme(tb))
}

// nvlink is the link of the paper's table I.
var nvlink = memctrl.LinkConfig{
	Channels: 6, MBPerSecond: 150_000, HeaderBytes: 32, LatencyFactor: 2, Counters: Crossing,
}

func newRig(tb testing.TB, cfg memctrl.Config, link memctrl.LinkConfig, tap *probe.Tap) *rig {
	r := &rig{arena: mem.NewArena(4096)}
	var err error
	if r.image, err = mem.NewImage(base, 1<<30); err != nil {
		tb.Fatal(err)
	}
	var targets []layout.Target
	for t := layout.Plain; t < layout.NumTargets; t++ {
		if _, err := r.image.Alloc(t.String(), allocationBytes); err != nil {
			tb.Fatal(err)
		}
		targets = append(targets, t)
	}
	l, err := memctrl.NewLink(link, &cfg)
	if err != nil {
		tb.Fatal(err)
	}
	env := memctrl.Env{Image: r.image, Arena: r.arena, Stats: &r.stats, Tap: tap,
		Storage: NewMemory(&cfg, r.image, targets)}
	env.Link = func(_ int, f memctrl.Front, s *stat.Set) memctrl.Backing { return l.Port(f, s, &cfg) }
	if r.control, err = memctrl.New(cfg, env); err != nil {
		tb.Fatal(err)
	}
	id := r.engine.Add(r.control)
	for i := range cfg.Channels {
		s := &slice{rig: r}
		sid := r.engine.Add(s)
		s.out = sim.Connect[memctrl.Request](&r.engine, sid, id, 16, 1)
		s.in = sim.Connect[memctrl.Reply](&r.engine, id, sid, 16, 1)
		r.control.Attach(i, s.out, s.in)
		r.slice = append(r.slice, s)
	}
	return r
}

func (r *rig) run(until sim.Cycle) {
	r.engine.Seal()
	r.engine.Advance(until)
	r.control.Settle(until)
}

func readOf(a mem.Addr, tag int) scripted {
	return scripted{req: memctrl.Request{Addr: a, Mask: mem.FullMask, Tag: uint32(tag)}}
}

func writeOf(a mem.Addr, line *mem.Line) scripted {
	return scripted{req: memctrl.Request{Addr: a, Mask: mem.FullMask, Write: true}, line: line}
}

// check puts a legality checker on every channel.
func (r *rig) check(tb testing.TB, cfg memctrl.Config) {
	for i := range cfg.Channels {
		k := dram.NewChecker(cfg.DRAM, cfg.Scheme.MAGBytes())
		r.control.Watch(i, k)
		tb.Cleanup(func() {
			if k.End(cfg.Clock.Local(r.engine.Now())); k.Err() != nil || k.Count() == 0 {
				tb.Errorf("channel %d: %d commands: %v", i, k.Count(), k.Err())
			}
		})
	}
}

// expect compares counters.
func (r *rig) expect(t *testing.T, want map[stat.Counter]uint64) {
	t.Helper()
	for c, n := range want {
		if r.stats[c] != n {
			t.Errorf("%s is %d, want %d", stat.Describe(c).Name, r.stats[c], n)
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

// copyFrom copies the state of another rig, as a machine's Save and Load do.
func (r *rig) copyFrom(src *rig) {
	paper := tape.NewTape()
	paper.Load(r.state, paper.Save(src.state, nil))
	r.image.CopyFrom(src.image)
	for i, s := range r.slice {
		o := src.slice[i]
		s.next, s.script = o.next, o.script
		s.replies, s.acks = slices.Clone(o.replies), slices.Clone(o.acks)
	}
}

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
