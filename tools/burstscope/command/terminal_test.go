package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostileName clears a screen, colours, turns the text behind it, and has a byte that is no UTF-8.
const hostileName = "a\x1b[2J\u202eb\u0085\x9b31mc"

// TestNamesOnTheTerminal: names of files, and names in files, reach faults and tables without what a terminal obeys.
func TestNamesOnTheTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	tensor := "{\"\\u001b[2J\\u202eweights\":{\"dtype\":\"U8\",\"shape\":[256],\"data_offsets\":[0,256]}}"
	safetensors := string([]byte{byte(len(tensor)), 0, 0, 0, 0, 0, 0, 0}) + tensor + strings.Repeat("x", 256)
	for what, args := range map[string][]string{
		"name of a verb":       {hostileName},
		"name of a scenario":   {"run", hostileName},
		"file that is missing": {"run", hostileName + ".yaml"},
		"scenario":             {"run", put(hostileName+".yaml", "workload: {name: \"\\e[2J\\u202E\"}\n")},
		"key of a scenario":    {"run", put("key.yaml", "\"\\e[2J\\u202E\": 1\n")},
		"flag":                 {"run", "vecadd", "--set", hostileName + "=1"},
		"value":                {"run", "vecadd", "--set", "memory.codec=" + hostileName},
		"PTX file":             {"ptx", "check", put(hostileName+".ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry \x1b[2J\u202ek() { ret; }\n")},
		"PTX argument":         {"exec", put("k.ptx", ".version 7.0\n"), "--arg", "in:" + hostileName},
		"PTX texture":          {"exec", put("l.ptx", ".version 7.0\n"), "--texture", hostileName + "=" + hostileName},
		"tensor":               {"codec", "report", "--codec", "bdi", put(hostileName+".safetensors", safetensors)},
		"tensor, as CSV":       {"codec", "report", "--codec", "bdi", "--format", "csv", put(hostileName+".safetensors", safetensors)},
		"tensor, as JSON":      {"codec", "report", "--codec", "bdi", "--format", "json", put(hostileName+".safetensors", safetensors)},
		"data":                 {"codec", "sizes", "--codec", "bdi," + hostileName + ".wasm", put(hostileName+".bin", "data")},
		"codec":                {"codec", "sizes", "--codec", hostileName, put(hostileName+".bin", "data")},
		"paper":                {"paper", "check", filepath.Join(dir, hostileName)},
		"lesson":               {"lesson", "check", put(hostileName+".yaml", "lesson: \"\\e[2J\"\n")},
		"submission":           {"grade", put(hostileName+".json", "{\"\\u001b[2J\\u202e\":1}")},
	} {
		_, out, errs := call(args...)
		if out+errs == "" {
			t.Errorf("%s: nothing is said", what)
		}
		for _, bad := range []string{"\x1b", "\u202e", "\u0085", "\x9b31m"} {
			if strings.Contains(out, bad) || strings.Contains(errs, bad) {
				t.Errorf("%s: %q reaches the terminal: %q %q", what, bad, out, errs)
			}
		}
	}
}

// TestByteOrderMarks: every file of text is read with the mark that some editors write before UTF-8; UTF-16 is refused by name.
func TestByteOrderMarks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const kernel = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"
	const yaml = "workload: {name: vecadd, size: 1024}\n"
	wide := func(text string) string {
		out := "\xff\xfe"
		for _, c := range []byte(text) {
			out += string([]byte{c, 0})
		}
		return out
	}
	for _, c := range []struct {
		name, text string
		words      []string
	}{
		{"k.ptx", kernel, []string{"ptx", "check"}},
		{"s.yaml", yaml, []string{"scenario", "check"}},
	} {
		plain := mustCall(t, append(c.words, put(c.name, c.text))...)
		if marked := mustCall(t, append(c.words, put(c.name, "\xef\xbb\xbf"+c.text))...); marked != plain {
			t.Errorf("%s: %q with a mark, %q without", c.name, marked, plain)
		}
		for _, text := range []string{wide(c.text), wide(c.text)[2:]} {
			if status, out, errs := call(append(c.words, put(c.name, text))...); status == 0 || !strings.Contains(out+errs, "the text is UTF-16 or UTF-32: save it as UTF-8") {
				t.Errorf("%s: status %d, %q %q", c.name, status, out, errs)
			}
		}
	}
	for name, words := range map[string][]string{"t.csv": {"codec", "sizes", "--codec", "e2mc16", "--table"}, "r.csv": {"correlate", "compare", "--preset", "h200"}, "s.json": {"run"}} {
		args := append(words, put(name, wide("case,size\n")))
		if name == "t.csv" {
			args = append(args, put("data.bin", "data"))
		}
		if status, _, errs := call(args...); status == 0 || !strings.Contains(errs, "UTF-16") {
			t.Errorf("%s: status %d, %q", name, status, errs)
		}
	}
}
