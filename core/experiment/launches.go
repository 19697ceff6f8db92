package experiment

import (
	"fmt"
	"maps"
	"slices"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
)

// Figures describe a launch, or all launches of a kernel.
type Figures struct {
	// SpanCycles are the cycles in which Stats were counted: from the end of the launch before. They are longer
	// than the launch by the time between the two.
	SpanCycles uint64            `json:"spanCycles"`
	Stats      map[string]uint64 `json:"stats"`
	// Metrics are the metrics of package metric that follow from Stats. Those of the output, and those of a whole run
	// such as the most symbols of a block, have no value.
	Metrics map[string]float64 `json:"metrics"`
	// Femtojoules is the energy of each part, by its name: the difference of the energy of the run at the end of
	// the launch and at its begin. So the launches add up to the run.
	Femtojoules map[string]uint64 `json:"femtojoules"`
}

// LaunchFigures are a launch with its figures.
type LaunchFigures struct {
	LaunchResult
	*Figures // nil if the launch has not begun, or is after machine.MostLaunches
}

// KernelFigures are the figures of all launches of a kernel.
type KernelFigures struct {
	Entry    string `json:"entry"`
	Launches uint64 `json:"launches"`
	Begin    uint64 `json:"beginCycle"` // of the first launch
	Cycles   uint64 `json:"cycles"`     // from there to the end of the last launch; launches of streams may overlap
	*Figures
}

// PerLaunch has the figures of a run for each of its launches, and for each kernel in the order of the first
// launches. Both add up to the figures of the run, by the kind of each counter (stat.Adds).
type PerLaunch struct {
	Launches []LaunchFigures `json:"launches"`
	Kernels  []KernelFigures `json:"kernels"`
	// Note says which launches have no figures of their own; empty if all have.
	Note string `json:"launchNote,omitempty"`
}

// launched are the counts of launches in a result.
type launched struct {
	spec     *parameter.GPU
	hardware energy.Codec
	list     []machine.Figures
	merged   []machine.MergedFigures
}

// take keeps the figures of the launches that have begun.
func (l *launched) take(m *machine.Machine, began []int) {
	list, merged := m.LaunchFigures()
	for _, launch := range began {
		if launch < len(list) {
			l.list = append(l.list, list[launch])
		}
	}
	for _, k := range merged {
		k.First, _ = slices.BinarySearch(began, k.First)
		l.merged = append(l.merged, k)
	}
}

// PerLaunch returns the figures of launches and kernels, nil without a machine.
func (r *Result) PerLaunch() *PerLaunch {
	l := r.launched
	if l == nil {
		return nil
	}
	p := &PerLaunch{}
	var kernels []*kernelCounts
	kernel := func(launch int) *kernelCounts {
		entry := r.Launches[launch].Entry
		for _, k := range kernels {
			if k.entry == entry {
				return k
			}
		}
		kernels = append(kernels,
			&kernelCounts{entry: entry, begin: r.Launches[launch].Begin, femtojoules: map[string]uint64{}})
		return kernels[len(kernels)-1]
	}
	var run machine.Figures
	before := map[string]uint64{}
	for i := range r.Launches {
		one := LaunchFigures{LaunchResult: r.Launches[i]}
		if i < len(l.list) {
			run.Follow(&l.list[i])
			energy := l.energy(&run)
			one.Figures = r.figures(&l.list[i], less(energy, before))
			kernel(i).follow(&l.list[i], one.Femtojoules)
			before = energy
		}
		if i < len(l.list) || len(l.merged) > 0 {
			kernel(i).lasts(&one.LaunchResult)
		}
		p.Launches = append(p.Launches, one)
	}
	for i := range l.merged {
		kernel(l.merged[i].First).follow(&l.merged[i].Figures, l.energy(&l.merged[i].Figures))
	}
	for _, k := range kernels {
		figures := r.figures(&k.counts, k.femtojoules)
		p.Kernels = append(p.Kernels, KernelFigures{k.entry, k.counts.Launches, k.begin, k.end - k.begin, figures})
	}
	if len(l.merged) > 0 {
		p.Note = fmt.Sprintf("Launches from number %d on have no figures of their own. "+
			"They are in those of their kernels.", machine.MostLaunches)
	}
	return p
}

