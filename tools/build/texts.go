package main

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// side is one of the two results of the poster.
type side struct {
	letter string
	result *experiment.Result
	memory scheme.Memory
	spec   *parameter.GPU
}

// value is a counter, an input or a metric of the side, NaN if it has none.
func (s *side) value(name string) float64 {
	v, ok := s.result.Value(name)
	if !ok {
		if !metric.Known(name) {
			panic("build: no metric " + name)
		}
		return math.NaN()
	}
	return v
}

// writers are the kinds of metric.Metric.Format, as the page writes them.
var writers = map[string]func(float64) string{
	"count": count, "short": short, "bytes": bytesText, "ratio": ratio, "share": share, "joules": joules,
	"percent": func(v float64) string {
		if v == 0 {
			return "0"
		}
		return percent(v)
	},
	"tenths": func(v float64) string { return fmt.Sprintf("%.1f", v) }, "seconds": seconds,
}

// figure is the text of a metric.
func (s *side) figure(name string) string {
	m, v := metric.Find(name), s.value(name)
	switch {
	case math.IsNaN(v) && name == "metadataHitRate" && s.memory.Codec == "none":
		return "none"
	case math.IsNaN(v):
		return "–"
	}
	before, rest, _ := strings.Cut(m.Format, "{")
	kind, after, _ := strings.Cut(rest, "}")
	return before + writers[kind](v) + after
}

// compared is the text of the comparison column.
func compared(m *metric.Metric, a, b *side) string {
	switch m.Compare {
	case "speedup":
		return "×" + ratio(a.value(m.Name)/b.value(m.Name))
	case "change":
		return change(a.value(m.Name), b.value(m.Name))
	case "mag":
		return magText(a.memory.MAG, b.memory.MAG)
	case "measure":
		return metricText(b.result.ErrorMetric)
	}
	return ""
}

// othersRow discloses the rows of the metrics that measure the error in another way.
const othersRow = `<tr hidden><th colspan="4"><button type="button" id="others" class="plain" aria-expanded="false">by other measures</button></th></tr>` + "\n"

// resultRows are the rows of the result table. The page hides a row in which neither side
// has a value.
func resultRows(a, b *side) string {
	var out strings.Builder
	for i := range metric.Table {
		m := &metric.Table[i]
		if m.Row == "" {
			continue
		}
		label := html.EscapeString(m.Row)
		if m.Term != "" {
			label = fmt.Sprintf(`<dfn data-term="%s">%s</dfn>`, html.EscapeString(m.Term), label)
		}
		hidden := ""
		if m.Under != "" || math.IsNaN(a.value(m.Name)) && math.IsNaN(b.value(m.Name)) {
			hidden = " hidden"
		}
		fmt.Fprintf(&out, `<tr data-row="%s"%s><th scope="row">%s</th><td data-side="A">%s</td><td data-side="B">%s</td><td data-side="R">%s</td></tr>`+"\n",
			m.Name, hidden, label, html.EscapeString(a.figure(m.Name)), html.EscapeString(b.figure(m.Name)), html.EscapeString(compared(m, a, b)))
		if m.Name == "error" {
			out.WriteString(othersRow)
		}
	}
	return out.String()
}

// posterText fills the places of index.html. The memory chart shows side B, as
// the page does at first.
func posterText(a, b *side, isImage bool) (text, vars map[string]string) {
	nameA, nameB := labels(a.memory, b.memory)
	text = map[string]string{
		"headline": headline(nameA, nameB, a, b, isImage),
		"hash": fmt.Sprintf("Numbers of a run made when this page was built (results %s and %s). The same run starts here as soon as the engine is loaded.",
			scenario.ShortHash(a.result.ResultHash), scenario.ShortHash(b.result.ResultHash)),
		"name.A": nameA,
		"name.B": nameB,
	}

	chart := map[string]string{
		"smL1":           b.figure("lines"),
		"l1Xbar":         b.figure("requests"),
		"xbarL2":         b.figure("xbarBytes"),
		"l2Controller":   b.figure("blockBytes"),
		"controllerDram": b.figure("dramBytes"),
		"sm":             b.figure("ipc"),
		"xbar":           b.figure("xbarBusy"),
		"l1":             b.figure("l1HitRate"),
		"l2":             b.figure("l2HitRate"),
		"codec":          controllerText(b.memory),
		"controller":     b.figure("readQueue"),
		"dram":           b.figure("busBusy"),
		"metadata":       hitsText(b.figure("metadataHitRate")),
		"saved":          b.figure("savedBytes"),
	}
	for key, value := range chart {
		text["chart."+key] = value
	}
	return text, linkWidths(a, b)
}

