package execute

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// matrixDescriptor is the descriptor of a matrix in shared memory (PTX ISA, "Matrix Descriptor Format" of wgmma;
// CUTLASS, mma_sm90_desc.hpp): 16-byte units in bits 0-13 (start), 16-29 (leading offset), 32-45 (stride offset);
// bits 49-51 are the base offset, 62-63 the swizzle: 0 none, 1 128 bytes, 2 64, 3 32.
type matrixDescriptor struct {
	start, leading, stride int
	base                   int // the line of 128 bytes in which the swizzling pattern starts
	span                   int // of the swizzle, in bytes; 16 is none
	lines                  int // after how many lines of 128 bytes the pattern repeats, less one
}

// descriptorRest are the bits without a meaning, which the manual wants to be zero.
const descriptorRest = 1<<62 - 1 - 0x3fff - 0x3fff<<16 - 0x3fff<<32 - 7<<49

func newDescriptor(v uint64) matrixDescriptor {
	field := func(at int) int { return int(v>>at&0x3fff) << 4 }
	d := matrixDescriptor{start: field(0), leading: field(16), stride: field(32), base: int(v >> 49 & 7), span: 16}
	if layout := v >> 62; layout > 0 {
		d.span = 256 >> layout
		d.lines = d.span/16 - 1
	}
	return d
}

// place returns the address of 16 bytes: the exclusive or takes the number of the 128-byte line into that of the 16
// bytes in it (PTX ISA, "Swizzling Modes").
func (d *matrixDescriptor) place(offset int) int {
	at := d.start + offset
	return at ^ (at>>7-d.base)&d.lines<<4
}

// alongK returns the offset of the 16 bytes from chunk*16 on of row mn, in a matrix whose rows lie along K (PTX ISA,
// "Canonical Layouts" of wgmma, K-major).
func (d *matrixDescriptor) alongK(mn, chunk int) int {
	eights := mn / 8 * d.stride
	if d.span == 16 {
		return mn%8*16 + eights + chunk*d.leading
	}
	at := chunk * 16
	return mn%8*d.span + eights + at%d.span + at/d.span*d.leading
}

// acrossK returns the offset of elements mn to mn+7, of 16 bits, at place k (MN-major).
func (d *matrixDescriptor) acrossK(mn, k int) int {
	if d.span == 16 {
		return mn/8*d.stride + k%8*16 + k/8*d.leading
	}
	at := mn * 2
	return at%d.span + at/d.span*d.leading + k%8*d.span + k/8*d.stride
}

// groupMatrix reads a matrix of so many rows (columns of B), rowBytes along K, one after the other into out.
func (w *Warp) groupMatrix(out []byte, v uint64, name string, rows, rowBytes int, across bool,
	checks *groupReads) bool {
	if v&descriptorRest != 0 {
		w.faultAt(w.PC, 0, "the descriptor of %s is %#x: bits %d must be zero", name, v,
			bits.TrailingZeros64(v&descriptorRest))
		return false
	}
	d := newDescriptor(v)
	shared := w.CTA.Shared
	read := func(offset int) []byte {
		at := d.place(offset)
		if at < 0 || at+16 > len(shared) {
			w.faultAt(w.PC, 0, "the descriptor of %s (%#x) reaches byte %d of shared memory, but the CTA has %d bytes",
				name, v, at, len(shared))
			return nil
		}
		if !checks.read(at) {
			return nil
		}
		return shared[at : at+16]
	}
	if !across {
		for mn := range rows {
			for chunk := range rowBytes / 16 {
				from := read(d.alongK(mn, chunk))
				if from == nil {
					return false
				}
				copy(out[mn*rowBytes+16*chunk:], from)
			}
		}
		return true
	}
	for k := range rowBytes / 2 {
		for mn := 0; mn < rows; mn += 8 {
			from := read(d.acrossK(mn, k))
			if from == nil {
				return false
			}
			for i := range 8 {
				copy(out[(mn+i)*rowBytes+2*k:][:2], from[2*i:])
			}
		}
	}
	return true
}

// registerRows writes A of a warp's registers into 16 rows (PTX ISA, "Register Fragments" of wgmma): register r of
// lane l has four bytes of row l/4 + 8*(r%2), from 4*(l%4) + 16*(r/2) on.
func (w *Warp) registerRows(out []byte, regs []uint32) {
	for r, offset := range regs {
		for l, v := range w.u32(offset) {
			binary.LittleEndian.PutUint32(out[(l/4+r%2*8)*ptx.GroupRowBytes+l%4*4+r/2*16:], v)
		}
	}
}
