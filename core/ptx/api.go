package ptx

import "fmt"

// Class groups instructions that take the same time. A machine preset gives each
// class a unit, a latency and an initiation interval.
type Class uint8

const (
	ClassMove      Class = iota // mov, cvta, ld.param, ld.const, special registers, selp
	ClassIntAdd                 // integer add, sub, logic, shift, compare, cvt, bit operations
	ClassIntMax                 // integer min, max
	ClassIntMul                 // integer mul, mul24
	ClassIntMad                 // integer mad, sad, dp4a
	ClassIntDiv                 // integer div, rem
	ClassFloatAdd               // f32 (and f16) add, sub, compare, convert
	ClassFloatMax               // f32 min, max
	ClassFloatMul               // f32 mul
	ClassFloatMad               // f32 fma, mad
	ClassFloatDiv               // f32 div, rcp.rn, sqrt.rn
	ClassDoubleAdd              // f64, as above
	ClassDoubleMax
	ClassDoubleMul
	ClassDoubleMad
	ClassDoubleDiv
	ClassSpecial // .approx functions: sin cos ex2 lg2 rcp rsqrt sqrt tanh
	ClassShuffle // shfl, vote, match, redux, activemask
	ClassBranch  // bra, brx, call, ret, exit
	ClassBarrier // bar, barrier, membar, fence
	ClassMemory  // ld, st, atom, red outside .param and .const; ldmatrix, stmatrix
	ClassMatrix  // mma, wmma.mma: the time of m16n8k16 on f16
	NumClasses
)

// Effect is what the caller must do after Warp.Execute.
type Effect uint8

const (
	// EffectNone: the instruction is complete; its results are in the registers
	// (the caller's scoreboard decides when they may be used).
	EffectNone Effect = iota
	// EffectMemory: Env.Access describes an access to global, shared or local
	// memory that the caller performs. Loads bind later, by Warp.LoadLine or
	// Warp.AccessShared.
	EffectMemory
	// EffectBarrier: the warp has arrived at a barrier: call CTA.Arrive.
	EffectBarrier
	// EffectFence: a membar or fence: the warp waits until its stores have been
	// performed.
	EffectFence
	// EffectExit: all lanes have left the kernel.
	EffectExit
	// EffectFault: the program did something it must not; Warp.Fault says what.
	EffectFault
)

// AccessKind says what a memory instruction does.
type AccessKind uint8

const (
	AccessLoad AccessKind = iota
	AccessStore
	AccessAtomic    // returns the old value
	AccessReduction // red: an atomic without a result
	AccessPrefetch
)

// Space is a state space, after generic addresses have been resolved.
type Space uint8

const (
	SpaceGlobal Space = iota
	SpaceShared
	SpaceLocal
	SpaceConst
	SpaceParam
	SpaceGeneric
	SpaceRegister
)

// CacheOperator tells the caches how to treat an access (PTX ISA, Cache Operators).
type CacheOperator uint8

const (
	CacheAll      CacheOperator = iota // .ca, .wb and the default: L1 and L2
	CacheL2                            // .cg, .cs, .lu: L2 only
	CacheBypass                        // .cv, .wt, .volatile, .relaxed, .acquire: not L1, which drops its line
	CacheReadOnly                      // .nc: as CacheAll here
)

// Windows through which generic addresses see the other spaces. Device memory
// starts above them (mem.MinBase).
const (
	SharedWindow      = 0x0100_0000
	LocalWindow       = 0x0200_0000
	ParamWindow       = 0x0300_0000
	ConstWindow       = 0x0400_0000
	windowsEnd        = 0x0500_0000
	WindowBytes       = 0x0100_0000
	MaxLanes          = 32
	FullMask          = ^uint32(0)
	MaxWarpsPerCTA    = 32
	MaxThreadsPerCTA  = 1024
	MaxBarriersPerCTA = 16
)

// Access is one memory instruction of a warp: for each lane in Mask, Bytes bytes
// from Addr. An access is naturally aligned, so it never crosses a line.
type Access struct {
	Kind     AccessKind
	Space    Space // SpaceGlobal, SpaceShared or SpaceLocal
	Operator CacheOperator
	Bytes    uint8 // element size x vector length, 1..16
	Mask     uint32
	PC       int32 // index of the instruction in Kernel.Code
	// Addr holds a device address (global), an offset into the CTA's shared
	// memory (shared) or into the thread's local memory (local).
	Addr [MaxLanes]uint64
}

// Fault is a run-time error of a kernel.
type Fault struct {
	Kernel       string
	CTA, Thread  [3]uint32
	Warp         int // warp of the CTA
	PC           int32
	Line, Column int // in the PTX source
	Message      string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s:%d:%d: CTA (%d,%d,%d) thread (%d,%d,%d): %s", f.Kernel, f.Line, f.Column,
		f.CTA[0], f.CTA[1], f.CTA[2], f.Thread[0], f.Thread[1], f.Thread[2], f.Message)
}
