package microbench

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// sharedKernel has every lane load from its own place of shared memory, lanes stride bytes
// apart: a stride of n words makes each bank serve n lanes, for powers of two n. Places hold
// their own addresses, so a load depends on the one before. Each chain has 4 kB.
func sharedKernel(chains int) string {
	var declare, fill, loads strings.Builder
	for c := range chains {
		fmt.Fprintf(&declare, "\t.reg .u32 %%a%d;\n", c)
		fmt.Fprintf(&fill, "\tadd.u32 %%a%d, %%a, %d;\n\tst.shared.u32 [%%a%d], %%a%d;\n", c, c*4096, c, c)
	}
	for i := range sharedUnroll {
		fmt.Fprintf(&loads, "\tld.shared.u32 %%a%d, [%%a%d];\n", i%chains, i%chains)
	}
	var join strings.Builder
	for c := range chains {
		fmt.Fprintf(&join, "\tadd.u32 %%a, %%a, %%a%d;\n", c)
	}
	return `.visible .entry banks(.param .u64 clocks, .param .u64 results, .param .u32 rounds, .param .u32 stride)
{
	.shared .align 128 .b8 places[16384];
	.reg .u64 %out;
	.reg .u32 %a, %n, %s, %again;
	.reg .pred %q;
` + declare.String() + timerRegisters + positions + `	ld.param.u32 %s, [stride];
	mov.u32 %a, places;
	mad.lo.u32 %a, %lane, %s, %a;
` + fill.String() + `	bar.sync 0;
	mov.u32 %again, 2;
AGAIN:
	ld.param.u32 %n, [rounds];
` + begin + `LOOP:
` + loads.String() + `	sub.u32 %n, %n, 1;
	setp.ne.u32 %q, %n, 0;
	@%q bra LOOP;
` + end + `	bar.sync 0;
	sub.u32 %again, %again, 1;
	setp.ne.u32 %q, %again, 0;
	@%q bra AGAIN;
` + join.String() + `	ld.param.u64 %out, [results];
	mad.wide.u32 %out, %thread, 8, %out;
	st.global.u32 [%out], %a;
` + storeTimes + `	ret;
}
`
}

// sharedUnroll is the number of loads in a round.
const sharedUnroll = 64

// sharedMemory measures latency (one warp, one chain) and throughput (32 warps, four
// chains each) of loads with 1 to 32 lanes on a bank. The size is that number.
func sharedMemory() []*Benchmark {
	var list []*Benchmark
	for _, kind := range []struct {
		name, doc      string
		threads        uint32
		chains, rounds int
	}{
		{"latency.shared", "dependent loads of one warp from shared memory, so many lanes on a bank", 32, 1, 16},
		{"rate.shared", "loads of 32 warps from shared memory, so many lanes on a bank: cycles of the SM for the load of a warp", 1024, 4, 4},
	} {
		for _, ways := range []int{1, 2, 4, 8, 16, 32} {
			b := &Benchmark{Name: kind.name, Size: ways, Data: "lanes on a bank", Unit: "cycles per load", Doc: kind.doc}
			b.program = func() *workload.Program {
				return &workload.Program{
					PTX: module(target, sharedKernel(kind.chains)), Buffers: buffers(kind.threads),
					Launches: []workload.Launch{{Entry: "banks", Grid: line(1), Block: line(kind.threads),
						Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.U32(uint32(kind.rounds)), workload.U32(uint32(4 * ways))}}},
				}
			}
			b.figure = func(o Observation) Figure {
				warps := float64(kind.threads) / 32
				return Figure{Value: cycles(o.Outputs[0]) / (float64(kind.rounds) * sharedUnroll * warps)}
			}
			list = append(list, b)
		}
	}
	return list
}
