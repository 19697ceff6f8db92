// Package noc models the crossbars between SMs and L2 slices, one for requests and one
// for replies. They move packets flit by flit.
package noc

import (
	"math"
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

func (s *portSet) remove(i int) {
	switch {
	case i < 64:
		s.low &^= 1 << i
	case i < 128:
		s.middle &^= 1 << (i - 64)
	default:
		s.high &^= 1 << (i - 128)
	}
}

// both returns the members of two sets.
func (s *portSet) both(t *portSet) portSet {
	return portSet{s.low & t.low, s.middle & t.middle, s.high & t.high}
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

// after returns the members greater than i. A shift by 64 or more leaves nothing.
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
	in        []input
	out       []output
	tap       *probe.Tap
	filed     filed
	queues    *queues               // nil under InputFIFO, if a set of ports is one word
	full      [MaxPorts / 64]uint64 // inputs with packets
	stages    []sim.Stage[mem.Packet]
	staged    bool // outputs send into stages
	Stats     stat.Set
}

type input struct {
	link *sim.Link[mem.Packet]
	free uint64    // crossbar cycle by which the last packet has been sent
	at   sim.Cycle // when it begins
}

type output struct {
	link     *sim.Link[mem.Packet]
	free     uint64    // crossbar cycle by which the last packet has been taken
	at       sim.Cycle // when it begins
	want     portSet   // inputs whose head packet goes there
	lastFrom uint8     // input served last
}

// filed is what a crossbar with few ports remembers beside the sets of its outputs: the packets
// that wait for their output. It follows from the links and the ports.
type filed struct {
	idle   uint64 // inputs whose oldest packet is in no set, or that have none
	wanted uint64 // outputs with inputs in their set
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
		in:        make([]input, inputs),
		out:       make([]output, outputs),
		tap:       tap,
	}
	if c.InputQueues != InputFIFO || inputs > 64 || outputs > 64 {
		x.queues = newQueues(c.InputQueues, inputs)
	}
	x.refile()
	return x
}

// refile makes anew what follows from the links and the ports: the next step files the packets that wait.
func (x *Crossbar) refile() {
	for i := range x.in {
		x.in[i].at = x.begins(x.in[i].free)
	}
	for o := range x.out {
		x.out[o].at, x.out[o].want = x.begins(x.out[o].free), portSet{}
	}
	if q := x.queues; q != nil {
		clear(q.filed)
		q.wanted = portSet{}
		return
	}
	x.filed = filed{idle: ^uint64(0) >> (64 - len(x.in))}
}

// AttachInput and AttachOutput connect a port.
func (x *Crossbar) AttachInput(i int, l *sim.Link[mem.Packet]) {
	x.in[i].link = l
	l.Mark(&x.full[i/64], i%64)
}
func (x *Crossbar) AttachOutput(i int, l *sim.Link[mem.Packet]) { x.out[i].link = l }

// Stage makes the outputs keep what they send until Unstage, so that what takes it can be at work on another thread.
func (x *Crossbar) Stage() {
	if x.stages == nil {
		x.stages = make([]sim.Stage[mem.Packet], len(x.out))
	}
	for o := range x.out {
		x.stages[o].Begin(x.out[o].link)
	}
	x.staged = true
}

// Unstage ends Stage.
func (x *Crossbar) Unstage() {
	for o := range x.stages {
		x.stages[o].End()
	}
	x.staged = false
}

// takes reports whether the link of an output takes a packet.
func (x *Crossbar) takes(now sim.Cycle, o int) bool {
	if sim.MostThreads > 1 && x.staged {
		return x.stages[o].CanSend(now)
	}
	return x.out[o].link.CanSend(now)
}

// FreeFor returns how many cycles after cycle now no link of an output can refuse a packet, whatever is taken.
func (x *Crossbar) FreeFor(now sim.Cycle) sim.Cycle {
	free := math.MaxInt
	for o := range x.out {
		free = min(free, x.out[o].link.Free())
	}
	return x.begins(x.clock.Local(now)+uint64(free)) - now
}

// FreeAt returns the cycle before which input i starts no packet, because it is sending one.
func (x *Crossbar) FreeAt(i int) sim.Cycle { return x.in[i].at }

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
			// Nothing arrives within a cycle of the engine, so only a port that becomes free lets more start.
			if next = x.step(now, local); next > now {
				break
			}
		}
	}
	if next <= now {
		next = now + 1
	}
	return next
}

// step starts packets in one cycle of the crossbar, and returns when the next one may start.
func (x *Crossbar) step(now sim.Cycle, local uint64) sim.Cycle {
	if x.queues != nil {
		return x.match(now, local)
	}
	next := x.file(now, local)
	wanted, idle := x.filed.wanted, uint64(0)
	for m := wanted; m != 0; m &= m - 1 {
		o := bits.TrailingZeros64(m)
		out := &x.out[o]
		if out.free > local {
			next = min(next, out.at)
			continue
		}
		if out.link.Refused() || !x.takes(now, o) {
			continue // the link wakes us
		}
		// Round robin: the first waiting input after the one served last.
		behind := out.want.low & (^uint64(1) << out.lastFrom)
		if behind == 0 {
			behind = out.want.low
		}
		i := bits.TrailingZeros64(behind)
		out.lastFrom = uint8(i)
		x.move(now, local, &x.in[i], o)
		if out.want.low &^= behind & -behind; out.want.low == 0 {
			wanted &^= m & -m
		}
		idle |= behind & -behind
		// The winner's next packet and the losers can go when the ports are free.
		next = min(next, out.at)
	}
	x.filed.wanted = wanted
	x.filed.idle |= idle
	return next
}

// file finds the packets that have arrived at inputs whose last one has been sent, and returns when the next
// one may.
func (x *Crossbar) file(now sim.Cycle, local uint64) sim.Cycle {
	idle, wanted, next := x.filed.idle, x.filed.wanted, sim.Never
	requests := x.direction == Requests
	for m := idle & x.full[0]; m != 0; m &= m - 1 {
		in := &x.in[bits.TrailingZeros64(m)]
		if at := max(in.at, in.link.NextReady()); at > now {
			next = min(next, at)
			continue
		}
		if in.free > local { // in a later cycle of the crossbar that begins in this one
			next = now
			continue
		}
		p, _ := in.link.Peek(now)
		o := p.SM
		if requests {
			o = p.Slice
		}
		x.out[o].want.low |= m & -m
		wanted |= 1 << (o & 63)
		idle &^= m & -m
	}
	x.filed = filed{idle, wanted}
	return next
}

// later returns when the first packet can start, if none can before a cycle.
func (x *Crossbar) later(begin sim.Cycle) sim.Cycle {
	next := sim.Never
	for w, m := range x.full {
		for ; m != 0; m &= m - 1 {
			next = sim.Min(next, max(x.in[w*64+bits.TrailingZeros64(m)].link.NextReady(), begin))
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

// move starts the oldest packet of an input, whose output o can take it.
func (x *Crossbar) move(now sim.Cycle, local uint64, in *input, o int) {
	out := &x.out[o]
	p, _ := in.link.Peek(now)
	end := local + uint64(p.Flits)
	at := x.begins(end)
	in.free, out.free, in.at, out.at = end, end, at, at
	arrives := at - 1
	if !x.base {
		arrives = x.begins(end - 1)
	}
	if sim.MostThreads > 1 && x.staged {
		*x.stages[o].Put(now, arrives-now) = *p
	} else {
		*out.link.Put(now, arrives-now) = *p
	}
	in.link.Drop(now)
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
