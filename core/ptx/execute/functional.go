package execute

import (
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// FunctionalOptions bounds a functional run.
type FunctionalOptions struct {
	// MaxInstructions is how many warp instructions may execute; 0 is no bound.
	MaxInstructions uint64
	// MaxWarpInstructions is how many instructions one warp may execute. It finds an
	// endless loop before MaxInstructions is spent. 0 is no bound.
	MaxWarpInstructions uint64
	// MaxCTAs is how many CTAs may be under way together, because the warps of one wait for another; 0 is 1024 [ours].
	MaxCTAs int
	// Sanitize makes a fault of what PTX leaves undefined and a GPU does in silence. The run is several times as slow and
	// takes about ten times the memory of what it touches.
	Sanitize bool
	// Before are the marks of the launch before, if this one may begin before that one has ended.
	Before *Marks
	// Printed, if it is not nil, takes what the program prints.
	Printed *Printed
}

// FunctionalResult counts what a functional run has executed.
type FunctionalResult struct {
	WarpInstructions, ThreadInstructions uint64
}

// sliceInstructions is how long a warp runs before the next one of its CTA gets
// a turn, so that warps may wait for each other in loops.
const sliceInstructions = 256

// RunFunctional executes a launch on a memory image without any timing: one CTA after the other, warps in turn. Where
// the warps of a CTA wait in a loop for what they read, the CTAs after it run in turn with it.
func RunFunctional(l *ptx.Launch, image *mem.Image, opts FunctionalOptions) (FunctionalResult, error) {
	f, err := NewFunctional(l, image, opts)
	for err == nil {
		var done bool
		if done, err = f.Step(1 << 30); done {
			break
		}
	}
	if f == nil {
		return FunctionalResult{}, err
	}
	return f.Result(), err
}

// Functional is a functional run that can be interrupted.
type Functional struct {
	r    *runner
	next uint64     // CTA to begin next
	held []*heldCTA // that are under way, in the order of their beginning
	free []*heldCTA // for others
	at   int        // the one of held whose turn is next

	proof proof
}

// NewFunctional prepares the run of RunFunctional, to be made in steps.
func NewFunctional(l *ptx.Launch, image *mem.Image, opts FunctionalOptions) (*Functional, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	f := &Functional{r: newRunner(l, image, opts)}
	if opts.Sanitize {
		f.r.checks = &sanitizer{global: shadow{}, before: opts.Before} // sees each access, so none is made without the runner
	} else {
		f.r.env.image = image
	}
	return f, nil
}

// Marks returns what the launch has written to global memory; nil without a sanitizer.
func (f *Functional) Marks() *Marks {
	if f.r.checks == nil {
		return nil
	}
	return &Marks{f.r.checks.global}
}

// Begun returns how many CTAs have begun.
func (f *Functional) Begun() uint64 { return f.next }

// Result returns what has been executed so far.
func (f *Functional) Result() FunctionalResult { return f.r.result }

// Step executes about the given number of warp instructions and reports whether
// the launch has ended.
func (f *Functional) Step(instructions uint64) (done bool, err error) {
	until := f.r.result.WarpInstructions + instructions
	for f.r.result.WarpInstructions < until {
		if f.at >= len(f.held) {
			f.at = 0
			if err := f.stuck(); err != nil {
				return false, err
			}
			f.begin()
		}
		if len(f.held) == 0 {
			return true, nil
		}
		f.r.heldCTA = f.held[f.at]
		more, err := f.r.turn()
		if err != nil {
			return false, err
		}
		if f.at++; !more {
			f.r.group.Leave()
			if !f.r.clusterEnded() {
				continue // nobody may take its memory before the others of its cluster have ended
			}
			f.at--
			f.free = append(f.free, f.held[f.at])
			f.held = append(f.held[:f.at], f.held[f.at+1:]...)
		}
	}
	return len(f.held) == 0 && f.next == f.r.launch.CTAs(), nil
}

// runner runs the warps of a launch without timing.
type runner struct {
	launch *ptx.Launch
	image  *mem.Image
	opts   FunctionalOptions
	result FunctionalResult
	*heldCTA
	env    Env
	offset [ptx.MaxLanes]uint8
	line   mem.Line
	last   mem.Allocation // the allocation of the last access
	// changes counts what may have changed global memory.
	changes uint64
	checks  *sanitizer // nil without one
	yields  bool       // the warp has asked an mbarrier in vain: others must run before the answer is another one
}

func newRunner(l *ptx.Launch, image *mem.Image, opts FunctionalOptions) *runner {
	r := &runner{launch: l, image: image, opts: opts, heldCTA: newHeldCTA(l)}
	r.env.SMCount, r.env.WarpSlots = 1, uint32(l.WarpsPerCTA())
	if opts.Printed != nil {
		r.env.print = r.print
	}
	return r
}

func (r *runner) start(id [3]uint32) {
	r.group.Reset(r.launch, id)
	for i, w := range r.warps {
		w.Reset(r.launch, r.group, i)
		r.ended[i], r.spent[i], r.reads[i] = false, 0, reads{}
		clear(r.local[i])
	}
	if r.checks != nil {
		r.checks.attach(r.heldCTA)
	}
}

// turn lets each warp of the CTA that is not waiting run for a while, and reports
// whether the CTA continues.
func (r *runner) turn() (more bool, err error) {
	if r.group.Live() == 0 {
		return false, nil
	}
	progress := false
	for i, w := range r.warps {
		if r.ended[i] || w.AtBarrier() {
			continue
		}
		progress = true
		if err := r.slice(i, w); err != nil {
			return true, err
		}
	}
	if !progress && !r.clusterRuns() {
		return true, r.deadlock()
	}
	return r.group.Live() > 0, nil
}

// A warp that has executed longInstructions and does not wait has turns of longTurn, if there is a limit for a warp:
// then one warp of an endless loop soon reaches the limit, instead of all warps of the CTA together. The longest warp
// of the shipped programs executes a few thousand instructions, so nothing changes for them [ours].
const (
	longInstructions = 8_000
	longTurn         = 200_000
)

// turnOf returns how many instructions warp i may execute in a turn.
func (r *runner) turnOf(i int) uint64 {
	if r.opts.MaxWarpInstructions > 0 && r.spent[i] >= longInstructions+2*sliceInstructions && !r.spins(i) {
		return longTurn
	}
	return sliceInstructions
}

// slice runs one warp until it has to wait, ends, or has had its turn.
func (r *runner) slice(i int, w *Warp) error {
	r.env.WarpSlot = uint32(i)
	left := r.turnOf(i)
	r.yields = false
	if r.spent[i] >= longInstructions {
		r.reads[i] = reads{}
	}
	// The accesses of a turn that may be a wait are noted, so none is made without this runner.
	direct := r.env.image
	if r.spent[i] >= longInstructions && left == sliceInstructions {
		r.env.image = nil
	} else {
		r.changes++ // nobody looks at its stores
	}
	err := r.instructions(i, w, left)
	r.env.image = direct
	return err
}

// instructions is slice with a number of instructions.
func (r *runner) instructions(i int, w *Warp, left uint64) error {
	for left > 0 {
		n := left
		if most := r.opts.MaxInstructions; most > 0 {
			if r.result.WarpInstructions >= most {
				return fmt.Errorf("ptx: no end after %d warp instructions: %w", most,
					w.newFault(w.PC, "still running here"))
			}
			n = min(n, most-r.result.WarpInstructions)
		}
		if most := r.opts.MaxWarpInstructions; most > 0 {
			if r.spent[i] >= most {
				return w.RunawayFault(w.PC, r.spent[i], r.image, r.alive)
			}
			n = min(n, most-r.spent[i])
		}
		executed, effect, err := r.run(i, w, n)
		r.spent[i] += executed
		left -= executed
		switch {
		case err != nil:
			return err
		case effect == EffectBarrier:
			if r.group.Arrive(w); w.AtBarrier() {
				return nil
			}
		case effect == EffectGroup:
			if w.AtBarrier() {
				return nil
			}
		case effect == EffectExit:
			r.ended[i] = true
			r.group.WarpExited(w)
			return nil
		}
		if r.yields {
			return nil
		}
	}
	return nil
}

// run executes up to n instructions of a warp; a barrier, its end or a fault ends
// the run early.
func (r *runner) run(i int, w *Warp, n uint64) (executed uint64, effect Effect, err error) {
	e := &r.env
	lanes := uint64(0)
	for executed < n && err == nil && !r.yields {
		effect = w.Execute(e)
		executed++
		lanes += uint64(e.Lanes)
		e.Clock++
		e.GlobalTimerNs++
		if effect == EffectNone {
			continue
		}
		if effect == EffectMemory {
			err = r.access(i, w, &e.Access)
			continue
		}
		if effect == EffectTexture {
			r.fetch(w, e.Fetch)
			continue
		}
		if effect == EffectFault {
			w.fault.Explain(r.image, r.image.Read)
			err = w.Fault()
		}
		if effect != EffectFence && effect != EffectGroupWait {
			break
		}
	}
	r.result.WarpInstructions += executed
	r.result.ThreadInstructions += lanes
	return executed, effect, err
}

// barrierName names the barrier at which a warp waits.
func (w *Warp) barrierName() string {
	if w.barrierKind == ptx.BarrierClusterWait {
		return "barrier.cluster.wait"
	}
	return fmt.Sprintf("barrier %d", w.barrier)
}

func (r *runner) deadlock() error {
	text := ""
	var first *Fault
	for i, w := range r.warps {
		if r.ended[i] {
			continue
		}
		f := w.faultOf(w.barrierPC, bits.TrailingZeros32(w.lanes)&31, "")
		where := "at " + w.barrierName()
		switch {
		case w.MovesRegisters() && !w.inGroup:
			where = "at " + w.registersText()
		case w.inGroup:
			f = w.faultOf(w.groups.at, 0, "")
			where = "for its warp group"
		}
		text += fmt.Sprintf(" warp %d waits %s, line %d;", i, where, f.Line)
		if first == nil {
			first = f
		}
	}
	first.Message = "deadlock: no warp of the CTA can go on:" + text[:len(text)-1]
	return first
}

// access performs a memory access at once.
func (r *runner) access(warp int, w *Warp, a *ptx.Access) error {
	if r.checks != nil {
		if f := r.checks.access(w, a); f != nil {
			return f
		}
	}
	switch {
	case a.Space == ptx.SpaceShared:
		if !w.AccessShared(a) {
			return w.Fault()
		}
		if code := w.kernel.Code[a.PC].Atomic.Code; r.spent[warp] >= longInstructions &&
			(code == ptx.MbarrierTest || code == ptx.MbarrierTestParity) {
			r.yields = !r.reads[warp].test(w, a)
		}
		return nil
	case a.Kind >= ptx.AccessPrefetch:
		if f := Hinted(w, a, r.image); f != nil {
			return f
		}
		return nil
	case a.Space == ptx.SpaceLocal:
		r.accessLocal(r.local[warp], w, a)
		return nil
	}
	if f := r.bounds(w, a); f != nil {
		return f
	}
	if r.spent[warp] >= longInstructions && (a.Kind == ptx.AccessLoad || a.Kind == ptx.AccessAtomic) {
		r.reads[warp].add(a)
		r.reads[warp].global = true
	}
	if a.Kind == ptx.AccessAtomic || a.Kind == ptx.AccessReduction {
		r.atomics(w, a)
		return nil
	}
	if a.Kind == ptx.AccessStore {
		r.changes++
	}
	if a.Mask == ptx.FullMask && a.Bytes == 4 && a.Addr[0]&lineMask == 0 && a.Consecutive() {
		r.wholeLine(w, a)
		return nil
	}
	addr := a.Addresses()
	for left := a.Mask; left != 0; {
		at := mem.LineAddr(addr[bits.TrailingZeros32(left)&31])
		lanes := uint32(0)
		for m := left; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if mem.LineAddr(addr[i]) == at {
				lanes |= 1 << i
				r.offset[i] = uint8(addr[i] & lineMask)
			}
		}
		left &^= lanes
		r.image.ReadLine(at, &r.line)
		if a.Kind == ptx.AccessLoad {
			w.LoadLine(a.PC, lanes, &r.offset, &r.line)
			continue
		}
		var mask mem.ByteMask
		w.StoreLine(a, lanes, &r.line, &mask)
		r.image.WriteLine(at, &r.line)
	}
	return nil
}

