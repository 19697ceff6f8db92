package execute

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unsafe"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// plain makes every register a row of lanes, so that the next instruction finds
// no shape.
func (w *Warp) plain() {
	for slot := range w.kernel.RegisterSlots {
		offset := uint32(slot) * ptx.SlotBytes
		s := w.shape(offset)
		if s.form() >= formWord {
			w.expand(offset, s)
		}
		s.setForm(formLanes)
	}
}

// lanesOf returns the registers of a warp as if all lanes had been written.
func (w *Warp) lanesOf(into []uint32) []uint32 {
	copy(into, w.words())
	for slot := range w.kernel.RegisterSlots {
		lanes := unsafe.Pointer(&into[slot*ptx.MaxLanes])
		switch s := w.shape(uint32(slot) * ptx.SlotBytes); s.form() {
		case formWord:
			expandRows((*[ptx.MaxLanes]uint32)(lanes), uint32(s.base), uint32(s.column()), uint32(s.row()), w.rowLanes)
		case formLong:
			expandRows((*[ptx.MaxLanes]uint64)(lanes), s.base, uint64(s.column()), uint64(s.row()), w.rowLanes)
		}
	}
	return into[ptx.FirstSlot*ptx.MaxLanes:]
}

// checkAccess compares an access, which may know the spacing of its addresses, with the one
// of a twin that forms every address.
func checkAccess(t *testing.T, where string, a, plain *ptx.Access) {
	t.Helper()
	if plain.FirstOnly || plain.RowLanes != 0 {
		t.Fatalf("%s: the twin's addresses have a spacing: %+v", where, plain)
	}
	if a.Kind != plain.Kind || a.Space != plain.Space || a.Operator != plain.Operator || a.Bytes != plain.Bytes || a.Mask != plain.Mask || a.PC != plain.PC {
		t.Fatalf("%s: access %+v, want %+v", where, a, plain)
	}
	full := *a
	above := uint64(0)
	for i, at := range full.Addresses() {
		if a.Mask>>i&1 != 0 && at != plain.Addr[i] {
			t.Fatalf("%s: lane %d has address %#x, want %#x: %+v", where, i, at, plain.Addr[i], a)
		}
		if a.RowLanes == 0 {
			continue
		}
		if want := a.Addr[0] + uint64(a.Column*int64(i%a.RowLanes)+a.Row*int64(i/a.RowLanes)); at != want {
			t.Fatalf("%s: lane %d has address %#x, its spacing says %#x: %+v", where, i, at, want, a)
		}
		if at > a.Addr[0] {
			above = max(above, at-a.Addr[0])
		}
	}
	if a.RowLanes != 0 && above != a.Above {
		t.Fatalf("%s: the greatest address is %#x above the first, the spacing says %#x: %+v", where, above, a.Above, a)
	}
}

