package machine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// groupJob is one CTA of 256 threads, two warp groups, that fills shared memory with f16 ones, executes a text, and
// stores the first accumulator of each thread.
func groupJob(t *testing.T, threads uint32, text string) (Job, mem.Addr) {
	t.Helper()
	const head = `.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>; .reg .f32 %f<128>; .shared .align 1024 .b8 s[49152];
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mov.b32 %r3, 0x3c003c00;
F:	st.shared.v4.b32 [%r2], {%r3, %r3, %r3, %r3}; add.u32 %r2, %r2, 2048; setp.lt.u32 %p1, %r2, 49152; @%p1 bra F;
	fence.proxy.async; bar.sync 0; mov.b64 %rd2, 0x4000004000000000; mov.b64 %rd3, 0x4000004000000400;
`
	module, err := compile.Load("k.ptx", []byte(head+text+
		"\n	mul.wide.u32 %rd4, %r1, 4; add.u64 %rd1, %rd1, %rd4; st.global.f32 [%rd1], %f0; ret; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	out, err := image.Alloc("out", 4*uint64(threads))
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1},
		Params: binary.LittleEndian.AppendUint64(nil, out.Base)}
	return Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)}, out.Base
}

// groupOperation is wgmma.mma_async of n columns on f16, swizzled by 128 bytes, with A in shared memory or in
// registers.
func groupOperation(n int, registers bool) string {
	var d []string
	for i := range n / 2 {
		d = append(d, fmt.Sprintf("%%f%d", i))
	}
	a, ends := "%rd2", "0, 0"
	if registers {
		a, ends = "{%r3, %r3, %r3, %r3}", "0"
	}
	return fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n%dk16.f32.f16.f16 {%s}, %s, %%rd3, 1, 1, 1, %s;\n",
		n, strings.Join(d, ", "), a, ends)
}

const groupEnds = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"

// groupCycles returns the cycles of a body in a CTA of an H100.
func groupCycles(t *testing.T, threads uint32, text string) uint64 {
	t.Helper()
	job, _ := groupJob(t, threads, text)
	m, err := New(withoutFetches(built("h100")), job)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	return uint64(m.Cycles())
}

// TestGroupTime: operations of wgmma take N/2 cycles one after the other on an H100, less than 64 columns as long as
// shared memory, and one alone 17 + N/2 + 65 (FlashGPU-Sim; Luo et al., arXiv 2402.13499 and 2501.12084).
func TestGroupTime(t *testing.T) {
	cycles := func(threads uint32, text string) uint64 { return groupCycles(t, threads, text) }
	for _, c := range []struct {
		n         int
		registers bool
		threads   uint32
		want      uint64 // cycles of ten more operations of each warp group
	}{
		{256, false, 128, 1280}, {128, false, 128, 640}, {64, false, 128, 320}, {256, true, 128, 1280},
		{256, false, 256, 2560}, // two groups share the tensor cores
		{32, false, 128, 240},   // 2048 + 1024 bytes at 128 a cycle
		{32, true, 128, 160},    // N/2, and no faster than one in 16 cycles
		{8, true, 128, 160},
	} {
		operation := groupOperation(c.n, c.registers)
		few := cycles(c.threads, strings.Repeat(operation, 20)+groupEnds)
		many := cycles(c.threads, strings.Repeat(operation, 30)+groupEnds)
		if got := many - few; got != c.want {
			t.Errorf("ten m64n%d of %d threads, A in registers %t: %d cycles, want %d", c.n, c.threads, c.registers,
				got, c.want)
		}
	}
	without := cycles(128, groupEnds)
	alone := cycles(128, groupOperation(256, false)+groupEnds) - without
	if want := uint64(17 + 128 + 65); alone+4 < want || alone > want+8 {
		t.Errorf("one m64n256 takes %d cycles, want about %d", alone, want)
	}
	// Work that does not depend on it goes on beside it.
	beside := strings.Repeat("add.f32 %f127, %f127, %f126;\n", 20)
	if both := cycles(128, groupOperation(64, false)+beside+groupEnds); both > cycles(128, groupOperation(64,
		false)+groupEnds)+4 {
		t.Error("additions behind an operation of wgmma wait for it")
	}
}

// TestGroupFaultInTheMachine: what the SM could execute early does not use an accumulator before its time.
func TestGroupFaultInTheMachine(t *testing.T) {
	early := "add.u32 %r5, %r1, %r1;\nadd.f32 %f9, %f0, %f1;\nadd.u32 %r5, %r1, %r1;\n"
	job, _ := groupJob(t, 128, groupOperation(64, false)+early+groupEnds)
	m, err := New(built("h100"), job)
	if err != nil {
		t.Fatal(err)
	}
	var f *execute.Fault
	if err := m.Run(); !errors.As(err, &f) || f.Line != 11 || !strings.Contains(f.Message,
		"an accumulator of wgmma.mma_async in line 9") {
		t.Errorf("%v; want a fault in line 11", err)
	}
}

// TestGroupsInTheMachine: presets have the sums of the exact run, and a state saved in the middle, while warps wait
// for their warp group and operations are under way, goes on to the same end.
func TestGroupsInTheMachine(t *testing.T) {
	text := strings.Repeat(groupOperation(64,
		false)+"wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;\n", 12) + groupEnds
	// The second warp group comes late.
	text = "setp.gt.u32 %p2, %r1, 127; mov.u32 %r4, 0;\n@!%p2 bra G;\n" +
		"L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 60; @%p1 bra L;\nG:\n" + text
	for _, gpu := range []string{"h100", "h200"} {
		job, out := groupJob(t, 256, text)
		m, err := New(built(gpu), job)
		if err != nil {
			t.Fatal(err)
		}
		var end uint64
		twins := []*Machine{m}
		for cycle := sim.Cycle(400); ; cycle += 331 {
			done, err := m.Advance(cycle)
			if err != nil {
				t.Fatal(err)
			}
			if done {
				end = uint64(m.Cycles())
				break
			}
			twin := resumed(t, m)
			twins = append(twins, twin)
		}
		want := make([]byte, 0, 1024)
		for range 256 {
			want = binary.LittleEndian.AppendUint32(want, math.Float32bits(12*16))
		}
		got := make([]byte, len(want))
		for i, m := range twins {
			if err := m.Run(); err != nil {
				t.Fatal(err)
			}
			if m.Read(out, got); !bytes.Equal(got, want) {
				t.Errorf("%s, twin %d: the sums are not those of the host", gpu, i)
			}
			s := m.Stats()
			if uint64(m.Cycles()) != end || s[stat.WarpInstructions] == 0 {
				t.Errorf("%s, twin %d ends in cycle %d, not %d", gpu, i, m.Cycles(), end)
			}
		}
		if len(twins) < 4 {
			t.Errorf("%s: only %d states were saved", gpu, len(twins)-1)
		}
	}
}
