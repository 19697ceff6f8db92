package machine

import (
	"slices"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// MostLaunches is the number of launches that keep figures of their own: 0.5 MB [ours]. The figures of later
// launches are merged by kernel.
const MostLaunches = 256

// Figures are the counts of a launch. They begin where the counts of the launch before it end, so the counts of all
// launches add up to the run's, by the kind of each counter (stat.Adds).
//
// The SMs and the crossbar of requests change from one launch to the next in the cycle in which its last CTA has
// ended. L2, the crossbar of replies and DRAM change memoryLag cycles later, when no request of the next launch
// can have reached them. The last launch has all work after its end, such as the writes that are still in the
// queues of DRAM.
type Figures struct {
	Launches uint64 // how many these are
	Cycles   uint64 // from the end of the launch before, with the time between the launches
	Counters stat.Set
	Work     Work
}

// Work counts instructions by class, and the register operands of all threads: registers and predicates of any width.
type Work struct {
	Executions, Lanes [ptx.NumClasses]uint64
	RegisterOperands  uint64
}

func (w *Work) add(o *Work) {
	for i := range w.Lanes {
		w.Executions[i] += o.Executions[i]
		w.Lanes[i] += o.Lanes[i]
	}
	w.RegisterOperands += o.RegisterOperands
}

func (w *Work) since(before *Work) Work {
	d := *w
	for i := range w.Lanes {
		d.Executions[i] -= before.Executions[i]
		d.Lanes[i] -= before.Lanes[i]
	}
	d.RegisterOperands -= before.RegisterOperands
	return d
}

// Classes returns the instructions of each class, in the order of parameter.ClassNames.
func (w *Work) Classes() []account.ClassCount {
	classes := make([]account.ClassCount, len(parameter.ClassNames))
	for i, name := range parameter.ClassNames {
		classes[i] = account.ClassCount{Class: name, Executions: w.Executions[i], Lanes: w.Lanes[i]}
	}
	return classes
}

// Follow adds the figures of a later launch.
func (f *Figures) Follow(o *Figures) {
	f.Launches += o.Launches
	f.Cycles += o.Cycles
	f.Counters.Follow(&o.Counters)
	f.Work.add(&o.Work)
}

// launchFigures cut the counters of the machine at the ends of launches. Nothing is done in between.
type launchFigures struct {
	kernels []*ptx.Kernel // in the order of their first launches
	of      []int         // per launch: its kernel
	counts  []sm.Count    // room for a kernel

	rows    []Figures // of the launches that have ended, up to MostLaunches
	merged  []Figures // by kernel: of those after MostLaunches; nil if there are no more
	lagging []lagging // launches that have ended, but not in memory
	worked  []Work    // by kernel: up to the last end of a launch
	cuts
}

// cuts are the counters at the last cut.
type cuts struct {
	end           sim.Cycle // of the last launch that has ended
	front, memory stat.Set
}

// lagging is a launch whose figures of memory end at a cycle to come.
type lagging struct {
	at     sim.Cycle
	launch int32
}

func newLaunchFigures(launches []*ptx.Launch) launchFigures {
	var f launchFigures
	most := 0
	for _, l := range launches {
		i := slices.Index(f.kernels, l.Kernel)
		if i < 0 {
			i, f.kernels = len(f.kernels), append(f.kernels, l.Kernel)
			most = max(most, len(l.Kernel.Code))
		}
		f.of = append(f.of, i)
	}
	f.worked = make([]Work, len(f.kernels))
	if n := len(launches); n > 1 {
		f.counts = make([]sm.Count, most)
		f.rows = make([]Figures, 0, min(n-1, MostLaunches))
		if n > MostLaunches {
			f.merged = make([]Figures, len(f.kernels))
		}
	}
	return f
}

// row is where the figures of a launch are added up.
func (f *launchFigures) row(launch int) *Figures {
	if launch < MostLaunches {
		return &f.rows[launch]
	}
	return &f.merged[f.of[launch]]
}

func (f *launchFigures) state(t *tape.Tape) {
	t.Section()
	t.Hint(func() { // sums have the counters
		tape.List(t, &f.rows)
		tape.Values(t, f.merged)
		tape.List(t, &f.lagging)
		tape.Values(t, f.worked)
		tape.Value(t, &f.cuts)
	})
}

// memoryLag is how long memory stays with a launch that has ended. It is at least what the parts may be ahead of the
// front (see apart), and less than the way of a request to L2.
func memoryLag(spec *parameter.GPU) sim.Cycle {
	return max(1, min(longestWindow, sim.Cycle(spec.RequestLatencyCycles-2+spec.L2LatencyCycles)))
}

// l1Stays reports whether L1s keep lines between launches. Where launches overlap, others write meanwhile.
func (m *Machine) l1Stays() bool {
	l := m.job.Launches
	return m.spec.SM.L1.Launches == cache.LaunchesKeep && len(l) > 1 && !ptx.Streamed(l)
}

// launchEnded cuts the counters of the front at the end of a launch.
func (m *Machine) launchEnded(launch int) {
	if m.overlap.on {
		return // changing has done it
	}
	if m.l1Stays() {
		for _, s := range m.sms {
			s.KeepCurrent()
		}
	}
	if m.accessed != nil {
		m.accessed[launch] = m.accesses()
	}
	if launch == len(m.job.Launches)-1 {
		return // it has all that follows
	}
	f := &m.figures
	_, end := m.dispatcher.Span(launch)
	front, work := m.frontStats(end), m.workOf(f.of[launch], end, m.sms...)
	one := Figures{
		Launches: 1, Cycles: uint64(end - f.end), Counters: front.Since(&f.front), Work: work.since(&f.worked[f.of[launch]]),
	}
	f.end, f.front, f.worked[f.of[launch]] = end, front, work
	if launch < MostLaunches {
		f.rows = append(upTo(f.rows, launch), one)
	} else {
		f.merged[f.of[launch]].Follow(&one)
	}
	at := end + memoryLag(m.spec)
	f.lagging = append(f.lagging, lagging{at, int32(launch)})
	m.apart.front.Bound(at)
}

// upTo adds rows without launches for those that the host has left out before one.
func upTo(rows []Figures, launch int) []Figures {
	for len(rows) < launch {
		rows = append(rows, Figures{})
	}
	return rows
}

// memoryEnds returns the next cycle in which memory changes from a launch to the next one.
func (m *Machine) memoryEnds() sim.Cycle {
	if p := m.overlap.parts; len(p) > 0 {
		return p[0].at
	}
	if l := m.figures.lagging; len(l) > 0 {
		return l[0].at
	}
	return sim.Never
}

// cutMemory gives what memory has counted to the launches whose time has come.
func (m *Machine) cutMemory() {
	f := &m.figures
	if m.overlap.on {
		m.cutShared(&m.overlap, f.sharedRow, m.engine.Now())
	}
	for len(f.lagging) > 0 && f.lagging[0].at <= m.engine.Now() {
		memory := m.memoryStats()
		part := memory.Since(&f.memory)
		f.row(int(f.lagging[0].launch)).Counters.Follow(&part)
		f.memory = memory
		f.lagging = append(f.lagging[:0], f.lagging[1:]...)
	}
}

// workOf counts the instructions of a kernel on SMs up to cycle end.
func (m *Machine) workOf(kernel int, end sim.Cycle, on ...*sm.SM) (w Work) {
	code := m.figures.kernels[kernel].Code
	if len(m.figures.counts) < len(code) {
		m.figures.counts = make([]sm.Count, len(code))
	}
	counts := m.figures.counts[:len(code)]
	clear(counts)
	launch := slices.Index(m.figures.of, kernel)
	for _, s := range on {
		s.CountsUntil(end, launch, counts)
	}
	for pc := range counts {
		in, n := &code[pc], &counts[pc]
		w.Executions[in.Class] += n.Executions
		w.Lanes[in.Class] += n.Lanes
		w.RegisterOperands += n.Lanes * uint64(len(in.Deps))
	}
	return w
}

// work counts the instructions of all launches up to now.
func (m *Machine) work() (w Work) {
	for i := range m.figures.kernels {
		one := m.workOf(i, m.Cycles(), m.sms...)
		w.add(&one)
	}
	return w
}

// MergedFigures are the figures of the launches of a kernel that have none of their own.
type MergedFigures struct {
	First int // the first launch of them that has begun
	Figures
}

// LaunchFigures returns the figures of the launches that have begun, up to now: one row for each of the first
// MostLaunches, and one for each kernel of the others. A row without launches is of one that the host has left out.
func (m *Machine) LaunchFigures() (list []Figures, merged []MergedFigures) {
	f := &m.figures
	if m.overlap.on {
		list, others := m.sharedFigures()
		return list, m.mergedFigures(others)
	}
	list = slices.Clone(f.rows)
	others := slices.Clone(f.merged)
	row := func(launch int) *Figures {
		if launch < MostLaunches {
			return &list[launch]
		}
		return &others[f.of[launch]]
	}
	memory := m.memoryStats()
	now := memory.Since(&f.memory)
	current, _ := m.dispatcher.Launch()
	launches := uint64(1)
	if m.dispatcher.Finished() || m.dispatcher.Waits() {
		if current = m.dispatcher.Last(); current < 0 {
			return nil, nil // the host has left out all launches
		}
		if current != len(f.of)-1 {
			launches = 0 // its end has been counted
		}
	}
	if current < MostLaunches {
		list = upTo(list, current+1)
	}
	front := m.frontStats(m.Cycles())
	work := m.workOf(f.of[current], m.Cycles(), m.sms...)
	row(current).Follow(&Figures{
		Launches: launches, Cycles: uint64(m.Cycles() - f.end),
		Counters: front.Since(&f.front), Work: work.since(&f.worked[f.of[current]]),
	})
	// Memory is still with the first of the launches that lag. If the run is over, nothing of the later ones came
	// there.
	first := current
	if len(f.lagging) > 0 {
		first = int(f.lagging[0].launch)
	}
	for launch := first; launch <= current; launch++ {
		row(launch).Counters.Follow(&now)
		now = now.Since(&now) // the levels
	}
	return list, m.mergedFigures(others)
}

func (m *Machine) mergedFigures(others []Figures) (merged []MergedFigures) {
	for kernel := range others {
		if others[kernel].Launches > 0 {
			merged = append(merged, MergedFigures{m.firstMerged(kernel), others[kernel]})
		}
	}
	return merged
}

// firstMerged returns the first launch of a kernel among those without figures of their own that the host has not left
// out.
func (m *Machine) firstMerged(kernel int) int {
	for launch := MostLaunches; launch < len(m.figures.of); launch++ {
		if m.figures.of[launch] == kernel && m.dispatcher.Began(launch) {
			return launch
		}
	}
	return len(m.figures.of)
}

// Total returns the figures of the run up to now.
func (m *Machine) Total() Figures {
	launches, cycles := uint64(len(m.job.Launches)), uint64(m.Cycles())
	return Figures{Launches: launches, Cycles: cycles, Counters: m.Stats(), Work: m.work()}
}
