package compile_test

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/compile"
)

// siblings are forms beside those that users have reported: other instructions, spaces, types and spellings of the same
// kinds. Without a fault they compile.
var siblings = []struct{ name, target, outside, body, fault string }{
	{"index into shared memory", "sm_80", ".shared .align 4 .u32 s[4];",
		"st.shared.u32 s[1], 5; ld.shared.u32 %r1, s[1];", ""},
	{"index into constants", "sm_80", ".const .u16 c[4] = {1, 2, 3, 4};", "ld.const.u16 %h1, c[2];", ""},
	{"vector at an index", "sm_80", ".global .align 16 .u32 t[4];", "ld.global.v2.u32 {%r1, %r2}, t[2];", ""},
	{"atomic at an index", "sm_80", ".global .u32 t[4];",
		"atom.global.add.u32 %r1, t[3], 1; red.global.add.u32 t[0x1], 1;", ""},
	{"local at an index", "sm_80", "", ".local .u32 l[4]; st.local.u32 l[3], 9;", ""},
	{"name %1 of a range", "sm_80", "", ".reg .b32 %1<3>; mov.u32 %12, 3;", ""},
	{"name with $", "sm_80", "", ".reg .b32 $a, _a, %_, %a$b; mov.u32 $a, 1; mov.u32 %a$b, _a;", ""},
	{"register twice in a range", "sm_80", "", ".reg .b32 %r3;", "%r3 is already declared at line"},
	{"predicate twice", "sm_80", "", ".reg .pred %p1;", "%p1 is already declared"},
	{"label twice", "sm_80", "", "A: mov.u32 %r1, 1; A: mov.u32 %r1, 2;", "A is already declared"},
	{"variable twice", "sm_80", ".global .u32 a; .global .u32 a;", "", "a is already declared"},
	{"integer for f64", "sm_80", "", "fma.rn.f64 %d1, %d2, 3, %d1;", "f64"},
	{"integer stored as f32", "sm_80", "", "st.global.f32 [%a], 1;", "f32"},
	{"integer compared as f32", "sm_80", "", "setp.gt.f32 %p1, %f1, 0;", "f32"},
	{"constant of 33 bits", "sm_80", "", "mov.u32 %r1, 4294967296;", "4294967296"},
	{"constant below s32", "sm_80", "", "add.s32 %r1, %r2, -2147483649;", "2147483649"},
	{"constant beyond u16 in a comparison", "sm_80", "", "setp.eq.u16 %p1, %h1, 65536;", "65536"},
	{"barrier.cluster before sm_90", "sm_80", "", "barrier.cluster.arrive;", "sm_90"},
	{"tanh before sm_75", "sm_70", "", "tanh.approx.f32 %f1, %f2;", "sm_75"},
	{"redux before sm_80", "sm_75", "", "redux.sync.add.u32 %r1, %r2, 0xffffffff;", "sm_80"},
	{"match before sm_70", "sm_60", "", "match.any.sync.b32 %r1, %r2, 0xffffffff;", "sm_70"},
	{"shfl.up without sync", "sm_80", "", "shfl.up.b32 %r1, %r2, 1, 0;", "sync"},
	{"vote without sync", "sm_70", "", "vote.all.pred %p1, %p2;", "sync"},
	{"register that is not ASCII", "sm_80", "", ".reg .b32 %é;", "names are ASCII"},
	{"label that is not ASCII", "sm_80", "", "Größe: mov.u32 %r1, 1;", "names are ASCII"},
	{"comment that is not ASCII", "sm_80", "", "// Größe\n mov.u32 %r1, 1;", ""},
	{"ideographic space", "sm_80", "", "mov.u32\u3000%r1, 1;", "U+3000"},
	{"soft hyphen", "sm_80", "", "mov.\u00adu32 %r1, 1;", "U+00AD"},
	{"right-to-left mark", "sm_80", "", "mov.u32 %r1, 1;\u200f", "U+200F"},
	{"NUL in the text", "sm_80", "", "mov.u32 %r1, 1;\x00", "U+0000"},
	{"form feed", "sm_80", "", "mov.u32 %r1, 1;\f", ""},
	{"copy that ignores its source", "sm_80", ".shared .align 16 .b8 t[64];",
		"cp.async.cg.shared.global.L2::256B [t], [%a], 16, %p1;", ""},
	{"policy of an access property", "sm_80", "", "createpolicy.cvt.L2.b64 %a, 0x14F0000000000000;", ""},
	{"SIMD video of halves", "sm_80", "",
		"vmin2.s32.s32.s32 %r1, %r2, %r3, 0; vset4.u32.s32.lt.add %r1, %r2, %r3, %r4;", ""},
	{"scalar video with halves and a second operation", "sm_80", "",
		"vmax.s32.u32.s32.sat.min %r1, %r2.h1, %r3.b3, %r4;", ""},
	{"bf16 of two registers", "sm_80", "", "cvt.rn.relu.bf16x2.f32 %r1, %f1, %f2;", ""},
	{"map that is fetched", "sm_90", "", "prefetch.tensormap [%a];", ""},
	{"random rounding of four", "sm_100a", "",
		"cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2;", "random rounding"},
	{"scales from halves", "sm_100a", "", "cvt.rn.bf16x2.ue8m0x2 %r1, %h1;", "scales of blocks"},
	{"blocks of half the width", "sm_120a", "",
		"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 " +
			"{%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}, %r7, {0,1}, %r7, {0,1};",
		"scales of blocks"},
	{"sum over several GPUs", "sm_90", "",
		"multimem.ld_reduce.relaxed.sys.global.add.f32 %f1, [%a];", "memory of several GPUs"},
	{"swap of 128 bits", "sm_90", "",
		".reg .b128 %q; atom.global.exch.b128 %q, [%a], %q;", "atomics of 128 bits"},
}

// siblingText is a module with one of them.
func siblingText(target, outside, body string) string {
	return ".version 9.0\n.target " + target + "\n.address_size 64\n" + outside +
		"\n.visible .entry k(.param .u64 o)\n{\n" +
		".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .f64 %d<8>; .reg .b64 %a;\n" + body +
		"\nret;\n}\n"
}

func TestSiblingsOfReports(t *testing.T) {
	for _, c := range siblings {
		said := ""
		m, err := compile.Load("k.ptx", []byte(siblingText(c.target, c.outside, c.body)))
		if err == nil {
			_, err = compile.Kernel(m, "k", func(string) uint64 { return 0x1000 })
		}
		if err != nil {
			said = err.Error()
		}
		if c.fault == "" && said != "" || !strings.Contains(said, c.fault) {
			t.Errorf("%s: %q, want %q", c.name, said, c.fault)
		}
	}
}

// TestTextThatEndsWithNUL: a C string as drivers hold it, with its end.
func TestTextThatEndsWithNUL(t *testing.T) {
	for _, end := range []string{"\x00", "\x00\x00\n", "\n\x00 "} {
		m, err := compile.Load("k.ptx", []byte(siblingText("sm_80", "", "")+end))
		if err != nil || len(m.Entries()) != 1 {
			t.Errorf("a text that ends with %q: %v", end, err)
		}
	}
}
