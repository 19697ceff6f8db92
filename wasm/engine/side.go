//go:build js

package main

import (
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/probe/series"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/wasm/engine/budget"
)

// side is one of the two schemes of a run.
type side struct {
	name    string
	was     string // its name in the run before, if it is kept of that
	key     string // of all that it depends on
	traffic string // trafficKey of its scenario
	// tablesKey names its symbol statistics; empty if it needs none.
	tablesKey  string
	remembered string // its result of an earlier visit, in JSON
	plan       *experiment.Plan
	study      *experiment.Study
	run        *experiment.Run
	tap        *probe.Tap
	result     *experiment.Result
	done       bool
	topo       bool // "started" has been sent

	past   *experiment.Past
	sought float64 // cycle of the replayed machine, as the page counts it

	batch   []byte // encoded events not yet posted
	count   int
	sent    int
	dropped uint64
	kept    uint64 // all events up to this cycle are sent

	dram    *series.Series
	touches []uint16 // for each line of the image: number of times it moved

	series     []float64 // DRAM bytes for each seriesCycles
	seriesSent int       // number of posted points
	moved      uint64    // bytes at the start of the current interval
}

const (
	// eventsKept bounds the events sent for one side: 32 MB. Later events are counted and
	// dropped; a seek to their cycle sends them again.
	eventsKept = 1 << 20
	// batchEvents is the largest number of events in a batch.
	batchEvents = 1 << 15
	// tapEvents is far more than the events of one step of the engine.
	tapEvents = 1 << 18
	// seriesCycles is the interval of the bandwidth series.
	seriesCycles = stepCycles
)

func newSide(name string, s *scenario.Scenario, desk *experiment.Desk) (*side, error) {
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return nil, err
	}
	study, err := desk.Study(s, plan)
	if err != nil {
		return nil, err
	}
	plan.Logs, plan.Power = true, true
	return &side{name: name, key: experiment.SideKey(s), tablesKey: experiment.TablesKey(s), traffic: trafficKey(s), plan: plan, study: study, tap: probe.NewTap(tapEvents)}, nil
}

// keptSide takes the side with a scenario from the sides of the run before, under a new name;
// nil if there is none.
func keptSide(before []*side, name string, s *scenario.Scenario) *side {
	key := experiment.SideKey(s)
	for i, b := range before {
		if b != nil && b.key == key {
			before[i] = nil
			b.name, b.was = name, b.name
			return b
		}
	}
	return nil
}

// prepare makes the run of a side within the memory of b. A kept side has run.
func (s *side) prepare(b budget.Budget) {
	if s.done {
		s.past.Limit(b.PastBytes)
		return
	}
	s.run = s.study.Run(s.plan, experiment.Options{Tap: s.tap, ResidentLimitBytes: b.ResidentBytes, Record: true})
	s.past = experiment.NewPast(s.run, b.PastBytes, tapEvents)
}

// before reports whether s should work before o, so that both sides advance together.
func (s *side) before(o *side) bool {
	if a, b := s.run.Phase(), o.run.Phase(); a != b {
		return a < b
	}
	return s.cycle() < o.cycle()
}

func (s *side) cycle() uint64 {
	if m := s.run.Machine(); m != nil {
		return uint64(m.Now())
	}
	if p := s.run.Profiler(); p != nil {
		return uint64(p.Now())
	}
	return 0
}

func (s *side) step(run int) error {
	before := s.run.Phase()
	done, err := s.run.Step(stepCycles)
	if err != nil {
		return err
	}
	if s.run.Phase() >= experiment.PhaseSimulate && !s.topo {
		s.topo = true
		s.started(run)
	}
	if before == experiment.PhaseSimulate {
		s.sample()
	}
	s.past.Note()
	s.collect()
	s.done = done
	return nil
}

// started describes the side's machine to the page.
func (s *side) started(run int) {
	m := s.run.Machine()
	t := topology(m.Spec())
	t["magBytes"] = s.plan.Memory.MAG()
	t["allocations"] = s.allocations()
	if s.touches == nil {
		s.touches = make([]uint16, m.Image().Lines())
	}
	post(object{"type": "started", "run": run, "sides": object{s.name: t}})
	s.sendSource(run)
}

// sendSource posts the text of the program for the page's source view.
func (s *side) sendSource(run int) {
	program := s.plan.Program
	files := []any{object{"name": program.File, "language": "ptx", "text": string(program.PTX)}}
	for i := range program.Modules {
		files = append(files, object{"name": program.Modules[i].Title(), "language": "ptx",
			"text": string(program.Modules[i].PTX)})
	}
	if len(program.CUDA) > 0 {
		files = append(files, object{"name": strings.TrimSuffix(program.File, ".ptx") + ".cu", "language": "cuda", "text": string(program.CUDA)})
	}
	var kernels, launches []any
	for _, k := range s.run.Machine().Counts() {
		lines := make([]uint32, len(k.Kernel.Source))
		for pc := range k.Kernel.Source {
			lines[pc] = uint32(k.Kernel.Source[pc].Line)
		}
		kernels = append(kernels, object{"name": k.Kernel.Name, "lines": uint32Array(lines), "file": k.Kernel.Module})
	}
	for i := range program.Launches {
		launches = append(launches, program.Launches[i].Entry)
	}
	post(object{"type": "source", "run": run, "files": files, "kernels": kernels, "launches": launches})
}

