package run

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/silicon/gpu"
)

// gpuHelp is the part of a help text that run and exec share.
const gpuHelp = `
  --on gpu            after the simulation, also run the PTX on an NVIDIA GPU, with
                      the same buffers and launches, and compare the outputs byte by
                      byte. The driver is enough; no CUDA toolkit is needed
  --gpu N             number of the GPU, from 0 (default 0)
  --gpu-library FILE  the driver's library (default libcuda.so.1, nvcuda.dll on Windows)
  --gpu-repetitions N runs that are timed, each with fresh inputs and an empty L2
                      (default 10); three runs before them are not timed
  --gpu-limit SECONDS limit on one run on the GPU (default 10)

The GPU knows nothing of codecs. If the memory scheme changed an output, the GPU's is
compared with the simulated output and with the exact one. Addresses differ between GPU
and simulator, so a program that stores addresses has other outputs. If the GPU part
fails, the simulated result is still printed, and the exit status is 1.
`

// Defaults of a measurement on a GPU [ours]: on an H200, ten runs of a shipped program differ
// by some percent, and a hundred have the same median.
const (
	gpuWarmUps            = 3
	gpuDefaultRepetitions = 10
	gpuMaxRepetitions     = 10000
)

// gpuOptions are the flags that concern a GPU.
type gpuOptions struct {
	on          bool
	ordinal     int
	library     string
	repetitions int
	limit       time.Duration
	given       string // the last of the flags other than --on, for a message
}

// gpuFlags declares the flags of gpuHelp.
func gpuFlags(flags *flag.FlagSet) *gpuOptions {
	o := &gpuOptions{repetitions: gpuDefaultRepetitions, limit: gpu.DefaultLimit}
	flags.Func("on", "", func(text string) error {
		if text != "gpu" {
			return fmt.Errorf("use gpu; the simulator always runs")
		}
		o.on = true
		return nil
	})
	number := func(name string, least, most int, set func(int)) {
		flags.Func(name, "", func(text string) error {
			o.given = name
			n, err := strconv.Atoi(text)
			if err != nil || n < least || n > most {
				return fmt.Errorf("use a whole number from %d to %d", least, most)
			}
			set(n)
			return nil
		})
	}
	number("gpu", 0, 1023, func(n int) { o.ordinal = n })
	number("gpu-repetitions", 1, gpuMaxRepetitions, func(n int) { o.repetitions = n })
	number("gpu-limit", 1, 86400, func(n int) { o.limit = time.Duration(n) * time.Second })
	flags.Func("gpu-library", "", func(text string) error {
		o.given, o.library = "gpu-library", text
		return nil
	})
	return o
}

// Check reports combinations of flags that make no sense.
func (o *gpuOptions) check(format string, with *tables) error {
	switch {
	case o.given != "" && !o.on:
		return cli.Usagef("--%s without a GPU: add --on gpu", o.given)
	case o.on && len(with.named()) > 0 && format == "csv":
		return cli.Usagef("%s and --format csv print one table only: for --on gpu, use --format json or text",
			with.named()[0])
	}
	return nil
}

// runner returns what runs a simulated program on the GPU too, or nothing without --on gpu.
// A fault is also in the report.
func (o *gpuOptions) runner(p *workload.Program, r *experiment.Result) func() (*gpuReport, error) {
	if !o.on {
		return func() (*gpuReport, error) { return nil, nil }
	}
	return func() (*gpuReport, error) {
		outcome, err := o.measure(p)
		if err != nil {
			err = fmt.Errorf("on the GPU: %w", err)
			if timeout := (*gpu.Timeout)(nil); errors.As(err, &timeout) {
				err = fmt.Errorf("%w; --gpu-limit sets the limit", err)
			}
			return &gpuReport{Error: err.Error()}, err
		}
		return newGPUReport(p, r, outcome), nil
	}
}

func (o *gpuOptions) measure(p *workload.Program) (*gpu.Outcome, error) {
	device, err := gpu.OpenDevice(o.library, o.ordinal)
	if err != nil {
		return nil, err
	}
	defer device.Close()
	// The simulator's caches are empty at the start of a run, so the GPU's are as well.
	return gpu.Run(device, p, gpu.Options{WarmUps: gpuWarmUps, Repetitions: o.repetitions, Limit: o.limit, Cold: true})
}

// gpuReport is what a GPU did, beside the simulated result.
type gpuReport struct {
	Error    string       `json:"error,omitempty"`
	Measured *gpuMeasured `json:"measured,omitempty"` // nil after an error
}

type gpuMeasured struct {
	gpu.Info
	MeasuredClockMHz float64 `json:"measuredClockMHz"`
	WarmUps          int     `json:"warmUps"`
	Repetitions      int     `json:"repetitions"`
	// Times of all launches together.
	MedianNanoseconds   float64 `json:"medianNanoseconds"`
	LeastNanoseconds    float64 `json:"leastNanoseconds"`
	GreatestNanoseconds float64 `json:"greatestNanoseconds"`
	Cycles              float64 `json:"cycles"` // the median at the measured clock
	// Repeatable says whether all repetitions made the same outputs.
	Repeatable bool            `json:"repeatable"`
	Outputs    []gpuComparison `json:"outputs"`
}

// gpuComparison compares an output buffer of the GPU.
type gpuComparison struct {
	Buffer string `json:"buffer"`
	With   string `json:"with"` // "simulated" or "exact"
	Equal  bool   `json:"equal"`
	workload.Difference
	// Values of the first different element.
	FirstOnGPU *gpuValue `json:"firstOnGPU,omitempty"`
	FirstOther *gpuValue `json:"firstOther,omitempty"`
}

type gpuValue struct {
	Value string `json:"value"`
	Bits  string `json:"bits"`
}

