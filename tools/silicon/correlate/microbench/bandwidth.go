package microbench

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// The grid of the bandwidth kernels: eight CTAs of 256 threads fill an SM of 2048 threads,
// 132 of which are those of an H100 and H200.
const (
	streamThreads = 256
	streamCTAs    = 8 * 132
	streamUnroll  = 4
)

// streamKernel moves chunks of 16 bytes a thread: CTA c takes chunks c, c + CTAs, ... in every
// pass, four at a time, so that a warp has four loads under way. With several readers, as many
// CTAs in a row take the same chunks.
func streamKernel(operator string, read, write bool, chunkBytes, readers int) string {
	var b strings.Builder
	b.WriteString(`.visible .entry stream(.param .u64 clocks, .param .u64 results, .param .u64 from, .param .u64 to, .param .u32 chunks, .param .u32 passes)
{
	.reg .u64 %from, %to, %offset, %out;
	.reg .u32 %chunks, %passes, %chunk, %ctas, %local, %sum;
	.reg .pred %q;
`)
	for i := range streamUnroll {
		fmt.Fprintf(&b, "\t.reg .u64 %%f%d, %%t%d;\n\t.reg .u32 %%c%d, %%v%d_0, %%v%d_1, %%v%d_2, %%v%d_3;\n\t.reg .pred %%in%d;\n", i, i, i, i, i, i, i, i)
	}
	b.WriteString(timerRegisters + positions + `	ld.param.u64 %from, [from];
	ld.param.u64 %to, [to];
	ld.param.u32 %chunks, [chunks];
	ld.param.u32 %passes, [passes];
	mov.u32 %ctas, %nctaid.x;
	mov.u32 %local, %tid.x;
	mul.wide.u32 %offset, %local, 16;
	add.u64 %from, %from, %offset;
	add.u64 %to, %to, %offset;
	mov.u32 %sum, 0;
`)
	if readers > 1 {
		fmt.Fprintf(&b, "\tdiv.u32 %%cta, %%cta, %d;\n\tdiv.u32 %%ctas, %%ctas, %d;\n", readers, readers)
	}
	for i := range streamUnroll {
		fmt.Fprintf(&b, "\tmov.u32 %%v%d_0, %%thread;\n\tmov.u32 %%v%d_1, %%passes;\n\tmov.u32 %%v%d_2, %%chunks;\n\tmov.u32 %%v%d_3, %%local;\n", i, i, i, i)
	}
	b.WriteString(begin + `PASS:
	mov.u32 %chunk, %cta;
LOOP:
`)
	for i := range streamUnroll {
		if i == 0 {
			b.WriteString("\tmov.u32 %c0, %chunk;\n")
		} else {
			fmt.Fprintf(&b, "\tadd.u32 %%c%d, %%c%d, %%ctas;\n", i, i-1)
		}
		fmt.Fprintf(&b, "\tsetp.lt.u32 %%in%d, %%c%d, %%chunks;\n", i, i)
		fmt.Fprintf(&b, "\tmad.wide.u32 %%f%d, %%c%d, %d, %%from;\n", i, i, chunkBytes)
		fmt.Fprintf(&b, "\tmad.wide.u32 %%t%d, %%c%d, %d, %%to;\n", i, i, chunkBytes)
	}
	if read {
		for i := range streamUnroll {
			fmt.Fprintf(&b, "\t@%%in%d ld.global.%s.v4.u32 {%%v%d_0, %%v%d_1, %%v%d_2, %%v%d_3}, [%%f%d];\n", i, operator, i, i, i, i, i)
		}
	}
	for i := range streamUnroll {
		switch {
		case write:
			fmt.Fprintf(&b, "\t@%%in%d st.global.v4.u32 [%%t%d], {%%v%d_0, %%v%d_1, %%v%d_2, %%v%d_3};\n", i, i, i, i, i, i)
		default:
			for k := range 4 {
				fmt.Fprintf(&b, "\t@%%in%d xor.b32 %%sum, %%sum, %%v%d_%d;\n", i, i, k)
			}
		}
	}
	fmt.Fprintf(&b, `	mad.lo.u32 %%chunk, %%ctas, %d, %%chunk;
	setp.lt.u32 %%q, %%chunk, %%chunks;
	@%%q bra LOOP;
	sub.u32 %%passes, %%passes, 1;
	setp.ne.u32 %%q, %%passes, 0;
	@%%q bra PASS;
`, streamUnroll)
	b.WriteString(`	setp.eq.u32 %q, %sum, 1;
	@%q bra STORE;
` + end + storeTimes + `	ret;
STORE:
	ld.param.u64 %out, [results];
	mad.wide.u32 %out, %thread, 8, %out;
	st.global.u32 [%out], %sum;
	ret;
}
`)
	return b.String()
}

