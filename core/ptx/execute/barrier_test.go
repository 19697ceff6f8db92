package execute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/tape"
)

// runWords runs a kernel that writes one word for each thread of one CTA.
func runWords(t *testing.T, src string, threads uint32) ([]int32, error) {
	t.Helper()
	m, err := compile.Load("test.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	out, _ := image.Alloc("out", uint64(threads*4))
	base := out.Base
	params := make([]byte, 8)
	writeBytes(params, 8, base)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1}, Params: params}
	_, err = RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e6})
	b := make([]byte, threads*4)
	image.Read(base, b)
	return words32(b), err
}

// withOutput wraps a body that leaves its result in %r0; %r1 is the thread.
func withOutput(body string) string {
	return divergeHead + `.visible .entry test(.param .u64 out) {
	.reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .f32 %f<4>;
	.shared .align 8 .b8 s[4096];
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
	` + body + `
	st.global.u32 [%rd1], %r0; ret; }`
}

func TestBarriers(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(tid int32) int32
	}{
		{"exchange through shared memory", `shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], %r1;
			bar.sync 0; mov.u32 %r4, %ntid.x; sub.u32 %r4, %r4, %r1; sub.u32 %r4, %r4, 1; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r3;
			ld.shared.u32 %r0, [%r4];`, func(tid int32) int32 { return 127 - tid }},
		{"warps that have exited do not block", `mov.u32 %r0, 0; setp.ge.u32 %p1, %r1, 64; @%p1 exit; bar.sync 0; mov.u32 %r0, 7;`,
			func(tid int32) int32 {
				if tid < 64 {
					return 7
				}
				return 0
			}},
		{"reductions", `setp.lt.u32 %p1, %r1, 50; bar.red.popc.u32 %r0, 1, %p1; setp.lt.u32 %p2, %r1, 500;
			bar.red.and.pred %p3, 2, %p2; bar.red.or.pred %p4, 3, !%p2; bar.red.popc.u32 %r5, 1, !%p1; mad.lo.u32 %r0, %r5, 1000, %r0;
			selp.u32 %r2, 100000, 0, %p3; add.u32 %r0, %r0, %r2; selp.u32 %r2, 200000, 0, %p4; add.u32 %r0, %r0, %r2;`,
			func(int32) int32 { return 50 + 78*1000 + 100000 }},
		{"a barrier for half of the warps", `mov.u32 %r0, 1; setp.ge.u32 %p1, %r1, 64; @%p1 bra REST; bar.sync 5, 64; mov.u32 %r0, 2; REST:`,
			func(tid int32) int32 {
				if tid < 64 {
					return 2
				}
				return 1
			}},
		{"arrive does not wait", `mov.u32 %r0, 1; mov.u32 %r3, s; setp.ge.u32 %p1, %r1, 32; @%p1 bra CONSUME;
			st.shared.u32 [%r3], 42; bar.arrive 1, 128; bra DONE; CONSUME: bar.sync 1, 128; ld.shared.u32 %r0, [%r3]; DONE:`,
			func(tid int32) int32 {
				if tid < 32 {
					return 1
				}
				return 42
			}},
		{"the new spelling", `barrier.cta.sync.aligned 0; barrier.sync 1, 128; mov.u32 %r0, 3;`, func(int32) int32 { return 3 }},
		{"many phases", `mov.u32 %r0, 0; mov.u32 %r3, s; mov.u32 %r4, 0; L: setp.ne.u32 %p1, %r1, 0; @%p1 bra W; ld.shared.u32 %r5, [%r3];
			add.u32 %r5, %r5, 1; st.shared.u32 [%r3], %r5; W: bar.sync 0; ld.shared.u32 %r6, [%r3]; add.u32 %r0, %r0, %r6; bar.sync 0;
			add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra L;`, func(int32) int32 { return 55 }},
	} {
		got, err := runWords(t, withOutput(c.body), 128)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, v := range got {
			if want := c.want(int32(i)); v != want {
				t.Errorf("%s: thread %d has %d, want %d", c.name, i, v, want)
				break
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"barrier deadlock", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1; bra B; A: bar.sync 2; B:", "deadlock"},
		{"endless loop", "L: bra L;", "no end after 1000000 warp instructions"},
		{"misaligned", "ld.global.u32 %r0, [%rd1+2];", "misaligned access: 4 bytes at 0xc0000002"},
		{"behind the buffer", "ld.global.u32 %r0, [%rd1+384];", `load of 4 bytes at 0xc0000200 is outside of every allocation; the nearest is "out" (512 bytes), and this is at offset 512`},
		{"before the buffer", "st.global.u32 [%rd1+-4], %r1;", `store of 4 bytes at 0xbffffffc is outside of every allocation; the nearest is "out", 4 bytes above`},
		{"null", "mov.u64 %rd3, 0; ld.u32 %r0, [%rd3];", "load of 4 bytes at 0x0 is outside"},
		{"shared", "ld.shared.u32 %r0, [s+4096];", "4 bytes at offset 0x1000 of shared memory, which has 4096 bytes"},
		{"trap", "setp.eq.u32 %p1, %r1, 77; @%p1 trap;", "thread (77,0,0): trap"},
		{"assert", "setp.eq.u32 %p1, %r1, 77; @%p1 call __assertfail, ();", "thread (77,0,0): assertion failed"},
		{"no such barrier", "add.u32 %r2, %r1, 16; bar.sync %r2;", "barrier 16 does not exist"},
		{"bad pointer to a function", "mov.u64 %rd3, 77; P: .callprototype _ (); call %rd3, P;", "which is not the address of a function"},
		{"branch index", "T: .branchtargets X, X; brx.idx %r1, T; X:", "index 2 of 2 targets"},
	} {
		_, err := runWords(t, withOutput(c.body)+".extern .func __assertfail();", 128)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
			continue
		}
		if !strings.Contains(err.Error(), "test:8:") && !strings.Contains(err.Error(), "test:9:") {
			t.Errorf("%s: %q does not name the line", c.name, err)
		}
	}
}

