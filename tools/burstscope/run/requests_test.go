package run

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// A trace has every burst of the run's counters, in the order of the cycles, at aligned addresses; both forms have
// the same bursts.
func TestRequestsAreTheBurstsOfARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sets := []string{"vecadd", "--set", "workload.size=131072", "--set", "machine.preset=mini", "--set",
		"memory.codec=bdi",
		"--set", "memory.approximation=none"}
	var r experiment.Result
	if err := json.Unmarshal([]byte(mustCall(t, append([]string{"run", "--format", "json"}, sets...)...)),
		&r); err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(dir, "a.trace"), filepath.Join(dir, "b.trace.gz")
	mustCall(t, append([]string{"requests", "--out", first, "--quiet"}, sets...)...)
	mustCall(t, append([]string{"requests", "--out", second, "--as", "ramulator2", "--quiet"}, sets...)...)
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	var reads, writes, last uint64
	var other strings.Builder
	for line := range strings.Lines(string(text)) {
		var addr, cycle uint64
		var what string
		if n, err := fmt.Sscanf(line, "0x%x %s %d\n", &addr, &what, &cycle); n != 3 || err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if addr%32 != 0 || cycle < last {
			t.Fatalf("%q after cycle %d", line, last)
		}
		last = cycle
		if what == "WRITE" {
			writes++
			fmt.Fprintf(&other, "ST 0x%x\n", addr)
		} else {
			reads++
			fmt.Fprintf(&other, "LD 0x%x\n", addr)
		}
	}
	if reads*32 != r.DRAMReadBytes || writes*32 != r.DRAMWriteBytes || reads == 0 || writes == 0 {
		t.Errorf("%d reads and %d writes; the run has %d and %d bytes", reads, writes, r.DRAMReadBytes, r.DRAMWriteBytes)
	}
	packed, err := os.Open(second)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || string(got) != other.String() {
		t.Errorf("the forms have other bursts: %v", err)
	}
	if got := mustCall(t, append([]string{"requests", "--out", first, "--limit", "10", "--quiet"},
		sets...)...); !strings.Contains(got, "10 bursts of 32 bytes") || !strings.Contains(got, "later bursts are left out") {
		t.Error(got)
	}
}

// A trace of another simulator becomes a program whose accesses are the requests, in both forms alike.
func TestReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var one, two strings.Builder
	for i := range 4096 {
		addr, write := 0x40000000+uint64(i*7919%65536)*64, i%4 == 3
		fmt.Fprintf(&one, "0x%X %s %d\n", addr, map[bool]string{true: "WRITE", false: "READ"}[write], i*3)
		fmt.Fprintf(&two, "%s %d\n", map[bool]string{true: "ST", false: "LD"}[write], addr)
	}
	var results []experiment.Result
	for _, text := range []string{one.String(), two.String()} {
		out := filepath.Join(dir, "again.msgpack")
		said := mustCall(t, "requests", "replay", clitest.WriteTemp(t, "a.trace", []byte(text)), "--out", out,
			"--bytes", "64",
			"--preset", "mini")
		if !strings.Contains(said, "8192 accesses") {
			t.Error(said)
		}
		var r experiment.Result
		if err := json.Unmarshal([]byte(mustCall(t, "run", out, "--format", "json")), &r); err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if results[0].ResultHash != results[1].ResultHash {
		t.Error("the two forms give different runs")
	}
	// 3072 of the requests read 64 bytes of memory that nothing has read before, as a stride of an odd number shows.
	if got := results[0].DRAMReadBytes; got < 3072*64 {
		t.Errorf("%d bytes were read, of %d requested", got, 3072*64)
	}
}

func TestBadTraces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "it has no requests", "# a comment\n": "it has no requests", "hello\n": `a.trace:1: "hello" is no request`,
		"0x10 FETCH 3\n": `"FETCH" is neither READ nor WRITE`, "0x10 READ x\n": `"x" is no cycle`,
		"LD 0xzz\n":  `"0xzz" is no address`,
		"LD 1\nST\n": "a.trace:2:", "LD 0\nLD 0x7fffffffffffffff\n": "its addresses span",
		"LD 0\nLD 0xffffffffffffffff\n": "its addresses span", "LD -1\n": `"-1" is no address`,
		"LD 99999999999999999999999\n": "is no address",
	} {
		status, _, errs := call("requests", "replay", clitest.WriteTemp(t, "a.trace", []byte(text)), "--out",
			filepath.Join(t.TempDir(), "o.msgpack"))
		if status != cli.ExitFault || !strings.Contains(errs, want) {
			t.Errorf("%q: %d %s", text, status, errs)
		}
	}
	for args, want := range map[string]string{
		"requests dct": "name a scenario, and a file", "requests dct --out a --as x": "use one of dramsim3, ramulator2",
		"requests replay a": "name a trace, and a file", "requests replay a --out b --bytes 33": "give a multiple of 32",
	} {
		if status, _, errs := call(strings.Fields(args)...); status != cli.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}

// Any text is a trace whose accesses stay in its span, or is refused with its place.
func FuzzRequests(f *testing.F) {
	for _, text := range []string{"0x2000D5C0 READ  30\n0x1FF96FC0 WRITE   160\n", "LD 0x10\n\n# x\nST 4096", "LD 0\nST",
		"ffffffffffffffff READ 1\nfffffffffffffff0 WRITE 2\n"} {
		f.Add(text, uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, sectors uint8) {
		n := 1 + int(sectors)%32
		list, err := parseRequests("a.trace", []byte(text), n)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a.trace:") {
				t.Errorf("%q has no place", err)
			}
			return
		}
		if len(list.accesses)%n != 0 || len(list.accesses) == 0 || list.span > maxReplaySpan+128 {
			t.Errorf("%d accesses of %d sectors over %d bytes", len(list.accesses), n, list.span)
		}
		for _, word := range list.accesses {
			if uint64(word&^(1<<31)+1)*32 > list.span {
				t.Fatalf("an access to sector %d of %d bytes", word&^(1<<31), list.span)
			}
		}
	})
}
