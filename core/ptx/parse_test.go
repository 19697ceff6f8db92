package ptx

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestUnsupportedAllAtOnce wants every instruction that is not supported named
// with its place, in one report.
func TestUnsupportedAllAtOnce(t *testing.T) {
	src := `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
	.reg .b32 %r<9>;
	.reg .b16 %h<3>;
	div.f16 %h0, %h1, %h2;
	add.u32 %r1, %r2, 1;
	wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r0}, {%r1}, {%r2}, {%r3};
	  cp.async.ca.shared.local [%r1], [%r2], 4;
	add.rn.u32 %r1, %r2, %r3;
	mul.lo.u32 %r1, %r2, %undeclared;
	ret;
}
.global .texref t;
.func other() { .reg .b32 %r<2>; tex.2d.v4.f32.f32 {%r0, %r0, %r0, %r0}, [t, {%r0, %r1}]; ret; }
`
	_, err := Parse("file.ptx", []byte(src))
	var list Errors
	if !errors.As(err, &list) {
		t.Fatalf("error is %T: %v", err, err)
	}
	want := []string{
		"file.ptx:7:2: unsupported instruction div.f16",
		"file.ptx:9:2: unsupported instruction wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32",
		"file.ptx:10:4: unsupported instruction cp.async.ca.shared.local",
		"file.ptx:11:5: unsupported modifier .rn in add.rn.u32",
		"file.ptx:12:23: %undeclared is not declared",
		"file.ptx:15:9: unsupported type .texref",
		"file.ptx:16:34: unsupported instruction tex.2d.v4.f32.f32",
	}
	if got := list.Error(); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if list[0].Line != 7 || list[0].Column != 2 {
		t.Errorf("place %d:%d", list[0].Line, list[0].Column)
	}
}