// wholeLine performs the commonest access: 32 words that fill a line.
func (r *runner) wholeLine(w *Warp, a *ptx.Access) {
	if a.Kind == ptx.AccessLoad {
		r.image.ReadLine(a.Addr[0], &r.line)
		w.LoadLine(a.PC, ptx.FullMask, &linear, &r.line)
		return
	}
	var mask mem.ByteMask
	w.StoreLine(a, ptx.FullMask, &r.line, &mask)
	r.image.WriteLine(a.Addr[0], &r.line)
}

// fetch reads the texels of a texture instruction at once.
func (r *runner) fetch(w *Warp, f *Fetch) {
	for k := range f.Lanes {
		for m := f.Lanes[k]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			r.image.Read(f.Addr[k][i], f.Texel[i][k][:f.Bytes])
		}
	}
	w.BindFetch(f)
}

// bounds checks all lanes of a global access.
func (r *runner) bounds(w *Warp, a *ptx.Access) error {
	if w.work != nil {
		if f := w.OutOfTensor(a, r.image); f != nil {
			return f
		}
	}
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if at := addr[i]; at >= r.last.Base && at-r.last.Base+uint64(a.Bytes) <= r.last.Bytes {
			continue
		}
		if f := OutOfBounds(w, a, i, r.image); f != nil {
			return f
		}
		r.last = r.image.Allocations()[r.image.Find(addr[i])]
	}
	return nil
}

