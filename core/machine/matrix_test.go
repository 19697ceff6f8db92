package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/stat"
)

// TestMatrixTime: a chain of mma takes its latency each time, whatever the preset,
// and ldmatrix takes shared memory one matrix at a time, longer where the rows of a
// matrix meet in the same banks.
func TestMatrixTime(t *testing.T) {
	const head = ".reg .b32 %x<4>; .reg .f32 %f<4>; .shared .align 16 .b8 tile[8192];\n"
	const chain = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%x0, %x1}, {%x2}, {%f0, %f1, %f2, %f3};\n"
	cycles := func(spec *Spec, body string) (uint64, *stat.Set) {
		t.Helper()
		m, err := run(t, spec, head+body)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Stats()
		return uint64(m.Cycles()), &s
	}
	for _, name := range PresetNames() {
		spec, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		withoutFetches(spec)
		timing := spec.SM.Timing[ptx.ClassMatrix]
		if timing.LatencyCycles == 0 || timing.InitiationCycles == 0 {
			t.Fatalf("%s has no time for matrix instructions", name)
		}
		few, _ := cycles(spec, strings.Repeat(chain, 2))
		many, _ := cycles(spec, strings.Repeat(chain, 12))
		// Two warps: each waits for itself, or both for the unit.
		least := 10 * uint64(max(timing.LatencyCycles, timing.InitiationCycles))
		if d := many - few; d < least || d > 2*least {
			t.Errorf("%s: 10 dependent mma take %d cycles, at a latency of %d", name, d, timing.LatencyCycles)
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
