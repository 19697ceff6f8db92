package latte

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// calm is a meter of an SM whose warps hide nothing.
type calm struct{}

func (calm) Take(sim.Cycle) (float64, float64) { return 0, 0 }

// latteL1 returns an L1 of the paper's shape under a policy.
func latteL1(t *testing.T, name string, adjust func(*CompressedConfig, *cache.L1Config)) (*cache.L1, *Compressed, *stat.Set) {
	t.Helper()
	c := CompressedConfig{Policy: policy.Find(name), TagFactor: 4, PhaseAccesses: 256, PeriodPhases: 10, DedicatedSets: 4, Reserve: true, Paranoid: true}
	c.Compress = [policy.NumModes]int{policy.Low: 2, policy.High: 6}
	c.Decompress = [policy.NumModes]int{policy.Low: 2, policy.High: 14}
	l := cache.L1Config{Geometry: cache.Geometry{Sets: 32, Ways: 4}, MSHRs: 32, Merges: 8, LatencyCycles: 3}
	if adjust != nil {
		adjust(&c, &l)
	}
	u, err := NewCompressed(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &stat.Set{}
	return cache.NewL1(l, u.New, cache.StoreEnv{Stats: s, Meter: calm{}}), u, s
}

// words is a line of 32-bit words.
func words(f func(i uint32) uint32) *mem.Line {
	var l mem.Line
	for i := range uint32(mem.LineBytes / 4) {
		binary.LittleEndian.PutUint32(l[4*i:], f(i))
	}
	return &l
}

// fetch looks up a whole line, and fills it in the same cycle if it misses.
func fetch(t *testing.T, l *cache.L1, now sim.Cycle, a mem.Addr, data *mem.Line, s *stat.Set) (hit bool, ready sim.Cycle) {
	t.Helper()
	o, i := l.Take(now, l.Find(a, wholeLine), 0, s)
	switch o {
	case cache.Miss:
		l.Fill(now, i, data, s)
		return false, now
	case cache.Hit:
		line, ready := l.Read(now, i)
		if *line != *data {
			t.Fatalf("line %#x changed", a)
		}
		return true, ready
	}
	t.Fatalf("line %#x: outcome %d", a, o)
	return false, 0
}

// TestSixteenLinesInASet: a set of four ways holds 16 lines of one sub-block each, and the
// least recently used of them leaves for the next.
func TestSixteenLinesInASet(t *testing.T) {
	l, u, s := latteL1(t, "static-bdi", nil)
	small := words(func(i uint32) uint32 { return 0x40000000 + i%4*0 }) // repeated: 4 bytes
	at := func(i int) mem.Addr { return mem.Addr(i) * 32 * mem.LineBytes }
	for i := range 13 {
		fetch(t, l, sim.Cycle(i), at(i), small, s)
	}
	for i := range 13 {
		if hit, _ := fetch(t, l, sim.Cycle(100+100*i), at(i), small, s); !hit {
			t.Fatalf("line %d of 13 has left", i)
		}
	}
	// At a miss a line takes four sub-blocks until its code is known, so the 14th line makes
	// room for three more.
	fetch(t, l, 5000, at(13), small, s)
	if hit, _ := fetch(t, l, 5100, at(0), small, s); hit || s[stat.L1Evictions] != 2 {
		t.Errorf("hit %v, %d evictions, want a miss of the oldest line and two evictions", hit, s[stat.L1Evictions])
	}

	l, u, s = latteL1(t, "static-bdi", nil)
	u.stores[0].unit.config.Reserve = false
	for i := range 16 {
		fetch(t, l, sim.Cycle(i), at(i), small, s)
	}
	if s[stat.L1Evictions] != 0 || len(u.stores[0].entries) != 512 {
		t.Errorf("%d evictions of 16 lines, %d tags", s[stat.L1Evictions], len(u.stores[0].entries))
	}
	fetch(t, l, 50, at(16), small, s)
	if hit, _ := fetch(t, l, 60, at(0), small, s); hit {
		t.Error("the 17th line has left the first one in place")
	}
}

// TestDecompressorQueue: hits pass the decompressor one after the other, and lines without
// a code pass it by. The first hit also waits for the compressor.
func TestDecompressorQueue(t *testing.T) {
	l, u, s := latteL1(t, "static-bpc", nil)
	packed, raw := words(func(i uint32) uint32 { return i }), random(1)
	for i := range mem.Addr(4) {
		fetch(t, l, 0, i*mem.LineBytes, packed, s)
	}
	fetch(t, l, 0, 4*mem.LineBytes, raw, s)
	for i, want := range []sim.Cycle{6 + 14, 6 + 2*14, 6 + 3*14, 6 + 4*14} {
		// All four enter while the compressor works, until cycle 6.
		if _, ready := fetch(t, l, sim.Cycle(i), mem.Addr(i)*mem.LineBytes, packed, s); ready != want+3 {
			t.Errorf("hit %d is ready in cycle %d, want %d", i, ready, want+3)
		}
	}
	if _, ready := fetch(t, l, 10, 4*mem.LineBytes, raw, s); ready != 13 {
		t.Errorf("a raw line waits until %d", ready)
	}
	// Position 0, 1, 2 and 3: six lines stood in front.
	q := &u.stores[0].queue[policy.High]
	if q.lines != 4 || q.positions != 6 || s[Decompressions(codecs.Find("bpc").L1)] != 4 {
		t.Errorf("%+v, %d decompressions", q, s[Decompressions(codecs.Find("bpc").L1)])
	}
	if _, ready := fetch(t, l, 100, 0, packed, s); ready != 100+14+3 {
		t.Errorf("an idle decompressor takes until %d", ready)
	}
	// A line that the compressor still has comes before one that is ready.
	none := &decompressor{}
	if first, second := none.pass(12, 0), none.pass(7, 0); first != 12 || second != 7 || none.lines != 2 || none.positions != 0 {
		t.Errorf("a decompressor without latency takes until %d and %d", first, second)
	}
}

// random is a line that no codec compresses.
func random(seed uint64) *mem.Line {
	r := sim.NewRand(seed, 1)
	return words(func(uint32) uint32 { return uint32(r.Uint64()) })
}

// TestLATTEScRebuildInvalidate: the value table counts in the first phase and in the last
// of a period. Then the codes change, and packed lines leave; raw lines stay.
func TestLATTEScRebuildInvalidate(t *testing.T) {
	l, u, s := latteL1(t, "static-sc", func(c *CompressedConfig, _ *cache.L1Config) { c.PhaseAccesses, c.PeriodPhases = 16, 4 })
	value := uint32(7)
	line := func() *mem.Line { return words(func(uint32) uint32 { return value }) }
	n := 0
	phase := func() {
		for range 16 {
			n++
			fetch(t, l, sim.Cycle(n), mem.Addr(n)*mem.LineBytes, line(), s)
		}
	}
	store := u.stores[0]
	packed := func() (k int) {
		for i := range store.entries {
			if store.entries[i].packed {
				k++
			}
		}
		return k
	}
	phase()
	// The data of a phase's last miss come after its end.
	if s[L1CodeTables] != 1 || packed() != 1 || s[Compressions(codecs.Find("sc").L1)] != 1 {
		t.Fatalf("after the first phase: %d tables, %d packed lines", s[L1CodeTables], packed())
	}
	if got := u.codes.codec.SizeBits(line()); got != 32 {
		t.Errorf("a line of sevens takes %d bits with the first code", got)
	}
	held := func() int { // lines with data
		k := 0
		for i := range store.entries {
			if store.entries[i].valid != 0 {
				k++
			}
		}
		return k
	}
	phase()
	phase()
	value = 9
	if packed() != 33 || s[L1CodeTables] != 1 {
		t.Fatalf("%d packed lines, %d tables before the last phase", packed(), s[L1CodeTables])
	}
	phase() // the last: nines escape and stay raw
	if s[L1CodeTables] != 2 || s[L1CodeDropped] != 33 || packed() != 1 || held() != 15+15+1 {
		t.Errorf("%d tables, %d lines dropped, %d packed, %d held", s[L1CodeTables], s[L1CodeDropped], packed(), held())
	}
	if sevens, nines := u.codes.codec.SizeBits(words(func(uint32) uint32 { return 7 })), u.codes.codec.SizeBits(line()); nines != 32 || sevens <= 32 {
		t.Errorf("with the second code, sevens take %d bits and nines %d", sevens, nines)
	}
	// A ghost misses, and its tag takes the new line.
	if hit, _ := fetch(t, l, 1000, 17*mem.LineBytes, random(3), s); hit {
		t.Error("a line of the old code hits")
	}
}

// TestNoSampleNoCode: a phase in which no line entered L1 makes no code; the next one counts.
func TestNoSampleNoCode(t *testing.T) {
	c := codes{codesState: codesState{period: 10}}
	if c.phaseEnded(1) || !c.counts() {
		t.Error("a code without a sample")
	}
	c.observe(random(1))
	if !c.phaseEnded(2) || c.codec == nil || c.counts() {
		t.Error("no code after the first sample")
	}
	if c.phaseEnded(2) || c.phaseEnded(1) {
		t.Error("an SM that comes later changes the code")
	}
	for n := 3; n < 10; n++ {
		c.observe(random(uint64(n)))
		if c.phaseEnded(n) || c.counts() != (n == 9) {
			t.Errorf("phase %d", n)
		}
	}
	if first := c.codec; c.phaseEnded(10) || c.codec != first {
		t.Error("the code changes although the last phase had no line")
	}
}

// The unit of SC takes 5.5 KB of values and counters, 7 KB to compress and 3 KB to
// decompress: 6.45 % of the 240 KB of 15 L1s, but 97 % of one (LATTE-CC section IV-C2).
func TestTheHardwareOfSC(t *testing.T) {
	const values = 1024 * (32 + 12) / 8
	if values != 5632 {
		t.Errorf("the value frequency table takes %d bytes", values)
	}
	unit := float64(values + 7<<10 + 3<<10)
	one := float64(cache.Geometry{Sets: 32, Ways: 4}.Bytes())
	if all := unit / (15 * one); all < 0.0645 || all > 0.0647 {
		t.Errorf("%.4f of 15 L1s", all)
	}
	if alone := unit / one; alone < 0.96 || alone > 0.98 {
		t.Errorf("%.3f of one L1", alone)
	}
}

// tag is a tag of the slow twin.
type tag struct {
	addr        mem.Addr
	blocks      int
	data, waits bool
	packed      bool
	ready       sim.Cycle
	used        int
}

// twin is a compressed L1 written for clarity: a list of tags for each set, sizes from
// codes that are really made, and sums that are taken anew each time.
type twin struct {
	sets    [][]*tag
	tags    int
	room    int
	reserve bool
	coder   codec.Codec // nil: no compression
	clock   int
	freeAt  sim.Cycle
}

func (w *twin) find(a mem.Addr) *tag {
	for _, x := range w.sets[a/mem.LineBytes%mem.Addr(len(w.sets))] {
		if x.addr == a {
			return x
		}
	}
	return nil
}

func (w *twin) remove(a mem.Addr) {
	set := &w.sets[a/mem.LineBytes%mem.Addr(len(w.sets))]
	*set = slices.DeleteFunc(*set, func(x *tag) bool { return x.addr == a })
}

func taken(set []*tag) (n int) {
	for _, x := range set {
		n += x.blocks
	}
	return n
}

// oldest returns the least recently used tag that is wanted.
func oldest(set []*tag, wanted func(*tag) bool) (best *tag) {
	for _, x := range set {
		if wanted(x) && (best == nil || x.used < best.used) {
			best = x
		}
	}
	return best
}

// miss finds a tag for a line, nil if all tags wait or there is no room to reserve.
func (w *twin) miss(a mem.Addr) *tag {
	set := &w.sets[a/mem.LineBytes%mem.Addr(len(w.sets))]
	if w.reserve {
		waiting := 0
		for _, x := range *set {
			if x.waits {
				waiting += x.blocks
			}
		}
		if w.room-waiting < 4 {
			return nil
		}
	}
	if len(*set) == w.tags {
		x := oldest(*set, func(x *tag) bool { return !x.waits && !x.data })
		if x == nil {
			x = oldest(*set, func(x *tag) bool { return !x.waits })
		}
		if x == nil {
			return nil
		}
		w.remove(x.addr)
	}
	for w.reserve && w.room-taken(*set) < 4 {
		w.remove(oldest(*set, func(x *tag) bool { return !x.waits && x.data }).addr)
	}
	x := &tag{addr: a}
	if w.reserve {
		x.blocks = 4
	}
	*set = append(*set, x)
	return x
}

// fill gives a tag its data.
func (w *twin) fill(now sim.Cycle, x *tag, line *mem.Line) {
	x.waits, x.blocks, x.packed, x.ready = false, 4, false, now
	if w.coder != nil {
		var b codec.Block
		x.ready = now + 2
		if bits := w.coder.Encode(&b, line); bits <= 96*8 {
			x.blocks, x.packed = max(1, (bits+255)/256), true
		}
	}
	set := w.sets[x.addr/mem.LineBytes%mem.Addr(len(w.sets))]
	for taken(set) > w.room {
		y := oldest(set, func(y *tag) bool { return y.data && y != x })
		y.data, y.blocks = false, 0
	}
	x.data = true
}

// TestAgainstTwin: loads, fills and stores in any order have the outcomes, the bytes and
// the cycles of the twin.
func TestAgainstTwin(t *testing.T) {
	for _, reserve := range []bool{false, true} {
		for _, name := range []string{"raw", "static-bdi"} {
			for seed := range uint64(4) {
				againstTwin(t, name, reserve, seed)
			}
		}
	}
}

func againstTwin(t *testing.T, name string, reserve bool, seed uint64) {
	l, _, s := latteL1(t, name, func(c *CompressedConfig, g *cache.L1Config) {
		c.Reserve, g.Sets, g.MSHRs, g.Merges = reserve, 2, 20, 2
	})
	w := &twin{sets: make([][]*tag, 2), tags: 16, room: 16, reserve: reserve}
	if name == "static-bdi" {
		w.coder = bdi.New(bdi.Params{Ten: true})
	}
	r := sim.NewRand(seed, 2)
	memory := make([]*mem.Line, 24)
	fresh := func() *mem.Line {
		switch base := uint32(r.Uint64()); r.Intn(5) {
		case 0:
			return random(r.Uint64())
		case 1:
			return words(func(uint32) uint32 { return base })
		case 2:
			return words(func(i uint32) uint32 { return base + i*3 })
		case 3:
			return words(func(i uint32) uint32 { return base + i*1000 })
		}
		return &mem.Line{}
	}
	for i := range memory {
		memory[i] = fresh()
	}
	type order struct {
		index, merged int
		tag           *tag
		addr          mem.Addr
	}
	var orders []order
	now := sim.Cycle(0)
	for step := range 6000 {
		now += sim.Cycle(r.Intn(3))
		k := r.Intn(len(memory))
		a := mem.Addr(k) * mem.LineBytes
		x := w.find(a)
		switch r.Intn(8) {
		case 0: // a store
			memory[k] = fresh()
			l.Atomic(a, s)
			w.remove(a)
			for i := range orders {
				if orders[i].addr == a {
					orders[i].tag = nil
				}
			}
		case 1, 2, 3: // a reply
			if len(orders) == 0 {
				continue
			}
			i := r.Intn(len(orders))
			o := orders[i]
			orders = slices.Delete(orders, i, i+1)
			l.Fill(now, o.index, memory[o.addr/mem.LineBytes], s)
			if o.tag != nil {
				w.fill(now, o.tag, memory[o.addr/mem.LineBytes])
			}
		default: // a load
			want := cache.Miss
			waiting := -1
			for i := range orders {
				if orders[i].addr == a && orders[i].tag != nil {
					waiting = i
				}
			}
			switch {
			case x != nil && x.data:
				want = cache.Hit
			case waiting >= 0 && orders[waiting].merged == 1:
				want = cache.Blocked
			case waiting >= 0:
				want = cache.Merged
				orders[waiting].merged++
			case len(orders) == 20:
				want = cache.Blocked
			case x == nil:
				if x = w.miss(a); x == nil {
					want = cache.Blocked
				}
			}
			got, index := l.Take(now, l.Find(a, wholeLine), 0, s)
			if got != want {
				t.Fatalf("%s, reserve %v, seed %d, step %d: outcome %d, want %d", name, reserve, seed, step, got, want)
			}
			if want == cache.Blocked {
				continue
			}
			w.clock++
			x.used = w.clock
			if want == cache.Miss {
				x.waits = true
				orders = append(orders, order{index: index, tag: x, addr: a})
			}
			if want == cache.Hit {
				line, ready := l.Read(now, index)
				at := max(now, x.ready)
				if x.packed {
					at = max(at, w.freeAt) + 2
					w.freeAt = at
				}
				if *line != *memory[k] || ready != at+3 {
					t.Fatalf("%s, reserve %v, seed %d, step %d: ready in cycle %d, want %d, or other bytes", name, reserve, seed, step, ready, at+3)
				}
			}
		}
	}
	if s[stat.L1Hits] < 300 || s[stat.L1Misses] < 500 || s[stat.L1Blocked] == 0 {
		t.Errorf("%s: %d hits, %d misses and %d blocked loads test little", name, s[stat.L1Hits], s[stat.L1Misses], s[stat.L1Blocked])
	}
}

// TestProofFindsAChangedCode: a code that does not give the line back is an error at the
// next hit.
func TestProofFindsAChangedCode(t *testing.T) {
	l, u, s := latteL1(t, "static-bdi", nil)
	line := words(func(i uint32) uint32 { return 0x1000 + i })
	fetch(t, l, 0, 0, line, s)
	store := u.stores[0]
	for e := range store.entries {
		if store.entries[e].packed {
			store.proof[e].block[3] ^= 1
		}
	}
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "does not restore line") {
			t.Errorf("got %q", text)
		}
	}()
	fetch(t, l, 1, 0, line, s)
}

