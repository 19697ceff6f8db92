package plugin_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
)

// TestParse: a good module is rewritten; of the hostile ones, those that are wrong in form are refused
// before anything runs.
func TestParse(t *testing.T) {
	m, err := plugin.Parse(plugintest.New().Binary())
	if err != nil {
		t.Fatal(err)
	}
	if m.Trains() || !strings.Contains(string(m.Binary), plugin.FuelExport) {
		t.Errorf("%+v", m)
	}
	refused := 0
	for _, h := range plugintest.List() {
		if _, err := plugin.Parse(h.Binary); err != nil {
			refused++
			if !strings.Contains(err.Error(), h.Want) {
				t.Errorf("%s: %v, want %q", h.Name, err, h.Want)
			}
		}
	}
	if refused < 10 {
		t.Errorf("only %d modules were refused", refused)
	}
}

// TestPlaceOfAFault: an error names the byte of the module at which the fault is.
func TestPlaceOfAFault(t *testing.T) {
	m := plugintest.New()
	m.Code["size"] = []byte{0x01, 0x12, 0x34} // nop, return_call
	b := m.Binary()
	want := fmt.Sprintf("byte %d: the instruction 0x12", bytes.Index(b, []byte{0x01, 0x12, 0x34})+1)
	if _, err := plugin.Parse(b); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// FuzzParse: whatever the bytes, Parse ends, and what it accepts it has rewritten.
func FuzzParse(f *testing.F) {
	f.Add(plugintest.New().Binary())
	for _, h := range plugintest.List() {
		if len(h.Binary) < 4096 {
			f.Add(h.Binary)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := plugin.Parse(b)
		if err == nil && !strings.Contains(string(m.Binary), plugin.FuelExport) {
			t.Error("accepted without its count of work")
		}
	})
}
