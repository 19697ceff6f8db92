package rfvp

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
)

// Guess is one predicted line.
type Guess struct {
	Cycle  sim.Cycle
	SM     int
	Load   int // index in Loads.Forms
	Launch int32
	Slot   uint8 // of the warp
	Bytes  uint8 // of a lane's value
	Addr   mem.Addr
	Lanes  uint32
	Offset [32]uint8
	Wrong  mem.ByteMask // bytes that differ from memory
	// Predicted and Held are the line as predicted and as memory holds it.
	Predicted, Held mem.Line
}

// WrongLanes returns the lanes that loaded a wrong byte.
func (g *Guess) WrongLanes() (lanes uint32) {
	for lane := range 32 {
		m := sm.LoadMiss{Lanes: g.Lanes & (1 << lane), Offset: g.Offset, Bytes: g.Bytes, Wrong: g.Wrong}
		if m.WrongLanes() > 0 {
			lanes |= 1 << lane
		}
	}
	return lanes
}

// Replay sees every predicted line of a machine, in the order in which they are predicted, and decides which of
// them get what memory holds instead. Nothing else changes: the request stays dropped, and L1 keeps the line.
type Replay func(g *Guess) (exact bool)

// Watch sets the replay of the policy; the policies of a machine share one.
func (p *Policy) Watch(r Replay) { p.replay = r }

// replayed asks the replay about the line that was just judged.
func (p *Policy) replayed(now sim.Cycle, load int, m *sm.LoadMiss, line *mem.Line) {
	g := Guess{
		Cycle: now, SM: p.env.SM, Load: load, Launch: m.Launch, Slot: m.Slot, Bytes: m.Bytes, Addr: m.Addr,
		Lanes: m.Lanes, Offset: m.Offset, Wrong: m.Wrong, Predicted: *line, Held: p.truth,
	}
	if p.replay(&g) {
		*line, m.Wrong = p.truth, mem.ByteMask{}
	}
}
