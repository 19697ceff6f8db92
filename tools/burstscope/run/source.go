package run

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// printSource prints the text of every file with the figures of its lines. For a file
// without text it prints only the lines that have figures.
func printSource(out io.Writer, files []experiment.SourceFile) error {
	var b strings.Builder
	for i := range files {
		f := &files[i]
		total := uint64(0)
		for _, l := range f.Lines {
			total += l.StallCycles
		}
		fmt.Fprintf(&b, "\n%s, %s stall cycles\n", f.Name, cli.Group(total))
		fmt.Fprintf(&b, "%12s %6s %12s %14s %14s %7s  %5s\n", "executions", "lanes", "L1 misses", "bytes", "stall cycles", "", "line")
		if f.Text == nil {
			for k := range f.Lines {
				b.WriteString(sourceRow(&f.Lines[k], total, f.Lines[k].Line, ""))
			}
			continue
		}
		lines := f.Lines
		for n, text := range strings.Split(strings.TrimSuffix(string(f.Text), "\n"), "\n") {
			var l *experiment.SourceLine
			if len(lines) > 0 && lines[0].Line == n+1 {
				l, lines = &lines[0], lines[1:]
			}
			b.WriteString(sourceRow(l, total, n+1, strings.ReplaceAll(text, "\t", "    ")))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// sourceRow is one line of the text; l is nil if no instruction comes from it.
func sourceRow(l *experiment.SourceLine, total uint64, number int, text string) string {
	counts := ""
	if l != nil {
		share := ""
		if l.StallCycles > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(l.StallCycles)/float64(total))
		}
		counts = fmt.Sprintf("%12s %6s %12s %14s %14s %7s", cli.Group(l.Executions), averageLanes(l), cli.Group(l.L1Misses), cli.Group(l.Bytes), cli.Group(l.StallCycles), share)
	}
	return strings.TrimRight(fmt.Sprintf("%-70s  %5d  %s", counts, number, text), " \r") + "\n"
}

func averageLanes(l *experiment.SourceLine) string {
	if l.Executions == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(l.Lanes)/float64(l.Executions))
}

// printSourceCSV prints a row for each line that instructions come from.
func printSourceCSV(out io.Writer, files []experiment.SourceFile) error {
	rows := [][]string{{"file", "line", "executions", "lanes", "l1Misses", "bytes", "stallCycles"}}
	for i := range files {
		for _, l := range files[i].Lines {
			row := []string{files[i].Name, strconv.Itoa(l.Line)}
			for _, n := range []uint64{l.Executions, l.Lanes, l.L1Misses, l.Bytes, l.StallCycles} {
				row = append(row, strconv.FormatUint(n, 10))
			}
			rows = append(rows, row)
		}
	}
	return csv.NewWriter(out).WriteAll(rows)
}
