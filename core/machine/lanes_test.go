package machine

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// lanesProgram is a program whose threads wait for each other, with the words that it leaves in its buffer of 256
// words.
type lanesProgram struct {
	name, functions, body string
	ctas, threads         uint32
	// inStep says that the program ends on targets before sm_70 too.
	inStep bool
	// deadlocks says that it never ends there, and has no instruction that such a target lacks.
	deadlocks bool
	want      func(i uint32) uint32 // nil after the last word
	words     uint32
}

// text returns the program for a target. %p is the buffer, %t the thread of the CTA, %l its lane, %g its number in
// the grid.
func (p *lanesProgram) text(target string) string {
	return ".version 8.0\n.target " + target + "\n.address_size 64\n" + p.functions + `
.visible .entry k(.param .u64 p) {
.reg .u64 %p, %a, %b, %d<8>; .reg .u32 %t, %l, %g, %c, %n, %r<16>; .reg .pred %q<8>;
.shared .align 8 .u32 s[64];
ld.param.u64 %p, [p]; cvta.to.global.u64 %p, %p; mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %nctaid.x;
mov.u32 %r0, %ntid.x; mad.lo.u32 %g, %c, %r0, %t; and.b32 %l, %t, 31; mul.wide.u32 %a, %g, 4; add.u64 %a, %a, %p;
` + p.body + "\nret;\n}\n"
}

// token lets the threads of a CTA pass one by one, in an order that jumps between lanes and warps: each adds to word
// 0 when its turn has come.
const token = `mul.lo.u32 %r1, %t, 37; rem.u32 %r1, %r1, %r0;
W: ld.volatile.global.u32 %r2, [%p]; setp.ne.u32 %q1, %r2, %r1; @%q1 bra W;
add.u32 %r2, %r2, 1; st.volatile.global.u32 [%p], %r2;
`

const lock, unlock = `L: atom.global.cas.b32 %r1, [%p], 0, 1; setp.ne.u32 %q1, %r1, 0; @%q1 bra L;
membar.gl;
`, `membar.gl;
atom.global.exch.b32 %r1, [%p], 0;
`

const count = "ld.volatile.global.u32 %r3, [%p+4]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%p+4], %r3;\n"

func counted(n uint32) func(uint32) uint32 {
	return func(i uint32) uint32 { return i * n }
}

