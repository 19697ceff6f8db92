package workload

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

func TestPixelsAreRoundedAndClamped(t *testing.T) {
	b := Buffer{Element: ElementF32, Width: 3, Height: 2, ImageScale: 2, ImageOffset: 10}
	var data []byte
	for _, v := range []float64{0, 1.2, -6, 200, math.NaN(), math.Inf(-1)} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	if got, want := b.Pixels(data), []uint8{10, 12, 0, 255, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