func (s *side) allocations() []any {
	var list []any
	report := buddy.ReportOf(s.run.Machine())
	for i, a := range s.run.Machine().Image().Allocations() {
		o := object{"name": a.Name, "base": float64(a.Base), "bytes": float64(a.Bytes), "safe": a.Safe}
		if report != nil && i < len(report.Allocations) { // the machine has allocations of its own, such as local memory
			o["target"], o["deviceBytes"] = report.Allocations[i].Target, float64(report.Allocations[i].DeviceBytes)
		}
		list = append(list, o)
	}
	return list
}

// sample extends the bandwidth series by the last simulated interval.
func (s *side) sample() {
	c := s.run.Machine().Stats()
	moved := c[stat.DRAMReadBytes] + c[stat.DRAMWriteBytes]
	s.series = append(s.series, float64(moved-s.moved))
	s.moved = moved
}

// collect takes the events of the last step, all of them or none.
func (s *side) collect() {
	keeps := s.sent+s.count < eventsKept
	if m := s.run.Machine(); m != nil && keeps {
		s.kept = uint64(m.Now())
	}
	s.tap.Take(func(events []probe.Event) {
		if d := s.overTime(); d != nil {
			d.Add(events)
		}
		base := uint64(0)
		if m := s.run.Machine(); m != nil {
			base = m.Image().Base()
		}
		for i := range events {
			e := &events[i]
			if (e.Kind == probe.KindRead || e.Kind == probe.KindWrite) && e.A>>8&0xff == 0 && e.B&1 == 0 {
				if k := (e.Addr - base) / 128; k < uint64(len(s.touches)) && s.touches[k] < 1<<16-1 {
					s.touches[k]++
				}
			}
			if !keeps {
				s.dropped++
				continue
			}
			s.batch = e.Append(s.batch)
			s.count++
		}
	})
}

// flush posts the collected events. It posts a small batch only if all is set.
func (s *side) flush(run int, all bool) {
	if s.count == 0 || !all && s.count < batchEvents/8 {
		return
	}
	b := buffer(uint8Array(s.batch))
	post(object{
		"type": "events", "run": run, "side": s.name, "buffer": b, "count": s.count,
		"dropped": s.lost(), "untilCycle": float64(s.cycle()), "keptUntil": float64(s.kept),
	}, b)
	s.sent += s.count
	s.batch, s.count = s.batch[:0], 0
}

// lost is the number of events that were not sent.
func (s *side) lost() float64 { return float64(s.dropped + s.tap.Dropped()) }

func (s *side) progress() object {
	p := object{"phase": s.run.Phase().String(), "done": s.done, "cycle": 0}
	m := s.run.Machine()
	if m == nil {
		return p
	}
	c := m.Stats()
	p["cycle"] = float64(m.Cycles())
	p["keptUntil"] = float64(s.kept)
	p["dropped"] = s.lost()
	p["warpInstructions"] = float64(c[stat.WarpInstructions])
	p["dramReadBytes"] = float64(c[stat.DRAMReadBytes])
	p["dramWriteBytes"] = float64(c[stat.DRAMWriteBytes])
	p["burstsRead"] = float64(c[stat.BurstsRead])
	p["burstsWritten"] = float64(c[stat.BurstsWritten])
	p["burstsSaved"] = float64(c[stat.BurstsSaved])
	return p
}

// fraction estimates the share of the side's work that is done.
func (s *side) fraction() float64 {
	if s.done {
		return 1
	}
	return fractionOf(s.study, s.run)
}

// sendSeries posts the bandwidth so far.
func (s *side) sendSeries(run int) {
	post(object{"type": "series", "run": run, "side": s.name, "cyclesPerPoint": seriesCycles, "bytes": float64Array(s.series)})
}

// abandon reports memory and outputs after a cancelled run.
func (s *side) abandon(run int) {
	s.done = true
	s.result = s.run.Result()
	s.sendPhases(run)
	s.sendBlocks(run, nil)
	s.sendOutputs(run)
}

// finish reports all results of the side.
func (s *side) finish(run int) {
	s.done = true
	s.result = s.run.Result()
	s.flush(run, true)
	s.sendSeries(run)
	post(object{"type": "result", "run": run, "side": s.name, "result": toJS(s.result)})
	s.sendDRAM(run)
	s.sendPhases(run)
	s.sendBlocks(run, nil)
	s.sendOutputs(run)
	s.sendLines(run)
	s.run.Machine().Rest()
}
