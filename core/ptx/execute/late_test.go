package execute

import (
	"bytes"
	"math/bits"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// late is a load whose data are on the way: what it will bind, and where.
type late struct {
	in     *ptx.Instr
	pc     int32
	lanes  uint32
	values [ptx.MaxLanes][16]byte
	atomic bool
}

// lateRunner executes like RunFunctional, but binds the results of loads and
// atomics as late as the score ids allow: just before an instruction names one
// of their registers. If an id were missing in Deps, or two registers shared a
// slot without sharing an id, some result would be wrong.
type lateRunner struct {
	*runner
	waiting [][]*late // of each warp
}

func (r *lateRunner) bind(w *Warp, l *late) {
	var line mem.Line
	var offset [ptx.MaxLanes]uint8
	for m := l.lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if l.atomic {
			w.BindAtomic(l.pc, i, readBytes(l.values[i][:], l.in.Mem.Bytes))
			continue
		}
		copy(line[:], l.values[i][:])
		w.LoadLine(l.pc, 1<<i, &offset, &line)
	}
}

func overlap(a, b []uint16) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// step executes one instruction of warp i.
func (r *lateRunner) step(t *testing.T, i int) Effect {
	w := r.warps[i]
	in := w.Next()
	rest := r.waiting[i][:0]
	for _, l := range r.waiting[i] {
		// The lanes of one generic access are one instruction.
		if l.in != in && overlap(l.in.Writes, in.Deps) || l.in == in && w.pending == 0 && overlap(l.in.Writes, in.Deps) {
			r.bind(w, l)
		} else {
			rest = append(rest, l)
		}
	}
	r.waiting[i] = rest
	effect := w.Execute(&r.env)
	if effect != EffectMemory {
		return effect
	}
	a := &r.env.Access
	if a.Space == ptx.SpaceShared && a.Kind != ptx.AccessLoad || a.Kind == ptx.AccessStore || a.Kind == ptx.AccessReduction {
		if err := r.access(i, w, a); err != nil {
			t.Fatal(err)
		}
		return effect
	}
	addr := a.Addresses()
	l := &late{in: in, pc: a.PC, lanes: a.Mask, atomic: a.Kind == ptx.AccessAtomic}
	for m := a.Mask; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(m)
		v := l.values[k][:a.Bytes]
		switch {
		case l.atomic:
			r.image.Read(addr[k], v)
			b, c := w.AtomicOperands(a, k)
			var buffer [8]byte
			writeBytes(buffer[:], in.Mem.Bytes, arith.ApplyAtomic(in.Atomic, readBytes(v[:cap(v)], in.Mem.Bytes), b, c))
			r.image.Write(addr[k], buffer[:a.Bytes])
		case a.Space == ptx.SpaceShared:
			copy(v, w.CTA.Shared[addr[k]:])
		case a.Space == ptx.SpaceLocal:
			copy(v, r.local[i][k*w.kernel.LocalBytes+int(addr[k]):])
		default:
			r.image.Read(addr[k], v)
		}
	}
	r.waiting[i] = append(r.waiting[i], l)
	return effect
}

func (r *lateRunner) run(t *testing.T) {
	for n := range uint64(r.launch.CTAs()) {
		r.group.Reset(r.launch, r.launch.CTAID(n))
		r.waiting = make([][]*late, len(r.warps))
		for i, w := range r.warps {
			w.Reset(r.launch, r.group, i)
			r.ended[i] = false
			clear(r.local[i])
		}
		for r.group.Live() > 0 {
			for i, w := range r.warps {
				for !r.ended[i] && !w.AtBarrier() {
					switch r.step(t, i) {
					case EffectBarrier:
						r.group.Arrive(w)
					case EffectExit:
						r.ended[i] = true
						r.group.WarpExited(w)
					case EffectFault:
						t.Fatal(w.Fault())
					}
				}
			}
		}
	}
}

// TestLateBinding compares late binding with binding at once.
func TestLateBinding(t *testing.T) {
	check := func(name string, l *ptx.Launch, image *mem.Image) {
		twin, _ := mem.NewImage(mem.DefaultBase, 1<<30)
		twin.CopyFrom(image)
		if _, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e7}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := &lateRunner{runner: newRunner(l, twin, FunctionalOptions{})}
		r.run(t)
		for _, a := range image.Allocations() {
			want, got := make([]byte, a.Bytes), make([]byte, a.Bytes)
			image.Read(a.Base, want)
			twin.Read(a.Base, got)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs", name, a.Name)
			}
		}
	}
	for _, file := range []string{"compiled_O0.ptx", "compiled_O3.ptx"} {
		for _, k := range compiledKernels {
			l, image, _ := loadCompiled(t, file, k.name, k.args)
			check(file+" "+k.name, l, image)
		}
	}
}
