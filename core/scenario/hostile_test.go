package scenario_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/vmihailenco/msgpack/v5"
)

func packed(v any) []byte {
	b, err := msgpack.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func TestMsgpackRefused(t *testing.T) {
	good := authoring.Marshal(scenario.Default("dct"))
	workload := func(name any) map[string]any { return map[string]any{"workload": map[string]any{"name": name}} }
	twice := append([]byte{0x82}, bytes.Repeat([]byte("\xa4seed\x01"), 2)...)
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"empty", nil, "byte 0: msgpack: the input ends"},
		{"array bomb", []byte{0x81, 0xa1, 'l', 0xdd, 0xff, 0xff, 0xff, 0xff}, "byte 8: msgpack: a map or list of 4294967295 values with 0 bytes left"},
		{"map bomb", []byte{0xdf, 0xff, 0xff, 0xff, 0xff}, "a map or list of 8589934590"},
		{"bin bomb", []byte{0xc6, 0xff, 0xff, 0xff, 0xff}, "a length of 4294967295"},
		{"str bomb", []byte{0xdb, 0xff, 0xff, 0xff, 0xff}, "a length of 4294967295"},
		{"deep bomb", bytes.Repeat([]byte{0x91}, scenario.MaxMsgpackBytes), "nested more than 12 deep"},
		{"deep map bomb", bytes.Repeat([]byte{0x81, 0xa1, 'a'}, 1<<20), "nested more than 12 deep"},
		{"many", packed(make([]int, 5000)), "a map or list of 5000"},
		{"many lists", append([]byte{0xdc, 0x0f, 0x00}, bytes.Repeat([]byte{0x92, 1, 1}, 0x0f00)...), "more than 4096 values"},
		{"too large", make([]byte, scenario.MaxMsgpackBytes+1), "at most 16777216 are read"},
		{"trailing", append(append([]byte(nil), good...), 0), "1 bytes follow the scenario"},
		{"cut", good[:len(good)-3], "byte "},
		{"extension", []byte{0x81, 0xa1, 'a', 0xd4, 0, 0}, "byte 3: msgpack: format 0xd4 is an extension"},
		{"time", packed(map[string]any{"a": []byte(nil), "b": 1.5}), "no such key"},
		{"never used", []byte{0xc1}, "0xc1"},
		{"number as key", []byte{0x81, 1, 1}, "byte 1: msgpack: a key that is the number 1"},
		{"list", []byte{0x90}, "want a map, not a list"},
		{"twice", twice, "seed: the key is given twice, first at byte 6"},
		{"unknown", packed(map[string]any{"sed": 1}), `sed: no such key: did you mean "seed"?`},
		{"nil", packed(workload(nil)), "workload.name: want text, not nothing"},
		{"float", packed(map[string]any{"seed": 1.0}), "seed: want a whole number"},
		{"bool", packed(map[string]any{"seed": true}), "seed: want a whole number"},
		{"not UTF-8", packed(workload("\xff\xfe")), "not UTF-8"},
		{"a title read backwards", packed(map[string]any{"title": "a\u202egnp.exe"}), "title: control character U+202E"},
		{"notes of hidden parts", packed(map[string]any{"notes": "a\u2066b"}), "notes: control character U+2066"},
		{"unknown workload", packed(workload("dctt")), `did you mean "dct"?`},
		{"negative", packed(map[string]any{"seed": -1}), "-1 is not a whole number"},
		{"wide", packed(map[string]any{"memory": map[string]any{"mag": 1 << 40}}), "memory.mag: no memory access"},
	} {
		if _, err := scenario.ParseMsgpack(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %q", c.name, err, c.want)
		} else if c.name != "too large" && !strings.Contains(err.Error(), "byte ") {
			t.Errorf("%s: no offset in %v", c.name, err)
		}
	}
}

// Hostile input takes memory in proportion to its real length, not to announced lengths.
func TestMsgpackAllocatesLittle(t *testing.T) {
	bombs := [][]byte{
		{0x81, 0xa1, 'l', 0xdd, 0xff, 0xff, 0xff, 0xff},
		{0xdf, 0xff, 0xff, 0xff, 0xff},
		{0xc6, 0xff, 0xff, 0xff, 0xff},
		bytes.Repeat([]byte{0x91}, 1<<20),
		append([]byte{0xdd, 0, 0x10, 0, 0}, make([]byte, 1<<20)...),
	}
	for i, bomb := range bombs {
		if n := allocated(func() { _, _ = scenario.ParseMsgpack(bomb) }); n > 64<<10 {
			t.Errorf("bomb %d: %d bytes allocated", i, n)
		}
	}
	text := []byte(`{"x": [` + strings.Repeat("1,", 500000) + "1]}")
	if n := allocated(func() { _, _ = scenario.ParseJSON("x", text) }); n > 4<<20 {
		t.Errorf("JSON list: %d bytes allocated", n)
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// roundTrip checks that an accepted scenario is canonical and stable.
func roundTrip(t *testing.T, s *scenario.Scenario) {
	packed := s.Canonical()
	if !bytes.Equal(authoring.Marshal(s), packed) {
		t.Fatalf("the library packs %x, we %x", authoring.Marshal(s), packed)
	}
	again, err := scenario.ParseMsgpack(packed)
	if err != nil {
		t.Fatalf("the canonical form is refused: %v\n%s", err, authoring.ToYAML(s))
	}
	if !bytes.Equal(again.Canonical(), packed) || again.Hash() != s.Hash() {
		t.Fatalf("not canonical:\n%s\n%s", authoring.ToYAML(s), authoring.ToYAML(again))
	}
	// The hash equals that of the bare form's bytes.
	bare, err := scenario.ParseMsgpack(s.Bare().Canonical())
	if err != nil || bare.Hash() != s.Hash() || digest.Hex(bare.Canonical()) != s.Hash() {
		t.Fatalf("the bare form has hash %s, not %s: %v", digest.Hex(s.Bare().Canonical()), s.Hash(), err)
	}
}

func FuzzParseMsgpack(f *testing.F) {
	for _, s := range variants(f) {
		f.Add(authoring.Marshal(s))
	}
	f.Add([]byte{0x81, 0xa1, 'l', 0xdd, 0xff, 0xff, 0xff, 0xff})
	f.Add(bytes.Repeat([]byte{0x91}, 100))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s *scenario.Scenario
		var err error
		// Nodes are bounded, text and messages are proportional.
		if n := allocated(func() { s, err = scenario.ParseMsgpack(b) }); n > 4<<20+16*uint64(len(b)) {
			t.Errorf("%d bytes allocated for %d", n, len(b))
		}
		if err == nil {
			roundTrip(t, s)
		}
	})
}
