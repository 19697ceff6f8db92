package sm

import (
	"slices"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// Dispatcher hands the CTAs of the launches to SMs: one CTA a cycle to each SM
// with room, in turn, as the work distributor of GPGPU-Sim does. With an interval it starts
// at most one CTA in that time, on all SMs together. A launch begins when all CTAs of the
// previous launch have ended.
type Dispatcher struct {
	launches []*ptx.Launch
	room     []int // per launch: CTAs that fit on an SM
	gap      sim.Cycle
	interval uint64 // between the starts of two CTAs, in thousandths of a cycle
	grants   []*sim.Link[Grant]
	done     []*sim.Link[Done]
	tap      *probe.Tap
	// Ended is called when a launch has ended; nil calls nothing.
	Ended func(launch int)
	// Order has the checks of the host; nil = none.
	Order *ptx.Order
	// SMs chosen for a cluster, and how many of its CTAs each SM gets.
	chosen, extra []int
	// Link is that to the host.
	Link HostLink
	streams
	dispatch
}

// HostLink is the time that data of the host take to the GPU, one transfer after the other.
type HostLink struct {
	LatencyCycles      sim.Cycle
	BytesPerKilocycles uint64 // 0 = data take no time
}

// ReadBack returns how long a value takes that the host reads back.
func (l *HostLink) ReadBack() sim.Cycle {
	if l.BytesPerKilocycles == 0 {
		return 0
	}
	return l.LatencyCycles + l.Cycles(8)
}

// Cycles returns how long a link is busy with bytes.
func (l *HostLink) Cycles(bytes uint64) sim.Cycle {
	return sim.Cycle((bytes*1000 + l.BytesPerKilocycles - 1) / l.BytesPerKilocycles)
}

const millicycles = 1000

type dispatch struct {
	launch  int
	next    uint32 // next CTA of the launch
	total   uint32
	running []int // CTAs per SM
	live    uint32
	first   int // SM that is tried first; rotates
	begins  sim.Cycle
	free    uint64      // thousandth of a cycle from which the interval allows a CTA
	started []sim.Cycle // per launch
	ended   []sim.Cycle
	waits   bool // for the host, before launch
	last    int  // launch that ended last, -1 before
	// linkFree is the cycle from which the link to the host takes another transfer.
	linkFree sim.Cycle
}

// NewDispatcher returns a dispatcher for the launches. room is the number of CTAs of each
// launch that fit on an SM; gapCycles lie between the end of a launch and the start of
// the next, and intervalMillicycles between the starts of two CTAs.
func NewDispatcher(launches []*ptx.Launch, room []int, sms int, gapCycles sim.Cycle, intervalMillicycles int, tap *probe.Tap) *Dispatcher {
	d := &Dispatcher{
		launches: launches, room: room, gap: gapCycles, interval: uint64(intervalMillicycles), tap: tap,
		grants: make([]*sim.Link[Grant], sms), done: make([]*sim.Link[Done], sms),
	}
	d.running, d.extra = make([]int, sms), make([]int, sms)
	d.started = make([]sim.Cycle, len(launches))
	d.ended = make([]sim.Cycle, len(launches))
	d.last = -1
	d.startStreams(launches, sms)
	d.open(0, 0)
	return d
}

// Start gives the dispatcher the checks of the host and the launch that runs first.
func (d *Dispatcher) Start(o *ptx.Order, first int) {
	d.Order = o
	d.started[0], d.linkFree = 0, 0
	d.streamState = streamState{}
	d.startStreams(d.launches, len(d.grants))
	d.open(first, 0)
}

// Waits reports whether all CTAs have ended and the host has to say which launch follows: Resume.
func (d *Dispatcher) Waits() bool { return d.waits }

// Resume opens a launch at cycle now, in which the dispatcher must be woken.
func (d *Dispatcher) Resume(launch int, now sim.Cycle) {
	d.waits = false
	d.open(launch, now+d.gap)
}

// Last returns the launch that ended last, -1 before the first end.
func (d *Dispatcher) Last() int { return d.last }

// Began reports whether a launch has begun; a host may leave some out.
func (d *Dispatcher) Began(launch int) bool {
	if d.on {
		return d.ended[launch] > 0 ||
			slices.ContainsFunc(d.streams.running, func(g grid) bool { return int(g.launch) == launch })
	}
	return d.ended[launch] > 0 || launch == d.launch && !d.waits
}

// Attach connects SM i.
func (d *Dispatcher) Attach(i int, grants *sim.Link[Grant], done *sim.Link[Done]) {
	d.grants[i], d.done[i] = grants, done
}

// Finished reports whether all launches have ended.
func (d *Dispatcher) Finished() bool { return d.launch >= len(d.launches) && !d.waits }

// Launch returns the index of the current launch, and how many of its CTAs have not
// ended.
func (d *Dispatcher) Launch() (index int, left uint32) {
	return d.launch, d.total - d.next + d.live
}

// Span returns the cycles in which a launch began and ended.
func (d *Dispatcher) Span(launch int) (begin, end sim.Cycle) {
	return d.started[launch], d.ended[launch]
}

func (d *Dispatcher) open(launch int, at sim.Cycle) {
	if d.on {
		d.openStreams(launch, at)
		return
	}
	d.launch, d.next, d.total, d.begins = launch, 0, 0, at
	if launch < len(d.launches) {
		g := d.launches[launch].Grid
		d.total = g[0] * g[1] * g[2]
		d.started[launch] = at
		d.begins = d.arrival(launch, at)
	}
}

// arrival returns when the data that a launch gets from the host have come, if it starts at a cycle.
func (d *Dispatcher) arrival(launch int, at sim.Cycle) sim.Cycle {
	bytes := d.launches[launch].LinkBytes
	if bytes == 0 || d.Link.BytesPerKilocycles == 0 {
		return at
	}
	begin := max(at, d.linkFree)
	d.started[launch] = begin
	d.linkFree = begin + d.Link.Cycles(bytes)
	return d.linkFree + d.Link.LatencyCycles
}

// unknown returns the first cycle in which SM i may receive a grant that is not in its link yet,
// if no CTA of this SM ends before. The dispatcher has worked in cycle now.
func (d *Dispatcher) unknown(i int, now sim.Cycle) sim.Cycle {
	switch {
	case d.Finished():
		return never
	case d.running[i] == 0 && d.next == d.total:
		return now + 1 // the launch may end in the next cycle, and counters are read then (Ended)
	case d.running[i] > 0 && (d.next == d.total || d.running[i] >= d.room[d.launch]):
		return never // nothing is left of this launch, or nothing fits
	}
	return max(now+1, sim.Cycle(d.free/millicycles)) + 1
}

// Tick takes back ended CTAs and hands out new ones.
func (d *Dispatcher) Tick(now sim.Cycle) sim.Cycle {
	next := sim.Never
	for i, l := range d.done {
		for {
			if _, ok := l.Recv(now); !ok {
				break
			}
			d.gave(i)
		}
		next = sim.Min(next, l.NextReady())
	}
	if d.on {
		return d.tickStreams(now, next)
	}
	if d.Finished() || d.waits {
		return next
	}
	if d.next == d.total && d.live == 0 {
		d.ended[d.launch], d.last = now, d.launch
		if d.Ended != nil {
			d.Ended(d.launch)
		}
		if d.Order.Stops(d.launch + 1) {
			d.launch, d.next, d.total, d.waits = d.launch+1, 0, 0, true
			return next
		}
		d.open(d.launch+1, now+d.gap)
		if d.Finished() {
			return next
		}
	}
	if now < d.begins {
		return sim.Min(next, d.begins)
	}
	if d.next == 0 && d.tap.On() {
		d.tap.Emit(probe.Event{Cycle: now, A: uint32(d.launch), Kind: probe.KindLaunch})
	}
	return sim.Min(next, d.grant(now))
}

// grant hands out CTAs of the present launch, and returns when it may hand out more if no CTA ends before.
func (d *Dispatcher) grant(now sim.Cycle) sim.Cycle {
	granted := false
	n := len(d.grants)
	begin, end, last := uint64(now)*millicycles, uint64(now+1)*millicycles, 0
	per := uint32(d.launches[d.launch].CTAsPerCluster())
	if per > 1 {
		granted, last = d.tickCluster(now, per)
	}
	for k := 0; per == 1 && k < n && d.next < d.total && d.free < end; k++ {
		i := (d.first + k) % n
		if !d.takes(i, 0) || !d.grants[i].Send(now, Grant{Launch: int32(d.launch), CTA: d.next}) {
			continue
		}
		d.owns(now, i)
		d.took(i)
		granted, last = true, i
		d.free = max(d.free, begin) + d.interval
	}
	if granted && (d.next == d.total || d.interval > 0) {
		d.first = (last + 1) % n
	}
	if d.next < d.total && (granted || d.free >= end) {
		return max(now+1, sim.Cycle(d.free/millicycles))
	}
	return sim.Never
}
