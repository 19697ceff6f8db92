package workload

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

func TestErrorOverAddress(t *testing.T) {
	b := &Buffer{Element: ElementF32}
	data := func(values ...float32) (bytes []byte) {
		for _, v := range values {
			bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(v))
		}
		return bytes
	}
	nan, inf := float32(math.NaN()), math.Inf(1)
	exact, got := data(1, 2, 3, 4, nan, 6, 7), data(1, 2, 3, 8, nan, 5, nan)
	for _, c := range []struct {
		parts, each int
		mean, most  []float64
	}{
		{7, 1, []float64{0, 0, 0, 4, 0, 1, inf}, []float64{0, 0, 0, 4, 0, 1, inf}},
		{3, 3, []float64{0, 5.0 / 3, inf}, []float64{0, 4, inf}},
		{4, 2, []float64{0, 2, 0.5, inf}, []float64{0, 4, 1, inf}},
		{1, 7, []float64{inf}, []float64{inf}},
		{100, 1, []float64{0, 0, 0, 4, 0, 1, inf}, []float64{0, 0, 0, 4, 0, 1, inf}},
	} {
		if each, mean, most := b.ErrorOverAddress(exact, got, c.parts); each != c.each || !slices.Equal(mean, c.mean) || !slices.Equal(most, c.most) {
			t.Errorf("%d parts: %d elements each, mean %v, most %v", c.parts, each, mean, most)
		}
	}
	if _, mean, _ := b.ErrorOverAddress(nil, nil, 5); len(mean) != 0 {
		t.Errorf("an empty buffer has %v", mean)
	}
}
