package sm

import (
	"slices"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// mostGrids is the number of launches that run at once: CUDA C++ Programming Guide, resident grids of a device from
// compute capability 7.0 on.
const mostGrids = 128

// streams hand out the CTAs of launches that may overlap. A launch whose predecessors have ended joins one queue, in
// the order of the program if several join in a cycle. Only the CTAs of the first launch that has some left are
// handed out, and CTAs of the next launch when all of them have been (Amert et al., GPU Scheduling on the NVIDIA TX2:
// Hidden Details Revealed, RTSS 2017, rules G1 to G4 and X1). An SM has CTAs of one launch at a time, as in GPGPU-Sim
// 4 without gpgpu_concurrent_kernel_sm; GPUs mix them.
type streams struct {
	on    bool
	after [][]int32 // per launch: the launches that wait for it
	// Changes is called before the launches that run, or the launch of an SM, change.
	Changes func(now sim.Cycle)
	streamState
}

// streamState is the part that changes.
type streamState struct {
	missing []int32 // per launch: predecessors that have not ended
	due     []due   // launches that begin later, in the order of the program
	running []grid  // in the order of the queue
	owner   []int32 // per SM: the launch that had its last CTA, -1 before
	left    int     // launches before limit that have not ended
	limit   int     // the launch before which the host checks, or the number of launches
}

// due is a launch that begins at a cycle.
type due struct {
	at     sim.Cycle
	launch int32
}

// grid is a launch whose CTAs are being handed out or run.
type grid struct {
	launch            int32
	next, total, live uint32
}

// startStreams prepares a program with streams.
func (d *Dispatcher) startStreams(launches []*ptx.Launch, sms int) {
	s := &d.streams
	s.on = ptx.Streamed(launches)
	if !s.on {
		return
	}
	s.after = make([][]int32, len(launches))
	s.missing = make([]int32, len(launches))
	for i, l := range launches {
		s.missing[i] = int32(len(l.After))
		for _, before := range l.After {
			s.after[before] = append(s.after[before], int32(i))
		}
	}
	s.owner = slices.Repeat([]int32{-1}, sms)
}

// openStreams lets the launches from one on join the queue, up to the next check of the host. Those between begun and
// first are left out.
func (d *Dispatcher) openStreams(first int, at sim.Cycle) {
	s := &d.streams
	for i := s.limit; i < first; i++ {
		d.release(i, at)
	}
	s.limit = d.Order.NextStop(first, len(d.launches))
	s.left = s.limit - first
	d.launch = first
	for i := first; i < s.limit; i++ {
		if s.missing[i] == 0 {
			d.join(int32(i), at)
		}
	}
}

// release frees the launches that wait for launch i. Launches after the next check of the host join later.
func (d *Dispatcher) release(i int, at sim.Cycle) {
	s := &d.streams
	for _, next := range s.after[i] {
		if s.missing[next]--; s.missing[next] == 0 && int(next) < s.limit {
			d.join(next, at)
		}
	}
}

// join puts a launch into the queue. at has the time between launches.
func (d *Dispatcher) join(launch int32, at sim.Cycle) {
	d.started[launch] = at
	at = d.arrival(int(launch), at)
	s := &d.streams
	i, _ := slices.BinarySearchFunc(s.due, launch, func(e due, l int32) int { return int(e.launch - l) })
	s.due = slices.Insert(s.due, i, due{at, launch})
}

// Overlapping returns the launches that run, in the order of the queue.
func (d *Dispatcher) Overlapping(list []int32) []int32 {
	for i := range d.streams.running {
		list = append(list, d.streams.running[i].launch)
	}
	return list
}

// Owner returns the launch that had the last CTA of SM i, -1 before.
func (d *Dispatcher) Owner(i int) int32 { return d.streams.owner[i] }

func (d *Dispatcher) changes(now sim.Cycle) {
	if d.streams.Changes != nil {
		d.streams.Changes(now)
	}
}

// tickStreams does the work of Tick after CTAs have ended.
func (d *Dispatcher) tickStreams(now, next sim.Cycle) sim.Cycle {
	s := &d.streams
	if d.Finished() || d.waits {
		return next
	}
	d.endStreams(now)
	if s.left == 0 {
		d.launch, d.next, d.total, d.waits = s.limit, 0, 0, d.Order.Stops(s.limit)
		return next
	}
	d.beginStreams(now)
	again := sim.Never
	for k := range s.running {
		if g := &s.running[k]; g.next < g.total {
			again = d.handOut(now, g)
		}
		if g := &s.running[k]; g.next < g.total {
			break
		}
	}
	for _, e := range s.due {
		if len(s.running) < mostGrids {
			again = sim.Min(again, max(e.at, now+1))
		}
	}
	return sim.Min(next, again)
}

// endStreams ends the launches whose CTAs have all ended.
func (d *Dispatcher) endStreams(now sim.Cycle) {
	s := &d.streams
	for k := 0; k < len(s.running); k++ {
		g := s.running[k]
		if g.next < g.total || g.live > 0 {
			continue
		}
		d.changes(now)
		d.ended[g.launch], d.last = now, int(g.launch)
		s.running = slices.Delete(s.running, k, k+1)
		k--
		s.left--
		if d.Ended != nil {
			d.Ended(int(g.launch))
		}
		d.release(int(g.launch), now+d.gap)
	}
}

// beginStreams moves launches whose time has come into the queue.
func (d *Dispatcher) beginStreams(now sim.Cycle) {
	s := &d.streams
	for i := 0; i < len(s.due) && len(s.running) < mostGrids; i++ {
		e := s.due[i]
		if e.at > now {
			continue
		}
		s.due = slices.Delete(s.due, i, i+1)
		i--
		d.changes(now)
		g := d.launches[e.launch].Grid
		s.running = append(s.running, grid{launch: e.launch, total: g[0] * g[1] * g[2]})
		if d.tap.On() {
			d.tap.Emit(probe.Event{Cycle: now, A: uint32(e.launch), Kind: probe.KindLaunch})
		}
	}
}

// handOut gives the CTAs of a launch to SMs that have room, and returns when it may give more.
func (d *Dispatcher) handOut(now sim.Cycle, g *grid) sim.Cycle {
	d.launch, d.next, d.total, d.live = int(g.launch), g.next, g.total, g.live
	again := d.grant(now)
	g.next, g.live = d.next, d.live
	return again
}

// takes reports whether an SM takes a CTA of the launch that is handed out, beside more others.
func (d *Dispatcher) takes(i, more int) bool {
	s := &d.streams
	if s.on && d.running[i] > 0 && s.owner[i] != int32(d.launch) {
		return false
	}
	return d.running[i]+more < d.room[d.launch]
}

// took notes that SM i has got a CTA.
func (d *Dispatcher) took(i int) {
	d.running[i]++
	d.live++
	d.next++
}

// owns says which launch an SM works for from now on.
func (d *Dispatcher) owns(now sim.Cycle, i int) {
	if s := &d.streams; s.on && s.owner[i] != int32(d.launch) {
		d.changes(now)
		s.owner[i] = int32(d.launch)
	}
}

// gave takes a CTA back from SM i.
func (d *Dispatcher) gave(i int) {
	d.running[i]--
	s := &d.streams
	if !s.on {
		d.live--
		return
	}
	for k := range s.running {
		if s.running[k].launch == s.owner[i] {
			s.running[k].live--
		}
	}
}

func (s *streams) state(t *tape.Tape) {
	if !s.on {
		return
	}
	t.Section()
	tape.Values(t, s.missing)
	tape.List(t, &s.due)
	tape.List(t, &s.running)
	tape.Values(t, s.owner)
	tape.Value(t, &s.left)
	tape.Value(t, &s.limit)
}
