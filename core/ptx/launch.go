package ptx

import (
	"fmt"
	"slices"
)

// Launch is a kernel with its grid and arguments.
type Launch struct {
	Kernel             *Kernel
	Grid, Block        [3]uint32
	Cluster            [3]uint32 // CTAs of a cluster; zeros leave it to the kernel
	NonPortable        bool      // a cluster may have more than eight CTAs
	DynamicSharedBytes int
	Params             []byte // laid out as Kernel.Params says
	// Registers is the number of registers per thread if a compiler has allocated
	// them; 0 means Kernel.RegistersPerThread.
	Registers int
	// Textures are what the kernel may read with tex; TextureHandle numbers them.
	Textures []Texture
	// Streamed says that the launch begins when those of After have ended, which are earlier ones of the program.
	// Otherwise all before it must have ended. All launches of a program are alike in this.
	Streamed bool
	After    []int32
	// LinkBytes come from the host over the link before the launch begins.
	LinkBytes uint64
}

// Streamed reports whether launches of the program may overlap.
func Streamed(launches []*Launch) bool { return len(launches) > 0 && launches[0].Streamed }

// RegistersPerThread returns the number of 32-bit registers per thread.
func (l *Launch) RegistersPerThread() int {
	if l.Registers > 0 {
		return l.Registers
	}
	n := l.Kernel.RegistersPerThread
	if start, _ := l.RegistersAtStart(); n > start && l.Kernel.movesRegisters() {
		return start // what it needs at most, it has only after setmaxnreg
	}
	return n
}

// movesRegisters reports whether the kernel has a setmaxnreg.
func (k *Kernel) movesRegisters() bool {
	return slices.ContainsFunc(k.Code, func(in Instr) bool {
		return in.Family == FamilyControl && in.Op == ControlRegisters
	})
}

// RegistersKnown reports whether the assembler knows how many registers a thread starts with, which setmaxnreg needs
// (PTX ISA, setmaxnreg: by an option or by the directives of performance tuning; otherwise it may have no effect).
func (k *Kernel) RegistersKnown() bool {
	return k.MaxRegisters > 0 || k.MaxNTID[0] > 0 || k.ReqNTID[0] > 0
}

// Registers of an SM and of a thread (CUDA C++ Programming Guide, compute capability 9.0).
const (
	registersOfSM         = 65536
	MaxRegistersPerThread = 255
)

// RegistersAtStart returns how many registers a thread has before the first setmaxnreg, and how many the CTA has for
// each lane of its warps. It is .maxnreg. Without it the number is that of a compiler, which PTX does not tell: as many
// as .minnctapersm CTAs leave to each, down to a multiple of 8 [ours].
func (l *Launch) RegistersAtStart() (start, pool int) {
	n := l.WarpsPerCTA()
	if start = l.Kernel.MaxRegisters; start > 0 {
		return start, n * start
	}
	pool = registersOfSM / MaxLanes / max(l.Kernel.MinCTAs, 1)
	if start = l.Registers; start == 0 {
		start = min(pool/n, MaxRegistersPerThread) &^ 7
	}
	return start, max(pool, n*start)
}

// Limits of a grid (CUDA C++ Programming Guide, compute capabilities).
const (
	maxGridX  = 1<<31 - 1
	maxGridYZ = 65535
	maxBlockZ = 64
)

// Validate returns what is wrong with a launch, or nil.
func (l *Launch) Validate() error {
	k := l.Kernel
	if k == nil {
		return fmt.Errorf("ptx: launch without a kernel")
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("ptx: launch of %s: "+format, append([]any{k.Name}, args...)...)
	}
	for i := range 3 {
		if l.Grid[i] == 0 || l.Block[i] == 0 {
			return fail("grid (%d,%d,%d) of blocks (%d,%d,%d): every size must be at least 1",
				l.Grid[0], l.Grid[1], l.Grid[2], l.Block[0], l.Block[1], l.Block[2])
		}
	}
	if l.Grid[0] > maxGridX || l.Grid[1] > maxGridYZ || l.Grid[2] > maxGridYZ {
		return fail("grid (%d,%d,%d) is larger than (%d,%d,%d)", l.Grid[0], l.Grid[1], l.Grid[2], maxGridX, maxGridYZ, maxGridYZ)
	}
	threads := uint64(l.Block[0]) * uint64(l.Block[1]) * uint64(l.Block[2])
	if l.Block[0] > MaxThreadsPerCTA || l.Block[1] > MaxThreadsPerCTA || l.Block[2] > maxBlockZ || threads > MaxThreadsPerCTA {
		return fail("a block of (%d,%d,%d) has more than %d threads, or more than %d in z",
			l.Block[0], l.Block[1], l.Block[2], MaxThreadsPerCTA, maxBlockZ)
	}
	if k.ReqNTID[0] != 0 && k.ReqNTID != l.Block {
		return fail("the kernel requires blocks of (%d,%d,%d), not (%d,%d,%d)",
			k.ReqNTID[0], k.ReqNTID[1], k.ReqNTID[2], l.Block[0], l.Block[1], l.Block[2])
	}
	if m := uint64(k.MaxNTID[0]) * uint64(k.MaxNTID[1]) * uint64(k.MaxNTID[2]); m != 0 && threads > m {
		return fail("the kernel is compiled for at most %d threads in a block, not %d", m, threads)
	}
	if format, args := l.clusterFault(); format != "" {
		return fail(format, args...)
	}
	if len(l.Params) != k.ParamBytes {
		return fail("%d bytes of arguments; the parameters take %d", len(l.Params), k.ParamBytes)
	}
	if l.DynamicSharedBytes < 0 || l.SharedBytes() > WindowBytes {
		return fail("%d bytes of dynamic shared memory do not fit: a CTA has at most %d bytes", l.DynamicSharedBytes, WindowBytes)
	}
	return nil
}

// Threads returns the number of threads of a CTA.
func (l *Launch) Threads() int { return int(l.Block[0] * l.Block[1] * l.Block[2]) }

// CTAs returns the number of CTAs of the grid.
func (l *Launch) CTAs() uint64 {
	return uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
}

// CTAID returns the coordinates of CTA number n; x runs fastest.
func (l *Launch) CTAID(n uint64) [3]uint32 {
	x, y := uint64(l.Grid[0]), uint64(l.Grid[1])
	return [3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / (x * y))}
}

// WarpsPerCTA returns how many warps a CTA has; the last may be partly filled.
func (l *Launch) WarpsPerCTA() int { return (l.Threads() + MaxLanes - 1) / MaxLanes }

// SharedBytes returns the shared memory of a CTA.
func (l *Launch) SharedBytes() int { return l.Kernel.StaticSharedBytes + l.DynamicSharedBytes }

// Thread returns the coordinates of a thread of a CTA; x runs fastest.
func (l *Launch) Thread(n int) [3]uint32 {
	x, y := int(l.Block[0]), int(l.Block[1])
	return [3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / (x * y))}
}
