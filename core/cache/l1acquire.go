package cache

import "github.com/burstscope/burstscope/core/mem"

// Acquire is what an acquire or a fence of scope .gpu or .sys does to the lines of L1. L1s are not coherent: another SM may
// have changed what a line holds.
type Acquire uint8

const (
	// AcquireKeep keeps them, so that a load may see bytes from before the acquire until the launch ends. PTX's memory
	// model does not bind GPUs before compute capability 7.0 (PTX ISA, Memory Consistency Model).
	AcquireKeep Acquire = iota
	// AcquireForget drops all lines of global memory at once, as compilers ask for with CCTL.IVALL after an acquire.
	// It costs the misses that follow.
	AcquireForget
	NumAcquires
)

// AcquireNames are the names of what acquires do, in their order.
var AcquireNames = [NumAcquires]string{"keep", "forget"}

// Forget drops the lines below an address, where local memory begins, which no other SM writes. Loads that wait get the
// bytes that were requested for them; later loads ask anew.
func (l *L1) Forget(local mem.Addr) {
	for e := range l.waits {
		if a := l.store.Line(e); a != NoLine && a < local {
			l.dropEntry(e)
		}
	}
}
