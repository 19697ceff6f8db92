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

// MaxPorts bounds the inputs and outputs of a crossbar, so that a set of ports is two words.
const MaxPorts = 128

// portSet is a set of ports.
type portSet struct{ low, high uint64 }

func (s *portSet) add(i int) {
	if i < 64 {
		s.low |= 1 << i
	} else {
		s.high |= 1 << (i - 64)
	}
}

// first returns the first member of a set that is not empty.
func (s *portSet) first() int {
	if s.low != 0 {
		return bits.TrailingZeros64(s.low)
	}
	return 64 + bits.TrailingZeros64(s.high)
}

// after returns the members behind i. A shift by 64 or more leaves nothing.
func (s *portSet) after(i int) portSet {
	if i < 64 {
		return portSet{s.low >> 1 >> i << i << 1, s.high}
	}
	return portSet{0, s.high >> 1 >> (i - 64) << (i - 64) << 1}
}

func (s *portSet) empty() bool { return s.low|s.high == 0 }

// Direction says which way a crossbar carries packets.
type Direction uint8

const (
	Requests Direction = iota // inputs are SMs, outputs are L2 slices
	Replies                   // inputs are L2 slices, outputs are SMs
)

// Crossbar connects every input with every output. In each cycle an input sends one flit and an
// output takes one, so a packet occupies both for as many cycles as it has
// flits. An output serves waiting inputs round robin. Only the head of an input
// queue can move (no virtual output queues), as in the networks of GPGPU-Sim.
type Crossbar struct {
	direction Direction
	in        []*sim.Link[mem.Packet]
	out       []*sim.Link[mem.Packet]
	tap       *probe.Tap
	ports
	Stats stat.Set
}

type ports struct {
	inFree   []sim.Cycle // when the input's last packet has been sent
	outFree  []sim.Cycle // when the output's last packet has been taken
	lastFrom []uint8     // per output: input served last
	want     []portSet   // per output: inputs whose head packet goes there
}

// New returns a crossbar without links; Attach gives it its ports.
func New(direction Direction, inputs, outputs int, tap *probe.Tap) *Crossbar {
	if inputs > MaxPorts || outputs > MaxPorts {
		panic("noc: too many ports")
	}
	return &Crossbar{
		direction: direction,
		in:        make([]*sim.Link[mem.Packet], inputs),
		out:       make([]*sim.Link[mem.Packet], outputs),
		tap:       tap,
		ports: ports{
			inFree: make([]sim.Cycle, inputs), outFree: make([]sim.Cycle, outputs),
			lastFrom: make([]uint8, outputs), want: make([]portSet, outputs),
		},
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

// Tick starts every packet that can start.
func (x *Crossbar) Tick(now sim.Cycle) sim.Cycle {
	next := sim.Never
	var outputs portSet
	for i, l := range x.in {
		if at := l.NextReady(); at > now {
			next = sim.Min(next, at)
			continue
		}
		p, _ := l.Peek(now)
		o := x.port(p)
		if free := max(x.inFree[i], x.outFree[o]); free > now {
			next = sim.Min(next, free)
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
		x.move(now, i, o)
		// The winner's next packet and the losers can go when the ports are free.
		next = sim.Min(next, x.outFree[o])
	}
	if next <= now {
		next = now + 1
	}
	return next
}

func (x *Crossbar) move(now sim.Cycle, i, o int) {
	p, _ := x.in[i].Peek(now)
	flits := sim.Cycle(p.Flits)
	x.inFree[i], x.outFree[o] = now+flits, now+flits
	x.out[o].SendAfter(now, flits-1, *p)
	x.in[i].Drop(now)
	if x.direction == Requests {
		x.Stats[stat.XbarRequestPackets]++
		x.Stats[stat.XbarRequestFlits] += uint64(flits)
	} else {
		x.Stats[stat.XbarReplyPackets]++
		x.Stats[stat.XbarReplyFlits] += uint64(flits)
	}
	if x.tap.On() {
		kind := probe.KindXbarRequest
		if x.direction == Replies {
			kind = probe.KindXbarReply
		}
		x.tap.Emit(probe.Event{Cycle: now, Addr: p.Addr, Req: p.Cause, A: uint32(p.Flits), Unit: p.SM<<8 | p.Slice, Kind: kind})
	}
}
