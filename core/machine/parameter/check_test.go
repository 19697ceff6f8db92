package parameter_test

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx"
)

func TestOverride(t *testing.T) {
	s := gpu(t, "mini")
	for path, value := range map[string]string{
		"sm.l1.ways": "8", "sm.l1Loads": "off", "addressHash": "both", "dram.rcd": "20", "controller.rowHitCapBlocks": "4", "controller.rowPolicy": "timeout",
		"sm.timing.intAdd.latencyCycles": "6", "sm.timing.intAdd.unit": "double",
	} {
		if f := s.Override(path, value); f != nil {
			t.Errorf("%+v", f)
		}
	}
	if faults := s.Check(32); len(faults) != 0 {
		t.Error(faults)
	}
	if s.SM.L1.Ways != 8 || s.SM.L1Loads || s.DRAM.RCD != 20 || s.Controller.RowHitCapBlocks != 4 || s.SM.Timing[ptx.ClassIntAdd].LatencyCycles != 6 {
		t.Errorf("%+v", s)
	}
	for path, value := range map[string]string{
		"sm.l1.way": "8", "l2": "4", "sm.l1.ways": "0", "sm.warps": "1000000", "coreMHz": "fast", "sm.l1Loads": "true",
		"addressHash": "all", "sm.banks": "-1", "dram.rp": "99999999999999999999", "name": "x", "l2.wholeBlocks": "on",
	} {
		if f := gpu(t, "mini").Override(path, value); f == nil || f.Path != path || f.Message == "" || f.Mend == "" {
			t.Errorf("%s=%s: %+v", path, value, f)
		}
	}
}

// Combinations that cannot be are found before a machine is built from them.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		path, value string
		mag         int
		where       string
	}{
		{"sm.texture.sets", "48", 32, "sm.texture.sets"},
		{"sm.l1.sets", "3", 32, "sm.l1.sets"},                               // with an index of Fermi
		{"sm.constant.launchCycles", "300", 32, "sm.constant.launchCycles"}, // with a constant cache
		{"sm.schedulers", "3", 32, ""},
		{"sm.warps", "47", 32, "sm.warps"},
		{"dram.banks", "8", 32, "addressMap"},
		{"dram.banks", "12", 32, "dram"},
		{"addressMap", "dramid@8; BBBB", 32, "addressMap"},
		{"controller.writeLowBlocks", "60", 32, "controller"},
		{"controller.metadataBytes", "1000", 32, "controller"},
		{"dram.bytesPerCommandClock", "64", 32, "dram"},
		{"dramMHz", "1002", 24, "memory.mag"},
		{"l2MHz", "1", 32, ""},
		{"xbar.inputQueues", "voq", 32, ""},
		{"sm.l1.local", "back", 32, ""},
		{"controllers", "64", 32, ""},
		{"l2.ways", "256", 32, ""},
	} {
		s := gpu(t, "mini")
		if f := s.Override(c.path, c.value); f != nil {
			t.Fatalf("%+v", f)
		}
		got := ""
		if faults := s.Check(c.mag); len(faults) > 0 {
			got = faults[0].Path
			if faults[0].Message == "" || faults[0].Mend == "" {
				t.Errorf("%+v", faults[0])
			}
		}
		if got != c.where {
			t.Errorf("%s=%s with bursts of %d: fault at %q, want %q", c.path, c.value, c.mag, got, c.where)
		}
	}
}

// TestSectorsWriteThrough: an L1 that holds parts of lines has no rule for keeping stores.
func TestSectorsWriteThrough(t *testing.T) {
	s := gpu(t, "v100")
	if f := s.Override("sm.l1.local", "back"); f != nil {
		t.Fatalf("%+v", f)
	}
	if faults := s.Check(32); len(faults) != 1 || faults[0].Path != "sm.l1.local" {
		t.Errorf("%+v", faults)
	}
}

// TestMissQueueOfFetches: a queue that no store could ever enter would stop the machine.
func TestMissQueueOfFetches(t *testing.T) {
	for _, name := range preset.Names() {
		s := gpu(t, name)
		if f := s.Override("l2.writeMiss", "fetch"); f != nil {
			t.Fatalf("%+v", f)
		}
		if faults := s.Check(64); len(faults) != 0 {
			t.Errorf("%s with fetches: %+v", name, faults)
		}
		if f := s.Override("l2.missQueueBlocks", "2"); f != nil {
			t.Fatalf("%+v", f)
		}
		if faults := s.Check(64); len(faults) != 1 || faults[0].Path != "l2.missQueueBlocks" {
			t.Errorf("%s: a queue of two gives %+v", name, faults)
		}
	}
}

// gpu returns a preset.
func gpu(t *testing.T, name string) *parameter.GPU {
	t.Helper()
	s, err := preset.GPU(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAnyNumberOfSets: caches may have any number of sets, unless their index needs a power of two.
func TestAnyNumberOfSets(t *testing.T) {
	for _, name := range preset.Names() {
		for _, index := range []string{"linear", "fold"} {
			s := gpu(t, name)
			for path, value := range map[string]string{"sm.l1.sets": "7", "sm.l1.index": index, "l2.sets": "12",
				"l2.index": index} {
				if f := s.Override(path, value); f != nil {
					t.Fatalf("%+v", f)
				}
			}
			if faults := s.Check(64); len(faults) != 0 {
				t.Errorf("%s, %s: %+v", name, index, faults)
			}
		}
	}
}

// TestCheckTLB: a preset whose TLB nobody has measured refuses to translate, and says which values it lacks; values
// that do not fit together are found.
func TestCheckTLB(t *testing.T) {
	for _, c := range []struct{ preset, path, value, where, part string }{
		{"v100", "tlb.on", "on", "", ""},
		{"p100", "tlb.on", "on", "", ""},
		{"rtx2060", "tlb.on", "on", "", ""},
		{"gtx480", "tlb.on", "on", "tlb.on", "no measured TLB of gtx480 is known: tlb.l1.entries, tlb.l1.pageBytes"},
		{"rtx3070", "tlb.on", "on", "tlb.on", "no measured TLB of rtx3070"},
		{"h200", "tlb.on", "on", "tlb.on", "no measured TLB of h200"},
		{"h200", "tlb.arithmeticCycles", "3", "tlb.arithmeticCycles", "translating takes no time"},
		{"v100", "tlb.walkers", "0", "tlb.on", "tlb.walkers are 0"},
		{"v100", "tlb.l1.pageBytes", "3000000", "tlb.l1.pageBytes", "a page of 3000000 bytes"},
		{"v100", "tlb.l2.pageBytes", "1048576", "tlb.l2.pageBytes", "covers less"},
		{"v100", "tlb.l2.ways", "7", "tlb.l2.ways", "256 entries do not divide into sets of 7 ways"},
		{"v100", "tlb.l2.latencyCycles", "1", "tlb.l2.latencyCycles", "a cycle away"},
	} {
		s := gpu(t, c.preset)
		s.TLB.On = c.path != "tlb.arithmeticCycles"
		if f := s.Override(c.path, c.value); f != nil {
			t.Fatalf("%+v", f)
		}
		faults := s.Check(32)
		if c.where == "" && len(faults) == 0 {
			continue
		}
		if len(faults) == 0 || faults[0].Path != c.where || !strings.Contains(faults[0].Message, c.part) ||
			faults[0].Mend == "" {
			t.Errorf("%s, %s=%s: %+v, want one at %s", c.preset, c.path, c.value, faults, c.where)
		}
	}
}