// stream is one benchmark of the kernel. With one CTA the figure describes an SM, in cycles.
func stream(name, doc string, read, write, warm bool, bytes int, passes, ctas, threads uint32) *Benchmark {
	b := &Benchmark{Name: name, Size: bytes, Data: "cold", Unit: "GB/s", Doc: doc}
	if warm {
		b.Data = "warm"
	}
	chunkBytes := threads * 16
	b.program = func() *workload.Program {
		data := []workload.Buffer{{Name: "from", Bytes: uint64(bytes)}}
		to := 2
		if read && write {
			data = append(data, workload.Buffer{Name: "to", Bytes: uint64(bytes)})
			to = 3
		}
		launch := func(passes uint32) workload.Launch {
			return workload.Launch{Entry: "stream", Grid: line(ctas), Block: line(threads), Args: []workload.Arg{
				workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.BufferArg(to), workload.U32(uint32(bytes) / chunkBytes), workload.U32(passes)}}
		}
		p := &workload.Program{PTX: module(target, streamKernel("cg", read, write, int(chunkBytes), 1)), Buffers: buffers(ctas*threads, data...)}
		if warm {
			p.Launches = append(p.Launches, launch(1))
		}
		p.Launches = append(p.Launches, launch(passes))
		return p
	}
	moved := float64(bytes) * float64(passes)
	if read && write {
		moved *= 2
	}
	b.figure = func(o Observation) Figure { return Figure{Value: moved / nanoseconds(o.Outputs[0])} }
	if ctas == 1 {
		b.Unit = "bytes per cycle"
		b.figure = func(o Observation) Figure { return Figure{Value: moved / cycles(o.Outputs[0])} }
	}
	return b
}

// bandwidths are the bandwidths of L2 and DRAM by size, and of L1. Up to the size of L2 the data are
// read once before (another launch); the timed launch moves them several times.
func bandwidths() []*Benchmark {
	const MB = 1 << 20
	var list []*Benchmark
	add := func(name, doc string, read, write, warm bool, megabytes int, passes uint32) {
		list = append(list, stream(name, doc, read, write, warm, megabytes*MB, passes, streamCTAs, streamThreads))
	}
	const (
		reads  = "reading with 16 bytes a thread past L1; bytes read"
		copies = "copying with 16 bytes a thread past L1; bytes read and written"
		writes = "writing with 16 bytes a thread; bytes written"
	)
	for _, size := range []struct {
		megabytes int
		passes    uint32
	}{{4, 16}, {16, 4}, {32, 2}, {40, 2}, {64, 2}} {
		add("bandwidth.read", reads, true, false, true, size.megabytes, size.passes)
	}
	add("bandwidth.read", reads, true, false, false, 128, 1)
	add("bandwidth.copy", copies, true, true, true, 16, 2)
	add("bandwidth.copy", copies, true, true, false, 64, 1)
	add("bandwidth.write", writes, false, true, true, 16, 4)
	add("bandwidth.write", writes, false, true, false, 128, 1)
	const one = " (one SM)"
	list = append(list,
		stream("bandwidth.sm.read", reads+one, true, false, true, MB, 4, 1, 1024),
		stream("bandwidth.sm.read", reads+one, true, false, false, MB, 1, 1, 1024),
		stream("bandwidth.sm.write", writes+one, false, true, true, MB, 4, 1, 1024),
	)
	for _, readers := range []uint32{4, 8, 16, 44} {
		list = append(list, sameLines(8*MB, readers))
	}
	return append(list, levelOne()...)
}

