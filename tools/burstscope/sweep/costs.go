package sweep

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/tools/burstscope/bench"
)

// costs.csv has the measured costs of the programs on one core of a server, on the preset gtx580v4, or on the
// first one that has room for their CTAs. The last three columns are nanoseconds for each warp instruction:
// without a machine, without compression, and sizing the blocks under every codec. Programs whose threads wait for
// each other have the instructions of the exact run, in which they wait longer. Costs order the runs and tell the
// expected time. They change no result. To measure anew:
//
//	go test ./tools/burstscope/sweep -run TestMeasuredCosts -costs
//
//go:embed costs.csv
var costTable string

// costs_study.csv has those of the programs of SLC and E2MC on gtx580b, with the data of their
// suites at the sizes of studies. They count for all presets with GPGPU-Sim 3.2.1's fabric.
// Some rows come from a single run without compression; their exact outputs and sizing have
// the costs of costs.csv. TestMeasuredStudyCosts with -costs measures all of them.
//
//go:embed costs_study.csv
var studyCostTable string

// studyPresets have GPGPU-Sim 3.2.1's fabric.
var studyPresets = []string{"gtx480v3", "gtx480v321", "gtx480v322", "gtx580a", "gtx580b", "gtx580c"}

// programCost is a row of costs.csv.
type programCost struct {
	program                            string
	size                               int
	warpInstructions                   float64
	exact, uncompressed, sizingTraffic float64 // nanoseconds for each warp instruction
}

var costColumns = []string{"program", "size", "warp_instructions", "exact_ns", "uncompressed_ns", "sizing_ns"}

func parseCosts(text string) ([]programCost, error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 || strings.Join(rows[0], ",") != strings.Join(costColumns, ",") {
		return nil, fmt.Errorf("the table of costs must begin with %s (%v)", strings.Join(costColumns, ","), err)
	}
	var list []programCost
	for _, r := range rows[1:] {
		c := programCost{program: r[0]}
		c.size, err = strconv.Atoi(r[1])
		for i, to := range []*float64{&c.warpInstructions, &c.exact, &c.uncompressed, &c.sizingTraffic} {
			if err == nil {
				*to, err = strconv.ParseFloat(r[2+i], 64)
			}
		}
		if err != nil || c.size < 1 || !(c.warpInstructions > 0 && c.exact > 0 && c.uncompressed > 0 && c.sizingTraffic >= 0) {
			return nil, fmt.Errorf("the table of costs has no positive numbers for %s (%v)", r[0], err)
		}
		list = append(list, c)
	}
	return list, nil
}

// codecCosts are times of runs relative to the run without compression, sums over fwt,
// bfs1, kmeans, spmv, srad1 and transpose at their default sizes [own measurement,
// TestMeasuredCosts]. An approximation counts under its own name.
var codecCosts = map[string]float64{
	"none": 1, "bdi": 1.02, "fpc": 1.03, "e2mc4": 1.02, "e2mc8": 1.01, "e2mc16": 1.00, "e2mc32": 1.02,
	"tslc-simp": 1.00, "tslc-pred": 1.02, "tslc-opt": 1.03,
}

// otherCodecCost is the factor of a codec without a row: the slowest codec's [ours].
const otherCodecCost = 1.1

// unknownSeconds is the cost of a run of a program without a row [ours]: the mean run of
// the figures.
const unknownSeconds = 2

// costs estimates the time of runs on one core.
type costs struct {
	rows, study []programCost
	scale       float64 // this machine's time over the table's
}

func newCosts() *costs {
	c := &costs{scale: 1}
	for text, rows := range map[*string]*[]programCost{&costTable: &c.rows, &studyCostTable: &c.study} {
		list, err := parseCosts(*text)
		if err != nil {
			panic("burstscope: " + err.Error()) // it is part of the program
		}
		*rows = list
	}
	return c
}

// nearStudy is how far a size may be from that of a study for the study's costs to count [ours]: they are those of the
// suites' inputs, and farther away the rows of the program's own inputs tell more.
const nearStudy = 1.5

