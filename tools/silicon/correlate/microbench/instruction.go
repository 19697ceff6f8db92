package microbench

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// instruction is an instruction, or a pair of them, of which chains are made. In the text, X
// and Y stand for the registers of a chain, A to D for parameters that the compiler does not
// know.
type instruction struct {
	name    string
	kind    string   // of X, Y and A to D: u32, f32 or f64
	text    []string // one link of the chain after the other, again and again
	counted int      // instructions of a link, 1 if 0
	target  string   // the target of most modules if ""
	declare string   // further registers
	rounds  int      // of the loop; 0: the usual number
}

// A chain of sums of a register and a constant could be folded; of Fibonacci numbers every
// one is needed. A maximum alone would settle; with a minimum of other bounds it does not.
var instructionTable = []instruction{
	{name: "add.u32", kind: "u32", text: []string{"add.u32 X, X, Y;", "add.u32 Y, Y, X;"}},
	{name: "lop3.b32", kind: "u32", text: []string{"lop3.b32 X, X, A, B, 0xe8;", "lop3.b32 X, X, C, D, 0xe8;"}}, // majorities
	{name: "shl.b32", kind: "u32", text: []string{"shl.b32 X, X, A;", "shr.u32 X, X, B;"}},
	{name: "max.u32", kind: "u32", text: []string{"max.u32 X, X, A;", "min.u32 X, X, B;", "max.u32 X, X, C;", "min.u32 X, X, D;"}},
	{name: "mul.lo.u32", kind: "u32", text: []string{"mul.lo.u32 X, X, Y;", "mul.lo.u32 Y, Y, X;"}},
	{name: "mul.hi.u32", kind: "u32", text: []string{"mul.hi.u32 X, X, Y;", "mul.hi.u32 Y, Y, X;"}},
	{name: "mad.lo.u32", kind: "u32", text: []string{"mad.lo.u32 X, X, Y, A;", "mad.lo.u32 Y, Y, X, B;"}},
	{name: "add.u64", kind: "u64", text: []string{"add.u64 X, X, Y;", "add.u64 Y, Y, X;"}},
	{name: "div.u32", kind: "u32", text: []string{"div.u32 X, A, X;", "div.u32 X, B, X;"}, rounds: 8},
	{name: "popc.b32", kind: "u32", text: []string{"popc.b32 X, X;"}},
	{name: "setp.selp", kind: "u32", text: []string{"setp.lt.u32 %p, X, A;\n\tselp.u32 X, B, C, %p;", "setp.lt.u32 %p, X, B;\n\tselp.u32 X, A, D, %p;"}, counted: 2, declare: "\t.reg .pred %p;\n"},
	{name: "add.f32", kind: "f32", text: []string{"add.f32 X, X, A;"}},
	{name: "mul.f32", kind: "f32", text: []string{"mul.f32 X, X, A;"}},
	{name: "fma.rn.f32", kind: "f32", text: []string{"fma.rn.f32 X, X, A, B;"}},
	{name: "max.f32", kind: "f32", text: []string{"max.f32 X, X, A;", "min.f32 X, X, B;", "max.f32 X, X, C;", "min.f32 X, X, D;"}},
	{name: "div.rn.f32", kind: "f32", text: []string{"div.rn.f32 X, A, X;"}, rounds: 8},
	{name: "div.approx.f32", kind: "f32", text: []string{"div.approx.ftz.f32 X, A, X;"}},
	// Two reciprocals cancel, and the reciprocal of a power or a root is another instruction.
	{name: "rcp.approx.f32 and add.f32", kind: "f32", text: []string{"rcp.approx.ftz.f32 X, X;\n\tadd.ftz.f32 X, X, A;"}, counted: 2},
	{name: "sqrt.approx.f32", kind: "f32", text: []string{"sqrt.approx.ftz.f32 X, X;"}},
	{name: "rsqrt.approx.f32", kind: "f32", text: []string{"rsqrt.approx.ftz.f32 X, X;"}},
	{name: "sqrt.rn.f32", kind: "f32", text: []string{"sqrt.rn.f32 X, X;"}, rounds: 8},
	{name: "sin.approx.f32", kind: "f32", text: []string{"sin.approx.ftz.f32 X, X;"}},
	{name: "ex2.approx.f32", kind: "f32", text: []string{"ex2.approx.ftz.f32 X, X;"}},
	{name: "lg2.approx.f32", kind: "f32", text: []string{"lg2.approx.ftz.f32 X, X;"}},
	{name: "add.f64", kind: "f64", text: []string{"add.f64 X, X, A;"}},
	{name: "mul.f64", kind: "f64", text: []string{"mul.f64 X, X, A;"}},
	{name: "fma.rn.f64", kind: "f64", text: []string{"fma.rn.f64 X, X, A, B;"}},
	{name: "max.f64", kind: "f64", text: []string{"max.f64 X, X, A;", "min.f64 X, X, B;", "max.f64 X, X, C;", "min.f64 X, X, D;"}, rounds: 8},
	{name: "div.rn.f64", kind: "f64", text: []string{"div.rn.f64 X, A, X;"}, rounds: 4},
	{name: "sqrt.rn.f64", kind: "f64", text: []string{"sqrt.rn.f64 X, X;"}, rounds: 4},
	// The bits of the result are the next operand: there and back would be folded.
	{name: "cvt.f32.u32", kind: "u32", text: []string{"cvt.rn.f32.u32 X, X;"}},
	{name: "cvt.u32.f32", kind: "u32", text: []string{"cvt.rzi.u32.f32 X, X;"}},
	{name: "cvt.f64.f32", kind: "f32", text: []string{"cvt.f64.f32 %d, X;\n\tcvt.rn.f32.f64 X, %d;"}, counted: 2, declare: "\t.reg .f64 %d;\n", rounds: 8},
	{name: "shfl.sync", kind: "u32", text: []string{"shfl.sync.bfly.b32 X, X, 1, 31, 0xffffffff;"}},
	{name: "bar.sync", kind: "u32", text: []string{"bar.sync 0;"}},
	{name: "membar.cta", kind: "u32", text: []string{"membar.cta;"}},
	{name: "mma.m16n8k16.f16", kind: "f32", text: []string{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {X, X_1, X_2, X_3}, {%ha, %ha, %ha, %ha}, {%hb, %hb}, {X, X_1, X_2, X_3};"},
		target: "sm_80", declare: "\t.reg .b32 %ha, %hb;\n"},
}

const (
	instructionUnroll = 128 // instructions of a thread in a round
	instructionRounds = 16
	parallelChains    = 4
)

// chainKernel repeats links of chains in turn, so that instructions of one chain are so many
// instructions apart. It runs twice; the second pass counts, when its instructions are in the
// instruction caches.
func chainKernel(in *instruction, chains int) string {
	var b strings.Builder
	registers := in.kind
	if registers == "u32" {
		registers = "b32" // of any type: conversions take them too
	}
	fmt.Fprintf(&b, ".visible .entry chain(.param .u64 clocks, .param .u64 results, .param .u32 rounds, .param .%s a, .param .%s b, .param .%s c, .param .%s d)\n{\n", in.kind, in.kind, in.kind, in.kind)
	fmt.Fprintf(&b, "\t.reg .%s %%a, %%b, %%c, %%d_, %%sum;\n", registers)
	for c := range chains {
		fmt.Fprintf(&b, "\t.reg .%s %%x%d, %%y%d, %%x%d_1, %%x%d_2, %%x%d_3;\n", registers, c, c, c, c, c)
	}
	b.WriteString("\t.reg .u64 %out;\n\t.reg .u32 %n, %again, %word;\n\t.reg .pred %q;\n" + in.declare + timerRegisters + positions)
	fmt.Fprintf(&b, "\tld.param.%s %%a, [a];\n\tld.param.%s %%b, [b];\n\tld.param.%s %%c, [c];\n\tld.param.%s %%d_, [d];\n", in.kind, in.kind, in.kind, in.kind)
	for c := range chains {
		fmt.Fprintf(&b, "\tadd.u32 %%word, %%thread, %d;\n", c+1)
		if in.kind == "u32" {
			fmt.Fprintf(&b, "\tmov.u32 %%x%d, %%word;\n", c)
		} else if in.kind == "u64" {
			fmt.Fprintf(&b, "\tcvt.u64.u32 %%x%d, %%word;\n", c)
		} else {
			fmt.Fprintf(&b, "\tcvt.rn.%s.u32 %%x%d, %%word;\n", in.kind, c)
		}
		for _, r := range []string{"%%y%d", "%%x%d_1", "%%x%d_2", "%%x%d_3"} {
			fmt.Fprintf(&b, "\tmov.%s "+r+", %%a;\n", in.kind, c)
		}
	}
	if strings.Contains(in.declare, "%ha") {
		b.WriteString("\tmov.b32 %ha, 0x3c003c00;\n\tmov.b32 %hb, 0x3c003c00;\n")
	}
	b.WriteString("\tmov.u32 %again, 2;\nAGAIN:\n\tbar.sync 0;\n\tld.param.u32 %n, [rounds];\n" + begin + "LOOP:\n")
	for i := range instructionUnroll {
		c := i % chains
		text := in.text[i/chains%len(in.text)]
		b.WriteString("\t" + strings.NewReplacer(
			"X", fmt.Sprintf("%%x%d", c), "Y", fmt.Sprintf("%%y%d", c), "A", "%a", "B", "%b", "C", "%c", "D", "%d_",
		).Replace(text) + "\n")
	}
	b.WriteString("\tsub.u32 %n, %n, 1;\n\tsetp.ne.u32 %q, %n, 0;\n\t@%q bra LOOP;\n" + end + `	sub.u32 %again, %again, 1;
	setp.ne.u32 %q, %again, 0;
	@%q bra AGAIN;
`)
	fmt.Fprintf(&b, "\tmov.%s %%sum, %%a;\n", in.kind)
	for c := range chains {
		for _, r := range []string{"%%x%d", "%%y%d", "%%x%d_1", "%%x%d_2", "%%x%d_3"} {
			fmt.Fprintf(&b, "\tadd.%s %%sum, %%sum, "+r+";\n", in.kind, c)
		}
	}
	b.WriteString("\tld.param.u64 %out, [results];\n\tmad.wide.u32 %out, %thread, 8, %out;\n")
	fmt.Fprintf(&b, "\tst.global.%s [%%out], %%sum;\n", in.kind)
	b.WriteString(storeTimes + "\tret;\n}\n")
	return b.String()
}

// values are the parameters A to D of an instruction. Those of floats keep the chain away from
// 0, infinity and subnormal numbers, those of integers are odd.
func (in *instruction) values() []workload.Arg {
	switch in.kind {
	case "u32":
		values := []uint32{3, 1000003, 17, 999983}
		if in.name == "shl.b32" {
			values = []uint32{1, 1, 1, 1}
		}
		return []workload.Arg{workload.U32(values[0]), workload.U32(values[1]), workload.U32(values[2]), workload.U32(values[3])}
	case "u64":
		return []workload.Arg{workload.U64(3), workload.U64(1000003), workload.U64(17), workload.U64(999983)}
	case "f32":
		return []workload.Arg{workload.F32(0.999), workload.F32(1.5), workload.F32(0.998), workload.F32(1.25)}
	}
	return []workload.Arg{workload.F64(0.999), workload.F64(1.5), workload.F64(0.998), workload.F64(1.25)}
}

// instructions measures each instruction: the latency of dependent ones in one warp, and the
// rate of 32 warps with four chains each.
func instructions() []*Benchmark {
	var list []*Benchmark
	for i := range instructionTable {
		in := &instructionTable[i]
		counted, rounds, to := max(1, in.counted), instructionRounds, target
		if in.rounds > 0 {
			rounds = in.rounds
		}
		if in.target != "" {
			to = in.target
		}
		build := func(threads uint32, chains int) func() *workload.Program {
			return func() *workload.Program {
				args := append([]workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.U32(uint32(rounds))}, in.values()...)
				return &workload.Program{PTX: module(to, chainKernel(in, chains)), Buffers: buffers(threads),
					Launches: []workload.Launch{{Entry: "chain", Grid: line(1), Block: line(threads), Args: args}}}
			}
		}
		each := float64(rounds * instructionUnroll * counted) // instructions of a warp
		list = append(list, &Benchmark{Name: "latency.instruction", Size: 32, Data: in.name, Unit: "cycles per instruction",
			Doc: "dependent instructions of one warp", program: build(32, 1),
			figure: func(o Observation) Figure { return Figure{Value: cycles(o.Outputs[0]) / each} }},
			&Benchmark{Name: "rate.instruction", Size: 1024, Data: in.name, Unit: "threads per cycle",
				Doc: "instructions of 32 warps with four chains each, on one SM", program: build(1024, parallelChains),
				figure: func(o Observation) Figure { return Figure{Value: 1024 * each / cycles(o.Outputs[0])} }})
	}
	return append(list, branches()...)
}