// sameLines has several SMs read the same lines from DRAM at the same time, so that their loads
// meet in L2 while a line is on its way.
func sameLines(bytes int, readers uint32) *Benchmark {
	const chunkBytes = streamThreads * 16
	b := &Benchmark{Name: "bandwidth.same", Size: bytes, Data: fmt.Sprintf("%d readers", readers), Unit: "GB/s",
		Doc: "reading with 16 bytes a thread past L1, so many CTAs the same lines at the same time, which L2 does not hold; bytes read"}
	b.program = func() *workload.Program {
		return &workload.Program{
			PTX:     module(target, streamKernel("cg", true, false, chunkBytes, int(readers))),
			Buffers: buffers(streamCTAs*streamThreads, workload.Buffer{Name: "from", Bytes: uint64(bytes)}),
			Launches: []workload.Launch{{Entry: "stream", Grid: line(streamCTAs), Block: line(streamThreads), Args: []workload.Arg{
				workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.BufferArg(2), workload.U32(uint32(bytes) / chunkBytes), workload.U32(1)}}},
		}
	}
	b.figure = func(o Observation) Figure {
		return Figure{Value: float64(bytes) * float64(readers) / nanoseconds(o.Outputs[0])}
	}
	return b
}

// levelOneKernel loads from L1 only: 16 or 4 bytes a thread, from a working set that stays.
// The place of a load depends on the round, so no load can be left out.
func levelOneKernel(width int) string {
	var b strings.Builder
	value, load := "%v0", "u32"
	if width == 16 {
		value, load = "{%v0, %v1, %v2, %v3}", "v4.u32"
	}
	fmt.Fprintf(&b, `.visible .entry level1(.param .u64 clocks, .param .u64 results, .param .u64 from, .param .u32 rounds, .param .u32 mask)
{
	.reg .u64 %%from, %%address, %%out;
	.reg .u32 %%offset, %%mask, %%place, %%n, %%again, %%sum, %%v0, %%v1, %%v2, %%v3;
	.reg .pred %%q;
`)
	b.WriteString(timerRegisters + positions)
	fmt.Fprintf(&b, `	ld.param.u64 %%from, [from];
	ld.param.u32 %%mask, [mask];
	mul.lo.u32 %%offset, %%thread, %d;
	mov.u32 %%sum, 0;
	mov.u32 %%again, 2;
AGAIN:
	bar.sync 0;
	ld.param.u32 %%n, [rounds];
`, width)
	b.WriteString(begin + "LOOP:\n")
	for i := range levelOneUnroll {
		fmt.Fprintf(&b, "\tadd.u32 %%place, %%offset, %d;\n\tand.b32 %%place, %%place, %%mask;\n\tcvt.u64.u32 %%address, %%place;\n\tadd.u64 %%address, %%address, %%from;\n", i*1024*width)
		fmt.Fprintf(&b, "\tld.global.ca.%s %s, [%%address];\n\txor.b32 %%sum, %%sum, %%v0;\n", load, value)
	}
	fmt.Fprintf(&b, `	add.u32 %%offset, %%offset, %d;
	sub.u32 %%n, %%n, 1;
	setp.ne.u32 %%q, %%n, 0;
	@%%q bra LOOP;
`, levelOneUnroll*1024*width)
	b.WriteString(end + `	sub.u32 %again, %again, 1;
	setp.ne.u32 %q, %again, 0;
	@%q bra AGAIN;
	ld.param.u64 %out, [results];
	mad.wide.u32 %out, %thread, 8, %out;
	st.global.u32 [%out], %sum;
` + storeTimes + `	ret;
}
`)
	return b.String()
}

const levelOneUnroll = 8

func levelOne() []*Benchmark {
	var list []*Benchmark
	for _, width := range []int{4, 16} {
		const threads, rounds, bytes = 1024, 8, 64 << 10
		b := &Benchmark{Name: "bandwidth.l1", Size: bytes, Data: fmt.Sprintf("%d bytes a thread", width), Unit: "bytes per cycle",
			Doc: "32 warps of one SM reading 64 kB again and again (ld.ca), the second pass"}
		b.program = func() *workload.Program {
			return &workload.Program{
				PTX: module(target, levelOneKernel(width)), Buffers: buffers(threads, workload.Buffer{Name: "from", Bytes: bytes}),
				Launches: []workload.Launch{{Entry: "level1", Grid: line(1), Block: line(threads), Args: []workload.Arg{
					workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(rounds), workload.U32(bytes - 1)}}},
			}
		}
		b.figure = func(o Observation) Figure {
			return Figure{Value: float64(threads*width*rounds*levelOneUnroll) / cycles(o.Outputs[0])}
		}
		list = append(list, b)
	}
	return list
}
