package rfvp

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

var paper = Config{Entries: 192, Ways: 4, Groups: 2}

// word reads 32-bit word i of a line.
func word(l *mem.Line, i int) uint32 { return binary.LittleEndian.Uint32(l[4*i:]) }

// lineOf makes a line of 32-bit words.
func lineOf(f func(i int) uint32) *mem.Line {
	l := new(mem.Line)
	for i := range lineWords {
		binary.LittleEndian.PutUint32(l[4*i:], f(i))
	}
	return l
}

// whole is a warp that reads one word a lane, in order.
func whole(warp uint8, float bool) *Access {
	a := &Access{Warp: warp, Form: Form{PC: 40, Elements: 1, Bytes: 4, Float: float}, Lanes: ^uint32(0)}
	for i := range a.Offset {
		a.Offset[i] = uint8(4 * i)
	}
	return a
}

// wants checks words of a prediction.
func wants(t *testing.T, p *Predictor, a *Access, want func(i int) uint32) {
	t.Helper()
	line := lineOf(func(int) uint32 { return 0xdead })
	if !p.Predict(a, line) {
		t.Fatal("the load has no row")
	}
	for i := range lineWords {
		if got := word(line, i); got != want(i) {
			t.Fatalf("word %d is %d, want %d", i, got, want(i))
		}
	}
}

// TestStrideIsLearntTwice: a stride counts when it has come twice in a row (section 4.1).
func TestStrideIsLearntTwice(t *testing.T) {
	p, a := NewPredictor(paper), whole(3, false)
	if p.Predict(a, new(mem.Line)) {
		t.Fatal("a load without a row is predicted")
	}
	// The lowest lane of each group trains it: words 0 and 16.
	base := func(v uint32) *mem.Line { return lineOf(func(i int) uint32 { return v + uint32(i/16)*1000 }) }
	for _, s := range []struct{ fetched, next uint32 }{
		{100, 100}, // the first value: no stride
		{107, 107}, // stride 7, seen once
		{114, 121}, // stride 7, seen twice
		{200, 207}, // stride 86, seen once: 7 stays
		{190, 197}, // stride -10, seen once
		{180, 170}, // stride -10, seen twice
	} {
		p.Train(a, base(s.fetched))
		wants(t, p, a, func(i int) uint32 { return s.next + uint32(i/16)*1000 })
	}
	// Strides of more than 16 bits count as 0, and 0 comes twice as any other.
	p.Train(a, base(180+40000))
	wants(t, p, a, func(i int) uint32 { return 180 + 40000 - 10 + uint32(i/16)*1000 })
	p.Train(a, base(180+80000))
	wants(t, p, a, func(i int) uint32 { return 180 + 80000 + uint32(i/16)*1000 })
}

// TestFloatsGetTheLastValue: strides of floating-point loads are not learnt.
func TestFloatsGetTheLastValue(t *testing.T) {
	p, a := NewPredictor(paper), whole(0, true)
	for v := uint32(100); v <= 130; v += 10 {
		p.Train(a, lineOf(func(int) uint32 { return v }))
		wants(t, p, a, func(int) uint32 { return v })
	}
}

// TestGapsGetWordsOfTheLastLine: words that no lane reads get word 0 or word 16 of the
// line fetched last.
func TestGapsGetWordsOfTheLastLine(t *testing.T) {
	p, a := NewPredictor(paper), whole(0, false)
	a.Lanes = 1<<2 | 1<<5 // both in the first group
	p.Train(a, lineOf(func(i int) uint32 { return uint32(10 + i) }))
	wants(t, p, a, func(i int) uint32 {
		switch {
		case i == 2 || i == 5:
			return 12 // of lane 2, the lowest
		case i < 16:
			return 10
		}
		return 26
	})
	// The second group had no lane: it begins with the value of the first.
	a.Lanes = 1 << 20
	wants(t, p, a, func(i int) uint32 {
		switch {
		case i == 20:
			return 12
		case i < 16:
			return 10
		}
		return 26
	})
}

