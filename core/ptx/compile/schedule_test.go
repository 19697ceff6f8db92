package compile

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// ordered is a function whose nodes have been scheduled. Each node's loc.Line is its place as written, from 1 on.
type ordered struct {
	*selector
	*graph
	written []node
}

// scheduledNodes schedules the first function of a text.
func scheduledNodes(t *testing.T, text string, o *Schedule) *ordered {
	t.Helper()
	m, err := Load("x.ptx", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	rep := &syntax.Reporter{}
	s := selectFunction(rep, m, m.Functions[0], m.constLayout(func(string) uint64 { return 1 << 32 }))
	r := &ordered{selector: s, graph: s.flow()}
	for i := range int32(s.nodes.length) {
		s.nodes.at(i).loc.Line = uint32(i + 1)
		r.written = append(r.written, *s.nodes.at(i))
	}
	s.uniformity()
	s.schedule(r.graph, o, true)
	return r
}

// order lists the places as written.
func (r *ordered) order() (list []int) {
	for i := range int32(r.nodes.length) {
		list = append(list, int(r.nodes.at(i).loc.Line)-1)
	}
	return list
}

// slowlyOrdered says whether two instructions of a block must keep their order, from the two alone and what lies
// between them.
func (r *ordered) slowlyOrdered(i, k int) bool {
	a, b := &r.written[i], &r.written[k]
	if isFixed(a) || isFixed(b) || a.Family == ptx.FamilyWarp && b.Family == ptx.FamilyWarp {
		return true
	}
	for _, w := range a.writes {
		if slices.Contains(b.reads, w) || slices.Contains(b.writes, w) {
			return true
		}
	}
	for _, w := range b.writes {
		if slices.Contains(a.reads, w) {
			return true
		}
	}
	if !a.IsMemory || !b.IsMemory {
		return false
	}
	for _, n := range []*node{a, b} {
		m := n.Mem
		if m != nil && (m.Operator == ptx.CacheBypass || m.Kind != ptx.AccessLoad && m.Kind != ptx.AccessStore) {
			return true
		}
	}
	switch {
	case a.IsLoad && b.IsLoad:
		return false
	case a.IsLoad == b.IsLoad || a.Mem == nil || b.Mem == nil:
		return true
	case a.IsLoad && a.Mem.Operator == ptx.CacheReadOnly || b.IsLoad && b.Mem.Operator == ptx.CacheReadOnly:
		return false
	case a.Mem.Space != b.Mem.Space:
		return a.Mem.Space == ptx.SpaceGeneric || b.Mem.Space == ptx.SpaceGeneric
	case !r.module.lanesRunApart() || a.A != b.A || a.Family == ptx.FamilyMatrix || b.Family == ptx.FamilyMatrix:
		return true
	}
	for n := i; n < k; n++ { // the first may change its own address behind its access
		if slices.Contains(r.written[n].writes, a.A) {
			return true
		}
	}
	for x := range int64(a.Mem.Bytes) * int64(a.Mem.Count) {
		for y := range int64(b.Mem.Bytes) * int64(b.Mem.Count) {
			if int64(a.Imm)+x == int64(b.Imm)+y {
				return true
			}
		}
	}
	return false
}

// check compares the order with each pair of instructions: blocks keep what they have, and no pair that must not
// changes its order.
func (r *ordered) check(t *testing.T) (moved int) {
	t.Helper()
	place := make([]int, len(r.written))
	for i, at := range r.order() {
		place[at] = i
	}
	for b := range r.graph.blocks {
		first, last := int(r.graph.blocks[b].first), int(r.graph.blocks[b].last)
		for i := first; i <= last; i++ {
			if place[i] < first || place[i] > last {
				t.Fatalf("instruction %d of block %d to %d went to %d", i, first, last, place[i])
			}
			if place[i] != i {
				moved++
			}
			for k := i + 1; k <= last; k++ {
				if place[i] > place[k] && r.slowlyOrdered(i, k) {
					t.Fatalf("%s (line %d) passed %s (line %d)", r.module.text(r.written[k].Line), r.written[k].Line,
						r.module.text(r.written[i].Line), r.written[i].Line)
				}
			}
		}
	}
	return moved
}

// slowPressure counts, before and behind each instruction, the registers whose present value some way from there reads.
func (r *ordered) slowPressure() (most int) {
	next := func(i int32) (list []int32) {
		n := r.nodes.at(i)
		list = append(list, n.branch...)
		if n.falls() && int(i)+1 < r.nodes.length {
			list = append(list, i+1)
		}
		return list
	}
	isRead := func(v uint32, from []int32) bool {
		seen := map[int32]bool{}
		for len(from) > 0 {
			i := from[len(from)-1]
			from = from[:len(from)-1]
			if seen[i] {
				continue
			}
			seen[i] = true
			n := r.nodes.at(i)
			if slices.Contains(n.reads, v) {
				return true
			}
			if !slices.Contains(n.writes, v) || !r.replaces(n, v) {
				from = append(from, next(i)...)
			}
		}
		return false
	}
	// The register of a write under a guard counts as used in front of it too, in its block, even if nobody reads it.
	kept := func(v uint32, i, last int32) bool {
		for ; i <= last; i++ {
			if n := r.nodes.at(i); slices.Contains(n.writes, v) {
				return !r.replaces(n, v)
			}
		}
		return false
	}
	for i := range int32(r.nodes.length) {
		before, behind := 0, 0
		last := r.graph.blocks[r.blockOf[i]].last
		for v := range uint32(len(r.values.list)) {
			if isRead(v, []int32{i}) || kept(v, i, last) {
				before += r.weight(v)
			}
			if isRead(v, next(i)) || kept(v, i+1, last) || slices.Contains(r.nodes.at(i).writes, v) {
				behind += r.weight(v)
			}
		}
		most = max(most, before, behind)
	}
	return most
}

// blockForms are statements of random blocks: R, F, A and P stand for registers, O for an offset.
const blockForms = `ld.global.u32 R, [A+O];
ld.global.u32 R, [A+O];
ld.shared.v2.u32 {R, R}, [A+O];
ld.global.nc.f32 F, [A+O];
ld.global.f32 F, [A];
ld.u32 R, [A+O];
ld.volatile.global.u32 R, [A+O];
ld.param.u64 A, [x];
st.global.u32 [A+O], R;
st.shared.f32 [A+O], F;
st.local.u32 [A+O], R;
st.u32 [A], R;
atom.global.add.u32 R, [A], R;
red.shared.add.u32 [A], 1;
add.s32 R, R, R;
add.s32 R, R, R;
mad.lo.s32 R, R, R, R;
fma.rn.f32 F, F, F, F;
fma.rn.f32 F, F, F, F;
mul.f32 F, F, F;
mov.b32 R, F;
add.s64 A, A, 4;
mul.wide.u32 A, R, 4;
setp.lt.s32 P, R, R;
add.cc.u32 R, R, R;
addc.u32 R, R, R;
ex2.approx.f32 F, F;
mov.u32 R, %clock;
bar.sync 0;
membar.gl;
shfl.sync.bfly.b32 R, R, 1, 31, -1;
cvt.rn.f32.s32 F, R;
div.rn.f32 F, F, F;`

// randomBlocks writes a kernel of random instructions in at most so many blocks.
func randomBlocks(r *rand.Rand, forms []string, blocks int) string {
	var b strings.Builder
	target := []string{"sm_60", "sm_80"}[r.Intn(2)]
	fmt.Fprintf(&b, ".version 7.0\n.target %s\n.address_size 64\n.entry k(.param .u64 x) {\n", target)
	b.WriteString(".reg .b32 %r<8>; .reg .b64 %a<3>; .reg .f32 %f<8>; .reg .pred %p<3>; .shared .b8 s[256];\n")
	for n := range 1 + r.Intn(blocks) {
		fmt.Fprintf(&b, "L%d:\n", n)
		for range r.Intn(40) {
			text := forms[r.Intn(len(forms))]
			if r.Intn(6) == 0 && !strings.HasPrefix(text, "bar") && !strings.HasPrefix(text, "shfl") {
				b.WriteString([]string{"@P ", "@!P "}[r.Intn(2)])
			}
			b.WriteString(text + "\n")
		}
		fmt.Fprintf(&b, "@P bra L%d;\n", r.Intn(n+1))
	}
	b.WriteString("ret; }\n")
	text := b.String()
	head := strings.Index(text, "L0:")
	var out strings.Builder
	out.WriteString(text[:head])
	v2 := 0
	for i := head; i < len(text); i++ {
		switch c := text[i]; {
		case c == 'R' && text[i-1] == '{':
			v2 = r.Intn(8)
			fmt.Fprintf(&out, "%%r%d", v2)
		case c == 'R' && text[i+1] == '}':
			fmt.Fprintf(&out, "%%r%d", (v2+1)%8)
		case c == 'R':
			fmt.Fprintf(&out, "%%r%d", r.Intn(8))
		case c == 'F':
			fmt.Fprintf(&out, "%%f%d", r.Intn(8))
		case c == 'A':
			fmt.Fprintf(&out, "%%a%d", r.Intn(3))
		case c == 'P':
			fmt.Fprintf(&out, "%%p%d", r.Intn(3))
		case c == 'O':
			fmt.Fprintf(&out, "%d", 4*r.Intn(4))
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// someLatency is different for each class, and long for loads.
func someLatency(in *ptx.Instr) int {
	if in.IsLoad {
		return 200
	}
	return 2 + int(in.Class)%7
}

// TestScheduleKeepsDependences orders random blocks with different budgets of registers. An instruction comes after
// each one that it depends on. An order keeps to its budget, or to the registers of the written order if those are
// more.
func TestScheduleKeepsDependences(t *testing.T) {
	moved, grew := 0, 0
	for seed := range int64(40) {
		forms := strings.Split(blockForms, "\n")
		text := randomBlocks(rand.New(rand.NewSource(seed)), forms, 4)
		written := scheduledNodes(t, text, nil)
		least := written.slowPressure()
		for _, budget := range []int{0, least + 1, 255} {
			r := scheduledNodes(t, text, &Schedule{Latency: someLatency, Registers: budget, AccessInterval: int(seed) % 5})
			moved += r.check(t)
			pressure := r.slowPressure()
			if pressure > max(least, budget) {
				t.Fatalf("seed %d: %d registers with a budget of %d, as written %d\n%s", seed, pressure, budget, least,
					text)
			}
			if pressure > least {
				grew++
			}
			if f, ok := r.allocate(r.graph); !ok || f.pressure != pressure {
				t.Fatalf("seed %d: %d registers, want %d\n%s", seed, f.pressure, pressure, text)
			}
		}
		if f, ok := written.allocate(written.graph); !ok || f.pressure != least {
			t.Fatalf("seed %d: %d registers as written, want %d\n%s", seed, f.pressure, least, text)
		}
	}
	if moved < 200 || grew == 0 {
		t.Errorf("%d instructions have moved, %d orders took more registers: blocks ask too little", moved, grew)
	}
}

const loadsAndSums = "LOAD ld.global.f32 %f2, [%a1+4]; ld.global.f32 %f3, [%a1+8]; " +
	"add.s64 %a2, %a1, 8; add.s64 %a3, %a1, 16;"

// TestSchedule: what rises, and what may not.
func TestSchedule(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"loads rise above the uses of others",
			"LOAD mul.f32 %f2, %f1, %f1; ld.global.f32 %f3, [%a1+4]; mul.f32 %f4, %f3, %f3;", "0 2 1 3"},
		{"with the arithmetic of their addresses",
			"LOAD mul.f32 %f2, %f1, %f1; add.s64 %a2, %a1, 8; ld.global.f32 %f3, [%a2]; mul.f32 %f4, %f3, %f3;",
			"2 0 3 1 4"},
		{"other addresses of one register",
			"LOAD st.global.f32 [%a1], %f1; ld.global.f32 %f3, [%a1+4];", "0 2 1"},
		{"not above a store that may meet it",
			"LOAD st.global.f32 [%a1+2], %f1; ld.global.f32 %f3, [%a1+4];", "0 1 2"},
		{"nor if the register has changed",
			"LOAD st.global.f32 [%a1], %f1; add.s64 %a1, %a1, 4; ld.global.f32 %f3, [%a1+4];", "0 1 2 3"},
		{"above a store to another space",
			"LOAD st.shared.f32 [%a2], %f1; ld.global.f32 %f3, [%a2];", "0 2 1"},
		{"generic addresses may be of any",
			"LOAD st.f32 [%a2], %f1; ld.global.f32 %f3, [%a1+4];", "0 1 2"},
		{"what nobody writes",
			"LOAD st.global.f32 [%a2], %f1; ld.global.nc.f32 %f3, [%a1+4];", "0 2 1"},
		{"not above a fence",
			"LOAD mul.f32 %f2, %f1, %f1; membar.cta; ld.global.f32 %f3, [%a1+4];", "0 1 2 3"},
		{"nor a barrier",
			"LOAD mul.f32 %f2, %f1, %f1; bar.sync 0; ld.global.f32 %f3, [%a1+4];", "0 1 2 3"},
		{"nor an atomic",
			"LOAD atom.global.add.f32 %f2, [%a2], %f1; ld.global.f32 %f3, [%a1+4];", "0 1 2"},
		{"nor a volatile load",
			"LOAD ld.volatile.global.f32 %f2, [%a2]; ld.global.f32 %f3, [%a1+4];", "0 1 2"},
		{"nor a clock",
			"LOAD mul.f32 %f2, %f1, %f1; mov.u32 %r1, %clock; ld.global.f32 %f3, [%a1+4];", "0 1 2 3"},
		{"a guard comes first",
			"LOAD mul.f32 %f2, %f1, %f1; setp.gt.f32 %p1, %f2, %f1; @%p1 ld.global.f32 %f3, [%a1+4];", "0 1 2 3"},
		{"as soon as possible where memory is free", loadsAndSums, "0 1 2 3 4"},
		{"three cycles apart: others fill them", loadsAndSums, "0 3 4 1 2"},
	} {
		interval := 0
		if strings.HasPrefix(c.name, "three cycles apart") {
			interval = 3
		}
		body := strings.ReplaceAll(c.body, "LOAD", "ld.global.f32 %f1, [%a1];")
		text := ".version 7.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %r<4>; .reg .b64 %a<4>;\n" +
			".reg .f32 %f<8>; .reg .pred %p<3>;\n" + body + "\nret; }"
		r := scheduledNodes(t, text, &Schedule{Latency: someLatency, Registers: 255, AccessInterval: interval})
		list := r.order()
		if got := strings.Trim(fmt.Sprint(list[:len(list)-2]), "[]"); got != c.want {
			t.Errorf("%s: %s gives %s, want %s", c.name, body, got, c.want)
		}
	}
}

// TestScheduleKeepsCopiesWhole: the parts of a copy in bulk stay one after the other, whatever could move between them.
func TestScheduleKeepsCopiesWhole(t *testing.T) {
	const after = "ex2.approx.f32 %f2, %f1; ex2.approx.f32 %f3, %f2; ex2.approx.f32 %f4, %f3; ld.global.f32 %f1, [%a1];"
	for _, copy := range []string{
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%a1], 64, [%r2];",
		"cp.async.bulk.global.shared::cta.bulk_group [%a1], [%r1], 64;",
		"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster " +
			"[%r1], [%a1, {%r2, %r3}], [%r2], %h1;",
		"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%a1, {%r2}], [%r1];",
	} {
		text := ".version 8.3\n.target sm_90a\n.address_size 64\n.entry k() { .reg .b16 %h<2>; .reg .b32 %r<4>; " +
			".reg .b64 %a<2>;\n.reg .f32 %f<5>;\n" + after + copy + after + "\nret; }"
		r, copies := scheduledNodes(t, text, &Schedule{Latency: someLatency, Registers: 255}), 0
		r.check(t)
		for i, at := range r.order() {
			n := &r.written[at]
			if n.Vector == nil || n.Vector.Copy == 0 {
				continue
			}
			copies++
			for k := range int(n.Vector.Copy) {
				if r.order()[i+k] != at+k {
					t.Errorf("%s: part %d is in place %d from its first one", copy, k, slices.Index(r.order(), at+k)-i)
				}
			}
		}
		if copies != 1 {
			t.Errorf("%s: %d copies", copy, copies)
		}
	}
}

// slowCycles are the cycles until the last of some instructions, in an order of their written places, from each pair of
// them: results, memory, votes and shuffles make them wait.
func (r *ordered) slowCycles(order []int, interval int) int {
	at, now, free := make([]int, len(r.written)), -1, 0
	for _, i := range order {
		n := &r.written[i]
		now++
		for k := range i {
			m := &r.written[k]
			for _, v := range m.writes {
				replaced := false
				for between := k + 1; between < i; between++ {
					w := &r.written[between]
					replaced = replaced || slices.Contains(w.writes, v) && r.replaces(w, v)
				}
				if !replaced && (slices.Contains(n.reads, v) || slices.Contains(n.writes, v)) {
					now = max(now, at[k]+someLatency(&m.Instr))
				}
			}
		}
		if n.IsMemory {
			now = max(now, free)
			free = now + interval
		}
		at[i] = now
	}
	return now + 1
}

// TestScheduleHelpsHoweverWarpsTakeTurns: an order is taken if it is shorter than the written one by more than the
// other warps of a scheduler are busy with the same instructions, and else the written order stays.
func TestScheduleHelpsHoweverWarpsTakeTurns(t *testing.T) {
	var forms []string
	for form := range strings.SplitSeq(blockForms, "\n") {
		if !strings.HasPrefix(form, "bar") && !strings.HasPrefix(form, "membar") && !strings.Contains(form, "%clock") {
			forms = append(forms, form)
		}
	}
	taken, kept := 0, 0
	for seed := range int64(60) {
		text := randomBlocks(rand.New(rand.NewSource(seed)), forms, 1)
		for _, warps := range []int{0, 1, 2, 5, 30} {
			interval := int(seed) % 5
			order := func(warps int) (*ordered, []int) {
				r := scheduledNodes(t, text, &Schedule{Latency: someLatency, Registers: 255, AccessInterval: interval,
					Warps: warps})
				list := r.order()
				return r, list[:len(list)-2] // without a branch and the end
			}
			r, list := order(warps)
			n, accesses := len(list), 0
			for _, i := range list {
				if r.written[i].IsMemory {
					accesses++
				}
			}
			others := max(0, warps-1) * max(n, accesses*interval)
			written := slices.Sorted(slices.Values(list))
			if slices.Equal(list, written) {
				kept++
				_, list = order(1)
				if r.slowCycles(written, interval)-r.slowCycles(list, interval) > others {
					t.Errorf("seed %d, %d warps: a shorter order was not taken\n%s", seed, warps, text)
				}
				continue
			}
			taken++
			if was, is := r.slowCycles(written, interval), r.slowCycles(list, interval); was-is <= others {
				t.Errorf("seed %d: %d cycles in place of %d, and the others of %d warps take %d\n%s", seed, is, was,
					warps, others, text)
			}
		}
	}
	if taken < 50 || kept < 50 {
		t.Errorf("%d orders taken, %d kept: blocks ask too little", taken, kept)
	}
}
