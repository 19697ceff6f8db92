package compile

import (
	"math/bits"
	"slices"
)

// maxLiveBits bounds the tables of liveness. Compiled functions need far less.
const maxLiveBits = 1 << 28

// frame is the share of a function in the register file.
type frame struct {
	slots      int // 32-bit slots
	longSlots  int // the first of them, which are pairs
	predicates int
	units      int // score ids
	pressure   int // most 32-bit registers live at once
}

// lives reports whether liveness looks at a value.
func (v *value) lives() bool { return v.kind == valueRegister || v.kind == valueStorage }

type bitset []uint64

func (b bitset) set(i uint32) { b[i>>6] |= 1 << (i & 63) }

func (b bitset) clear(i uint32) { b[i>>6] &^= 1 << (i & 63) }

func (b bitset) has(i uint32) bool { return b[i>>6]>>(i&63)&1 != 0 }

// tooLarge reports whether the tables of liveness would be larger than allowed.
func (s *selector) tooLarge(g *graph) bool {
	n := len(s.values.list)
	return n > 1<<16 || uint64(n)*uint64(len(g.blocks)) > maxLiveBits
}

// allocate is the seventh pass: which values are live where, how many registers
// that takes, and a slot for each value. Values that are never live at the same
// time share slots, which keeps the register files of warps small.
func (s *selector) allocate(g *graph) (f frame, ok bool) {
	s.phase.enter(phaseLive)
	if s.tooLarge(g) {
		s.rep.Errorf(s.fn.At, "function %s is too large: %d registers in %d blocks", s.fn.Name,
			len(s.values.list), len(g.blocks))
		return f, false
	}
	liveIn, liveOut := s.liveness(g)
	for b := range g.blocks {
		s.scan(&g.blocks[b], liveIn[b], liveOut[b], &f)
	}
	s.holdGroups()
	for _, h := range s.hidden {
		s.alone(h.value)
	}
	s.place(&f)
	return f, true
}

// holdGroups gives the registers of wgmma.mma_async places of their own: they are in use until a wait after it, which
// liveness does not see.
func (s *selector) holdGroups() {
	for at := range int32(s.nodes.length) {
		nd := s.nodes.at(at)
		if nd.Vector == nil || nd.Vector.Group == nil {
			continue
		}
		for _, v := range nd.Vector.Regs {
			if v < alwaysTrue && s.values.list[v].lives() {
				s.alone(v)
			}
		}
	}
}

// alone gives a value a place that it shares with no other.
func (s *selector) alone(v uint32) {
	s.touch(v, 0)
	s.touch(v, int32(s.nodes.length-1))
}

