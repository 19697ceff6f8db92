package run

import (
	"bytes"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestHostilePrograms hands exec and ptx check programs and launches that cannot
// run: each ends with status 1, or 2 for the command line, and one clear message.
func TestHostilePrograms(t *testing.T) {
	const head = ".version 8.0\n.target sm_80\n.address_size 64\n"
	const recursion = head + `.func (.param .b32 r) deep(.param .b32 n) {
	.reg .b32 %r<3>; ld.param.b32 %r1, [n]; add.u32 %r1, %r1, 1;
	{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), deep, (a); ld.param.b32 %r2, [b]; }
	st.param.b32 [r], %r2; ret; }
.visible .entry k() { .reg .b32 %r; { .param .b32 a; .param .b32 b; st.param.b32 [a], 0; call (b), deep, (a); ld.param.b32 %r, [b]; } ret; }
`
	kernel := clitest.WriteTemp(t, "k.ptx", []byte(clitest.IncrementPTX))
	data := clitest.WriteTemp(t, "data.bin", make([]byte, 1024))
	file := func(name, text string) string { return clitest.WriteTemp(t, name+".ptx", []byte(text)) }
	entry := func(body string) string { return head + ".visible .entry k() {\n" + body + "\nret; }\n" }
	launch := func(rest string) string {
		return "exec " + kernel + " --entry increment --arg in:" + data + " u32:1 " + rest
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{launch("--grid 1,70000"), 1, "65535"},
		{launch("--grid 1,1,70000"), 1, "65535"},
		{launch("--grid 4294967296"), 2, "is not a number from 1"},
		{launch("--grid -1"), 2, "is not a number from 1"},
		{launch("--block 0"), 2, "is not a number from 1"},
		{launch("--block 1025"), 1, "1024"},
		{launch("--block 2,2,65"), 1, "64 in z"},
		{launch("--block 65536,65536"), 1, "1024"},
		{launch("--shared 99999999999"), 1, "shared"},
		{launch("--shared -4"), 1, "shared"},
		{"exec " + kernel + " --entry increment --arg in:" + data + " u32:1 u32:2", 1, "3 arguments for 2 parameters"},
		{"exec " + kernel + " --entry increment", 1, "0 arguments for 2 parameters"},
		{"exec " + kernel + " --entry increment --arg u32:1 u32:1", 1, "parameter"},
		{"exec " + kernel + " --entry increment --arg out:" + data + ".out:99999999999999 u32:1", 2, "number of bytes"},
		{"exec " + file("noise", string(bytes.Repeat([]byte{0, 1, 2, 250}, 100000))) + " --entry k", 1, "noise.ptx:1:"},
		{"exec " + file("big", head+strings.Repeat("x ", 9<<20)) + " --entry k", 1, "big.ptx"},
		{"exec " + file("braces", entry(strings.Repeat("{", 100000))) + " --entry k", 1, "nested too deeply"},
		{"exec " + file("parentheses", entry(".reg .b32 %r; mov.b32 %r, "+strings.Repeat("(", 100000))) + " --entry k", 1, "nested too deeply"},
		{"exec " + file("twice", entry("")+".visible .entry k() { ret; }") + " --entry k", 1, "k is defined twice"},
		{"exec " + file("unresolved", entry("bra NOWHERE;")) + " --entry k", 1, "NOWHERE is not declared"},
		{"exec " + file("types", entry(".reg .f32 %f; .reg .u32 %u; add.f32 %f, %f, %u;")) + " --entry k", 1, "types.ptx:5:45: %u is a .u32 register"},
		{"exec " + file("array", head+".global .b8 x[1<<60];\n"+entry("")) + " --entry k", 1, "larger than"},
		{"exec " + file("array2", head+".global .b8 x[1<<35];\n.visible .entry k() { ret; }\n") + " --entry k", 1, "x"},
		{"exec " + file("shared", entry(".shared .b8 x[1<<30]; st.shared.b8 [x], 1;")) + " --entry k", 1, "bytes of shared"},
		{"exec " + file("local", entry(".local .b8 x[1<<30]; st.local.b8 [x], 1;")) + " --entry k", 1, "of local memory"},
		{"exec " + file("deep", recursion) + " --entry k --functional", 1, "deep"},
		{"exec " + file("loop", entry("L: bra L;")) + " --entry k --functional", 1, "the loop here does not end"},
		{"exec " + file("texture", entry("suld.b.1d.b32.trap {a}, [t, {x}];")) + " --entry k", 1, "texture.ptx:5:1: unsupported instruction suld.b.1d.b32.trap"},
		{"ptx check " + file("nested", head+".extern .func cudaLaunchDevice();\n"+".entry k() { call cudaLaunchDevice; ret; }\n"), 1, "call of external function cudaLaunchDevice"},
	} {
		status, out, errs := call(strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(errs+out, c.want) {
			t.Errorf("%.200s: status %d, want %d\n%.500s%.500swant %s", c.args, status, c.status, out, errs, c.want)
		}
		if strings.Contains(errs, "internal error") || len(errs) > 1<<16 {
			t.Errorf("%.200s: %.500s", c.args, errs)
		}
	}
}
