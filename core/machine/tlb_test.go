package machine

import (
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
)

// translating returns a preset whose translations take time, with other values of it in pairs of path and value.
func translating(t *testing.T, name string, pairs ...string) *parameter.GPU {
	t.Helper()
	spec := built(name)
	for pairs = append(pairs, "tlb.on", "on"); len(pairs) > 0; pairs = pairs[2:] {
		if f := spec.Override(pairs[0], pairs[1]); f != nil {
			t.Fatal(f)
		}
	}
	if faults := spec.Check(32); len(faults) > 0 {
		t.Fatal(faults)
	}
	return spec
}

// TestTLBSteps follows pointers past L1 with one line on each page, as Jia et al. did. A load takes longer by the
// latency of the shared TLB from the page on that no longer fits the SM's, and by a page walk from the reach of the
// shared one on: to the cycle, for the sizes of every preset that has them, and for others. Lines that hit L1 need no
// translation.
func TestTLBSteps(t *testing.T) {
	for _, name := range []string{"p100", "v100", "rtx2060"} {
		for _, pairs := range [][]string{
			{},
			{"tlb.l1.pageBytes", "65536", "tlb.l1.entries", "5", "tlb.l2.pageBytes", "131072", "tlb.l2.entries",
				"12", "tlb.l2.ways", "12"},
			{"tlb.l1.misses", "1", "tlb.walkers", "1", "tlb.l1.pageBytes", "262144", "tlb.l2.entries", "32", "tlb.l2.ways",
				"8", "tlb.l2.pageBytes", "524288"},
		} {
			spec := translating(t, name, append(pairs, "sm.l1Loads", "off")...)
			c := &spec.TLB
			per := func(pages, pageBytes int) float64 {
				// The lines of different pages are in different sets of L2.
				stride := uint64(pageBytes + 33*128)
				n := uint32(pages)
				return float64(chase(t, spec, pages, stride, 2*n, 3*n)-chase(t, spec, pages, stride, 2*n,
					n)) / float64(2*n)
			}
			// A stride is a little more than a page, so fewer strides than entries stay within them.
			base := per(c.L1.Entries-2, c.L1.PageBytes)
			shared := per(c.L1.Entries+2, c.L1.PageBytes)
			what := fmt.Sprintf("%s %v", name, pairs)
			if shared-base != float64(c.L2.LatencyCycles) {
				t.Errorf("%s: a miss in the SM's TLB takes %.2f cycles, want %d", what, shared-base, c.L2.LatencyCycles)
			}
			if len(pairs) == 0 {
				continue // a shared TLB of gigabytes: as the smaller ones
			}
			walked := per(c.L2.Entries+c.L2.Entries/8+2, c.L2.PageBytes)
			if want := float64(c.L2.LatencyCycles + c.WalkCycles); walked-base != want {
				t.Errorf("%s: a miss in both TLBs takes %.2f cycles, want %.0f", what, walked-base, want)
			}
			off := *spec
			off.TLB.On = false
			untranslated := chase(t, &off, 8, 128, 16, 24) - chase(t, &off, 8, 128, 16, 8)
			if on := chase(t, spec, 8, 128, 16, 24) - chase(t, spec, 8, 128, 16, 8); on != untranslated {
				t.Errorf("%s: loads of one page take %d cycles, without translation %d", what, on, untranslated)
			}
		}
		spec := translating(t, name, "tlb.l1.entries", "1", "tlb.l1.pageBytes", "1024", "sm.l1Loads", "on")
		off := built(name)
		off.SM.L1Loads = true
		hits := func(s *parameter.GPU) uint32 {
			return chase(t, s, 16, 1024+128, 32, 48) - chase(t, s, 16, 1024+128, 32, 16)
		}
		if on, off := hits(spec), hits(off); on != off {
			t.Errorf("%s: 32 hits in L1 take %d cycles with translation, %d without", name, on, off)
		}
	}
}

// TestMeasuredTLBMiss: the difference between a load without a TLB's page and one with it, which Jia et al. measured on
// a V100 and a T4, and Karnagel et al. on a P100.
func TestMeasuredTLBMiss(t *testing.T) {
	for name, want := range map[string]int{"v100": 1029 - 375, "rtx2060": 616 - 296, "p100": 412 - 293} {
		if c := &built(name).TLB; c.L2.LatencyCycles+c.WalkCycles != want {
			t.Errorf("%s: a miss in both TLBs takes %d cycles, want %d", name, c.L2.LatencyCycles+c.WalkCycles, want)
		}
	}
}

