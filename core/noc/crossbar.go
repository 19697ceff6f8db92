// Package noc models the crossbars between SMs and L2 slices, one for requests and one
// for replies. They move packets flit by flit.
package noc

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// MaxPorts bounds the inputs and outputs of a crossbar, so that a set of ports is three
// words: six stacks of HBM3 have 192 pseudo-channels.
const MaxPorts = 192

// portSet is a set of ports.
type portSet struct{ low, middle, high uint64 }

func (s *portSet) add(i int) {
	switch {
	case i < 64:
		s.low |= 1 << i
	case i < 128:
		s.middle |= 1 << (i - 64)
	default:
		s.high |= 1 << (i - 128)
	}
}

func (s *portSet) has(i int) bool {
	switch {
	case i < 64:
		return s.low>>i&1 != 0
	case i < 128:
		return s.middle>>(i-64)&1 != 0
	}
	return s.high>>(i-128)&1 != 0
}

// first returns the first member of a set that is not empty.
func (s *portSet) first() int {
	switch {
	case s.low != 0:
		return bits.TrailingZeros64(s.low)
	case s.middle != 0:
		return 64 + bits.TrailingZeros64(s.middle)
	}
	return 128 + bits.TrailingZeros64(s.high)
}

// after returns the members behind i. A shift by 64 or more leaves nothing.
func (s *portSet) after(i int) portSet {
	switch {
	case i < 64:
		return portSet{s.low >> 1 >> i << i << 1, s.middle, s.high}
	case i < 128:
		return portSet{0, s.middle >> 1 >> (i - 64) << (i - 64) << 1, s.high}
	}
	return portSet{0, 0, s.high >> 1 >> (i - 128) << (i - 128) << 1}
}

func (s *portSet) empty() bool { return s.low|s.middle|s.high == 0 }

// Direction says which way a crossbar carries packets.
type Direction uint8

const (
	Requests Direction = iota // inputs are SMs, outputs are L2 slices
	Replies                   // inputs are L2 slices, outputs are SMs
)

// Crossbar connects every input with every output. In each cycle of its clock an input
// sends one flit and an output takes one, so a packet occupies both for as many cycles as it
// has flits. An output serves waiting inputs round robin. Under InputFIFO only the head of an
// input queue can move, as in the networks of GPGPU-Sim.
type Crossbar struct {
	direction Direction
	clock     sim.ClockRatio // of the crossbar over the engine's base clock
	base      bool           // the two are the same
	in        []*sim.Link[mem.Packet]
	out       []*sim.Link[mem.Packet]
	tap       *probe.Tap
	virtual   *virtualQueues // nil under InputFIFO
	few       bool           // a set of ports is one word
	filed     filed
	ports
	Stats stat.Set
}

type ports struct {
	inFree   []uint64  // crossbar cycle by which the input's last packet has been sent
	outFree  []uint64  // crossbar cycle by which the output's last packet has been taken
	lastFrom []uint8   // per output: input served last
	want     []portSet // per output: inputs whose head packet goes there
}

// filed is what a crossbar under InputFIFO with few ports remembers: the packets that wait for their
// output. It follows from the links and the ports.
type filed struct {
	idle   uint64      // inputs whose oldest packet is not in want, or that have none
	wanted uint64      // outputs with inputs in want
	outAt  []sim.Cycle // per output: when outFree begins
	inAt   []sim.Cycle // per input: when inFree begins
}

// New returns a crossbar without links; Attach gives it its ports.
func New(direction Direction, c Config, clock sim.ClockRatio, inputs, outputs int, tap *probe.Tap) *Crossbar {
	if inputs > MaxPorts || outputs > MaxPorts {
		panic("noc: too many ports")
	}
	x := &Crossbar{
		direction: direction,
		clock:     clock,
		base:      clock.Num == clock.Den,
		in:        make([]*sim.Link[mem.Packet], inputs),
		out:       make([]*sim.Link[mem.Packet], outputs),
		tap:       tap,
		few:       inputs <= 64 && outputs <= 64,
		filed:     filed{outAt: make([]sim.Cycle, outputs), inAt: make([]sim.Cycle, inputs)},
		ports: ports{
			inFree: make([]uint64, inputs), outFree: make([]uint64, outputs),
			lastFrom: make([]uint8, outputs), want: make([]portSet, outputs),
		},
	}
	x.refile()
	if c.InputQueues == InputVOQ {
		x.virtual = &virtualQueues{lastTo: make([]uint8, inputs), grants: make([]portSet, inputs)}
	}
	return x
}

// refile makes filed and want anew: the next step files the packets that wait.
func (x *Crossbar) refile() {
	if !x.few {
		return
	}
	x.filed.idle, x.filed.wanted = ^uint64(0)>>(64-len(x.in)), 0
	for i, free := range x.inFree {
		x.filed.inAt[i] = x.begins(free)
	}
	for o, free := range x.outFree {
		x.filed.outAt[o], x.want[o] = x.begins(free), portSet{}
	}
}

// AttachInput and AttachOutput connect a port.
func (x *Crossbar) AttachInput(i int, l *sim.Link[mem.Packet])  { x.in[i] = l }
func (x *Crossbar) AttachOutput(i int, l *sim.Link[mem.Packet]) { x.out[i] = l }

