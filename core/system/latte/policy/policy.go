// Package policy decides under which mode a compressed L1 keeps a line: as it is, with a
// codec of low latency, or with a codec of high capacity. A policy sees hits, misses and
// what was measured in each experimental phase; it knows neither lines nor codecs. The
// adaptive policies come from LATTE-CC (Arunkumar et al., HPCA 2018, sections III and V).
package policy

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/tape"
)

// Mode is how a line is kept.
type Mode uint8

const (
	None Mode = iota // as it is
	Low              // with the codec of low latency
	High             // with the codec of high capacity
	NumModes
)

// ModeNames are the names of the modes, in their order.
var ModeNames = [NumModes]string{"none", "low", "high"}

// Policy decides for the L1 of one SM.
type Policy interface {
	// Mode returns the mode of a line that enters a set now.
	Mode(set int) Mode
	// Hit and Miss tell what an access did. A ghost is a line whose tag is still there while
	// its data have left: more compression might have kept them.
	Hit(h Hit)
	Miss(set int, ghost bool)
	// End ends an experimental phase, and returns the grounds of the mode that holds from now on.
	End(p *Phase) Grounds
	// State lists the changing state of the policy.
	State(t *tape.Tape)
}

// Hit is an access that found its line.
type Hit struct {
	Set  int
	Mode Mode // under which the line entered
	// Deep is set if the set holds as many more recently used lines as an L1 without
	// compression has ways: that L1 would miss. Only policies with Row.Stack get it.
	Deep bool
}

// Phase holds what was measured in an experimental phase.
type Phase struct {
	// ReadyWarps is the mean number of warps of a scheduler that could issue in a cycle,
	// RunCycles the mean number of instructions that a scheduler issued of one warp before
	// it changed to another.
	ReadyWarps, RunCycles float64
	// Positions is the mean number of lines in front of a line in the decompressor's queue.
	Positions [NumModes]float64
	// Passed says that a line passed it in the phase; without one its position is 0.
	Passed [NumModes]bool
	// MissCycles is the mean latency of all misses so far.
	MissCycles float64
}

// Basis is by what a policy decides.
type Basis uint8

const (
	Unmeasured Basis = iota // by nothing that a phase measures: a static mode or a plan
	ByAMAT                  // the least mean latency of an access that warps do not hide
	ByHits                  // the highest share of hits
	ByCounter               // the sign of one counter
	NotSampled              // no dedicated set was used, so that no mode was rated
)

// BasisNames are the words for them in a log.
var BasisNames = [...]string{
	Unmeasured: "nothing measured", ByAMAT: "AMAT", ByHits: "hits", ByCounter: "counter", NotSampled: "not sampled",
}

// Grounds are the numbers by which a policy chose a mode. Hits and Misses are its counters
// of the dedicated sets; a mode without any has no AMAT.
type Grounds struct {
	Basis           Basis
	Hits, Misses    [NumModes]uint8
	ToleranceCycles float64           // taken as hidden
	HitCycles, AMAT [NumModes]float64 // with ByAMAT
	Saved           int               // cycles, with ByCounter
}

// Params are what a policy knows about its L1.
type Params struct {
	Sets          int
	PeriodPhases  int // experimental phases of a period
	DedicatedSets int // of each mode
	HitCycles     int // of a line that is not compressed
	Decompress    [NumModes]int
	Plan          *Plan
}

// Plan holds the mode of each launch, for the policy that follows it. The L1 notes the
// current launch.
type Plan struct {
	Launch int
	Modes  []Mode
}

// Of returns the mode of a launch. The last mode holds for all launches that follow; an
// empty plan is None.
func (p *Plan) Of(launch int) Mode {
	if len(p.Modes) == 0 {
		return None
	}
	return p.Modes[min(launch, len(p.Modes)-1)]
}

