package bench

import (
	"flag"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// growthPoint is one measurement of what a warp instruction costs.
type growthPoint struct {
	Series           string
	Program          string
	Size             int
	Preset           string
	SMs              int
	WarpInstructions uint64
	Cycles           uint64
	Seconds          float64
	Nanoseconds      float64
}

// growthLine is a program whose cost is measured on several machines or at several sizes.
type growthLine struct {
	series, program, preset string
	sizes, sms              []int // all pairs; sms 0: the preset's own number
}

// growthLines are the lines of the chart. In instructions: a program that computes, one that
// only moves data, and one between them, at sizes from 0.1 million warp instructions to 9, 28 and 50 million. In
// SMs: the machine with the most of them, at sizes whose CTAs fill them.
var growthLines = []growthLine{
	{growthInstructions, "matmul", "gtx480", []int{96, 192, 416, 720}, []int{0}},
	{growthInstructions, "dct", "gtx480", []int{256, 768, 2400, 4096}, []int{0}},
	{growthInstructions, "transpose", "gtx480", []int{448, 1376, 4096}, []int{0}},
	{growthOfSMs, "matmul", "a100", []int{416}, []int{4, 8, 16, 32, 64, 108}},
	{growthOfSMs, "dct", "a100", []int{1024}, []int{4, 8, 16, 32, 64, 108}},
	{growthOfSMs, "transpose", "a100", []int{1376}, []int{4, 8, 16, 32, 64, 108}},
}

// What grows.
const (
	growthInstructions = "instructions"
	growthOfSMs        = "SMs"
)

// enoughSeconds is the time after which a program is not measured again [ours]: in a short run
// other work on the host weighs more.
const enoughSeconds = 1.5

var measureGrowth = flag.Bool("growth", false, "measure warp instructions on this machine, and draw core/growth.svg")

// TestGrowthOfTheDocument measures what core/BENCHMARKS.md says of a warp instruction in runs of 0.1 to 50 million of
// them, and on 4 to 108 SMs: in all some four minutes, and 2 GB of memory.
func TestGrowthOfTheDocument(t *testing.T) {
	if !*measureGrowth {
		t.Skip("measures this machine with -growth")
	}
	points, err := grown(growthLines, enoughSeconds)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		t.Logf("%s: %s %d on %d SMs of %s: %s warp instructions, %s cycles, %.3f s, %.0f ns a warp instruction",
			p.Series, p.Program, p.Size, p.SMs, p.Preset, cli.Group(p.WarpInstructions), cli.Group(p.Cycles),
			p.Seconds, p.Nanoseconds)
	}
	if err := os.WriteFile("../../../core/growth.svg", []byte(drawGrowth(points)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// grown measures the time of a warp instruction over the length of a run, and over the number
// of SMs. A program runs until enough seconds have passed; the fastest run counts.
func grown(lines []growthLine, enough float64) (points []growthPoint, err error) {
	for _, l := range lines {
		for _, size := range l.sizes {
			for _, sms := range l.sms {
				p, err := l.measure(size, sms, enough)
				if err != nil {
					return nil, err
				}
				points = append(points, *p)
			}
		}
	}
	return points, nil
}

// measure measures a program at a size, with a number of SMs or the preset's own.
func (l *growthLine) measure(size, sms int, enough float64) (*growthPoint, error) {
	s := scenario.Default(l.program)
	s.Machine.Preset, s.Workload.Size = l.preset, size
	if sms > 0 {
		if err := s.Set("machine.overrides.sms", strconv.Itoa(sms)); err != nil {
			return nil, err
		}
	}
	study, plan, err := studyOf(s)
	if err != nil {
		return nil, err
	}
	spec, err := s.Machine.Spec()
	if err != nil {
		return nil, err
	}
	best := &measured{}
	for begin := time.Now(); best.Seconds == 0 || time.Since(begin).Seconds() < enough; {
		if err := (benchmark{}).round(study, plan, best); err != nil {
			return nil, err
		}
	}
	return &growthPoint{
		Series: l.series, Program: l.program, Size: size, Preset: l.preset, SMs: spec.SMs,
		WarpInstructions: best.WarpInstructions, Cycles: best.Cycles, Seconds: best.Seconds,
		Nanoseconds: 1e9 * best.Seconds / float64(best.WarpInstructions),
	}, nil
}