func (x *Crossbar) port(p *mem.Packet) uint16 {
	if x.direction == Requests {
		return p.Slice
	}
	return p.SM
}

// Tick starts every packet that can start in the crossbar's cycles that begin in this one.
func (x *Crossbar) Tick(now sim.Cycle) sim.Cycle {
	next := sim.Never
	if x.base {
		next = x.step(now, uint64(now))
	} else if begin, end := x.clock.Local(now), x.clock.Local(now+1); begin == end {
		next = x.later(x.begins(begin))
	} else {
		for local := begin; local < end; local++ {
			next = x.step(now, local)
		}
	}
	if next <= now {
		next = now + 1
	}
	return next
}

// step starts packets in one cycle of the crossbar, and returns when the next one may start.
func (x *Crossbar) step(now sim.Cycle, local uint64) sim.Cycle {
	switch {
	case x.virtual != nil:
		return x.stepVirtual(now, local)
	case !x.few:
		return x.stepMany(now, local)
	}
	f := &x.filed
	idle, wanted, next := f.idle, f.wanted, sim.Never
	for m := idle; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		l := x.in[i]
		if at := l.NextReady(); at > now {
			next = min(next, at)
			continue
		}
		if x.inFree[i] > local {
			next = min(next, f.inAt[i])
			continue
		}
		p, _ := l.Peek(now)
		o := x.port(p)
		x.want[o].low |= m & -m
		wanted |= 1 << o
		idle &^= m & -m
	}
	for m := wanted; m != 0; m &= m - 1 {
		o := bits.TrailingZeros64(m)
		if x.outFree[o] > local {
			next = min(next, f.outAt[o])
			continue
		}
		if l := x.out[o]; l.Refused() || !l.CanSend(now) {
			continue // the link wakes us
		}
		// Round robin: the first waiting input behind the one served last.
		want := &x.want[o].low
		behind := *want & (^uint64(1) << x.lastFrom[o])
		if behind == 0 {
			behind = *want
		}
		i := bits.TrailingZeros64(behind)
		x.lastFrom[o] = uint8(i)
		x.move(now, local, i, o)
		if *want &^= behind & -behind; *want == 0 {
			wanted &^= m & -m
		}
		idle |= behind & -behind
		at := x.begins(x.outFree[o])
		f.inAt[i], f.outAt[o] = at, at
		// The winner's next packet and the losers can go when the ports are free.
		next = min(next, at)
	}
	f.idle, f.wanted = idle, wanted
	return next
}

// stepMany is step for any number of ports.
func (x *Crossbar) stepMany(now sim.Cycle, local uint64) sim.Cycle {
	next := sim.Never
	var outputs portSet
	for i, l := range x.in {
		if at := l.NextReady(); at > now {
			next = sim.Min(next, at)
			continue
		}
		p, _ := l.Peek(now)
		o := x.port(p)
		if free := max(x.inFree[i], x.outFree[o]); free > local {
			next = sim.Min(next, x.begins(free))
			continue
		}
		x.want[o].add(i)
		outputs.add(int(o))
	}
	for ; !outputs.empty(); outputs = outputs.after(outputs.first()) {
		o := outputs.first()
		want := x.want[o]
		x.want[o] = portSet{}
		if !x.out[o].CanSend(now) {
			continue // the link wakes us
		}
		// Round robin: the first waiting input behind the one served last.
		behind := want.after(int(x.lastFrom[o]))
		if behind.empty() {
			behind = want
		}
		i := behind.first()
		x.lastFrom[o] = uint8(i)
		x.move(now, local, i, o)
		// The winner's next packet and the losers can go when the ports are free.
		next = sim.Min(next, x.begins(x.outFree[o]))
	}
	return next
}

// later returns when the first packet can start, if none can before a cycle.
func (x *Crossbar) later(begin sim.Cycle) sim.Cycle {
	next := sim.Never
	for _, l := range x.in {
		if at := l.NextReady(); at != sim.Never {
			next = sim.Min(next, max(at, begin))
		}
	}
	return next
}

// begins returns the base cycle in which a cycle of the crossbar begins.
func (x *Crossbar) begins(local uint64) sim.Cycle {
	if x.base {
		return sim.Cycle(local)
	}
	return x.clock.Begins(local)
}

func (x *Crossbar) move(now sim.Cycle, local uint64, i, o int) {
	p, _ := x.in[i].Peek(now)
	end := local + uint64(p.Flits)
	x.inFree[i], x.outFree[o] = end, end
	*x.out[o].Put(now, x.begins(end-1)-now) = *p
	x.in[i].Drop(now)
	if x.direction == Requests {
		x.Stats[stat.XbarRequestPackets]++
		x.Stats[stat.XbarRequestFlits] += uint64(p.Flits)
	} else {
		x.Stats[stat.XbarReplyPackets]++
		x.Stats[stat.XbarReplyFlits] += uint64(p.Flits)
	}
	if x.tap.On() {
		kind := probe.KindXbarRequest
		if x.direction == Replies {
			kind = probe.KindXbarReply
		}
		x.tap.Emit(probe.Event{Cycle: now, Addr: p.Addr, Req: p.Cause, A: uint32(p.Flits), Unit: p.SM<<8 | p.Slice, Kind: kind})
	}
}