func (r *runner) atomics(w *Warp, a *ptx.Access) {
	op := w.kernel.Code[a.PC].Atomic
	var buffer [8]byte
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b, c := w.AtomicOperands(a, i)
		r.image.Read(addr[i], buffer[:op.Bytes])
		old := readBytes(buffer[:], op.Bytes)
		value := arith.ApplyGlobalAtomic(op, old, b, c)
		if value != old {
			r.changes++
		}
		writeBytes(buffer[:], op.Bytes, value)
		r.image.Write(addr[i], buffer[:op.Bytes])
		w.BindAtomic(a.PC, i, old)
	}
}

// accessLocal keeps the local memory of a warp lane by lane.
func (r *runner) accessLocal(local []byte, w *Warp, a *ptx.Access) {
	size := uint64(w.kernel.LocalBytes)
	addr := a.Addresses()
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		at := local[uint64(i)*size+addr[i]:]
		if a.Kind == ptx.AccessLoad {
			r.offset[i] = 0
			copy(r.line[:a.Bytes], at)
			w.LoadLine(a.PC, 1<<i, &r.offset, &r.line)
			continue
		}
		var mask mem.ByteMask
		w.StorePiece(a, 1<<i, 0, int(a.Bytes), &[ptx.MaxLanes]uint8{}, &r.line, &mask)
		copy(at, r.line[:a.Bytes])
	}
}

