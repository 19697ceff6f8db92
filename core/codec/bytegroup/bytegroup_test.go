package bytegroup

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

func count(lines []mem.Line) *Counts {
	c := NewCounts()
	for i := range lines {
		c.Count(&lines[i])
	}
	return c
}

// both returns the two codecs with the code of some lines.
func both(t testing.TB, lines []mem.Line) []*Codec {
	t.Helper()
	d, err := NewDFloat11(count(lines))
	if err != nil {
		t.Fatal(err)
	}
	z, err := NewZipNN(count(lines))
	if err != nil {
		t.Fatal(err)
	}
	return []*Codec{d, z}
}

// numbers returns blocks of normal numbers around 0, as weights are, in a type.
func numbers(l Layout, blocks int) []mem.Line {
	r := rand.New(rand.NewPCG(1, uint64(l)))
	lines := make([]mem.Line, blocks)
	for i := range lines {
		for k := 0; k < mem.LineBytes; k += 4 {
			a, b := math.Float32bits(float32(r.NormFloat64()*0.02)), math.Float32bits(float32(r.NormFloat64()*0.02))
			switch l {
			case F32:
				binary.LittleEndian.PutUint32(lines[i][k:], a)
			case BF16:
				binary.LittleEndian.PutUint32(lines[i][k:], a>>16|b&0xffff0000)
			case Halves: // short numbers, whose high byte is only their sign
				binary.LittleEndian.PutUint16(lines[i][k:], uint16(int16(r.Int32N(512)-256)))
				binary.LittleEndian.PutUint16(lines[i][k+2:], uint16(int16(r.Int32N(512)-256)))
			case Bytes:
				for n := range 4 {
					lines[i][k+n] = byte(int8(r.NormFloat64() * 6))
				}
			}
		}
	}
	return lines
}

func TestConformance(t *testing.T) {
	for l := range layouts {
		for _, c := range both(t, numbers(l, 200)) {
			codectest.Check(t, c)
		}
	}
	for _, c := range both(t, codectest.Corpus(20)) {
		codectest.Check(t, c)
	}
	for _, c := range both(t, nil) {
		codectest.Check(t, c)
	}
}

// TestLayoutFollowsTheType: the layout is that of the data.
func TestLayoutFollowsTheType(t *testing.T) {
	for l := range layouts {
		if c := both(t, numbers(l, 200))[1]; c.Layout() != l {
			t.Errorf("numbers of type %s: layout %s", l, c.Layout())
		}
	}
}

// TestExponentsAreFew: weights in bf16 take 11 bits for 16, which gave DFloat11 its name, and f32 27 for 32.
func TestExponentsAreFew(t *testing.T) {
	for _, c := range []struct {
		codec      int
		layout     Layout
		least, top float64
	}{{0, BF16, 10.4, 11.2}, {1, BF16, 10.4, 11.2}, {1, F32, 26.4, 27.2}} {
		lines := numbers(c.layout, 400)
		of := both(t, lines)[c.codec]
		total := 0
		for i := range lines {
			total += of.SizeBits(&lines[i])
		}
		elements := len(lines) * mem.LineBytes / 2
		if c.layout == F32 {
			elements /= 2
		}
		if got := float64(total) / float64(elements); got < c.least || got > c.top {
			t.Errorf("%s of %s: %.2f bits a number, want %.1f to %.1f", of.Info().Name, c.layout, got, c.least, c.top)
		}
	}
}

