package compile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/syntax"
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
	tcgen05.wait::ld.sync.aligned;
	  cp.async.ca.shared.local [%r1], [%r2], 4;
	add.rn.u32 %r1, %r2, %r3;
	mul.lo.u32 %r1, %r2, %undeclared;
	ret;
}
.global .surfref t;
.func other() { .reg .b32 %r<2>; tex.3d.v4.f32.f32 {%r0, %r0, %r0, %r0}, [t, {%r0, %r1}]; ret; }
`
	_, err := Load("file.ptx", []byte(src))
	var list syntax.Errors
	if !errors.As(err, &list) {
		t.Fatalf("error is %T: %v", err, err)
	}
	want := []string{
		"file.ptx:7:2: unsupported instruction div.f16",
		"file.ptx:9:2: unsupported instruction tcgen05.wait::ld.sync.aligned (matrices of several warps)",
		"file.ptx:10:4: unsupported instruction cp.async.ca.shared.local",
		"file.ptx:11:5: unsupported modifier .rn in add.rn.u32",
		"file.ptx:12:23: %undeclared is not declared",
		"file.ptx:15:9: unsupported type .surfref",
		"file.ptx:16:34: unsupported instruction tex.3d.v4.f32.f32 (three dimensions)",
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
		{in("bra " + strings.Repeat("NOWHERE_", 40) + ";"), "x:5:5: " + strings.Repeat("NOWHERE_", 5) + "... is not declared"},
		{in(".reg .b32 %r; .reg .b32 %r;"), "%r is already declared at line 5"},
		{in("ret"), "want ';'"},
		{head + ".entry k() {", "does not end"},
		{in("{ ret;"), "does not end"},
		{in(".reg .b32 %r; ld.shared.v4.b64 {%r,%r,%r,%r}, [%r];"), "unsupported instruction ld.shared.v4.b64"},
		{in(".reg .b32 %r; st.const.b32 [%r], %r;"), "cannot be written"},
		{in(".shared .b32 s; .reg .b32 %r; ld.global.b32 %r, [s];"), "another state space"},
		{in("call puts;") + ".extern .func puts();", "unsupported: call of external function puts"},
		{head + ".global .samplerref t;", "unsupported type .samplerref"},
		{head + ".entry k(.reg .u32 x) { ret; }", ""},
		{in("bar.sync 16;"), "barrier 16 does not exist"},
		{in("bar.sync -1;"), "x:5:10: barrier -1 does not exist: a CTA has barriers 0 to 15"},
		{in("bar.sync 0, 4294967296;"), "x:5:13: 4294967296 does not fit into the 32 bits that bar.sync takes here"},
		{in("bar.sync 0, 4294967328;"), "4294967328 does not fit into the 32 bits"},
		{in("bar.sync 0, -32;"), "cannot wait for -32 threads"},
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
		{head + ".global .u32 x[2][2] = {{1,2,3},{4}};", "x: this row has 8 bytes but its initial value has 12"},
		{head + ".global .b8 x[4294967296][4294967296];", "larger than"},
	} {
		m, err := Load("x", []byte(c.src))
		if err == nil && c.want == "" {
			if _, err = Kernel(m, "k", nil); err == nil {
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
		moduleHead + file + body: "{9 2 a.cu 7} add.u32 %r1, %r1, 1; 9 2",
		moduleHead + body + file: "{8 2 a.cu 7} add.u32 %r1, %r1, 1; 8 2",
	} {
		m, err := Load("lines.ptx", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		k, err := Kernel(m, "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%v %s %d %d", k.Source[1], k.Text[1], k.Code[1].Line, k.Code[1].Column); got != want {
			t.Error(got)
		}
	}
}

// checkPlaces wants a report that is not too long, in order, and whose places lie
// inside the text.
func checkPlaces(t *testing.T, src string, err error) {
	t.Helper()
	var list syntax.Errors
	if !errors.As(err, &list) || len(list) == 0 || len(list) > 200+1 {
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
