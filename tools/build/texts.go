package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
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

// stat adds counters.
func (s *side) stat(names ...string) float64 {
	total := 0.0
	for _, name := range names {
		v, ok := s.result.Stats[name]
		if !ok {
			panic("build: no counter " + name)
		}
		total += float64(v)
	}
	return total
}

// The figures of the page; site/src/state/metrics.ts holds the same formulas with what
// they mean.
func (s *side) bytes() float64 { return s.stat("dramReadBytes", "dramWriteBytes") }

// requestBytes and replyBytes cross between SMs and L2.
func (s *side) requestBytes() float64 {
	return s.stat("xbarRequestFlits") * float64(s.spec.SM.FlitBytes)
}

func (s *side) replyBytes() float64 {
	return s.stat("xbarReplyFlits") * float64(s.spec.L2.FlitBytes)
}

func (s *side) crossbarShare() float64 {
	flits := max(s.stat("xbarRequestFlits"), s.stat("xbarReplyFlits"))
	return flits / float64(s.result.Cycles) / float64(min(s.spec.SMs, s.spec.Slices()))
}

func (s *side) readQueue() float64 {
	return s.stat("readQueueOccupancy") / float64(s.result.Cycles) / float64(s.spec.Slices())
}

func (s *side) lines() float64 { return s.stat("l1Accesses", "l1Writes", "l1Bypasses", "atomicLines") }

func (s *side) blockBytes() float64 {
	return s.stat("controllerReads", "controllerWrites") * mem.LineBytes
}

func (s *side) savedShare() float64 {
	return s.stat("burstsSaved") / s.stat("burstsSaved", "burstsRead", "burstsWritten")
}

func (s *side) lossyShare() float64 {
	return s.stat("blocksReadLossy", "blocksWrittenLossy") /
		s.stat("blocksReadRaw", "blocksReadLossless", "blocksReadLossy", "blocksWrittenRaw", "blocksWrittenLossless", "blocksWrittenLossy")
}

func (s *side) rowHitShare() float64 {
	return s.stat("rowHits") / s.stat("burstsRead", "burstsWritten", "burstsMetadata")
}

func (s *side) metadataHits() string {
	if accesses := s.stat("metadataAccesses"); accesses > 0 {
		return share(s.stat("metadataHits") / accesses)
	}
	if s.memory.Codec == "none" {
		return "none"
	}
	return "–"
}

func (s *side) outputError() string {
	if s.result.Error == 0 {
		return "0"
	}
	return percent(s.result.Error)
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
	row := func(name string, figure func(*side) string, compared string) {
		text["row."+name+".A"], text["row."+name+".B"], text["row."+name+".ratio"] = figure(a), figure(b), compared
	}
	row("cycles", func(s *side) string { return count(float64(s.result.Cycles)) }, "×"+ratio(float64(a.result.Cycles)/float64(b.result.Cycles)))
	row("bytes", func(s *side) string { return bytesText(s.bytes()) }, change(a.bytes(), b.bytes()))
	row("rawRatio", func(s *side) string { return ratio(s.result.CompressionRatioRaw) }, "")
	row("effectiveRatio", func(s *side) string { return ratio(s.result.CompressionRatioEffective) }, magText(a.memory.MAG, b.memory.MAG))
	row("burstsSaved", func(s *side) string { return share(s.savedShare()) }, "")
	row("lossy", func(s *side) string { return share(s.lossyShare()) }, "")
	row("metadataHits", (*side).metadataHits, "")
	row("rowHits", func(s *side) string { return share(s.rowHitShare()) }, "")
	row("energyTotal", func(s *side) string { return joules(s.result.Energy.Joules) }, change(a.result.Energy.Joules, b.result.Energy.Joules))
	row("edp", func(s *side) string { return joules(s.result.Energy.EDP) + "·s" }, change(a.result.Energy.EDP, b.result.Energy.EDP))
	row("error", (*side).outputError, metricText(b.result.ErrorMetric))

	chart := map[string]string{
		"smL1":           short(b.lines()),
		"l1Xbar":         short(b.stat("l2Accesses")),
		"xbarL2":         bytesText(b.requestBytes() + b.replyBytes()),
		"l2Controller":   bytesText(b.blockBytes()),
		"controllerDram": bytesText(b.bytes()),
		"sm":             "ipc " + ratio(float64(b.result.WarpInstructions)/float64(b.result.Cycles)/float64(b.spec.SMs)),
		"xbar":           percent(b.crossbarShare()) + " of peak",
		"l1":             percent(b.stat("l1Hits") / b.stat("l1Accesses")),
		"l2":             percent(b.stat("l2Hits") / b.stat("l2Accesses")),
		"codec":          controllerText(b.memory),
		"controller":     fmt.Sprintf("queue %.1f", b.readQueue()),
		"dram":           percent(b.stat("dataBusBusyCycles")/b.stat("dramCycles")) + " of peak",
		"metadata":       hitsText(b.metadataHits()),
		"saved":          bytesText(b.stat("burstsSaved") * float64(b.memory.MAG)),
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
		return [...]float64{s.lines() * mem.LineBytes, s.requestBytes(), s.requestBytes() + s.replyBytes(), s.blockBytes(), s.bytes()}
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

// metricText writes the name of a measure as people do.
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
	const unseen = 0.0005
	on, thing, metric := "", "result", ""
	if isImage {
		on, thing = " on this image", "picture"
	} else if metricText(b.result.ErrorMetric) != "" {
		metric = " (" + metricText(b.result.ErrorMetric) + ")"
	}
	moves := fmt.Sprintf("moves as many bytes as %s%s", nameA, on)
	if fewer := 1 - b.bytes()/a.bytes(); math.Abs(fewer) >= unseen {
		moves = fmt.Sprintf("moves %s %s bytes than %s%s", percent(math.Abs(fewer)), either(fewer > 0, "fewer", "more"), nameA, on)
	}
	time := "takes as long"
	if sooner := 1 - float64(b.result.Cycles)/float64(a.result.Cycles); math.Abs(sooner) >= unseen {
		time = fmt.Sprintf("finishes %s %s", percent(math.Abs(sooner)), either(sooner > 0, "sooner", "later"))
	}
	changes := fmt.Sprintf("the %s is exact", thing)
	switch {
	case a.result.Error != 0:
		changes = fmt.Sprintf("the %s changes by %s against %s%s", thing, percent(b.result.Error), percent(a.result.Error), metric)
	case b.result.Error != 0:
		changes = fmt.Sprintf("the %s changes by %s%s", thing, percent(b.result.Error), metric)
	}
	return fmt.Sprintf("%s %s and %s; %s.", nameB, moves, time, changes)
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// memoryLabel names a scheme in a word or two.
func memoryLabel(m scheme.Memory) string {
	switch {
	case m.Approximation != "none":
		return strings.ToUpper(m.Approximation)
	case m.Codec == "none":
		return "no compression"
	case strings.HasPrefix(m.Codec, "e2mc"):
		return "E2MC-" + strings.TrimPrefix(m.Codec, "e2mc")
	}
	return strings.ToUpper(m.Codec)
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
