package execute

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/tape"
)

// A path of a diverged warp spins if it goes round a loop without end unless somebody else writes to memory. It
// certainly does if all that it computes with is as it was some turns ago. A loop that also counts its turns or reads
// a clock never has such a state again; it is taken for one that spins if it has gone round long and reads the same
// values from the same places. Turns are counted, not cycles, so the exact and the timed run follow one rule.
const (
	// firstLook is after how many turns the state of the registers is kept for the first time: most loops are
	// shorter, and the registers of a warp are some kilobytes [ours].
	firstLook = 32
	// longLook is after how many turns the values read decide alone [ours].
	longLook = 4096
	// patience is how many turns a path makes before another one runs if the warp already runs apart, or if the loop
	// has spun before [ours].
	patience = 4
)

// turning counts the turns of the running path.
type turning struct {
	turns      uint32
	spunAt     int32 // after the last branch whose loop has spun, in this warp
	turnDepth  int32 // least height of the stack since it was last zero
	turnActive uint32
}

// look is the state of a warp some turns ago.
type look struct {
	pc         int32
	active     uint32
	depth      int
	words      []uint32
	shapes     []shape
	predicates []uint32
	differs    int // the word that differed last
	// reads are the registers from which the loop's reads take their addresses and into which they write values; only
	// for long loops.
	reads []uint32
}

// spins is called at a branch back, with all lanes of a path that are a part of the warp's. It reports whether the path
// spins, or has had its turn in a warp that runs apart.
func (w *Warp) spins(in *ptx.Instr) bool {
	depth := int32(len(w.stack))
	if w.turns == 0 || depth < w.turnDepth || depth == w.turnDepth && w.active != w.turnActive {
		if w.turns != 0 && w.apart != nil {
			w.apart.quiet = 0 // lanes have left the loop
		}
		w.turns, w.turnDepth, w.turnActive = 1, depth, w.active
		return false
	}
	w.turns++
	if w.runsApart() || w.spunAt == w.PC+1 {
		return w.turns >= patience
	}
	if w.turns < firstLook || !w.recurs(in) {
		return false
	}
	w.spunAt = w.PC + 1
	return true
}

// recurs compares the registers with those kept, which it renews after twice as many turns each time: so every period
// is found in the end (Brent, BIT 1980).
func (w *Warp) recurs(in *ptx.Instr) bool {
	if w.turns&(w.turns-1) == 0 || w.look == nil {
		w.keep(in)
		return false
	}
	k := w.look
	if k.pc != w.PC || k.active != w.active || k.depth != len(w.stack) {
		return false
	}
	words := w.variables()
	if words[k.differs] == k.words[k.differs] && slices.Equal(w.predicateFile(), k.predicates) && w.sameWords(words) {
		return true
	}
	return len(k.reads) > 0 && w.sameReads()
}

// variables returns the lanes of the registers that may change.
func (w *Warp) variables() []uint32 { return w.words()[w.kernel.FirstVariable*ptx.MaxLanes:] }

func (w *Warp) keep(in *ptx.Instr) {
	if w.look == nil {
		w.look = &look{}
	}
	k := w.look
	k.pc, k.active, k.depth, k.differs = w.PC, w.active, len(w.stack), 0
	k.words = append(k.words[:0], w.variables()...)
	k.shapes = append(k.shapes[:0], w.shapeFile[w.kernel.FirstVariable:]...)
	k.predicates = append(k.predicates[:0], w.predicateFile()...)
	k.reads = k.reads[:0]
	if w.turns >= longLook && len(in.Targets) > 0 {
		for _, pc := range w.readsBetween(nil, slices.Min(in.Targets), w.PC, map[int32]bool{}) {
			k.readAt(&w.kernel.Code[pc])
		}
	}
}

func (w *Warp) sameWords(words []uint32) bool {
	k := w.look
	for i, v := range words {
		if v != k.words[i] {
			k.differs = i
			return false
		}
	}
	return slices.Equal(w.shapeFile[w.kernel.FirstVariable:], k.shapes)
}

// sameReads reports whether the loop reads the same values from the same places as before.
func (w *Warp) sameReads() bool {
	k := w.look
	first := w.kernel.FirstVariable
	for _, offset := range k.reads {
		slot := int(offset/ptx.SlotBytes) - first
		if slot < 0 {
			continue
		}
		at := slot * ptx.MaxLanes
		if w.shapeFile[first+slot] != k.shapes[slot] ||
			!slices.Equal(w.variables()[at:at+ptx.MaxLanes], k.words[at:at+ptx.MaxLanes]) {
			return false
		}
	}
	return true
}

// readAt adds the registers of a read.
func (k *look) readAt(in *ptx.Instr) {
	add := func(offset uint32, wide bool) {
		k.reads = append(k.reads, offset)
		if wide {
			k.reads = append(k.reads, offset+ptx.SlotBytes)
		}
	}
	add(in.A, in.Flags&ptx.FlagAddress64 != 0)
	for i := range int(in.Mem.Count) {
		if !in.Mem.Absent[i] {
			add(in.Mem.Regs[i], in.Mem.Wide[i])
		}
	}
}

// readsBetween lists the reads of shared and global memory between two instructions, and in the functions that are
// called there.
func (w *Warp) readsBetween(list []int32, first, last int32, called map[int32]bool) []int32 {
	for pc := first; pc <= last; pc++ {
		in := &w.kernel.Code[pc]
		if in.Call != nil && in.Call.Function >= 0 && !called[in.Call.Function] {
			f := in.Call.Function
			called[f] = true
			end := int32(len(w.kernel.Code))
			if int(f)+1 < len(w.kernel.Functions) {
				end = w.kernel.Functions[f+1].Entry
			}
			list = w.readsBetween(list, w.kernel.Functions[f].Entry, end-1, called)
		}
		if in.ReadsShared() {
			list = append(list, pc)
		}
	}
	return list
}

func (k *look) state(t *tape.Tape) {
	tape.Value(t, &k.pc)
	tape.Value(t, &k.active)
	tape.Value(t, &k.depth)
	tape.Value(t, &k.differs)
	tape.List(t, &k.words)
	tape.List(t, &k.shapes)
	tape.List(t, &k.predicates)
	tape.List(t, &k.reads)
}