// runTwins runs a launch twice in step, with shapes and without, and compares registers,
// predicates, lanes and faults after each instruction, and memory at the end. With shapes,
// the accesses of every other instruction are performed at once; turn, 0 or 1, says which.
// It returns the fault and how many instructions were done on shapes.
func runTwins(t *testing.T, l *ptx.Launch, image *mem.Image, turn uint64) (fault error, steps int) {
	t.Helper()
	slow := new(mem.Image)
	slow.CopyFrom(image)
	a, b := newRunner(l, image, FunctionalOptions{}), newRunner(l, slow, FunctionalOptions{})
	registers := len(a.warps[0].words())
	lanesA, lanesB := make([]uint32, registers), make([]uint32, registers)
	var formed []ptx.Access // by the step of a and, after it, of b
	step := func(r *runner, i int) (Effect, error) {
		effect := r.warps[i].Execute(&r.env)
		r.env.Clock++
		r.env.GlobalTimerNs++
		switch effect {
		case EffectMemory:
			formed = append(formed, r.env.Access)
			return EffectNone, r.access(i, r.warps[i], &r.env.Access)
		case EffectFault:
			return effect, r.warps[i].Fault()
		}
		return effect, nil
	}
	for n := range l.CTAs() {
		a.start(l.CTAID(n))
		b.start(l.CTAID(n))
		for i, w := range a.warps {
			for k, v := range w.lanesOf(lanesA)[(l.Kernel.FirstVariable-ptx.FirstSlot)*ptx.MaxLanes:] {
				if v != 0 {
					t.Fatalf("warp %d of CTA %d starts with %#x in lane %d of variable slot %d", i, n, v, k%ptx.MaxLanes, k/ptx.MaxLanes)
				}
			}
		}
		for a.group.Live() > 0 {
			for i, w := range a.warps {
				v := b.warps[i]
				for range 200 {
					if a.ended[i] || w.AtBarrier() {
						break
					}
					if steps++; steps > 200_000 {
						t.Fatal("no end")
					}
					pc := w.PC
					v.plain()
					if a.env.image = nil; (a.env.Clock+turn)%2 == 0 {
						a.env.image = image
					}
					formed = formed[:0]
					ea, errA := step(a, i)
					eb, errB := step(b, i)
					where := fmt.Sprintf("CTA %d warp %d after %q", n, i, w.kernel.Text[pc])
					if ea != eb || fmt.Sprint(errA) != fmt.Sprint(errB) {
						t.Fatalf("%s: effect %d (%v), want %d (%v)", where, ea, errA, eb, errB)
					}
					if errA != nil {
						return errA, steps
					}
					if len(formed) == 2 {
						checkAccess(t, where, &formed[0], &formed[1])
					}
					if w.PC != v.PC || w.active != v.active || a.env.Lanes != b.env.Lanes {
						t.Fatalf("%s: at %d with %08x (%d lanes), want %d with %08x (%d lanes)", where, w.PC, w.active, a.env.Lanes, v.PC, v.active, b.env.Lanes)
					}
					x, y := w.lanesOf(lanesA), v.lanesOf(lanesB)
					for k := range x {
						if x[k] != y[k] {
							t.Fatalf("%s: slot %d lane %d is %#x, want %#x", where, k/ptx.MaxLanes+ptx.FirstSlot, k%ptx.MaxLanes, x[k], y[k])
						}
					}
					for k := ptx.FirstPred; k < len(w.predicateFile()); k++ {
						if *w.predicate(uint32(k)) != *v.predicate(uint32(k)) {
							t.Fatalf("%s: predicate %d is %08x, want %08x", where, k, *w.predicate(uint32(k)), *v.predicate(uint32(k)))
						}
					}
					switch ea {
					case EffectBarrier:
						a.group.Arrive(w)
						b.group.Arrive(v)
					case EffectExit:
						a.ended[i] = true
						a.group.WarpExited(w)
						b.group.WarpExited(v)
					}
				}
			}
		}
		if !bytes.Equal(a.group.Shared, b.group.Shared) {
			t.Fatalf("CTA %d: shared memory differs", n)
		}
	}
	for _, m := range image.Allocations() {
		want, got := make([]byte, m.Bytes), make([]byte, m.Bytes)
		image.Read(m.Base, got)
		slow.Read(m.Base, want)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s differs", m.Name)
		}
	}
	return nil, steps
}

// geometries are blocks whose warps are rows of 32, 16, 8 or 1, or none at all.
var geometries = [][3]uint32{{32, 1, 1}, {64, 2, 1}, {16, 16, 1}, {8, 8, 2}, {4, 4, 4}, {1, 64, 1}, {48, 2, 1}, {33, 3, 1}, {5, 7, 3}, {20, 1, 1}, {16, 1, 4}, {96, 1, 1}, {2, 32, 1}}

