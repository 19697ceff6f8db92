package experiment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/ptx/syntax"
	"github.com/burstscope/burstscope/core/scenario"
)

const libraryHead = `.version 7.0
.target %s
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
`

// zeroEnded is the initial value of a text.
func zeroEnded(name, text string) string {
	var list []string
	for _, c := range []byte(text + "\x00") {
		list = append(list, fmt.Sprint(c))
	}
	return fmt.Sprintf(".global .align 1 .b8 %s[%d] = {%s};\n", name, len(list), strings.Join(list, ","))
}

func libraryScenario(target, body string, ctas, block int, args ...scenario.Arg) *scenario.Scenario {
	s := scenario.Default("")
	s.Machine.Preset = "mini"
	s.Workload.PTX = &scenario.PTX{
		Source: fmt.Sprintf(libraryHead, target) + body, Entry: "k", Grid: []int{ctas}, Block: []int{block}, Args: args,
	}
	return s
}

// bothRuns returns the result without a machine and that of a machine, with odd steps.
func bothRuns(t *testing.T, s *scenario.Scenario) (exact, timed *Result, err error) {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := PlanOf(s)
	if err != nil {
		return nil, nil, err
	}
	if exact, err = Functional(p, func(Progress) {}); err != nil {
		return nil, nil, err
	}
	r, err := New(p, Options{})
	for done := false; !done && err == nil; {
		done, err = r.Step(777)
	}
	if err != nil {
		return nil, nil, err
	}
	return exact, r.Result(), nil
}

// TestPrintfOfProgram: lanes in order, warp by warp, CTA by CTA; the timed run says the same, and so does a run that
// goes on from a stored state. The call returns the number of conversions.
func TestPrintfOfProgram(t *testing.T) {
	body := zeroEnded("format", "%d/%llu: %.2f%%\n") + `.visible .entry k(.param .u64 o) {
		.local .align 8 .b8 args[24];
		.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f64 %fd;
		mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;
		st.local.u32 [args], %r1;
		cvt.u64.u32 %rd1, %r4; st.local.u64 [args+8], %rd1;
		cvt.rn.f64.u32 %fd, %r4; mul.f64 %fd, %fd, 0d3FD0000000000000; st.local.f64 [args+16], %fd;
		mov.u64 %rd2, format; cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, args; cvta.local.u64 %rd3, %rd3;
		.param .b64 p; .param .b64 q; .param .b32 n;
		st.param.b64 [p], %rd2; st.param.b64 [q], %rd3; call.uni (n), vprintf, (p, q); ld.param.b32 %r5, [n];
		ld.param.u64 %rd4, [o]; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd4, %rd4, %rd5; st.global.u32 [%rd4], %r5;
		ret; }`
	s := libraryScenario("sm_70", body, 3, 40, scenario.Arg{Spec: "out:o:480"})
	exact, timed, err := bothRuns(t, s)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := range 120 {
		fmt.Fprintf(&want, "%d/%d: %.2f%%\n", i%40, i, float64(i)/4)
		if n := binary.LittleEndian.Uint32(timed.Outputs[0][4*i:]); n != 3 {
			t.Fatalf("thread %d: printf returns %d, want 3", i, n)
		}
	}
	for _, r := range []*Result{exact, timed} {
		if r.Printed == nil || r.Printed.Text != want.String() || r.Printed.DroppedCalls != 0 {
			t.Errorf("printed %+v", r.Printed)
		}
	}
	if !slices.Equal(exact.Outputs[0], timed.Outputs[0]) {
		t.Error("the machine's output differs")
	}
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := study.RunFunctional(); err != nil {
		t.Fatal(err)
	}
	other, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.UseExact("key", study.KeepExact("key")); err != nil {
		t.Fatal(err)
	}
	if got := printedOf(&other.printed); got == nil || got.Text != want.String() {
		t.Errorf("a kept exact output has %+v", got)
	}
}

