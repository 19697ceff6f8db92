package sm

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// port is the way from an SM into the request crossbar.
type port struct {
	out       *sim.Link[mem.Packet]
	sm        uint16
	sliceOf   func(mem.Addr) int
	flitBytes int
	misses    missQueue
	// translator translates the addresses of all but the instruction and the constant cache; nil if that takes no time.
	translator *translator
}

// canSend reports whether n packets, one or two, can be sent now. If not, the SM is woken when it may be different.
func (p *port) canSend(now sim.Cycle, n int) bool {
	if p.translator != nil && !p.translator.room(n) {
		return false // a translation wakes the SM
	}
	if n == 1 {
		return p.out.CanSend(now)
	}
	return p.out.CanSendTwo(now)
}

// missQueue holds the requests of the instruction and the constant cache that
// have not left the SM.
type missQueue struct {
	n      int
	packet [maxMisses * 2]mem.Packet
}

// Tags of requests that are not the L1's: the kind in the upper bits, the MSHR in
// the lower.
const (
	tagInstruction = 1 << 30
	tagConstant    = 1 << 31
	tagTexture     = tagInstruction | tagConstant
	tagKinds       = tagTexture
)

// send gives a packet to the crossbar after the cycles it passes L1. It does not
// overtake one that is still there.
func (p *port) send(now sim.Cycle, packet mem.Packet, payloadBytes, passCycles int) {
	p.address(&packet, payloadBytes)
	if p.translator != nil {
		p.translator.take(now, &packet, passCycles)
		return
	}
	p.out.SendAfter(now, sim.Cycle(passCycles), packet)
}

// address fills in where a packet comes from and where it goes.
func (p *port) address(packet *mem.Packet, payloadBytes int) {
	packet.SM = p.sm
	packet.Slice = uint16(p.sliceOf(packet.Addr))
	packet.Flits = mem.Flits(payloadBytes, p.flitBytes)
}

// ask sends a request of the instruction cache or the constant cache, now or when the
// crossbar has room.
func (p *port) ask(now sim.Cycle, tag uint32, a mem.Addr, bytes int) {
	var want mem.ByteMask
	want.Set(mem.LineOffset(a), bytes)
	q := &p.misses
	q.packet[q.n] = mem.Packet{Kind: mem.PacketLoad, Addr: mem.LineAddr(a), Mask: want, Tag: tag}
	q.n++
	p.sendMisses(now)
}

// sendMisses sends waiting requests as long as the crossbar has room.
func (p *port) sendMisses(now sim.Cycle) {
	q := &p.misses
	for q.n > 0 && p.out.CanSend(now) {
		p.address(&q.packet[0], 0)
		p.out.Send(now, q.packet[0])
		copy(q.packet[:], q.packet[1:q.n])
		q.n--
	}
}

func (p *port) state(t *tape.Tape) {
	tape.Value(t, &p.misses)
	if p.translator != nil {
		p.translator.state(t)
	}
}
