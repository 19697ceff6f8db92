package microbench

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// atomicKernel adds in rounds to a place of each thread: lanes lie laneStride bytes apart,
// warps warpStride. With a result (atom) an addition depends on the one before; without (red)
// none does. Shared memory has places in one array of 4 kB. passes are done one after the
// other, of which the last counts: one if many CTAs add to the same places, because they
// would be in different passes.
func atomicKernel(space string, result bool) string {
	operation := "red." + space + ".add.u32 [%address], %v;"
	if result {
		operation = "atom." + space + ".add.u32 %v, [%address], %v;"
	}
	// Nothing waits for an addition without a result, so a fence does.
	performed := ""
	if space == "global" && !result {
		performed = "\tmembar.gl;\n"
	}
	place := "\tld.param.u64 %address, [places];\n"
	declare := ""
	if space == "shared" {
		place = "\tmov.u64 %address, array;\n"
		declare = "\t.shared .align 128 .b8 array[4096];\n"
	}
	return `.visible .entry atomics(.param .u64 clocks, .param .u64 results, .param .u64 places, .param .u32 rounds, .param .u32 laneStride, .param .u32 warpStride, .param .u32 passes)
{
` + declare + `	.reg .u64 %address, %out;
	.reg .u32 %n, %v, %s, %again;
	.reg .pred %q;
` + timerRegisters + positions + place + `	ld.param.u32 %s, [laneStride];
	mad.wide.u32 %address, %lane, %s, %address;
	ld.param.u32 %s, [warpStride];
	mad.wide.u32 %address, %warp, %s, %address;
	mov.u32 %v, %thread;
	ld.param.u32 %again, [passes];
AGAIN:
	bar.sync 0;
	ld.param.u32 %n, [rounds];
` + begin + `LOOP:
` + strings.Repeat("\t"+operation+"\n", atomicUnroll) + `	sub.u32 %n, %n, 1;
	setp.ne.u32 %q, %n, 0;
	@%q bra LOOP;
	setp.eq.u32 %q, %v, 123456789;
	@%q bra LAST;
` + performed + end + `LAST:
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

const atomicUnroll = 4

// atomics measures additions to one place, to one of each warp and to one of each thread, in
// global and in shared memory.
func atomics() []*Benchmark {
	var list []*Benchmark
	add := func(name, data, doc, unit, space string, result bool, ctas, threads, rounds, laneStride, warpStride uint32, figure func(operations float64, clocks []byte) float64) {
		all, passes := ctas*threads, uint32(2)
		if ctas > 1 {
			passes = 1
		}
		b := &Benchmark{Name: name, Size: int(all), Data: data, Unit: unit, Doc: doc}
		b.program = func() *workload.Program {
			bytes := uint64(4)
			if space == "global" {
				bytes += uint64(min(all, 32)-1)*uint64(laneStride) + uint64((all+31)/32-1)*uint64(warpStride)
			}
			return &workload.Program{
				PTX: module(target, atomicKernel(space, result)), Buffers: buffers(all, workload.Buffer{Name: "places", Bytes: bytes}),
				Launches: []workload.Launch{{Entry: "atomics", Grid: line(ctas), Block: line(threads), Args: []workload.Arg{
					workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(rounds), workload.U32(laneStride), workload.U32(warpStride), workload.U32(passes)}}},
			}
		}
		b.figure = func(o Observation) Figure {
			return Figure{Value: figure(float64(all)*float64(rounds)*atomicUnroll, o.Outputs[0])}
		}
		list = append(list, b)
	}
	latency := func(operations float64, clocks []byte) float64 { return cycles(clocks) / operations }
	perCycle := func(operations float64, clocks []byte) float64 { return operations / cycles(clocks) }
	perNanosecond := func(operations float64, clocks []byte) float64 { return operations / nanoseconds(clocks) }
	add("latency.atomic", "global", "dependent atomic additions of one thread to one place", "cycles per addition", "global", true, 1, 1, 64, 0, 0, latency)
	add("latency.atomic", "shared", "dependent atomic additions of one thread to one place of shared memory", "cycles per addition", "shared", true, 1, 1, 64, 0, 0, latency)
	for _, result := range []bool{true, false} {
		name := "rate.atom"
		if !result {
			name = "rate.red"
		}
		doc := "atomic additions of 132 CTAs of 256 threads, with (atom) or without (red) the old value"
		for _, where := range []struct {
			data       string
			lane, warp uint32
		}{{"one place", 0, 0}, {"one place a warp", 0, 128}, {"one line a warp", 4, 128}, {"all threads on one line", 4, 0}} {
			add(name, where.data, doc, "additions per ns", "global", result, 132, 256, 4, where.lane, where.warp, perNanosecond)
		}
		for _, where := range []struct {
			data       string
			lane, warp uint32
		}{{"shared, one place", 0, 0}, {"shared, one place a warp", 0, 128}, {"shared, one place a thread", 4, 128}} {
			add(name, where.data, fmt.Sprintf("additions of 32 warps of one SM to shared memory (%s)", strings.TrimPrefix(name, "rate.")),
				"additions per cycle", "shared", result, 1, 1024, 4, where.lane, where.warp, perCycle)
		}
	}
	return list
}