func newGPUReport(p *workload.Program, r *experiment.Result, o *gpu.Outcome) *gpuReport {
	times := slices.Sorted(slices.Values(o.Nanoseconds))
	median := (times[(len(times)-1)/2] + times[len(times)/2]) / 2
	m := &gpuMeasured{
		Info: o.Info, MeasuredClockMHz: o.ClockMHz, WarmUps: gpuWarmUps, Repetitions: len(times),
		MedianNanoseconds: median, LeastNanoseconds: times[0], GreatestNanoseconds: times[len(times)-1],
		Cycles: median * o.ClockMHz / 1000, Repeatable: o.Repeatable,
	}
	for k, i := range p.Outputs() {
		b := &p.Buffers[i]
		m.Outputs = append(m.Outputs, compareOutput(b, "simulated", o.Outputs[k], r.Outputs[k]))
		if string(r.Outputs[k]) != string(r.Exact[k]) {
			m.Outputs = append(m.Outputs, compareOutput(b, "exact", o.Outputs[k], r.Exact[k]))
		}
	}
	return &gpuReport{Measured: m}
}

func compareOutput(b *workload.Buffer, with string, onGPU, other []byte) gpuComparison {
	d := workload.Compare(b, onGPU, other)
	c := gpuComparison{Buffer: b.Name, With: with, Equal: d.Different == 0, Difference: d}
	if !c.Equal {
		c.FirstOnGPU = &gpuValue{workload.TextOf(b.Element, onGPU, d.First), workload.BitsOf(b.Element, onGPU, d.First)}
		c.FirstOther = &gpuValue{workload.TextOf(b.Element, other, d.First), workload.BitsOf(b.Element, other, d.First)}
	}
	return c
}

// Text is the part of the table that concerns the GPU.
func (r *gpuReport) text() string {
	m := r.Measured
	var b strings.Builder
	var rows [][3]string
	row := func(label, value, format string, args ...any) {
		rows = append(rows, [3]string{label, value, fmt.Sprintf(format, args...)})
	}
	microseconds := func(nanoseconds float64) string { return fmt.Sprintf("%.2f us", nanoseconds/1000) }
	fmt.Fprintf(&b, "\non %s, driver %s, compute capability %d.%d\n\n", m.Name, m.Driver, m.ComputeCapability[0], m.ComputeCapability[1])
	row("GPU clock", fmt.Sprintf("%.1f MHz", m.MeasuredClockMHz), "Measured after the runs. The device allows %.0f MHz; memory: %.0f MHz.", m.ClockMHz, m.MemoryClockMHz)
	row("GPU time", microseconds(m.MedianNanoseconds), "Median of %d runs after %d that are not timed; least %s, greatest %s.", m.Repetitions, m.WarmUps, microseconds(m.LeastNanoseconds), microseconds(m.GreatestNanoseconds))
	row("GPU cycles", cli.Group(uint64(m.Cycles+0.5)), "The median time at the measured clock.")
	if !m.Repeatable {
		row("GPU outputs", "not repeatable", "Its runs made different outputs: threads race, or add in another order. The last is compared.")
	}
	if len(m.Outputs) == 0 {
		row("GPU outputs", "none", "The program has no output buffer to compare.")
	}
	for i := range m.Outputs {
		c := &m.Outputs[i]
		if c.Equal {
			row("output "+c.Buffer, "equal", "All %s elements are equal to the %s ones, byte by byte.", cli.Group(c.Elements), c.With)
			continue
		}
		distance := fmt.Sprintf("the largest difference is %g", c.Largest)
		if c.NotFinite > 0 {
			distance += fmt.Sprintf(", and %s are NaN or infinite", cli.Group(c.NotFinite))
		}
		row("output "+c.Buffer, "different", "%s of %s elements differ from the %s ones; %s. First: element %d, GPU %s (%s), %s %s (%s).",
			cli.Group(c.Different), cli.Group(c.Elements), c.With, distance, c.First, c.FirstOnGPU.Value, c.FirstOnGPU.Bits, c.With, c.FirstOther.Value, c.FirstOther.Bits)
	}
	return b.String() + cli.TableText(rows)
}

// columns puts the figures into a line of CSV. After an error it has only gpuError.
func (r *gpuReport) columns(put func(name string, value any)) {
	put("gpuError", r.Error)
	m := r.Measured
	if m == nil {
		return
	}
	put("gpuDevice", m.Name)
	put("gpuDriver", m.Driver)
	put("gpuComputeCapability", fmt.Sprintf("%d.%d", m.ComputeCapability[0], m.ComputeCapability[1]))
	put("gpuClockMHz", m.ClockMHz)
	put("gpuMemoryClockMHz", m.MemoryClockMHz)
	put("gpuMeasuredClockMHz", m.MeasuredClockMHz)
	put("gpuWarmUps", m.WarmUps)
	put("gpuRepetitions", m.Repetitions)
	put("gpuMedianNanoseconds", m.MedianNanoseconds)
	put("gpuLeastNanoseconds", m.LeastNanoseconds)
	put("gpuGreatestNanoseconds", m.GreatestNanoseconds)
	put("gpuCycles", m.Cycles)
	put("gpuRepeatable", m.Repeatable)
	for i := range m.Outputs {
		c := &m.Outputs[i]
		name := func(what string) string { return "gpu." + c.Buffer + "." + c.With + "." + what }
		put(name("equal"), c.Equal)
		put(name("elements"), c.Elements)
		put(name("different"), c.Different)
		put(name("largest"), c.Largest)
		put(name("notFinite"), c.NotFinite)
		if !c.Equal {
			put(name("first"), c.First)
			put(name("firstOnGPU"), c.FirstOnGPU.Value)
			put(name("firstOther"), c.FirstOther.Value)
		}
	}
}