// TestSectorsOfALine: a line of which only sectors have come stays raw, and is compressed
// when it is complete.
func TestSectorsOfALine(t *testing.T) {
	l, u, s := latteL1(t, "static-bdi", func(_ *CompressedConfig, g *cache.L1Config) { g.Sectored = true })
	line := words(func(i uint32) uint32 { return i })
	store := u.stores[0]
	for i, want := range []uint8{4, 4, 4, 2} { // 36 bytes as b4d1
		o, index := l.Take(0, l.Find(0, 1<<i), 0, s)
		if o != cache.Miss {
			t.Fatalf("sector %d: outcome %d", i, o)
		}
		l.Fill(0, index, line, s)
		if e, held := store.Find(0); store.entries[e].blocks != want || held != 1<<(i+1)-1 {
			t.Errorf("with %d sectors: %d sub-blocks, sectors %b", i+1, store.entries[e].blocks, held)
		}
	}
	if s[L1OrdersLow] != 1 || s[stat.L1Misses] != 4 || s[Compressions(codecs.Find("bdi").L1)] != 1 {
		t.Errorf("%d lines ordered, %d misses, %d compressions", s[L1OrdersLow], s[stat.L1Misses], s[Compressions(codecs.Find("bdi").L1)])
	}
	if hit, _ := fetch(t, l, 50, 0, line, s); !hit {
		t.Error("the line misses")
	}
}

