package microbench

import (
	"fmt"

	"github.com/burstscope/burstscope/core/workload"
)

// storedKernel loads every line of a ring, or none, stores a word of every line, waits until
// the stores have reached L2, and then follows the ring through L1.
func storedKernel() string {
	loads := ""
	for range chaseUnroll {
		loads += "\tld.global.ca.u64 %p, [%p];\n"
	}
	return `.visible .entry stored(.param .u64 clocks, .param .u64 results, .param .u64 ring, .param .u32 warm, .param .u32 elements, .param .u32 offset)
{
	.reg .u64 %p, %ring, %at, %next, %now, %until, %out;
	.reg .u32 %n, %k, %offset;
	.reg .pred %q;
` + timerRegisters + positions + fmt.Sprintf(`	ld.param.u64 %%ring, [ring];
	mov.u64 %%p, %%ring;
	ld.param.u32 %%n, [warm];
	setp.eq.u32 %%q, %%n, 0;
	@%%q bra STORES;
WARM:
%s	sub.u32 %%n, %%n, %d;
	setp.ne.u32 %%q, %%n, 0;
	@%%q bra WARM;
STORES:
	setp.eq.u64 %%q, %%p, 0;
	@%%q bra END;
	ld.param.u32 %%n, [elements];
	ld.param.u32 %%offset, [offset];
	mov.u32 %%k, 0;
STORE:
	mad.wide.u32 %%at, %%k, %d, %%ring;
	add.u32 %%k, %%k, 1;
	mad.wide.u32 %%next, %%k, %d, %%ring;
	setp.eq.u32 %%q, %%k, %%n;
	selp.u64 %%next, %%ring, %%next, %%q;
	cvt.u64.u32 %%until, %%offset;
	add.u64 %%at, %%at, %%until;
	st.global.u64 [%%at], %%next;
	@!%%q bra STORE;
	mov.u64 %%until, %%clock64;
	add.u64 %%until, %%until, %d;
WAIT:
	mov.u64 %%now, %%clock64;
	setp.lt.u64 %%q, %%now, %%until;
	@%%q bra WAIT;
	mov.u64 %%p, %%ring;
`, loads, chaseUnroll, storedStride, storedStride, storedWait) + begin + fmt.Sprintf(`LOOP:
%s	sub.u32 %%n, %%n, %d;
	setp.ne.u32 %%q, %%n, 0;
	@%%q bra LOOP;
	setp.eq.u64 %%q, %%p, 0;
	@%%q bra END;
`, loads, chaseUnroll) + end + `	ld.param.u64 %out, [results];
	st.global.u64 [%out], %p;
` + storeTimes + `END:
	ret;
}
`
}

const (
	storedStride   = 128  // bytes between elements: a line each
	storedElements = 64   // lines: far fewer than an L1 holds
	storedWait     = 8000 // cycles, far more than a store takes to L2
)

// storedLines are what a store does to its line in L1.
func storedLines() []*Benchmark {
	var list []*Benchmark
	for _, v := range []struct {
		data   string
		warm   uint32
		offset uint32
	}{
		{"line in L1, the word", storedElements, 0},
		{"line in L1, its sector", storedElements, 8},
		{"line in L1, another sector", storedElements, 64},
		{"line not in L1, the word", 0, 0},
		{"line not in L1, its sector", 0, 8},
	} {
		b := &Benchmark{Name: "latency.l1.stored", Size: storedElements * storedStride, Data: v.data, Unit: "cycles per load",
			Doc: "dependent loads through L1 (ld.ca) of lines to which the thread has stored a word"}
		b.program = func() *workload.Program {
			ring := workload.Buffer{Name: "ring", Bytes: storedElements * storedStride}
			return &workload.Program{
				PTX:     module(target, makeKernel, storedKernel()),
				Buffers: buffers(1, ring),
				Launches: []workload.Launch{
					{Entry: "make", Grid: line(1), Block: line(256),
						Args: []workload.Arg{workload.BufferArg(2), workload.U32(storedElements), workload.U32(1), workload.U32(storedStride)}},
					{Entry: "stored", Grid: line(1), Block: line(1),
						Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(v.warm), workload.U32(storedElements), workload.U32(v.offset)}},
				},
			}
		}
		b.figure = func(o Observation) Figure { return Figure{Value: cycles(o.Outputs[0]) / storedElements} }
		list = append(list, b)
	}
	return list
}
