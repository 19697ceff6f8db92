package execute

import (
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// OutOfTensor returns the fault of a copy whose box leaves the buffer in which its tensor begins, at an element within
// the bounds of the tensor map. A box in the next buffer would be copied as if nothing was wrong. A map of more
// elements than the buffer has is no fault: the driver does not know the buffer, and programs give dimensions that no
// box reaches, such as 2^31 (triton/tools/ragged_tma.py). If the tensor begins outside of all allocations, every access
// is looked at by itself.
func (w *Warp) OutOfTensor(a *ptx.Access, image *mem.Image) *Fault {
	in := &w.kernel.Code[a.PC]
	if in.Family != ptx.FamilyMemory || in.Op != ptx.MemoryTensorRead && in.Op != ptx.MemoryTensorWrite ||
		a.Space != ptx.SpaceGlobal {
		return nil
	}
	k := image.Find(w.work.m.Address)
	if k < 0 {
		return nil
	}
	home, n := &image.Allocations()[k], uint64(a.Bytes)
	for lane, at := range &a.Addr {
		if by := at - home.Base; a.Mask>>lane&1 != 0 && (by >= home.Bytes || home.Bytes-by < n) {
			f := w.faultOf(a.PC, lane, "")
			f.Message = fmt.Sprintf("copy of a tensor: the box at %d leaves the buffer %q of %d bytes, in which the "+
				"tensor begins, at offset %d: give the tensor map fewer elements (dims), or the buffer more bytes",
				w.work.box.At[:w.work.m.Rank], home.Name, home.Bytes, int64(by))
			return f
		}
	}
	return nil
}
