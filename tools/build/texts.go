package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
)

// side is one of the two results of the poster.
type side struct {
	result *experiment.Result
	memory scheme.Memory
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
	case math.IsNaN(v) && name == "metadataHitRate" && s.memory.Codec() == "none":
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
		return magText(a.memory.MAG(), b.memory.MAG())
	case "measure":
		return metricText(b.result.ErrorMetric)
	}
	return ""
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
	case m.Approximation() != "none":
		return codecs.Find(m.Approximation()).Title
	case m.Codec() == "none":
		return "no compression"
	}
	return codecs.Find(m.Codec()).Title
}

// labels names the two schemes of the default scenario, which differ in more than
// their settings; the page tells apart whatever its reader chooses.
func labels(a, b scheme.Memory) (string, string) {
	nameA, nameB := memoryLabel(a), memoryLabel(b)
	if a.MAG() != b.MAG() {
		nameA += fmt.Sprintf(", MAG %d B", a.MAG())
		nameB += fmt.Sprintf(", MAG %d B", b.MAG())
	}
	return nameA, nameB
}

func magText(a, b int) string {
	if a == b {
		return fmt.Sprintf("at %d%sB", b, thin)
	}
	return fmt.Sprintf("%d|%d%sB", a, b, thin)
}
