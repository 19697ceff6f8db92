package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
)

// report prints a result in one of the formats of run. If source is set it adds the
// figures of each line of the program.
func report(out io.Writer, format string, source bool, title string, r *experiment.Result) error {
	switch {
	case format == "json" && source:
		return printJSON(out, struct {
			*experiment.Result
			Source []experiment.SourceFile `json:"source"`
		}{r, r.Source})
	case format == "json":
		return printJSON(out, r)
	case format == "csv" && source:
		return printSourceCSV(out, r.Source)
	case format == "csv":
		return printCSV(out, r)
	}
	if err := printText(out, title, r); err != nil || !source {
		return err
	}
	return printSource(out, r.Source)
}

func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printCSV prints the figures and then every counter, by name.
func printCSV(out io.Writer, r *experiment.Result) error {
	var names, values []string
	put := func(name string, value any) {
		names = append(names, name)
		values = append(values, fmt.Sprint(value))
	}
	put("version", r.Version)
	put("scenarioHash", r.ScenarioHash)
	put("resultHash", r.ResultHash)
	put("workload", r.Workload)
	put("preset", r.Preset)
	put("overrides", overridesText(r.Overrides))
	put("codec", r.Memory.Codec)
	put("probabilities", r.Memory.Probabilities)
	put("decodingWays", r.Memory.DecodingWays)
	put("mag", r.Memory.MAG)
	put("approximation", r.Memory.Approximation)
	put("threshold", r.Memory.Threshold)
	put("cycles", r.Cycles)
	put("seconds", r.Seconds)
	put("bandwidthShare", r.BandwidthShare)
	put("compressionRatioRaw", r.CompressionRatioRaw)
	put("compressionRatioEffective", r.CompressionRatioEffective)
	put("metadataHitRate", r.MetadataHitRate)
	put("l1HitRate", r.L1HitRate)
	put("l2HitRate", r.L2HitRate)
	put("lossyShare", r.LossyShare)
	if e := r.Energy; e != nil {
		put("joules", e.Joules)
		put("watts", e.Watts)
		put("edpJouleSeconds", e.EDP)
		put("totalFemtojoules", e.TotalFemtojoules)
		for _, p := range e.Parts {
			put(p.Name+"Femtojoules", p.Femtojoules)
		}
	}
	put("error", r.Error)
	put("errorMetric", r.ErrorMetric)
	for c := range stat.NumCounters {
		name := stat.Describe(c).Name
		put(name, r.Stats[name])
	}
	w := csv.NewWriter(out)
	if err := w.WriteAll([][]string{names, values}); err != nil {
		return err
	}
	return w.Error()
}

func printText(out io.Writer, title string, r *experiment.Result) error {
	var b strings.Builder
	if title != "" {
		fmt.Fprintln(&b, title)
	}
	if r.Functional {
		fmt.Fprintf(&b, "%s without a machine: outputs and instruction counts, no timing\nresult %s  version %s\n\n", r.Workload, scenario.ShortHash(r.ResultHash), r.Version)
		fmt.Fprintf(&b, "%-30s %16s\n%-30s %16s\n", "warp instructions", group(r.WarpInstructions), "thread instructions", group(r.ThreadInstructions))
		_, err := io.WriteString(out, b.String())
		return err
	}
	fmt.Fprintf(&b, "%s on %s, memory %s\n", r.Workload, r.Preset, describeMemory(&r.Memory)+r.Label())
	fmt.Fprintf(&b, "scenario %s  result %s  version %s\n\n", scenario.ShortHash(r.ScenarioHash), scenario.ShortHash(r.ResultHash), r.Version)
	for _, path := range slices.Sorted(maps.Keys(r.Overrides)) {
		fmt.Fprintf(&b, "machine.overrides.%s = %v\n", path, r.Overrides[path])
	}
	if len(r.Overrides) > 0 {
		b.WriteString("\n")
	}
	row := func(label, value, note string) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-30s %16s  %s", label, value, note), " ") + "\n")
	}
	row("cycles", group(r.Cycles), fmt.Sprintf("of the core clock, %s", microseconds(r.Seconds)))
	row("warp instructions", group(r.WarpInstructions), fmt.Sprintf("%.2f a cycle", perCycle(r.WarpInstructions, r.Cycles)))
	row("thread instructions", group(r.ThreadInstructions), "")
	row("DRAM bytes read", group(r.DRAMReadBytes), fmt.Sprintf("%s data bursts of %d B", group(r.BurstsRead), r.Memory.MAG))
	row("DRAM bytes written", group(r.DRAMWriteBytes), fmt.Sprintf("%s data bursts of %d B", group(r.BurstsWritten), r.Memory.MAG))
	row("metadata bursts", group(r.Stats["burstsMetadata"]), "read and written, in the bytes above")
	row("bursts saved", group(r.BurstsSaved), "by compression")
	row("DRAM bandwidth used", percent(r.BandwidthShare), "of the peak")
	row("compression ratio, raw", ratio(r.CompressionRatioRaw), "block bytes to stored bytes")
	row("compression ratio, effective", ratio(r.CompressionRatioEffective), "block bytes to fetched bytes")
	row("L1 hits", rate(r.L1HitRate, r.Stats["l1Accesses"]), "of "+group(r.Stats["l1Accesses"])+" lines looked up")
	row("L2 hits", rate(r.L2HitRate, r.Stats["l2Accesses"]), "of "+group(r.Stats["l2Accesses"])+" lines looked up")
	row("metadata cache hits", rate(r.MetadataHitRate, r.Stats["metadataAccesses"]), "of "+group(r.Stats["metadataAccesses"])+" lookups")
	row("blocks approximated", percent(r.LossyShare), "of those read and written")
	row("output error", percent(r.Error), r.ErrorMetric)
	if len(r.Launches) > 1 {
		b.WriteString("\n")
		for i, l := range r.Launches {
			row(fmt.Sprintf("launch %d: %s", i, l.Entry), group(l.Cycles), "cycles")
		}
	}
	writeEnergy(&b, r.Energy)
	_, err := io.WriteString(out, b.String())
	return err
}

func describeMemory(m *scheme.Memory) string {
	mag := fmt.Sprintf("(MAG %d B", m.MAG)
	if m.Codec == "none" {
		return "uncompressed " + mag + ")"
	}
	name, settings := m.Codec, mag
	if m.Approximation != "none" {
		name = m.Approximation + " on " + m.Codec
		settings += fmt.Sprintf(", threshold %d B", m.Threshold)
	}
	if scheme.HasWays(m.Codec) {
		settings += fmt.Sprintf(", %d decoding ways", m.DecodingWays)
	}
	if scheme.Trained(m.Codec) {
		settings += fmt.Sprintf(", %s probabilities", m.Probabilities)
	}
	return name + " " + settings + ")"
}

// overridesText writes overrides as one word without spaces.
func overridesText(o scenario.Overrides) string {
	var list []string
	for _, path := range slices.Sorted(maps.Keys(o)) {
		list = append(list, fmt.Sprintf("%s=%v", path, o[path]))
	}
	return strings.Join(list, " ")
}

// group writes a number in groups of three digits.
func group(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func perCycle(n, cycles uint64) float64 { return float64(n) / float64(max(cycles, 1)) }

func microseconds(seconds float64) string { return fmt.Sprintf("%.2f us", seconds*1e6) }

func percent(share float64) string { return fmt.Sprintf("%.3f %%", 100*share) }

// rate writes a share, or a dash if nothing was counted.
func rate(share float64, of uint64) string {
	if of == 0 {
		return "-"
	}
	return percent(share)
}

func ratio(r float64) string {
	if r == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", r)
}
