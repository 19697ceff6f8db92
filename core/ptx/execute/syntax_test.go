package execute

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/compile"
)

// TestSyntax runs programs in odd spellings; each leaves 42 in %r0.
func TestSyntax(t *testing.T) {
	for name, body := range map[string]string{
		"nested scopes": `{ .reg .b32 x; mov.b32 x, 40; { .reg .b64 x; mov.b64 x, 2; cvt.u32.u64 %r2, x; } add.u32 %r0, x, %r2; }`,
		"numbers":       `mov.u32 %r0, 0x10U; add.u32 %r0, %r0, 012; add.u32 %r0, %r0, 0b1000; add.u32 %r0, %r0, 8;`,
		"floats": `mov.f32 %f1, 0f42280000; mov.f32 %f2, 1.5e0; mul.f32 %f1, %f1, %f2; mov.f32 %f2, 0d3FF8000000000000;
			div.rn.f32 %f1, %f1, %f2; cvt.rni.s32.f32 %r0, %f1;`,
		"expressions": `mov.b32 %r0, (1 << 5) | ((20 / 2) & ~0) ^ (3 > 4 ? 7 : 0); add.u32 %r0, %r0, WARP_SZ - 32;`,
		"labels and debug directives": `.loc 1 12 3
			bra.uni $L__BB0_1; mov.u32 %r0, 1; $L__BB0_1: .pragma "nounroll"; mov.u32 %r0, 42; // comment
			/* another
			one */ .loc 1 13 0, function_name $L__info_string0, inlined_at 1 12 3
			add.u32 %r0, %r0, 0;`,
		"vector registers": `.reg .v4 .u32 v; .reg .v2 .f32 w; mov.u32 v.x, 40; mov.u32 v.w, 2; add.u32 %r0, v.x, v.a;`,
		"negated operands": `mov.u32 %r2, 58; add.s32 %r0, -%r2, 100; setp.eq.u32 %p1, %r0, 42; @!%p1 mov.u32 %r0, 0;`,
		"sinks and pairs":  `setp.eq.u32 _|%p1, 1, 2; setp.eq.u32 %p2|_, 1, 1; and.pred %p3, %p1, %p2; selp.u32 %r0, 42, 0, %p3;`,
		"pack and unpack":  `mov.b64 %rd3, {42, 7}; mov.b64 {%r0, _}, %rd3; mov.b64 {_, %r2}, %rd3;`,
		"special registers": `mov.u32 %r0, %ntid.x; add.u32 %r0, %r0, %nctaid.y; add.u32 %r0, %r0, %ctaid.z; add.u32 %r0, %r0, 9;
			mov.u64 %rd3, %clock64; mov.u32 %r3, %clock; mov.u32 %r3, %smid; mov.u64 %rd3, %globaltimer; cvt.u16.u32 %h1, %tid.x;`,
		"hints and fences": `nanosleep.u32 100; prefetch.global.L1 [%rd1]; prefetchu.L1 [%rd1]; membar.sys; membar.cta; fence.acq_rel.gpu;
			fence.proxy.async; bar.warp.sync -1; pmevent 1; griddepcontrol.wait; ld.global.nc.L1::no_allocate.L2::128B.u32 %r3, [%rd1];
			ld.relaxed.gpu.global.u32 %r3, [%rd1]; st.release.sys.global.u32 [%rd1], %r3; mov.u32 %r0, 42;`,
		"absolute addresses": `mov.u32 %r2, 42; st.shared.u32 [s+8], %r2; ld.shared.u32 %r0, [s+4+4]; st.shared.u32 [16], %r0; ld.shared.u32 %r0, [s+16];`,
	} {
		src := strings.Replace(withOutput(body), ".reg .pred %p<8>;", ".reg .pred %p<8>; .reg .b16 %h<4>;", 1)
		src = strings.Replace(src, ".address_size 64\n", ".address_size 64\n.file 1 \"kernel.cu\", 123, 456\n", 1)
		got, err := runWords(t, src, 32)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got[3] != 42 {
			t.Errorf("%s: %d", name, got[3])
		}
	}
}

