package cache

import (
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// flat is the twin of everything behind an L2: bytes at addresses.
type flat map[mem.Addr]*mem.Line

func (f flat) line(a mem.Addr) *mem.Line {
	l := f[a]
	if l == nil {
		l = filled(byte(a / mem.LineBytes))
		f[a] = l
	}
	return l
}

// dram answers reads after a random time, writes at once, like a controller that
// keeps the order of requests to one line.
type dram struct {
	in    *sim.Link[mem.BlockRequest]
	out   *sim.Link[mem.BlockReply]
	arena *mem.Arena
	data  flat
	rand  sim.Rand
	queue []mem.BlockRequest
	reads int
	whole bool
	parts bool // answers with the bytes asked for only
	t     *testing.T
}

func (d *dram) Tick(now sim.Cycle) sim.Cycle {
	for {
		r, ok := d.in.Recv(now)
		if !ok {
			break
		}
		if r.Write && d.whole && !r.Mask.Full() {
			d.t.Errorf("partial write of %#x to a memory of whole blocks", r.Addr)
		}
		d.queue = append(d.queue, r)
	}
	if len(d.queue) == 0 {
		return sim.Never
	}
	// Several blocks may come back in one cycle.
	for range d.rand.Intn(3) {
		if len(d.queue) == 0 || !d.one(now) {
			break
		}
	}
	return now + 1
}

// one performs one request; false if its reply has to wait.
func (d *dram) one(now sim.Cycle) bool {
	// The oldest request, or a younger one to another line.
	i := 0
	if k := d.rand.Intn(len(d.queue)); k > 0 {
		i = k
		for j := 0; j < k; j++ {
			if d.queue[j].Addr == d.queue[k].Addr {
				i = 0
			}
		}
	}
	r := d.queue[i]
	if r.Write {
		if r.Ack && !d.out.Send(now, mem.BlockReply{Addr: r.Addr, Tag: r.Tag, Cause: r.Cause, Ack: true}) {
			return false
		}
		d.data.line(r.Addr).Merge(d.arena.Line(r.Data), r.Mask)
		d.arena.Free(r.Data)
	} else {
		if !d.out.CanSend(now) {
			return false
		}
		h := d.arena.New()
		*d.arena.Line(h) = *d.data.line(r.Addr)
		mask := mem.FullMask
		if d.parts {
			if mask = r.Mask; mask.Empty() || mask != mem.SectorMask(mask.Sectors()) {
				d.t.Errorf("read of %+v: no sectors", mask)
			}
			var rest mem.Line
			rest.Merge(d.arena.Line(h), mask)
			*d.arena.Line(h) = rest
		}
		d.out.Send(now, mem.BlockReply{Addr: r.Addr, Data: h, Mask: mask, Tag: r.Tag})
		d.reads++
	}
	d.queue = append(d.queue[:i], d.queue[i+1:]...)
	return true
}

// driver sends random requests and checks every answer against flat memory kept
// in the order in which the slice receives requests.
type driver struct {
	t       *testing.T
	out, in *sim.Link[mem.Packet]
	arena   *mem.Arena
	atomics *mem.Pool[arith.AtomicBatch]
	rand    sim.Rand
	data    flat
	left    int
	expect  map[uint32]mem.Line
	got     int
	lines   int
	addOp   ptx.AtomicOp
	blocked []uint64 // refusals of the slice, now and then
}

func (d *driver) Tick(now sim.Cycle) sim.Cycle {
	for {
		p, ok := d.in.Recv(now)
		if !ok {
			break
		}
		d.got++
		switch p.Kind {
		case mem.PacketAck:
			if p.Tag == mem.NoAnswer {
				d.t.Errorf("a line written back to %#x gets an answer", p.Addr)
			}
		case mem.PacketData:
			want := d.expect[p.Tag]
			got := *d.arena.Line(p.Data)
			d.arena.Free(p.Data)
			for i := range got {
				marked := mem.ByteMask{}
				marked.Set(i, 1)
				if p.Mask.Covers(marked) && got[i] != want[i] {
					d.t.Fatalf("load %d of %#x: byte %d is %d, want %d", p.Tag, p.Addr, i, got[i], want[i])
				}
			}
		case mem.PacketOld:
			b := d.atomics.At(p.Atomic)
			want := d.expect[p.Tag]
			if old := byte(b.Old[3]); old != want[b.Offset[3]] {
				d.t.Fatalf("atomic %d of %#x: old byte %d, want %d", p.Tag, p.Addr, old, want[b.Offset[3]])
			}
			d.atomics.Free(p.Atomic)
		}
	}
	if d.left == 0 || !d.out.CanSend(now) {
		return sim.Never
	}
	if d.rand.Uint32()%4 == 0 {
		return now + 1 + sim.Cycle(d.rand.Intn(30))
	}
	d.left--
	a := mem.DefaultBase + mem.Addr(d.rand.Intn(d.lines))*mem.LineBytes
	p := mem.Packet{Addr: a, Tag: uint32(d.left), Flits: 1, SM: uint16(d.left % 2)}
	switch d.rand.Uint32() % 5 {
	case 0, 1:
		p.Kind, p.Mask = mem.PacketLoad, mem.FullMask
		if d.rand.Uint32()%2 == 0 {
			p.Mask = mem.SectorMask(uint8(1 + d.rand.Intn(15)))
		}
		d.expect[p.Tag] = *d.data.line(a)
	case 2, 3:
		p.Kind = mem.PacketStore
		p.Data = d.arena.New()
		line := d.arena.Line(p.Data)
		for i := range line {
			line[i] = byte(d.rand.Uint32())
		}
		if d.rand.Uint32()%3 == 0 {
			p.Mask = mem.FullMask
		} else {
			off := d.rand.Intn(mem.LineBytes - 4)
			p.Mask.Set(off, 1+d.rand.Intn(4))
		}
		if p.Mask.Full() && d.rand.Uint32()%2 == 0 {
			p.Tag = mem.NoAnswer
			d.got++
		}
		d.data.line(a).Merge(line, p.Mask)
	default:
		p.Kind = mem.PacketAtomic
		p.Atomic = d.atomics.New()
		b := d.atomics.At(p.Atomic)
		*b = arith.AtomicBatch{Op: d.addOp, Lanes: 1 << 3, Bytes: 4, Returns: true}
		b.Offset[3] = uint8(d.rand.Intn(32) * 4)
		b.B[3] = uint64(d.rand.Uint32())
		p.Mask.Set(int(b.Offset[3]), 4)
		d.expect[p.Tag] = *d.data.line(a)
		twin := *b
		twin.Apply(d.data.line(a))
	}
	d.out.Send(now, p)
	return now + 1
}

// atomicAdd returns the operation of atom.add.u32.
func atomicAdd(t *testing.T) ptx.AtomicOp {
	m, err := compile.Load("add.ptx", []byte(".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .u64 a; .reg .u32 v; ld.param.u64 a, [p]; atom.global.add.u32 v, [a], 1; ret; }"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range k.Code {
		if op := k.Code[i].Atomic; op != (ptx.AtomicOp{}) {
			return op
		}
	}
	t.Fatal("no atomic instruction")
	return ptx.AtomicOp{}
}

// asking is an L2 slice that looks up its oldest request again in every cycle.
type asking struct{ *L2 }

func (l asking) Tick(now sim.Cycle) sim.Cycle {
	next := l.L2.Tick(now)
	if l.stuck {
		l.stuck, l.sleeps.on, next = false, false, now+1
	}
	return next
}

// between adds a slice to an engine, as one of its components, between one that asks it and a DRAM: by links of so many
// packets and blocks. It returns those of the one that asks.
func between(
	e *sim.Engine, l *L2, slice, asks sim.Clocked, m *dram, packets, blocks int,
) (out, in *sim.Link[mem.Packet]) {
	li, ai, mi := e.Add(slice), e.Add(asks), e.Add(m)
	e.Seal()
	out, in = sim.Connect[mem.Packet](e, ai, li, packets, 1), sim.Connect[mem.Packet](e, li, ai, packets, 1)
	m.in, m.out = sim.Connect[mem.BlockRequest](e, li, mi, blocks, 1), sim.Connect[mem.BlockReply](e, mi, li, blocks, 1)
	l.Attach(out, in, m.in, m.out)
	return out, in
}

func run(t *testing.T, whole, sectors bool, miss WriteMiss, far int, clock sim.ClockRatio, seed uint64, asks bool) (*L2, *driver, *dram, *sim.Engine) {
	e := &sim.Engine{}
	arena := mem.NewArena(16)
	atomics := mem.NewPool[arith.AtomicBatch](4)
	l := NewL2(L2Config{Geometry: Geometry{Sets: 4, Ways: 2}, MSHRs: 6, Merges: 3, FlitBytes: 40, WholeBlocks: whole, SectorFill: sectors, WriteMiss: miss, MissQueueBlocks: 4, FarCycles: far}, 0,
		L2Env{Arena: arena, Atomics: atomics, LineOf: func(a mem.Addr) uint64 { return a / mem.LineBytes }, Far: isFar})
	component := sim.Clocked(l)
	if asks {
		component = asking{l}
	}
	if clock.Num != clock.Den {
		l.StayAwake()
	}
	d := &driver{t: t, arena: arena, atomics: atomics, rand: sim.NewRand(seed, 0), data: flat{}, left: 20_000, expect: map[uint32]mem.Line{}, lines: 40, addOp: atomicAdd(t)}
	m := &dram{t: t, arena: arena, data: flat{}, rand: sim.NewRand(seed, 1), whole: whole, parts: sectors}
	d.out, d.in = between(e, l, &sim.Domain{Component: component, Clock: clock}, d, m, 4, 3)
	for !e.Idle() {
		if e.Now() > 5_000_000 {
			t.Fatal("the slice hangs")
		}
		e.Advance(e.Now() + 997)
		l.Settle(e.Now())
		d.blocked = append(d.blocked, l.Stats[stat.L2Blocked])
	}
	return l, d, m, e
}

func TestL2AgainstFlatMemory(t *testing.T) {
	for variant := range 8 {
		whole, sectors, miss, far := variant&1 != 0, variant&2 != 0, WriteAllocate, 0
		if variant >= 6 {
			far = 50
		} else if variant >= 4 {
			miss = WriteFetch
		}
		for seed := uint64(1); seed <= 6; seed++ {
			if testing.Short() && seed != uint64(variant)%6+1 {
				continue // WebAssembly only has to give the same results
			}
			clock := []sim.ClockRatio{{Num: 1, Den: 1}, {Num: 1, Den: 1}, {Num: 2, Den: 1}, {Num: 5, Den: 3}, {Num: 1, Den: 4}, {Num: 7, Den: 8}}[seed-1]
			l, d, m, _ := run(t, whole, sectors, miss, far, clock, seed, false)
			if d.got != 20_000 {
				t.Fatalf("%d of 20000 requests were answered", d.got)
			}
			// What the host reads: DRAM under the dirty bytes of L2.
			l.ForEachDirty(func(a mem.Addr, line *mem.Line, dirty mem.ByteMask) { m.data.line(a).Merge(line, dirty) })
			for a, want := range d.data {
				if *m.data.line(a) != *want {
					t.Fatalf("whole %v seed %d: line %#x differs at the end", whole, seed, a)
				}
			}
			s := &l.Stats
			if s[stat.L2Accesses] != 20_000 || s[stat.L2Accesses] != s[stat.L2Hits]+s[stat.L2Misses]+s[stat.L2Merged] {
				t.Errorf("accesses %d, hits %d, misses %d, merged %d", s[stat.L2Accesses], s[stat.L2Hits], s[stat.L2Misses], s[stat.L2Merged])
			}
			if s[stat.L2Fills] != s[stat.L2Misses]+s[stat.L2RepairFills] || s[stat.L2Fills] != uint64(m.reads) {
				t.Errorf("fills %d, misses %d, repairs %d, DRAM reads %d", s[stat.L2Fills], s[stat.L2Misses], s[stat.L2RepairFills], m.reads)
			}
			if whole && miss == WriteAllocate && s[stat.L2RepairFills] == 0 {
				t.Error("no partly written line had to be completed: the test does not reach that path")
			}
			if d.arena.Live() != 0 || d.atomics.Live() != 0 {
				t.Errorf("%d lines, %d batches leaked", d.arena.Live(), d.atomics.Live())
			}
		}
	}
}

// TestStuckRequestsAreThoseThatAreRefused: a slice that does not look up a request again until a line has
// arrived or a waiting request is answered, and sleeps until then, does the same as one that looks it up in every
// cycle, and has the same counters whenever it is settled.
func TestStuckRequestsAreThoseThatAreRefused(t *testing.T) {
	for variant := range 4 {
		for seed := uint64(1); seed <= 4; seed++ {
			clock := []sim.ClockRatio{{Num: 1, Den: 1}, {Num: 5, Den: 3}}[variant>>1]
			stuck, d, _, e := run(t, variant&1 != 0, false, WriteFetch, 0, clock, seed, false)
			asks, twin, _, every := run(t, variant&1 != 0, false, WriteFetch, 0, clock, seed, true)
			if stuck.Stats != asks.Stats || !slices.Equal(d.blocked, twin.blocked) {
				t.Errorf("variant %d, seed %d: counters %v, want %v; refusals %v, want %v", variant, seed, stuck.Stats, asks.Stats, d.blocked, twin.blocked)
			}
			if clock.Num == clock.Den && e.Ticks() >= every.Ticks() {
				t.Errorf("variant %d, seed %d: the slice does not sleep: %d ticks, %d without sleep", variant, seed, e.Ticks(), every.Ticks())
			}
			if stuck.Stats[stat.L2Blocked] < 1000 {
				t.Errorf("variant %d, seed %d: only %d requests were refused", variant, seed, stuck.Stats[stat.L2Blocked])
			}
		}
	}
}