// TestBytesGetTheirWords: 32 lanes that read 32 bytes in a row read eight words; each half of the lanes gives its
// words the word of its lowest lane.
func TestBytesGetTheirWords(t *testing.T) {
	p := NewPredictor(paper)
	form, ok := FormOf(8, 1, 1, false)
	a := &Access{Form: form, Lanes: ^uint32(0)}
	for lane := range a.Offset {
		a.Offset[lane] = uint8(lane)
	}
	p.Train(a, lineOf(func(i int) uint32 { return 0x01020300 + uint32(i) }))
	var got mem.Line
	if !ok || !p.Predict(a, &got) {
		t.Fatal("a load of bytes is not predicted")
	}
	for i := range 8 {
		want := uint32(0x01020300 + 4*(i/4))
		if w := binary.LittleEndian.Uint32(got[4*i:]); w != want {
			t.Errorf("word %d is %#x, want %#x", i, w, want)
		}
	}
}

// TestSubWordsAndDoubles: bytes are predicted as their words, doubles as 64 bits, the
// elements of a vector as loads of their own.
func TestSubWordsAndDoubles(t *testing.T) {
	for _, c := range []struct {
		elements, bytes int
		want            Form
		ok              bool
	}{
		{1, 1, Form{8, 1, 4, false}, true},
		{4, 1, Form{8, 1, 4, false}, true},
		{4, 2, Form{8, 2, 4, false}, true},
		{1, 4, Form{8, 1, 4, true}, true},
		{4, 4, Form{8, 4, 4, true}, true},
		{2, 8, Form{8, 2, 8, true}, true},
		{1, 16, Form{8, 1, 16, true}, false},
	} {
		if got, ok := FormOf(8, c.elements, c.bytes, true); got != c.want || ok != c.ok {
			t.Errorf("%d elements of %d bytes: %+v %v, want %+v %v", c.elements, c.bytes, got, ok, c.want, c.ok)
		}
	}
	p := NewPredictor(paper)
	a := &Access{Form: Form{PC: 8, Elements: 2, Bytes: 8}, Lanes: 3}
	a.Offset[1] = 16
	fetched := new(mem.Line)
	for i, v := range []uint64{1 << 40, 5, 99, 98} {
		binary.LittleEndian.PutUint64(fetched[8*i:], v)
	}
	p.Train(a, fetched)
	line := new(mem.Line)
	if !p.Predict(a, line) {
		t.Fatal("no row")
	}
	for i, want := range []uint64{1 << 40, 5, 1 << 40, 5} {
		if got := binary.LittleEndian.Uint64(line[8*i:]); got != want {
			t.Errorf("element %d is %d, want %d", i, got, want)
		}
	}
}

// TestReplacement: the fifth load of a set takes the row that was used longest ago.
func TestReplacement(t *testing.T) {
	p := NewPredictor(paper)
	of := func(i int) *Access { // 48 sets: PCs 48 apart share one
		a := whole(0, true)
		a.Form.PC = uint32(48 * i)
		return a
	}
	for i := range 4 {
		p.Train(of(i), new(mem.Line))
	}
	p.Predict(of(0), new(mem.Line)) // now load 1 is the oldest
	p.Train(of(4), new(mem.Line))
	for i, want := range []bool{true, false, true, true, true} {
		if got := p.Predict(of(i), new(mem.Line)); got != want {
			t.Errorf("load %d has a row: %v, want %v", i, got, want)
		}
	}
}

// TestWarpsOfALoadSpread: 48 warps of one load fill 48 sets, so four loads of 48 warps fit.
func TestWarpsOfALoadSpread(t *testing.T) {
	p := NewPredictor(paper)
	for pass := range 2 {
		for load := range 4 {
			for warp := range uint8(48) {
				a := whole(warp, true)
				a.Form.PC = uint32(16 * load)
				if pass == 0 {
					p.Train(a, new(mem.Line))
				} else if !p.Predict(a, new(mem.Line)) {
					t.Fatalf("load %d of warp %d has lost its row", load, warp)
				}
			}
		}
	}
}

