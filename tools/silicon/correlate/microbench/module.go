package microbench

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// header begins every module. PTX 7.0 is the first version with all instructions used here,
// and sm_80 the first target with the matrix instruction.
const header = ".version 7.0\n.target %s\n.address_size 64\n\n"

// target is the target of modules without matrix instructions.
const target = "sm_70"

// module puts kernels after the header.
func module(target string, kernels ...string) []byte {
	return []byte(fmt.Sprintf(header, target) + strings.Join(kernels, "\n"))
}

// timer is the part of a kernel that several benchmarks share: each warp's first lane stores
// when its timed part began and ended, as cycles of its SM and as nanoseconds of the GPU.
// Registers %begin, %end, %beginTime and %endTime hold them.
const (
	timerRegisters = `	.reg .u64 %begin, %end, %beginTime, %endTime, %record;
	.reg .u32 %threads, %thread, %lane, %warp, %cta;
	.reg .pred %first;
`
	// positions needs the parameter clocks.
	positions = `	mov.u32 %threads, %ntid.x;
	mov.u32 %thread, %tid.x;
	mov.u32 %cta, %ctaid.x;
	mad.lo.u32 %thread, %cta, %threads, %thread;
	shr.u32 %warp, %thread, 5;
	mov.u32 %lane, %laneid;
`
	begin = `	mov.u64 %beginTime, %globaltimer;
	mov.u64 %begin, %clock64;
`
	end = `	mov.u64 %end, %clock64;
	mov.u64 %endTime, %globaltimer;
`
	storeTimes = `	ld.param.u64 %record, [clocks];
	mad.wide.u32 %record, %warp, 32, %record;
	setp.eq.u32 %first, %lane, 0;
	@%first st.global.u64 [%record], %begin;
	@%first st.global.u64 [%record+8], %end;
	@%first st.global.u64 [%record+16], %beginTime;
	@%first st.global.u64 [%record+24], %endTime;
`
)

// recordBytes is the size of what a warp stores of its times.
const recordBytes = 32

// span is what one warp stored.
type span struct{ begin, end, beginNs, endNs uint64 }

// spans reads the times of all warps.
func spans(clocks []byte) []span {
	var list []span
	for ; len(clocks) >= recordBytes; clocks = clocks[recordBytes:] {
		list = append(list, span{word(clocks, 0), word(clocks, 1), word(clocks, 2), word(clocks, 3)})
	}
	return list
}

// cycles is the time from the first begin to the last end on one SM.
func cycles(clocks []byte) float64 {
	first, last := ^uint64(0), uint64(0)
	for _, s := range spans(clocks) {
		first, last = min(first, s.begin), max(last, s.end)
	}
	return float64(last - min(first, last))
}

// nanoseconds is the time from the first begin to the last end on the GPU.
func nanoseconds(clocks []byte) float64 {
	first, last := ^uint64(0), uint64(0)
	for _, s := range spans(clocks) {
		first, last = min(first, s.beginNs), max(last, s.endNs)
	}
	return float64(last - min(first, last))
}

// word is the i-th u64.
func word(b []byte, i int) uint64 {
	v := uint64(0)
	for k := range 8 {
		v |= uint64(b[8*i+k]) << (8 * k)
	}
	return v
}

// buffers has the times of the warps first, then the results that keep the compiler from
// dropping the work: 8 bytes a thread. Further buffers come after.
func buffers(threads uint32, more ...workload.Buffer) []workload.Buffer {
	list := []workload.Buffer{
		{Name: "clocks", Bytes: uint64(threads+31) / 32 * recordBytes, Element: workload.ElementU64, Output: true},
		{Name: "results", Bytes: uint64(threads) * 8, Element: workload.ElementU64},
	}
	return append(list, more...)
}

func line(n uint32) [3]uint32 { return [3]uint32{n, 1, 1} }