// TestToleranceBins: bins follow each other, and percentiles are those of a sorted list,
// rounded down to a bin.
func TestToleranceBins(t *testing.T) {
	for bin := range ToleranceBins {
		if got := toleranceBin(binCycles(bin)); got != bin || bin > 0 && binCycles(bin) <= binCycles(bin-1) {
			t.Errorf("bin %d begins with %g, which is in bin %d", bin, binCycles(bin), got)
		}
	}
	p := &Phases{}
	for _, cycles := range []float64{0.3, 1, 2, 3, 4, 5, 6, 7, 8.5, 1e6} {
		p.Tolerance[toleranceBin(cycles)]++
	}
	for share, want := range map[float64]float64{0.1: 0.25, 0.5: 4, 0.9: 8} {
		if got, ok := p.Percentile(share); !ok || got != want {
			t.Errorf("percentile %g is %g, want %g", share, got, want)
		}
	}
	if _, ok := (&Phases{}).Percentile(0.5); ok {
		t.Error("no phases have a percentile")
	}
}

// TestAgreement: phases count by launch; launches without a place in the plan disagree.
func TestAgreement(t *testing.T) {
	p := &Phases{Launches: [][policy.NumModes]uint64{{3, 1, 0}, {0, 0, 4}, {2, 0, 0}}}
	if share, ok := p.Agreement([]string{"none", "high"}); !ok || share != 0.7 {
		t.Errorf("%g, want 7 of 10", share)
	}
	if _, ok := (&Phases{}).Agreement([]string{"none"}); ok {
		t.Error("no phases agree")
	}
}

