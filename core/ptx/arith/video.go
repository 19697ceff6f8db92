package arith

import "github.com/burstscope/burstscope/core/ptx"

// Video instructions (PTX ISA, "Video Instructions") work in stages: elements are
// taken out of the registers a and b and extended, an operation is done on them, the
// result is clamped, and combined with the register c. Between the stages the
// elements of an instruction, of which there are 1, 2 or 4, share 64 bits: they have
// 64, 32 or 16 bits each, which hold every sum of two of them.

// VideoPart is where an element lies in the registers b:a.
type VideoPart struct{ Shift, Bits int }

// VideoOp is a primary operation on two elements.
type VideoOp func(x, y int64) int64

// videoPack puts an element into its place among n.
func videoPack(v int64, i, n int) uint64 {
	width := 64 / n
	return uint64(v) << (64 - width) >> (64 - width) << (i * width)
}

// videoUnpack takes an element from its place.
func videoUnpack(v uint64, i, n int) int64 {
	width := 64 / n
	return int64(v<<(64-width*(i+1))) >> (64 - width)
}

// LaneVideoParts extracts elements and extends them, with their sign or with zeros.
func LaneVideoParts(parts []VideoPart, signed bool) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 {
		both := b<<32 | a
		var packed uint64
		for i, p := range parts {
			v := both >> p.Shift << (64 - p.Bits)
			x := int64(v) >> (64 - p.Bits)
			if !signed {
				x = int64(v >> (64 - p.Bits))
			}
			packed |= videoPack(x, i, len(parts))
		}
		return packed
	}
}

// VideoOperation returns the primary operation of vadd, vadd2, vadd4 and the others;
// nil for another name.
func VideoOperation(name string) VideoOp {
	switch name {
	case "vadd":
		return func(x, y int64) int64 { return x + y }
	case "vsub":
		return func(x, y int64) int64 { return x - y }
	case "vabsdiff":
		return func(x, y int64) int64 { return max(x, y) - min(x, y) }
	case "vmin":
		return func(x, y int64) int64 { return min(x, y) }
	case "vmax":
		return func(x, y int64) int64 { return max(x, y) }
	case "vavrg": // half of an odd sum is rounded away from zero if it is positive, and down if not
		return func(x, y int64) int64 {
			if x+y >= 0 {
				return (x + y + 1) >> 1
			}
			return (x + y) >> 1
		}
	}
	return nil
}

// VideoCompare returns the primary operation of vset: 1 or 0.
func VideoCompare(word string) VideoOp {
	truth := func(f func(x, y int64) bool) VideoOp {
		return func(x, y int64) int64 {
			if f(x, y) {
				return 1
			}
			return 0
		}
	}
	switch word {
	case "eq":
		return truth(func(x, y int64) bool { return x == y })
	case "ne":
		return truth(func(x, y int64) bool { return x != y })
	case "lt":
		return truth(func(x, y int64) bool { return x < y })
	case "le":
		return truth(func(x, y int64) bool { return x <= y })
	case "gt":
		return truth(func(x, y int64) bool { return x > y })
	}
	return truth(func(x, y int64) bool { return x >= y })
}

// VideoShift returns the primary operation of vshl and vshr. An element has 33 bits,
// so a shift to the left may give 65: what lies above 2^62 becomes 2^62, which any
// clamp cuts off; without a clamp the low 33 bits are the same zeros.
func VideoShift(left, wrap bool) VideoOp {
	return func(x, y int64) int64 {
		if wrap {
			y &= 31
		}
		n := min(y, 32)
		switch {
		case !left:
			return x >> n
		case x > 1<<62>>n:
			return 1<<62 | x<<n&(1<<33-1)
		case x < -1<<62>>n:
			return -1<<62 | x<<n&(1<<33-1)
		}
		return x << n
	}
}

// VideoClamp is .sat: the limits of the destination's element.
func VideoClamp(f VideoOp, bits int, signed bool) VideoOp {
	low, high := int64(0), int64(1)<<bits-1
	if signed {
		low, high = -1<<(bits-1), 1<<(bits-1)-1
	}
	return func(x, y int64) int64 { return min(max(f(x, y), low), high) }
}

// LaneVideoScalar is the rest of a scalar instruction after its elements were
// extracted: the operation, and the second operation with c (.add, .min or .max, or
// none). The manual gives the second operation 33 bits with a sign.
func LaneVideoScalar(f VideoOp, second string, signed bool) ptx.LaneFunc {
	third := func(c uint64) int64 { return int64(c) }
	if signed {
		third = func(c uint64) int64 { return int64(int32(c)) }
	}
	bits33 := func(v int64) int64 { return v << 31 >> 31 }
	return func(x, y, c, _ uint64) uint64 {
		v := bits33(f(int64(x), int64(y)))
		switch second {
		case "add":
			v += third(c)
		case "min":
			v = min(v, third(c))
		case "max":
			v = max(v, third(c))
		}
		return uint64(uint32(v))
	}
}

// LaneVideoMerge is LaneVideoScalar whose result replaces a part of c.
func LaneVideoMerge(f VideoOp, part VideoPart) ptx.LaneFunc {
	mask := uint64(1)<<part.Bits - 1
	return func(x, y, c, _ uint64) uint64 {
		return c&^(mask<<part.Shift) | uint64(f(int64(x), int64(y)))&mask<<part.Shift
	}
}

// LaneVideoVector is the rest of a SIMD instruction on n elements: those in the mask
// replace the elements of c, or are added to c.
func LaneVideoVector(f VideoOp, n int, mask uint64, accumulate bool) ptx.LaneFunc {
	bits := 32 / n
	element := uint64(1)<<bits - 1
	return func(x, y, c, _ uint64) uint64 {
		d := c
		for i := range n {
			if mask>>i&1 == 0 {
				continue
			}
			v := uint64(f(videoUnpack(x, i, n), videoUnpack(y, i, n)))
			if accumulate {
				d += v
			} else {
				d = d&^(element<<(i*bits)) | v&element<<(i*bits)
			}
		}
		return uint64(uint32(d))
	}
}