// OutOfBounds returns a fault if a lane's global access is not inside one
// allocation, and names the nearest.
func OutOfBounds(w *Warp, a *ptx.Access, lane int, image *mem.Image) *Fault {
	at, n := a.Addresses()[lane], uint64(a.Bytes)
	if in := &w.kernel.Code[a.PC]; in.Mem.Sized {
		n = min(n, uint64(w.u32(in.B)[lane]))
	}
	if k := image.Find(at); k >= 0 && image.Allocations()[k].End()-at >= n {
		return nil
	}
	verb := [...]string{ptx.AccessLoad: "load", ptx.AccessStore: "store", ptx.AccessAtomic: "atomic", ptx.AccessReduction: "reduction", ptx.AccessDiscard: "discard"}
	text := fmt.Sprintf("%s of %d bytes at %#x is outside of every allocation", verb[a.Kind], n, at)
	var nearest *mem.Allocation
	best := ^uint64(0)
	list := image.Allocations()
	for i := range list {
		d := list[i].Base - at // distance to its start, if it lies above
		if at >= list[i].Base {
			d = 0
			if at+n > list[i].End() {
				d = at + n - list[i].End()
			}
		}
		if d < best {
			best, nearest = d, &list[i]
		}
	}
	switch {
	case nearest == nil:
		text += "; nothing is allocated"
	case at < nearest.Base:
		text += fmt.Sprintf("; the nearest is %q, %d bytes above", nearest.Name, nearest.Base-at)
	default:
		text += fmt.Sprintf("; the nearest is %q (%d bytes), and this is at offset %d", nearest.Name, nearest.Bytes, at-nearest.Base)
	}
	return w.faultOf(a.PC, lane, text)
}
