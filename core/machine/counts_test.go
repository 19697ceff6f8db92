package machine

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
)

// Stall cycles are charged to the instruction that the machine waits to issue, or
// that holds it, and bytes to the instruction that moves them.
func TestCountsNameTheInstruction(t *testing.T) {
	address := "mul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\n"
	for _, c := range []struct {
		name, body string
		hottest    string // the instruction with most stall cycles
		mover      string // one that moves bytes
		moved      sm.Count
	}{
		{"load", address + "ld.global.u32 %r, [%a];\nadd.u32 %t, %r, 1;\nsub.u32 %t, %t, 1;", "add.u32 %t, %r, 1;",
			"ld.global.u32", sm.Count{Executions: 2, Lanes: 64, L1Misses: 2, Bytes: 256}},
		{"load past L1", address + "ld.global.cg.u32 %r, [%a];\nadd.u32 %t, %r, 1;", "add.u32 %t, %r, 1;",
			"ld.global.cg.u32", sm.Count{Executions: 2, Lanes: 64, Bytes: 256}},
		{"sector past L1", "ld.global.cg.u32 %r, [%p];\nadd.u32 %t, %r, 1;", "add.u32 %t, %r, 1;",
			"ld.global.cg.u32", sm.Count{Executions: 2, Lanes: 64, Bytes: 64}},
		{"guarded load", address + "setp.lt.u32 %q, %t, 24;\n@%q ld.global.u32 %r, [%a];\nadd.u32 %t, %r, 1;", "add.u32 %t, %r, 1;",
			"ld.global.u32", sm.Count{Executions: 2, Lanes: 24, L1Misses: 1, Bytes: 128}},
		{"fence", address + "st.global.u32 [%a], %t;\nmembar.gl;", "membar.gl;",
			"st.global.u32", sm.Count{Executions: 2, Lanes: 64, Bytes: 256}},
		{"last stores", address + "st.global.u32 [%a], %t;", "ret;",
			"st.global.u32", sm.Count{Executions: 2, Lanes: 64, Bytes: 256}},
		{"atomics", "atom.global.add.u32 %r, [%p], %t;\nadd.u32 %t, %r, 1;", "add.u32 %t, %r, 1;",
			"atom.global.add.u32", sm.Count{Executions: 2, Lanes: 64, Bytes: 64}},
	} {
		m, err := run(t, bare(), c.body)
		if err != nil {
			t.Fatal(c.name, err)
		}
		k := m.Counts()[0]
		hottest, stalls := 0, uint64(0)
		for pc, n := range k.Counts {
			stalls += n.StallCycles
			if n.StallCycles > k.Counts[hottest].StallCycles {
				hottest = pc
			}
			n.StallCycles = 0
			if text := k.Kernel.Text[pc]; strings.Contains(text, c.mover) {
				if n != c.moved {
					t.Errorf("%s: %s comes to %+v, want %+v", c.name, text, n, c.moved)
				}
			} else if n.Bytes != 0 || n.L1Misses != 0 {
				t.Errorf("%s: %s comes to %+v", c.name, text, n)
			}
		}
		if text := k.Kernel.Text[hottest]; text != c.hottest {
			t.Errorf("%s: most stall cycles at %s, want %s", c.name, text, c.hottest)
		}
		s := m.Stats()
		if want := s[stat.StallMemoryCycles] + s[stat.StallBarrierCycles] + s[stat.StallPipelineCycles]; stalls != want {
			t.Errorf("%s: %d stall cycles of %d", c.name, stalls, want)
		}
	}
}