// TestPrintfLimit: what does not fit is counted.
func TestPrintfLimit(t *testing.T) {
	text := strings.Repeat("x", 4095) + "\n"
	body := zeroEnded("format", text) + `.visible .entry k() {
		.reg .b64 %rd<3>; .param .b64 p; .param .b64 q; .param .b32 n;
		mov.u64 %rd1, format; cvta.global.u64 %rd1, %rd1;
		st.param.b64 [p], %rd1; st.param.b64 [q], %rd1; call.uni (n), vprintf, (p, q); ret; }`
	p, err := PlanOf(libraryScenario("sm_70", body, 9, 32))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Functional(p, func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Printed.Text) != execute.PrintedBytes || r.Printed.DroppedCalls != 9*32-execute.PrintedBytes/4096 {
		t.Errorf("%d bytes, %d calls dropped", len(r.Printed.Text), r.Printed.DroppedCalls)
	}
}

// TestAssertOfProgram: a failed assertion says what CUDA says, on both kinds of runs, after what has been printed.
func TestAssertOfProgram(t *testing.T) {
	body := zeroEnded("message", "i < 77") + zeroEnded("file", "dir/a.cu") + zeroEnded("function", "void k(int *)") +
		zeroEnded("said", "so far\n") + `.visible .entry k() {
		.reg .b32 %r<4>; .reg .pred %p; .reg .b64 %rd<6>;
		.param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
		mov.u64 %rd1, message; mov.u64 %rd2, file; mov.u64 %rd3, function; mov.u64 %rd4, said;
		cvta.global.u64 %rd1, %rd1; cvta.global.u64 %rd2, %rd2; cvta.global.u64 %rd3, %rd3; cvta.global.u64 %rd4, %rd4;
		mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; add.u32 %r1, %r1, %r2; setp.lt.u32 %p, %r1, 77; @%p ret;
		st.param.b64 [a], %rd4; st.param.b64 [b], %rd4; call.uni (c), vprintf, (a, b);
		st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; st.param.b32 [c], 19; st.param.b64 [d], %rd3; st.param.b64 [e], 1;
		call.uni __assertfail, (a, b, c, d, e); ret; }`
	s := libraryScenario("sm_70", body, 3, 77)
	_, _, err := bothRuns(t, s)
	want := "CTA (1,0,0) warp 2 thread (76,0,0): dir/a.cu:19: void k(int *): " +
		"block: [1,0,0], thread: [76,0,0] Assertion `i < 77` failed."
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	var stopped *Stopped
	if !errors.As(err, &stopped) || stopped.Printed.Text != "so far\n" {
		t.Errorf("before the fault: %+v", stopped)
	}
	// A machine whose exact output is known meets the fault itself.
	p, _ := PlanOf(s)
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	study.known = true
	r := study.Run(p, Options{})
	for done := false; !done && err == nil; {
		done, err = r.Step(1000)
	}
	if err == nil || !strings.Contains(err.Error(), "Assertion `i < 77` failed.") {
		t.Errorf("the machine says %v", err)
	}
}

// heapCommands runs a list of commands in one thread: malloc of so many bytes into a slot, or free of a slot.
const heapCommands = `.visible .entry k(.param .u64 list, .param .u32 n, .param .u64 slots, .param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<12>; .reg .pred %p; .param .b64 a; .param .b64 b;
	ld.param.u64 %rd1, [list]; ld.param.u32 %r1, [n]; ld.param.u64 %rd2, [slots]; ld.param.u64 %rd3, [out];
L:	ld.global.v2.u32 {%r2, %r3}, [%rd1]; mul.wide.u32 %rd4, %r2, 8; add.u64 %rd4, %rd4, %rd2;
	setp.eq.u32 %p, %r3, 0xffffffff; @%p bra F;
	cvt.u64.u32 %rd5, %r3; st.param.b64 [a], %rd5; call (b), malloc, (a); ld.param.b64 %rd6, [b];
	st.global.u64 [%rd4], %rd6; bra N;
F:	ld.global.u64 %rd6, [%rd4]; st.param.b64 [a], %rd6; call free, (a);
N:	st.global.u64 [%rd3], %rd6; add.u64 %rd3, %rd3, 8; add.u64 %rd1, %rd1, 8;
	sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra L; ret; }`

type heapCommand struct{ slot, bytes uint32 }

const heapFree = 0xffffffff

