package microbench

import (
	"fmt"

	"github.com/burstscope/burstscope/core/workload"
)

// spreadKernel has the lanes of a warp load from L1, each from its own place, so that a load
// touches several lines. Places hold their own addresses; all warps have the same, and each
// chain has 4 kB.
func spreadKernel(chains, loads int) string {
	text := ""
	for i := range loads {
		text += fmt.Sprintf("\tld.global.ca.u64 %%a%d, [%%a%d];\n", i%chains, i%chains)
	}
	return `.visible .entry spread(.param .u64 clocks, .param .u64 results, .param .u64 places, .param .u32 rounds, .param .u32 stride)
{
	.reg .u64 %a0, %a1, %out;
	.reg .u32 %n, %s, %again;
	.reg .pred %q;
` + timerRegisters + positions + `	ld.param.u64 %a0, [places];
	ld.param.u32 %s, [stride];
	mad.wide.u32 %a0, %lane, %s, %a0;
	add.u64 %a1, %a0, 4096;
	st.global.u64 [%a0], %a0;
	st.global.u64 [%a1], %a1;
	membar.gl;
	mov.u32 %again, 3;
AGAIN:
	bar.sync 0;
	ld.param.u32 %n, [rounds];
` + begin + `LOOP:
` + text + `	sub.u32 %n, %n, 1;
	setp.ne.u32 %q, %n, 0;
	@%q bra LOOP;
` + end + `	sub.u32 %again, %again, 1;
	setp.ne.u32 %q, %again, 0;
	@%q bra AGAIN;
	add.u64 %a0, %a0, %a1;
	ld.param.u64 %out, [results];
	mad.wide.u32 %out, %thread, 8, %out;
	st.global.u64 [%out], %a0;
` + storeTimes + `	ret;
}
`
}

// spreads measure loads of a warp that touch 1 to 32 lines of L1: latency of one warp, and
// cycles of the SM for each load of 32 warps.
func spreads() []*Benchmark {
	const rounds, unroll = 8, 16
	var list []*Benchmark
	for _, threads := range []uint32{32, 1024} {
		chains := 1
		if threads > 32 {
			chains = 2
		}
		for _, lines := range []int{2, 4, 8, 16, 32} { // of 8 bytes a lane
			name, doc := "latency.l1.lines", "dependent loads of one warp from L1 (ld.ca), so many lines a load"
			if threads > 32 {
				name, doc = "rate.l1.lines", "loads of 32 warps from L1 (ld.ca), so many lines a load: cycles of the SM for the load of a warp"
			}
			b := &Benchmark{Name: name, Size: lines, Data: "lines a load", Unit: "cycles per load", Doc: doc}
			b.program = func() *workload.Program {
				return &workload.Program{
					PTX: module(target, spreadKernel(chains, unroll)), Buffers: buffers(threads, workload.Buffer{Name: "places", Bytes: 8192}),
					Launches: []workload.Launch{{Entry: "spread", Grid: line(1), Block: line(threads), Args: []workload.Arg{
						workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(rounds), workload.U32(uint32(4 * lines))}}},
				}
			}
			b.figure = func(o Observation) Figure {
				return Figure{Value: cycles(o.Outputs[0]) / (rounds * unroll * float64(threads/32))}
			}
			list = append(list, b)
		}
	}
	return list
}
