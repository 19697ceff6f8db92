// Package mem holds addresses, cache lines, the arena of lines in flight, and the
// image of device memory. It imports only tape.
package mem

import (
	"math/bits"
	"unsafe"
)

// Sizes of the memory hierarchy in bytes. All five systems use 128-byte blocks
// with 32-byte sectors.
const (
	LineBytes   = 128
	SectorBytes = 32
	LineSectors = LineBytes / SectorBytes
)

// Addr is a device byte address.
type Addr = uint64

// LineAddr returns the address of the line that holds a.
func LineAddr(a Addr) Addr { return a &^ (LineBytes - 1) }

// LineOffset returns the place of a inside its line.
func LineOffset(a Addr) int { return int(a & (LineBytes - 1)) }

// Line is the contents of one cache line: the block of the codecs.
type Line [LineBytes]byte

// ByteMask marks bytes of a line: bit i of Lo is byte i, bit i of Hi is byte 64+i.
type ByteMask struct{ Lo, Hi uint64 }

// FullMask covers the whole line.
var FullMask = ByteMask{^uint64(0), ^uint64(0)}

// Set marks n bytes from offset off; the range must lie inside the line.
func (m *ByteMask) Set(off, n int) {
	if off < 64 {
		m.Lo |= span(off, n)
		if over := off + n - 64; over > 0 {
			m.Hi |= span(0, over)
		}
		return
	}
	m.Hi |= span(off-64, n)
}

func span(off, n int) uint64 {
	if n >= 64 {
		return ^uint64(0) << off
	}
	return (uint64(1)<<n - 1) << off
}

// Or returns the union.
func (m ByteMask) Or(o ByteMask) ByteMask { return ByteMask{m.Lo | o.Lo, m.Hi | o.Hi} }

// Covers reports whether every byte of o is in m.
func (m ByteMask) Covers(o ByteMask) bool { return o.Lo&^m.Lo|o.Hi&^m.Hi == 0 }

// Meets reports whether the masks share a byte.
func (m ByteMask) Meets(o ByteMask) bool { return m.Lo&o.Lo|m.Hi&o.Hi != 0 }

// Empty reports whether no byte is marked.
func (m ByteMask) Empty() bool { return m.Lo|m.Hi == 0 }

// Full reports whether every byte is marked.
func (m ByteMask) Full() bool { return m.Lo&m.Hi == ^uint64(0) }

// Count returns the number of bytes marked.
func (m ByteMask) Count() int { return bits.OnesCount64(m.Lo) + bits.OnesCount64(m.Hi) }

// Sectors returns a bit for each 32-byte sector that has a byte marked.
func (m ByteMask) Sectors() uint8 {
	var s uint8
	if uint32(m.Lo) != 0 {
		s |= 1
	}
	if m.Lo>>32 != 0 {
		s |= 2
	}
	if uint32(m.Hi) != 0 {
		s |= 4
	}
	if m.Hi>>32 != 0 {
		s |= 8
	}
	return s
}

// WholeSectors returns a bit for each 32-byte sector of which all bytes are marked.
func (m ByteMask) WholeSectors() uint8 {
	return ^ByteMask{^m.Lo, ^m.Hi}.Sectors() & FullMask.Sectors()
}

// SectorBytes returns the size of the sectors that have a byte marked, which is the
// payload of a packet with these bytes.
func (m ByteMask) SectorBytes() int { return bits.OnesCount8(m.Sectors()) * SectorBytes }

// SectorMask returns the bytes of the sectors whose bits are set.
func SectorMask(sectors uint8) ByteMask {
	var m ByteMask
	if sectors&1 != 0 {
		m.Lo |= 0xffffffff
	}
	if sectors&2 != 0 {
		m.Lo |= 0xffffffff << 32
	}
	if sectors&4 != 0 {
		m.Hi |= 0xffffffff
	}
	if sectors&8 != 0 {
		m.Hi |= 0xffffffff << 32
	}
	return m
}

// Set makes l a copy of src. The two are the same line or do not overlap, which the compiler knows of a structure and
// not of an array: it copies an array by a call.
func (l *Line) Set(src *Line) {
	type whole struct{ line Line }
	*(*whole)(unsafe.Pointer(l)) = *(*whole)(unsafe.Pointer(src))
}

// Merge copies the marked bytes of src into l.
func (l *Line) Merge(src *Line, m ByteMask) {
	if m.Full() {
		l.Set(src)
		return
	}
	mergeHalf(l[:64], src[:64], m.Lo)
	mergeHalf(l[64:], src[64:], m.Hi)
}

func mergeHalf(dst, src []byte, m uint64) {
	for m != 0 {
		i := bits.TrailingZeros64(m)
		n := bits.TrailingZeros64(^(m >> i)) // length of the run of marked bytes
		copy(dst[i:i+n], src[i:i+n])
		if i+n >= 64 {
			return
		}
		m &= ^uint64(0) << (i + n)
	}
}
