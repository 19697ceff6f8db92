package run

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A hint that nothing follows is named once: by ptx check, in the text of a run and in its JSON.
func TestIgnoredHintsAreNamed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "k.ptx")
	source := ".version 8.6\n.target sm_90\n.address_size 64\n" +
		".visible .entry k(.param .u64 o)\n{\n.reg .b64 %a;\n.reg .b32 %r;\n" +
		"ld.param.u64 %a, [o];\nld.global.L2::128B.u32 %r, [%a];\nst.global.wt.u32 [%a], 5;\n" +
		"st.global.wt.u32 [%a+4], 6;\nret;\n}\n"
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := ptxVerb([]string{"check", file}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "warning: "+file+":10:") || lines[1] != "ok" {
		t.Errorf("ptx check prints %q", lines)
	}
	args := []string{file, "--entry", "k", "--preset", "mini", "--arg", "out:" + filepath.Join(dir, "o.bin") + ":64"}
	out.Reset()
	if err := execPTX(args, &out); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"Ignored: .wt at line 10", "Ignored: L2::128B at line 9"} {
		if strings.Count(out.String(), word) != 1 {
			t.Errorf("the text has %q %d times", word, strings.Count(out.String(), word))
		}
	}
	out.Reset()
	if err := execPTX(append(args, "--format", "json"), &out); err != nil {
		t.Fatal(err)
	}
	var result struct {
		IgnoredHints []struct {
			Kernel, Word, Text string
			Line               int
		}
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	if h := result.IgnoredHints; len(h) != 2 || h[1].Word != ".wt" || h[1].Line != 10 || h[1].Kernel != "k" ||
		h[1].Text == "" {
		t.Errorf("JSON has %+v", h)
	}
}