func TestParseErrors(t *testing.T) {
	const head = ".version 7.0\n.target sm_70\n.address_size 64\n"
	in := func(body string) string { return head + ".entry k() {\n" + body + "\n}\n" }
	for _, c := range []struct{ src, want string }{
		{"", "x:1:1: no .version directive"},
		{"hello", "want a directive"},
		{in("add.u32 %r1, %r2, 3;"), "x:5:9: %r1 is not declared"},
		{in(".reg .b32 %r<4>; add.u32 %r1, %r2;"), "x:5:18: add.u32 takes 3 operands, found 2"},
		{in(".reg .b32 %r<4>; .reg .b64 %d; add.u64 %d, %r1, %r2;"), "x:5:44: %r1 has 32 bits, but add.u64 takes 64"},
		{in(".reg .b32 %r<4>; add.u32 %r1, %r4, 1;"), "x:5:31: %r4 is not declared"},
		{in(".reg .b32 %r<4>; @%r1 add.u32 %r1, %r2, 1;"), "guard %r1 is not a predicate register"},
		{in("bra NOWHERE;"), "x:5:5: NOWHERE is not declared"},
		{in(".reg .b32 %r; .reg .b32 %r;"), "%r is already declared at line 5"},
		{in("ret"), "want ';'"},
		{head + ".entry k() {", "does not end"},
		{in("{ ret;"), "does not end"},
		{in(".reg .b32 %r; ld.shared.v4.b64 {%r,%r,%r,%r}, [%r];"), "unsupported instruction ld.shared.v4.b64"},
		{in(".reg .b32 %r; st.const.b32 [%r], %r;"), "cannot be written"},
		{in(".shared .b32 s; .reg .b32 %r; ld.global.b32 %r, [s];"), "another state space"},
		{in("call vprintf;") + ".extern .func vprintf();", "unsupported: call of external function vprintf"},
		{head + ".global .texref t;", "unsupported type .texref"},
		{head + ".entry k(.reg .u32 x) { ret; }", ""},
		{in("bar.sync 16;"), "barrier 16 does not exist"},
		{in(".reg .b32 %r; mov.b32 %r, 1/0;"), "division by zero"},
		{in(".reg .b32 %r; mov.b32 %r, " + strings.Repeat("(", 1000) + "1;"), "nested too deeply"},
		{in("tex " + strings.Repeat("[a, ", 100000)), "nested too deeply"},
		{in(".reg .b32 %r; mov.b32 %r, " + strings.Repeat("-", 100000) + "1;"), "nested too deeply"},
		{in(".reg .pred %p; and.pred %p, " + strings.Repeat("!", 100000) + "%p, %p;"), "nested too deeply"},
		{in(strings.Repeat("{", 500)), "nested too deeply"},
		{in(strings.Repeat("bad;\n", 1000)), "too many errors"},
		{".version 11.0\n", "PTX version 11.0 is not known"},
		{"/* never closed", "comment does not end"},
		{in("mov.b32 \"text"), "string does not end"},
		{head + ".global .b8 x[4] = {1,2,3,4,5};", "x has 4 bytes but its initial value has 5"},
		{head + ".global .b8 x[4294967296][4294967296];", "larger than"},
	} {
		m, err := Parse("x", []byte(c.src))
		if err == nil && c.want == "" {
			if _, err = Compile(m, "k", nil); err == nil {
				t.Errorf("%q compiles", c.src)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			text := c.src
			if len(text) > 200 {
				text = text[:200]
			}
			t.Errorf("%s\nerror %v, want %q", text, err, c.want)
		}
	}
}

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
	m, err := Parse("old.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if m.AddressBits != 32 || m.VersionMajor != 1 || m.VersionMinor != 4 {
		t.Errorf("version %d.%d, %d-bit addresses", m.VersionMajor, m.VersionMinor, m.AddressBits)
	}
	// runWords passes 8 bytes; this kernel takes 4.
	k, err := Compile(m, "test", nil)
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

// The .file of a .loc may come before it or, as in what LLVM writes, at the end.
func TestSourcePositions(t *testing.T) {
	const file = ".file 1 \"a.cu\"\n"
	body := `.visible .entry test() {
	.reg .b32 %r<4>;
	.loc 1 7 3
	mov.u32 %r1, %tid.x;
	add.u32 %r1, %r1, 1;
	ret;
}
`
	for src, want := range map[string]string{
		divergeHead + file + body: "{9 2 a.cu 7} add.u32 %r1, %r1, 1; 9 2",
		divergeHead + body + file: "{8 2 a.cu 7} add.u32 %r1, %r1, 1; 8 2",
	} {
		m, err := Parse("lines.ptx", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		k, err := Compile(m, "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%v %s %d %d", k.Source[1], k.Text(1), k.Code[1].Line, k.Code[1].Column); got != want {
			t.Error(got)
		}
	}
}

// checkPlaces wants a report that is not too long, in order, and whose places lie
// inside the text.
func checkPlaces(t *testing.T, src string, err error) {
	t.Helper()
	var list Errors
	if !errors.As(err, &list) || len(list) == 0 || len(list) > maxErrors+1 {
		t.Fatalf("error %T %v", err, err)
	}
	lines := strings.Split(src, "\n")
	for i, e := range list {
		if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > len(lines[e.Line-1])+1 {
			t.Fatalf("%v: the text has no such place", e)
		}
		if e.Message == "" || i > 0 && e.Line < list[i-1].Line {
			t.Fatalf("%v follows %v", e, list[i-1])
		}
	}
}

// FuzzParse takes any text through all passes: they neither panic nor hang, a
// report names places of the text, and what compiles runs.
func FuzzParse(f *testing.F) {
	f.Add(withOutput("mov.u32 %r0, 1;"))
	f.Add(randomFlow(newRand(1)))
	f.Add(randomFlow(newRand(2)))
	f.Add(".version 1.4\n.target sm_13\n.const .b8 x[4] = {1,2,0xFF(x),generic(x)+4};\n.entry a { exit; }")
	f.Add(matrixSeed)
	for _, name := range []string{"compiled_O0.ptx", "compiled_O3.ptx"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		text := string(b)
		for i := 0; i+4000 < len(text); i += 9000 { // pieces mutate better than the whole
			f.Add(divergeHead + text[i:i+4000])
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		m, err := Parse("fuzz.ptx", []byte(src))
		if err != nil {
			checkPlaces(t, src, err)
			return
		}
		for _, v := range m.Globals() {
			m.InitialData(v, func(string) uint64 { return 1 << 32 })
		}
		for _, name := range m.Entries() {
			k, err := Compile(m, name, func(string) uint64 { return 1 << 32 })
			if err != nil {
				if errors.As(err, new(Errors)) {
					checkPlaces(t, src, err)
				}
				continue
			}
			if k.StaticSharedBytes > 1<<16 || k.LocalBytes > 1<<12 || k.RegisterSlots > 1<<12 {
				continue
			}
			l := &Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{33, 1, 1}, Params: make([]byte, k.ParamBytes)}
			if l.Validate() != nil {
				continue
			}
			fuzzRun(t, l)
		}
	})
}
