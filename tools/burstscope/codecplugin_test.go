package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
)

// TestCodecPlugin: a module is checked on a file, with ratios that those of the same codec built in
// explain; a hostile one is refused with its file, what it did and where to read on.
func TestCodecPlugin(t *testing.T) {
	dir := t.TempDir()
	data, bad := filepath.Join(dir, "data.bin"), filepath.Join(dir, "bad.wasm")
	var b []byte
	for _, line := range codectest.Corpus(20) {
		b = append(b, line[:]...)
	}
	if err := os.WriteFile(data, b, 0o644); err != nil {
		t.Fatal(err)
	}
	out := mustCall(t, "codec", "plugin", "--module", "../plugin/testdata/bdi.wasm", data)
	report := mustCall(t, "codec", "report", "--codec", "bdi", "--format", "csv", data)
	if !strings.Contains(out, "bdi-plugin, lossless: PACT 2012") || !strings.Contains(out, "1 and 1 cycles of 1002 MHz") {
		t.Error(out)
	}
	_, after, _ := strings.Cut(out, "ratio ")
	ratio, _, _ := strings.Cut(after, ",")
	if !strings.Contains(report, ratio) {
		t.Errorf("the ratio %s is not in the report of the built-in codec:\n%s", ratio, report)
	}
	for _, h := range plugintest.List() {
		if h.Name != "imports" && h.Name != "loses the block" && h.Name != "too long" {
			continue
		}
		if err := os.WriteFile(bad, h.Binary, 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, errs := call("codec", "plugin", "--module", bad, data); status == 0 || !strings.Contains(errs, bad) {
			t.Errorf("%s: status %d: %s", h.Name, status, errs)
		}
	}
}
