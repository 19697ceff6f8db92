package microbench

import (
	"fmt"

	"github.com/burstscope/burstscope/core/workload"
)

// makeKernel makes a ring of pointers. Element k of the ring lies at place
// (k * step) mod elements, each place stride bytes after the one before: step 1 is a walk
// with a constant stride, another step scatters the elements over the buffer.
const makeKernel = `.visible .entry make(.param .u64 ring, .param .u32 elements, .param .u32 step, .param .u32 stride)
{
	.reg .u64 %ring, %place, %next, %elements, %from, %to, %stride;
	.reg .u32 %k, %n, %s, %threads, %cta;
	.reg .pred %p;
	ld.param.u64 %ring, [ring];
	ld.param.u32 %n, [elements];
	ld.param.u32 %s, [step];
	mov.u32 %threads, %ntid.x;
	mov.u32 %cta, %ctaid.x;
	mov.u32 %k, %tid.x;
	mad.lo.u32 %k, %cta, %threads, %k;
	setp.ge.u32 %p, %k, %n;
	@%p bra END;
	cvt.u64.u32 %elements, %n;
	mul.wide.u32 %place, %k, %s;
	rem.u64 %place, %place, %elements;
	cvt.u64.u32 %next, %s;
	add.u64 %next, %next, %place;
	setp.lt.u64 %p, %next, %elements;
	@%p bra INSIDE;
	sub.u64 %next, %next, %elements;
INSIDE:
	ld.param.u32 %s, [stride];
	cvt.u64.u32 %stride, %s;
	mad.lo.u64 %from, %place, %stride, %ring;
	mad.lo.u64 %to, %next, %stride, %ring;
	st.global.u64 [%from], %to;
END:
	ret;
}
`

// touchKernel loads every element of a ring or a list past L1.
const touchKernel = `.visible .entry touch(.param .u64 ring, .param .u32 elements, .param .u32 stride)
{
	.reg .u64 %ring, %value;
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
	ld.global.cg.u64 %value, [%ring];
	setp.ne.u64 %p, %value, 0;
	@%p bra END;
	st.global.u64 [%ring], %ring;
END:
	ret;
}
`

// chaseKernel follows the ring: first %n loads that are not timed, then those that are. The
// clock is read when the last load has its value, because a branch depends on it.
func chaseKernel(operator string) string {
	loads := ""
	for range chaseUnroll {
		loads += "\tld.global." + operator + ".u64 %p, [%p];\n"
	}
	return `.visible .entry chase(.param .u64 clocks, .param .u64 results, .param .u64 ring, .param .u32 warm, .param .u32 loads)
{
	.reg .u64 %p, %out;
	.reg .u32 %n;
	.reg .pred %q;
` + timerRegisters + positions + `	ld.param.u64 %p, [ring];
	ld.param.u32 %n, [warm];
	setp.eq.u32 %q, %n, 0;
	@%q bra TIMED;
WARM:
` + loads + fmt.Sprintf(`	sub.u32 %%n, %%n, %d;
	setp.ne.u32 %%q, %%n, 0;
	@%%q bra WARM;
TIMED:
	ld.param.u32 %%n, [loads];
	setp.eq.u64 %%q, %%p, 0;
	@%%q bra END;
`, chaseUnroll) + begin + `LOOP:
` + loads + fmt.Sprintf(`	sub.u32 %%n, %%n, %d;
	setp.ne.u32 %%q, %%n, 0;
	@%%q bra LOOP;
	setp.eq.u64 %%q, %%p, 0;
	@%%q bra END;
`, chaseUnroll) + end + `	ld.param.u64 %out, [results];
	st.global.u64 [%out], %p;
` + storeTimes + `END:
	ret;
}
`
}

// chaseUnroll is the number of loads in a round of the loop. The counting of a round runs
// while a load is under way.
const chaseUnroll = 8

// scattered is the step of a chase that jumps all over its buffer: near the golden section
// of the elements, so neighbours of the order lie far apart, and made coprime to them.
func scattered(elements uint32) uint32 {
	step := uint32(float64(elements)*0.6180339887) | 1
	for gcd(step, elements) != 1 {
		step += 2
	}
	return step
}

