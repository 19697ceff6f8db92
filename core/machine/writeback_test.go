package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/noc"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// spillWords is the local memory of a thread in the programs below: eight times an L1 of
// 16 kB for 1,024 threads.
const spillWords = 32

// spill is a random kernel that reads and writes local memory, with some lanes or all.
type spill struct {
	rounds, a, b, c, d uint32
}

func (s *spill) ptx() string {
	return fmt.Sprintf(`{ .reg .u32 %%k, %%v, %%i;
.reg .u64 %%l, %%o;
.reg .pred %%z;
.local .align 8 .b8 own[%d];
mov.u64 %%o, own;
mov.u32 %%k, 0;
INIT: mul.wide.u32 %%l, %%k, 4;
add.u64 %%l, %%l, %%o;
mad.lo.u32 %%v, %%t, 65, %%k;
st.local.u32 [%%l], %%v;
add.u32 %%k, %%k, 1;
setp.lt.u32 %%z, %%k, %d;
@%%z bra INIT;
mov.u32 %%k, 0;
L: mul.lo.u32 %%i, %%t, %d;
mad.lo.u32 %%i, %%k, %d, %%i;
and.b32 %%i, %%i, %d;
mul.wide.u32 %%l, %%i, 4;
add.u64 %%l, %%l, %%o;
ld.local.u32 %%v, [%%l];
mad.lo.u32 %%v, %%v, 3, %%k;
mul.lo.u32 %%i, %%t, %d;
mad.lo.u32 %%i, %%k, %d, %%i;
and.b32 %%i, %%i, %d;
mul.wide.u32 %%l, %%i, 4;
add.u64 %%l, %%l, %%o;
add.u32 %%i, %%t, %%k;
rem.u32 %%i, %%i, 3;
setp.ne.u32 %%z, %%i, 0;
@%%z st.local.u32 [%%l], %%v;
ld.local.cg.u32 %%i, [own+8];
st.local.u64 [own+16], %%l;
add.u32 %%k, %%k, 1;
setp.lt.u32 %%z, %%k, %d;
@%%z bra L;
mov.u32 %%r, 0;
mov.u32 %%k, 0;
SUM: mul.wide.u32 %%l, %%k, 4;
add.u64 %%l, %%l, %%o;
ld.local.u32 %%v, [%%l];
and.b32 %%i, %%k, 30;
setp.eq.u32 %%z, %%i, 4;
@%%z mov.u32 %%v, 0;
mad.lo.u32 %%r, %%r, 31, %%v;
add.u32 %%k, %%k, 1;
setp.lt.u32 %%z, %%k, %d;
@%%z bra SUM;
mul.wide.u32 %%l, %%t, 4;
add.u64 %%l, %%l, %%p;
st.global.u32 [%%l], %%r;
}`, 4*spillWords, spillWords, s.a, s.b, spillWords-1, s.c, s.d, spillWords-1, s.rounds, spillWords)
}

// twin returns what thread t stores. The two words that hold addresses do not count.
func (s *spill) twin(t uint32) (sum uint32) {
	var own [spillWords]uint32
	for k := range own {
		own[k] = t*65 + uint32(k)
	}
	for k := range s.rounds {
		v := own[(t*s.a+k*s.b)%spillWords]*3 + k
		if (t+k)%3 != 0 {
			own[(t*s.c+k*s.d)%spillWords] = v
		}
	}
	for k, v := range own {
		if k&30 == 4 {
			v = 0
		}
		sum = sum*31 + v
	}
	return sum
}

// randomSpill is the program of a seed. Its loads must not read the two words of addresses: they
// read and write multiples of 8, and 1, 3.
func randomSpill(seed uint64) *spill {
	r := sim.NewRand(seed, 3)
	return &spill{uint32(1 + r.Intn(40)), uint32(8 * r.Intn(4)), uint32(8 * (1 + r.Intn(3))), uint32(8 * r.Intn(4)), uint32(8 * (1 + r.Intn(3)))}
}

// run runs the program on a machine: its threads store what their twins do, and the counters add up.
func (s *spill) run(t *testing.T, g *parameter.GPU, what string) *Machine {
	t.Helper()
	m := buildFor(t, g, s.ptx(), 4096)
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 4096)
	m.Read(m.job.Image.Allocations()[0].Base, out)
	for k := range uint32(1024) {
		if got, want := binary.LittleEndian.Uint32(out[4*k:]), s.twin(k); got != want {
			t.Fatalf("%s: thread %d stores %d, want %d", what, k, got, want)
		}
	}
	checkSent(t, m, what)
	return m
}

