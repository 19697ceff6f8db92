package cache

import (
	"fmt"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/sim"
)

// isFar says that SM 1 is next to the other part of L2.
func isFar(sm uint16) bool { return sm == 1 }

// asked is a request of a script.
type asked struct {
	at   sim.Cycle
	kind mem.PacketKind
	sm   uint16
	line mem.Addr
}

// script sends requests in their cycles, and notes when each is answered.
type script struct {
	list    []asked
	out, in *sim.Link[mem.Packet]
	arena   *mem.Arena
	atomics *mem.Pool[arith.AtomicBatch]
	op      ptx.AtomicOp
	sent    int
	order   []int // of the answers
	times   []sim.Cycle
}

func (s *script) Tick(now sim.Cycle) sim.Cycle {
	for p, ok := s.in.Recv(now); ok; p, ok = s.in.Recv(now) {
		s.order, s.times[p.Tag] = append(s.order, int(p.Tag)), now
		switch p.Kind {
		case mem.PacketData:
			s.arena.Free(p.Data)
		case mem.PacketOld:
			s.atomics.Free(p.Atomic)
		}
	}
	if s.sent == len(s.list) {
		return sim.Never
	}
	r := s.list[s.sent]
	if r.at > now {
		return r.at
	}
	p := mem.Packet{Kind: r.kind, Addr: mem.DefaultBase + r.line*mem.LineBytes, Mask: mem.FullMask, SM: r.sm,
		Tag: uint32(s.sent), Flits: 1}
	switch r.kind {
	case mem.PacketStore:
		p.Data = s.arena.New()
	case mem.PacketAtomic:
		p.Atomic = s.atomics.New()
		*s.atomics.At(p.Atomic) = arith.AtomicBatch{Op: s.op, Lanes: 1, Bytes: 4, Returns: true}
	}
	s.sent++
	s.out.Send(now, p)
	return now + 1
}

// answers plays a script on a slice and returns the order of its answers and their cycles.
func answers(t *testing.T, list []asked, far int) ([]int, []sim.Cycle) {
	t.Helper()
	e, arena, atomics := &sim.Engine{}, mem.NewArena(16), mem.NewPool[arith.AtomicBatch](4)
	l := NewL2(L2Config{Geometry: Geometry{Sets: 4, Ways: 2}, MSHRs: 8, Merges: 64, FlitBytes: 40, FarCycles: far}, 0,
		L2Env{Arena: arena, Atomics: atomics, LineOf: func(a mem.Addr) uint64 { return a / mem.LineBytes }, Far: isFar})
	s := &script{list: list, arena: arena, atomics: atomics, op: atomicAdd(t), times: make([]sim.Cycle, len(list))}
	m := &dram{t: t, arena: arena, data: flat{}, rand: sim.NewRand(1, 1)}
	s.out, s.in = between(e, l, l, s, m, 1000, 8)
	e.Advance(100_000)
	if len(s.order) != len(list) {
		t.Fatalf("%d of %d requests were answered", len(s.order), len(list))
	}
	if arena.Live() != 0 || atomics.Live() != 0 {
		t.Errorf("%d lines, %d batches leaked", arena.Live(), atomics.Live())
	}
	return s.order, s.times
}

// TestFarPart: what an SM of the other part waits for.
func TestFarPart(t *testing.T) {
	const load, store, atomic, discard, far = mem.PacketLoad, mem.PacketStore, mem.PacketAtomic, mem.PacketDiscard, 100
	list := []asked{
		{100, load, 0, 1},     // near, a miss
		{200, load, 1, 1},     // crosses the bridge
		{230, load, 1, 1},     // comes with the copy that is under way, a cycle after the first
		{240, load, 0, 1},     // near
		{400, load, 1, 1},     // the copy
		{500, store, 0, 1},    // ends the copy
		{600, load, 1, 1},     // crosses again
		{800, store, 1, 1},    // crosses, and ends the copy
		{1000, load, 1, 1},    // crosses
		{1200, atomic, 1, 1},  // crosses always
		{1400, atomic, 1, 1},  //
		{1600, load, 1, 1},    // crosses
		{1800, load, 1, 2},    // a miss, crosses
		{2000, load, 1, 2},    // the copy
		{2100, load, 0, 2},    // near
		{2200, discard, 1, 3}, // of a line that is not here: its answer crosses
		{2400, discard, 0, 2}, // near, and ends the copy
		{2600, load, 1, 2},    // a miss, crosses
	}
	more := []sim.Cycle{0, far, far - 29, 0, 0, 0, far, far, far, far, far, far, far, 0, 0, far, 0, far}
	_, one := answers(t, list, 0)
	_, two := answers(t, list, far)
	for i, r := range list {
		if two[i]-one[i] != more[i] {
			t.Errorf("request %d, %+v, is answered %d cycles later with two parts, want %d", i, r, two[i]-one[i], more[i])
		}
	}
}

// TestFarPartAgainstLists compares random requests with a twin that goes through the answers of a slice of one part and
// keeps, for each line, when the other part has a copy.
func TestFarPartAgainstLists(t *testing.T) {
	for seed := range uint64(20) {
		r, far := sim.NewRand(seed, 0), int(10+30*seed)
		var list []asked
		at := sim.Cycle(1)
		for range 400 {
			at += sim.Cycle(1 + r.Intn(12))
			kind := []mem.PacketKind{mem.PacketLoad, mem.PacketLoad, mem.PacketLoad, mem.PacketStore,
				mem.PacketAtomic}[r.Intn(5)]
			list = append(list, asked{at, kind, uint16(r.Intn(2)), mem.Addr(r.Intn(8))})
		}
		order, one := answers(t, list, 0)
		_, two := answers(t, list, far)
		copied, want := map[mem.Addr]sim.Cycle{}, slices.Clone(one)
		last := map[mem.Addr]sim.Cycle{}
		for _, i := range order {
			q, isLoad := list[i], list[i].kind == mem.PacketLoad
			when, ok := copied[q.line]
			if !isLoad {
				delete(copied, q.line)
			}
			if isFar(q.sm) && (!isLoad || !ok || when > one[i]) {
				want[i] = one[i] + sim.Cycle(far)
				if isLoad && ok {
					want[i] = when
				} else if isLoad {
					copied[q.line] = want[i]
				}
			}
			if isFar(q.sm) {
				if two[i] < last[q.line] {
					t.Errorf("seed %d: request %d of line %d overtakes one before it", seed, i, q.line)
				}
				last[q.line] = two[i]
			}
		}
		for i := range list {
			if two[i] < want[i] || two[i] > want[i]+8 { // several cross in one cycle, and leave one by one
				t.Errorf("seed %d: request %d is answered in cycle %d, want %d", seed, i, two[i], want[i])
			}
		}
		if fmt.Sprint(one) == fmt.Sprint(two) {
			t.Errorf("seed %d: the bridge takes no time", seed)
		}
	}
}
