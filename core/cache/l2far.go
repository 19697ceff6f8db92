package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// An L2 of two parts (A100, H100): each part is next to half of the SMs and of the memory channels. What an SM wants of
// the other part's memory comes over a bridge, and the SM's own part keeps it:
//
//	SM ---- near part ==== bridge ==== far part ---- memory
//	          copy    <---------------   line
//
// A slice here is one of the part that its memory is next to, and knows when the copy has arrived. Until then every
// reply to a far SM takes FarCycles longer or, if the copy is under way, comes with it; afterwards the SM's own part
// answers a read. A store, an atomic or new bytes end the copy. Copies take no room here.
//
// Why not a slice for each part: both would answer for one line, and every line would need an owner.

// away is what a slice of an L2 of two parts knows of the other part.
type away struct {
	far    func(sm uint16) bool
	copied []sim.Cycle // by way: when the other part has a copy, 0 without one
	late   []lateReply // by time; those of a time in their order
	gone   int         // of late, have been sent
}

type lateReply struct {
	at    sim.Cycle
	reply mem.Packet
}

// reply sends a reply to a request for the line of a way, -1 if it is not here, or lets it wait for the bridge.
func (l *L2) reply(now sim.Cycle, reply *mem.Packet, w int) {
	a, at := &l.away, sim.Cycle(0)
	if l.config.FarCycles > 0 && a.far(reply.SM) {
		if w >= 0 {
			at = a.copied[w]
		}
		if at == 0 {
			at = now + sim.Cycle(l.config.FarCycles)
			if reply.Kind == mem.PacketData {
				a.copied[w] = at
			}
		}
	}
	if at <= now {
		*l.out.Put(now, 0) = *reply
		return
	}
	a.late = append(a.late, lateReply{})
	i := len(a.late) - 1
	for ; i > a.gone && a.late[i-1].at > at; i-- {
		a.late[i] = a.late[i-1]
	}
	a.late[i] = lateReply{at, *reply}
}

// endCopy ends the copy of a way's line, whose bytes change.
func (l *L2) endCopy(w int) {
	if l.config.FarCycles > 0 {
		l.away.copied[w] = 0
	}
}

// sendLate sends a reply that has crossed the bridge, if there is one.
func (l *L2) sendLate(now sim.Cycle) {
	a := &l.away
	if a.late[a.gone].at > now || !l.out.CanSend(now) {
		return
	}
	*l.out.Put(now, 0) = a.late[a.gone].reply
	if a.gone++; 2*a.gone >= len(a.late) {
		a.tidy()
	}
}

// tidy forgets the replies that have been sent.
func (a *away) tidy() {
	a.late = append(a.late[:0], a.late[a.gone:]...)
	a.gone = 0
}

// next is when the next reply has crossed the bridge, Never if none is on its way.
func (a *away) next() sim.Cycle {
	if len(a.late) == 0 {
		return sim.Never
	}
	return a.late[a.gone].at
}

func (a *away) state(t *tape.Tape) {
	a.tidy()
	tape.Values(t, a.copied)
	tape.List(t, &a.late)
}
