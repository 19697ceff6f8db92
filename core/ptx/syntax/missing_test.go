package syntax

import (
	"strings"
	"testing"
)

// A missing mark is reported once, at the end of the statement that lacks it. « stands in the text for the mark that is
// missing, and » where the report points if that is another place.
func TestMissingMarksAreNamedAtTheirPlace(t *testing.T) {
	body := func(lines string) string { return ".entry k(.param .u64 p)\n{\n\t" + lines + "\n\tret;\n}\n" }
	for _, c := range []struct{ name, src, want string }{
		{"semicolon of an instruction", body("add.u32 %r1, %r2, %r3«\n\tadd.u32 %r1, %r2, %r3;"), "want ';'"},
		{"semicolon before a comment", body("add.u32 %r1, %r2, %r3« // a sum\n\n\t@%p1 bra L;"), "want ';'"},
		{"semicolon before a label", body("add.u32 %r1, %r2, 5«\nL:\n\tadd.u32 %r1, %r2, %r3;"), "want ';'"},
		{"semicolon before a directive", body("add.u32 %r1, %r2, 5«\n\t.loc 1 2 3\n"), "want ';'"},
		{"semicolon of an address", body("st.global.u32 [%rd1], %r1«\n\tmov.u32 %r1, %tid.x;"), "want ';'"},
		{"semicolon on one line", body("mov.u32 %r1, %r2« mov.u32 %r3, %r4;"), "want ';'"},
		{"semicolon of ret", ".entry k()\n{\n\tret«\n}\n", "want ';'"},
		{"semicolon of the last statement", ".entry k()\n{\n\tbar.sync 0«\n}\n", "want ';'"},
		{"semicolon of ret in the middle", body("@%p1 ret«\n\tadd.u32 %r1, %r2, %r3;"), "want ';'"},
		{"semicolon without operands", body("membar.gl«\n\tadd.u32 %r1, %r2, %r3;"), "want ';'"},
		{"semicolon of .reg", body(".reg .b32 %r<9>«\n\t.reg .pred %p<2>;"), "want ';'"},
		{"semicolon of .shared", body(".shared .b32 a[4]«\n\tadd.u32 %r1, %r2, %r3;"), "want ';'"},
		{"semicolon of .global", ".global .u32 g = 3«\n.entry k() { ret; }", "want ';'"},
		{"semicolon of branch targets", body("L: .branchtargets L, M«\n\tadd.u32 %r1, %r2, %r3;"), "want ';'"},
		{"semicolon of .param", body(".param .b32 a«\n\t.param .b32 b;"), "want ';'"},
		{"colon of a label", body("$L_1«\n\tadd.u32 %r1, %r2, %r3;"), "want ':'"},
		{"comma of an instruction", body("add.u32 %r1« %r2, %r3;"), "want ','"},
		{"comma before a line", body("add.u32 %r1,\n\t\t%r2«\n\t\t%r3;"), "want ','"},
		{"comma before a list", body("mov.b64 %rd1« {%r1, %r2};"), "want ','"},
		{"comma before a number", body("add.u32 %r1, %r2« 5;"), "want ','"},
		{"comma of a list", body("mov.b64 {%r1« %r2}, %rd1;"), "want ','"},
		{"comma of arguments", body("call (r), f, (\n\t a«\n\t b\n\t);"), "want ','"},
		{"comma of parameters", ".entry k(\n\t.param .u64 p«\n\t.param .u64 q\n)\n{ ret; }", "want ','"},
		{"comma of registers", body(".reg .b32 a« b;"), "want ','"},
		{"comma of initial values", ".global .u32 g[2] = {1« 2};\n", "want ','"},
		{"closing bracket of an address", body("ld.global.u32 %r1, [%rd1«;\n\tret;"), "want ']'"},
		{"closing bracket behind an offset", body("ld.global.u32 %r1, [%rd1+4«\n\t;"), "want ']'"},
		{"closing bracket of an array", body(".shared .b32 a[8«;"), "want ']'"},
		{"closing bracket of coordinates", body("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}«;"), "want ']'"},
		{"opening bracket of an address", body("ld.global.u32 %r1, «%rd1];"), "want '['"},
		{"opening bracket of an array", body(".shared .b32 a« 8];"), "want '['"},
		{"closing angle", body(".reg .b32 %r<9«;"), "want '>'"},
		{"opening angle", body(".reg .b32 %r« 9>;"), "want '<'"},
		{"closing parenthesis of arguments", body("call (r), f, (a, b«;"), "want ')'"},
		{"closing parenthesis of parameters", ".entry k(.param .u64 p«\n{ ret; }", "want ')'"},
		{"closing parenthesis of a constant", body("mov.u32 %r1, (1 + 2«;"), "want ')'"},
		{"opening parenthesis of arguments", body("call (r), f, «a);"), "want '('"},
		{"opening parenthesis of parameters", ".entry k« .param .u64 p) { ret; }", "want '('"},
		{"closing brace of a list", body("mov.b64 {%r1, %r2«;"), "want '}'"},
		{"opening brace of a list", body("mov.b64 «%r1}, %rd1;"), "want '{'"},
		{"closing brace of initial values", ".global .u32 g[2] = {1, 2«;\n", "want '}'"},
		{"closing brace of the last function", ".entry k()\n{\n\tret;«\n\n", "function k does not end"},
		{"closing brace of a function", ".entry k()\n{\n\tret;«\n\n.visible .entry l() { ret; }", "function k does not end"},
		{"closing brace of a block", ".entry k()\n{\n\t{\n\tret;\n}«\n.func l() { ret; }", "function k does not end"},
		{"opening brace of a function", ".entry k()«\n\t.reg .b32 %r<2>;\n\tret;\n}\n.entry l() { ret; }", "want '{'"},
		{"closing quote", body(".file 1 »\"a.cu«\n\tadd.u32 %r1, %r2, %r3;"), "a '\"' is missing"},
		{"closing quote before a semicolon", body(".pragma »\"nounroll«;\n\tadd.u32 %r1, %r2, %r3;"), "a '\"' is missing"},
	} {
		text := moduleHead + c.src
		mark := "«"
		if strings.Contains(text, "»") {
			mark, text = "»", strings.Replace(text, "«", "", 1)
		}
		before, after, _ := strings.Cut(text, mark)
		line := strings.Count(before, "\n") + 1
		column := len(before) - strings.LastIndexByte(before, '\n')
		rep := &Reporter{File: "x"}
		Parse(rep, "x", []byte(before+after))
		if len(rep.List) != 1 {
			t.Errorf("%s: %d faults, want one: %v", c.name, len(rep.List), rep.List)
			continue
		}
		e := rep.List[0]
		if e.Line != line || e.Column != column || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s: %v, want %s at %d:%d", c.name, e, c.want, line, column)
		}
	}
}
