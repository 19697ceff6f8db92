package forms

import (
	"fmt"
	"strings"
)

// Form is one instruction, or a short sequence of them, with the operands that it takes.
type Form struct {
	// Text holds the instructions: %x0, %x1 ... are operands, %y0, %y1 ... results.
	// Scratch registers are the predicates %p and %q, %t and %u of 32 bits, %w and %z of 64.
	// %mem is the address of 64 bytes of global memory of the thread's own, %shared that of
	// 64 bytes of shared memory (both begin as zeros), and %all the address of the shared
	// memory of the CTA.
	Text string
	// In and Out name the kinds of the operands and results (see kinds).
	In, Out []string
}

// Block is the number of threads of a CTA.
const Block = 128

// kinds holds the width of each kind of operand in bits. Most kinds are types of PTX. The
// others choose operands by their use: a shift amount, a lane.
var kinds = map[string]int{
	"pred": 1, "u8": 8, "s8": 8, "b8": 8, "u16": 16, "s16": 16, "b16": 16, "u32": 32, "s32": 32, "b32": 32,
	"u64": 64, "s64": 64, "b64": 64, "f16": 16, "bf16": 16, "f16x2": 32, "bf16x2": 32, "u16x2": 32, "s16x2": 32,
	"tf32": 32, "f32": 32, "f64": 64, "e4m3x2": 16, "e5m2x2": 16, "e4m3x4": 32, "e5m2x4": 32,
	"amount": 32, "lane": 32, "few": 32, "few64": 64,
	// Elements of matrices, and of the matrix that their products are added to.
	"m.f16x2": 32, "m.bf16x2": 32, "m.tf32": 32, "m.f64": 64, "m.e4m3x4": 32, "m.e5m2x4": 32,
	"c.f16x2": 32, "c.f32": 32, "c.f64": 64,
}

// register is the type of the register that holds a kind.
func register(kind string) string {
	if kind == "pred" {
		return "pred"
	}
	return fmt.Sprintf("b%d", kinds[kind])
}

// Cases returns how many threads apply the form, each to operands of its own.
func (f *Form) Cases() int {
	if len(f.In) == 1 && kinds[f.In[0]] <= 16 {
		return 1 << 16 // all values
	}
	return 4096
}

// InBytes and OutBytes are the sizes of one thread's operands and results: 8 bytes each.
func (f *Form) InBytes() int { return 8 * len(f.In) }

func (f *Form) OutBytes() int { return 8 * len(f.Out) }

// scratchBytes is what %mem points to.
const scratchBytes = 64

// BufferBytes is the size of the buffer of results, with the scratch memory behind them.
func (f *Form) BufferBytes() int {
	n := f.Cases() * f.OutBytes()
	if strings.Contains(f.Text, "%mem") {
		n += f.Cases() * scratchBytes
	}
	return n
}

// Module writes the kernels f0, f1 ... of some forms.
func Module(list []Form) []byte {
	var b strings.Builder
	b.WriteString(".version 8.7\n.target sm_90\n.address_size 64\n")
	for i := range list {
		list[i].kernel(&b, fmt.Sprintf("f%d", i))
	}
	return []byte(b.String())
}

func (f *Form) kernel(b *strings.Builder, name string) {
	fmt.Fprintf(b, ".visible .entry %s(.param .u64 out, .param .u64 in)\n{\n", name)
	b.WriteString("\t.reg .pred %p, %q; .reg .b32 %i, %t, %u; .reg .b64 %at, %to, %off, %w, %z;\n")
	declare := func(letter string, list []string) {
		for i, kind := range list {
			fmt.Fprintf(b, "\t.reg .%s %%%s%d;\n", register(kind), letter, i)
		}
	}
	declare("x", f.In)
	declare("y", f.Out)
	b.WriteString("\tmov.u32 %t, %ctaid.x; mov.u32 %u, %ntid.x; mov.u32 %i, %tid.x; mad.lo.u32 %t, %t, %u, %i;\n")
	fmt.Fprintf(b, "\tld.param.u64 %%at, [in]; mul.wide.u32 %%off, %%t, %d; add.u64 %%at, %%at, %%off;\n", f.InBytes())
	fmt.Fprintf(b, "\tld.param.u64 %%to, [out];\n")
	if strings.Contains(f.Text, "%mem") {
		fmt.Fprintf(b, "\t.reg .b64 %%mem; mul.wide.u32 %%off, %%t, %d; add.u64 %%mem, %%to, %%off; add.u64 %%mem, %%mem, %d;\n", scratchBytes, f.Cases()*f.OutBytes())
	}
	if strings.Contains(f.Text, "%shared") || strings.Contains(f.Text, "%all") {
		fmt.Fprintf(b, "\t.shared .align 128 .b8 room_%s[%d]; .reg .b64 %%shared, %%all;\n", name, Block*scratchBytes)
		fmt.Fprintf(b, "\tmov.u64 %%all, room_%s; mul.wide.u32 %%off, %%i, %d; add.u64 %%shared, %%all, %%off;\n", name, scratchBytes)
		for k := 0; k < scratchBytes; k += 8 {
			fmt.Fprintf(b, "\tst.shared.u64 [%%shared+%d], 0;", k)
		}
		b.WriteString(" bar.sync 0;\n")
	}
	fmt.Fprintf(b, "\tmul.wide.u32 %%off, %%t, %d; add.u64 %%to, %%to, %%off;\n", f.OutBytes())
	for i, kind := range f.In {
		if kind == "pred" {
			fmt.Fprintf(b, "\tld.global.u32 %%t, [%%at+%d]; setp.ne.u32 %%x%d, %%t, 0;\n", 8*i, i)
		} else {
			fmt.Fprintf(b, "\tld.global.%s %%x%d, [%%at+%d];\n", register(kind), i, 8*i)
		}
	}
	b.WriteString("\t" + f.Text + "\n")
	for i, kind := range f.Out {
		if kind == "pred" {
			fmt.Fprintf(b, "\tselp.u32 %%t, 1, 0, %%y%d; st.global.u32 [%%to+%d], %%t;\n", i, 8*i)
		} else {
			fmt.Fprintf(b, "\tst.global.%s [%%to+%d], %%y%d;\n", register(kind), 8*i, i)
		}
	}
	b.WriteString("\tret;\n}\n")
}