// TestStorage: the fields of the figures make 361 bits a row and 8.5 KB; the paper quotes
// 14 KB, which would be 597 bits.
func TestStorage(t *testing.T) {
	if n := paper.RowBits(); n != 2*(64+16+16)+2*64+1+6+32+2 {
		t.Errorf("a row has %d bits, want 361", n)
	}
	if n := paper.Bytes(); n != 8664 {
		t.Errorf("the table has %d bytes, want 8664", n)
	}
	if n := PaperBytes * 8 / paper.Entries; n != 597 {
		t.Errorf("the paper's size is %d bits a row, want 597", n)
	}
}

// TestDrawsAreUniform: the register goes through all 65535 states, so every draw comes
// equally often, and the share of drops is the rate.
func TestDrawsAreUniform(t *testing.T) {
	r := newLFSR(0)
	first := r
	var count [256]int
	n := 0
	for {
		count[r.draw()]++
		n++
		if r == first {
			break
		}
	}
	if n != 65535 {
		t.Fatalf("the register repeats after %d draws", n)
	}
	for v, c := range count {
		if c != 256 && (v != 0 || c != 255) {
			t.Errorf("%d came %d times", v, c)
		}
	}
	for rate, want := range map[Rate]int{0: 0, 125: 32, 500: 128, 900: 230, 1000: 256} {
		if got := rate.threshold(); got != want {
			t.Errorf("a rate of %d thousandths drops %d of 256 draws, want %d", rate, got, want)
		}
	}
}

// TestOtherKinds: last value learns no stride, single value fills the line, zero needs no row.
func TestOtherKinds(t *testing.T) {
	train := func(k Kind) *Predictor {
		c := paper
		c.Kind = k
		p := NewPredictor(c)
		for v := uint32(0); v < 40; v += 10 {
			p.Train(whole(0, false), lineOf(func(i int) uint32 { return v + uint32(i) }))
		}
		return p
	}
	wants(t, train(LastValue), whole(0, false), func(i int) uint32 { return 30 + uint32(i/16)*16 })
	wants(t, train(SingleValue), whole(0, false), func(int) uint32 { return 30 })
	wants(t, train(Zero), whole(0, false), func(int) uint32 { return 0 })
	wants(t, train(TwoDelta), whole(0, false), func(i int) uint32 { return 40 + uint32(i/16)*16 })
	wants(t, NewPredictor(Config{Kind: Zero, Entries: 192, Ways: 4, Groups: 2}), whole(9, false), func(int) uint32 { return 0 })
}

// TestRandomGaps: gaps are random bits, and the lanes' words are not.
func TestRandomGaps(t *testing.T) {
	c := paper
	c.Gaps = GapRandom
	p, a := NewPredictor(c), whole(0, false)
	a.Lanes = 1
	p.Train(a, lineOf(func(int) uint32 { return 5 }))
	line := new(mem.Line)
	p.Predict(a, line)
	if word(line, 0) != 5 || word(line, 1) == 5 || word(line, 1) == word(line, 2) {
		t.Errorf("words %d %d %d", word(line, 0), word(line, 1), word(line, 2))
	}
}

// TestNothingIsAllocated: predictions and training are part of the hot loop.
func TestNothingIsAllocated(t *testing.T) {
	for kind := range numKinds {
		c := paper
		c.Kind = kind
		p, a, line := NewPredictor(c), whole(0, false), new(mem.Line)
		if n := testing.AllocsPerRun(100, func() { p.Train(a, line); p.Predict(a, line) }); n != 0 {
			t.Errorf("%s: %v allocations", KindNames[kind], n)
		}
	}
}
