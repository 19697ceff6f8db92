package noc

import (
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

// virtualQueues is what inputs with virtual output queues need beside the ports. They are
// matched with outputs by one round of iSLIP (McKeown, "The iSLIP Scheduling Algorithm for
// Input-Queued Switches", IEEE/ACM Transactions on Networking 7(2), 1999).
type virtualQueues struct {
	lastTo []uint8   // per input: output that took its last packet
	grants []portSet // per input: outputs that would take a packet
}

// stepVirtual is step for inputs with virtual output queues.
func (x *Crossbar) stepVirtual(now sim.Cycle, local uint64) sim.Cycle {
	outputs, next := x.ask(now, local)
	// Each output grants one input: the first one after the input served last.
	var inputs portSet
	for ; !outputs.empty(); outputs = outputs.after(outputs.first()) {
		o := outputs.first()
		out := &x.out[o]
		want := out.want
		out.want = portSet{}
		if !out.link.CanSend(now) {
			continue // the link wakes us
		}
		i := want.turnAfter(int(out.lastFrom))
		x.virtual.grants[i].add(o)
		inputs.add(i)
	}
	if inputs.empty() {
		return next
	}
	// Each input accepts one grant, and only then the output's turn passes on.
	for ; !inputs.empty(); inputs = inputs.after(inputs.first()) {
		i := inputs.first()
		o := x.virtual.grants[i].turnAfter(int(x.virtual.lastTo[i]))
		x.virtual.grants[i] = portSet{}
		in, out := &x.in[i], &x.out[o]
		out.lastFrom, x.virtual.lastTo[i] = uint8(i), uint8(o)
		for k := uint32(0); ; k++ {
			if p, _ := in.link.PeekAt(now, k); int(x.port(p)) == o {
				in.link.ToFront(k)
				x.move(now, local, in, out)
				break
			}
		}
	}
	return sim.Min(next, x.begins(local+1)) // those that were not matched ask again
}

// ask notes for each free output which inputs have a packet for it, and returns these outputs and
// when another packet may ask.
func (x *Crossbar) ask(now sim.Cycle, local uint64) (outputs portSet, next sim.Cycle) {
	next = sim.Never
	for i := range x.in {
		l := x.in[i].link
		if at := l.NextReady(); at > now {
			next = sim.Min(next, at)
			continue
		}
		if free := x.in[i].free; free > local {
			next = sim.Min(next, x.begins(free))
			continue
		}
		var seen portSet
		for k := uint32(0); ; k++ {
			p, ok := l.PeekAt(now, k)
			if !ok {
				next = sim.Min(next, l.ReadyAt(k))
				break
			}
			o := int(x.port(p))
			if seen.has(o) {
				continue
			}
			seen.add(o)
			if free := x.out[o].free; free > local {
				next = sim.Min(next, x.begins(free))
				continue
			}
			x.out[o].want.add(i)
			outputs.add(o)
		}
	}
	return outputs, next
}
