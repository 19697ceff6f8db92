package command

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

func TestHelp(t *testing.T) {
	for _, name := range cli.Names(Verbs()) {
		for _, args := range [][]string{{name, "--help"}, {"help", name}} {
			out := mustCall(t, args...)
			if !strings.HasPrefix(out, "usage: burstscope "+name) || !strings.Contains(out, "example") {
				t.Errorf("%v:\n%s", args, out)
			}
		}
		if !strings.Contains(mustCall(t, "help"), name) {
			t.Errorf("the overview lacks %s", name)
		}
	}
	if status, _, errs := call(); status != cli.ExitUsage || !strings.Contains(errs, "usage:") {
		t.Errorf("no words: %d %s", status, errs)
	}
}

// A wrong command line ends with status 2, wrong input with status 1. Each error says
// what is wrong, where, and what to do.
func TestBadInput(t *testing.T) {
	text := clitest.WriteTemp(t, "text.ptx", []byte("hello"))
	kernel := clitest.WriteTemp(t, "k.ptx", []byte(clitest.IncrementPTX))
	data := clitest.WriteTemp(t, "data.bin", make([]byte, 1024))
	empty := clitest.WriteTemp(t, "empty.bin", nil)
	bomb := clitest.WriteTemp(t, "bomb.msgpack", []byte{0xdd, 0xff, 0xff, 0xff, 0xff})
	badJSON := clitest.WriteTemp(t, "bad.JSON", []byte("{\"seed\": 01,\n\"workload\": {\"name\": \"tp\"}}"))
	yamlAsJSON := clitest.WriteTemp(t, "yaml.json", []byte("{workload: {name: tp}}"))
	bad := clitest.WriteTemp(t, "bad.yaml", []byte("workload: {name: dctt}\nmemory: {mag: 33}\n"))
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"walk", 2, `unknown verb "walk"`},
		{"run", 2, "no scenario"},
		{"run dct tp", 2, "unexpected word: tp"},
		{"run dct --colour red", 2, "not defined: -colour"},
		{"run dct --set", 2, "needs an argument"},
		{"run dct --set memory.mag", 2, "write path=value"},
		{"run dct --format xml", 2, "use one of text, json, csv"},
		{"run dctt", 1, "unknown scenario: dctt: name one of dct"},
		{"run nothing.yaml", 1, "nothing.yaml"},
		{"run " + bomb, 1, bomb + ": byte 5: msgpack: a map or list of 4294967295 values"},
		{"run " + bad, 1, bad + ":1:18: workload.name: unknown name \"dctt\": did you mean \"dct\"?"},
		{"run " + bad, 1, bad + ":2:15: memory.mag: no memory access granularity of 33 bytes: use one of 16, 32, 64"},
		{"run " + badJSON, 1, badJSON + ":1:10: '0' where a number without leading zeros should be"},
		{"scenario pack " + yamlAsJSON, 1, yamlAsJSON + ":1:2: 'w' where a key in double quotes should be"},
		{"run dct --set memory.codec=none", 1, "set memory.codec to e2mc16 or memory.approximation to none"},
		{"run dct --set memory.codek=none --set seed=x", 1, `memory.codek: no such setting: did you mean "memory.codec"?`},
		{"run dct --set memory.codek=none --set seed=x", 1, `seed: "x" is not a whole number`},
		{"run dct --set machine.preset=gtx58", 1, `did you mean "gtx580b"`},
		{"exec", 2, "no PTX file"},
		{"exec " + kernel, 2, "no kernel"},
		{"exec " + kernel + " --entry increment --grid 0", 2, `"0" is not a number from 1`},
		{"exec " + kernel + " --entry increment --grid 1,2,3,4", 2, "at most X,Y,Z"},
		{"exec " + kernel + " --entry increment --repeat 0", 2, "use 1 or more"},
		{"exec " + kernel + " --entry increment --grid 2147483647 --arg in:" + data + " u32:1", 2, "make 2147483647 CTAs, and burstscope exec runs at most 1048576"},
		{"exec " + kernel + " --entry increment --grid 2147483647 --arg in:" + data + " u32:1", 2, "--max-ctas 2147483647"},
		{"exec " + kernel + " --entry increment --functional --grid 1048576 --repeat 2 --arg in:" + data + " u32:1", 2, "make 2097152 CTAs"},
		{"exec " + kernel + " --entry increment --grid 2147483647,2147483647,2147483647 --arg in:" + data + " u32:1", 2, "make 18446744073709551615 CTAs"},
		{"exec " + kernel + " --entry increment --grid 3 --max-ctas 2 --arg in:" + data + " u32:1", 2, "make 3 CTAs, and burstscope exec runs at most 2"},
		{"exec " + kernel + " --entry increment --functional --source", 2, "leave one of them out"},
		{"exec " + kernel + " --entry increment --arg u33:1", 2, "is not an argument"},
		{"exec " + kernel + " --entry increment --arg u32:1 u32:x", 2, "is not a number of type u32"},
		{"exec " + kernel + " --entry increment --base 100 --arg in:" + data + " u32:1", 1, "device memory cannot start at 0x64"},
		{"exec " + kernel + " --entry increment --arg in:nothing.bin u32:1", 1, "nothing.bin"},
		{"exec " + kernel + " --entry increment --arg in:" + empty + " u32:1", 1, "empty file"},
		{"exec " + kernel + " --entry increment --arg in:" + data, 1, "1 arguments for 2 parameters"},
		{"exec " + kernel + " --entry increment --arg in:" + data + " u64:1", 1, "use a SPEC of the parameter's type"},
		{"exec " + kernel + " --entry other --arg in:" + data + " u32:1", 1, "other"},
		{"exec " + kernel + " --entry increment --block 2048 --arg in:" + data + " u32:256", 1, "1024"},
		{"exec " + kernel + " --entry increment --block 512 --arg in:" + data + " u32:512", 1, "increment:"},
		{"exec " + kernel + " --entry increment --preset gtx --arg in:" + data + " u32:1", 1, "machine.preset"},
		{"exec " + text + " --entry k", 1, "text.ptx:1:1"},
		{"exec nothing.ptx --entry k", 1, "nothing.ptx"},
		{"ptx", 2, "say check"},
		{"ptx check", 2, "no file"},
		{"ptx look", 2, "unknown action"},
		{"codec sizes " + data, 2, "no codec"},
		{"codec sizes --codec e2mc16", 2, "no file"},
		{"codec sizes --codec e2mc17 " + data, 2, `unknown codec: "e2mc17"`},
		{"codec sizes --codec e2mc16 nothing.bin", 1, "nothing.bin"},
		{"scenario", 2, "say pack, unpack or check"},
		{"scenario pack", 2, "no scenario"},
		{"scenario pack " + bad, 1, "did you mean"},
		{"scenario check", 2, "no scenario"},
		{"bench now", 2, "unexpected word"},
	} {
		status, out, errs := call(strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, want %d\n%s%swant %s", c.args, status, c.status, out, errs, c.want)
		}
		if strings.Contains(errs, "internal error") {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
}

func TestRunJSON(t *testing.T) {
	var result map[string]any
	if err := json.Unmarshal([]byte(mustCall(t, clitest.Small("--format", "json")...)), &result); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"version", "scenarioHash", "resultHash", "cycles", "warpInstructions", "dramReadBytes", "dramWriteBytes", "burstsRead",
		"burstsSaved", "error", "errorMetric", "stats", "metrics"} {
		if _, ok := result[key]; !ok {
			t.Errorf("no key %s", key)
		}
	}
	if stats := result["stats"].(map[string]any); stats["warpInstructions"] != result["warpInstructions"] || len(stats) < 60 {
		t.Errorf("stats: %v", stats)
	}
	if result["cycles"].(float64) < 1 || result["error"].(float64) != 0 {
		t.Errorf("%v", result)
	}
}