// TestLocalMemoryWrittenBack: random programs whose local memory is larger than L1 get the values that
// a loop over the threads gets, with L1 writing through and back, and the counters add up.
func TestLocalMemoryWrittenBack(t *testing.T) {
	for seed := range uint64(6) {
		p := randomSpill(seed)
		for _, name := range []string{"mini", "gtx580b"} {
			for local := range cache.NumLocals {
				g := built(name)
				g.SM.L1.Local = local
				s := p.run(t, g, fmt.Sprintf("%s, %s, seed %d", name, cache.LocalNames[local], seed)).Stats()
				if back := local == cache.LocalBack; back != (s[stat.L1WritesKept] > 0) || back != (s[stat.L1Writebacks] > 0) {
					t.Errorf("%s, %s: %d stores kept, %d lines written back", name, cache.LocalNames[local], s[stat.L1WritesKept], s[stat.L1Writebacks])
				}
			}
		}
	}
}

// TestStoresKeptInL1: the same programs on L1s with and without sectors whose stores stay. The values
// are the same, and more loads hit.
func TestStoresKeptInL1(t *testing.T) {
	for _, sectored := range []bool{false, true} {
		var hits [cache.NumStorePolicies]uint64
		for seed := range uint64(6) {
			p := randomSpill(seed)
			for policy := range cache.NumStorePolicies {
				g := built("mini")
				g.SM.L1.Stores, g.SM.L1.Sectored = policy, sectored
				m := p.run(t, g, fmt.Sprintf("sectors %v, %s, seed %d", sectored, cache.StorePolicyNames[policy], seed))
				hits[policy] += m.Stats()[stat.L1Hits]
			}
		}
		if hits[cache.StoreKeep] <= hits[cache.StoreDrop] {
			t.Errorf("sectors %v: %d hits with stores that stay, %d without", sectored, hits[cache.StoreKeep], hits[cache.StoreDrop])
		}
	}
}

