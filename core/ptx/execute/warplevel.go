package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

func (w *Warp) warpLevel(in *ptx.Instr, mask uint32) {
	if in.Op <= ptx.WarpShuffleIndex {
		w.shuffle(in, mask)
		return
	}
	if mask == 0 {
		return
	}
	// The member masks of the executing lanes are the same by rule.
	members := w.u32(in.B)[bits.TrailingZeros32(mask)&31] & mask
	switch in.Op {
	case ptx.WarpMatchAny, ptx.WarpMatchAll:
		w.match(in, mask, members)
		return
	case ptx.WarpReduce:
		w.reduce(in, mask, members)
		return
	case ptx.WarpElect:
		leader := members & -members
		w.broadcast(in.D, mask, uint32(bits.TrailingZeros32(leader)&31))
		if in.Flags&ptx.FlagHasE != 0 {
			p := w.predicate(in.E)
			*p = *p&^mask | leader&mask
		}
		return
	}
	p := *w.predicate(in.C)
	if in.Flags&ptx.FlagNegateC != 0 {
		p = ^p
	}
	p &= members
	var r bool
	switch in.Op {
	case ptx.WarpBallot:
		w.broadcast(in.D, mask, p)
		return
	case ptx.WarpVoteAll:
		r = p == members
	case ptx.WarpVoteAny:
		r = p != 0
	case ptx.WarpVoteUniform:
		r = p == 0 || p == members
	}
	d := w.predicate(in.D)
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

// shuffle follows the pseudocode of the PTX manual. A lane that reads from a lane
// that does not take part gets the value in that lane's register.
func (w *Warp) shuffle(in *ptx.Instr, mask uint32) {
	a := *w.u32(in.A)
	d, b, c := w.u32(in.D), w.u32(in.B), w.u32(in.C)
	valid := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		lane := uint32(bits.TrailingZeros32(m) & 31)
		bval, cval := b[lane]&31, c[lane]&31
		segment := c[lane] >> 8 & 31
		maxLane := lane&segment | cval&^segment
		minLane := lane & segment
		j := lane
		var ok bool
		switch in.Op {
		case ptx.WarpShuffleUp:
			j -= bval
			ok = int32(j) >= int32(maxLane)
		case ptx.WarpShuffleDown:
			j += bval
			ok = j <= maxLane
		case ptx.WarpShuffleXor:
			j ^= bval
			ok = j <= maxLane
		case ptx.WarpShuffleIndex:
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
	if in.Flags&ptx.FlagHasE != 0 {
		p := w.predicate(in.E)
		*p = *p&^mask | valid
	}
}

func (w *Warp) match(in *ptx.Instr, mask, members uint32) {
	wide := in.Flags&ptx.FlagWideA != 0
	all := uint32(0)
	var matches [ptx.MaxLanes]uint32
	first := bits.TrailingZeros32(members) & 31
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		v := w.lane(in.A, wide, i)
		same := uint32(0)
		for k := members; k != 0; k &= k - 1 {
			j := bits.TrailingZeros32(k) & 31
			if w.lane(in.A, wide, j) == v {
				same |= 1 << j
			}
		}
		if i == first {
			all = same
		}
		if in.Op == ptx.WarpMatchAny {
			matches[i] = same
		}
	}
	d := w.u32(in.D)
	if in.Op == ptx.WarpMatchAny {
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = matches[i]
		}
		return
	}
	r, p := uint32(0), uint32(0)
	if all == members {
		r, p = members, mask
	}
	w.broadcast(in.D, mask, r)
	if in.Flags&ptx.FlagHasE != 0 {
		x := w.predicate(in.E)
		*x = *x&^mask | p
	}
}

func (w *Warp) reduce(in *ptx.Instr, mask, members uint32) {
	a := w.u32(in.A)
	first := bits.TrailingZeros32(members) & 31
	v := uint64(a[first])
	if in.Lane != nil { // min and max of f32: the first counts three times
		v = in.Lane(v, v, v, 0)
		for m := members & (members - 1); m != 0; m &= m - 1 {
			v = in.Lane(v, v, uint64(a[bits.TrailingZeros32(m)&31]), 0)
		}
		w.broadcast(in.D, mask, uint32(v))
		return
	}
	for m := members & (members - 1); m != 0; m &= m - 1 {
		v = arith.ApplyAtomic(in.Atomic, v, uint64(a[bits.TrailingZeros32(m)&31]), 0)
	}
	w.broadcast(in.D, mask, uint32(v))
}
