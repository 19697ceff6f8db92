package noc

import (
	"math"
	"math/bits"

	"github.com/burstscope/burstscope/core/sim"
)

// Config is the values of a crossbar beside its clock.
type Config struct {
	InputQueues InputQueues
}

// InputQueues is which packets of an input can move.
type InputQueues uint8

const (
	// InputFIFO: the oldest packet. It holds up all later packets, whatever their output.
	InputFIFO InputQueues = iota
	// InputVOQ: the oldest packet for each output (virtual output queues, which share the
	// places of the input).
	InputVOQ
	NumInputQueues
)

// InputQueuesNames are the names of the kinds, in their order.
var InputQueuesNames = [NumInputQueues]string{"fifo", "voq"}

// turnAfter returns the first member greater than i, or the first of all.
func (s portSet) turnAfter(i int) int {
	if behind := s.after(i); !behind.empty() {
		return behind.first()
	}
	return s.first()
}

// queues is what any number of inputs with any queues need beside the ports. Inputs are matched with outputs by one
// round of iSLIP (McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM Transactions on
// Networking 7(2), 1999). An input under InputFIFO wants one output, so that it is served round robin.
type queues struct {
	depth  uint32    // most packets of an input that can move
	lastTo []uint8   // per input: output that took its last packet
	grants []portSet // per input: outputs that would take a packet
	// filed is how many packets of an input, from the oldest, are in the sets of their outputs. A packet is looked at
	// when it has arrived and when it moves, and in no cycle between. It follows from the links.
	filed  []uint32
	wanted portSet // outputs with inputs in their set
}

func newQueues(of InputQueues, inputs int) *queues {
	depth := uint32(math.MaxUint32)
	if of == InputFIFO {
		depth = 1
	}
	return &queues{depth, make([]uint8, inputs), make([]portSet, inputs), make([]uint32, inputs), portSet{}}
}

// match is step for any number of ports.
func (x *Crossbar) match(now sim.Cycle, local uint64) sim.Cycle {
	ready, next := x.ask(now, local)
	// Each free output grants one input: the first one after the input served last.
	q := x.queues
	var inputs portSet
	for outputs := q.wanted; !outputs.empty(); outputs = outputs.after(outputs.first()) {
		o := outputs.first()
		out := &x.out[o]
		asking := out.want.both(&ready)
		switch {
		case asking.empty():
		case out.free > local:
			next = min(next, out.at)
		case x.takes(now, o): // if not, the link wakes us
			i := asking.turnAfter(int(out.lastFrom))
			q.grants[i].add(o)
			inputs.add(i)
		}
	}
	if inputs.empty() {
		return next
	}
	// Each input accepts one grant, and only then the output's turn passes on.
	for ; !inputs.empty(); inputs = inputs.after(inputs.first()) {
		i := inputs.first()
		o := q.grants[i].turnAfter(int(q.lastTo[i]))
		q.grants[i] = portSet{}
		x.out[o].lastFrom, q.lastTo[i] = uint8(i), uint8(o)
		x.moveTo(now, local, i, o)
	}
	return min(next, x.begins(local+1)) // those that were not matched ask again
}

// ask files the packets that have arrived at inputs that can send, and returns these inputs and when there may be
// another one.
func (x *Crossbar) ask(now sim.Cycle, local uint64) (ready portSet, next sim.Cycle) {
	q := x.queues
	next = sim.Never
	for w, m := range x.full {
		for ; m != 0; m &= m - 1 {
			i := w*64 + bits.TrailingZeros64(m)
			in := &x.in[i]
			if at := in.link.NextReady(); at > now {
				next = min(next, at)
				continue
			}
			if in.free > local {
				next = min(next, in.at)
				continue
			}
			ready.add(i)
			k := q.filed[i]
			for ; k < q.depth; k++ {
				p, ok := in.link.PeekAt(now, k)
				if !ok {
					break
				}
				o := int(x.port(p))
				x.out[o].want.add(i)
				q.wanted.add(o)
			}
			if q.filed[i] = k; k < q.depth {
				next = min(next, in.link.ReadyAt(k))
			}
		}
	}
	return ready, next
}

// moveTo moves the oldest packet of an input for an output.
func (x *Crossbar) moveTo(now sim.Cycle, local uint64, i, o int) {
	in, out, q := &x.in[i], &x.out[o], x.queues
	first := x.filedFor(now, i, o, 0)
	others := x.filedFor(now, i, o, first+1) < q.filed[i]
	in.link.ToFront(first)
	x.move(now, local, in, o)
	q.filed[i]--
	if !others {
		if out.want.remove(i); out.want.empty() {
			q.wanted.remove(o)
		}
	}
}

// filedFor returns which of the filed packets of an input, from number k on, is the first for an output: as many as are
// filed if none is.
func (x *Crossbar) filedFor(now sim.Cycle, i, o int, k uint32) uint32 {
	for ; k < x.queues.filed[i]; k++ {
		if p, _ := x.in[i].link.PeekAt(now, k); int(x.port(p)) == o {
			break
		}
	}
	return k
}