// checkSent checks that what SMs send arrives in L2 and is answered, except for lines that are
// written back, which get no answer.
func checkSent(t *testing.T, m *Machine, what string) {
	t.Helper()
	s := m.Stats()
	sent := s[stat.L1Misses] + s[stat.L1Bypasses] + s[stat.L1Writes] - s[stat.L1WritesKept] + s[stat.L1Writebacks] + s[stat.AtomicLines] + s[stat.InstructionMisses] + s[stat.ConstantMisses]
	if sent != s[stat.L2Accesses] || sent != s[stat.XbarRequestPackets] || sent != s[stat.XbarReplyPackets]+s[stat.L1Writebacks] {
		t.Errorf("%s: SMs sent %d packets, %d and %d crossed the crossbars, L2 saw %d; %d lines were written back",
			what, sent, s[stat.XbarRequestPackets], s[stat.XbarReplyPackets], s[stat.L2Accesses], s[stat.L1Writebacks])
	}
	if s[stat.L1Writes] != s[stat.GlobalStoreLines] {
		t.Errorf("%s: %d store lines, %d in L1", what, s[stat.GlobalStoreLines], s[stat.L1Writes])
	}
	if err := m.Leaks(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// TestLocalStoreByHand: the first store of a line misses and goes to L2. A load brings the line, and the
// stores after it stay in L1. A program without a store after a load sends as many as before.
func TestLocalStoreByHand(t *testing.T) {
	const head = ".local .align 4 .b8 buf[4];\nst.local.u32 [buf], %t;\n"
	const after = "ld.local.u32 %r, [buf];\nadd.u32 %r, %r, 1;\nst.local.u32 [buf], %r;\nst.local.u32 [buf], %t;\n"
	for _, c := range []struct {
		local cache.Local
		body  string
		want  uint64 // stores that reach L2, of two warps
	}{{cache.LocalThrough, head + after, 6}, {cache.LocalBack, head + after, 2}, {cache.LocalBack, head, 2}} {
		g := mini()
		g.SM.L1.Local = c.local
		m, err := run(t, g, c.body)
		if err != nil {
			t.Fatal(err)
		}
		if s := m.Stats(); s[stat.L2WriteAccesses] != c.want {
			t.Errorf("%s: %d stores reach L2, want %d", cache.LocalNames[c.local], s[stat.L2WriteAccesses], c.want)
		}
	}
}

// TestWriteBackWithoutLocalMemory: sm.l1.local changes nothing in a program without local memory.
func TestWriteBackWithoutLocalMemory(t *testing.T) {
	body, _ := writingProgram(3)
	var stats [cache.NumLocals]stat.Set
	var cycles [cache.NumLocals]sim.Cycle
	for local := range cache.NumLocals {
		g := built("gtx580b")
		g.SM.L1.Local = local
		m := buildFor(t, g, body, 8*regionBytes)
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		stats[local], cycles[local] = m.Stats(), m.Cycles()
	}
	if stats[0] != stats[1] || cycles[0] != cycles[1] {
		t.Errorf("%d cycles through, %d back", cycles[0], cycles[1])
	}
}

// TestRandomWritesOnOtherFabrics: stores, atomics and reductions on machines whose L2 has a clock of its
// own, whose crossbars have virtual output queues, and whose L1 writes local memory back or keeps stores.
func TestRandomWritesOnOtherFabrics(t *testing.T) {
	for seed := range uint64(12) {
		name := []string{"mini", "gtx580b", "gtx580c", "v100"}[seed%4]
		g := built(name)
		otherFabric(g, seed)
		body, want := writingProgram(seed)
		m := buildFor(t, g, body, uint64(len(want))*regionBytes)
		if err := m.Run(); err != nil {
			t.Fatalf("%s, seed %d: %v", name, seed, err)
		}
		checkSent(t, m, name)
		out := make([]byte, len(want)*regionBytes)
		m.Read(m.job.Image.Allocations()[0].Base, out)
		for i, region := range want {
			for k, w := range region {
				if got := binary.LittleEndian.Uint32(out[i*regionBytes+4*k:]); got != w {
					t.Fatalf("%s, seed %d: instruction %d left %d in word %d, want %d", name, seed, i, got, k, w)
				}
			}
		}
	}
}

func otherFabric(g *parameter.GPU, seed uint64) {
	g.L2MHz = []uint64{g.CoreMHz / 3, g.CoreMHz + 100, 2*g.CoreMHz + 7}[seed%3]
	g.Xbar.InputQueues = noc.InputVOQ
	if !g.SM.L1.Sectored {
		g.SM.L1.Local = cache.LocalBack
	}
	g.SM.L1.Stores = cache.StorePolicy(seed % uint64(cache.NumStorePolicies))
}

// TestClockOfL2ByHand: the time of a chain of loads that hit L2, with slower and slower clocks of L2. The
// clock of the SMs under another name changes nothing.
func TestClockOfL2ByHand(t *testing.T) {
	lines := 4 * mini().SM.L1.Bytes() / 128
	per := func(l2 uint64) float64 {
		g := bare()
		g.L2MHz = l2
		return float64(chase(t, g, lines, 128, uint32(lines), 96)-chase(t, g, lines, 128, uint32(lines), 32)) / 64
	}
	core := mini().CoreMHz
	if a, b := per(0), per(core); a != b {
		t.Errorf("a hit takes %g cycles, %g with the same clock", a, b)
	}
	// Every load of the chain is served in a clock of L2, so the chain takes a whole number of them.
	base := per(0)
	for _, l2 := range []uint64{core / 2, core / 8, core / 20} {
		clock := float64(core) / float64(l2)
		want := math.Ceil(base/clock) * clock
		if got := per(l2); math.Abs(got-want) > clock/64 {
			t.Errorf("L2 at %d MHz: a hit takes %g cycles, want %g (%g with the clock of the SMs)", l2, got, want, base)
		}
	}
}

// TestSavedOnOtherFabric: a machine that is saved and loaded goes on as if nothing had happened, with everything
// that only these values bring into its state.
func TestSavedOnOtherFabric(t *testing.T) {
	p := spill{30, 8, 8, 16, 24}
	start := func() *Machine {
		g := mini()
		otherFabric(g, 1)
		return buildFor(t, g, p.ptx(), 4096)
	}
	whole := start()
	if err := whole.Run(); err != nil {
		t.Fatal(err)
	}
	a := start()
	b, err := a.Twin(nil)
	if err != nil {
		t.Fatal(err)
	}
	for at := whole.Cycles() / 8; at < whole.Cycles(); at += whole.Cycles() / 8 {
		if _, err := a.Advance(at); err != nil {
			t.Fatal(err)
		}
		b.Load(a.Save(nil))
		if a.Digest() != b.Digest() {
			t.Fatalf("cycle %d: the states differ", at)
		}
		a, b = b, a
	}
	if err := a.Run(); err != nil {
		t.Fatal(err)
	}
	if x, y := a.Stats(), whole.Stats(); x != y || a.Cycles() != whole.Cycles() {
		t.Errorf("%d cycles after loading, %d without", a.Cycles(), whole.Cycles())
	}
}
