package rfvp

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// fed trains one load of integers with values and returns how many of the values were predicted before they came.
func fed(kind Kind, values []uint32) (exact int) {
	c := paper
	c.Kind = kind
	p, a, line := NewPredictor(c), whole(0, false), new(mem.Line)
	for _, v := range values {
		if p.Predict(a, line) && word(line, 0) == v {
			exact++
		}
		p.Train(a, lineOf(func(int) uint32 { return v }))
	}
	return exact
}

// TestWhatEachKindFollows: a constant is for all kinds, a line of numbers for those with a stride: the plain one needs
// two values, two-delta three, DFCM five, because its context must fill and come again. After a jump two-delta misses
// once, the plain stride twice, DFCM four times. A pattern of strides is only for DFCM, once it has seen it.
func TestWhatEachKindFollows(t *testing.T) {
	var line, jump, pattern, constant []uint32
	v := uint32(1000)
	for i := range uint32(60) {
		constant = append(constant, 7)
		line = append(line, 100+3*i)
		jump = append(jump, 100+3*i+50*(i/30))
		pattern = append(pattern, v)
		v += []uint32{1, 4, 8, 5}[i%4]
	}
	for _, c := range []struct {
		name   string
		values []uint32
		want   [4]int // exact predictions of 60: last value, two-delta, stride, DFCM
	}{
		{"constant", constant, [4]int{59, 59, 59, 59}},
		{"line", line, [4]int{0, 57, 58, 55}},
		{"jump", jump, [4]int{0, 56, 56, 51}},
		{"pattern", pattern, [4]int{0, 0, 0, 52}},
	} {
		got := [4]int{fed(LastValue, c.values), fed(TwoDelta, c.values), fed(Stride, c.values), fed(DFCM, c.values)}
		if got != c.want {
			t.Errorf("%s: last value, two-delta, stride and DFCM have %v of 60 values, want %v", c.name, got, c.want)
		}
	}
}

// TestStorageOfKinds: the new predictors are not larger than the 14 KB that the paper quotes for its own, and
// twice as many contexts would be.
func TestStorageOfKinds(t *testing.T) {
	for _, k := range []struct {
		kind  Kind
		bytes int
	}{
		{TwoDelta, 8664}, {LastValue, 8664}, {Stride, 192 * (361 - 32) / 8}, {DFCM, 192*(361-42)/8 + 2*2048},
	} {
		c := paper
		c.Kind = k.kind
		if n := c.Bytes(); n != k.bytes || n > PaperBytes {
			t.Errorf("%s has %d bytes, want %d and at most %d", KindNames[k.kind], n, k.bytes, PaperBytes)
		}
	}
	if n := 192*(361-40)/8 + 2*4096; n <= PaperBytes {
		t.Errorf("DFCM with 4096 contexts has %d bytes: they fit too", n)
	}
	two, dfcm := paper, paper
	dfcm.Kind = DFCM
	if n := two.AccessBits(); n != 361 {
		t.Errorf("two-delta moves %d bits an element, want its row", n)
	}
	if n := dfcm.AccessBits(); n != dfcm.RowBits()+2*16 {
		t.Errorf("DFCM moves %d bits an element, want its row and two strides", n)
	}
}

// TestStateHoldsWhatWasLearnt: a predictor that takes over the state of another predicts as it does.
func TestStateHoldsWhatWasLearnt(t *testing.T) {
	for kind := range numKinds {
		c := paper
		c.Kind = kind
		p, q, a := NewPredictor(c), NewPredictor(c), whole(0, false)
		for v := range uint32(40) {
			p.Train(a, lineOf(func(int) uint32 { return 10*v + v%3 }))
		}
		saved := tape.NewTape().Save(p.State, nil)
		tape.NewTape().Load(q.State, saved)
		for v := range uint32(6) {
			var x, y mem.Line
			if p.Predict(a, &x) != q.Predict(a, &y) || x != y {
				t.Fatalf("%s: after %d values the loaded predictor says %d, the saved one %d",
					KindNames[kind], v, word(&y, 0), word(&x, 0))
			}
			next := lineOf(func(int) uint32 { return 500 + 10*v + v%3 })
			p.Train(a, next)
			q.Train(a, next)
		}
	}
}