// lanesPrograms must run as a GPU of compute capability 7.0 or later runs them.
var lanesPrograms = []lanesProgram{
	{name: "lock, critical section behind the loop", deadlocks: true, ctas: 3, threads: 64, words: 2,
		want: counted(192), body: lock + count + unlock},
	{name: "lock in a branch, critical section in the loop", ctas: 2, threads: 48, words: 2,
		want: counted(2 * 24), body: `
and.b32 %r5, %t, 1; setp.eq.u32 %q2, %r5, 0; @%q2 bra OUT;
L: atom.global.cas.b32 %r1, [%p], 0, 1; setp.ne.u32 %q1, %r1, 0; @%q1 bra AGAIN;
membar.gl;
` + count + unlock + `bra OUT;
AGAIN: bra L;
OUT:`},
	{name: "classical lock with a flag", inStep: true, ctas: 2, threads: 64, words: 2, want: counted(128), body: `
mov.u32 %r5, 0;
L: atom.global.cas.b32 %r1, [%p], 0, 1; setp.ne.u32 %q1, %r1, 0; @%q1 bra AGAIN;
membar.gl;
` + count + unlock + `mov.u32 %r5, 1;
AGAIN: setp.eq.u32 %q2, %r5, 0; @%q2 bra L;`},
	{name: "ticket lock", ctas: 2, threads: 64, words: 3, body: `
atom.global.add.u32 %r4, [%p], 1;
W: ld.acquire.gpu.global.u32 %r5, [%p+8]; setp.ne.u32 %q1, %r5, %r4; @%q1 bra W;
` + count + `add.u32 %r5, %r5, 1; st.release.gpu.global.u32 [%p+8], %r5;`, want: func(uint32) uint32 { return 128 }},
	{name: "one lane makes, the others take, in shared memory", ctas: 1, threads: 32, words: 32, body: `
setp.ne.u32 %q1, %l, 31; @%q1 bra TAKE;
st.volatile.shared.u32 [s+4], 77; st.volatile.shared.u32 [s], 1; bra END;
TAKE: ld.volatile.shared.u32 %r1, [s]; setp.eq.u32 %q2, %r1, 0; @%q2 bra TAKE;
END: ld.volatile.shared.u32 %r2, [s+4]; add.u32 %r2, %r2, %l; st.global.u32 [%a], %r2;`,
		want: func(i uint32) uint32 { return 77 + i }},
	{name: "one lane takes, another makes, in global memory", ctas: 1, threads: 32, words: 3, body: `
setp.eq.u32 %q1, %l, 3; @%q1 bra TAKE; setp.ne.u32 %q1, %l, 9; @%q1 bra END;
st.global.u32 [%p+4], 5; st.release.gpu.global.u32 [%p], 1; bra END;
TAKE: ld.acquire.gpu.global.u32 %r1, [%p]; setp.eq.u32 %q2, %r1, 0; @%q2 bra TAKE;
ld.global.u32 %r2, [%p+4]; add.u32 %r2, %r2, 1; st.global.u32 [%p+8], %r2;
END:`, want: func(i uint32) uint32 { return [...]uint32{1, 5, 6}[i] }},
	{name: "every lane waits for another one", deadlocks: true, ctas: 1, threads: 32, words: 1,
		want: counted(0), body: token +
			"setp.eq.u32 %q1, %r2, 32; @%q1 st.global.u32 [%p], 0;"},
	{name: "lanes of two warps wait for each other", deadlocks: true, ctas: 1, threads: 64, words: 2, body: token + `
bar.sync 0;
atom.global.add.u32 %r3, [%p+4], 1;`, want: func(uint32) uint32 { return 64 }},
	{name: "a barrier behind it", deadlocks: true, ctas: 2, threads: 96, words: 192, body: `
atom.shared.add.u32 %r4, [s], 0;
mul.lo.u32 %r1, %t, 37; rem.u32 %r1, %r1, %r0;
W: ld.volatile.shared.u32 %r2, [s]; setp.ne.u32 %q1, %r2, %r1; @%q1 bra W;
add.u32 %r2, %r2, 1; st.volatile.shared.u32 [s], %r2;
bar.sync 0;
ld.shared.u32 %r2, [s]; st.global.u32 [%a], %r2;`, want: func(uint32) uint32 { return 96 }},
	{name: "all lanes of the mask meet behind it", ctas: 1, threads: 32, words: 33, body: token + `
shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;
vote.sync.ballot.b32 %r6, 1, -1;
setp.eq.u32 %q2, %r6, -1;
selp.u32 %r5, %r5, 1000, %q2;
st.global.u32 [%a+4], %r5;`, want: func(i uint32) uint32 {
		if i == 0 {
			return 32
		}
		return (i - 1 ^ 1) * 37 % 32
	}},
	{name: "a part of the lanes meets, and the others wait for it", ctas: 1, threads: 32, words: 33, body: `
setp.ge.u32 %q2, %l, 16; @%q2 bra WAIT;
` + lock + count + unlock + `
shfl.sync.idx.b32 %r5, %r3, 15, 31, 65535;
bar.warp.sync 65535;
setp.ne.u32 %q3, %l, 0; @%q3 bra WAIT;
redux.sync.add.u32 %r5, 7, 1;
st.volatile.global.u32 [%p+200], %r5;
WAIT: ld.volatile.global.u32 %r6, [%p+200]; setp.eq.u32 %q4, %r6, 0; @%q4 bra WAIT;
redux.sync.add.u32 %r7, 1, -1;
add.u32 %r6, %r6, %r7; st.global.u32 [%a+4], %r6;`, want: func(i uint32) uint32 {
		if i == 0 {
			return 0
		}
		return 39
	}},
	{name: "lanes of both arms meet at bar.warp.sync", ctas: 1, threads: 32, words: 32, body: `
mov.u32 %r3, s; setp.lt.u32 %q1, %l, 10; @%q1 bra LOW;
st.shared.u32 [s], 8; bar.warp.sync -1; ld.shared.u32 %r2, [s+4]; bra END;
LOW: st.shared.u32 [s+4], 9; bar.warp.sync -1; ld.shared.u32 %r2, [s];
END: st.global.u32 [%a], %r2;`, want: func(i uint32) uint32 {
		if i < 10 {
			return 8
		}
		return 9
	}},
	{name: "nested branches", deadlocks: true, ctas: 1, threads: 32, words: 4, body: `
and.b32 %r1, %l, 1; setp.eq.u32 %q1, %r1, 0; and.b32 %r1, %l, 2; setp.eq.u32 %q2, %r1, 0;
@%q1 bra EVEN; @%q2 bra ONE;
A: ld.volatile.global.u32 %r2, [%p]; setp.eq.u32 %q3, %r2, 0; @%q3 bra A;
st.volatile.global.u32 [%p+4], 2; bra ODD;
ONE: ld.volatile.global.u32 %r2, [%p+4]; setp.eq.u32 %q3, %r2, 0; @%q3 bra ONE;
st.volatile.global.u32 [%p+8], 3;
ODD: bra END;
EVEN: @%q2 bra ZERO;
B: ld.volatile.global.u32 %r2, [%p+8]; setp.eq.u32 %q3, %r2, 0; @%q3 bra B;
st.volatile.global.u32 [%p+12], 4; bra END;
ZERO: st.volatile.global.u32 [%p], 1;
END:`, want: func(i uint32) uint32 { return i + 1 }},
	{name: "a lane waits in a function", deadlocks: true, ctas: 1, threads: 32, words: 33, functions: `
.func (.param .u32 v) wait(.param .u64 at, .param .u32 want) {
.reg .u64 %a; .reg .u32 %r<4>; .reg .pred %p;
ld.param.u64 %a, [at]; ld.param.u32 %r1, [want];
W: ld.volatile.global.u32 %r2, [%a]; setp.lt.u32 %p, %r2, %r1; @%p bra W;
add.u32 %r2, %r2, 1000; st.param.u32 [v], %r2; ret; }`, body: `
.param .u64 at; .param .u32 want; .param .u32 v;
sub.u32 %r1, 31, %l;
st.param.u64 [at], %p; st.param.u32 [want], %r1;
call (v), wait, (at, want);
ld.param.u32 %r4, [v];
add.u32 %r2, %r1, 1; atom.global.max.u32 %r3, [%p], %r2;
st.global.u32 [%a+4], %r4;`, want: func(i uint32) uint32 {
		if i == 0 {
			return 32
		}
		return 1000 + 32 - i
	}},
	{name: "a try with a pause and a count of tries", ctas: 2, threads: 64, words: 2, want: counted(128), body: `
mov.u32 %r6, 8; mov.u32 %r7, 0;
L: atom.global.cas.b32 %r1, [%p], 0, 1; setp.eq.u32 %q1, %r1, 0; @%q1 bra GOT;
nanosleep.u32 %r6; add.u32 %r7, %r7, 1; shl.b32 %r6, %r6, 1; min.u32 %r6, %r6, 256; bra L;
GOT: membar.gl;
` + count + unlock},
	{name: "a wait that reads the clock", ctas: 1, threads: 32, words: 1,
		want: func(uint32) uint32 { return 1 }, body: `
mov.u64 %d1, %clock64; setp.eq.u32 %q1, %l, 5; @%q1 bra MAKE;
W: mov.u64 %d2, %clock64; sub.u64 %d3, %d2, %d1; ld.volatile.global.u32 %r1, [%p]; setp.eq.u32 %q2, %r1, 0; @%q2 bra W;
bra END;
MAKE: st.volatile.global.u32 [%p], 1;
END:`},
	{name: "grid barrier of cooperative groups", inStep: true, ctas: 6, threads: 64, words: 8, body: `
mov.u32 %r9, 0;
ROUND:
mul.wide.u32 %d1, %c, 4; add.u64 %d1, %d1, %p; setp.eq.u32 %q1, %t, 0;
@%q1 ld.volatile.global.u32 %r1, [%d1+8]; @%q1 add.u32 %r1, %r1, 1; @%q1 st.volatile.global.u32 [%d1+8], %r1;
bar.sync 0;
@!%q1 bra MET;
membar.gl;
setp.eq.u32 %q2, %c, 0; sub.u32 %r2, %n, 1; sub.u32 %r3, -2147483648, %r2; selp.u32 %r3, %r3, 1, %q2;
atom.global.add.u32 %r4, [%p], %r3;
S: ld.volatile.global.u32 %r5, [%p]; xor.b32 %r5, %r5, %r4; setp.ge.s32 %q3, %r5, 0; @%q3 bra S;
membar.gl;
MET: bar.sync 0;
add.u32 %r6, %c, 1; rem.u32 %r6, %r6, %n; mul.wide.u32 %d2, %r6, 4; add.u64 %d2, %d2, %p;
ld.volatile.global.u32 %r7, [%d2+8]; add.u32 %r9, %r9, 1; setp.lt.u32 %q4, %r7, %r9; @%q4 trap;
setp.lt.u32 %q5, %r9, 4; @%q5 bra ROUND;`, want: func(i uint32) uint32 {
		if i < 2 {
			return 0 // four signs
		}
		return 4
	}},
	{name: "persistent kernel with a queue of work", inStep: true, ctas: 4, threads: 64, words: 102, body: `
mov.u32 %r9, s;
NEXT: bar.sync 0;
setp.ne.u32 %q1, %t, 0; @%q1 bra HAVE;
atom.global.add.u32 %r1, [%p], 1; st.shared.u32 [s], %r1;
HAVE: bar.sync 0;
ld.shared.u32 %r1, [s]; setp.ge.u32 %q2, %r1, 100; @%q2 bra DONE;
mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d1, %p; mad.lo.u32 %r2, %r1, %r1, 3;
@!%q1 st.global.u32 [%d1+8], %r2;
bra NEXT;
DONE:`, want: func(i uint32) uint32 {
		switch i {
		case 0:
			return 104
		case 1:
			return 0
		}
		return (i-2)*(i-2) + 3
	}},
	{name: "hash table with a lock for each bucket", inStep: true, ctas: 2, threads: 64, words: 16, body: hashTable(`
mov.u32 %r6, 0;
L: atom.global.cas.b32 %r1, [%d1], 0, 1; setp.ne.u32 %q1, %r1, 0; @%q1 bra AGAIN;
`, `mov.u32 %r6, 1;
AGAIN: setp.eq.u32 %q2, %r6, 0; @%q2 bra L;`), want: hashed},
	{name: "hash table whose lock is a loop", deadlocks: true, ctas: 2, threads: 64, words: 16, body: hashTable(`
L: atom.global.cas.b32 %r1, [%d1], 0, 1; setp.ne.u32 %q1, %r1, 0; @%q1 bra L;
`, ""), want: hashed},
}

