package execute

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// TestValuesOfADevice states results of an NVIDIA H200 (driver 580.159.04) that a reader of
// the PTX manual would not expect, or that it leaves open. tools/silicon/forms compares all forms.
func TestValuesOfADevice(t *testing.T) {
	type scalars = []ptx.Scalar
	f16, f32, f64, u32, u64 := ptx.TypeF16, ptx.TypeF32, ptx.TypeF64, ptx.TypeU32, ptx.TypeU64
	for _, c := range []struct {
		text    string
		result  ptx.Scalar
		sources scalars
		values  []uint64
		want    uint64
	}{
		// The remainder of a division by zero is all ones.
		{"rem.u32 %d, %a, %b;", u32, scalars{u32, u32}, []uint64{7, 0}, 0xffffffff},
		{"rem.s64 %d, %a, %b;", ptx.TypeS64, scalars{ptx.TypeS64, ptx.TypeS64}, []uint64{7, 0}, 0xffffffffffffffff},
		// Positions above 255 count in forms of 64 bits.
		{"bfe.u64 %d, %a, %b, %c;", u64, scalars{u64, u32, u32}, []uint64{1, 0x80000000, 0x80}, 0},
		{"bfe.u32 %d, %a, %b, %c;", u32, scalars{u32, u32, u32}, []uint64{1, 0x80000000, 0x80}, 1},
		{"bfi.b64 %d, %a, %b, %c, %e;", ptx.TypeB64, scalars{ptx.TypeB64, ptx.TypeB64, u32, u32}, []uint64{0x41, 0x8000000000000001, 0x19, 0x100}, 0x82000001},
		// Zero is a normal number.
		{"testp.normal.f32 %d, %a;", ptx.TypePred, scalars{f32}, []uint64{0x80000000}, 1},
		{"testp.normal.f64 %d, %a;", ptx.TypePred, scalars{f64}, []uint64{0}, 1},
		// A sign operation makes the one NaN of f32 and f16, and quiets that of f64.
		{"neg.f32 %d, %a;", f32, scalars{f32}, []uint64{0x7fc12345}, 0x7fffffff},
		{"abs.ftz.f32 %d, %a;", f32, scalars{f32}, []uint64{0xff800001}, 0x7fffffff},
		{"neg.f64 %d, %a;", f64, scalars{f64}, []uint64{0xfff0000000000001}, 0xfff8000000000001},
		{"abs.f16 %d, %a;", f16, scalars{f16}, []uint64{0xfc01}, 0x7fff},
		// Of two NaNs of f64 the later operand stays; of three b, then c.
		{"add.f64 %d, %a, %b;", f64, scalars{f64, f64}, []uint64{0x7ff8000000000000, 0xfff0000000000001}, 0xfff8000000000001},
		{"min.f64 %d, %a, %b;", f64, scalars{f64, f64}, []uint64{0x7ff8000012345678, 0x7ff0000000000001}, 0x7ff8000000000001},
		{"fma.rn.f64 %d, %a, %b, %c;", f64, scalars{f64, f64, f64}, []uint64{0x7ff8000000000000, 0x7ff8000012345678, 0x7ff8000000000055}, 0x7ff8000012345678},
		{"fma.rz.f64 %d, %a, %b, %c;", f64, scalars{f64, f64, f64}, []uint64{0x7ff8000000000000, 0x3ff0000000000000, 0x7ff8000000000055}, 0x7ff8000000000055},
		{"div.rn.f64 %d, %a, %b;", f64, scalars{f64, f64}, []uint64{0x7ff8000012345678, 0x7ff8000000000055}, 0x7ff8000012345678},
		// With .ftz a result is flushed that only rounding makes the smallest normal number.
		{"mul.ftz.f32 %d, %a, %b;", f32, scalars{f32, f32}, []uint64{0x3f7fffff, 0x80800000}, 0x80000000},
		{"mul.f32 %d, %a, %b;", f32, scalars{f32, f32}, []uint64{0x3f7fffff, 0x80800000}, 0x80800000},
		{"mul.rp.ftz.f32 %d, %a, %b;", f32, scalars{f32, f32}, []uint64{0x3f7fffff, 0x00800000}, 0},
		{"div.rn.ftz.f32 %d, %a, %b;", f32, scalars{f32, f32}, []uint64{0x3f7fffff, 0x7e800000}, 0},
		{"rcp.rp.ftz.f32 %d, %a;", f32, scalars{f32}, []uint64{0x7e800001}, 0},
		{"mul.ftz.f16 %d, %a, %b;", f16, scalars{f16, f16}, []uint64{0x3bff, 0x8400}, 0x8000},
		// Conversions: .sat to f64, payloads of NaN, and what .ftz leaves alone.
		{"cvt.rn.sat.f64.u32 %d, %a;", f64, scalars{u32}, []uint64{7}, 0x3ff0000000000000},
		{"cvt.rn.f32.f64 %d, %a;", f32, scalars{f64}, []uint64{0xfff4000000000055}, 0xffe00000},
		{"cvt.rn.f16.f64 %d, %a;", f16, scalars{f64}, []uint64{0x7ff4000000000055}, 0x7f00},
		{"cvt.rn.bf16.f64 %d, %a;", ptx.TypeBF16, scalars{f64}, []uint64{0xfff0000000000001}, 0xffc0},
		{"cvt.ftz.f64.f32 %d, %a;", f64, scalars{f32}, []uint64{0xffc00000}, 0x7fffffffe0000000},
		{"cvt.rni.f64.f64 %d, %a;", f64, scalars{f64}, []uint64{0x7ff0000000000001}, 0x7ff8000000000001},
		{"cvt.f32.bf16 %d, %a;", f32, scalars{ptx.TypeBF16}, []uint64{0x7f81}, 0x7f810000},
		{"cvt.ftz.f32.bf16 %d, %a;", f32, scalars{ptx.TypeBF16}, []uint64{0x0001}, 0},
		{"cvt.rp.ftz.f16.f32 %d, %a;", f16, scalars{f32}, []uint64{1}, 1},
		{"cvt.rna.tf32.f32 %d, %a;", ptx.TypeTF32, scalars{f32}, []uint64{0x7fc12345}, 0x7fc12000},
		{"cvt.rn.tf32.f32 %d, %a;", ptx.TypeTF32, scalars{f32}, []uint64{0x7fc12345}, 0x7fffe000},
		{"cvt.rna.satfinite.tf32.f32 %d, %a;", ptx.TypeTF32, scalars{f32}, []uint64{0x7fc12345}, 0x7fc10000},
		// The flag after sub.cc is the opposite of a borrow.
		{"{ .reg .u32 %z; sub.cc.u32 %z, %a, %b; addc.u32 %d, 0, 0; }", u32, scalars{u32, u32}, []uint64{5, 3}, 1},
		{"{ .reg .u32 %z; sub.cc.u32 %z, %a, %b; subc.u32 %d, 9, 0; }", u32, scalars{u32, u32}, []uint64{3, 5}, 8},
		{"{ .reg .u32 %z; add.cc.u32 %z, %a, %b; subc.u32 %d, 9, 0; }", u32, scalars{u32, u32}, []uint64{3, 5}, 8},
		{"{ .reg .u64 %z; sub.cc.u64 %z, %a, %b; madc.lo.u64 %d, 2, 3, 4; }", u64, scalars{u64, u64}, []uint64{5, 3}, 11},
		// L2 flushes sums of f32 and keeps NaNs of f64; shared memory does neither.
		{"st.global.b32 [%to], %a; { .reg .b32 %z; atom.global.add.f32 %z, [%to], %b; } ld.global.b32 %d, [%to];", ptx.TypeB32, scalars{f32, f32}, []uint64{1, 0}, 0},
		{"{ .shared .b32 s; .reg .b32 %z; st.shared.b32 [s], %a; atom.shared.add.f32 %z, [s], %b; ld.shared.b32 %d, [s]; }", ptx.TypeB32, scalars{f32, f32}, []uint64{1, 0}, 1},
		{"st.global.b64 [%to], %a; { .reg .b64 %z; atom.global.add.f64 %z, [%to], %b; } ld.global.b64 %d, [%to];", ptx.TypeB64, scalars{f64, f64}, []uint64{0x7ff0000000000001, 0}, 0x7ff0000000000001},
		{"{ .shared .b64 s; .reg .b64 %z; st.shared.b64 [s], %a; atom.shared.add.f64 %z, [s], %b; ld.shared.b64 %d, [s]; }", ptx.TypeB64, scalars{f64, f64}, []uint64{0x7ff0000000000001, 0}, 0x7ff8000000000001},
	} {
		test := instructionTest{text: c.text, result: c.result, sources: c.sources}
		if got := test.of(t, c.values); got != c.want {
			t.Errorf("%s of %x is %x, want %x", c.text, c.values, got, c.want)
		}
	}
}

// of runs the instruction in one thread.
func (c *instructionTest) of(t *testing.T, values []uint64) uint64 {
	t.Helper()
	m, err := compile.Load(c.text, []byte(c.source(false)))
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<16)
	in, _ := image.Alloc("in", uint64(8*len(values)))
	inBase := in.Base
	out, _ := image.Alloc("out", 8)
	outBase := out.Base
	var word [8]byte
	for i, v := range values {
		writeBytes(word[:], 8, v)
		image.Write(inBase+uint64(8*i), word[:])
	}
	params := make([]byte, 16)
	writeBytes(params, 8, outBase)
	writeBytes(params[8:], 8, inBase)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Params: params}
	if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
		t.Fatal(err)
	}
	image.Write(outBase+uint64(c.result.Bytes()), make([]byte, 8-c.result.Bytes())) // an atomic may have left more
	image.Read(outBase, word[:])
	return readBytes(word[:], 8)
}