// slowBits is the size of a block by the definitions: each number taken apart by arithmetic on its value.
func slowBits(c *Codec, line *mem.Line) int {
	groups := c.layout.Groups()
	width := map[Layout]int{F32: 4, BF16: 2, Halves: 2, Bytes: 1}[c.layout]
	group := make([][]uint32, groups)
	positions := make([][]int, groups)
	for i := 0; i < mem.LineBytes; i += width {
		v := uint32(0)
		for k := range width {
			v += uint32(line[i+k]) << (8 * k)
		}
		top := uint32(1) << (8*width - 1)
		if c.layout == F32 || c.layout == BF16 {
			fraction := top >> 8 // the bits below eight of exponent
			sign, exponent := v/top, v%top/fraction
			v = exponent*(2*fraction) + sign*fraction + v%fraction
		}
		for k := range width {
			group[k] = append(group[k], v%256)
			positions[k] = append(positions[k], (i+k)%4)
			v /= 256
		}
	}
	total := 0
	for k := range group {
		coded, zero := 0, true
		for i, v := range group[k] {
			_, n, _ := c.table.Code(positions[k][i], v)
			coded += n
			zero = zero && v == 0
		}
		raw := 8 * len(group[k])
		switch {
		case c.fixed && k == 0:
			total += raw
		case c.fixed:
			total += coded
		case zero:
			total += 2
		default:
			total += 2 + min(coded, raw)
		}
	}
	return total
}

func TestAgainstDefinition(t *testing.T) {
	for l := range layouts {
		lines := append(numbers(l, 100), codectest.Corpus(10)...)
		for _, c := range both(t, lines) {
			for i := range lines {
				if got, want := c.RawBits(&lines[i]), slowBits(c, &lines[i]); got != want {
					t.Fatalf("%s, layout %s, block %d: %d bits, want %d", c.Info().Name, c.layout, i, got, want)
				}
			}
		}
	}
}

// TestWorkedBlocks: sizes that follow from a code by hand.
func TestWorkedBlocks(t *testing.T) {
	// Exponent 126 in half of the numbers, 125 in a quarter, 124 in a quarter, as often as a code needs for 1, 2 and
	// then, with 253 others that do not occur, 3 and more bits.
	var lines []mem.Line
	for range 1000 {
		var l mem.Line
		for i := range mem.LineBytes / 2 {
			exponent := [4]uint16{126, 126, 125, 124}[i%4]
			binary.LittleEndian.PutUint16(l[2*i:], exponent<<7|uint16(i))
		}
		lines = append(lines, l)
	}
	// Codewords: 126 one bit, 125 two, 124 three: the fourth branch has the values that do not occur.
	d := both(t, lines)[0]
	if got, want := d.SizeBits(&lines[0]), 64*8+32*1+16*2+16*3; got != want {
		t.Errorf("dfloat11: %d bits, want %d", got, want)
	}
	zero := mem.Line{}
	for _, c := range both(t, append(lines, zero)) {
		want := 2 * c.Layout().Groups()
		if c.fixed {
			_, n, _ := c.table.Code(1, 0)
			want = 64*8 + 64*n
		}
		if got := c.RawBits(&zero); got != want {
			t.Errorf("%s of zeros: %d bits, want %d", c.Info().Name, got, want)
		}
	}
}

func TestCountsAreKept(t *testing.T) {
	c := count(codectest.Corpus(5))
	stored := c.AppendBinary(nil)
	again, rest, err := ParseCounts(append(stored, 1, 2))
	if err != nil || len(rest) != 2 {
		t.Fatalf("%d bytes left: %v", len(rest), err)
	}
	if string(again.Clone().AppendBinary(nil)) != string(stored) {
		t.Error("other counts come back")
	}
	for n := range stored {
		if _, _, err := ParseCounts(stored[:n]); err == nil {
			t.Fatalf("counts cut to %d bytes are taken", n)
		}
	}
	wide := append([]byte{16}, stored[1:]...)
	if _, _, err := ParseCounts(wide); err == nil {
		t.Error("counts of 16-bit symbols are taken")
	}
}

func TestRestoreUndoesArrange(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for l := range layouts {
		for range 10_000 {
			if w := r.Uint32(); l.restore(l.arrange(w)) != w {
				t.Fatalf("%s: %#x", l, w)
			}
		}
	}
}

func FuzzDFloat11(f *testing.F) { codectest.Fuzz(f, both(f, numbers(BF16, 50))[0]) }
func FuzzZipNN(f *testing.F)    { codectest.Fuzz(f, both(f, numbers(F32, 50))[1]) }

func Benchmark(b *testing.B) {
	for _, c := range both(b, numbers(BF16, 50)) {
		b.Run(c.Info().Name, func(b *testing.B) { codectest.Bench(b, c) })
	}
}
