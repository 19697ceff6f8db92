package experiment

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/workload"
)

// Version names the behaviour of the program: results of one version are equal bit by bit
// everywhere. It changes whenever results change.
const Version = "0.4.0"

// Result holds the figures of a run. Ratios refer to the DRAM traffic of the run: blocks
// read and written.
type Result struct {
	Version      string `json:"version"`
	ScenarioHash string `json:"scenarioHash"`
	ResultHash   string `json:"resultHash"`
	// HashVersion says which counters the hash covers. A missing value means version 1.
	HashVersion int    `json:"hashVersion"`
	Workload    string `json:"workload"`
	Preset      string `json:"preset"`
	// Overrides are the values of the machine that differ from the preset.
	Overrides scenario.Overrides `json:"overrides,omitempty"`
	scheme.Scheme
	Cancelled  bool `json:"cancelled,omitempty"`
	Functional bool `json:"functional,omitempty"` // without a machine: counts and outputs only
	// OneThread says why the run had one thread although the plan has more; empty if it had them.
	OneThread string `json:"-"`

	Cycles             uint64  `json:"cycles"`  // core cycles until the last launch ended
	Seconds            float64 `json:"seconds"` // the same in simulated time
	WarpInstructions   uint64  `json:"warpInstructions"`
	ThreadInstructions uint64  `json:"threadInstructions"`
	DRAMReadBytes      uint64  `json:"dramReadBytes"`
	DRAMWriteBytes     uint64  `json:"dramWriteBytes"`
	BurstsRead         uint64  `json:"burstsRead"`
	BurstsWritten      uint64  `json:"burstsWritten"`
	BurstsSaved        uint64  `json:"burstsSaved"`

	Error       float64 `json:"error"`
	ErrorMetric string  `json:"errorMetric"`
	// Loss is the error by the metric of RFVP's table I; nil if nothing was approximated.
	Loss       *float64 `json:"loss,omitempty"`
	LossMetric string   `json:"lossMetric,omitempty"`
	// MRE is the mean relative error of the outputs, even if the program has another metric:
	// SLC averages it over all programs (section V-A).
	MRE float64 `json:"mre"`
	// Elements adds up the errors of single elements, for the other measures of the
	// literature; nil without outputs.
	Elements *workload.Elements `json:"elements,omitempty"`
	// ZeroRule says how elements count whose exact value is 0; empty without outputs.
	ZeroRule string `json:"zeroRule,omitempty"`

	Launches []LaunchResult    `json:"launches"`
	Stats    map[string]uint64 `json:"stats"`
	// Metrics are the metrics of package metric that have a value, and what they are made from.
	Metrics map[string]float64 `json:"metrics"`
	Machine *MachineSizes      `json:"machine,omitempty"`

	// Instructions counts the instructions of each class; RegisterOperands counts the
	// registers that all threads read and wrote. Energy is computed from these and from
	// Stats. Like Lossy and Source, they are not part of the hash.
	Instructions     []account.ClassCount `json:"instructions,omitempty"`
	RegisterOperands uint64               `json:"registerOperands"`
	Energy           *energy.Account      `json:"energy,omitempty"`
	// Lossy gives details of the lossy blocks beyond the counters; nil without lossy blocks.
	Lossy *machine.Lossy `json:"lossy,omitempty"`

	// L1Report and LoadsReport are what the entries of these groups report; nil without a report. See Reported.
	L1Report    any `json:"l1Phases,omitempty"`
	LoadsReport any `json:"predicted,omitempty"`

	// BackingReport is what the entry of the backing reports; nil without a report. See Reported.
	BackingReport any `json:"buddy,omitempty"`

	// Finding is an output that differs from the exact one although nothing is approximated; nil without one.
	Finding *Finding `json:"finding,omitempty"`

	// Idle are the choices of the scheme that did nothing.
	Idle []Idle `json:"idle,omitempty"`

	// IgnoredHints are words of the program that ask the caches for what this machine does not do.
	IgnoredHints []ptx.IgnoredHint `json:"ignoredHints,omitempty"`

	// Scheduled has the registers of each kernel under compile: scheduled; nil as written.
	Scheduled []Scheduled `json:"scheduled,omitempty"`

	// Printed is what the program prints; nil without a printf. It comes from the exact run.
	Printed *Printed `json:"printed,omitempty"`

	// Outputs are the bytes of the output buffers, in buffer order. Exact are those of a run
	// that approximates nothing.
	Outputs [][]byte `json:"-"`
	Exact   [][]byte `json:"-"`

	// Source holds the figures of each line of the program, over all launches and SMs: the
	// PTX first, then its source files by name. Sums over the PTX equal counters: executions
	// and lanes are the instructions, l1Misses the counter of Stats, stallCycles the three
	// stall counters together. Nil without a machine.
	Source []SourceFile `json:"-"`

	// Power is the energy over time; nil without Plan.Power.
	Power *Power `json:"-"`

	launched *launched // for PerLaunch; nil without a machine
}

// LaunchResult is one launch of the program.
type LaunchResult struct {
	Entry  string `json:"entry"`
	Begin  uint64 `json:"beginCycle"`
	Cycles uint64 `json:"cycles"`
	// Blocks are those that the controllers read and wrote during the launch, and Linked those of
	// them with a part behind a link; 0 without a backing.
	Blocks uint64 `json:"blocks,omitempty"`
	Linked uint64 `json:"linked,omitempty"`
}

