package sm

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// translator holds the packets of an SM between L1 and the crossbar until their pages are translated. Packets of one
// page keep their order, so a load does not overtake a store to its line; packets of other pages pass. The requests of
// the instruction and the constant cache are not translated [ours]: their TLBs are others on a GPU (Zhang et al.,
// TunneLs for Bootlegging, CCS 2023), and a program has few such pages.
type translator struct {
	config  *cache.TLBConfig
	tlb     *cache.TLB
	asks    *sim.Link[mem.Addr]
	answers *sim.Link[mem.Addr]
	out     *sim.Link[mem.Packet]
	placed  func(mem.Addr) bool // see Env.Placed
	stats   *stat.Set
	held    []heldPacket // in the order in which they came
	translatorState
}

// mostHeld is how many packets wait for translations in an SM [ours]: as many as the crossbar's port holds.
const mostHeld = 64

type translatorState struct {
	ready int // of the packets held: with a translation
}

type heldPacket struct {
	packet mem.Packet
	page   mem.Addr
	since  sim.Cycle
	leaves sim.Cycle // L1, no sooner
	// arithmetic begins when the page is known, since the entry of the TLB says where the page is placed.
	arithmetic sim.Cycle
	state      heldState
}

type heldState uint8

const (
	heldUnasked heldState = iota // the TLB had no room to ask for its page
	heldAsked
	heldReady
)

func newTranslator(e *Env, s *stat.Set) *translator {
	if !e.TLB.On {
		return nil
	}
	return &translator{config: e.TLB, tlb: cache.NewTLB(&e.TLB.L1), placed: e.Placed, stats: s,
		held: make([]heldPacket, 0, mostHeld)}
}

// room reports whether n more packets can wait.
func (t *translator) room(n int) bool { return len(t.held)+n <= mostHeld }

// take looks up the page of a packet that has passed L1 in passCycles. It gives the packet to the crossbar, or keeps
// it.
func (t *translator) take(now sim.Cycle, packet *mem.Packet, passCycles int) {
	pass, arithmetic := sim.Cycle(passCycles), sim.Cycle(0)
	if t.config.ArithmeticCycles > 0 && t.placed != nil && t.placed(packet.Addr) {
		arithmetic = sim.Cycle(t.config.ArithmeticCycles)
		t.stats[stat.TLBArithmeticCycles] += uint64(arithmetic)
	}
	page := t.tlb.Page(packet.Addr)
	outcome, state := t.look(now, page)
	t.stats[stat.TLBAccesses]++
	t.stats[cache.TLBCounters[outcome]]++
	if outcome == cache.Hit && t.ready == 0 {
		*t.out.Put(now, pass+arithmetic) = *packet
		return
	}
	if state == heldReady {
		t.ready++
	}
	t.held = append(t.held, heldPacket{packet: *packet, page: page, since: now, leaves: now + pass,
		arithmetic: arithmetic, state: state})
}

// look finds out how a page is, and asks for one that is not on order. A hit after packets of its page that have
// not left yet waits for them.
func (t *translator) look(now sim.Cycle, page mem.Addr) (cache.Outcome, heldState) {
	for i := range t.held {
		if h := &t.held[i]; h.page == page && h.state != heldReady {
			return cache.Merged, h.state
		}
	}
	if t.tlb.Hit(page) {
		return cache.Hit, heldReady
	}
	return cache.Miss, t.ask(now, page)
}

func (t *translator) ask(now sim.Cycle, page mem.Addr) heldState {
	if !t.tlb.Ask(page) {
		return heldUnasked
	}
	*t.asks.Put(now, 0) = page // it has room for all pages on order
	return heldAsked
}

// step takes translations and lets one packet leave. It answers when it can next do something by itself.
func (t *translator) step(now sim.Cycle) sim.Cycle {
	for page, ok := t.answers.Recv(now); ok; page, ok = t.answers.Recv(now) {
		t.tlb.Fill(page)
		t.mark(page, heldAsked, heldReady)
		t.askNext(now)
	}
	next := t.answers.NextReady()
	if t.ready > 0 && t.out.CanSend(now) {
		t.leave(now)
		if t.ready > 0 {
			next = now + 1
		}
	}
	return next
}

// mark changes the state of the packets of a page.
func (t *translator) mark(page mem.Addr, from, to heldState) {
	for i := range t.held {
		if h := &t.held[i]; h.page == page && h.state == from {
			h.state = to
			if to == heldReady {
				t.ready++
			}
		}
	}
}

// askNext asks for the page that has waited longest for room.
func (t *translator) askNext(now sim.Cycle) {
	for i := range t.held {
		h := &t.held[i]
		if h.state != heldUnasked {
			continue
		}
		if t.ask(now, h.page) == heldAsked {
			t.mark(h.page, heldUnasked, heldAsked)
		}
		return
	}
}

// leave gives the oldest translated packet to the crossbar.
func (t *translator) leave(now sim.Cycle) {
	i := 0
	for t.held[i].state != heldReady {
		i++
	}
	h := &t.held[i]
	t.stats[stat.TLBWaitCycles] += uint64(now - h.since)
	*t.out.Put(now, max(h.leaves, now)-now+h.arithmetic) = h.packet
	t.held = append(t.held[:i], t.held[i+1:]...)
	t.ready--
}

func (t *translator) state(p *tape.Tape) {
	t.tlb.State(p)
	tape.Value(p, &t.translatorState)
	tape.List(p, &t.held)
}