// TestPoliciesThatCannotBe: a policy is refused, with its name and what is wrong, if a codec of it cannot be in an L1.
func TestPoliciesThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		row  policy.Row
		want string
	}{
		{policy.Row{Low: "fpd"}, `unknown codec: "fpd"`},
		{policy.Row{Low: "tslc-opt"}, "codec tslc-opt is lossy"},
		{policy.Row{Low: "bdi10", High: "e2mc16"}, "codec e2mc16 makes its codes from data that it knows before a run"},
		{policy.Row{High: "hycomp"}, "codec hycomp makes its codes from data"},
		{policy.Row{High: codecs.Plugin}, "codec plugin has no counters of an L1"},
		{policy.Row{Low: "sc", High: "sc"}, "both modes have codec sc"},
		{policy.Row{Low: "sc"}, ""},
		{policy.Row{Low: "mpc", High: "sc"}, ""},
	} {
		c.row.Name = "toy"
		u, err := NewCompressed(CompressedConfig{Policy: &c.row})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), "policy toy: "+c.want)) {
			t.Errorf("%s and %s: %v, want %q", c.row.Low, c.row.High, err, c.want)
		}
		if err == nil && c.row.Low == "sc" && u.learns != policy.Low {
			t.Error("SC does not learn as the low mode")
		}
	}
}
