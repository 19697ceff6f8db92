package execute

import (
	"bytes"
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// assertion is where the texts of a failed assert are.
type assertion struct {
	message, file, function mem.Addr
	line                    uint32
	constants               []byte
}

// trap records why a lane ends the program.
func (w *Warp) trap(in *ptx.Instr, lane int) {
	wide := in.Flags&ptx.FlagWideA != 0
	switch in.Imm {
	case ptx.TrapAssert:
		w.faultAt(w.PC, lane, "assertion failed")
	case ptx.TrapAssertText:
		w.faultAt(w.PC, lane, "assertion failed")
		w.fault.assert = &assertion{w.lane(in.A, wide, lane), w.lane(in.B, wide, lane), w.lane(in.E, wide, lane),
			w.u32(in.C)[lane], w.kernel.Const}
	case ptx.TrapFree:
		w.faultAt(w.PC, lane, "free of %#x: malloc has not given this address, or it has been freed already",
			w.lane(in.A, wide, lane))
	default:
		w.faultAt(w.PC, lane, "trap")
	}
}

// maxAssertText bounds each text of an assertion, in bytes [ours].
const maxAssertText = 512

// Explain completes the message of a failed assert with its texts, which are in memory, as CUDA prints it.
func (f *Fault) Explain(image *mem.Image, read func(a mem.Addr, dst []byte)) {
	if f == nil || f.assert == nil {
		return
	}
	text := func(at mem.Addr) string {
		b, ok := textAt(at, maxAssertText, f.assert.constants, image, read)
		if !ok {
			return fmt.Sprintf("(text at %#x)", at)
		}
		return string(b)
	}
	a := f.assert
	f.Message = fmt.Sprintf("%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.",
		text(a.file), a.line, text(a.function), f.CTA[0], f.CTA[1], f.CTA[2],
		f.Thread[0], f.Thread[1], f.Thread[2], text(a.message))
	f.assert = nil
}

// textAt returns the text at a generic address of global memory or constants, without the zero that ends it, cut to
// the given number of bytes; not ok if it lies outside of every allocation or does not end in it.
func textAt(
	at mem.Addr, most int, constants []byte, image *mem.Image, read func(a mem.Addr, dst []byte),
) (text []byte, ok bool) {
	if at-ptx.ConstWindow < uint64(len(constants)) {
		return endedBy(constants[at-ptx.ConstWindow:], most)
	}
	k := image.Find(at)
	if k < 0 {
		return nil, false
	}
	left := image.Allocations()[k].End() - at
	for len(text) <= most && left > 0 {
		var piece [mem.LineBytes]byte
		n := min(left, uint64(len(piece)))
		read(at, piece[:n])
		text = append(text, piece[:n]...)
		if bytes.IndexByte(piece[:n], 0) >= 0 {
			break
		}
		at, left = at+n, left-n
	}
	return endedBy(text, most)
}

// endedBy returns what stands before the first zero.
func endedBy(b []byte, most int) (text []byte, ok bool) {
	n := bytes.IndexByte(b, 0)
	if n > most || n < 0 && len(b) > most {
		return b[:most], true
	}
	if n < 0 {
		return nil, false
	}
	return b[:n], true
}
