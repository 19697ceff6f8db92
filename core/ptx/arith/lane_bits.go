package arith

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

func LanePopc(a, _, _, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) }

func LaneClz(t ptx.Scalar) ptx.LaneFunc {
	skip := 64 - t.Bits()
	return func(a, _, _, _ uint64) uint64 { return uint64(bits.LeadingZeros64(a) - skip) }
}

func LaneBrev(t ptx.Scalar) ptx.LaneFunc {
	skip := 64 - t.Bits()
	return func(a, _, _, _ uint64) uint64 { return bits.Reverse64(a) >> skip }
}

// fieldMask returns the bits of a position or length that count in bfe and bfi. The manual
// allows 0 to 255; of more, an NVIDIA H200 takes 8 bits in forms of 32 bits and all bits in
// forms of 64.
func fieldMask(t ptx.Scalar) uint64 {
	if t.Bits() == 64 {
		return 0xffffffff
	}
	return 0xff
}

// LaneBfe extracts c bits from bit b; beyond the top it repeats the sign (signed
// types) or zero.
func LaneBfe(t ptx.Scalar) ptx.LaneFunc {
	top, significant := uint64(t.Bits()-1), fieldMask(t)
	return func(a, b, c, _ uint64) uint64 {
		pos, n := b&significant, c&significant
		if n == 0 {
			return 0
		}
		v := a
		if t.IsSigned() {
			v = t.Extend(a)
			pos = min(pos, top+1)
			signAt := min(pos+n-1, top)
			s := uint64(63 - signAt)
			v = uint64(int64(v<<s)>>s) & t.Mask()
			// v now repeats the sign bit of the field upwards.
			return uint64(signed(t, v)>>pos) & t.Mask()
		}
		if pos > top {
			return 0
		}
		v >>= pos
		if n < 64 {
			v &= 1<<n - 1
		}
		return v
	}
}

// LaneBfi puts the low bits of a into b.
func LaneBfi(t ptx.Scalar) ptx.LaneFunc {
	significant := fieldMask(t)
	return func(a, b, c, e uint64) uint64 {
		pos, n := c&significant, e&significant
		m := ^uint64(0)
		if n < 64 {
			m = 1<<n - 1
		}
		m = m << pos & t.Mask()
		return b&^m | a<<pos&m
	}
}

// LaneBfind finds the highest bit that differs from the sign.
func LaneBfind(t ptx.Scalar, amount bool) ptx.LaneFunc {
	return func(a, _, _, _ uint64) uint64 {
		v := a
		if t.IsSigned() && signed(t, a) < 0 {
			v = ^a & t.Mask()
		}
		if v == 0 {
			return 0xffffffff
		}
		pos := bits.Len64(v) - 1
		if amount {
			pos = t.Bits() - 1 - pos
		}
		return uint64(pos)
	}
}

// LaneFns finds the n-th set bit (c) of a, counted from bit b.
func LaneFns(a, b, c, _ uint64) uint64 {
	n := int32(c)
	base := int(b & 31)
	step := 1
	if n == 0 {
		if a>>base&1 != 0 {
			return uint64(base)
		}
		return 0xffffffff
	}
	if n < 0 {
		step, n = -1, -n
	}
	for i := base; i >= 0 && i < 32; i += step {
		if a>>i&1 != 0 {
			if n--; n == 0 {
				return uint64(i)
			}
		}
	}
	return 0xffffffff
}

// LanePrmt picks four bytes out of b:a.
func LanePrmt(mode string) ptx.LaneFunc {
	return func(a, b, c, _ uint64) uint64 {
		v := b<<32 | a
		var r uint64
		for i := range uint64(4) {
			var k uint64
			sign := false
			n := c & 3
			switch mode {
			case "":
				k = c >> (4 * i) & 7
				sign = c>>(4*i)&8 != 0
			case "f4e":
				k = n + i
			case "b4e":
				k = (n - i) & 7
			case "rc8":
				k = n
			case "ecl":
				k = max(n, i)
			case "ecr":
				k = min(n, i)
			case "rc16":
				k = n&1*2 + i&1
			}
			x := v >> (8 * k) & 0xff
			if sign {
				x = uint64(uint8(int8(x) >> 7))
			}
			r |= x << (8 * i)
		}
		return r
	}
}

// LaneLop3 looks every bit up in an 8-entry table: bit 4a+2b+c of it.
func LaneLop3(table uint8) ptx.LaneFunc {
	// For each a and b the table leaves a function of c: c&and ^ xor.
	var and, xor [4]uint64
	for i := range and {
		zero, one := table>>(2*i)&1, table>>(2*i+1)&1
		xor[i] = -uint64(zero)
		and[i] = -uint64(zero ^ one)
	}
	return func(a, b, c, _ uint64) uint64 {
		f00, f01 := c&and[0]^xor[0], c&and[1]^xor[1]
		f10, f11 := c&and[2]^xor[2], c&and[3]^xor[3]
		f0, f1 := f00^(f00^f01)&b, f10^(f10^f11)&b
		return (f0 ^ (f0^f1)&a) & 0xffffffff
	}
}

func LaneBmsk(wrap bool) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 {
		if wrap {
			a, b = a&31, b&31
		}
		if a >= 32 || b == 0 {
			return 0
		}
		if b >= 32 {
			return uint64(uint32(0xffffffff) << a)
		}
		return uint64(uint32(1<<b-1) << a)
	}
}

// LaneSzext keeps b bits of a and extends them.
func LaneSzext(t ptx.Scalar, wrap bool) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 {
		if wrap {
			b &= 31
		}
		switch {
		case b == 0:
			return 0
		case b >= 32:
			return a
		case t.IsSigned():
			s := 64 - b
			return uint64(int64(a<<s)>>s) & 0xffffffff
		}
		return a & (1<<b - 1)
	}
}

// LaneDot is dp4a (four bytes of a and b) and dp2a (two halves of a, and two
// bytes of b).
func LaneDot(ta, tb ptx.Scalar, n int, high bool) ptx.LaneFunc {
	part := func(t ptx.Scalar, v uint64, width uint) int64 {
		s := 64 - width
		if t.IsSigned() {
			return int64(v<<s) >> s
		}
		return int64(v << s >> s)
	}
	return func(a, b, c, _ uint64) uint64 {
		sum := int64(c)
		if high {
			b >>= 16
		}
		width := uint(32 / n)
		for i := range uint(n) {
			sum += part(ta, a>>(width*i), width) * part(tb, b>>(8*i), 8)
		}
		return uint64(sum) & 0xffffffff
	}
}
