package syntax

import (
	"fmt"
	"strings"
	"testing"
)

const moduleHead = ".version 7.0\n.target sm_70\n.address_size 64\n"

// describe writes what a function consists of, with line numbers relative to the
// function's.
func describe(fn *Function) string {
	var b strings.Builder
	var operand func(o *Operand)
	operand = func(o *Operand) {
		fmt.Fprintf(&b, " %d:%d:%q", o.Kind, o.At.Column, o.Name)
		if o.Element() != "" || o.Index() != 0 || o.Value != 0 {
			fmt.Fprintf(&b, ".%s[%d]+%d", o.Element(), o.Index(), int64(o.Value))
		}
		if by := o.By(); by != nil {
			b.WriteString(" by")
			operand(by)
		}
		if o.Negate || o.Minus {
			fmt.Fprintf(&b, " negated")
		}
		for i := range o.List() {
			b.WriteString(" (")
			operand(&o.List()[i])
			b.WriteString(")")
		}
		if o.Pair() != nil {
			b.WriteString(" |")
			operand(o.Pair())
		}
	}
	for _, st := range fn.Code {
		fmt.Fprintf(&b, "%d:%d", st.At.Line-fn.At.Line, st.At.Column)
		if st.Guard != nil {
			operand(st.Guard)
		}
		b.WriteString(" " + st.Opcode)
		for _, m := range st.Mods {
			b.WriteString("." + m.Text)
		}
		for i := range st.Operands {
			operand(&st.Operands[i])
		}
		b.WriteString("\n")
	}
	return b.String()
}

const everyForm = `.entry k(.param .u64 p) {
.reg .b32 %r<9>; .reg .pred %p<3>; .reg .v4 .f32 v; .shared .b32 a[8];
@!%p1 add.sat.s32 %r1, %r2, -5;
L1: setp.eq.s32 %p1|%p2, %r1, (1 << 4) + 2;
ld.param.u64 %rd, [p+8];
mov.b64 {%r1, _}, %rd;
mov.u32 %r1, %tid.x; mov.f32 v.x, 0f3f800000;
mov.u32 %r1, a[3]; mov.u32 %r1, a+4;
call (%r1), f, (%r2, 3);
ld.const[0].b32 %r1, [4]; and.pred %p1, !%p2, %p1; sub.s32 %r1, -%r2, %r3;
}
`

func TestStatements(t *testing.T) {
	rep := &Reporter{File: "x"}
	m := Parse(rep, "x", []byte(moduleHead+everyForm))
	if len(rep.List) > 0 {
		t.Fatal(rep.List)
	}
	want := `2:7 0:3:"%p1" negated add.sat.s32 0:19:"%r1" 0:24:"%r2" 1:29:"".[0]+-5
3:5 setp.eq.s32 0:17:"%p1" | 0:21:"%p2" 0:26:"%r1" 1:31:"".[0]+18
4:1 ld.param.u64 0:14:"%rd" 3:19:"p".[0]+8
5:1 mov.b64 4:9:"" ( 0:10:"%r1") ( 6:15:"_") 0:19:"%rd"
6:1 mov.u32 0:9:"%r1" 0:14:"%tid".x[0]+0
6:22 mov.f32 0:30:"v".x[0]+0 2:35:"".[0]+1065353216
7:1 mov.u32 0:9:"%r1" 0:14:"a".[3]+0
7:20 mov.u32 0:28:"%r1" 0:33:"a".[0]+4
8:1 call 5:6:"" ( 0:7:"%r1") 0:13:"f" 5:16:"" ( 0:17:"%r2") ( 1:22:"".[0]+3)
9:1 ld.const.b32 0:17:"%r1" 3:22:"".[0]+4
9:27 and.pred 0:36:"%p1" 0:41:"%p2" negated 0:47:"%p1"
9:52 sub.s32 0:60:"%r1" 0:65:"%r2" negated 0:71:"%r3"
`
	if got := describe(m.Functions[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, name := range []string{"%r0", "%r8", "L1", "v", "a", "p"} {
		if m.Functions[0].Scope.Lookup(name) == nil {
			t.Errorf("%s is not found", name)
		}
	}
	for _, name := range []string{"%r9", "%r", "%r01", "f"} {
		if m.Functions[0].Scope.Lookup(name) != nil {
			t.Errorf("%s is found", name)
		}
	}
}

// The tokens come in chunks: wherever a chunk ends inside of the function, the tree
// is the same.
func TestChunks(t *testing.T) {
	parse := func(padding int) string {
		rep := &Reporter{File: "x"}
		m := Parse(rep, "x", []byte(moduleHead+".section .debug_info {"+strings.Repeat(" 1", padding)+"}\n"+everyForm))
		if len(rep.List) > 0 {
			t.Fatalf("%d tokens before: %v", padding, rep.List)
		}
		return describe(m.Functions[0])
	}
	want := parse(0)
	for padding := range 2*chunkTokens + 50 {
		if got := parse(padding); got != want {
			t.Fatalf("%d tokens before: got\n%s\nwant\n%s", padding, got, want)
		}
	}
}

func TestErrorsOfSyntax(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "x:1:1: no .version directive"},
		{moduleHead + ".entry k() { add.u32 %r1, %r2 }", "x:4:30: want ';'"},
		{moduleHead + ".entry k() {", "does not end"},
		{moduleHead + ".global .u32 g; .global .u32 g;", "g is already declared"},
		{moduleHead + ".entry k() { mov.b32 %r, 18446744073709551616; }", "x:4:26: bad number"},
	} {
		rep := &Reporter{File: "x"}
		Parse(rep, "x", []byte(c.src))
		if !rep.Broken || !strings.Contains(rep.List.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.src, rep.List, c.want)
		}
	}
	rep := &Reporter{File: "x"}
	Parse(rep, "x", make([]byte, maxSourceBytes+1))
	if len(rep.List) != 1 || !strings.Contains(rep.List.Error(), "at most 16777216 are accepted") {
		t.Errorf("a text above the limit: %v", rep.List)
	}
}
