package ptx

import "math/bits"

// Operations across the lanes of a warp.
const (
	warpShuffleUp op = iota
	warpShuffleDown
	warpShuffleXor
	warpShuffleIndex
	warpVoteAll
	warpVoteAny
	warpVoteUniform
	warpBallot
	warpMatchAny
	warpMatchAll
	warpReduce
	warpElect
)

func (w *Warp) warpLevel(in *Instr, mask uint32) {
	if in.op <= warpShuffleIndex {
		w.shuffle(in, mask)
		return
	}
	if mask == 0 {
		return
	}
	// The member masks of the executing lanes are the same by rule.
	members := w.u32(in.b)[bits.TrailingZeros32(mask)&31] & mask
	switch in.op {
	case warpMatchAny, warpMatchAll:
		w.match(in, mask, members)
		return
	case warpReduce:
		w.reduce(in, mask, members)
		return
	case warpElect:
		leader := members & -members
		w.broadcast(in.d, mask, uint32(bits.TrailingZeros32(leader)&31))
		if in.flags&flagHasE != 0 {
			p := &w.predicates[in.e]
			*p = *p&^mask | leader&mask
		}
		return
	}
	p := w.predicates[in.c]
	if in.flags&flagNegateC != 0 {
		p = ^p
	}
	p &= members
	var r bool
	switch in.op {
	case warpBallot:
		w.broadcast(in.d, mask, p)
		return
	case warpVoteAll:
		r = p == members
	case warpVoteAny:
		r = p != 0
	case warpVoteUniform:
		r = p == 0 || p == members
	}
	d := &w.predicates[in.d]
	*d &^= mask
	if r {
		*d |= mask
	}
}

func (w *Warp) broadcast(offset, mask, v uint32) {
	d := w.u32(offset)
	for m := mask; m != 0; m &= m - 1 {
		d[bits.TrailingZeros32(m)&31] = v
	}
}

// shuffle follows the pseudocode of the PTX manual. A lane that reads from one
// that does not take part gets whatever is in that lane's register.
func (w *Warp) shuffle(in *Instr, mask uint32) {
	a := *w.u32(in.a)
	d, b, c := w.u32(in.d), w.u32(in.b), w.u32(in.c)
	valid := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		lane := uint32(bits.TrailingZeros32(m) & 31)
		bval, cval := b[lane]&31, c[lane]&31
		segment := c[lane] >> 8 & 31
		maxLane := lane&segment | cval&^segment
		minLane := lane & segment
		j := lane
		var ok bool
		switch in.op {
		case warpShuffleUp:
			j -= bval
			ok = int32(j) >= int32(maxLane)
		case warpShuffleDown:
			j += bval
			ok = j <= maxLane
		case warpShuffleXor:
			j ^= bval
			ok = j <= maxLane
		case warpShuffleIndex:
			j = minLane | bval&^segment
			ok = j <= maxLane
		}
		if ok {
			valid |= 1 << lane
		} else {
			j = lane
		}
		d[lane] = a[j&31]
	}
	if in.flags&flagHasE != 0 {
		p := &w.predicates[in.e]
		*p = *p&^mask | valid
	}
}

func (w *Warp) match(in *Instr, mask, members uint32) {
	wide := in.flags&flagWideA != 0
	all := uint32(0)
	first := bits.TrailingZeros32(members) & 31
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		v := w.lane(in.a, wide, i)
		same := uint32(0)
		for k := members; k != 0; k &= k - 1 {
			j := bits.TrailingZeros32(k) & 31
			if w.lane(in.a, wide, j) == v {
				same |= 1 << j
			}
		}
		if i == first {
			all = same
		}
		if in.op == warpMatchAny {
			w.scratch[i] = uint64(same)
		}
	}
	d := w.u32(in.d)
	if in.op == warpMatchAny {
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = uint32(w.scratch[i])
		}
		return
	}
	r, p := uint32(0), uint32(0)
	if all == members {
		r, p = members, mask
	}
	w.broadcast(in.d, mask, r)
	if in.flags&flagHasE != 0 {
		x := &w.predicates[in.e]
		*x = *x&^mask | p
	}
}

func (w *Warp) reduce(in *Instr, mask, members uint32) {
	a := w.u32(in.a)
	first := bits.TrailingZeros32(members) & 31
	v := uint64(a[first])
	if in.lane != nil { // min and max of f32: the first counts three times
		v = in.lane(v, v, v, 0)
		for m := members & (members - 1); m != 0; m &= m - 1 {
			v = in.lane(v, v, uint64(a[bits.TrailingZeros32(m)&31]), 0)
		}
		w.broadcast(in.d, mask, uint32(v))
		return
	}
	for m := members & (members - 1); m != 0; m &= m - 1 {
		v = ApplyAtomic(in.Atomic, v, uint64(a[bits.TrailingZeros32(m)&31]), 0)
	}
	w.broadcast(in.d, mask, uint32(v))
}
