package execute

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/compile"
)

// parameterFunctions take predicates and vectors in registers, and a vector in .param.
const parameterFunctions = `.func (.reg .pred %q, .reg .u32 %d) pick(.reg .pred %p, .reg .u32 %a) {
		selp.u32 %d, %a, 7, %p; not.pred %q, %p; ret; }
	.func (.reg .v2 .u32 %d) swap(.reg .v2 .u32 %a) { mov.u32 %d.x, %a.y; mov.u32 %d.y, %a.x; ret; }
	.func (.param .align 16 .v4 .f32 r) turn(.param .align 16 .v4 .f32 a) { .reg .f32 %f<5>;
		ld.param.v4.f32 {%f1, %f2, %f3, %f4}, [a]; st.param.v4.f32 [r], {%f4, %f3, %f2, %f1}; ret; }
	.func (.reg .u32 %d) count(.reg .pred %p, .reg .u32 %n) { .reg .pred %odd; .reg .u32 %m, %one;
		mov.u32 %d, 0; setp.eq.u32 %odd, %n, 0; @%odd ret;
		sub.u32 %m, %n, 1; and.b32 %one, %n, 1; setp.eq.u32 %odd, %one, 1;
		call (%d), count, (%odd, %m); selp.u32 %one, 1, 100, %p; add.u32 %d, %d, %one; ret; }
`

// TestParameters calls functions with predicates and vectors as parameters. Each program leaves
// its value in %r0; %r1 is the thread.
func TestParameters(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want func(i uint32) uint32
	}{
		"predicates": {`setp.gt.u32 %p1, %r1, 9; call (%p2, %r0), pick, (%p1, %r1); @%p2 add.u32 %r0, %r0, 1000;`, func(i uint32) uint32 {
			if i > 9 {
				return i
			}
			return 1007
		}},
		"an unused predicate result": {`setp.gt.u32 %p1, %r1, 9; call (_, %r0), pick, (%p1, %r1);`, func(i uint32) uint32 {
			if i > 9 {
				return i
			}
			return 7
		}},
		"predicates through a pointer": {`.reg .u64 %at; mov.u64 %at, pick; setp.lt.u32 %p1, %r1, 5;
			P: .callprototype (.reg .pred _, .reg .u32 _) _ (.reg .pred _, .reg .u32 _); call (%p1, %r0), %at, (%p1, %r1), P; @%p1 mov.u32 %r0, 99;`, func(i uint32) uint32 {
			if i < 5 {
				return i
			}
			return 99
		}},
		"predicates of a recursive function": {`setp.ne.u32 %p1, %r1, 77; and.b32 %r2, %r1, 7; call (%r0), count, (%p1, %r2);`, func(i uint32) uint32 {
			n, sum := i&7, uint32(0)
			for p := true; n > 0; n-- {
				if sum += 100; p {
					sum -= 99
				}
				p = n&1 == 1
			}
			return sum
		}},
		"vectors in registers": {`.reg .v2 .u32 %v, %w; mov.u32 %v.x, %r1; mov.u32 %v.y, 5; call (%w), swap, (%v); mad.lo.u32 %r0, %w.x, 1000, %w.y;`,
			func(i uint32) uint32 { return 5000 + i }},
		"vectors in .param": {`.param .align 16 .v4 .f32 a; .param .align 16 .v4 .f32 b; cvt.rn.f32.u32 %f1, %r1; st.param.v4.f32 [a], {%f1, 1.0, 2.0, 3.0};
			call (b), turn, (a); ld.param.v4.f32 {%f1, _, _, %f2}, [b]; fma.rn.f32 %f1, %f1, 100.0, %f2; cvt.rzi.u32.f32 %r0, %f1;`,
			func(i uint32) uint32 { return 300 + i }},
		"a register plus a constant": {`st.shared.u32 [s], %r1+40; ld.shared.u32 %r0, [s]; .reg .u64 %sum; mov.u64 %sum, 1;
			st.shared.v2.u64 [s], {%sum-2, %sum+0x100000000}; ld.shared.u32 %r2, [s+4]; ld.shared.u32 %r3, [s+12]; add.u32 %r0, %r2, %r3; add.u32 %r0, %r0, 1;`,
			func(uint32) uint32 { return 1 }},
	} {
		src := strings.Replace(withOutput("{"+c.body+"}"), ".visible .entry", parameterFunctions+".visible .entry", 1)
		src = strings.Replace(src, ".param .u64", ".hidden .param .u64", 1)
		got, err := runWords(t, src, 32)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range uint32(32) {
			if uint32(got[i]) != c.want(i) {
				t.Errorf("%s: thread %d has %d, want %d", name, i, got[i], c.want(i))
				break
			}
		}
	}
	for text, want := range map[string]string{
		"call (%p2, %r0), pick, (1, %r1);":             "want a predicate register",
		"call (%p2, %r0), pick, (%r1, %r1);":           "%r1 is a .b32 register",
		"call (%r2, %r0), pick, (%p1, %r1);":           "%r2 is a .b32 register",
		"{ .reg .v4 .u32 %v; call (%v), swap, (%v); }": "4 results and 4 arguments, but it has 2 and 2",
		"mov.u32 %r0, %r1+4;":                          "%r1 plus a constant is a value of st only: add it with add",
		"add.u32 %r0, %tid.x+4, 1;":                    "%tid plus a constant is a value of st only",
		"st.shared.f32 [s], %f1+4;":                    "%f1 plus a constant: only integers can be stored so; use add.f32",
		"{ .param .pred a; mov.u32 %r0, 1; }":          "a predicate has no address",
		"P: .callprototype _ (.reg .b128 _);":          "want a type of at most 64 bits",
		"P: .callprototype _ (.reg .v2 .pred _);":      "there are no vectors of .pred registers",
		"P: .callprototype _ (.param .pred a);":        "a predicate has no address",
	} {
		src := strings.Replace(withOutput(text), ".visible .entry", parameterFunctions+".visible .entry", 1)
		if _, err := compile.Load("x", []byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
