package microbench

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// selfKernel makes each line hold its own address.
const selfKernel = `.visible .entry self(.param .u64 ring, .param .u32 elements, .param .u32 stride)
{
	.reg .u64 %ring;
	.reg .u32 %k, %n, %s, %threads, %cta;
	.reg .pred %p;
	ld.param.u64 %ring, [ring];
	ld.param.u32 %n, [elements];
	ld.param.u32 %s, [stride];
	mov.u32 %threads, %ntid.x;
	mov.u32 %cta, %ctaid.x;
	mov.u32 %k, %tid.x;
	mad.lo.u32 %k, %cta, %threads, %k;
	setp.ge.u32 %p, %k, %n;
	@%p bra END;
	mad.wide.u32 %ring, %k, %s, %ring;
	st.global.u64 [%ring], %ring;
END:
	ret;
}
`

// linesKernel loads from one line at a time: before the clock starts, and timed.
func linesKernel(before, timed int) string {
	const load = "\tld.global.cg.u64 %p, [%p];\n"
	return `.visible .entry lines(.param .u64 cycles, .param .u64 ring, .param .u32 elements, .param .u32 stride)
{
	.reg .u64 %ring, %out, %p, %begin, %end;
	.reg .u32 %k, %n, %s;
	.reg .pred %q;
	ld.param.u64 %out, [cycles];
	ld.param.u64 %ring, [ring];
	ld.param.u32 %n, [elements];
	ld.param.u32 %s, [stride];
	mov.u32 %k, 0;
LOOP:
	mad.wide.u32 %p, %k, %s, %ring;
` + strings.Repeat(load, before) + `	setp.eq.u64 %q, %p, 0;
	@%q bra END;
	mov.u64 %begin, %clock64;
` + strings.Repeat(load, timed) + `	setp.eq.u64 %q, %p, 0;
	@%q bra END;
	mov.u64 %end, %clock64;
	sub.u64 %end, %end, %begin;
	mad.wide.u32 %p, %k, 8, %out;
	st.global.u64 [%p], %end;
	add.u32 %k, %k, 1;
	setp.lt.u32 %q, %k, %n;
	@%q bra LOOP;
END:
	ret;
}
`
}

// lines measures single lines of L2 from one SM. Parts of L2 may lie nearer than others; and
// where each part keeps copies of far lines, the first load of a line takes longer.
func lines() []*Benchmark {
	const elements, stride = 1024, 4224 // 33 lines, so that all slices are met
	var list []*Benchmark
	add := func(name, doc string, before, timed int) {
		b := &Benchmark{Name: name, Size: elements, Data: "stride 4224", Unit: "cycles per load", Doc: doc}
		b.program = func() *workload.Program {
			return &workload.Program{
				PTX: module(target, selfKernel, touchKernel, linesKernel(before, timed)),
				Buffers: []workload.Buffer{
					{Name: "cycles", Bytes: elements * 8, Element: workload.ElementU64, Output: true},
					{Name: "ring", Bytes: elements * stride},
				},
				Launches: []workload.Launch{
					{Entry: "self", Grid: line(elements / 256), Block: line(256),
						Args: []workload.Arg{workload.BufferArg(1), workload.U32(elements), workload.U32(stride)}},
					{Entry: "touch", Grid: line(elements / 32), Block: line(32),
						Args: []workload.Arg{workload.BufferArg(1), workload.U32(elements), workload.U32(stride)}},
					{Entry: "lines", Grid: line(1), Block: line(1),
						Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.U32(elements), workload.U32(stride)}},
				},
			}
		}
		b.figure = func(o Observation) Figure {
			var list []float64
			for i := range elements {
				list = append(list, float64(word(o.Outputs[0], i))/float64(timed))
			}
			slices.Sort(list)
			return Figure{Value: list[len(list)/2], Least: list[0], Greatest: list[len(list)-1]}
		}
		list = append(list, b)
	}
	add("latency.l2.lines", "dependent loads past L1 of a line of L2 that the SM has loaded before: median, least and greatest of 1024 lines", 1, 4)
	add("latency.l2.first", "the first load of a line of L2 by an SM, after others have loaded it: median, least and greatest of 1024 lines", 0, 1)
	return list
}