// onPreset returns the costs of a program at a size on a preset. A program without a row for its
// fabric near that size costs what it does on gtx580v4.
func (c *costs) onPreset(preset, name string, size int) (cost programCost, known bool) {
	if slices.Contains(studyPresets, preset) {
		if near, _ := nearest(c.study, name, size); near != nil && math.Abs(math.Log(float64(near.size)/float64(size))) < math.Log(nearStudy) {
			return costOf(c.study, name, size)
		}
	}
	return c.of(name, size)
}

// of returns the costs of a program at a size on gtx580v4.
func (c *costs) of(name string, size int) (cost programCost, known bool) {
	return costOf(c.rows, name, size)
}

// nearest returns the row of a program whose size is nearest, and its row farther away; nil if there is none.
func nearest(rows []programCost, name string, size int) (near, other *programCost) {
	distance := func(r *programCost) float64 { return math.Abs(math.Log(float64(r.size) / float64(size))) }
	for i := range rows {
		r := &rows[i]
		if r.program != name || size < 1 {
			continue
		}
		if near == nil || distance(r) < distance(near) {
			near, other = r, near
		} else {
			other = r
		}
	}
	return near, other
}

// costOf returns the costs of a program at a size, from its rows: the number of instructions
// follows a power of the size through the two rows, and the rest is that of the nearer row.
func costOf(rows []programCost, name string, size int) (cost programCost, known bool) {
	near, other := nearest(rows, name, size)
	if near == nil {
		return programCost{}, false
	}
	power := 1.0
	if other != nil {
		power = math.Log(near.warpInstructions/other.warpInstructions) / math.Log(float64(near.size)/float64(other.size))
	}
	cost = *near
	cost.size = size
	cost.warpInstructions *= math.Pow(float64(size)/float64(near.size), power)
	return cost, true
}

// seconds returns the costs of a job alone, and of the work that it shares with others: the
// exact output and the simulation without compression.
func (c *costs) seconds(j *claim.Job) (own, exact, uncompressed float64) {
	w := j.Scenario.Workload
	p, known := c.onPreset(j.Scenario.Machine.Preset, w.Name, w.Size)
	if !known {
		p = programCost{warpInstructions: 1, exact: unknownSeconds * 1e8, uncompressed: unknownSeconds * 1e9}
	}
	unit := p.warpInstructions * 1e-9 * c.scale
	exact, uncompressed = p.exact*unit, p.uncompressed*unit
	switch {
	case j.Traffic:
		own = p.sizingTraffic * unit
	case !isUncompressed(j):
		own = uncompressed * codecCost(&j.Scenario.Memory)
	}
	return own, exact, uncompressed
}

func codecCost(m *scheme.Memory) float64 {
	name := m.Codec()
	if m.Approximation() != system.None {
		name = m.Approximation()
	}
	if f, ok := codecCosts[name]; ok {
		return f
	}
	return otherCodecCost
}

// calibration is the program whose run tells the speed of this machine. It has a row in
// costs.csv and takes a fraction of a second.
const calibration = "transpose"

// calibrate measures the speed of this machine with the given clock, which counts seconds.
// The fastest of a few runs counts.
func (c *costs) calibrate(clock func() float64) error {
	s := scenario.Default(calibration)
	p, known := c.of(s.Workload.Name, s.Workload.Size)
	if !known {
		return fmt.Errorf("the table of costs has no row of %s", calibration)
	}
	best := math.Inf(1)
	for range bench.Rounds {
		f, err := experiment.NewFamily(s)
		if err != nil {
			return err
		}
		begin := clock()
		if _, err = f.Exact(); err == nil {
			_, err = f.Uncompressed(nil, false)
		}
		if err != nil {
			return err
		}
		best = math.Min(best, clock()-begin)
	}
	c.scale = best / (p.warpInstructions * (p.exact + p.uncompressed) * 1e-9)
	return nil
}
