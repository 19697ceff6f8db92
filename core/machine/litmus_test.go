package machine

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/noc"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/tools/golden"
)

// Litmus programs: threads of one instruction or a few, each in a warp of its own, that write and read words which the L1 of
// every SM holds at the start. What the machine answers must be among what the axioms of PTX allow, however the threads are
// delayed.

// litmusHead is how every program begins.
const litmusHead = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 d) {
.shared .align 16 .b8 words[4096];
.shared .align 16 .b8 copied[64];
.reg .u64 %p, %d, %s, %g, %c;
.reg .u32 %t, %i, %n, %warp, %cta, %me, %r<16>;
.reg .pred %z, %one;
ld.param.u64 %p, [p];
ld.param.u64 %d, [d];
mov.u32 %t, %tid.x;
and.b32 %i, %t, 31;
setp.eq.u32 %one, %i, 0;
shr.u32 %warp, %t, 5;
mov.u32 %cta, %ctaid.x;
mov.u64 %s, words;
mov.u64 %c, copied;
`

// placeBytes keeps the words apart: their lines lie in different slices.
const placeBytes = 1024

// ptx writes the program. Thread t is warp t of its CTA; its first lane acts.
func (l *litmus) ptx(e litmusRun) string {
	var b strings.Builder
	b.WriteString(litmusHead)
	if l.shared {
		b.WriteString("@%one st.shared.u32 [%s], 0;\n@%one st.shared.u32 [%s+1024], 0;\n")
	} else {
		b.WriteString("ld.global.u32 %r15, [%p];\nadd.u32 %me, %r15, 0;\n")
		if !e.cold {
			b.WriteString("ld.global.u32 %r15, [%p+1024];\nadd.u32 %me, %r15, 0;\n")
		}
	}
	// The last warp of one CTA fills the way to a slice.
	fmt.Fprintf(&b, `setp.ne.u32 %%z, %%cta, %d;
setp.ne.or.u32 %%z, %%warp, %d, %%z;
@%%z bra ACTS;
mul.wide.u32 %%g, %%i, 8;
add.u64 %%g, %%g, %%d;
ld.global.cg.u64 %%c, [%%g+%d];
bar.sync 0;
ld.global.cg.u32 %%r15, [%%c];
bra END;
ACTS: bar.sync 0;
shl.b32 %%i, %%cta, 5;
shl.b32 %%n, %%warp, 2;
add.u32 %%i, %%i, %%n;
cvt.u64.u32 %%g, %%i;
add.u64 %%d, %%d, %%g;
ld.global.cg.u32 %%n, [%%d];
`, e.cta, l.warps(), busyAt)
	if l.shared {
		b.WriteString("cvta.shared.u64 %g, %s;\n")
	} else {
		b.WriteString("mov.u64 %g, %p;\n")
	}
	b.WriteString("mov.u32 %i, 0;\nDELAY: setp.ge.u32 %z, %i, %n;\n@%z bra GO;\nadd.u32 %i, %i, 1;\nbra DELAY;\nGO:\n")
	reads := 0
	for t := range l.threads {
		fmt.Fprintf(&b, "setp.ne.u32 %%z, %%cta, %d;\nsetp.ne.or.u32 %%z, %%warp, %d, %%z;\n@%%z bra T%d;\n",
			l.cta[t], l.warpOf(t), t+1)
		first := reads
		for i := range l.threads[t] {
			o := &l.threads[t][i]
			o.ptx(&b, reads, l.shared)
			if o.reads() {
				reads++
			}
		}
		for i := first; i < reads; i++ {
			fmt.Fprintf(&b, "@%%one st.global.u32 [%%p+%d], %%r%d;\n", resultsAt+4*i, i)
		}
		fmt.Fprintf(&b, "bra END;\nT%d:\n", t+1)
	}
	b.WriteString("END: ret;\n}\n")
	return b.String()
}

// litmusRun is how a program is run beside its delays.
type litmusRun struct {
	cold bool // the second word is in no cache at the start
	// The CTA that fills its way to the slice of a place, -1 if none does.
	cta, place int
}

// busyAt is where the addresses lie, after the delays, with which 32 lanes fill a slice.
const busyAt = 1024

// resultsAt is where the values that were read lie in the buffer.
const resultsAt = 8 * placeBytes

// warpOf returns the warp of a thread in its CTA.
func (l *litmus) warpOf(t int) (warp int) {
	for _, c := range l.cta[:t] {
		if c == l.cta[t] {
			warp++
		}
	}
	return warp
}

// warps returns the warps of a CTA that act.
func (l *litmus) warps() (n int) {
	for t := range l.threads {
		n = max(n, l.warpOf(t)+1)
	}
	return n
}

// ptx writes one instruction; read is the register of a read.
func (o *litmusOp) ptx(b *strings.Builder, read int, shared bool) {
	space, base := ".global", "%p"
	if shared {
		space, base = ".shared", "%s"
	}
	if o.form == "generic" {
		space, base = "", "%g"
	}
	at := fmt.Sprintf("[%s+%d]", base, placeBytes*o.place)
	order := ""
	if o.strong() && o.kind != "fence" {
		order = "." + o.order + "." + o.scope
		if o.order == "volatile" {
			order = ".volatile"
		}
	}
	switch {
	case o.kind == "bar":
		fmt.Fprintf(b, "bar.sync 0;\n")
	case o.kind == "fence" && o.form == "membar":
		fmt.Fprintf(b, "membar.%s;\n", map[string]string{"cta": "cta", "gpu": "gl", "sys": "sys"}[o.scope])
	case o.kind == "fence":
		fmt.Fprintf(b, "fence.%s.%s;\n", o.order, o.scope)
	case o.kind == "st":
		fmt.Fprintf(b, "@%%one st%s%s.u32 %s, %d;\n", order, space, at, o.value)
	case o.kind == "atom":
		fmt.Fprintf(b, "@%%one atom%s%s.exch.b32 %%r%d, %s, %d;\n", order, space, read, at, o.value)
	case o.form == "async":
		fmt.Fprintf(b, "@%%one cp.async.ca.shared.global [%%c], %s, 4;\ncp.async.wait_all;\nld.shared.u32 %%r%d, [%%c];\n",
			at, read)
	case o.form == "cg":
		fmt.Fprintf(b, "@%%one ld.global.cg.u32 %%r%d, %s;\n", read, at)
	default:
		fmt.Fprintf(b, "@%%one ld%s%s.u32 %%r%d, %s;\n", order, space, read, at)
	}
}

// observed runs the program with many delays and returns what it answered, and how often.
func (l *litmus) observed(t *testing.T, spec *parameter.GPU, delays []int, e litmusRun, outcomes map[string]int) {
	t.Helper()
	text := l.ptx(e)
	module, err := compile.Load("litmus.ptx", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v\n%s", l.name, err, text)
	}
	k, err := compile.Kernel(module, "k", nil)
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	reads, warps := 0, l.warps()
	if e.cta >= 0 {
		warps++
	}
	for i := range l.threads {
		for j := range l.threads[i] {
			if l.threads[i][j].reads() {
				reads++
			}
		}
	}
	for _, first := range delays {
		for _, second := range delays {
			if first > 0 && second > 0 {
				continue // only the difference counts
			}
			image, err := mem.NewImage(mem.DefaultBase, 1<<22)
			if err != nil {
				t.Fatal(err)
			}
			a, err := image.Alloc("buffer", resultsAt+256)
			if err != nil {
				t.Fatal(err)
			}
			d, err := image.Alloc("delays", busyAt+32*8)
			if err != nil {
				t.Fatal(err)
			}
			b, err := image.Alloc("busy", 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if e.cta >= 0 {
				fillBusy(t, spec, image, d.Base+busyAt, a.Base+uint64(placeBytes*e.place), b)
			}
			for i := range l.threads {
				delay := []int{first, second, first + second/2, second}[i%4]
				image.Write(d.Base+uint64(32*l.cta[i]+4*l.warpOf(i)), binary.LittleEndian.AppendUint32(nil, uint32(delay)))
			}
			params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a.Base), d.Base)
			m, err := New(spec, Job{
				Launches: []*ptx.Launch{{
					Kernel: k, Grid: [3]uint32{uint32(slices.Max(l.cta)) + 1, 1, 1},
					Block: [3]uint32{uint32(32 * warps), 1, 1}, Params: params,
				}},
				Image: image, Scheme: codec.NewRaw(32),
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Run(); err != nil {
				t.Fatalf("%s: %v", l.name, err)
			}
			out := make([]byte, 4*reads)
			m.Read(a.Base+resultsAt, out)
			var values []string
			for i := range reads {
				values = append(values, fmt.Sprint(binary.LittleEndian.Uint32(out[4*i:])))
			}
			outcomes[strings.Join(values, " ")]++
		}
	}
}

// fillBusy writes addresses of lines that lie in the slice of a word.
func fillBusy(t *testing.T, spec *parameter.GPU, image *mem.Image, at, word mem.Addr, room *mem.Allocation) {
	amap, err := dram.ParseAddressMap(spec.AddressMap, spec.Slices(), spec.AddressHash)
	if err != nil {
		t.Fatal(err)
	}
	left := 32
	for line := room.Base; left > 0; line += mem.LineBytes {
		if line >= room.End() {
			t.Fatal("there are too few lines for the busy slice")
		}
		if amap.Channel(line) == amap.Channel(word) {
			image.Write(at, binary.LittleEndian.AppendUint64(nil, line))
			at, left = at+8, left-1
		}
	}
}

// sees runs a program with all delays, and again with fewer while one of its words is far away or hard to reach.
func (l *litmus) sees(t *testing.T, spec *parameter.GPU, delays []int) map[string]int {
	t.Helper()
	outcomes := map[string]int{}
	l.observed(t, spec, delays, litmusRun{cta: -1}, outcomes)
	if l.shared {
		return outcomes
	}
	var few []int
	for i := 0; i < len(delays); i += 2 {
		few = append(few, delays[i])
	}
	first, second := l.cta[0], l.cta[1]
	for _, e := range []litmusRun{
		{cold: true, cta: -1}, {cta: first}, {cta: first, place: 1}, {cta: second}, {cta: second, place: 1},
	} {
		l.observed(t, spec, few, e, outcomes)
	}
	return outcomes
}

// Short forms of instructions.
func st(place, value int, order, scope string) litmusOp {
	return litmusOp{kind: "st", order: order, scope: scope, place: place, value: value}
}
func ld(place int, order, scope string) litmusOp {
	return litmusOp{kind: "ld", order: order, scope: scope, place: place}
}
func ldAs(place int, form string) litmusOp {
	return litmusOp{kind: "ld", order: "weak", place: place, form: form}
}
func fence(order, scope string) litmusOp { return litmusOp{kind: "fence", order: order, scope: scope} }

// litmusPrograms lists the shapes with every fence, scope and state space.
func litmusPrograms() (list []*litmus) {
	apart, together := []int{0, 1, 2, 3}, []int{0, 0, 0, 0}
	add := func(name string, shared bool, cta []int, threads ...[]litmusOp) {
		list = append(list, &litmus{name: name, threads: threads, cta: cta[:len(threads)], shared: shared})
	}
	for _, where := range []struct {
		name   string
		cta    []int
		shared bool
	}{{"apart", apart, false}, {"together", together, false}, {"shared", together, true}} {
		n := func(format string, words ...any) string {
			return fmt.Sprintf(format, words...) + ", " + where.name
		}
		for _, scope := range []string{"cta", "gpu", "sys"} {
			// Message passing by release and acquire, of weak and of strong data.
			for _, form := range []string{"", "generic", "async"} {
				if form == "async" && where.shared {
					continue
				}
				add(n("MP rel-acq %s %s", scope, form), where.shared, where.cta,
					[]litmusOp{st(0, 1, "weak", ""), st(1, 1, "release", scope)},
					[]litmusOp{ld(1, "acquire", scope), ldAs(0, form)})
			}
			add(n("MP exchange %s", scope), where.shared, where.cta,
				[]litmusOp{st(0, 1, "weak", ""), {kind: "atom", order: "acq_rel", scope: scope, place: 1, value: 1}},
				[]litmusOp{{kind: "atom", order: "acquire", scope: scope, place: 1, value: 2}, ld(0, "weak", "")})
			membar := litmusOp{kind: "fence", order: "sc", scope: scope, form: "membar"}
			for _, f := range []litmusOp{fence("acq_rel", scope), fence("sc", scope), membar} {
				name := f.order + "." + f.scope + f.form
				add(n("MP %s", name), where.shared, where.cta,
					[]litmusOp{st(0, 1, "weak", ""), f, st(1, 1, "relaxed", scope)},
					[]litmusOp{ld(1, "relaxed", scope), f, ld(0, "weak", "")})
				add(n("SB %s", name), where.shared, where.cta,
					[]litmusOp{st(0, 1, "relaxed", scope), f, ld(1, "relaxed", scope)},
					[]litmusOp{st(1, 1, "relaxed", scope), f, ld(0, "relaxed", scope)})
				add(n("LB %s", name), where.shared, where.cta,
					[]litmusOp{ld(0, "relaxed", scope), f, st(1, 1, "relaxed", scope)},
					[]litmusOp{ld(1, "relaxed", scope), f, st(0, 1, "relaxed", scope)})
				add(n("IRIW %s", name), where.shared, where.cta,
					[]litmusOp{st(0, 1, "relaxed", scope)}, []litmusOp{st(1, 1, "relaxed", scope)},
					[]litmusOp{ld(0, "relaxed", scope), f, ld(1, "relaxed", scope)},
					[]litmusOp{ld(1, "relaxed", scope), f, ld(0, "relaxed", scope)})
			}
			add(n("MP relaxed %s", scope), where.shared, where.cta,
				[]litmusOp{st(0, 1, "relaxed", scope), st(1, 1, "relaxed", scope)},
				[]litmusOp{ld(1, "relaxed", scope), ld(0, "relaxed", scope)})
			add(n("SB relaxed %s", scope), where.shared, where.cta,
				[]litmusOp{st(0, 1, "relaxed", scope), ld(1, "relaxed", scope)},
				[]litmusOp{st(1, 1, "relaxed", scope), ld(0, "relaxed", scope)})
			add(n("LB relaxed %s", scope), where.shared, where.cta,
				[]litmusOp{ld(0, "relaxed", scope), st(1, 1, "relaxed", scope)},
				[]litmusOp{ld(1, "relaxed", scope), st(0, 1, "relaxed", scope)})
			add(n("IRIW acquire %s", scope), where.shared, where.cta,
				[]litmusOp{st(0, 1, "release", scope)}, []litmusOp{st(1, 1, "release", scope)},
				[]litmusOp{ld(0, "acquire", scope), ld(1, "acquire", scope)},
				[]litmusOp{ld(1, "acquire", scope), ld(0, "acquire", scope)})
			add(n("coherence RR %s", scope), where.shared, where.cta,
				[]litmusOp{st(0, 1, "relaxed", scope)},
				[]litmusOp{ld(0, "relaxed", scope), ld(0, "relaxed", scope)})
			add(n("coherence WW %s", scope), where.shared, where.cta,
				[]litmusOp{st(0, 1, "relaxed", scope), st(0, 2, "relaxed", scope)},
				[]litmusOp{ld(0, "relaxed", scope), ld(0, "relaxed", scope)})
			add(n("coherence WR %s", scope), where.shared, where.cta,
				[]litmusOp{st(0, 1, "relaxed", scope), ld(0, "relaxed", scope)},
				[]litmusOp{st(0, 2, "relaxed", scope), ld(0, "relaxed", scope)})
			add(n("coherence RW %s", scope), where.shared, where.cta,
				[]litmusOp{ld(0, "relaxed", scope), st(0, 1, "relaxed", scope)},
				[]litmusOp{ld(0, "relaxed", scope), st(0, 2, "relaxed", scope)})
		}
		add(n("MP weak"), where.shared, where.cta,
			[]litmusOp{st(0, 1, "weak", ""), st(1, 1, "weak", "")}, []litmusOp{ld(1, "weak", ""), ld(0, "weak", "")})
	}
	barrier := litmusOp{kind: "bar", order: "weak"}
	for _, shared := range []bool{false, true} {
		name := map[bool]string{false: "global", true: "shared"}[shared]
		add("barrier: write, then read, "+name, shared, together,
			[]litmusOp{st(0, 1, "weak", ""), barrier}, []litmusOp{barrier, ld(0, "weak", "")})
		add("barrier: read, then write, "+name, shared, together,
			[]litmusOp{ld(0, "weak", ""), barrier}, []litmusOp{barrier, st(0, 1, "weak", "")})
		add("barrier: read past L1, then write, "+name, shared, together,
			[]litmusOp{ld(0, "relaxed", "gpu"), barrier}, []litmusOp{barrier, st(0, 1, "relaxed", "gpu")})
	}
	// An acquire of one warp serves those that a barrier lets go after it.
	add("barrier behind an acquire", false, []int{0, 1, 1},
		[]litmusOp{st(0, 1, "weak", ""), st(1, 1, "release", "gpu")},
		[]litmusOp{ld(1, "acquire", "gpu"), barrier},
		[]litmusOp{barrier, ld(0, "weak", "")})
	return list
}

// litmusGPU is a preset with few SMs and small caches, which are built some thousand times.
func litmusGPU(name string) *parameter.GPU {
	spec := withoutFetches(built(name))
	spec.SMs, spec.Controllers, spec.SM.L1.Sets, spec.L2.Sets = 5, 1, 4, 4
	spec.SM.Warps, spec.SM.L1.MSHRs = 8, 32
	// DRAM is far away and a slice soon full, so that one word can be reached much later than the other.
	spec.Xbar.InputQueues = noc.InputVOQ
	spec.L2.MSHRs, spec.Controller.FixedLatencyCycles = 4, 1500
	return spec
}

// forbidden returns the outcomes that the axioms forbid among those with values that some read may have.
func forbidden(allowed map[string]bool) (list []string) {
	list = []string{""}
	for i := 0; ; i++ {
		values := map[string]bool{}
		for o := range allowed {
			if words := strings.Fields(o); i < len(words) {
				values[words[i]] = true
			}
		}
		if len(values) == 0 {
			break
		}
		var longer []string
		for _, o := range list {
			for _, v := range slices.Sorted(maps.Keys(values)) {
				longer = append(longer, strings.TrimSpace(o+" "+v))
			}
		}
		list = longer
	}
	return slices.DeleteFunc(list, func(o string) bool { return allowed[o] })
}

// TestLitmus: what the machine answers is among what PTX's axioms allow. LITMUS.md has the outcomes.
func TestLitmus(t *testing.T) {
	t.Parallel()
	seen := map[string][]string{}
	all, few := []int{0, 1, 3, 8, 21}, []int{0, 3}
	for name, delays := range map[string][]int{"v100": all, "h200": few} {
		if testing.Short() {
			if delays = few; name != "v100" {
				continue
			}
		}
		spec := litmusGPU(name)
		outcomes := 0
		for _, l := range litmusPrograms() {
			allowed, got := l.allowed(), l.sees(t, spec, delays)
			outcomes += len(got)
			for o, n := range got {
				if !allowed[o] {
					t.Errorf("%s, %s: the reads see %s in %d runs, which the axioms forbid; they allow %q",
						name, l.name, o, n, slices.Sorted(maps.Keys(allowed)))
				}
			}
			seen[name] = append(seen[name], strings.Join(slices.Sorted(maps.Keys(got)), ", "))
			t.Logf("%s, %-40s allowed %q, seen %v", name, l.name, slices.Sorted(maps.Keys(allowed)), got)
		}
		if len(delays) == len(all) && 2*outcomes < 3*len(litmusPrograms()) {
			t.Errorf("%s: %d outcomes in all: the delays do not reach the interleavings", name, outcomes)
		}
	}
	if testing.Short() {
		return // fewer delays, fewer outcomes
	}
	var rows [][]string
	for i, l := range litmusPrograms() {
		allowed := l.allowed()
		rows = append(rows, []string{
			strings.ReplaceAll(l.name, " ,", ","), strings.Join(slices.Sorted(maps.Keys(allowed)), ", "),
			strings.Join(forbidden(allowed), ", "), seen["v100"][i], seen["h200"][i],
		})
	}
	golden.Table(t, "LITMUS.md", "outcomes", []string{"program", "allowed", "forbidden", "v100", "h200"}, rows)
}

// TestLitmusSeesAnOldL1: without what an acquire does to L1, the programs above fail, so they can.
func TestLitmusSeesAnOldL1(t *testing.T) {
	spec := litmusGPU("v100")
	spec.SM.L1.Acquire = cache.AcquireKeep
	for _, l := range litmusPrograms() {
		if l.name != "MP rel-acq gpu , apart" {
			continue
		}
		allowed := l.allowed()
		if allowed["1 0"] {
			t.Errorf("the axioms allow an old value: %v", allowed)
		}
		if got := l.sees(t, spec, []int{0, 16, 64, 128, 256}); got["1 0"] == 0 {
			t.Errorf("an L1 that keeps its lines shows no old value: %v", got)
		}
		return
	}
	t.Error("the program is not there")
}
