package experiment

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/probe/series"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
)

// Power is the energy of a run over time, in windows of equal length. The energy of a window is the difference of
// two accounts of the run: up to its end, and up to its begin. So the windows of a part add up to
// the femtojoules of the part in the result.
type Power struct {
	WindowCycles uint64        `json:"windowCycles"`
	CoreMHz      uint64        `json:"coreMHz"`
	Parts        []PowerPart   `json:"parts"` // those of the result's energy, in its order
	Windows      []PowerWindow `json:"windows"`
}

// PowerPart is a part of the machine.
type PowerPart struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// PowerWindow is one window. Its lists have an element for each part. The last window may be shorter than the
// others, and has the energy of what memory does after the last launch.
type PowerWindow struct {
	BeginCycle  uint64    `json:"beginCycle"`
	EndCycle    uint64    `json:"endCycle"`
	Femtojoules []uint64  `json:"femtojoules"`
	Watts       []float64 `json:"watts"`
	TotalWatts  float64   `json:"totalWatts"`
}

// powerMeter reads the counters of a machine at the ends of the windows of series. Its memory does not grow
// with the run.
type powerMeter struct {
	window sim.Cycle
	counts []machine.Figures // of the run, up to the end of each window
}

func newPowerMeter() *powerMeter { return &powerMeter{window: series.FirstInterval} }

// next returns the end of the present window.
func (p *powerMeter) next() sim.Cycle { return sim.Cycle(len(p.counts)+1) * p.window }

// read ends a window, if the machine is there.
func (p *powerMeter) read(m *machine.Machine) {
	if m.Cycles() != p.next() {
		return
	}
	if len(p.counts) == series.MostPoints {
		for i := range series.MostPoints / 2 {
			p.counts[i] = p.counts[2*i+1]
		}
		p.counts = p.counts[:series.MostPoints/2]
		p.window *= 2
		if m.Cycles() != p.next() {
			return
		}
	}
	p.counts = append(p.counts, m.Total())
}

// advance is Machine.Advance with a stop at each end of a window.
func (p *powerMeter) advance(m *machine.Machine, until sim.Cycle) (done bool, err error) {
	for {
		end := min(until, p.next())
		if m.Finished() {
			end = until
		}
		if done, err = m.Advance(end); done || err != nil {
			return done, err
		}
		if !m.Finished() {
			p.read(m)
		}
		if m.Now() >= until {
			return false, nil
		}
	}
}

// power returns the power of a machine that was read up to now.
func (p *powerMeter) power(m *machine.Machine, spec *parameter.GPU, hardware energy.Codec) *Power {
	last := m.Total()
	all := account.Of(spec, &last.Counters, last.Work.Classes(), last.Work.RegisterOperands, last.Cycles, hardware,
		scheme.Charges)
	list := &Power{WindowCycles: uint64(p.window), CoreMHz: spec.CoreMHz}
	for i := range all.Parts {
		list.Parts = append(list.Parts, PowerPart{all.Parts[i].Name, all.Parts[i].Title})
	}
	before, begin := map[string]uint64{}, uint64(0)
	add := func(f *machine.Figures) {
		if f.Cycles == begin {
			return
		}
		now := partsOf(spec, f, hardware)
		energy, seconds := less(now, before), secondsOf(spec, f.Cycles-begin)
		w, sum := PowerWindow{BeginCycle: begin, EndCycle: f.Cycles}, uint64(0)
		for _, part := range list.Parts {
			w.Femtojoules = append(w.Femtojoules, energy[part.Name])
			w.Watts = append(w.Watts, float64(energy[part.Name])/1e15/seconds)
			sum += energy[part.Name]
		}
		w.TotalWatts = float64(sum) / 1e15 / seconds
		list.Windows = append(list.Windows, w)
		before, begin = now, f.Cycles
	}
	for i := range p.counts {
		if p.counts[i].Cycles < last.Cycles {
			add(&p.counts[i])
		}
	}
	add(&last)
	return list
}