// TestFirstGeneration runs a module as nvcc wrote them for sm_1x: 32-bit
// addresses, 16-bit special registers, no .address_size, debug lines.
func TestFirstGeneration(t *testing.T) {
	src := `	.version 1.4
	.target sm_13, map_f64_to_f32
	// compiled with a compiler of old
	.file	1	"<command-line>"
@@DWARF dword 1, 2
	.const .align 4 .b8 table[8] = {0x2,0x0,0x0,0x0,0x3,0x0,0x0,0x0};
	.entry test (
		.param .u32 __cudaparm_out)
	{
	.reg .u16 %rh<4>;
	.reg .u32 %r<16>;
	.reg .f32 %f<6>;
	.reg .pred %p<3>;
	.shared .align 4 .b8 __cuda_tile0[128];
	.loc	1	5	0
$LBB1_test:
	mov.u16 	%rh1, %ctaid.x;
	mov.u16 	%rh2, %ntid.x;
	mul.wide.u16 	%r1, %rh1, %rh2;
	cvt.u32.u16 	%r2, %tid.x;
	add.u32 	%r3, %r2, %r1;
	mul24.lo.u32 	%r4, %r3, 4;
	ld.param.u32 	%r5, [__cudaparm_out];
	add.u32 	%r6, %r5, %r4;
	mov.u32 	%r7, __cuda_tile0;
	add.u32 	%r8, %r7, %r4;
	st.shared.u32 	[%r8+0], %r3;
	bar.sync 	0;
	ld.const.u32 %r9, [table+4];
	cvt.rn.f32.u32 %f1, %r9;
	mov.f32 %f2, 0f41600000;
	mad.f32 %f3, %f1, %f2, 0f00000000;
	div.f32 %f3, %f3, 0f3f800000;
	rcp.f32 %f4, %f3; rcp.f32 %f4, %f4;
	cvt.rni.u32.f32 %r10, %f4;
	ld.shared.u32 	%r11, [%r8+0];
	mul.lo.u32 %r11, %r11, 0;
	add.u32 %r10, %r10, %r11;
	st.global.u32 	[%r6+0], %r10;
	exit;
$LDWend_test:
	} // test
`
	m, err := compile.Load("old.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if m.AddressBits != 32 || m.VersionMajor != 1 || m.VersionMinor != 4 {
		t.Errorf("version %d.%d, %d-bit addresses", m.VersionMajor, m.VersionMinor, m.AddressBits)
	}
	// runWords passes 8 bytes; this kernel takes 4.
	k, err := compile.Kernel(m, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	if k.ParamBytes != 4 || k.StaticSharedBytes != 128 || len(k.Const) != 8 {
		t.Errorf("%d bytes of parameters, %d shared, %d constant", k.ParamBytes, k.StaticSharedBytes, len(k.Const))
	}
	got, err := runWords(t, strings.Replace(src, ".param .u32 __cudaparm_out)", ".param .u32 __cudaparm_out, .param .u32 unused)", 1), 32)
	if err != nil {
		t.Fatal(err)
	}
	if got[5] != 42 {
		t.Errorf("%d", got[5])
	}
}

// TestAlias calls a function by another name, directly and through a pointer.
func TestAlias(t *testing.T) {
	const functions = `.visible .func (.param .b32 r) add5(.param .b32 n) { .reg .b32 %r; ld.param.b32 %r, [n]; add.u32 %r, %r, 5; st.param.b32 [r], %r; ret; }
.visible .func (.param .b32 r) other(.param .b32 n);
.alias other, add5;
`
	body := `{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), other, (a); ld.param.b32 %r2, [b]; st.param.b32 [a], %r2;
		mov.u64 %rd3, other; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (b), %rd3, (a), P; ld.param.b32 %r0, [b]; }`
	got, err := runWords(t, strings.Replace(withOutput(body), ".visible .entry", functions+".visible .entry", 1), 32)
	if err != nil || got[7] != 17 {
		t.Errorf("%v %v", got, err)
	}
	for text, want := range map[string]string{
		".alias a, b;":                                            "b is not a function with a body",
		".func b() { ret; } .alias a, b;":                         "a is not declared as a function",
		".func b() { ret; } .func a() { ret; } .alias a, b;":      "a has a body",
		".func b(); .func a(); .alias a, b;":                      "b is not a function with a body",
		".global .u32 b; .func a(); .alias a, b;":                 "b is not a function with a body",
		".entry b() { ret; } .func a(); .alias a, b;":             "b is not a function with a body",
		".func b() { ret; } .func a(); .alias a b;":               "want ','",
		".func b() { ret; } .func a(); .alias a, b; .func a; { }": "want a directive",
		".func b(.param .b32 x) { ret; } .global .u32 b;":         "b is already declared at line",
		".global .u64 p = nowhere;":                               "nowhere is not declared",
		".entry k() { ret; } .entry k() { ret; }":                 "function k is defined twice",
		".entry k(.param .u32 a, .param .u32 a) { ret; }":         "a is already declared",
		".entry k() { .reg .b32 a; { .reg .b64 a, a; } ret; }":    "a is already declared",
		".entry k() { L: L: ret; }":                               "L is already declared",
		".global .align 3 .u32 x;":                                "alignment must be a power of two",
		".global .u32 x[4611686018427387904];":                    "larger than",
		".global .b8 x[1<<60];":                                   "larger than",
		".global .v3 .u32 x[99999999999999999999];":               "bad number",
	} {
		_, err := compile.Load("x", []byte(".version 8.0\n.target sm_80\n.address_size 64\n"+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x:4:") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
