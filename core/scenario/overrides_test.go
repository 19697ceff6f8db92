package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// Illegal overrides are refused with their path, their place and what to do.
func TestOverridesRefused(t *testing.T) {
	for _, c := range []struct{ machine, want string }{
		{"overrides: {sm.l1.way: 8}", "machine.overrides.sm.l1.way: there is no such value: did you mean sm.l1.ways?"},
		{"overrides: {quantum: 8}", "machine.overrides.quantum: there is no such value: `burstscope machine describe`"},
		{"overrides: {sm: {l1: {way: 8}}}", "machine.overrides.sm.l1.way: there is no such value"},
		{"overrides: {sm.l1.ways: many}", `machine.overrides.sm.l1.ways: "many" is not a whole number: use 1 to 256`},
		{"overrides: {sm.l1.ways: 0}", "machine.overrides.sm.l1.ways: 0 is out of range: use 1 to 256 ways"},
		{"overrides: {sm.l1.ways: true}", "machine.overrides.sm.l1.ways: want a number or a word, not a truth value"},
		{"overrides: {sm.l1.ways: [8]}", "machine.overrides.sm.l1.ways: want a number or a word, not a list"},
		{"overrides: {addressHash: 3}", `machine.overrides.addressHash: "3" is not one of its values: use one of none, bank, channel, both`},
		{"overrides: {sm.l1.sets: 48}", "machine.overrides.sm.l1.sets: 48 sets with sm.l1.index fermi: use a power " +
			"of two, or sm.l1.index linear or fold"},
		{"overrides: {dram.banks: 8}", "machine.overrides.addressMap: the map has 16 banks"},
		{"overrides: [8]", "machine.overrides: want a map, not a list"},
		{"overrides: {sm.l1.ways: 8, sm: {l1: {ways: 4}}}", "the value is given twice"},
		{"overrides: {derived.l2Bytes: 8}", "machine.overrides.derived.l2Bytes: there is no such value"},
		{"preset: gtx, overrides: {sm.l1.ways: 0}", "machine.preset"},
	} {
		_, err := parseYAML("workload: {name: vecadd}\nmachine: {" + c.machine + "}")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "test.yaml:2:") {
			t.Errorf("%s:\n%v\nwant %s", c.machine, err, c.want)
		}
	}
}

func TestOverridesAreSetByPath(t *testing.T) {
	s := scenario.Default("vecadd")
	for _, a := range [][2]string{{"sm.l1.ways", "0x10"}, {"sm.l1Loads", "off"}, {"sms", "3"}, {"sms", ""}} {
		if err := s.Set("machine.overrides."+a[0], a[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Validate(); err != nil || len(s.Machine.Overrides) != 2 {
		t.Errorf("%v %v", err, s.Machine.Overrides)
	}
	spec, err := s.Machine.Spec()
	if err != nil || spec.SM.L1.Ways != 16 || spec.SM.L1Loads {
		t.Errorf("%v %+v", err, spec)
	}
	before := *s
	if err := s.Set("machine.overrides.sm.l1.ways", "2"); err != nil || before.Machine.Overrides["sm.l1.ways"] != int64(16) {
		t.Errorf("%v: a copy of the scenario changed with it: %v", err, before.Machine.Overrides)
	}
	if err := s.Set("machine.overrides.sm.l1.wayz", "2"); err == nil || !strings.Contains(err.Error(), "did you mean sm.l1.ways?") {
		t.Error(err)
	}
}

// An override that repeats the preset's value does not count.
func TestOverridesInTheHash(t *testing.T) {
	hash := func(machine string) string {
		s, err := parseYAML("workload: {name: vecadd}\nmachine: {" + machine + "}")
		if err != nil {
			t.Fatal(err)
		}
		return s.Hash()
	}
	plain := hash("preset: mini")
	for _, same := range []string{"preset: mini, overrides: {}", "preset: mini, overrides: {sm.l1.ways: 4}", "preset: mini, overrides: {sm: {l1: {ways: '4'}}, addressHash: none}"} {
		if hash(same) != plain {
			t.Errorf("%s has another hash than the preset", same)
		}
	}
	if a, b := hash("overrides: {sm: {l1: {ways: 8}}, dram.rcd: 13}"), hash("overrides: {dram.rcd: '0xd', sm.l1.ways: 8}"); a != b || a == plain {
		t.Error("one machine in two spellings has two hashes, or that of another")
	}
}

// A memory access granularity must be possible on the machine.
func TestOverridesAndMAG(t *testing.T) {
	s := scenario.Default("vecadd")
	s.Compare = &scenario.Compare{Scheme: scheme.Default()}
	s.Memory.Put("mag", 64, "threshold", 32)
	for _, a := range [][2]string{{"dram.bytesPerCommandClock", "64"}, {"dram.burstBytes", "64"}} {
		if err := s.Set("machine.overrides."+a[0], a[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "compare.memory.mag: the DRAM of gtx580b moves 64 bytes a clock") {
		t.Error(err)
	}
	s.Compare = nil
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

// A very large number of overrides is refused at little cost.
func TestManyOverrides(t *testing.T) {
	for _, n := range []int{200, 1900} {
		var b strings.Builder
		b.WriteString(`{"workload":{"name":"vecadd"},"machine":{"overrides":{`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"sm.l1.way%d":%d`, i, i)
		}
		b.WriteString(`}}}`)
		var err error
		if bytes := allocated(func() { _, err = scenario.ParseJSON("many", []byte(b.String())) }); bytes > 4<<20 {
			t.Errorf("%d overrides: %d bytes allocated", n, bytes)
		}
		if err == nil || !strings.Contains(err.Error(), "machine.overrides") {
			t.Errorf("%d overrides: %v", n, err)
		}
	}
}
