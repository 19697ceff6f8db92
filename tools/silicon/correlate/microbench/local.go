package microbench

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// localKernel has every thread write and then read an array of its own in local memory, word
// by word. The number of words is a parameter, so the array cannot lie in registers.
func localKernel() string {
	var stores, loads strings.Builder
	for i := range localUnroll {
		fmt.Fprintf(&stores, "\tst.local.u32 [%%a+%d], %%v;\n", 4*i)
		fmt.Fprintf(&loads, "\tld.local.u32 %%v%d, [%%a+%d];\n", i, 4*i)
	}
	for i := range localUnroll {
		fmt.Fprintf(&loads, "\tadd.u32 %%v, %%v, %%v%d;\n", i)
	}
	return fmt.Sprintf(`.visible .entry locals(.param .u64 clocks, .param .u64 results, .param .u32 words)
{
	.local .align 16 .b8 array[%d];
	.reg .u64 %%a, %%out;
	.reg .u32 %%v, %%v0, %%v1, %%v2, %%v3, %%n, %%again;
	.reg .pred %%q;
`, localBytes) + timerRegisters + positions + `	mov.u32 %v, %thread;
	mov.u32 %again, 2;
AGAIN:
	bar.sync 0;
` + begin + `	ld.param.u32 %n, [words];
	mov.u64 %a, array;
STORE:
` + stores.String() + fmt.Sprintf(`	add.u64 %%a, %%a, %d;
	sub.u32 %%n, %%n, %d;
	setp.ne.u32 %%q, %%n, 0;
	@%%q bra STORE;
	ld.param.u32 %%n, [words];
	mov.u64 %%a, array;
LOAD:
`, 4*localUnroll, localUnroll) + loads.String() + fmt.Sprintf(`	add.u64 %%a, %%a, %d;
	sub.u32 %%n, %%n, %d;
	setp.ne.u32 %%q, %%n, 0;
	@%%q bra LOAD;
	setp.eq.u32 %%q, %%v, 123456789;
	@%%q bra LAST;
`, 4*localUnroll, localUnroll) + end + `LAST:
	sub.u32 %again, %again, 1;
	setp.ne.u32 %q, %again, 0;
	@%q bra AGAIN;
	ld.param.u64 %out, [results];
	mad.wide.u32 %out, %thread, 8, %out;
	st.global.u32 [%out], %v;
` + storeTimes + `	ret;
}
`
}

const (
	localBytes  = 4096
	localUnroll = 4
)

// locals measures local memory by the size of a thread's array: 512 threads of one SM.
func locals() []*Benchmark {
	const threads = 512
	var list []*Benchmark
	for _, bytes := range []int{64, 256, 1024, 4096} {
		words := bytes / 4
		b := &Benchmark{Name: "rate.local", Size: bytes, Data: "bytes a thread", Unit: "cycles per access",
			Doc: "16 warps of one SM writing and then reading their local memory: cycles of the SM for a warp's store or load"}
		b.program = func() *workload.Program {
			return &workload.Program{PTX: module(target, localKernel()), Buffers: buffers(threads),
				Launches: []workload.Launch{{Entry: "locals", Grid: line(1), Block: line(threads),
					Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.U32(uint32(words))}}}}
		}
		b.figure = func(o Observation) Figure {
			return Figure{Value: cycles(o.Outputs[0]) / float64(2*words*threads/32)}
		}
		list = append(list, b)
	}
	return list
}
