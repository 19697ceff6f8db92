package ptx

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
	ClassSpecial   // .approx functions: sin cos ex2 lg2 rcp rsqrt sqrt tanh
	ClassDivApprox // div.approx and div.full
	ClassShuffle   // shfl, vote, match, redux, activemask
	ClassBranch    // bra, brx, call, ret, exit
	ClassBarrier   // bar, barrier, membar, fence
	ClassMemory    // ld, st, atom, red outside .param and .const; ldmatrix, stmatrix
	ClassMatrix    // mma, wmma.mma: the time of m16n8k16 on f16
	NumClasses
)