// kernelCounts add up the launches of a kernel.
type kernelCounts struct {
	entry       string
	begin, end  uint64
	counts      machine.Figures
	femtojoules map[string]uint64
}

// lasts adds the time of a launch.
func (k *kernelCounts) lasts(l *LaunchResult) {
	k.begin, k.end = min(k.begin, l.Begin), max(k.end, l.Begin+l.Cycles)
}

func (k *kernelCounts) follow(f *machine.Figures, femtojoules map[string]uint64) {
	k.counts.Follow(f)
	for _, part := range partNames(femtojoules) {
		k.femtojoules[part] += femtojoules[part]
	}
}

// energy returns the energy of each part.
func (l *launched) energy(f *machine.Figures) map[string]uint64 {
	return partsOf(l.spec, f, l.hardware)
}

// figures computes what follows from the counts and the energy of launches.
func (r *Result) figures(f *machine.Figures, femtojoules map[string]uint64) *Figures {
	total, seconds := uint64(0), secondsOf(r.launched.spec, f.Cycles)
	for _, part := range partNames(femtojoules) {
		total += femtojoules[part]
	}
	joules := float64(total) / 1e15
	part := &Result{
		Scheme: r.Scheme, Machine: r.Machine, Cycles: f.Cycles, Seconds: seconds, Stats: f.Counters.Values(),
		Energy:    &energy.Account{TotalFemtojoules: total, Joules: joules, EDP: float64(joules * seconds)},
		Cancelled: true, // a launch has no output
	}
	one := &Figures{SpanCycles: f.Cycles, Stats: part.Stats, Metrics: map[string]float64{}, Femtojoules: femtojoules}
	given := func(name string) (float64, bool) {
		switch name {
		case "mostSymbols", "mostBytesOverBudget":
			return 0, false
		case "allocationBytes", "deviceBytes":
			return r.reported(name)
		}
		return part.given(name)
	}
	for _, name := range metric.Names() {
		if v, ok := metric.Value(name, given); ok {
			one.Metrics[name] = v
		}
	}
	return one
}

// partsOf returns the energy of each part of a machine.
func partsOf(spec *parameter.GPU, f *machine.Figures, hardware energy.Codec) map[string]uint64 {
	a := account.Of(spec, &f.Counters, f.Work.Classes(), f.Work.RegisterOperands, f.Cycles, hardware, scheme.Charges)
	parts := map[string]uint64{}
	for i := range a.Parts {
		parts[a.Parts[i].Name] = a.Parts[i].Femtojoules
	}
	return parts
}

func partNames(energy map[string]uint64) []string { return slices.Sorted(maps.Keys(energy)) }

// less subtracts the energy of each part.
func less(energy, before map[string]uint64) map[string]uint64 {
	d := map[string]uint64{}
	for _, part := range partNames(energy) {
		d[part] = energy[part] - before[part]
	}
	return d
}

func secondsOf(spec *parameter.GPU, cycles uint64) float64 {
	return float64(cycles) / (float64(spec.CoreMHz) * 1e6)
}

// TopStall returns the reason that took most of the scheduler cycles without an issue, and its share of all scheduler
// cycles. It is stat.Invalid if every cycle had an issue.
func (f *Figures) TopStall() (reason stat.Counter, share float64) {
	most := uint64(0)
	for c := stat.SlotIssued + 1; c <= stat.SlotIdle; c++ {
		if n := f.Stats[stat.Describe(c).Name]; n > most {
			reason, most = c, n
		}
	}
	return reason, Ratio(float64(most), float64(f.Stats[stat.Describe(stat.SchedulerCycles).Name]))
}
