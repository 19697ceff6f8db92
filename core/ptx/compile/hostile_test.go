package compile

import (
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// Some of the long texts have 3 MB, the others a tenth of that. What takes more than linear time or memory shows.
const hostileBytes = 3 << 20

func fill(piece string) string { return strings.Repeat(piece, hostileBytes/10/len(piece)) }

func fill10(piece string) string { return strings.Repeat(piece, hostileBytes/len(piece)) }

// TestLongTexts reads texts of 1 to 10 MB, good and bad: all of them end soon, with
// a report that is short, and take a bounded multiple of their size in memory.
func TestLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts")
	}
	const head = ".version 8.0\n.target sm_80\n.address_size 64\n"
	in := func(body string) string {
		return head + ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>; .reg .pred %p;\n" + body + "\nret; }\n"
	}
	noise := make([]byte, hostileBytes)
	rand.New(rand.NewSource(3)).Read(noise)
	var names strings.Builder
	for i := 0; names.Len() < hostileBytes/10; i++ {
		fmt.Fprintf(&names, "L%d: @%%p bra L%d;\n", i, i/2)
	}
	var globals strings.Builder
	for i := 0; globals.Len() < hostileBytes; i++ {
		fmt.Fprintf(&globals, ".global .u64 g%d = %d;\n", i, i)
	}
	var functions strings.Builder
	for i := 0; functions.Len() < hostileBytes/10; i++ {
		fmt.Fprintf(&functions, ".func f%d(.reg .u32 a) { add.u32 a, a, %d; ret; }\n", i, i)
	}
	for _, c := range []struct{ name, src, want string }{
		{"instructions", in(fill10("add.u32 %r1, %r2, %r3;\n")), ""},
		{"one line", in(fill("add.u32 %r1,%r2,3;")), ""},
		{"branches", in(names.String()), ""},
		{"globals", head + globals.String(), ""},
		{"functions", head + functions.String(), ""},
		{"an array", head + ".global .u32 a[] = {" + fill10("1,") + "2};", ""},
		{"a string", head + ".global .b8 a[] = \"" + fill("x") + "\";", ""},
		{"comments", in(fill("// nothing\n/* or\nless */")), ""},
		{"debug data", head + ".section .debug_info {" + fill(".b8 1,2,3\n") + "}\n" + in(""), ""},
		{"noise", string(noise), "unexpected character"},
		{"noise after a head", head + string(noise), "x:4:"},
		{"words", fill("hello "), "want a directive"},
		{"open parentheses", in("mov.u32 %r1, " + fill10("(")), "nested too deeply"},
		{"open braces", in(fill("{")), "nested too deeply"},
		{"open brackets", in("ld.u32 %r1, " + fill("[")), "want"},
		{"operators", in("mov.u32 %r1, " + fill("- ") + "1;"), "nested too deeply"},
		{"a sum", in("mov.u32 %r1, 1" + fill("+1") + ";"), ""},
		{"choices", in("mov.u32 %r1, " + fill("1?") + ";"), "nested too deeply"},
		{"a list", in("mov.b32 %r1, {" + fill("%r1,") + "%r1};"), "too many operands"},
		{"operands", in("add.u32 " + fill("%r1,") + "%r1;"), "too many operands"},
		{"modifiers", in("add" + fill(".u32") + " %r1, %r2, %r3;"), "unsupported modifier"},
		{"parameters", head + ".entry k(" + fill(".param .u32 a,") + ".param .u32 b) { ret; }", "is already declared"},
		{"one name", head + fill10(".global .u32 g;"), "is already declared"},
		{"a long name", in(fill10("a") + ";"), "unsupported instruction"},
		{"a long number", in("mov.u32 %r1, 1" + fill("0") + ";"), "bad number"},
		{"unknown names", in(fill10("add.u32 %r1, %nothing, 3;\n")), "too many errors"},
		{"wrong types", in(fill("add.f64 %r1, %r2, %p;\n")), "too many errors"},
		{"a string without an end", in("mov.u32 \"" + fill("x")), "string does not end"},
		{"a comment without an end", in("/*" + fill("x")), "comment does not end"},
	} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		m, err := Load("x", []byte(c.src))
		if err == nil && len(m.Entries()) > 0 {
			if _, err := Kernel(m, "k", func(string) uint64 { return 1 << 32 }); err != nil && !errors.As(err, new(syntax.Errors)) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		spent := time.Since(start)
		runtime.ReadMemStats(&after)
		factor := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(c.src))
		t.Logf("%-24s %5.1f s, %5.1f bytes a byte", c.name, spent.Seconds(), factor)
		text := ""
		if err != nil {
			text = err.Error()
			checkPlaces(t, c.src, err)
		}
		if c.want == "" && err != nil || c.want != "" && !strings.Contains(text, c.want) {
			t.Errorf("%s: %.200q, want %q", c.name, text, c.want)
		}
		if len(text) > 1<<16 {
			t.Errorf("%s: a report of %d bytes", c.name, len(text))
		}
		if factor > 130 { // a piece of text, its tokens, statement, nodes and instruction
			t.Errorf("%s: %.0f bytes allocated for each of the text", c.name, factor)
		}
	}
	if _, err := Load("x", make([]byte, 16<<20+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a text above the limit: %v", err)
	}
}