// TestSnapshot copies a CTA in the middle of a run; the copy ends the same way.
func TestSnapshot(t *testing.T) {
	m, err := compile.Load("flow.ptx", []byte(divergeHead+`.visible .entry test() { .reg .b32 %r<8>; .reg .pred %p; .shared .b32 s[64];
		mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; mov.u32 %r3, 0;
		L: add.u32 %r3, %r3, 1; st.shared.u32 [%r2], %r3; bar.sync 0; setp.lt.u32 %p, %r3, %r1; @%p bra L; mov.u32 %r4, 1; ret; }`))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}
	run := func(c *CTA, w *Warp, steps int) bool {
		var e Env
		for range steps {
			switch w.Execute(&e) {
			case EffectMemory:
				w.AccessShared(&e.Access)
			case EffectBarrier:
				c.Arrive(w)
			case EffectExit:
				return true
			}
		}
		return false
	}
	c, w := NewCTA(l), NewWarp(k)
	c.Reset(l, [3]uint32{})
	w.Reset(l, c, 0)
	run(c, w, 23)
	c2, w2 := NewCTA(l), NewWarp(k)
	w2.CTA = c2
	paper.Load(c2.State, paper.Save(c.State, nil))
	copyState(w2, w, c2)
	before := fmt.Sprint(c2.Shared)
	if !run(c, w, 1000) {
		t.Fatal("no end")
	}
	if fmt.Sprint(c2.Shared) != before {
		t.Fatal("the copy moved with the original")
	}
	if !run(c2, w2, 1000) || fmt.Sprint(c2.Shared) != fmt.Sprint(c.Shared) {
		t.Error("the copy ends differently")
	}
}

// TestNoAllocation asserts that execution and the reuse of warps cost no memory,
// calls and recursion included.
func TestNoAllocation(t *testing.T) {
	for _, k := range compiledKernels {
		l, image, _ := loadCompiled(t, "compiled_O3.ptx", k.name, k.args)
		r := newRunner(l, image, FunctionalOptions{})
		if n := testing.AllocsPerRun(5, func() {
			r.start([3]uint32{})
			for more := true; more; {
				var err error
				if more, err = r.turn(); err != nil {
					t.Fatal(err)
				}
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations per CTA", k.name, n)
		}
	}
}

// paper carries states between warps.
var paper = tape.NewTape()

// copyState gives a warp the state of another of the same launch, in CTA c.
func copyState(to, from *Warp, c *CTA) {
	list := func(w *Warp, c *CTA) func(*tape.Tape) {
		return func(t *tape.Tape) { w.State(t, from.launch, c) }
	}
	paper.Load(list(to, c), paper.Save(list(from, from.CTA), nil))
}