// linkWidths are the widths of the chart's links, for bytes of side B on the
// scale of both sides.
func linkWidths(a, b *side) map[string]string {
	const widest, narrowest = 14, 1.5
	names := [...]string{"l1", "xbar", "l2", "mc", "dram"}
	carried := func(s *side) [len(names)]float64 {
		return [...]float64{s.value("lines") * mem.LineBytes, s.value("requestBytes"), s.value("xbarBytes"), s.value("blockBytes"), s.value("dramBytes")}
	}
	most := 1.0
	for _, s := range []*side{a, b} {
		for _, v := range carried(s) {
			most = max(most, v)
		}
	}
	vars := map[string]string{}
	for i, v := range carried(b) {
		vars["w-"+names[i]] = fmt.Sprintf("%.2f", max(narrowest, widest*v/most))
	}
	return vars
}

// metricText writes the name of a metric in words.
func metricText(name string) string {
	switch name {
	case "none":
		return ""
	case "mre", "nrmse":
		return strings.ToUpper(name)
	}
	return strings.ReplaceAll(name, "-", " ")
}

// headline says the result in one sentence.
func headline(nameA, nameB string, a, b *side, isImage bool) string {
	on, thing, measure := "", "result", ""
	if isImage {
		on, thing = " on this image", "picture"
	} else if metricText(b.result.ErrorMetric) != "" {
		measure = " (" + metricText(b.result.ErrorMetric) + ")"
	}
	moves := fmt.Sprintf("moves as many bytes as %s%s", nameA, on)
	if fewer := 1 - b.value("dramBytes")/a.value("dramBytes"); math.Abs(fewer) >= metric.Same {
		moves = fmt.Sprintf("moves %s %s bytes than %s%s", percent(math.Abs(fewer)), either(fewer > 0, "fewer", "more"), nameA, on)
	}
	time := "takes as long"
	if sooner := 1 - float64(b.result.Cycles)/float64(a.result.Cycles); math.Abs(sooner) >= metric.Same {
		time = fmt.Sprintf("finishes %s %s", percent(math.Abs(sooner)), either(sooner > 0, "sooner", "later"))
	}
	changes := fmt.Sprintf("the %s is exact", thing)
	switch {
	case a.result.Error != 0:
		changes = fmt.Sprintf("the %s changes by %s against %s%s", thing, percent(b.result.Error), percent(a.result.Error), measure)
	case b.result.Error != 0:
		changes = fmt.Sprintf("the %s changes by %s%s", thing, percent(b.result.Error), measure)
	}
	return fmt.Sprintf("%s %s and %s; %s.", nameB, moves, time, changes)
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// memoryLabel is a short name of a scheme.
func memoryLabel(m scheme.Memory) string {
	switch {
	case m.Approximation != "none":
		return codecs.Find(m.Approximation).Title
	case m.Codec == "none":
		return "no compression"
	}
	return codecs.Find(m.Codec).Title
}

// labels names the two schemes of the default scenario, which differ in more than
// their settings; the page tells apart whatever its reader chooses.
func labels(a, b scheme.Memory) (string, string) {
	nameA, nameB := memoryLabel(a), memoryLabel(b)
	if a.MAG != b.MAG {
		nameA += fmt.Sprintf(", MAG %d B", a.MAG)
		nameB += fmt.Sprintf(", MAG %d B", b.MAG)
	}
	return nameA, nameB
}

func magText(a, b int) string {
	if a == b {
		return fmt.Sprintf("at %d%sB", b, thin)
	}
	return fmt.Sprintf("%d|%d%sB", a, b, thin)
}

func controllerText(m scheme.Memory) string {
	if m.Codec == "none" {
		return "no codec"
	}
	return memoryLabel(m)
}

func hitsText(figure string) string {
	if strings.HasSuffix(figure, "%") {
		return figure + " hits"
	}
	return figure
}
