package policy

import "github.com/burstscope/burstscope/core/tape"

// follower keeps the lines of each launch under the mode that a plan gives it.
type follower struct{ plan *Plan }

func planned(p Params) Policy { return follower{p.Plan} }

func (f follower) Mode(int) Mode    { return f.plan.Of(f.plan.Launch) }
func (follower) Hit(Hit)            {}
func (follower) Miss(int, bool)     {}
func (follower) End(*Phase) Grounds { return Grounds{} }
func (follower) State(t *tape.Tape) {}
