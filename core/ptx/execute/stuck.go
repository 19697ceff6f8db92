package execute

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/tape"
)

// A launch without timing is deterministic: if nothing wrote to memory and all else is as it was some rounds ago,
// it repeats these rounds for ever. A round is a turn of each CTA that is under way. This proves an endless wait long
// before a warp reaches its limit of instructions. A cluster that reads no global memory repeats its own rounds,
// whatever the others do.

const (
	// proofAfter is after how many rounds in which all warps wait the state is kept for the first time: waits of
	// programs that go on are shorter mostly, and the state of a launch may have megabytes [ours].
	proofAfter = 64
	// proofRounds is for how many rounds it is compared. A warp executes 256 instructions in a round, so the state of
	// a loop of so many instructions is the same again in that time [ours].
	proofRounds = 64
	// proofBytes bounds the state; a launch with more is ended by the limit of instructions [ours].
	proofBytes = 64 << 20
)

// proof is the state of a launch some rounds ago.
type proof struct {
	rounds  uint64 // since all warps wait and nothing changes
	ctas    []*heldCTA
	changes uint64
	at      uint64 // round of kept
	kept    *tape.Record
	tape    *tape.Tape
}

// stuck returns a fault if the launch certainly never ends. It is called between rounds.
func (f *Functional) stuck() error {
	p := &f.proof
	ctas := f.stuckCluster()
	alone := len(ctas) > 0
	if !alone && f.allWait() {
		ctas = f.held
	}
	if len(ctas) == 0 || !alone && p.changes != f.r.changes || !slices.Equal(ctas, p.ctas) {
		*p = proof{changes: f.r.changes, tape: p.tape, ctas: append(p.ctas[:0], ctas...)}
		return nil
	}
	p.changes = f.r.changes
	if p.rounds++; p.rounds < proofAfter || p.kept != nil && p.rounds-p.at > proofRounds && !powerOfTwo(p.rounds) {
		return nil
	}
	if p.kept == nil && !powerOfTwo(p.rounds) || !f.provable() {
		return nil
	}
	if p.tape == nil {
		p.tape = tape.NewTape()
	}
	now := p.tape.Save(f.state, p.kept)
	if p.kept != nil && now.Same(p.kept) {
		return f.deadlock()
	}
	if powerOfTwo(p.rounds) {
		p.kept, p.at = now, p.rounds
	}
	return nil
}

func powerOfTwo(n uint64) bool { return n&(n-1) == 0 }

// stuckCluster returns the CTAs of the first cluster whose warps all wait at barriers or ask mbarriers and read no
// global memory; nil if there is none.
func (f *Functional) stuckCluster() []*heldCTA {
	for _, c := range f.held {
		if c.cluster[0] == c && c.asksForever() {
			return c.cluster
		}
	}
	return nil
}

// asksForever reports whether the warps of a cluster wait for nothing but each other, and some in a loop.
func (c *heldCTA) asksForever() (some bool) {
	for _, x := range c.cluster {
		for i, w := range x.warps {
			switch {
			case x.ended[i] || w.AtBarrier():
			case !x.spins(i) || x.reads[i].global:
				return false
			default:
				some = true
			}
		}
	}
	return some
}

// allWait reports whether every warp waits at a barrier or in a long loop that reads few places, and no CTA can begin.
func (f *Functional) allWait() bool {
	if len(f.held) == 0 || f.next < f.r.launch.CTAs() && len(f.held) < f.most() {
		return false
	}
	for _, c := range f.held {
		for i, w := range c.warps {
			if !c.ended[i] && !w.AtBarrier() && !c.spins(i) {
				return false
			}
		}
	}
	return true
}

// provable reports whether the state of the launch is all that decides how it goes on, and small enough.
func (f *Functional) provable() bool {
	k := f.r.launch.Kernel
	warp := k.RegisterSlots*ptx.SlotBytes + k.LocalBytes*ptx.MaxLanes
	cta := f.r.launch.WarpsPerCTA()*warp + f.r.launch.SharedBytes()
	if uint64(len(f.proof.ctas))*uint64(cta) > proofBytes {
		return false
	}
	return !ReadsClock(k)
}

// ReadsClock reports whether a kernel reads a clock, and so may end a wait that changes nothing else.
func ReadsClock(k *ptx.Kernel) bool {
	return slices.ContainsFunc(k.Code, func(in ptx.Instr) bool {
		if in.Family != ptx.FamilyMove || in.Op != ptx.MoveSpecial {
			return false
		}
		switch ptx.SpecialRegister(in.Imm) { // they are another ones in each round
		case ptx.SpecialClock, ptx.SpecialClockHigh, ptx.SpecialClock64, ptx.SpecialGlobalTimer,
			ptx.SpecialGlobalTimerLow, ptx.SpecialGlobalTimerHigh:
			return true
		}
		return false
	})
}

// state lists the state of the CTAs of the proof, except for the counts of instructions.
func (f *Functional) state(t *tape.Tape) {
	for _, c := range f.proof.ctas {
		c.group.State(t)
		tape.Values(t, c.ended)
		for i, w := range c.warps {
			if !c.ended[i] {
				w.State(t, f.r.launch, c.group)
				tape.Values(t, c.local[i])
			}
		}
		t.Section()
	}
}

// deadlock is the fault of the first warp that waits in a loop.
func (f *Functional) deadlock() error {
	for _, c := range f.proof.ctas {
		for i, w := range c.warps {
			if !c.ended[i] && !w.AtBarrier() {
				return w.EndlessFault(f.r.image, f.alive, nil)
			}
		}
	}
	return nil // not all warps can wait at barriers
}

// alive yields the warps of the proof's CTAs that have not ended.
func (f *Functional) alive(yield func(*Warp) bool) {
	for _, c := range f.proof.ctas {
		for w := range c.alive {
			if !yield(w) {
				return
			}
		}
	}
}