// TestTLBArithmetic: a page whose sectors a storage places takes its arithmetic longer, on hits too, and others do not.
func TestTLBArithmetic(t *testing.T) {
	const body = "mul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nld.global.u32 %r, [%a];\nadd.u32 %t, %r, " +
		"1;\nst.global.u32 [%a], %t;"
	cycles := func(arithmetic string, placed bool) (uint64, uint64) {
		m, _ := runJob(t, translating(t, "p100", "tlb.arithmeticCycles", arithmetic), body, func(j *Job) {
			j.Placed = func(uint64) bool { return placed }
		})
		return uint64(m.Cycles()), m.Stats()[stat.TLBArithmeticCycles]
	}
	none, zero := cycles("0", true)
	some, counted := cycles("40", true)
	if some != none+80 || zero != 0 || counted != 160 { // a load and a store of two lines, one after the other
		t.Errorf("40 cycles of arithmetic: %d cycles instead of %d, %d counted", some, none, counted)
	}
	if other, counted := cycles("40", false); other != none || counted != 0 {
		t.Errorf("a page that nobody places takes %d cycles instead of %d", other, none)
	}
}

// TestTLBKeepsOrder: a warp's load of a line that it has stored sees its store, whatever its page waits for, and with
// atomics.
func TestTLBKeepsOrder(t *testing.T) {
	spec := translating(t, "v100", "tlb.l1.pageBytes", "128", "tlb.l1.entries", "1", "tlb.l1.misses", "1",
		"tlb.l2.pageBytes", "128",
		"tlb.l2.entries", "1", "tlb.l2.ways", "1", "tlb.walkers", "1", "tlb.walkCycles", "37", "sm.l1Loads", "off")
	const body = "mul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nmov.u32 %s, 0;\nL:\nadd.u32 %r, %t, " +
		"%s;\nst.global.u32 [%a], %r;\n" +
		"ld.global.u32 %x, [%a];\nsub.u32 %x, %x, %r;\natom.global.add.u32 %y, [%a], %x;\nadd.u32 %s, %s, " +
		"1;\nsetp.lt.u32 %q, %s, 9;\n@%q bra L;"
	m, words := runJob(t, spec, ".reg .u32 %s, %x, %y;\n"+body, func(j *Job) { j.Launches[0].Block[0] = 64 })
	for i, w := range words {
		if int(w) != i+8 {
			t.Fatalf("word %d is %d, want %d", i, w, i+8)
		}
	}
	if s := m.Stats(); s[stat.TLBMerged] == 0 || s[stat.L2TLBMisses] < 10 ||
		s[stat.TLBWaitCycles] < 37*s[stat.L2TLBMisses] {
		t.Errorf("few translations: %d merged, %d walks, %d cycles of waiting", s[stat.TLBMerged],
			s[stat.L2TLBMisses], s[stat.TLBWaitCycles])
	}
}

// TestTLBSavesAndEvents: a machine that translates goes on from a saved state to the same end, and events change
// nothing.
func TestTLBSavesAndEvents(t *testing.T) {
	spec := translating(t, "v100", "tlb.l1.pageBytes", "1024", "tlb.l1.entries", "2", "tlb.l2.pageBytes", "4096",
		"tlb.l2.entries", "4",
		"tlb.l2.ways", "2", "tlb.walkers", "2")
	job := func() Job { return jobOf(t, spec, bodiesAhead["loads and a barrier"], 1<<20, 40, 192) }
	m, err := New(spec, job())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Advance(3000); err != nil {
		t.Fatal(err)
	}
	saved := m.Save(nil)
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	twin, err := m.Twin(nil)
	if err != nil {
		t.Fatal(err)
	}
	twin.Load(saved)
	if err := twin.Run(); err != nil {
		t.Fatal(err)
	}
	tapped := job()
	tapped.Tap = probe.NewTap(1 << 20)
	other, err := New(spec, tapped)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Advance(3000); err != nil { // a run ends at a multiple of steps from its start
		t.Fatal(err)
	}
	if err := other.Run(); err != nil {
		t.Fatal(err)
	}
	if m.Stats()[stat.TLBMisses] == 0 || m.Digest() != twin.Digest() || m.Digest() != other.Digest() ||
		m.Stats() != twin.Stats() {
		t.Errorf("states %s, from a saved state %s, with events %s", m.Digest(), twin.Digest(), other.Digest())
	}
}
