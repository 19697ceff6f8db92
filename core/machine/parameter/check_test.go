package parameter_test

import (
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
		{"sm.l1.sets", "3", 32, "sm.l1.sets"},
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