func gcd(a, b uint32) uint32 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// chase is one working set. loads are timed after all elements have been loaded once: by the
// same thread into L1 (ca), or by many threads into L2 (cg, touch). Without either the loads
// go to the elements that were written first: DRAM has them if L2 cannot hold the ring.
func chase(name, doc, operator string, bytes, stride uint64, scatter, touch bool, loads uint32) *Benchmark {
	elements, step, data := uint32(bytes/stride), uint32(1), fmt.Sprintf("stride %d", stride)
	if scatter {
		step, data = scattered(elements), fmt.Sprintf("scattered %d", stride)
	}
	warm := uint32(0)
	if operator == "ca" {
		warm = (elements + chaseUnroll - 1) / chaseUnroll * chaseUnroll
	}
	b := &Benchmark{Name: name, Size: int(bytes), Data: data, Unit: "cycles per load", Doc: doc}
	b.program = func() *workload.Program {
		ring := workload.Buffer{Name: "ring", Bytes: uint64(elements) * stride}
		grid := line((elements + 255) / 256)
		launches := []workload.Launch{{Entry: "make", Grid: grid, Block: line(256),
			Args: []workload.Arg{workload.BufferArg(2), workload.U32(elements), workload.U32(step), workload.U32(uint32(stride))}}}
		if touch {
			launches = append(launches, workload.Launch{Entry: "touch", Grid: grid, Block: line(256),
				Args: []workload.Arg{workload.BufferArg(2), workload.U32(elements), workload.U32(uint32(stride))}})
		}
		launches = append(launches, workload.Launch{Entry: "chase", Grid: line(1), Block: line(1),
			Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(warm), workload.U32(loads)}})
		return &workload.Program{PTX: module(target, makeKernel, touchKernel, chaseKernel(operator)), Buffers: buffers(1, ring), Launches: launches}
	}
	b.figure = func(o Observation) Figure { return Figure{Value: cycles(o.Outputs[0]) / float64(loads)} }
	return b
}

// chases are the latencies of the memory hierarchy by working set.
func chases() []*Benchmark {
	const (
		kB  = 1 << 10
		MB  = 1 << 20
		few = 2048
	)
	var list []*Benchmark
	const walk = "dependent loads through L1 (ld.ca) in a walk over the working set, which was walked once before"
	for _, size := range []uint64{4 * kB, 16 * kB, 64 * kB, 128 * kB, 160 * kB, 192 * kB, 224 * kB, 256 * kB, 320 * kB, 512 * kB} {
		list = append(list, chase("latency.l1", walk, "ca", size, 128, false, false, few))
	}
	list = append(list, chase("latency.l1", walk, "ca", 16*kB, 32, false, false, few))
	for _, stride := range []uint64{8 * kB, 64 * kB, 1 * MB} { // lines that few bits of the address tell apart
		for _, lines := range []uint64{24, 48, 96, 192, 384, 768} {
			list = append(list, chase("latency.l1", walk, "ca", lines*stride, stride, false, false, few))
		}
	}
	for _, size := range []uint64{256 * kB, 1 * MB, 4 * MB, 8 * MB, 16 * MB, 24 * MB, 32 * MB, 40 * MB, 48 * MB, 56 * MB, 64 * MB} {
		list = append(list, chase("latency.l2", "dependent loads past L1 (ld.cg), scattered over the working set, which many threads read before",
			"cg", size, 128, true, true, few))
	}
	list = append(list,
		chase("latency.l2", "dependent loads past L1 (ld.cg) in a walk over part of the working set, which many threads read before", "cg", 4*MB, 128, false, true, few),
		chase("latency.l2", "dependent loads past L1 (ld.cg) in a walk over part of the working set, which many threads read before", "cg", 4*MB, 32, false, true, few),
	)
	for _, size := range []uint64{128 * MB, 512 * MB, 960 * MB} {
		list = append(list, chase("latency.dram", "dependent loads past L1 of lines that L2 has dropped, scattered over the working set (pages of the TLB change with every load)",
			"cg", size, size>>20, true, false, few))
	}
	for _, stride := range []uint64{128, 512} {
		list = append(list, chase("latency.dram", "dependent loads past L1 of lines that L2 has dropped, in a walk (DRAM rows and pages of the TLB are used again)",
			"cg", stride<<20, stride, false, false, few))
	}
	for _, elements := range []uint64{8, 32, 128, 448} {
		const page = 2*MB + 4224 // a page of the TLB, and some lines so that all slices are met
		list = append(list, chase("latency.tlb", "dependent loads past L1 of lines that L2 holds, each on another page of 2 MB",
			"cg", elements*page, page, false, true, few))
	}
	return list
}
