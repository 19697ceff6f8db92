package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// Hinted checks the addresses of an access that moves no values, and takes out lanes without anything to do: those of a
// prefetch or an applypriority outside of every allocation, and all lanes of another state space than global and local
// memory. A discard is a write (PTX ISA, discard), so its lines must begin in an allocation. The bytes of a
// discarded line may be any; here they stay.
func Hinted(w *Warp, a *ptx.Access, image *mem.Image) *Fault {
	if a.Space == ptx.SpaceLocal && a.Kind == ptx.AccessPrefetch {
		w.hintedLocal(a)
		return nil
	}
	if a.Space != ptx.SpaceGlobal {
		a.Mask = 0
	}
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if image.Find(mem.LineAddr(addr[i])) >= 0 {
			continue
		}
		if a.Kind == ptx.AccessDiscard {
			if f := OutOfBounds(w, a, i, image); f != nil {
				return f
			}
		}
		a.Mask &^= 1 << i
	}
	return nil
}

// hintedLocal takes out the lanes of a prefetch outside of the thread's local memory.
func (w *Warp) hintedLocal(a *ptx.Access) {
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m) & 31; addr[i] >= uint64(w.kernel.LocalBytes) {
			a.Mask &^= 1 << i
		}
	}
}

// Policy returns the cache policy of an instruction that has one, in a lane.
func (w *Warp) Policy(o *ptx.MemoryOp, lane int) uint64 { return w.u64(o.Hints.PolicyAt)[lane&31] }
