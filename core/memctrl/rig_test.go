package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// rig is a controller with a scripted L2 slice on each channel.
type rig struct {
	tb      testing.TB
	engine  sim.Engine
	image   *mem.Image
	arena   *mem.Arena
	stats   stat.Set
	tap     *probe.Tap
	control *Controller
	slice   []*slice
}

// slice sends requests in order, as early as it may, and collects replies.
type slice struct {
	rig     *rig
	out     *sim.Link[Request]
	in      *sim.Link[Reply]
	script  []scripted
	next    int
	window  int // reads outstanding at most, 0 = no limit
	pending int
	replies []received
	onReply func(now sim.Cycle, r *Reply)
}

type scripted struct {
	at   sim.Cycle
	req  Request
	line *mem.Line // data of a write
}

type received struct {
	at   sim.Cycle
	tag  uint32
	data mem.Line
}

func (s *slice) Tick(now sim.Cycle) sim.Cycle {
	for {
		r, ok := s.in.Recv(now)
		if !ok {
			break
		}
		s.pending--
		if s.onReply != nil {
			s.onReply(now, &r)
		} else {
			s.replies = append(s.replies, received{now, r.Tag, *s.rig.arena.Line(r.Data)})
		}
		s.rig.arena.Free(r.Data)
	}
	for s.next < len(s.script) {
		q := &s.script[s.next]
		if q.at > now {
			return q.at
		}
		if !q.req.Write && s.window > 0 && s.pending >= s.window || !s.out.CanSend(now) {
			return sim.Never
		}
		r := q.req
		if r.Write {
			r.Data = s.rig.arena.New()
			*s.rig.arena.Line(r.Data) = *q.line
		} else {
			s.pending++
		}
		s.out.Send(now, r)
		s.next++
	}
	return sim.Never
}

const rigBytes = 1 << 20

// coreOverDRAM is the GTX580's memory clock over its core clock in MHz.
var coreOverDRAM = sim.ClockRatio{Num: 1002, Den: 822}

// sameClock makes base cycles DRAM cycles, for hand sums.
var sameClock = sim.ClockRatio{Num: 1, Den: 1}

func mapOf(tb testing.TB, channels int, hash dram.Hash) dram.AddressMap {
	m, err := dram.ParseAddressMap(dram.MapGTX480, channels, hash)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func testConfig(tb testing.TB, channels int, clock sim.ClockRatio, scheme codec.Scheme) Config {
	cfg := Preset(dram.GTX480(), mapOf(tb, channels, dram.HashNone), 0, channels, clock, scheme)
	cfg.FixedLatencyCycles = 0
	return cfg
}

func newRig(tb testing.TB, cfg Config, size uint64) *rig {
	r := &rig{tb: tb, arena: mem.NewArena(4096), tap: nil}
	var err error
	if r.image, err = mem.NewImage(mem.DefaultBase, 1<<30); err != nil {
		tb.Fatal(err)
	}
	if _, err = r.image.Alloc("all", size); err != nil {
		tb.Fatal(err)
	}
	if r.control, err = New(cfg, Env{Image: r.image, Arena: r.arena, Stats: &r.stats}); err != nil {
		tb.Fatal(err)
	}
	id := r.engine.Add(r.control)
	for i := range cfg.Channels {
		s := &slice{rig: r}
		sid := r.engine.Add(s)
		s.out = sim.Connect[Request](&r.engine, sid, id, 16, 1)
		s.in = sim.Connect[Reply](&r.engine, id, sid, 16, 1)
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
	return scripted{req: Request{Addr: a, Mask: mem.FullMask, Tag: uint32(tag)}}
}

func TestStreamingSmoke(t *testing.T) {
	r := newRig(t, testConfig(t, 1, coreOverDRAM, codec.NewRaw(32)), rigBytes)
	n := 4096
	for i := range n {
		r.slice[0].script = append(r.slice[0].script, readOf(mem.DefaultBase+uint64(i)*128, i))
	}
	r.run(100000)
	if len(r.slice[0].replies) != n {
		t.Fatalf("%d replies of %d; %+v", len(r.slice[0].replies), n, r.control.Waiting(0, 100000))
	}
	last := r.slice[0].replies[n-1].at
	local := coreOverDRAM.Local(last)
	t.Logf("%d blocks in %d DRAM cycles: %.3f of peak; acts %d", n, local, float64(n*128)/16/float64(local), r.stats[stat.Activates])
}