// randomShapes returns a kernel that mixes what has a shape with what has none.
func randomShapes(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 buffer, .param .u32 n, .param .f32 x) {
.reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %q<8>; .reg .b16 %h<4>; .reg .f32 %f<4>; .reg .f64 %d<2>; .reg .b64 %at; .reg .b32 %i; .reg .b64 %w<4>, %bt; .reg .b32 %l, %ofg;
.reg .b32 %v<6>; .reg .b64 %x<4>; .reg .b32 %k, %off; .reg .f32 %g<2>;
.shared .align 16 .b8 s[8192];
ld.param.u64 %w0, [buffer]; ld.param.u32 %r0, [n]; ld.param.f32 %f0, [x];
mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %laneid; mov.u32 %r5, %tid.z;
mov.u32 %i, 0;
`)
	// Only what keeps shapes writes %v, %x and what addresses are made of: %k, %at.
	even := func() string {
		switch r.Intn(6) {
		case 0:
			return []string{"%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%laneid", "%ntid.x", "%i"}[r.Intn(7)]
		case 1:
			return fmt.Sprint([]int{0, 1, 3, 4, 16, 31, -1, -7, 1<<31 - 1}[r.Intn(9)])
		}
		return fmt.Sprintf("%%v%d", r.Intn(6))
	}
	small := func() int { return []int{0, 1, 2, 3, 4, 16, 31, 32, 40, -1, 0xff, 1 << 16}[r.Intn(12)] }
	word := func() string {
		switch r.Intn(10) {
		case 2:
			return fmt.Sprintf("%%v%d", r.Intn(6))
		case 0:
			return fmt.Sprint([]int{0, 1, 2, 4, 5, 16, 31, 32, 0xff, -1, -4, 1 << 30}[r.Intn(12)])
		case 1:
			return []string{"%tid.x", "%tid.y", "%ntid.x", "%ctaid.x", "%laneid", "%lanemask_lt", "%nctaid.x"}[r.Intn(7)]
		}
		return fmt.Sprintf("%%r%d", r.Intn(10))
	}
	long := func() string {
		if r.Intn(6) == 0 {
			return fmt.Sprint(r.Intn(64))
		}
		return fmt.Sprintf("%%q%d", r.Intn(8))
	}
	label := 0
	guard := func() string {
		switch r.Intn(6) {
		case 0:
			return fmt.Sprintf("@%%p%d ", r.Intn(4))
		case 1:
			return fmt.Sprintf("@!%%p%d ", r.Intn(4))
		}
		return ""
	}
	access := func() {
		outer, plain := b.String(), r.Intn(3) == 0
		b.Reset()
		defer func() {
			text := b.String()
			if plain { // in registers that never have a shape
				text = strings.NewReplacer("%k", "%l", "%at", "%bt", "%w2", "%w3", "%off", "%ofg").Replace(text)
			}
			b.Reset()
			b.WriteString(outer + text)
		}()
		// An address inside the buffer, or now and then outside or misaligned.
		kind := []string{"f32", "u32", "u8", "s16", "u64", "v2.u32", "v4.f32", "v2.u64", "s8"}[r.Intn(9)]
		bytes := map[string]int{"f32": 4, "u32": 4, "u8": 1, "s16": 2, "u64": 8, "v2.u32": 8, "v4.f32": 16, "v2.u64": 16, "s8": 1}[kind]
		scale := bytes * []int{1, 1, 1, 2, 3}[r.Intn(5)]
		if r.Intn(150) == 0 {
			scale++
		}
		index := []string{"%tid.x", "%tid.x", "%tid.y", "%laneid", "%ctaid.x", "%i"}[r.Intn(6)]
		fmt.Fprintf(&b, "mov.u32 %%k, %s;\n", index)
		if r.Intn(2) == 0 {
			fmt.Fprintf(&b, "mad.lo.s32 %%k, %s, %d, %%k;\n", []string{"%tid.y", "%ctaid.x", "%tid.x", "%i"}[r.Intn(4)], []int{1, 16, 33, -1}[r.Intn(4)])
		}
		fmt.Fprintf(&b, "and.b32 %%k, %%k, 127;\n")
		if plain {
			fmt.Fprintf(&b, "xor.b32 %%k, %%k, %d;\n", r.Intn(8))
		}
		space, base := "global", "%at"
		switch r.Intn(5) {
		case 0: // through a generic address
			space = ""
			if r.Intn(2) == 0 {
				b.WriteString("mov.u64 %w1, s; cvta.shared.u64 %w1, %w1;\n")
			} else {
				b.WriteString("mov.u64 %w1, %w0;\n")
			}
			fmt.Fprintf(&b, "mul.wide.s32 %%w2, %%k, %d; add.s64 %%at, %%w1, %%w2;\n", scale)
		case 1: // 32-bit address
			space, base = "shared", "%k"
			fmt.Fprintf(&b, "mul.lo.s32 %%k, %%k, %d; mov.u32 %%off, s; add.s32 %%k, %%k, %%off;\n", scale)
		case 2:
			space = "shared"
			fmt.Fprintf(&b, "mov.u64 %%w1, s; mul.wide.u32 %%w2, %%k, %d; add.s64 %%at, %%w1, %%w2;\n", scale)
		default:
			fmt.Fprintf(&b, "mul.wide.u32 %%w2, %%k, %d; add.s64 %%at, %%w0, %%w2;\n", scale)
		}
		if space != "" {
			space = "." + space
		}
		offset := r.Intn(4) * bytes
		if r.Intn(120) == 0 {
			offset = []int{1 << 17, 12288, 16384 - 64, 8192 - 16, -64, 1 << 33}[r.Intn(6)]
		}
		regs := map[string]string{"f32": "%f1", "u32": fmt.Sprintf("%%r%d", r.Intn(10)), "u8": "%h1", "s16": "%h2", "u64": "%q3", "v2.u32": fmt.Sprintf("{%%r%d,%%r7}", r.Intn(7)), "v4.f32": "{%f0,%f1,%f2,%f3}",
			"v2.u64": "{%q1,%q2}", "s8": "%r5"}[kind]
		if r.Intn(2) == 0 {
			fmt.Fprintf(&b, "%sld%s.%s %s, [%s+%d];\n", guard(), space, kind, regs, base, offset)
		} else {
			if kind == "u32" && r.Intn(2) == 0 {
				regs = fmt.Sprintf("%%v%d", r.Intn(6))
			}
			fmt.Fprintf(&b, "%sst%s.%s [%s+%d], %s;\n", guard(), space, strings.Replace(kind, "s8", "u8", 1), base, offset, regs)
		}
	}
	shape := func() {
		d, x := fmt.Sprintf("%%v%d", r.Intn(6)), fmt.Sprintf("%%x%d", r.Intn(4))
		g := ""
		if r.Intn(12) == 0 {
			g = guard()
		}
		switch r.Intn(18) {
		case 0, 1:
			fmt.Fprintf(&b, "%s%s %s, %s, %s;\n", g, []string{"add.s32", "sub.s32"}[r.Intn(2)], d, even(), even())
		case 2:
			fmt.Fprintf(&b, "%s%s %s, %s;\n", g, []string{"mov.b32", "not.b32", "neg.s32"}[r.Intn(3)], d, even())
		case 3:
			fmt.Fprintf(&b, "%s%s %s, %s, %d;\n", g, []string{"mul.lo.s32", "shl.b32", "shr.u32", "and.b32"}[r.Intn(4)], d, even(), small())
		case 4:
			fmt.Fprintf(&b, "%smad.lo.s32 %s, %d, %s, %s;\n", g, d, small(), even(), even())
		case 5:
			fmt.Fprintf(&b, "%smul.wide.%s %s, %s, %d;\n", g, []string{"u32", "s32"}[r.Intn(2)], x, even(), small())
		case 6:
			fmt.Fprintf(&b, "%smad.wide.%s %s, %d, %s, %%x%d;\n", g, []string{"u32", "s32"}[r.Intn(2)], x, small(), even(), r.Intn(4))
		case 7:
			fmt.Fprintf(&b, "%s%s %s, %%x%d, %%x%d;\n", g, []string{"add.s64", "sub.s64"}[r.Intn(2)], x, r.Intn(4), r.Intn(4))
		case 8:
			fmt.Fprintf(&b, "%s%s %s, %%x%d, %d;\n", g, []string{"mul.lo.s64", "shl.b64", "add.s64"}[r.Intn(3)], x, r.Intn(4), small()&63)
		case 9:
			fmt.Fprintf(&b, "%s%s %s, %%x%d;\n", g, []string{"mov.b64", "not.b64", "neg.s64"}[r.Intn(3)], x, r.Intn(4))
		case 10:
			fmt.Fprintf(&b, "%scvt.%s %s, %s;\n", g, []string{"u64.u32", "s64.s32"}[r.Intn(2)], x, even())
		case 11:
			fmt.Fprintf(&b, "%scvt.u32.u64 %s, %%x%d;\n", g, d, r.Intn(4))
		case 12, 13:
			fmt.Fprintf(&b, "%ssetp.%s.%s %%p%d, %s, %s;\n", g, []string{"lt", "le", "gt", "ge", "eq", "ne"}[r.Intn(6)], []string{"u32", "s32"}[r.Intn(2)], r.Intn(4), even(), even())
		case 14:
			fmt.Fprintf(&b, "%ssetp.%s.%s %%p%d, %%x%d, %%x%d;\n", g, []string{"lt", "eq", "ge"}[r.Intn(3)], []string{"u64", "s64"}[r.Intn(2)], r.Intn(4), r.Intn(4), r.Intn(4))
		case 15:
			fmt.Fprintf(&b, "%sselp.b32 %s, %s, %s, %%p%d; %sselp.b64 %s, %%x%d, %%x%d, %%p%d;\n", g, d, even(), even(), r.Intn(4), g, x, r.Intn(4), r.Intn(4), r.Intn(4))
		case 16: // the same in all lanes, on floats and by functions of a lane
			fmt.Fprintf(&b, "cvt.rn.f32.s32 %%g0, %%i; %sfma.rn.f32 %%g1, %%g0, 0f3fc00000, %%g0; %ssin.approx.f32 %%g0, %%g1;\n", g, g)
		default:
			fmt.Fprintf(&b, "add.s32 %s, %%ctaid.x, %%i; %sshl.b32 %s, %s, %d;\n", d, g, d, d, r.Intn(34))
		}
	}
	line := func() {
		for range 2 {
			shape()
		}
		g := guard()
		d, q := fmt.Sprintf("%%r%d", r.Intn(10)), fmt.Sprintf("%%q%d", r.Intn(8))
		three := []string{"add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32", "min.s32", "max.u32", "shl.b32", "shr.u32", "shr.s32", "mul.hi.u32", "div.u32"}
		switch r.Intn(24) {
		case 0, 1, 2, 3, 4:
			fmt.Fprintf(&b, "%s%s %s, %s, %s;\n", g, three[r.Intn(len(three))], d, word(), word())
		case 5:
			fmt.Fprintf(&b, "%smad.lo.s32 %s, %s, %s, %s;\n", g, d, word(), word(), word())
		case 6:
			fmt.Fprintf(&b, "%s%s %s, %s;\n", g, []string{"mov.b32", "not.b32", "neg.s32", "abs.s32"}[r.Intn(4)], d, word())
		case 7:
			fmt.Fprintf(&b, "%smul.wide.%s %s, %s, %s;\n", g, []string{"u32", "s32"}[r.Intn(2)], q, word(), word())
		case 8:
			fmt.Fprintf(&b, "%smad.wide.%s %s, %s, %s, %s;\n", g, []string{"u32", "s32"}[r.Intn(2)], q, word(), word(), long())
		case 9, 10:
			fmt.Fprintf(&b, "%s%s %s, %s, %s;\n", g, []string{"add.s64", "sub.s64", "mul.lo.s64", "and.b64", "min.u64", "max.s64"}[r.Intn(6)], q, long(), long())
		case 11:
			fmt.Fprintf(&b, "%sshl.b64 %s, %s, %s;\n", g, q, long(), word())
		case 12:
			fmt.Fprintf(&b, "%scvt.%s %s, %s;\n", g, []string{"u64.u32", "s64.s32"}[r.Intn(2)], q, d)
		case 13:
			fmt.Fprintf(&b, "%scvt.u32.%s %s, %s;\n", g, []string{"u64", "s64"}[r.Intn(2)], d, q)
		case 14, 15:
			fmt.Fprintf(&b, "%ssetp.%s.%s %%p%d, %s, %s;\n", g, []string{"lt", "le", "gt", "ge", "eq", "ne"}[r.Intn(6)], []string{"u32", "s32"}[r.Intn(2)], r.Intn(4), word(), word())
		case 16:
			fmt.Fprintf(&b, "%ssetp.%s.s64 %%p%d, %s, %s;\n", g, []string{"lt", "eq", "ge"}[r.Intn(3)], r.Intn(4), long(), long())
		case 17:
			fmt.Fprintf(&b, "%sselp.b32 %s, %s, %s, %%p%d;\n", g, d, word(), word(), r.Intn(4))
		case 18:
			fmt.Fprintf(&b, "%scvt.u16.u32 %%h%d, %s; %sadd.s16 %%h%d, %%h%d, %%h%d; cvt.u32.u16 %s, %%h%d;\n", g, r.Intn(4), d, guard(), r.Intn(4), r.Intn(4), r.Intn(4), d, r.Intn(4))
		case 19:
			fmt.Fprintf(&b, "%sfma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d; cvt.rn.f32.s32 %%f%d, %s; cvt.f64.f32 %%d0, %%f0; add.f64 %%d1, %%d1, %%d0;\n",
				g, r.Intn(4), r.Intn(4), r.Intn(4), r.Intn(4), r.Intn(4), word())
		case 20:
			fmt.Fprintf(&b, "%sshfl.sync.bfly.b32 %s, %s, %d, 31, -1;\n", g, d, fmt.Sprintf("%%r%d", r.Intn(10)), 1<<r.Intn(5))
		case 21:
			fmt.Fprintf(&b, "%sset.lt.u32.s32 %s, %s, %s; mov.b64 %s, {%%r1, %%r2}; lop3.b32 %%r6, %s, %s, %s, 0x96;\n", g, d, word(), word(), q, word(), word(), word())
		case 22:
			fmt.Fprintf(&b, "%ssad.u32 %s, %s, %s, %s; bfe.u32 %%r7, %s, 3, 5;\n", g, d, word(), word(), word(), word())
		default:
			access()
		}
	}
	for range 3 {
		label++
		fmt.Fprintf(&b, "LOOP%d:\n", label)
		for range 8 + r.Intn(10) {
			line()
		}
		access()
		fmt.Fprintf(&b, "@%%p%d bra SKIP%d;\n", r.Intn(4), label)
		for range 4 {
			line()
		}
		access()
		fmt.Fprintf(&b, "SKIP%d:\n", label)
		if r.Intn(3) == 0 {
			b.WriteString("bar.sync 0;\n")
		}
		fmt.Fprintf(&b, "add.s32 %%i, %%i, 1; setp.lt.u32 %%p0, %%i, %d; @%%p0 bra LOOP%d;\n", 2*label, label)
	}
	for i := range 8 { // what is wrong shows in memory too
		fmt.Fprintf(&b, "cvt.u64.u32 %%w1, %%r%d; xor.b64 %%q%d, %%q%d, %%w1;\n", i, i, i)
	}
	b.WriteString("ret; }\n")
	return b.String()
}

// checkShapes runs a random kernel in some geometry.
func checkShapes(t *testing.T, seed int64) (fault error, steps int) {
	r := rand.New(rand.NewSource(seed))
	src := randomShapes(r)
	m, err := compile.Load("shapes", []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	// The buffer crosses a page.
	if _, err := image.Alloc("before", 1<<16-4096); err != nil {
		t.Fatal(err)
	}
	buffer, err := image.Alloc("buffer", 16384)
	if err != nil {
		t.Fatal(err)
	}
	base := buffer.Base
	data := make([]byte, buffer.Bytes)
	r.Read(data)
	image.Write(base, data)
	k := loadKernel(t, m, "k", image)
	params := make([]byte, 16)
	writeBytes(params, 8, base+uint64(64*r.Intn(64)))
	writeBytes(params[8:], 4, uint64(r.Uint32()))
	writeBytes(params[12:], 4, 0x3fc00000)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{2, 1, 1}, Block: geometries[r.Intn(len(geometries))], Params: params}
	defer func() {
		if t.Failed() {
			t.Logf("seed %d, block %v\n%s", seed, l.Block, src)
		}
	}()
	return runTwins(t, l, image, uint64(seed)%2)
}

// TestShapes compares execution on shapes, and accesses at once, with lanes and
// the long way: after each instruction of random kernels.
func TestShapes(t *testing.T) {
	faults, steps := 0, 0
	kernels := 160
	if testing.Short() {
		kernels = 30
	}
	for seed := range kernels {
		err, n := checkShapes(t, int64(seed))
		if err != nil {
			faults++
		}
		steps += n
	}
	t.Logf("%d kernels, %d of them with a fault, %d instructions", kernels, faults, steps)
	if faults == 0 || faults > kernels/2 {
		t.Errorf("%d of %d kernels end with a fault", faults, kernels)
	}
}

func FuzzShapes(f *testing.F) {
	f.Add(int64(1))
	f.Fuzz(func(t *testing.T, seed int64) { checkShapes(t, seed) })
}

// TestShapesOfCompiled does the same with kernels a compiler made: calls,
// recursion, generic addresses, local memory.
func TestShapesOfCompiled(t *testing.T) {
	for _, file := range []string{"compiled_O0.ptx", "compiled_O3.ptx"} {
		for _, k := range compiledKernels {
			t.Run(file+" "+k.name, func(t *testing.T) {
				l, image, _ := loadCompiled(t, file, k.name, k.args)
				if err, _ := runTwins(t, l, image, 0); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