// All formats show the same run.
func TestRunFormats(t *testing.T) {
	var result experiment.Result
	if err := json.Unmarshal([]byte(mustCall(t, clitest.Small("--format", "json")...)), &result); err != nil {
		t.Fatal(err)
	}
	text := mustCall(t, clitest.Small()...)
	for _, want := range []string{"vecadd on mini, memory e2mc16 (MAG 32 B, 4 decoding ways, offline probabilities)", cli.Group(result.Cycles), cli.Group(result.DRAMReadBytes), "L2 hits", "Output error"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(mustCall(t, clitest.Small("--format", "csv")...))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v %d rows", err, len(rows))
	}
	for i, name := range rows[0] {
		if name == "resultHash" && rows[1][i] != result.ResultHash {
			t.Errorf("csv has result %s, json %s", rows[1][i], result.ResultHash)
		}
	}
}

// A scenario gives the same result from YAML, JSON and msgpack.
func TestRunFromFiles(t *testing.T) {
	dir := t.TempDir()
	yaml := filepath.Join(dir, "s.yaml")
	if err := os.WriteFile(yaml, []byte("workload: {name: matmul, size: 64}\nmachine: {preset: mini}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(dir, "s.msgpack")
	out := mustCall(t, "scenario", "pack", yaml)
	if !strings.Contains(out, packed) {
		t.Errorf("pack says %s", out)
	}
	again := filepath.Join(dir, "again.yaml")
	mustCall(t, "scenario", "unpack", packed, "--out", again)
	first := mustCall(t, "run", yaml, "--format", "json")
	for _, file := range []string{packed, again} {
		if got := mustCall(t, "run", file, "--format", "json"); got != first {
			t.Errorf("%s gives another result", file)
		}
	}
	if out := mustCall(t, "scenario", "check", yaml, packed, again); strings.Count(out, ": ok, hash ") != 3 {
		t.Errorf("check says %s", out)
	}
	status, out, errs := call("scenario", "check", "dct", clitest.WriteTemp(t, "bad.yaml", []byte("x: 1")))
	if status != 1 || errs != "" || !strings.Contains(out, "bad.yaml:1:4: x: no such key") || !strings.Contains(out, "dct: ok") {
		t.Errorf("%d %s%s", status, out, errs)
	}
}

func TestCodecSizes(t *testing.T) {
	data := make([]byte, 300)
	for i := range data[128:256] {
		data[128+i] = byte(i * 37)
	}
	out := mustCall(t, "codec", "sizes", "--codec", strings.Join(codecs.Names(), ","), clitest.WriteTemp(t, "d.bin",
		data))
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 4 || strings.Join(rows[0], ",") != "block,"+strings.Join(codecs.Names(), ",") || rows[3][0] != "2" {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, name := range rows[0][1:] {
		if rows[1][i+1] != rows[3][i+1] {
			t.Errorf("%s: two blocks of zeros have %s and %s bits", name, rows[1][i+1], rows[3][i+1])
		}
		if !strings.Contains(cli.Find(Verbs(), "codec").Help, name) {
			t.Errorf("the help does not name %s", name)
		}
	}
}
