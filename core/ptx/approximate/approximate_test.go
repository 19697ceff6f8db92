package approximate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// kernelText is a kernel whose parameters a, b and out are pointers in %a, %b and %out, and n is in %r19.
const kernelText = `.version 7.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 out, .param .u32 n)
{
.reg .pred %p<4>;
.reg .u32 %r<20>;
.reg .f32 %f<20>;
.reg .u64 %a, %b, %out, %rd<20>;
.shared .align 4 .b8 buffer[256];
// The body follows.
ld.param.u64 %a, [a];
ld.param.u64 %b, [b];
ld.param.u64 %out, [out];
ld.param.u32 %r19, [n];
BODY
ret;
}
`

// kernelOf compiles a body.
func kernelOf(t *testing.T, body string) *ptx.Kernel {
	t.Helper()
	return compiled(t, strings.Replace(kernelText, "BODY", body, 1))
}

// firstLoad returns the first load from global memory.
func firstLoad(k *ptx.Kernel) int32 {
	for pc := range k.Code {
		if isLoad(&k.Code[pc]) {
			return int32(pc)
		}
	}
	return -1
}

// TestFourUnsafePatterns are those of RFVP's figure 4 and section 3.2: the first load of
// each kernel is an index, a pointer, a loop bound and a condition of an early exit. Lines
// count from the text of the body, whose first line is 16.
func TestFourUnsafePatterns(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"index (srad: d_c[d_iS[row]])",
			"ld.global.u32 %r1, [%a];\nshl.b32 %r2, %r1, 2;\ncvt.u64.u32 %rd1, %r2;\nadd.u64 %rd2, %b, %rd1;\nld.global.f32 %f1, [%rd2];\nst.global.f32 [%out], %f1;",
			"the value of the load at line 16 reaches an address at line 20, by lines 16, 17, 18, 19, 20"},
		{"pointer (fastwalsh: d_Src)",
			"ld.global.u64 %rd1, [%a];\nld.global.f32 %f1, [%rd1];\nst.global.f32 [%out], %f1;",
			"the value of the load at line 16 reaches an address at line 17, by lines 16, 17"},
		{"loop bound (heartwall: in2_elem)",
			"ld.global.u32 %r1, [%a];\nmov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nst.global.u32 [%out], %r2;",
			"the value of the load at line 16 reaches a loop bound at line 20, by lines 16, 19, 20"},
		{"loop left early (heartwall: ei_new)",
			"mov.u32 %r2, 0;\nL: ld.global.u32 %r1, [%a];\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra E;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, %r19;\n@%p2 bra L;\nE: st.global.u32 [%out], %r2;",
			"the value of the load at line 17 reaches a loop bound at line 19, by lines 17, 18, 19"},
		{"barrier in one arm",
			"ld.global.u32 %r1, [%a];\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra E;\nbar.sync 0;\nE: st.global.u32 [%out], %r19;",
			"the value of the load at line 16 reaches a branch that cannot be if-converted at line 18, by lines 16, 17, 18"},
		{"a thread ends",
			"ld.global.u32 %r1, [%a];\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 exit;\nst.global.u32 [%out], %r19;",
			"the value of the load at line 16 reaches a condition of exit at line 18, by lines 16, 17, 18"},
		{"index through shared memory",
			"ld.global.u32 %r1, [%a];\nst.shared.u32 [buffer], %r1;\nbar.sync 0;\nld.shared.u32 %r2, [buffer+4];\nmul.wide.u32 %rd1, %r2, 4;\nadd.u64 %rd2, %b, %rd1;\nst.global.u32 [%rd2], %r19;",
			"the value of the load at line 16 reaches an address at line 22, by lines 16, 17, 19, 20, 21, 22"},
		{"index chosen by an arm",
			"ld.global.u32 %r1, [%a];\nmov.u32 %r2, 0;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra E;\nmov.u32 %r2, 1;\nE: mul.wide.u32 %rd1, %r2, 4;\nadd.u64 %rd2, %b, %rd1;\nst.global.u32 [%rd2], %r19;",
			"the value of the load at line 16 reaches an address at line 23, by lines 16, 18, 20, 21, 22, 23"},
		{"element of a vector",
			"ld.global.v2.u32 {%r1, %r2}, [%a];\nmul.wide.u32 %rd1, %r2, 4;\nadd.u64 %rd2, %b, %rd1;\nld.global.f32 %f1, [%rd2];\nst.global.f32 [%out], %f1;",
			"the value of the load at line 16 reaches an address at line 19, by lines 16, 17, 18, 19"},
		{"several statements in a line",
			"{ .pragma \"approximate\"; ld.global.u32 %r1, [%a]; mul.wide.u32 %rd1, %r1, 4; }\nadd.u64 %rd2, %b, %rd1;\nst.global.u32 [%rd2], %r19;",
			"the value of the load at line 16 reaches an address at line 18, by lines 16, 16, 17, 18"},
	} {
		k := kernelOf(t, c.body)
		found := Check(k, []int32{firstLoad(k)})
		if len(found) != 1 || found[0].Describe(k) != c.want {
			got := "nothing"
			if len(found) > 0 {
				got = found[0].Describe(k)
			}
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSixSafePatterns: values that only change results, figure 4(d) among them.
func TestSixSafePatterns(t *testing.T) {
	for name, body := range map[string]string{
		"sum":                   "ld.global.f32 %f1, [%a];\nld.global.f32 %f2, [%b];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%out], %f3;",
		"selection":             "ld.global.f32 %f1, [%a];\nsetp.gt.f32 %p1, %f1, 0f3f000000;\nselp.f32 %f2, %f1, 0f00000000, %p1;\nst.global.f32 [%out], %f2;",
		"if without else":       "ld.global.f32 %f1, [%a];\nmov.f32 %f2, %f1;\nsetp.gt.f32 %p1, %f1, 0f3f000000;\n@%p1 bra E;\nadd.f32 %f2, %f1, 0f3f800000;\nE: st.global.f32 [%out], %f2;",
		"if and else (4d)":      "ld.global.f32 %f1, [%a];\nsetp.gt.f32 %p1, %f1, 0f3f000000;\n@%p1 bra B;\nadd.f32 %f2, %f1, 0f3f800000;\nbra.uni E;\nB: mov.f32 %f2, %f1;\nE: st.global.f32 [%out], %f2;",
		"sum in a loop":         "mov.u32 %r2, 0;\nmov.f32 %f2, 0f00000000;\nmov.u64 %rd1, %a;\nL: ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f2, %f1;\nadd.u64 %rd1, %rd1, 4;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r19;\n@%p1 bra L;\nst.global.f32 [%out], %f2;",
		"if in a rotated loop":  "mov.u32 %r2, 0;\nmov.f32 %f2, 0f00000000;\nbra.uni H;\nN: add.u32 %r2, %r2, 1;\nsetp.ge.u32 %p2, %r2, %r19;\n@%p2 bra E;\nH: ld.global.f32 %f1, [%a];\nsetp.leu.f32 %p1, %f1, %f2;\n@%p1 bra N;\nmov.f32 %f2, %f1;\nbra.uni N;\nE: st.global.f32 [%out], %f2;",
		"through shared":        "ld.global.f32 %f1, [%a];\nst.shared.f32 [buffer], %f1;\nbar.sync 0;\nld.shared.f32 %f2, [buffer+4];\nst.global.f32 [%out], %f2;",
		"predicated operation":  "ld.global.f32 %f1, [%a];\nsetp.gt.f32 %p1, %f1, 0f3f000000;\n@%p1 mul.f32 %f1, %f1, %f1;\n@!%p1 st.global.f32 [%out], %f1;",
		"an exact index beside": "ld.global.f32 %f1, [%a];\nld.global.u32 %r1, [%b];\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd2, %out, %rd1;\nst.global.f32 [%rd2], %f1;",
	} {
		k := kernelOf(t, body)
		if found := Check(k, []int32{firstLoad(k)}); len(found) > 0 {
			t.Errorf("%s: %s", name, found[0].Describe(k))
		}
	}
}

// selected returns the lines of the loads that a selection finds in one launch.
func selected(k *ptx.Kernel, text string) (string, error) {
	s, err := Parse(text)
	if err != nil {
		return "", err
	}
	buffers := []mem.Allocation{{Name: "A", Base: 0x10000000, Bytes: 256, Safe: true}, {Name: "B", Base: 0x10000100, Bytes: 256}, {Name: "OUT", Base: 0x10000200, Bytes: 256}}
	params := make([]byte, k.ParamBytes)
	for i := range buffers {
		for b := range 8 {
			params[8*i+b] = byte(buffers[i].Base >> (8 * b))
		}
	}
	list, err := s.Loads(&Program{Launches: []*ptx.Launch{{Kernel: k, Params: params}}, Buffers: buffers})
	if err != nil {
		return "", err
	}
	var lines []string
	for _, pc := range list[0] {
		lines = append(lines, fmt.Sprint(k.Code[pc].Line))
	}
	return strings.Join(lines, " "), nil
}

const threeLoads = "ld.global.f32 %f1, [%a];\nadd.u64 %rd1, %b, 64;\n.pragma \"approximate\";\nld.global.f32 %f2, [%rd1];\nld.global.cv.f32 %f3, [%a+8];\nld.global.u8 %r1, [%out];\nst.global.f32 [%out], %f1;\nst.global.f32 [%out], %f2;"

func TestSelections(t *testing.T) {
	k := kernelOf(t, threeLoads)
	for _, c := range []struct{ text, want string }{
		{"", "19"}, // the marked one
		{"marked", "19"},
		{"safe", "16"},
		{"k:16,19", "16 19"},
		{"k:B", "19"},
		{"*:A,B", "16 19"},
		{"*:OUT;k:16;marked", "16 19 21"},
	} {
		if got, err := selected(k, c.text); err != nil || got != c.want {
			t.Errorf("%q selects lines %s, %v, want %s", c.text, got, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"k", `"k" selects no loads`},
		{"k:", `"k:" selects no loads`},
		{"x:16", `no launch runs a kernel "x": the program runs k`},
		{"k:17", "kernel k: line 17 does not load from global memory"},
		{"k:20", "kernel k: the load at line 20 does not use L1, so nothing predicts it"},
		{"k:99", "line 99 of the PTX has no instruction of kernel k: its loads are at lines 16, 19, 20, 21"},
		{"k:C", `the program has no buffer "C": it has A, B, OUT`},
	} {
		if _, err := selected(k, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	inlined := kernelOf(t, "// begin inline asm\n{\n\t.pragma \"approximate\";\n\tld.global.f32 %f1, [%a];\n\t}\n// end inline asm\nst.global.f32 [%out], %f1;")
	if got, err := selected(inlined, "marked"); err != nil || got != "19" {
		t.Errorf("a load marked in the inline assembly of clang: lines %s, %v", got, err)
	}
	exact := kernelOf(t, "st.global.u32 [%out], %r19;")
	for text, want := range map[string]string{
		"marked": `no kernel of the program marks a load with .pragma "approximate"`,
		"k:A":    "kernel k loads nothing from A",
		"":       "kernel * loads nothing from A",
	} {
		if _, err := selected(exact, text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	wide := kernelOf(t, "{\n.reg .b128 %q1;\nld.global.b128 %q1, [%a];\n}\nst.global.u32 [%out], %r19;")
	at := slices.IndexFunc(wide.Code, func(in ptx.Instr) bool { return in.Line == 18 })
	if got, err := selected(wide, "k:18"); err != nil || got != "18" || wide.Code[at].Mem.Bytes != 8 {
		t.Errorf("a load of 16 bytes is one of two elements that a row can hold: lines %s, %v", got, err)
	}
	misplaced := kernelOf(t, ".pragma \"approximate\";\nst.global.u32 [%out], %r19;")
	if _, err := selected(misplaced, ""); err == nil || err.Error() != `kernel k: .pragma "approximate" stands in front of line 17, which loads nothing from global memory` {
		t.Errorf("a pragma in front of a store: %v", err)
	}
}

// TestFloatLoads: the type of the load says whether strides are learnt.
func TestFloatLoads(t *testing.T) {
	for body, want := range map[string]bool{
		"ld.global.f32 %f1, [%a];":                     true,
		"ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%a];": true,
		"ld.global.u32 %r1, [%a];":                     false,
		"@%p1 ld.global.f32 %f1, [%a];":                true,
	} {
		k := kernelOf(t, body)
		if l := (Load{Kernel: k, PC: firstLoad(k)}); l.Float() != want {
			t.Errorf("%s: %v", body, l.Float())
		}
	}
}
