package run

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// One element whose exact value is 0 comes out wrong: it counts 1 in 65,536, not 0.95 of them all. The own measure stands
// once, the others below it, and values stay in their column.
func TestErrorsOfARunAreNotHiddenByOneZero(t *testing.T) {
	args := []string{"run", "tp", "--set", "machine.preset=mini"}
	text := mustCall(t, args...)
	first, below, found := strings.Cut(narrow(text), "\noutput error by other measures\n")
	if !found || strings.Count(first, "error") != 1 || !strings.Contains(first, "\nOutput error 0.542 % By nrmse. ") {
		t.Errorf("the figures are not one output error and the other measures below:\n%s", text)
	}
	if !strings.Contains(below, "\nMRE, capped at 1 0.561 % ") || !strings.HasPrefix(below, "Mean relative error 0.574 % ") || strings.Contains(below, "AxBench") {
		t.Errorf("the other measures are\n%s", below)
	}
	var r struct {
		Metrics  map[string]float64
		ZeroRule string
		Elements workload.Elements
	}
	if err := json.Unmarshal([]byte(mustCall(t, append(args, "--format", "json")...)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Elements.WrongZeros != 1 || r.Metrics["mre"] > 0.006 || r.ZeroRule != metric.ZeroRule {
		t.Errorf("%+v", r)
	}
}

// narrow is a text with one space between words.
func narrow(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// An exact run has no measure of an error but 0, not even AxBench's, which counts the zeros of its output.
func TestAnExactRunHasOneError(t *testing.T) {
	text := narrow(mustCall(t, "run", "dct", "--set", "memory.approximation=none"))
	if n := strings.Count(text, "error"); n != 1 || !strings.Contains(text, "\nOutput error 0.000 % ") || strings.Contains(text, "AxBench") {
		t.Errorf("%d lines about errors:\n%s", n, text)
	}
}

func TestTableKeepsItsColumns(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(cli.TableText([][3]string{
		{"Energy × delay", "1", "a"}, {"Mean relative error, capped at 1, without exact zeros", "0.559 %", "b"}, {"bytes", "18,446,744,073,709,551,615", "c"},
	}), "\n"), "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) != utf8.RuneCountInString(lines[0]) || !strings.HasSuffix(line, "  "+string(rune('a'+i))) {
			t.Errorf("%q is out of the columns of %q", line, lines[0])
		}
	}
}

func TestSmallDifferencesAreEqual(t *testing.T) {
	for d, want := range map[float64]string{0: "=", 2.6e-9: "=", -0.00049: "=", 0.0006: "+0.1 %", -0.25: "-25.0 %"} {
		if got := cli.ChangeText(d); got != want {
			t.Errorf("%g is %q, want %q", d, got, want)
		}
	}
}
