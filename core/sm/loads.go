package sm

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// LoadMiss is one line of a load that L1 does not hold.
type LoadMiss struct {
	Addr   mem.Addr // line address
	Want   mem.ByteMask
	PC     int32
	Slot   uint8  // warp slot
	Bytes  uint8  // size of a lane's value
	Lanes  uint32 // lanes that load from the line
	Offset [32]uint8
}

// LoadPolicy says what a load miss may do instead of fetching. An SM asks its policy
// before a miss leaves it.
type LoadPolicy interface {
	// Miss decides about a load miss. If it returns answered, it has filled line: the load
	// takes its values from there, and nothing is fetched. L1 keeps the line if keep is
	// true.
	Miss(now sim.Cycle, m *LoadMiss, line *mem.Line) (answered, keep bool)
	// Fetched shows the policy the line that a miss has fetched.
	Fetched(now sim.Cycle, m *LoadMiss, line *mem.Line)
	// State lists the changing state of the policy.
	State(t *tape.Tape)
}

// Fetch is the policy of a machine that predicts nothing: every miss is fetched.
type Fetch struct{}

func (Fetch) Miss(sim.Cycle, *LoadMiss, *mem.Line) (answered, keep bool) { return false, false }
func (Fetch) Fetched(sim.Cycle, *LoadMiss, *mem.Line)                    {}
func (Fetch) State(*tape.Tape)                                           {}

// loadsAsked is the policy of an SM, with the current question to it.
type loadsAsked struct {
	policy LoadPolicy
	active bool // false for Fetch, which need not be asked
	miss   LoadMiss
	line   mem.Line
}

func newLoadsAsked(p LoadPolicy) *loadsAsked {
	_, fetches := p.(Fetch)
	return &loadsAsked{policy: p, active: !fetches}
}

// about describes line k of an op to the policy.
func (l *loadsAsked) about(o *op, k int, want mem.ByteMask) *LoadMiss {
	l.miss = LoadMiss{Addr: o.addr[k], Want: want, PC: o.pc, Slot: o.slot, Bytes: o.bytes, Lanes: o.lanes[k], Offset: o.offset}
	return &l.miss
}
