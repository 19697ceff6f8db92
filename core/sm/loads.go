package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// LoadMiss is one line of a load that L1 does not hold.
type LoadMiss struct {
	Addr     mem.Addr // line address
	Want     mem.ByteMask
	Launch   int32
	PC       int32
	Slot     uint8  // warp slot
	Bytes    uint8  // size of a lane's value
	Lanes    uint32 // lanes that load from the line
	Offset   [32]uint8
	CanFetch bool // an MSHR is free
	// Wrong are the bytes of an answer that differ from memory. A policy sets it; only
	// counters depend on it.
	Wrong mem.ByteMask
}

// WrongLanes returns the number of lanes whose value has a wrong byte.
func (m *LoadMiss) WrongLanes() uint64 {
	return wrongLanes(m.Wrong, m.Lanes, &m.Offset, int(m.Bytes))
}

func wrongLanes(wrong mem.ByteMask, lanes uint32, offset *[32]uint8, bytes int) (n uint64) {
	if wrong.Empty() {
		return 0
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		var own mem.ByteMask
		own.Set(int(offset[bits.TrailingZeros32(lanes)]), bytes)
		if own.Lo&wrong.Lo|own.Hi&wrong.Hi != 0 {
			n++
		}
	}
	return n
}

// Answer is what a policy does about a load miss.
type Answer uint8

const (
	Fetched  Answer = iota // it is fetched
	Answered               // the load has its values, and nothing is fetched
	Kept                   // the same, and L1 keeps the line
	Trained                // the same as Kept; the line is fetched for LoadPolicy.Fetched only, if LoadMiss.CanFetch
	Waits                  // it waits for an MSHR, and the policy is asked again
)

// LoadPolicy says what a load miss may do instead of fetching. An SM asks its policy
// once about each miss, before it leaves the SM, and again only if it has answered Waits.
type LoadPolicy interface {
	// Miss decides about a load miss. If it does not return Fetched, it has filled line: the
	// load takes its values from there.
	Miss(now sim.Cycle, m *LoadMiss, line *mem.Line) Answer
	// Fetched shows the policy the line that a miss has fetched.
	Fetched(now sim.Cycle, m *LoadMiss, line *mem.Line)
	// State lists the changing state of the policy.
	State(t *tape.Tape)
}

// LoadEnv is what a policy may use of its SM.
type LoadEnv struct {
	SM    int
	Stats *stat.Set
	// Memory reads a line as L2 and DRAM hold it now. Only counters may depend on it.
	Memory func(a mem.Addr, line *mem.Line)
}

// loadsAsked is the policy of an SM, with the current question to it.
type loadsAsked struct {
	policy LoadPolicy // nil: every miss is fetched
	miss   LoadMiss
	line   mem.Line
	// guessed holds, for each entry of L1, the line that a policy put there.
	guessed []guess
	// training holds, for each MSHR, the miss that only trains the policy.
	training []LoadMiss
	asked    bool // about the line at the head of the queue, which could not be taken
}

// guess is a line that was not fetched, with its wrong bytes. No line has address 0.
type guess struct {
	addr  mem.Addr
	wrong mem.ByteMask
}

func newLoadsAsked(p LoadPolicy, l *cache.L1, mshrs int) *loadsAsked {
	a := &loadsAsked{policy: p}
	if p != nil {
		a.guessed, a.training = make([]guess, l.Entries()), make([]LoadMiss, mshrs)
	}
	return a
}

// state lists the changing state of the policy and of what the SM knows about its answers.
func (l *loadsAsked) state(t *tape.Tape) {
	if l.policy == nil {
		return
	}
	l.policy.State(t)
	tape.Values(t, l.guessed)
	tape.Values(t, l.training)
	tape.Value(t, &l.asked)
}

// about describes line k of an op, at addr, to the policy.
func (l *loadsAsked) about(launch int32, o *op, k int, addr mem.Addr, want mem.ByteMask) *LoadMiss {
	l.miss = LoadMiss{
		Addr: addr, Want: want, Launch: launch, PC: o.pc, Slot: o.slot, Bytes: o.bytes, Lanes: o.lanes[k], Offset: o.offset,
	}
	return &l.miss
}