func heapRun(t *testing.T, list []heapCommand) ([]uint64, error) {
	t.Helper()
	var data []byte
	for _, c := range list {
		data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(data, c.slot), c.bytes)
	}
	s := libraryScenario("sm_50", heapCommands, 1, 1, scenario.Arg{Spec: "in:list", Data: data},
		scenario.Arg{Spec: fmt.Sprintf("u32:%d", len(list))}, scenario.Arg{Spec: "scratch:slots:65536"},
		scenario.Arg{Spec: fmt.Sprintf("out:o:%d", 8*len(list))})
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Functional(p, func(Progress) {})
	if err != nil {
		return nil, err
	}
	var got []uint64
	for i := range list {
		got = append(got, binary.LittleEndian.Uint64(r.Outputs[0][8*i:]))
	}
	return got, nil
}

// TestHeap: blocks are aligned, never overlap, and lie in a heap of 8 MB; a null pointer comes only if no gap is large
// enough; and when everything has been freed, in whatever order, the whole heap is one block again.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 1))
	var list []heapCommand
	live := map[uint32]bool{}
	for range 6000 {
		slot := rng.Uint32N(300)
		if live[slot] {
			list = append(list, heapCommand{slot, heapFree})
		} else {
			bytes := rng.Uint32N(1 << rng.Uint32N(18))
			list = append(list, heapCommand{slot, bytes})
		}
		live[slot] = !live[slot]
	}
	for _, slot := range rng.Perm(300) {
		if live[uint32(slot)] {
			list = append(list, heapCommand{uint32(slot), heapFree})
		}
	}
	list = append(list, heapCommand{0, syntax.HeapBytes}, heapCommand{0, heapFree}, heapCommand{1, syntax.HeapBytes + 1})
	got, err := heapRun(t, list)
	if err != nil {
		t.Fatal(err)
	}
	last := len(list) - 1
	base := got[last-2]
	if base == 0 || got[last] != 0 {
		t.Fatalf("at the end, malloc of the whole heap gives %#x, and of one byte more %#x", base, got[last])
	}
	type block struct{ from, to uint64 }
	held := map[uint32]block{}
	full := 0
	for i, c := range list {
		switch at := got[i]; {
		case c.bytes == heapFree:
			delete(held, c.slot)
		case at == 0:
			var blocks []block
			for _, b := range held { // in no order: sorted below
				blocks = append(blocks, b)
			}
			slices.SortFunc(blocks, func(a, b block) int { return int(a.from) - int(b.from) })
			from := base
			for _, b := range append(blocks, block{base + syntax.HeapBytes, 0}) {
				if room := b.from - from; c.bytes > 0 && room >= uint64(c.bytes+15)&^15 {
					t.Fatalf("command %d: no room for %d bytes, but %d are free at %#x", i, c.bytes, room, from)
				}
				from = b.to
			}
			full++
		default:
			b := block{at, at + uint64(c.bytes)}
			if at%16 != 0 || b.from < base || b.to > base+syntax.HeapBytes {
				t.Fatalf("command %d: %d bytes at %#x of the heap at %#x", i, c.bytes, at, base)
			}
			for slot, o := range held {
				if b.from < o.to && o.from < b.to {
					t.Fatalf("command %d: %d bytes at %#x are also in slot %d", i, c.bytes, at, slot)
				}
			}
			held[c.slot] = b
		}
	}
	if full < 10 {
		t.Errorf("the heap was full %d times: the test needs more", full)
	}
}

