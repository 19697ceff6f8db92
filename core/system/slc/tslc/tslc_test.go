package tslc

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// toyTable is a code small enough to work by hand: 0000 "0", 3f80 "10",
// 0001 "110", escape "111".
func toyTable(t testing.TB) *e2mc.Table {
	t.Helper()
	table, err := e2mc.TrainCounts(16, []e2mc.SymbolCount{{Symbol: 0, Count: 60}, {Symbol: 0x3f80, Count: 30}, {Symbol: 1, Count: 6}}, 4, e2mc.TrainParams{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// blockC costs 784 bits in the toy table: escapes at symbols 3 to 42.
func blockC() *mem.Line {
	var l mem.Line
	for i := 3; i <= 42; i++ {
		binary.LittleEndian.PutUint16(l[2*i:], 0xc000+uint16(i))
	}
	return &l
}

func scheme(t testing.TB, p Params, table *e2mc.Table) *Scheme {
	t.Helper()
	s, err := NewScheme(p, table)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestToyBlockC(t *testing.T) {
	table := toyTable(t)
	for _, c := range []struct {
		name        string
		p           Params
		comp, extra int
		want        codec.Stored
	}{
		{"literal", Params{Variant: PRED, MAGBytes: 32, Header: HeaderLiteral}, 784, 16,
			codec.Stored{Bits: 765, LosslessBits: 784, Bursts: 3, Mode: probe.ModeLossy, FirstSymbol: 3, TruncatedSymbols: 1, ExcessBits: 3}},
		{"variable", Params{Variant: PRED, MAGBytes: 32, Header: HeaderVariable}, 808, 40,
			codec.Stored{Bits: 744, LosslessBits: 808, Bursts: 3, Mode: probe.ModeLossy, FirstSymbol: 4, TruncatedSymbols: 4, ExcessBits: 36}},
		// fixed32: 32 + up8(250) + 304 + up8(214) + 16 = 824, extra 56, and 4 symbols
		// free 76 bits: 32 + 176 + 304 + 216 + 16 = 744.
		{"fixed32", Params{Variant: PRED, MAGBytes: 32}, 824, 56,
			codec.Stored{Bits: 744, LosslessBits: 824, Bursts: 3, Mode: probe.ModeLossy, FirstSymbol: 4, TruncatedSymbols: 4, ExcessBits: 20}},
	} {
		s := scheme(t, c.p, table)
		line := blockC()
		e := s.Explain(line, safeRegion)
		if e.CompBits != c.comp || e.ExtraBits != c.extra || e.BudgetBits != 768 || e.Rule != RuleTruncate {
			t.Errorf("%s: size %d, extra %d, budget %d, rule %v", c.name, e.CompBits, e.ExtraBits, e.BudgetBits, e.Rule)
		}
		if got := s.Store(line, safeRegion); got != c.want {
			t.Errorf("%s: stored as %+v, want %+v", c.name, got, c.want)
		}
	}
}

// uniform returns a table of one codeword length and the lines whose size above
// the header is any number of bytes: escapes of 24 bits add to codes of 8.
func uniform(t *testing.T) *e2mc.Table {
	t.Helper()
	stored := []byte("E2MC\x01\x10\x08")
	stored = binary.LittleEndian.AppendUint32(stored, 2)
	for symbol, bits := range []byte{8, 16} {
		stored = binary.LittleEndian.AppendUint32(stored, uint32(symbol))
		stored = append(stored, bits)
	}
	table, err := e2mc.ParseTable(stored)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// sized returns a line of 64 + long bytes of code in the uniform table.
func sized(long int) *mem.Line {
	var l mem.Line
	for i := range 64 {
		switch {
		case 2*i+1 < long:
			binary.LittleEndian.PutUint16(l[2*i:], 0xabcd) // escape: 3 bytes
		case 2*i < long:
			binary.LittleEndian.PutUint16(l[2*i:], 1) // 2 bytes
		}
	}
	return &l
}

// unit slc.mode_rule: over all sizes from 68 bytes up, what is exact or above the
// threshold stays lossless (raw in the last burst), the rest becomes lossy.
func TestSLCModeRule(t *testing.T) {
	table := uniform(t)
	for _, mag := range []int{16, 32, 64} {
		s := scheme(t, Params{Variant: SIMP, MAGBytes: mag}, table)
		seen := map[Rule]int{}
		for long := 0; long <= 100; long++ {
			line := sized(long)
			comp := 4 + 64 + long
			if got := s.CompBits(line); got != comp*8 {
				t.Fatalf("the test's block has %d bits, want %d", got, comp*8)
			}
			extra := comp % mag
			var mode probe.Mode
			switch {
			case comp >= 128:
				mode = probe.ModeRaw
			case extra == 0:
				mode = probe.ModeLossless
			case extra <= mag/2:
				mode = probe.ModeLossy
			case comp > 128-mag:
				mode = probe.ModeRaw
			default:
				mode = probe.ModeLossless
			}
			e := s.Explain(line, safeRegion)
			seen[e.Rule]++
			if e.Rule == RuleNoNode {
				continue // codes too short to free the bits; TestFallsBackWithoutNode
			}
			st := s.Store(line, safeRegion)
			if st.Mode != mode {
				t.Errorf("MAG %d, %d bytes: mode %d, want %d (%v)", mag, comp, st.Mode, mode, e.Rule)
			}
			bursts := (comp + mag - 1) / mag
			if mode == probe.ModeLossy {
				bursts = comp / mag
			}
			if comp >= 128 {
				bursts = 128 / mag
			}
			if int(st.Bursts) != bursts {
				t.Errorf("MAG %d, %d bytes: %d bursts, want %d", mag, comp, st.Bursts, bursts)
			}
		}
		if seen[RuleTruncate] < 10 || seen[RuleExact] == 0 && mag != 64 || seen[RuleThreshold] == 0 {
			t.Errorf("MAG %d: rules met: %v", mag, seen)
		}
	}
}

// unit slc.small_block_lossless: below one MAG nothing is lost.
func TestSLCSmallBlockLossless(t *testing.T) {
	table := toyTable(t)
	for _, v := range []Variant{SIMP, PRED, OPT} {
		for ones := 0; ones <= 32; ones++ {
			var l mem.Line
			for i := range ones {
				binary.LittleEndian.PutUint16(l[4*i:], 0x3f80)
			}
			want := l
			s := scheme(t, Params{Variant: v, MAGBytes: 32, ThresholdBytes: 32}, table)
			st := s.Store(&l, safeRegion)
			if st.Mode != probe.ModeLossless || st.Bursts != 1 || l != want {
				t.Errorf("a block of %d bits is stored as %+v", s.CompBits(&want), st)
			}
		}
	}
}

// unit slc.incompressible_raw: what does not shrink keeps its four bursts.
func TestSLCIncompressibleRaw(t *testing.T) {
	s := scheme(t, Params{Variant: OPT, MAGBytes: 32}, toyTable(t))
	var l mem.Line
	for i := range l {
		l[i] = byte(i*7 + 3)
	}
	want := l
	st := s.Store(&l, safeRegion)
	if st != (codec.Stored{Bits: 1024, LosslessBits: 1024, Bursts: 4, Mode: probe.ModeRaw}) || l != want {
		t.Errorf("noise is stored as %+v", st)
	}
}

// unit slc.lowest_level_first_subblock: fewest symbols first, then the first.
func TestSLCLowestLevelFirstSubblock(t *testing.T) {
	lines := codectest.Corpus(30)
	table := trained(t, lines)
	for _, v := range []Variant{PRED, OPT} {
		s := scheme(t, Params{Variant: v, MAGBytes: 32}, table)
		for i := range lines {
			e := s.Explain(&lines[i], safeRegion)
			if e.Rule != RuleTruncate {
				continue
			}
			chosen := -1
			for k, c := range e.Candidates {
				if c.Chosen {
					chosen = k
				}
			}
			if chosen < 0 {
				t.Fatalf("block %d: no candidate is marked", i)
			}
			for k, c := range e.Candidates[:chosen] {
				if c.Reaches {
					t.Fatalf("block %d: candidate %d %+v reaches, but %+v was taken", i, k, c, e.Candidates[chosen])
				}
				if c.Count > e.Candidates[chosen].Count {
					t.Fatalf("block %d: candidates are not in order of symbols", i)
				}
			}
			if !e.Candidates[chosen].Reaches {
				t.Fatalf("block %d: the choice does not reach", i)
			}
		}
	}
	// 64+32+16+8+4 nodes, OPT adds 8 and 4 (section III-F).
	base := scheme(t, Params{Variant: PRED, MAGBytes: 32}, toyTable(t)).Explain(blockC(), safeRegion)
	opt := scheme(t, Params{Variant: OPT, MAGBytes: 32}, toyTable(t)).Explain(blockC(), safeRegion)
	if len(base.Candidates) != 124 || len(opt.Candidates) != 136 {
		t.Errorf("%d and %d candidates, want 124 and 136", len(base.Candidates), len(opt.Candidates))
	}
}

// unit slc.thr_ge_mag_always_lossy: with a 16 B threshold at a 16 B MAG every
// block off a multiple is truncated.
func TestSLCThrGeMagAlwaysLossy(t *testing.T) {
	table := uniform(t)
	s := scheme(t, Params{Variant: OPT, MAGBytes: 16, ThresholdBytes: 16}, table)
	for long := 0; long < 60; long++ {
		line := sized(long)
		comp := 68 + long
		st := s.Store(line, safeRegion)
		if want := comp%16 != 0; (st.Mode == probe.ModeLossy) != want {
			t.Errorf("%d bytes: mode %d", comp, st.Mode)
		}
	}
}

// unit slc.allocation_unchanged: a block never takes more than its own 128 bytes,
// so it stays where it was allocated.
func TestSLCAllocationUnchanged(t *testing.T) {
	lines := codectest.Corpus(10)
	table := trained(t, lines)
	for _, p := range allParams() {
		s := scheme(t, p, table)
		for i := range lines {
			line := lines[i]
			if st := s.Store(&line, safeRegion); st.Bursts < 1 || int(st.Bursts)*p.MAGBytes > mem.LineBytes || int(st.Bits) > int(st.Bursts)*p.MAGBytes*8 {
				t.Fatalf("%+v block %d: %+v", p, i, st)
			}
		}
	}
}

// unit slc.fig2_binning.
func TestSLCFig2Binning(t *testing.T) {
	for _, c := range []struct{ bits, mag, bin int }{
		{0, 32, 0}, {8, 32, 0}, {31 * 8, 32, 0}, {32 * 8, 32, 0}, {33 * 8, 32, 1}, {33*8 - 7, 32, 1}, {48 * 8, 32, 16},
		{64 * 8, 32, 0}, {127 * 8, 32, 31}, {1017, 32, 32}, {128 * 8, 32, 32}, {2000, 32, 32},
		{17 * 8, 16, 1}, {15 * 8, 16, 0}, {1024, 16, 16}, {100 * 8, 64, 36},
	} {
		if got := codec.BytesAboveMAG(c.bits, c.mag); got != c.bin {
			t.Errorf("%d bits at MAG %d: bin %d, want %d", c.bits, c.mag, got, c.bin)
		}
	}
}

func TestUnsafeRegionIsNeverLossy(t *testing.T) {
	lines := codectest.Corpus(20)
	table := trained(t, lines)
	for _, p := range allParams() {
		s := scheme(t, p, table)
		for i := range lines {
			line := lines[i]
			if st := s.Store(&line, codec.Region{ThresholdBytes: 64}); st.Mode == probe.ModeLossy || line != lines[i] {
				t.Fatalf("%+v block %d: %+v", p, i, st)
			}
		}
	}
}

func TestLossyStaysInBudget(t *testing.T) {
	lines := codectest.Corpus(40)
	table := trained(t, lines[:200])
	for _, p := range allParams() {
		p.ThresholdBytes = p.MAGBytes
		s := scheme(t, p, table)
		for i := range lines {
			e := s.Explain(&lines[i], safeRegion)
			if e.Stored.Mode != probe.ModeLossy {
				continue
			}
			if int(e.Stored.Bits) > e.BudgetBits || int(e.Stored.Bursts)*p.MAGBytes*8 > e.BudgetBits {
				t.Fatalf("%+v block %d: %+v over a budget of %d", p, i, e.Stored, e.BudgetBits)
			}
			if n := e.Stored.TruncatedSymbols; n < 1 || n > MaxTruncated {
				t.Fatalf("%+v block %d: %d symbols truncated", p, i, n)
			}
		}
	}
}

// TestFallsBackWithoutNode: codes so short that 16 symbols do not free enough.
func TestFallsBackWithoutNode(t *testing.T) {
	// All codes 5 bits (vector V7): 40 bytes and the header make 44, and 16 symbols
	// free 10.
	stored := binary.LittleEndian.AppendUint32([]byte("E2MC\x01\x10\x05"), 1)
	stored = append(stored, 0, 0, 0, 0, 5)
	table, err := e2mc.ParseTable(stored)
	if err != nil {
		t.Fatal(err)
	}
	s := scheme(t, Params{Variant: OPT, MAGBytes: 32}, table)
	e := s.Explain(&mem.Line{}, safeRegion)
	if e.Rule != RuleNoNode || e.Stored.Mode != probe.ModeLossless || e.Stored.Bursts != 2 || e.CompBits != 352 {
		t.Errorf("%+v", e)
	}
}

// TestPredictionKeepsHalves: a truncated float keeps a plausible sign and
// exponent with parity, and gets a low half in its place with the literal reading.
func TestPredictionKeepsHalves(t *testing.T) {
	var l mem.Line
	for i := range 32 {
		binary.LittleEndian.PutUint32(l[4*i:], math.Float32bits(1.5)|0x1234)
	}
	for _, c := range []struct {
		p           Params
		node        node
		index       int
		want, other uint16
	}{
		{Params{Variant: PRED}, node{0, 1}, 0, 0x1234, 0x3fc0},
		{Params{Variant: PRED}, node{1, 1}, 1, 0x3fc0, 0x1234},
		{Params{Variant: OPT}, node{0, 12}, 5, 0x3fc0, 0x1234},
		{Params{Variant: PRED, Prediction: PredictFirst}, node{1, 1}, 1, 0x1234, 0},
		{Params{Variant: PRED, Prediction: PredictFirst}, node{0, 1}, 0, 0x3fc0, 0},
		{Params{Variant: SIMP}, node{3, 2}, 3, 0, 0},
	} {
		c.p.MAGBytes = 32
		s := scheme(t, c.p, toyTable(t))
		line := l
		s.reconstruct(&line, c.node)
		if got := binary.LittleEndian.Uint16(line[2*c.index:]); got != c.want {
			t.Errorf("%+v %+v: symbol %d is %#x, want %#x", c.p, c.node, c.index, got, c.want)
		}
	}
}

func TestDescribeMarksTruncated(t *testing.T) {
	s := scheme(t, Params{Variant: PRED, MAGBytes: 32}, toyTable(t))
	var b codec.Block
	st := s.Encode(&b, blockC(), safeRegion)
	l, err := s.Describe(&b, int(st.Bits))
	if err != nil {
		t.Fatal(err)
	}
	if l.HeaderBits != 32 || len(l.Symbols) != 64 {
		t.Fatalf("header of %d bits, %d symbols", l.HeaderBits, len(l.Symbols))
	}
	for i, sym := range l.Symbols {
		if want := i >= 4 && i < 8; sym.Truncated != want || sym.Index != i || sym.Way != i/16 {
			t.Errorf("symbol %d: %+v", i, sym)
		}
	}
	// Ways of 174, 304, 214 and 16 bits.
	for w, bits := range []int{174, 304, 214, 16} {
		if l.Ways[w].Bits != bits {
			t.Errorf("way %d of %d bits, want %d", w+1, l.Ways[w].Bits, bits)
		}
	}
}

func TestParamsAreChecked(t *testing.T) {
	table := toyTable(t)
	for _, p := range []Params{{}, {MAGBytes: 48}, {MAGBytes: 32, Ways: 3}, {MAGBytes: 32, ThresholdBytes: -1},
		{MAGBytes: 32, ThresholdBytes: 129}, {MAGBytes: 32, Variant: 3}, {MAGBytes: 32, Header: 3}, {MAGBytes: 32, Prediction: 2}} {
		if _, err := NewScheme(p, table); err == nil {
			t.Errorf("%+v accepted", p)
		}
	}
	if _, err := NewScheme(Params{MAGBytes: 32}, nil); err == nil {
		t.Error("no table accepted")
	}
	for _, name := range []string{"fixed32", "variable", "literal"} {
		if _, err := ParseHeader(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := ParseHeader("other"); err == nil {
		t.Error("an unknown header accepted")
	}
	s := scheme(t, Params{MAGBytes: 16, Variant: OPT}, table)
	if v := s.Timing(); v.MHz != 1002 || v.CompressCycles != 60 || v.DecompressCycles != 20 || s.Name() != "tslc-opt" || s.p.ThresholdBytes != 8 {
		t.Errorf("latencies %d/%d, name %s, threshold %d", v.CompressCycles, v.DecompressCycles, s.Name(), s.p.ThresholdBytes)
	}
}

func TestConformance(t *testing.T) {
	table := trained(t, codectest.Corpus(10))
	for _, h := range []Header{HeaderFixed, HeaderVariable, HeaderLiteral} {
		for _, ways := range []int{1, 4, 8} {
			codectest.Check(t, NewCodec(scheme(t, Params{Variant: OPT, MAGBytes: 32, Header: h, Ways: ways}, table)))
		}
	}
}

func TestStoreDoesNotAllocate(t *testing.T) {
	lines := codectest.Corpus(10)
	s := scheme(t, Params{Variant: OPT, MAGBytes: 32}, trained(t, lines))
	i := 0
	if n := testing.AllocsPerRun(200, func() {
		line := lines[i%len(lines)]
		i++
		s.Store(&line, safeRegion)
	}); n != 0 {
		t.Errorf("Store allocates %v times", n)
	}
}

func FuzzCodec(f *testing.F) {
	table := trained(f, codectest.Corpus(4))
	codectest.Fuzz(f, NewCodec(scheme(f, Params{Variant: OPT, MAGBytes: 32}, table)))
}

func BenchmarkStore(b *testing.B) {
	lines := codectest.Corpus(20)
	table := trained(b, lines)
	for _, h := range []struct {
		name   string
		header Header
	}{{"fixed32", HeaderFixed}, {"variable", HeaderVariable}, {"literal", HeaderLiteral}} {
		s := scheme(b, Params{Variant: OPT, MAGBytes: 32, Header: h.header}, table)
		b.Run(h.name, func(b *testing.B) {
			b.SetBytes(mem.LineBytes)
			for i := 0; b.Loop(); i++ {
				line := lines[i%len(lines)]
				s.Store(&line, safeRegion)
			}
		})
		var lossy []mem.Line
		for i := range lines {
			line := lines[i]
			if s.Store(&line, safeRegion).Mode == probe.ModeLossy {
				lossy = append(lossy, lines[i])
			}
		}
		b.Run(h.name+" lossy only", func(b *testing.B) {
			b.SetBytes(mem.LineBytes)
			for i := 0; b.Loop(); i++ {
				line := lossy[i%len(lossy)]
				s.Store(&line, safeRegion)
			}
		})
	}
}

func BenchmarkCodec(b *testing.B) {
	table := trained(b, codectest.Corpus(20))
	codectest.Bench(b, NewCodec(scheme(b, Params{Variant: OPT, MAGBytes: 32}, table)))
}
