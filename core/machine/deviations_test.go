package machine

import (
	"os"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/stat"
)

// TestDeviations asserts every known deviation of the machine that core/README.md
// lists: whoever closes one has to take it off the list.
func TestDeviations(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, deviates := range map[string]func(t *testing.T) bool{
		"Parameter loads take no memory": func(t *testing.T) bool {
			m, err := run(t, mini(), "")
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			in := &m.job.Launches[0].Kernel.Code[0]
			return in.Class == ptx.ClassMove && s[stat.L1Accesses]+s[stat.L1Bypasses] == 0
		},
		"Instructions are not fetched": func(t *testing.T) bool {
			m, err := run(t, mini(), "")
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			return s[stat.WarpInstructions] > 0 && s[stat.DRAMReadBytes] == 0
		},
		"L2 fills whole lines": func(t *testing.T) bool {
			m, err := run(t, mini(), "ld.global.u32 %r, [%p];")
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			return s[stat.DRAMReadBytes] == mem.LineBytes
		},
		"Dirty lines stay in L2": func(t *testing.T) bool {
			m, err := run(t, mini(), "st.global.u32 [%p], %t;")
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			dirty := 0
			m.ForEachDirty(func(mem.Addr, *mem.Line, mem.ByteMask) { dirty++ })
			return s[stat.DRAMWriteBytes] == 0 && dirty == 1
		},
		"L1 allocates on fill": func(t *testing.T) bool {
			var s stat.Set
			l := cache.NewL1(cache.L1Config{Geometry: cache.Geometry{Sets: 1, Ways: 1}, MSHRs: 2, Merges: 1, LatencyCycles: 1})
			_, i := l.Load(0, 0, &s)
			l.Fill(i, new(mem.Line), &s)
			l.Load(mem.LineBytes, 0, &s) // a miss that will replace the line, later
			o, _ := l.Load(0, 0, &s)
			return o == cache.Hit
		},
		"GDDR5 is not refreshed": func(*testing.T) bool {
			return gtx480().DRAM.REFI == 0 && gtx580().DRAM.REFI == 0
		},
		"One clock for SMs, crossbars and L2": func(*testing.T) bool {
			return gtx480().DRAMClock().Den == gtx480().CoreMHz
		},
		"Launches follow at once": func(*testing.T) bool { return gtx580().LaunchGapCycles == 0 },
		"Local memory is written through": func(t *testing.T) bool {
			m, err := run(t, mini(), ".local .align 4 .b8 buf[4];\nst.local.u32 [buf], %t;\nst.local.u32 [buf], %t;")
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			return s[stat.L2WriteAccesses] == 4 // two warps, two stores each
		},
	} {
		if !deviates(t) {
			t.Errorf("%s: this does not hold any more: take it off the list in core/README.md", name)
		}
		if !strings.Contains(string(readme), "**"+name+"**") {
			t.Errorf("%s: core/README.md does not list it", name)
		}
	}
}