// Result returns the result of the run, or the partial result of a cancelled run.
func (r *Run) Result() *Result {
	_ = r.study.settle()
	res := &Result{
		Version: Version, ScenarioHash: r.plan.ScenarioHash, Workload: r.plan.Program.Name, Preset: r.plan.Preset,
		Overrides: r.plan.Overrides, Scheme: r.plan.Scheme, Cancelled: r.cancelled, HashVersion: stat.HashVersion, ErrorMetric: r.plan.Program.Metric.String(), Stats: map[string]uint64{},
	}
	res.Memory = res.Memory.Named()
	res.Printed = printedOf(&r.study.printed)
	m := r.machine
	if m == nil {
		return res
	}
	s := m.Stats()
	res.Cycles = uint64(m.Cycles())
	_, res.OneThread = m.Threads()
	res.fill(&s, r)
	var began []int
	for i := range r.plan.Program.Launches {
		if r.loaded.checks != nil && !m.LaunchBegan(i) {
			continue // the host has left it out
		}
		began = append(began, i)
		begin, end := m.LaunchSpan(i)
		a := m.LaunchAccesses(i)
		res.Launches = append(res.Launches, LaunchResult{r.plan.Program.Launches[i].Entry, uint64(begin), uint64(end - min(begin, end)), a.All, a.Linked})
	}
	res.launched = &launched{spec: m.Spec(), hardware: r.hardware}
	res.launched.take(m, began)
	res.Source = r.source()
	res.IgnoredHints = m.IgnoredHints()
	res.Scheduled = r.loaded.scheduled(m.Spec())
	res.Instructions, res.RegisterOperands = m.Classes()
	account := m.Energy(r.hardware, scheme.Charges)
	res.Energy, res.Lossy = &account, m.Lossy()
	if r.power != nil {
		res.Power = r.power.power(m, m.Spec(), r.hardware)
	}
	res.fillReports(m)
	if !r.cancelled {
		res.Outputs, res.Exact = r.loaded.outputs(r.plan.Program, m.Read), r.study.exact
	}
	// Each of these reads all outputs, and sets fields of its own.
	looks := []func(){func() { res.ResultHash = hash(res.Cycles, &s, res.Outputs) }}
	if !r.cancelled {
		looks = append(looks, func() { r.compare(res) }, func() {
			elements := r.plan.Program.Elements(r.study.exact, res.Outputs)
			res.Elements, res.ZeroRule = &elements, metric.ZeroRule
		})
	}
	sim.Each(r.plan.Threads, len(looks), func(i int) { looks[i]() })
	res.Metrics = res.metrics()
	if !r.cancelled {
		res.Idle = res.idle(r.plan.Program)
	}
	return res
}

// compare measures how far the outputs are from the exact ones.
func (r *Run) compare(res *Result) {
	p, exact := r.plan.Program, r.study.exact
	res.Error = p.Quality(exact, res.Outputs)
	if res.MRE = res.Error; p.Metric != workload.MetricMRE {
		res.MRE = p.Measure(workload.MetricMRE, exact, res.Outputs)
	}
	if !res.Approximates() && !lossyModule(r.scheme) {
		res.Finding = r.loaded.finding(p, exact, res.Outputs)
		return
	}
	loss := res.Error
	if p.Loss.Kind != workload.LossOwn {
		loss = p.QualityLoss(exact, res.Outputs)
	}
	res.Loss, res.LossMetric = &loss, p.LossMetric()
}

func (res *Result) fill(s *stat.Set, r *Run) {
	spec := r.study.spec
	res.Seconds = secondsOf(spec, res.Cycles)
	res.WarpInstructions = s[stat.WarpInstructions]
	res.ThreadInstructions = s[stat.ThreadInstructions]
	res.DRAMReadBytes, res.DRAMWriteBytes = s[stat.DRAMReadBytes], s[stat.DRAMWriteBytes]
	res.BurstsRead, res.BurstsWritten, res.BurstsSaved = s[stat.BurstsRead], s[stat.BurstsWritten], s[stat.BurstsSaved]
	res.Machine = &MachineSizes{
		SMs: spec.SMs, Slices: spec.Slices(), Channels: spec.Slices(), RequestFlitBytes: spec.SM.FlitBytes, ReplyFlitBytes: spec.L2.FlitBytes,
		PeakBytesPerSecond: spec.PeakBytesPerSecond(),
	}
	if clock := spec.XbarClock(); clock.Num != clock.Den {
		res.Machine.XbarClocks = float64(clock.Num) / float64(clock.Den)
	}
	res.Stats = s.Values()
}

// Ratio is a/b, or 0 if b is 0.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// hash covers the cycles, the counters of stat.HashVersion and the output bytes.
func hash(cycles uint64, s *stat.Set, outputs [][]byte) string {
	h := digest.New()
	var word [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		h.Write(word[:])
	}
	put(cycles)
	if s != nil {
		s.Hashed(put)
	}
	for _, b := range outputs {
		put(uint64(len(b)))
		h.Write(b)
	}
	return h.Hex()
}