// hashTable adds each thread's number to one of eight buckets: a lock and a sum.
func hashTable(lock, behind string) string {
	return `mul.lo.u32 %r4, %g, 2654435761; shr.u32 %r4, %r4, 29; mul.wide.u32 %d1, %r4, 4; add.u64 %d1, %d1, %p;
` + lock + `membar.gl; ld.volatile.global.u32 %r3, [%d1+32]; add.u32 %r3, %r3, %g; st.volatile.global.u32 [%d1+32], %r3;
membar.gl; atom.global.exch.b32 %r1, [%d1], 0;
` + behind
}

func hashed(i uint32) (sum uint32) {
	for g := range uint32(128) {
		if i >= 8 && g*2654435761>>29 == i-8 {
			sum += g
		}
	}
	return sum
}

// runLanes runs a program exactly, or on a preset, and returns its buffer.
func runLanes(t *testing.T, p *lanesProgram, target, gpu string, limit uint64) ([]byte, error) {
	t.Helper()
	module, err := compile.Load("k.ptx", []byte(p.text(target)))
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	k, err := compile.Kernel(module, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<24)
	a, err := image.Alloc("buffer", 1024)
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{
		Kernel: k, Grid: [3]uint32{p.ctas, 1, 1}, Block: [3]uint32{p.threads, 1, 1},
		Params: binary.LittleEndian.AppendUint64(nil, a.Base),
	}
	b := make([]byte, 4*p.words)
	if gpu == "" {
		_, err := execute.RunFunctional(l, image, execute.FunctionalOptions{MaxWarpInstructions: limit})
		image.Read(a.Base, b)
		return b, err
	}
	spec, err := preset.GPU(gpu)
	if err != nil {
		t.Fatal(err)
	}
	spec.SM.WarpInstructionLimit = limit
	m, err := New(spec, Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)})
	if err != nil {
		t.Fatal(err)
	}
	err = m.Run()
	m.Read(a.Base, b)
	return b, err
}