// ParsePlan reads the modes of launches, separated by commas; the last holds for all that
// follow.
func ParsePlan(text string) ([]Mode, error) {
	var list []Mode
	for _, word := range strings.Split(text, ",") {
		k := Mode(0)
		for k < NumModes && ModeNames[k] != word {
			k++
		}
		if k == NumModes {
			return nil, fmt.Errorf("%s is no mode", fault.Quote(word))
		}
		list = append(list, k)
	}
	return list, nil
}

// Row is one policy.
type Row struct {
	Name, Title, About string
	// Low and High name the codecs of the modes in codecs.Table, any with an L1 there; empty if the policy does
	// not use the mode. LATTE-CC's BDI is bdi10, with ten encodings (section IV-C1).
	Low, High string
	// Sampled policies learn from dedicated sets; Stack policies need Hit.Deep.
	Sampled, Stack bool
	// Planned policies take the mode of each launch from Params.Plan.
	Planned bool
	New     func(p Params) Policy
}

// Codec returns the name of a mode's codec, empty if the mode is not used.
func (r *Row) Codec(m Mode) string { return [NumModes]string{Low: r.Low, High: r.High}[m] }

// Raw names the policy that compresses nothing.
const Raw = "raw"

// Table is THE table of policies. A new policy is a file and a row.
var Table = []Row{
	{Name: Raw, Title: "no compression", About: "Lines lie in the compressed L1 as they are: a check of its organisation, and of measurements.", New: static(None)},
	{Name: "static-bdi", Title: "Static-BDI", About: "Every line is compressed with BDI.", Low: "bdi10", New: static(Low)},
	{Name: "static-sc", Title: "Static-SC", About: "Every line is compressed with SC.", High: "sc", New: static(High)},
	{Name: "static-bpc", Title: "Static-BPC", About: "Every line is compressed with BPC.", High: "bpc", New: static(High)},
	{Name: "latte", Title: "LATTE-CC", About: "No compression, BDI or SC, whichever costs least after the latency that the warps hide (section III).", Low: "bdi10", High: "sc", Sampled: true, New: latte},
	{Name: "latte-roundrobin", Title: "LATTE-CC, round robin", About: "LATTE-CC with the latency tolerance of a round-robin scheduler: the ready warps alone.", Low: "bdi10", High: "sc", Sampled: true, New: latteRoundRobin},
	{
		Name: "latte-last-queue", Title: "LATTE-CC, last queue", Low: "bdi10", High: "sc", Sampled: true,
		About: "LATTE-CC in which a mode that no hit used in a phase keeps its last queue; the paper is silent.",
		New:   latteLastQueue,
	},
	{
		Name: "latte-skewed", Title: "LATTE-CC, skewed sets", Low: "bdi10", High: "sc", Sampled: true, New: latteSkewed,
		About: "LATTE-CC whose dedicated sets have other distances, so that no stride visits one mode's alone.",
	},
	{Name: "latte-bpc", Title: "LATTE-CC with BPC", About: "LATTE-CC with BPC in place of SC (section V-E).", Low: "bdi10", High: "bpc", Sampled: true, New: latte},
	{Name: "adaptive-hit-count", Title: "Adaptive-Hit-Count", About: "The mode whose dedicated sets hit most often (section V-D).", Low: "bdi10", High: "sc", Sampled: true, New: hitCount},
	{Name: "adaptive-cmp", Title: "Adaptive-CMP", About: "LATTE-CC without latency tolerance (section V-D).", Low: "bdi10", High: "sc", Sampled: true, New: cmp},
	{Name: "adaptive-cmp-counter", Title: "Adaptive-CMP, one counter", About: "One counter of what compression with BDI saved and cost, as in the cache that section V-D cites.", Low: "bdi10", Stack: true, New: cmpCounter},
	{Name: "kernel-opt", Title: "Kernel-OPT", About: "The best mode of each launch, found by running it in every mode from the same state (section V-B).", Low: "bdi10", High: "sc", Planned: true, New: planned},
}

// Find returns the row of a policy, nil if there is none.
func Find(name string) *Row {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	return nil
}
