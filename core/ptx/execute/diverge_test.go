package execute

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// divergeHead has every instruction but shfl and vote without .sync, which end with version 6.3.
const divergeHead = ".version 8.6\n.target sm_90a\n.address_size 64\n"

// randomFlow writes a kernel with random, mostly irreducible control flow. Each
// block changes two registers depending on the thread and goes to random other
// blocks; fuel ends it. Leaf functions have random flow too.
func randomFlow(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(divergeHead)
	functions := r.Intn(3)
	for f := range functions {
		fmt.Fprintf(&b, ".func (.param .b32 result) f%d(.param .b32 a, .param .b32 depth) {\n", f)
		b.WriteString(".reg .b32 %x, %y, %n, %t, %depth; .reg .pred %p, %q; .param .b32 arg; .param .b32 arg2; .param .b32 ret0;\n")
		b.WriteString("ld.param.b32 %x, [a]; ld.param.b32 %depth, [depth]; mov.b32 %y, %x; mov.b32 %n, 6;\n")
		randomBlocks(r, &b, 2+r.Intn(5), fmt.Sprintf("F%d", f), "st.param.b32 [result], %x; ret;", functions, true)
		b.WriteString("}\n")
	}
	b.WriteString(".visible .entry test(.param .u64 out) {\n")
	b.WriteString(".reg .b32 %x, %y, %n, %t, %id, %depth; .reg .pred %p, %q; .reg .b64 %to, %off; .param .b32 arg; .param .b32 arg2; .param .b32 ret0;\n")
	b.WriteString("mov.u32 %id, %ctaid.x; mov.u32 %t, %ntid.x; mul.lo.u32 %id, %id, %t; mov.u32 %t, %tid.x; add.u32 %id, %id, %t;\n")
	b.WriteString("ld.param.u64 %to, [out]; mul.wide.u32 %off, %id, 4; add.u64 %to, %to, %off;\n")
	b.WriteString("mul.lo.u32 %x, %id, 2654435761; xor.b32 %y, %x, 305419896; mov.b32 %n, 60; mov.b32 %depth, 0;\n")
	randomBlocks(r, &b, 3+r.Intn(9), "B", "st.global.u32 [%to], %x; exit;", functions, false)
	b.WriteString("}\n")
	return b.String()
}

func randomBlocks(r *rand.Rand, b *strings.Builder, n int, label, end string, functions int, inside bool) {
	target := func() string { return fmt.Sprintf("%s_%d", label, r.Intn(n)) }
	for i := range n {
		fmt.Fprintf(b, "%s_%d:\n", label, i)
		fmt.Fprintf(b, "sub.s32 %%n, %%n, 1; setp.le.s32 %%p, %%n, 0; @%%p bra %s_END;\n", label)
		fmt.Fprintf(b, "mad.lo.u32 %%x, %%x, %d, %%y; shf.l.wrap.b32 %%y, %%y, %%x, %d;\n", r.Intn(1000)*2+1, 1+r.Intn(30))
		fmt.Fprintf(b, "and.b32 %%t, %%x, %d; setp.eq.u32 %%p, %%t, 0; and.b32 %%t, %%y, %d; setp.ne.u32 %%q, %%t, 0;\n",
			1<<r.Intn(5), 1<<r.Intn(5)|1<<r.Intn(5))
		if functions > 0 && r.Intn(3) == 0 {
			// Calls may recurse; depth bounds them.
			guard := [...]string{"", "@%p ", "@!%q "}[r.Intn(3)]
			if inside {
				b.WriteString("setp.lt.u32 %p, %depth, 2;\n")
				guard = "@%p "
			}
			fmt.Fprintf(b, "st.param.b32 [arg], %%x; add.u32 %%t, %%depth, 1; st.param.b32 [arg2], %%t; st.param.b32 [ret0], %%y;\n")
			fmt.Fprintf(b, "%scall (ret0), f%d, (arg, arg2); ld.param.b32 %%t, [ret0]; xor.b32 %%y, %%y, %%t;\n", guard, r.Intn(functions))
			b.WriteString("and.b32 %t, %y, 3; setp.eq.u32 %p, %t, 0;\n")
		}
		switch r.Intn(7) {
		case 0:
			fmt.Fprintf(b, "bra %s;\n", target())
		case 1:
			fmt.Fprintf(b, "@%%p bra %s;\n@%%q bra %s;\n", target(), target())
		case 2:
			fmt.Fprintf(b, "@!%%q bra %s;\n", target())
		case 3:
			fmt.Fprintf(b, "and.b32 %%t, %%x, 1;\n%s_T%d: .branchtargets %s, %s;\nbrx.idx %%t, %s_T%d;\n", label, i, target(), target(), label, i)
		case 4: // an exit in the middle, under a guard or in an arm
			fmt.Fprintf(b, "@!%%p bra %s;\n%s\n", target(), end)
		case 5:
			if !inside {
				b.WriteString("@%p st.global.u32 [%to], %y;\n@%p exit;\n")
			} else {
				b.WriteString("@%p st.param.b32 [result], %y;\n@%p ret;\n")
			}
		}
	}
	fmt.Fprintf(b, "%s_END:\n%s\n", label, end)
}

func runFlow(t *testing.T, m *compile.Module, grid, block uint32) []byte {
	t.Helper()
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	out, _ := image.Alloc("out", uint64(grid*block*4))
	base := out.Base
	params := make([]byte, 8)
	writeBytes(params, 8, base)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{block, 1, 1}, Params: params}
	if _, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e7}); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, grid*block*4)
	image.Read(base, b)
	return b
}

