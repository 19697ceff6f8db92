package microbench

import (
	"github.com/burstscope/burstscope/core/workload"
)

// branchKernel follows a generator of random numbers until it reaches a value: a loop that
// cannot be unrolled or counted ahead. All threads take the same number of rounds.
const branchKernel = `.visible .entry follow(.param .u64 clocks, .param .u64 results, .param .u32 factor, .param .u32 addend, .param .u32 lastFactor, .param .u32 lastAddend)
{
	.reg .u64 %out;
	.reg .u32 %x, %a, %b, %last, %again;
	.reg .pred %q;
` + timerRegisters + positions + `	ld.param.u32 %a, [lastFactor];
	ld.param.u32 %b, [lastAddend];
	mad.lo.u32 %last, %thread, %a, %b;
	ld.param.u32 %a, [factor];
	ld.param.u32 %b, [addend];
	mov.u32 %again, 2;
AGAIN:
	mov.u32 %x, %thread;
	bar.sync 0;
` + begin + `LOOP:
	.pragma "nounroll";
	mad.lo.u32 %x, %x, %a, %b;
	setp.ne.u32 %q, %x, %last;
	@%q bra LOOP;
` + end + `	sub.u32 %again, %again, 1;
	setp.ne.u32 %q, %again, 0;
	@%q bra AGAIN;
	ld.param.u64 %out, [results];
	mad.wide.u32 %out, %thread, 8, %out;
	st.global.u32 [%out], %x;
` + storeTimes + `	ret;
}
`

// The generator x * factor + addend of Numerical Recipes has all 2^32 values in one cycle.
const (
	generatorFactor = 1664525
	generatorAddend = 1013904223
)

func branches() []*Benchmark {
	const rounds = 1024
	// After so many rounds x is x * factor + addend with these.
	factor, addend := uint32(1), uint32(0)
	for range rounds {
		factor, addend = factor*generatorFactor, addend*generatorFactor+generatorAddend
	}
	var list []*Benchmark
	for _, threads := range []uint32{32, 1024} {
		list = append(list, &Benchmark{Name: "branch", Size: int(threads), Data: "mad, setp, bra", Unit: "cycles per round",
			Doc: "the rounds of a small loop: one warp, and 32 warps of an SM together",
			program: func() *workload.Program {
				return &workload.Program{PTX: module(target, branchKernel), Buffers: buffers(threads),
					Launches: []workload.Launch{{Entry: "follow", Grid: line(1), Block: line(threads), Args: []workload.Arg{
						workload.BufferArg(0), workload.BufferArg(1), workload.U32(generatorFactor), workload.U32(generatorAddend), workload.U32(factor), workload.U32(addend)}}}}
			},
			figure: func(o Observation) Figure { return Figure{Value: cycles(o.Outputs[0]) / rounds} }})
	}
	return list
}
