package execute

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// PrintedBytes is how much a program may print: the default of cudaLimitPrintfFifoSize (CUDA C++ Programming Guide,
// "Associated Host-Side API").
const PrintedBytes = 1 << 20

// Printed is what a program prints with printf, in the order of the exact run. A call whose text does not fit into
// PrintedBytes is dropped with all that follow.
type Printed struct {
	Text    []byte
	Dropped uint64 // calls of threads
}

// print does the printf of some lanes, one after the other.
func (r *runner) print(w *Warp, in *ptx.Instr, mask uint32) (ok bool) {
	out := r.opts.Printed
	wide := in.Flags&ptx.FlagWideA != 0
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		if out.Dropped > 0 {
			out.Dropped++
			continue
		}
		format, found := r.text(w, lane, w.lane(in.A, wide, lane))
		if !found {
			w.faultAt(w.PC, lane, "printf: no text ends in the memory at %#x, which is its format", w.lane(in.A, wide, lane))
			return false
		}
		c := conversion{r: r, w: w, lane: lane, at: w.lane(in.B, wide, lane), wide: wide, out: out.Text, most: PrintedBytes}
		c.print(format)
		switch {
		case c.missing:
			w.faultAt(w.PC, lane, "printf: an argument at %#x is outside of memory", c.at)
			return false
		case len(c.out) > PrintedBytes:
			out.Text = c.out[:len(out.Text)]
			out.Dropped++
		default:
			out.Text = c.out
		}
	}
	return true
}

// text returns the text at a generic address of a lane.
func (r *runner) text(w *Warp, lane int, at uint64) (text []byte, ok bool) {
	switch at &^ (ptx.WindowBytes - 1) {
	case ptx.LocalWindow, ptx.SharedWindow:
		return endedBy(r.window(w, lane, at), PrintedBytes)
	}
	return textAt(at, PrintedBytes, w.kernel.Const, r.image, r.image.Read)
}

// window returns the local or shared memory from a generic address on.
func (r *runner) window(w *Warp, lane int, at uint64) []byte {
	memory := r.group.Shared
	if at >= ptx.LocalWindow {
		size := w.kernel.LocalBytes
		memory = r.local[w.Index][lane*size : (lane+1)*size]
	}
	return memory[min(at&(ptx.WindowBytes-1), uint64(len(memory))):]
}

// word reads an argument of 4 or 8 bytes.
func (r *runner) word(w *Warp, lane int, at, n uint64) (v uint64, ok bool) {
	var b [8]byte
	switch at &^ (ptx.WindowBytes - 1) {
	case ptx.LocalWindow, ptx.SharedWindow:
		ok = uint64(copy(b[:n], r.window(w, lane, at))) == n
	default:
		k := r.image.Find(at)
		if ok = k >= 0 && r.image.Allocations()[k].End()-at >= n; ok {
			r.image.Read(at, b[:n])
		}
	}
	return binary.LittleEndian.Uint64(b[:]), ok
}