// liveness solves the usual backward equations over blocks.
func (s *selector) liveness(g *graph) (liveIn, liveOut []bitset) {
	words := (len(s.values.list) + 63) / 64
	nb := len(g.blocks)
	store := make([]uint64, 4*nb*words)
	take := func() []bitset {
		sets := make([]bitset, nb)
		for i := range sets {
			sets[i], store = store[:words:words], store[words:]
		}
		return sets
	}
	uses, kills := take(), take()
	liveIn, liveOut = take(), take()
	for b := range g.blocks {
		for i := g.blocks[b].last; i >= g.blocks[b].first; i-- {
			nd := s.nodes.at(i)
			for _, v := range nd.writes {
				if s.replaces(nd, v) {
					kills[b].set(v)
					uses[b].clear(v)
				}
			}
			for _, v := range nd.reads {
				uses[b].set(v)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for b := nb - 1; b >= 0; b-- {
			out, in := liveOut[b], liveIn[b]
			for _, t := range g.blocks[b].next {
				for k, x := range liveIn[t] {
					out[k] |= x
				}
			}
			for k := range in {
				if x := uses[b][k] | out[k]&^kills[b][k]; x != in[k] {
					in[k] = x
					changed = true
				}
			}
		}
	}
	return liveIn, liveOut
}

// replaces reports whether a node that writes a value ends the old one. Under a
// guard it survives in some lanes.
func (s *selector) replaces(nd *node, v uint32) bool {
	return nd.Guard == noValue || s.values.list[v].whole
}

// scan walks one block backwards: intervals, and the greatest pressure.
func (s *selector) scan(b *block, in, out bitset, f *frame) {
	each(in, func(v uint32) { s.touch(v, b.first) })
	each(out, func(v uint32) { s.touch(v, b.last) })
	w := s.walkFrom(out)
	for i := b.last; i >= b.first; i-- {
		nd := s.nodes.at(i)
		for _, v := range nd.writes {
			s.touch(v, i)
		}
		for _, v := range nd.reads {
			s.touch(v, i)
		}
		w.back(nd)
	}
	f.pressure = max(f.pressure, w.most)
}

// liveWalk is what is live at a place of a block that is walked backwards.
type liveWalk struct {
	*selector
	live      bitset
	registers int // of those
	most      int // so far, with what instructions write
}

// walkFrom begins with the values live behind a block.
func (s *selector) walkFrom(out bitset) *liveWalk {
	w := &liveWalk{selector: s, live: slices.Clone(out)}
	each(out, func(v uint32) { w.registers += s.weight(v) })
	return w
}

func (w *liveWalk) copy() *liveWalk {
	return &liveWalk{selector: w.selector, live: slices.Clone(w.live), registers: w.registers}
}

// back goes in front of a node.
func (w *liveWalk) back(nd *node) {
	add := func(v uint32) {
		if !w.live.has(v) {
			w.registers += w.weight(v)
			w.live.set(v)
		}
	}
	for _, v := range nd.writes { // written for nobody, it needs a place even so
		add(v)
	}
	w.most = max(w.most, w.registers)
	for _, v := range nd.writes {
		if w.replaces(nd, v) && w.live.has(v) {
			w.live.clear(v)
			w.registers -= w.weight(v)
		}
	}
	for _, v := range nd.reads {
		add(v)
	}
	w.most = max(w.most, w.registers)
}

func each(b bitset, f func(v uint32)) {
	for k, x := range b {
		for ; x != 0; x &= x - 1 {
			f(uint32(k*64 + bits.TrailingZeros64(x)))
		}
	}
}

// weight is how many registers of a thread a value takes.
func (s *selector) weight(v uint32) int {
	x := &s.values.list[v]
	if !x.lives() || x.predicate {
		return 0
	}
	return x.words
}

func (s *selector) touch(v uint32, at int32) {
	x := &s.values.list[v]
	if x.first < 0 || at < x.first {
		x.first = at
	}
	x.last = max(x.last, at)
}

// pool hands out places of one kind.
type pool struct {
	free []uint32
	next uint32
}

func (p *pool) take() uint32 {
	if n := len(p.free); n > 0 {
		v := p.free[n-1]
		p.free = p.free[:n-1]
		return v
	}
	p.next++
	return p.next - 1
}

// place assigns slots by a linear scan over the intervals. If an instruction reads
// one value for the last time and writes another, the two get different slots,
// because the loops over lanes write results while they read operands of another
// width.
func (s *selector) place(f *frame) {
	list := s.values.list
	starts, ends := make([][]uint32, s.nodes.length), make([][]uint32, s.nodes.length)
	for i := range list {
		v := &list[i]
		if !v.lives() || v.first < 0 {
			continue
		}
		starts[v.first] = append(starts[v.first], uint32(i))
		if v.kind != valueStorage { // blocks are read and written by other functions
			ends[v.last] = append(ends[v.last], uint32(i))
		}
	}
	var words, longs, predicates pool
	var blocks []uint32
	poolOf := func(v *value) *pool {
		switch {
		case v.predicate:
			return &predicates
		case v.words == 2:
			return &longs
		}
		return &words
	}
	for at := range s.nodes.length {
		if at > 0 {
			for _, i := range ends[at-1] {
				p := poolOf(&list[i])
				p.free = append(p.free, list[i].place)
			}
		}
		for _, i := range starts[at] {
			if list[i].kind == valueStorage {
				blocks = append(blocks, i)
				continue
			}
			list[i].place = poolOf(&list[i]).take()
		}
	}
	// Lay the pools out one after the other: longs, words, blocks; score ids
	// likewise, then the predicates'.
	for i := range list {
		v := &list[i]
		switch {
		case !v.lives() || v.first < 0 || v.kind == valueStorage:
		case v.predicate:
			v.unit = int32(longs.next + words.next + uint32(len(blocks)) + v.place)
		case v.words == 2:
			v.unit = int32(v.place)
			v.place *= 2
		default:
			v.unit = int32(longs.next + v.place)
			v.place += 2 * longs.next
		}
	}
	at := 2*longs.next + words.next
	for k, i := range blocks {
		list[i].place = at
		list[i].unit = int32(longs.next + words.next + uint32(k))
		at += uint32(list[i].words)
	}
	f.slots, f.longSlots, f.predicates = int(at), 2*int(longs.next), int(predicates.next)
	f.units = int(longs.next+words.next+predicates.next) + len(blocks)
}
