package run

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// launchColumns are the metrics in the table of launches. The other formats have all.
var launchColumns = []struct{ metric, head string }{
	{"ipc", "IPC"}, {"l1HitRate", "L1 hits"}, {"l2HitRate", "L2 hits"}, {"dramBytes", "DRAM bytes"},
	{"bandwidthShare", "bandwidth"}, {"joules", "energy"},
}

// printLaunches prints a line for each launch, and for each kernel.
func printLaunches(out io.Writer, p *experiment.PerLaunch) error {
	head := []string{"launch", "kernel", "begin", "cycles"}
	for _, c := range launchColumns {
		head = append(head, c.head)
	}
	head = append(head, "most stalls")
	rows := [][]string{head}
	for i, l := range p.Launches {
		if l.Figures != nil {
			row := []string{strconv.Itoa(i), l.Entry, cli.Group(l.Begin), cli.Group(l.Cycles)}
			rows = append(rows, append(row, figureCells(l.Figures)...))
		}
	}
	text := "\n" + columns(rows, 1, len(head)-1)
	if p.Note != "" {
		text += p.Note + "\n"
	}
	head = slices.Clone(head)
	head[0], head[1], head[2] = "", "kernel", "launches"
	rows = [][]string{head}
	for _, k := range p.Kernels {
		row := []string{"", k.Entry, cli.Group(k.Launches), cli.Group(k.Cycles)}
		rows = append(rows, append(row, figureCells(k.Figures)...))
	}
	text += "\n" + columns(rows, 1, len(head)-1) +
		"\nEvery counter and metric of each launch: --format json, or --launches --format csv\n"
	_, err := io.WriteString(out, text)
	return err
}

// figureCells are the cells of the metrics and of the stalls.
func figureCells(f *experiment.Figures) (cells []string) {
	for _, c := range launchColumns {
		text := "-"
		if v, ok := f.Metrics[c.metric]; ok {
			text = cli.MetricText(metric.Find(c.metric), v)
		}
		cells = append(cells, text)
	}
	stalls := "-"
	if reason, share := f.TopStall(); reason != stat.Invalid {
		stalls = fmt.Sprintf("%s %.1f %%", stat.Describe(reason).Name, 100*share)
	}
	return append(cells, stalls)
}

// columns aligns cells: some columns, of names, to the left, and the others to the right.
func columns(rows [][]string, left ...int) string {
	wide := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			wide[i] = max(wide[i], len(cell))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			w := wide[i]
			if slices.Contains(left, i) {
				w = -w
			}
			fmt.Fprintf(&line, "%*s  ", w, cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// printLaunchesCSV prints a row for each launch with figures, and then one for each kernel, whose number of a launch
// is empty, and whose cycles are those from the begin of its first launch to the end of its last one. A
// metric without a value has an empty cell.
func printLaunchesCSV(out io.Writer, p *experiment.PerLaunch) error {
	names := []string{"launch", "kernel", "launches", "beginCycle", "cycles", "spanCycles"}
	metrics := len(names)
	for _, name := range metric.Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	energy := len(names)
	for _, part := range energyParts(p) {
		names = append(names, part+"Femtojoules")
	}
	counters := len(names)
	for _, c := range stat.List() {
		names = append(names, stat.Describe(c).Name)
	}
	rows := [][]string{names}
	put := func(f *experiment.Figures, first ...string) {
		row := append(first, strconv.FormatUint(f.SpanCycles, 10))
		for _, name := range names[metrics:energy] {
			text := ""
			if v, ok := f.Metrics[name]; ok {
				text = strconv.FormatFloat(v, 'f', -1, 64)
			}
			row = append(row, text)
		}
		for _, name := range names[energy:counters] {
			row = append(row, strconv.FormatUint(f.Femtojoules[strings.TrimSuffix(name, "Femtojoules")], 10))
		}
		for _, name := range names[counters:] {
			row = append(row, strconv.FormatUint(f.Stats[name], 10))
		}
		rows = append(rows, row)
	}
	for i, l := range p.Launches {
		if l.Figures != nil {
			begin, cycles := strconv.FormatUint(l.Begin, 10), strconv.FormatUint(l.Cycles, 10)
			put(l.Figures, strconv.Itoa(i), l.Entry, "1", begin, cycles)
		}
	}
	for _, k := range p.Kernels {
		begin, cycles := strconv.FormatUint(k.Begin, 10), strconv.FormatUint(k.Cycles, 10)
		put(k.Figures, "", k.Entry, strconv.FormatUint(k.Launches, 10), begin, cycles)
	}
	return csv.NewWriter(out).WriteAll(rows)
}

// energyParts are the names of the parts of all kernels, and so of all launches.
func energyParts(p *experiment.PerLaunch) (names []string) {
	for _, k := range p.Kernels {
		for part := range k.Femtojoules {
			if !slices.Contains(names, part) {
				names = append(names, part)
			}
		}
	}
	slices.Sort(names)
	return names
}
