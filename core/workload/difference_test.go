package workload

import (
	"encoding/binary"
	"math"
	"testing"
)

// Each difference is counted by hand.
func TestDifferenceOnHandCases(t *testing.T) {
	nan, inf, low := float32(math.NaN()), float32(math.Inf(1)), float32(math.Copysign(0, -1))
	for _, c := range []struct {
		name string
		x, y []float32
		want Difference
	}{
		{"equal, NaN too", []float32{1, nan, inf}, []float32{1, nan, inf}, Difference{Elements: 3}},
		{"the largest comes last", []float32{1, 2, 3}, []float32{1, 2.5, -1}, Difference{Elements: 3, Different: 2, Largest: 4, First: 1}},
		{"zeros of two signs", []float32{5, 0}, []float32{5, low}, Difference{Elements: 2, Different: 1, First: 1}},
		{"NaN and infinity have no distance", []float32{nan, inf, 1}, []float32{1, 1, 3}, Difference{Elements: 3, Different: 3, Largest: 2, NotFinite: 2}},
	} {
		b := outputOf("out", len(c.x))
		if got := Compare(&b, packed(c.x), packed(c.y)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	a, b := nanBits(0x7fc00000), nanBits(0x7fc00001)
	buffer := outputOf("out", 1)
	if got, want := Compare(&buffer, a, b), (Difference{Elements: 1, Different: 1, NotFinite: 1}); got != want {
		t.Errorf("payloads of NaN: %+v, want %+v", got, want)
	}
}

func nanBits(bits uint32) []byte { return binary.LittleEndian.AppendUint32(nil, bits) }

func TestElementTextHasAllDigits(t *testing.T) {
	word := func(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
	for _, c := range []struct {
		element    Element
		data       []byte
		i          uint64
		text, bits string
	}{
		{ElementU64, word(1<<63 + 1), 0, "9223372036854775809", "0x8000000000000001"},
		{ElementS64, word(1<<63 + 1), 0, "-9223372036854775807", "0x8000000000000001"},
		{ElementF64, word(math.Float64bits(0.1)), 0, "0.1", "0x3fb999999999999a"},
		{ElementF32, word(uint64(math.Float32bits(0.1)) << 32), 1, "0.1", "0x3dcccccd"},
		{ElementU32, word(0xffffffff), 0, "4294967295", "0xffffffff"},
		{ElementS16, word(0x8000 << 16), 1, "-32768", "0x8000"},
		{ElementU8, word(0x0700), 1, "7", "0x07"},
	} {
		if text, bits := TextOf(c.element, c.data, c.i), BitsOf(c.element, c.data, c.i); text != c.text || bits != c.bits {
			t.Errorf("%v: %s and %s, want %s and %s", c.element, text, bits, c.text, c.bits)
		}
	}
}
