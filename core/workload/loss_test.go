package workload

import (
	"encoding/binary"
	"math"
	"testing"
)

func doubles(v ...float64) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// TestQualityLoss has each metric of RFVP's table I, computed by hand.
func TestQualityLoss(t *testing.T) {
	output := func(n int) Buffer {
		return Buffer{Name: "out", Bytes: uint64(8 * n), Element: ElementF64, Output: true}
	}
	nan := math.NaN()
	for _, c := range []struct {
		name       string
		loss       Loss
		exact, got [][]float64
		want       float64
	}{
		{"relative-error", Loss{Kind: LossRelative}, [][]float64{{2, 4, 0, -1}}, [][]float64{{1, 40, 1, -1}}, (0.5 + 1 + 1 + 0) / 4},
		{"nrmse", Loss{Kind: LossNRMSE}, [][]float64{{0, 10}}, [][]float64{{3, 14}}, math.Sqrt((0.09 + 0.16) / 2)},
		{"displacement", Loss{Kind: LossDisplacement, Diagonal: 50}, [][]float64{{10, 10, 20, 20}}, [][]float64{{13, 14, 20, 20}}, (5. / 50) / 2},
		{"displacement", Loss{Kind: LossDisplacement, Diagonal: 50}, [][]float64{{10, 10, 20, 20}}, [][]float64{{nan, 14, 2000, 20}}, 1},
		{"displacement", Loss{Kind: LossDisplacement, Diagonal: 50}, [][]float64{{0, 10}, {0, 20}, {0.5, 0.5}}, [][]float64{{6, 10}, {8, 20}, {0.5, 0.5}}, 5. / 50},
		{"mismatch", Loss{Kind: LossMismatch}, [][]float64{{0, 0, 1, 1, 0, 2}}, [][]float64{{0, 1, 1, 0, 0, 3}}, 3. / 4},
		{"mismatch", Loss{Kind: LossMismatch}, [][]float64{{0}}, [][]float64{{0}}, 0},
		{"pixel-difference", Loss{Kind: LossPixels}, [][]float64{{-10, 0, 100, 1000}}, [][]float64{{-1e300, 2.5, nan, 1e38}},
			math.Sqrt((25+200*200.)/4) / 255},
		{"miss-rate", Loss{}, [][]float64{{0, 0, 1, 1}}, [][]float64{{0, 1, 1, 1}}, 1. / 4},
	} {
		p := &Program{Metric: MetricMissRate, Loss: c.loss}
		var exact, got [][]byte
		for i := range c.exact {
			p.Buffers = append(p.Buffers, output(len(c.exact[i])).AsImage(len(c.exact[i]), 1, 0, 2))
			exact, got = append(exact, doubles(c.exact[i]...)), append(got, doubles(c.got[i]...))
		}
		if v := p.QualityLoss(exact, got); math.Abs(v-c.want) > 1e-12 || p.LossMetric() != c.name {
			t.Errorf("%s of %v and %v is %s %v, want %v", c.name, c.exact, c.got, p.LossMetric(), v, c.want)
		}
		if v := p.QualityLoss(exact, exact); v != 0 {
			t.Errorf("%s of equal outputs is %v", c.name, v)
		}
	}
}
