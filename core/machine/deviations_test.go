package machine

import (
	"os"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// withoutFetches takes the caches that fetch instructions and constants out of a
// machine: what its programs do to memory is their own then.
func withoutFetches(s *parameter.GPU) *parameter.GPU {
	s.SM.Fetch.Cache.Sets, s.SM.Constant.Cache.Sets = 0, 0
	return s
}

func bare() *parameter.GPU { return withoutFetches(mini()) }

// TestDeviations asserts every known deviation of the machine that core/DEVIATIONS.md
// lists. A change that removes one must also change the list.
func TestDeviations(t *testing.T) {
	readme, err := os.ReadFile("../DEVIATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, deviates := range map[string]func(t *testing.T) bool{
		"Constants are one line": func(t *testing.T) bool {
			m, err := run(t, mini(), ".const .u32 c;\nld.const.u32 %r, [c];\nadd.u32 %t, %r, 1;")
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			return s[stat.ConstantReads] == 4 && s[stat.ConstantMisses] == 1
		},
		"Parameters move no bytes": func(t *testing.T) bool {
			m, err := run(t, built("h200"), "ld.param.u64 %p, [p];")
			if err != nil {
				t.Fatal(err)
			}
			return m.Cycles() > 300 && m.Stats()[stat.XbarRequestFlits] == 0
		},
		"L2 fills whole lines": func(t *testing.T) bool {
			m, err := run(t, bare(), "ld.global.u32 %r, [%p];")
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			return s[stat.DRAMReadBytes] == mem.LineBytes
		},
		"Asynchronous copies hold their warp": func(t *testing.T) bool {
			const copied = ".shared .align 16 .b8 buf[1024];\nmad.lo.u32 %r, %t, 16, buf;\ncp.async.ca.shared.global [%r], [%p], 16;\n"
			alone, err := run(t, bare(), copied)
			if err != nil {
				t.Fatal(err)
			}
			followed, err := run(t, bare(), copied+strings.Repeat("mad.lo.u32 %t, %t, %t, 1;\n", 60))
			if err != nil {
				t.Fatal(err)
			}
			return followed.Cycles() >= alone.Cycles()+60*4
		},
		"L1 keeps stores by sectors": func(t *testing.T) bool {
			hits := func(g *parameter.GPU, program string) uint64 {
				m, err := run(t, withoutFetches(g), program)
				if err != nil {
					t.Fatal(err)
				}
				return m.Stats()[stat.L1Hits]
			}
			const line = "mul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nst.global.u32 [%a], %t;\nld.global.u32 %r, [%a];\n"
			const half = "mul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nst.global.u16 [%a], %t;\nld.global.u16 %r, [%a];\n"
			return hits(built("h200"), line) > 0 && hits(built("h200"), half) == 0 && hits(built("v100"), line) == 0 && hits(built("a100"), line) == 0 && hits(built("p100"), line) == 0
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
		"GDDR5 is not refreshed": func(*testing.T) bool {
			return gtx480().DRAM.REFI == 0 && gtx580().DRAM.REFI == 0
		},
		"One clock for SMs, crossbars and L2": func(t *testing.T) bool {
			// With SMs twice as fast, a hit in L2 takes as many of their cycles as before,
			// because crossbars and L2 are twice as fast too. DRAM is not.
			at := func(factor uint64, strideBytes uint64, words int, warm uint32) float64 {
				s := bare()
				s.CoreMHz *= factor
				return float64(chase(t, s, words, strideBytes, warm, 64)-chase(t, s, words, strideBytes, warm, 32)) / 32
			}
			lines := 4 * mini().SM.L1.Bytes() / mem.LineBytes
			l2, dram := func(f uint64) float64 { return at(f, mem.LineBytes, lines, uint32(lines)) }, func(f uint64) float64 { return at(f, 65536, 66, 1) }
			if dram(2) <= dram(1) {
				t.Errorf("DRAM takes %g cycles of faster SMs, %g of slower ones: it has no clock of its own", dram(2), dram(1))
			}
			return l2(2) == l2(1)
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
			t.Errorf("%s: this does not hold any more: take it off the list in core/DEVIATIONS.md", name)
		}
		if !strings.Contains(string(readme), "**"+name+"**") {
			t.Errorf("%s: core/DEVIATIONS.md does not list it", name)
		}
	}
}
