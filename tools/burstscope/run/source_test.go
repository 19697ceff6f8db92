package run

import (
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// The figures of a program's lines add up to those of its run, in every format.
func TestRunSource(t *testing.T) {
	var result struct {
		experiment.Result
		Source []experiment.SourceFile
	}
	if err := json.Unmarshal([]byte(mustCall(t, clitest.Small("--source", "--format", "json")...)),
		&result); err != nil {
		t.Fatal(err)
	}
	if len(result.Source) != 2 || result.Source[0].Name != "vecadd.ptx" || result.Source[1].Name != "vecadd.cu" {
		t.Fatalf("%d files", len(result.Source))
	}
	executions := map[string]uint64{}
	for _, f := range result.Source {
		for _, l := range f.Lines {
			executions[f.Name] += l.Executions
		}
	}
	if executions["vecadd.ptx"] != result.WarpInstructions || executions["vecadd.cu"] == 0 {
		t.Errorf("%v for %d warp instructions", executions, result.WarpInstructions)
	}

	rows, err := csv.NewReader(strings.NewReader(mustCall(t, clitest.Small("--source", "--format",
		"csv")...))).ReadAll()
	if err != nil || rows[0][2] != "executions" {
		t.Fatal(err, rows)
	}
	for _, row := range rows[1:] {
		n, err := strconv.ParseUint(row[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		executions[row[0]] -= n
	}
	if executions["vecadd.ptx"] != 0 || executions["vecadd.cu"] != 0 {
		t.Errorf("csv and json differ by %v", executions)
	}

	// 16384 elements are 512 warps; two loads of a line each, one store.
	text := mustCall(t, clitest.Small("--source")...)
	for _, want := range []string{
		"\nvecadd.ptx, ", "\nvecadd.cu, ", "stall cycles", "\n" + strings.Repeat(" ", 72),
		"         512   32.0          512         65,536",
		"         512   32.0            0         65,536",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(mustCall(t, clitest.Small()...), "vecadd.cu") {
		t.Error("lines without being asked")
	}
}

// For a source file that is missing, the lines with figures are shown.
func TestExecSource(t *testing.T) {
	located := strings.Replace(clitest.IncrementPTX, "\tld.global.u32", "\t.loc 1 7 3\n\tld.global.u32", 1) + ".file 1 \"elsewhere/i.cu\"\n"
	text := mustCall(t, "exec", clitest.WriteTemp(t, "k.ptx", []byte(located)), "--entry", "increment", "--block", "64", "--preset", "mini", "--source",
		"--arg", "in:"+clitest.WriteTemp(t, "in.bin", make([]byte, 256)), "u32:1")
	_, lines, found := strings.Cut(text, "\ni.cu, ")
	// A load, an addition, a store and a return, of two warps.
	if rows := strings.Split(strings.TrimSpace(lines), "\n"); !found || len(rows) != 3 || !strings.HasPrefix(rows[2], "           8   32.0            2            512") || !strings.HasSuffix(rows[2], "    7") {
		t.Error(text)
	}
}
