package experiment

import (
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/probe/perfetto"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Trace is a run whose events are written as a Chrome trace-event file. Its slices have a
// fixed size, so one scenario gives the same bytes everywhere.
type Trace struct {
	run    *Run
	tap    *probe.Tap
	writer *perfetto.Writer
	write  func([]byte)
	limit  int
}

// traceCycles is a slice of a traced run; traceEvents is more than the events of a slice.
const (
	traceCycles = 1024
	traceEvents = 1 << 22
)

// Trace prepares a traced run of the study's program; p is as for Run. write receives the
// file in pieces and must not keep them; maxBytes bounds the file, 0 for the default.
func (s *Study) Trace(p *Plan, maxBytes int, write func([]byte)) *Trace {
	t := &Trace{tap: probe.NewTap(traceEvents), write: write, limit: maxBytes}
	t.run = s.Run(p, Options{Tap: t.tap})
	return t
}

// Step runs one slice and reports whether the trace is complete.
func (t *Trace) Step() (done bool, err error) {
	if done, err = t.run.Step(traceCycles); err != nil || t.run.Machine() == nil {
		return done, err
	}
	if t.writer == nil {
		t.writer = perfetto.New(t.machine(), t.stamp(), t.limit, t.write)
	}
	t.tap.Take(t.writer.Add)
	t.writer.Flush(t.run.Machine().Now())
	return done, nil
}

// Run returns the run that is traced.
func (t *Trace) Run() *Run { return t.run }

// Close ends the file. The run must be over.
func (t *Trace) Close() perfetto.Summary {
	var list []perfetto.Launch
	if per := t.run.Result().PerLaunch(); per != nil {
		for i := range per.Launches {
			if l := &per.Launches[i]; i == 0 || l.Begin > 0 {
				list = append(list, tracedLaunch(l))
			}
		}
	}
	return t.writer.Close(t.run.Machine().Cycles(), list)
}

// tracedLaunch describes a launch: its metrics, the energy of its parts, and its counters that are not 0.
func tracedLaunch(l *LaunchFigures) perfetto.Launch {
	traced := perfetto.Launch{Name: l.Entry, Begin: sim.Cycle(l.Begin), End: sim.Cycle(l.Begin + l.Cycles)}
	if l.Figures == nil {
		return traced
	}
	put := func(name string, v float64) {
		traced.Figures = append(traced.Figures, perfetto.Figure{Name: name, Value: v})
	}
	for _, name := range metric.Names() {
		if v, ok := l.Metrics[name]; ok {
			put(name, v)
		}
	}
	for _, part := range partNames(l.Femtojoules) {
		put(part+"Femtojoules", float64(l.Femtojoules[part]))
	}
	for _, c := range stat.List() {
		if n := l.Stats[stat.Describe(c).Name]; n > 0 {
			put(stat.Describe(c).Name, float64(n))
		}
	}
	return traced
}

func (t *Trace) machine() perfetto.Machine {
	m := traced(t.run.Machine().Spec(), t.run.plan.Memory.MAG())
	m.Launches = t.run.Machine().Launches()
	return m
}

func (t *Trace) stamp() perfetto.Stamp {
	p := t.run.plan
	return perfetto.Stamp{Version: Version, ScenarioHash: p.ScenarioHash, Workload: p.Program.Name, Scheme: schemeName(&p.Memory)}
}

// schemeName names a memory scheme in one or two words.
func schemeName(m *scheme.Memory) string {
	if m.Approximation() != "none" {
		return m.Codec() + ", " + m.Approximation()
	}
	return m.Named().Codec()
}

// traced describes a machine to the writer of traces.
func traced(s *parameter.GPU, magBytes int) perfetto.Machine {
	t, err := s.DRAM.Resolve(magBytes)
	if err != nil {
		panic(err) // the machine was built with it
	}
	return perfetto.Machine{
		Name: s.Name, SMs: s.SMs, Slices: s.Slices(), Controllers: s.Controllers, Channels: s.Slices(), Banks: s.DRAM.Banks,
		MAGBytes: magBytes, CoreMHz: s.CoreMHz, DRAMMHz: s.DRAMMHz,
		ReadLatency: t.CL, WriteLatency: t.WL, Activate: t.RCD, Precharge: t.RP, Bursts: t.BurstCycles,
	}
}