// TestDivergence runs random programs with full warps and with one thread to a
// warp, which never diverges: the threads must compute the same.
func TestDivergence(t *testing.T) {
	seeds := int64(120)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		src := randomFlow(newRand(seed))
		m, err := compile.Load("flow.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		alone := runFlow(t, m, 96, 1)
		for _, block := range []uint32{32, 48, 96} {
			together := runFlow(t, m, 96/block, block)
			if bytes.Equal(alone, together) {
				continue
			}
			for i := 0; i < len(alone); i += 4 {
				if !bytes.Equal(alone[i:i+4], together[i:i+4]) {
					t.Fatalf("seed %d, blocks of %d: thread %d gives %x, alone %x\n%s", seed, block, i/4, together[i:i+4], alone[i:i+4], src)
				}
			}
		}
	}
}

// countLanes runs a kernel on one full warp and returns how many lanes executed
// each instruction, in order.
func countLanes(t *testing.T, src string) (pcs []int32, lanes []int) {
	t.Helper()
	m, err := compile.Load("lanes.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, "test", func(string) uint64 { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}
	c, w := NewCTA(l), NewWarp(k)
	c.Reset(l, [3]uint32{})
	w.Reset(l, c, 0)
	var e Env
	for range 1000 {
		pc := w.PC
		effect := w.Execute(&e)
		pcs, lanes = append(pcs, pc), append(lanes, e.Lanes)
		switch effect {
		case EffectExit:
			return pcs, lanes
		case EffectFault:
			t.Fatal(w.Fault())
		}
	}
	t.Fatal("no end")
	return nil, nil
}

func entry(body string) string {
	return divergeHead + ".visible .entry test() {\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\nmov.u32 %r1, %tid.x;\n" + body + "\n}\n"
}

// TestReconvergence looks at how many lanes run the code after a branch.
func TestReconvergence(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"if-else", "setp.lt.u32 %p1, %r1, 10; @%p1 bra THEN; mov.b32 %r2, 1; bra JOIN; THEN: mov.b32 %r2, 2; JOIN: mov.b32 %r3, 3; ret;",
			"32 32 10 22 22 10 32 32"},
		{"if", "setp.lt.u32 %p1, %r1, 10; @%p1 bra JOIN; mov.b32 %r2, 1; JOIN: mov.b32 %r3, 3; ret;", "32 32 10 22 32 32"},
		{"uniform", "setp.lt.u32 %p1, %r1, 99; @%p1 bra JOIN; mov.b32 %r2, 1; JOIN: mov.b32 %r3, 3; ret;", "32 32 32 32 32"},
		{"loop", "and.b32 %r2, %r1, 1; L: sub.s32 %r2, %r2, 1; setp.ge.s32 %p1, %r2, 0; @%p1 bra L; mov.b32 %r3, 3; ret;",
			"32 32 32 32 16 16 16 0 32 32"},
		{"guarded exit", "setp.lt.u32 %p1, %r1, 10; @%p1 exit; mov.b32 %r2, 1; ret;", "32 32 10 22 22"},
		// Lanes that leave early do not keep the others from meeting.
		{"early exit in an arm", `setp.lt.u32 %p1, %r1, 10; @%p1 bra THEN; setp.lt.u32 %p2, %r1, 20; @%p2 bra OUT;
			mov.b32 %r2, 1; bra JOIN; OUT: exit; THEN: mov.b32 %r2, 2; JOIN: mov.b32 %r3, 3; ret;`,
			"32 32 10 22 10 10 12 12 10 22 22"},
	} {
		_, lanes := countLanes(t, entry(c.body))
		if got := strings.Trim(fmt.Sprint(lanes), "[]"); got != c.want {
			t.Errorf("%s: lanes %s, want %s", c.name, got, c.want)
		}
	}
}

// fuzzRun executes a kernel of unknown worth for a while.
func fuzzRun(t *testing.T, l *ptx.Launch) {
	image, err := mem.NewImage(mem.DefaultBase, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := image.Alloc("a", 4096); err != nil {
		t.Fatal(err)
	}
	_, _ = RunFunctional(l, image, FunctionalOptions{MaxInstructions: 2000})
}

// TestMutations swaps words of programs that compilers wrote: most results are
// refused, the others run into whatever they run into, but nothing panics.
func TestMutations(t *testing.T) {
	r := newRand(77)
	word := regexp.MustCompile(`[%$._A-Za-z0-9]+|[^%$._A-Za-z0-9]`)
	var texts [][]string
	for _, name := range []string{"compiled_O0.ptx", "compiled_O3.ptx"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, word.FindAllString(string(b), -1))
	}
	for seed := range int64(4) {
		texts = append(texts, word.FindAllString(randomFlow(newRand(seed)), -1))
	}
	accepted := 0
	for range 150 {
		text := append([]string(nil), texts[r.Intn(len(texts))]...)
		for range 1 + r.Intn(3) {
			i := len(text)/3 + r.Intn(len(text)*2/3)
			switch r.Intn(3) {
			case 0:
				text[i] = text[r.Intn(len(text))]
			case 1:
				text[i] = ""
			case 2: // a neighbour: often something of the same kind
				text[i] = text[max(0, min(len(text)-1, i+r.Intn(40)-20))]
			}
		}
		m, err := compile.Load("mutation", []byte(strings.Join(text, "")))
		if err != nil {
			continue
		}
		accepted++
		for _, name := range m.Entries() {
			k, err := compile.Kernel(m, name, func(string) uint64 { return 0xc0000000 })
			if err != nil {
				continue
			}
			l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{33, 1, 1}, Params: make([]byte, k.ParamBytes)}
			for i := range l.Params {
				l.Params[i] = [8]byte{3: 0xc0}[i%8]
			}
			fuzzRun(t, l)
		}
	}
	t.Logf("%d of 150 accepted", accepted)
}
