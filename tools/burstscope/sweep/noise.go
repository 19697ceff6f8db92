package sweep

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const noiseHelp = `usage: burstscope noise SCENARIO [--set path=value]... [--store DIR] [--jobs N]
                       [--format text|json]

Says how far a speedup moves for reasons that save nothing. It compares the scenario's
scheme, B, with the one beside it, A (compare of the scenario; without it no
compression), with five seeds of the inputs and with five placements of the buffers.
Then it does so with null in the place of B: the same metadata, latencies and queues,
and no byte saved, over a machine without any scheme. If the two intervals meet, the
difference is called not distinguishable.
Null of a codec is the codec null at its latencies; of a compressed L1, its
organisation with raw lines; of predicted loads, loads that are fetched; of Buddy
Compression, entries that all lie in device memory. An interval takes 27 runs, or 36
if A has a scheme; stored ones are not made again.

SCENARIO is what burstscope run takes.

  --set path=value  as in burstscope run; compare.memory.codec and so on change A
  --store DIR       folder of the results, default "results"
  --jobs N          runs at a time, default one for each core
  --format          text, or json with the cycles of every run

examples:
  burstscope noise vecadd --set memory.codec=bdi
  burstscope noise tp --set workload.size=256
  burstscope noise similarity --set machine.preset=gtx480v3 --set l1.store=latte
`

// noiseReport is what noise prints as JSON.
type noiseReport struct {
	Version  string           `json:"version"`
	Scenario string           `json:"scenario"` // hash
	A        string           `json:"a"`
	B        string           `json:"b"`
	SideA    string           `json:"sideA"` // hash of its scenario, which results name
	SideB    string           `json:"sideB"`
	Speedup  float64          `json:"speedup"` // of B over A in the scenario's own run
	Noise    experiment.Noise `json:"noise"`
	Draws    []noiseDraw      `json:"draws"`
}

// noiseDraw has the cycles of one draw.
type noiseDraw struct {
	Seed      uint64 `json:"seed"`
	Placement int    `json:"placement"`
	A         uint64 `json:"a"`
	B         uint64 `json:"b"`
	Plain     uint64 `json:"plain"` // without any scheme
	Null      uint64 `json:"null"`
}

func noiseVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("noise", flag.ContinueOnError)
	sets := cli.SetFlag(flags)
	format := cli.FormatFlag(flags, "text", "json")
	dir := cli.FileFlag(flags, "store")
	jobs := flags.Int("jobs", runtime.NumCPU(), "")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "scenario")); err != nil {
		return err
	}
	switch {
	case name == "":
		return cli.Usagef("no scenario: burstscope noise: name one of burstscope run, or a file")
	case *jobs < 1:
		return cli.Usagef("--jobs %d: burstscope noise: give at least 1", *jobs)
	}
	s, err := cli.ScenarioWith(name, *sets)
	if err != nil {
		return err
	}
	store := OpenStore(StoreOf(*dir, &claim.Reading{}))
	report, err := measureNoise(s, store, *jobs)
	if err != nil {
		return err
	}
	if *format == "json" {
		return cli.PrintJSON(out, report)
	}
	return report.text(out, s)
}

// measureNoise makes the missing runs of all draws.
func measureNoise(s *scenario.Scenario, store *Store, jobs int) (*noiseReport, error) {
	var list []*claim.Job
	draws := experiment.Draws()
	for _, d := range draws {
		for _, side := range experiment.NoiseSides(s) {
			d.Apply(side)
			if err := side.Validate(); err != nil {
				return nil, err
			}
			list = append(list, claim.NewJob(side, false))
		}
	}
	runs := NewSweep(store)
	runs.Jobs, runs.Status = jobs, os.Stderr
	if err := runs.Run(Distinct(slices.Clone(list)), io.Discard); err != nil {
		return nil, err
	}
	a, b := s.Sides()
	r := &noiseReport{Version: experiment.Version, Scenario: s.Hash(), SideA: a.Hash(), SideB: b.Hash(),
		A: cli.DescribeMemory(&a.Memory) + a.Label(), B: cli.DescribeMemory(&b.Memory) + b.Label()}
	var own, null []float64
	for i, d := range draws {
		var cycles [4]uint64
		for k := range cycles {
			result := store.Run(list[4*i+k])
			if result == nil {
				return nil, fmt.Errorf("%s: the run has no result in the store: start the command again", list[4*i+k])
			}
			cycles[k] = result.Cycles
		}
		one := noiseDraw{s.Seed + uint64(d.Seed), d.Placement, cycles[0], cycles[1], cycles[2], cycles[3]}
		r.Draws = append(r.Draws, one)
		own, null = append(own, float64(one.A)/float64(one.B)), append(null, float64(one.Plain)/float64(one.Null))
	}
	r.Speedup, r.Noise = own[0], experiment.NoiseOf(own, null)
	return r, store.Check()
}

func (r *noiseReport) text(out io.Writer, s *scenario.Scenario) error {
	fmt.Fprintf(out, "%s of %d on %s\nA: %s\nB: %s\n\n", s.Workload.Name, s.Workload.Size, s.Machine.Preset, r.A, r.B)
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "seed\tplacement\tcycles of A\tcycles of B\tB over A\tcycles of null\tnull\t\n")
	for _, d := range r.Draws {
		own, null := float64(d.A)/float64(d.B), float64(d.Plain)/float64(d.Null)
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%.4f\t%s\t%.4f\t\n",
			d.Seed, d.Placement, cli.Group(d.A), cli.Group(d.B), own, cli.Group(d.Null), null)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	word := "distinguishable"
	if !r.Noise.Distinguishable {
		word = experiment.NotDistinguishable
	}
	n := &r.Noise
	const format = "\nB is %.4f times as fast as A: %.4f to %.4f over %d seeds and %d placements. " +
		"Null: %.4f to %.4f.\nThe difference is %s.\n"
	_, err := fmt.Fprintf(out, format,
		r.Speedup, n.Own.Low, n.Own.High, n.Seeds, n.Placements, n.Null.Low, n.Null.High, word)
	return err
}
