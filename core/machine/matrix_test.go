package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/stat"
)

// TestMatrixTime: a chain of mma takes its latency each time, in every preset, and the
// unit in proportion to the work; ldmatrix takes shared memory one matrix at a time,
// longer where the rows of a matrix meet in the same banks.
func TestMatrixTime(t *testing.T) {
	const head = ".reg .b32 %x<4>; .reg .f32 %f<4>; .reg .f64 %d<2>; .shared .align 16 .b8 tile[8192];\n"
	const chain = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%x0, %x1, %x0, %x1}, {%x2, %x3}, {%f0, %f1, %f2, %f3};\n"
	cycles := func(spec *parameter.GPU, body string) (uint64, *stat.Set) {
		t.Helper()
		m, err := run(t, spec, head+body)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Stats()
		return uint64(m.Cycles()), &s
	}
	for _, name := range preset.Names() {
		spec, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		withoutFetches(spec)
		timing := spec.SM.Timing[ptx.ClassMatrix]
		if timing.LatencyCycles == 0 || timing.InitiationCycles == 0 {
			t.Fatalf("%s has no time for matrix instructions", name)
		}
		few, _ := cycles(spec, strings.Repeat(chain, 40))
		many, _ := cycles(spec, strings.Repeat(chain, 50))
		// Two warps: each waits for itself, or both for the unit.
		least := 10 * uint64(max(timing.LatencyCycles, timing.InitiationCycles))
		if d := many - few; d < least || d > 2*least {
			t.Errorf("%s: 10 dependent mma take %d cycles, at a latency of %d", name, d, timing.LatencyCycles)
		}
	}
	spec := bare()
	spec.SM.PipelineCycles = 0
	spec.SM.Timing[ptx.ClassMatrix].LatencyCycles, spec.SM.Timing[ptx.ClassMatrix].InitiationCycles = 40, 32
	for text, want := range map[string]uint64{
		chain: 40,
		"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%x0, %x1}, {%x2}, {%f0, %f1, %f2, %f3};\n":                                                                 24,
		"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f3}, {%x0, %x1, %x0, %x1}, {%x2, %x3}, {%f0, %f1, %f2, %f3};\n":                                                40,
		"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%x0, %x1, %x2, %x3}, {%x0, %x1, %x0, %x1}, {%x2, %x3}, {%x0, %x1, %x2, %x3};\n":                                                   40,
		"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%x0, %x1}, {%x2}, {%x3}, {%x0, %x1};\n":                                                                                  16,
		"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%x0, %x1, %x2, %x3}, {%x0, %x1, %x2, %x3, %x0, %x1, %x2, %x3}, {%x0, %x1, %x2, %x3, %x0, %x1, %x2, %x3}, {%x0, %x1, %x2, %x3};\n": 72,
		"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%d0}, {%d1}, {%d0, %d1};\n":                                                                                           72,
	} {
		few, _ := cycles(spec, strings.Repeat(text, 40))
		many, _ := cycles(spec, strings.Repeat(text, 50))
		// Two warps, each on a scheduler of its own; the first 40 hide what a launch takes.
		if d := many - few; d != 10*want {
			t.Errorf("10 times %s take %d cycles, want %d", text, d, 10*want)
		}
	}
	for pitch, want := range map[int]uint64{16: 0, 32: 4, 128: 28, 144: 0} {
		_, s := cycles(mini(), fmt.Sprintf("mov.u32 %%x3, tile; and.b32 %%r, %%t, 31; mad.lo.u32 %%r, %%r, %d, %%x3;\n", pitch)+
			"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%x0, %x1, %x2, %x3}, [%r];")
		if s[stat.SharedAccesses] != 2 || s[stat.SharedConflictCycles] != 2*want {
			t.Errorf("rows %d bytes apart: %d accesses and %d cycles of conflicts, want 2 and %d",
				pitch, s[stat.SharedAccesses], s[stat.SharedConflictCycles], 2*want)
		}
	}
}
