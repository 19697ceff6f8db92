package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
)

func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// OfPanic is the error of a panic. what repeats it.
func OfPanic(p *fault.Panic, what string) error {
	return fmt.Errorf("%w: this is a fault of burstscope %s: please report it with %s and these calls: %s", p, experiment.Version, what, calls(p.Stack))
}

// calls are the innermost functions of a stack, in a line.
func calls(stack []byte) string {
	const most = 5
	var names []string
	lines := strings.Split(string(stack), "\n")
	for i := 0; i+1 < len(lines) && len(names) < most; i++ {
		name, _, call := strings.Cut(lines[i], "(0x")
		if !call {
			name, _, call = strings.Cut(lines[i], "({")
		}
		_, name, ours := strings.Cut(name, "burstscope/burstscope/")
		at, _, _ := strings.Cut(filepath.Base(strings.TrimSpace(lines[i+1])), " ")
		if call && ours && !strings.HasPrefix(name, "core/fault.Guard") {
			names = append(names, name+" "+at)
		}
	}
	return strings.Join(names, ", ")
}

func Counted(n int, what string) string {
	return fmt.Sprintf("%d %s", n, Plural(n, what))
}

func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// HelpWidth is the width of the lines of a help text.
const HelpWidth = 86

// Wrapped breaks words into lines; the lines after the first are indented by four.
func Wrapped(label, text string) string {
	var b strings.Builder
	line := label
	for i, word := range strings.Fields(text) {
		if i > 0 && len(line)+1+len(word) > HelpWidth {
			b.WriteString(line + "\n")
			line = "   "
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}

func PrintJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// TableText are lines of a label, a value and a note. The columns are as wide as the widest
// label and value, so that every value stays in its column.
func TableText(rows [][3]string) string {
	wide := [2]int{30, 16}
	for _, r := range rows {
		for i := range wide {
			wide[i] = max(wide[i], utf8.RuneCountInString(r[i]))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s %*s  %s", wide[0], r[0], wide[1], r[1], r[2]), " ") + "\n")
	}
	return b.String()
}

// ChangeText writes a relative difference in per cent, and "=" for one that nobody could see.
func ChangeText(d float64) string {
	if math.Abs(d) < metric.Same {
		return "="
	}
	return fmt.Sprintf("%+.1f %%", 100*d)
}

func DescribeMemory(m *scheme.Memory) string {
	mag := fmt.Sprintf("(MAG %d B", m.MAG())
	if m.Codec() == "none" {
		return "uncompressed " + mag + ")"
	}
	name, settings := m.Codec(), mag
	if m.Approximation() != "none" {
		name = m.Approximation() + " on " + m.Codec()
		settings += fmt.Sprintf(", threshold %d B", m.Threshold())
	}
	if scheme.HasWays(m.Codec()) {
		settings += fmt.Sprintf(", %d decoding ways", m.DecodingWays())
	}
	if m.Trained() {
		settings += fmt.Sprintf(", %s probabilities", m.Probabilities())
	}
	for _, own := range m.OwnSettings() {
		settings += ", " + own
	}
	return name + " " + settings + ")"
}

// Group writes a number in groups of three digits.
func Group(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// MetricText writes a value with its unit.
func MetricText(m *metric.Metric, v float64) string {
	_, kind, _ := strings.Cut(m.Format, "{")
	kind, _, _ = strings.Cut(kind, "}")
	switch kind {
	case "share", "percent":
		if v != 0 && math.Abs(v) < 0.5e-5 {
			return "<0.001 %" // 0 is the word for an exact output
		}
		return fmt.Sprintf("%.3f %%", 100*v)
	case "ratio", "tenths":
		return fmt.Sprintf("%.3f", v)
	case "seconds":
		return fmt.Sprintf("%.2f us", v*1e6)
	case "joules":
		return strconv.FormatFloat(v, 'g', 4, 64) + " " + m.Unit
	}
	return Group(uint64(v))
}

// InMinutes writes a time as people say it.
func InMinutes(seconds float64) string {
	minutes := int(math.Round(seconds / 60))
	switch {
	case minutes < 1:
		return "less than a minute"
	case minutes < 120:
		return fmt.Sprintf("about %d min", minutes)
	}
	return fmt.Sprintf("about %.1f h", seconds/3600)
}

// Trusted is the share of the work after which the time so far tells more than the costs
// [ours].
const Trusted = 0.02

// ShellWord writes a word for a shell inside single quotes: those are closed, escaped and opened again.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=.,/:+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "'", `'\''`).Replace(word) + `"`
}