// TestWrongFree: pointers that malloc has not given are faults by name.
func TestWrongFree(t *testing.T) {
	for name, list := range map[string][]heapCommand{
		"twice":         {{0, 64}, {0, heapFree}, {0, heapFree}},
		"twice, behind": {{0, 64}, {1, 64}, {0, heapFree}, {0, heapFree}},
	} {
		_, err := heapRun(t, list)
		if err == nil || !strings.Contains(err.Error(), "malloc has not given this address, or it has been freed already") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, offset := range map[string]int{"inside": 16, "unaligned": 1, "before": -16, "of another buffer": -1 << 40} {
		body := fmt.Sprintf(`.visible .entry k() { .reg .b64 %%rd<3>; .param .b64 a; .param .b64 b;
			st.param.b64 [a], 64; call (b), malloc, (a); ld.param.b64 %%rd1, [b]; add.s64 %%rd1, %%rd1, %d;
			st.param.b64 [a], %%rd1; call free, (a); ret; }`, offset)
		_, _, err := bothRuns(t, libraryScenario("sm_70", body, 1, 1))
		if err == nil || !strings.Contains(err.Error(), "k:6:") || !strings.Contains(err.Error(), "malloc has not given") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := heapRun(t, []heapCommand{{5, heapFree}}); err != nil {
		t.Errorf("free of a null pointer: %v", err)
	}
}

// TestHeapOfThreads: threads of many warps and CTAs allocate, write, check and free at the same time, on machines
// before and after sm_70. At the end the heap is whole.
func TestHeapOfThreads(t *testing.T) {
	const body = `.visible .entry k(.param .u64 o) {
		.reg .b32 %r<12>; .reg .b64 %rd<9>; .reg .pred %p; .param .b64 a; .param .b64 b;
		mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;
		and.b32 %r5, %r4, 7; shl.b32 %r5, %r5, 4; add.u32 %r5, %r5, 4; cvt.u64.u32 %rd1, %r5;
		st.param.b64 [a], %rd1; call (b), malloc, (a); ld.param.b64 %rd2, [b];
		add.u64 %rd3, %rd2, %rd1; st.volatile.u32 [%rd3+-4], %r4; bar.sync 0; ld.volatile.u32 %r6, [%rd3+-4];
		st.param.b64 [a], %rd2; call free, (a); bar.sync 0;
		ld.param.u64 %rd4, [o]; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd5, %rd4; st.global.u32 [%rd5], %r6;
		setp.ne.u32 %p, %r1, 0; @%p ret;
		membar.gl; mov.u32 %r8, %nctaid.x; sub.u32 %r8, %r8, 1; atom.global.add.u32 %r7, [%rd4+2048], 1;
		setp.ne.u32 %p, %r7, %r8; @%p ret;
		st.param.b64 [a], 8388608; call (b), malloc, (a); ld.param.b64 %rd6, [b];
		setp.ne.u64 %p, %rd6, 0; selp.u32 %r9, 1, 2, %p; st.global.u32 [%rd4+2052], %r9; ret; }`
	for _, target := range []string{"sm_50", "sm_70"} {
		exact, timed, err := bothRuns(t, libraryScenario(target, body, 6, 80, scenario.Arg{Spec: "out:o:2056"}))
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		for name, r := range map[string]*Result{"exact": exact, "timed": timed} {
			for i := range 480 {
				if got := binary.LittleEndian.Uint32(r.Outputs[0][4*i:]); got != uint32(i) {
					t.Errorf("%s, %s: thread %d reads %d", target, name, i, got)
					break
				}
			}
			if whole := r.Outputs[0][2052]; whole != 1 {
				t.Errorf("%s, %s: the heap is not whole at the end", target, name)
			}
		}
	}
}

// TestHeapOfModules: all modules of a program have one heap, which lasts from launch to launch.
func TestHeapOfModules(t *testing.T) {
	head := fmt.Sprintf(libraryHead, "sm_70")
	s := libraryScenario("sm_70", `.visible .entry k(.param .u64 o) { .reg .b64 %rd<3>; .param .b64 a; .param .b64 b;
		st.param.b64 [a], 64; call (b), malloc, (a); ld.param.b64 %rd1, [b]; st.u32 [%rd1], 7;
		ld.param.u64 %rd2, [o]; st.global.u64 [%rd2], %rd1; ret; }`, 1, 1)
	p := s.Workload.PTX
	p.Args, p.Buffers = nil, []scenario.Arg{{Spec: "out:o:16"}}
	p.Modules = []scenario.Module{{Name: "second", Source: head + `.visible .entry give(.param .u64 o) {
		.reg .b64 %rd<3>; .reg .b32 %r; .param .b64 a;
		ld.param.u64 %rd2, [o]; ld.global.u64 %rd1, [%rd2]; ld.u32 %r, [%rd1]; st.global.u32 [%rd2+8], %r;
		st.param.b64 [a], %rd1; call free, (a); ret; }`}}
	p.Entry = ""
	p.Launches = []scenario.HostStep{
		{Entry: "k", Args: []scenario.Arg{{Spec: "ptr:o"}}},
		{Entry: "give", Module: "second", Args: []scenario.Arg{{Spec: "ptr:o"}}},
	}
	exact, timed, err := bothRuns(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if exact.Outputs[0][8] != 7 || timed.Outputs[0][8] != 7 {
		t.Errorf("%v, %v", exact.Outputs, timed.Outputs)
	}
}