// TestLanesMakeProgressOneByOne runs programs whose lanes wait for each other, exactly and on machines.
func TestLanesMakeProgressOneByOne(t *testing.T) {
	for i := range lanesPrograms {
		p := &lanesPrograms[i]
		for _, on := range [][2]string{
			{"sm_80", ""}, {"sm_80", "a100"}, {"sm_90", "h200"}, {"sm_20", ""}, {"sm_20", "gtx480"},
		} {
			if on[0] == "sm_20" && !p.inStep {
				continue
			}
			b, err := runLanes(t, p, on[0], on[1], 1_000_000)
			if err != nil {
				t.Errorf("%s on %v: %v", p.name, on, err)
				continue
			}
			for i := range p.words {
				if got := binary.LittleEndian.Uint32(b[4*i:]); got != p.want(i) {
					t.Errorf("%s on %v: word %d is %d, want %d", p.name, on, i, got, p.want(i))
					break
				}
			}
		}
	}
}

// TestLanesInStepDeadlock runs them for a target whose lanes run in step: the fault says so, and for whom lanes wait.
func TestLanesInStepDeadlock(t *testing.T) {
	for i := range lanesPrograms {
		p := &lanesPrograms[i]
		if !p.deadlocks {
			continue
		}
		for _, gpu := range []string{"", "gtx480"} {
			_, err := runLanes(t, p, "sm_60", gpu, 20_000)
			if err == nil || !strings.Contains(err.Error(), "deadlock: lane ") ||
				!strings.Contains(err.Error(), "sm_70") ||
				gpu == "" && !strings.Contains(err.Error(), "in its warp lane") {
				t.Errorf("%s on %q: %v", p.name, gpu, err)
			}
		}
	}
}
