package machine

import (
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// overlap gives counts to launches that run at once. The counts of an SM and its instructions belong to the launch
// that has it. The crossbars, L2 and DRAM serve all at once: what they count between two changes is divided by the
// lines that the SMs of each launch loaded and stored in this time [ours]. Cycles, and what SMs without work count,
// are the first one's in the queue.
type overlap struct {
	on bool
	overlapState
}

type overlapState struct {
	end    sim.Cycle // of what has been given
	fronts []stat.Set
	worked []Work   // per SM and kernel: its instructions
	shared stat.Set // see sharedStats
	memory stat.Set
	parts  []stint // of the time whose memory is still counted
	first  int32   // launch that gets what nobody else does
}

// stint is the part of a launch in a span of time.
type stint struct {
	at     sim.Cycle // from which memory counts for the next span
	launch int32
	lines  uint64
}

func newOverlap(sms, kernels int) overlap {
	return overlap{true, overlapState{
		fronts: make([]stat.Set, sms), worked: make([]Work, sms*kernels), first: -1,
	}}
}

func (o *overlap) state(t *tape.Tape) {
	if !o.on {
		return
	}
	tape.Value(t, &o.end)
	tape.Values(t, o.fronts)
	tape.Values(t, o.worked)
	tape.Value(t, &o.shared)
	tape.Value(t, &o.memory)
	tape.List(t, &o.parts)
	tape.Value(t, &o.first)
}

// clone returns an independent copy.
func (o *overlap) clone() *overlap {
	c := *o
	c.fronts, c.worked, c.parts = slices.Clone(o.fronts), slices.Clone(o.worked), slices.Clone(o.parts)
	return &c
}

// lines are those that an SM loaded and stored.
func lines(s *stat.Set) uint64 {
	return s[stat.GlobalLoadLines] + s[stat.GlobalStoreLines] + s[stat.AtomicLines]
}

// changing cuts the counts before the launches that run, or those of the SMs, change.
func (m *Machine) changing(now sim.Cycle) {
	if m.cutFront(&m.overlap, m.figures.sharedRow, now) {
		m.apart.front.Bound(now + memoryLag(m.spec))
	}
}

// sharedRow is where the figures of a launch with others are added up.
func (f *launchFigures) sharedRow(launch int) *Figures {
	if launch < MostLaunches {
		f.rows = upTo(f.rows, launch+1)
	}
	return f.row(launch)
}

// cutFront gives what the SMs and the crossbar of requests have counted to the launches that ran. It reports whether
// some did.
func (m *Machine) cutFront(o *overlap, row func(int) *Figures, now sim.Cycle) bool {
	running := m.dispatcher.Overlapping(nil)
	if now == o.end || len(running) == 0 && o.first < 0 {
		return false
	}
	if len(running) > 0 {
		o.first = running[0]
	} else {
		running = append(running, o.first)
	}
	parts := make([]stint, len(running))
	at := now + memoryLag(m.spec)
	for i, launch := range running {
		parts[i] = stint{at: at, launch: launch}
	}
	row(int(running[0])).Cycles += uint64(now - o.end)
	o.end = now
	for i := range m.sms {
		owner := m.dispatcher.Owner(i)
		of := max(0, slices.Index(running, owner))
		r := row(int(running[of]))
		set := m.sms[i].StatsUntil(now)
		d := set.Since(&o.fronts[i])
		o.fronts[i] = set
		add(&r.Counters, &d)
		parts[of].lines += lines(&d)
		if owner >= 0 {
			kernel := m.figures.of[owner]
			before := &o.worked[i*len(m.figures.kernels)+kernel]
			worked := m.workOf(kernel, now, m.sms[i])
			work := worked.since(before)
			r.Work.add(&work)
			*before = worked
		}
	}
	shared := m.sharedStats()
	d := shared.Since(&o.shared)
	o.shared = shared
	divide(&d, parts, row)
	o.parts = append(o.parts, parts...)
	return true
}

// add adds the counters that only grow.
func add(to, d *stat.Set) {
	for c := range d {
		if stat.Adds(stat.Counter(c)) == stat.Sum {
			to[c] += d[c]
		}
	}
}

// cutShared gives what memory has counted to the launches whose time has come.
func (m *Machine) cutShared(o *overlap, row func(int) *Figures, now sim.Cycle) {
	for len(o.parts) > 0 && o.parts[0].at <= now {
		n := 0
		for n < len(o.parts) && o.parts[n].at == o.parts[0].at {
			n++
		}
		memory := m.memoryStats()
		d := memory.Since(&o.memory)
		o.memory = memory
		divide(&d, o.parts[:n], row)
		o.parts = append(o.parts[:0], o.parts[n:]...)
	}
}

// divide gives counts that only grow to launches by their lines, or to all alike if there are none. The first gets the
// rest.
func divide(d *stat.Set, parts []stint, row func(int) *Figures) {
	total := uint64(0)
	for i := range parts {
		total += parts[i].lines
	}
	left := *d
	for i := len(parts) - 1; i >= 0; i-- {
		share := left
		for c := range share {
			if i > 0 && int64(d[c]) < 0 {
				share[c] = 0 // the run ends before the last look of the host
			} else if i > 0 && total == 0 {
				share[c] = d[c] / uint64(len(parts))
			} else if i > 0 {
				high, low := bits.Mul64(d[c], parts[i].lines)
				share[c], _ = bits.Div64(high, low, total)
			}
			left[c] -= share[c]
		}
		add(&row(int(parts[i].launch)).Counters, &share)
	}
}

// sharedFigures returns the figures of launches that may overlap, up to now.
func (m *Machine) sharedFigures() (list, merged []Figures) {
	f := launchFigures{
		kernels: m.figures.kernels, of: m.figures.of,
		rows: slices.Clone(m.figures.rows), merged: slices.Clone(m.figures.merged),
	}
	o := m.overlap.clone()
	m.cutFront(o, f.sharedRow, m.Cycles())
	if len(o.parts) == 0 && o.first >= 0 {
		o.parts = append(o.parts, stint{launch: o.first})
	}
	for i := range o.parts { // all of memory is counted
		o.parts[i].at = 0
	}
	m.cutShared(o, f.sharedRow, 0)
	last := -1
	for i := range f.merged {
		f.merged[i].Launches = 0
	}
	for i := range m.job.Launches {
		if m.dispatcher.Began(i) {
			last = i
			f.sharedRow(i).Launches++
		}
	}
	if last >= 0 {
		f.sharedRow(last).Counters.Follow(levels(m.memoryStats()))
	}
	return f.rows, f.merged
}

// levels returns the counters that do not only grow; the others are zero.
func levels(s stat.Set) *stat.Set {
	for c := range s {
		if stat.Adds(stat.Counter(c)) == stat.Sum {
			s[c] = 0
		}
	}
	return &s
}
