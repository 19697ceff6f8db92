package programs

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/workload"
)

// oddHopperShapes are of TestOddShapes.
var oddHopperShapes = []oddShape{
	{"hoppergemm", Params{Size: 128, Data: "streamk"}},
	{"hopperattention", Params{Size: 384}},
	{"hopperattention", Params{Size: 384, Data: "full128"}},
	{"hopperdecode", Params{Size: 16}},
	{"hopperrows", Params{Size: 1}},
	{"hoppermoe", Params{Size: 1}},
	{"hoppermoe", Params{Size: 517, Data: "even"}},
}

// cutAt drops the bits of v below a unit, toward zero.
func cutAt(v, unit float64) float64 { return math.Trunc(v/unit) * unit }

// exponentOfProduct is the sum of the exponents of both factors, which matrix units take for that of the product.
func exponentOfProduct(a, b float64) int {
	_, i := math.Frexp(a)
	_, k := math.Frexp(b)
	return i + k - 2
}

// sumOfEighths adds the products of two rows in e4m3 as wgmma does: 32 at a time, with the sum before, are cut to
// 13 bits below the largest exponent among them (MMA-Sim, arXiv 2511.10909), and the sum is cut to f32.
func sumOfEighths(x, w []float64) (sum float64) {
	for k := 0; k < len(x); k += 32 {
		most := math.MinInt32
		if sum != 0 {
			_, e := math.Frexp(sum)
			most = e - 1
		}
		for i := k; i < k+32; i++ {
			if x[i]*w[i] != 0 {
				most = max(most, exponentOfProduct(x[i], w[i]))
			}
		}
		if most == math.MinInt32 {
			continue
		}
		unit := math.Ldexp(1, most-13)
		sum = cutAt(sum, unit)
		for i := k; i < k+32; i++ {
			sum += cutAt(x[i]*w[i], unit)
		}
		if sum != 0 {
			_, e := math.Frexp(sum)
			sum = cutAt(sum, math.Ldexp(1, e-24))
		}
	}
	return sum
}

// checkHopperFP8 compares every bit.
func checkHopperFP8(p *workload.Program, before, after [][]byte, n int) error {
	x, w := tensorOf(p, 0, before), tensorOf(p, 1, before)
	scale := math.Float32frombits(uint32(p.Launches[0].Args[4].Bits))
	for i := range n * n {
		want := roundedBF16(float32(sumOfEighths(x[i/n*n:][:n], w[i%n*n:][:n])) * scale)
		if got := binary.LittleEndian.Uint16(after[2][2*i:]); got != want {
			return fmt.Errorf("out[%d] is %#x, want %#x", i, got, want)
		}
	}
	return nil
}

func checkHopperAttention(p *workload.Program, before, after [][]byte) error {
	q, k, v := tensorOf(p, 0, before), tensorOf(p, 1, before), tensorOf(p, 2, before)
	n := int(p.Launches[0].Args[4].Bits)
	width := len(q) / hopperHeads / n
	var want, size []float64
	for at := 0; at < len(q); at += width {
		begin := at / (n * width) * (n * width)
		end := begin + n*width
		if p.Launches[0].Args[5].Bits != 0 {
			end = at + width
		}
		w, s := attended(q[at:at+width], k[begin:end], v[begin:end], 1)
		want, size = append(want, w...), append(size, s...)
	}
	// Shares are rounded to f16 before they multiply the values.
	return near("out", tensorOf(p, 3, after), want, 1,
		func(i int) float64 { return halfUnitF16*math.Abs(want[i]) + 1e-3*size[i] })
}

func checkHopperDecode(p *workload.Program, before, after [][]byte) error {
	q, k, v := tensorOf(p, 0, before), tensorOf(p, 1, before), tensorOf(p, 2, before)
	pages, lengths := readWords(before[3]), readWords(before[4])
	number := func(arg int) float64 { return float64(math.Float32frombits(uint32(p.Launches[0].Args[arg].Bits))) }
	each := len(pages) / len(lengths)
	want, size := make([]float64, len(q)), make([]float64, len(q))
	for row := 0; row < len(q); row += decodeWidth {
		s, head := row/decodeWidth/decodeQueries/decodeHeads, row/decodeWidth/decodeQueries%decodeHeads
		most, total := math.Inf(-1), 0.0
		var scores []float64
		var places []int
		for t := range int(lengths[s]) {
			at := ((int(pages[s*each+t/decodePage])*decodeHeads+head)*decodePage + t%decodePage) * decodeWidth
			score := sumOfEighths(k[at:at+decodeWidth], q[row:row+decodeWidth]) * number(7)
			scores, places, most = append(scores, score), append(places, at), max(most, score)
		}
		for t, score := range scores {
			share := math.Exp2(score - most)
			total += share
			for i := range decodeWidth {
				want[row+i] += share * v[places[t]+i]
				size[row+i] += share * math.Abs(v[places[t]+i])
			}
		}
		for i := row; i < row+decodeWidth; i++ {
			want[i], size[i] = want[i]/total*number(8), size[i]/total*number(8)
		}
	}
	return near("out", tensorOf(p, 5, after), want, 1,
		func(i int) float64 { return halfUnitF16*math.Abs(want[i]) + 1e-5*size[i] })
}

func checkHopperRows(p *workload.Program, before, after [][]byte) error {
	x, out := tensorOf(p, 0, before), len(before)-1
	want := make([]float64, len(x))
	for row := 0; row < len(x); row += hopperRowWidth {
		most, sum, squares := math.Inf(-1), 0.0, 0.0
		for _, v := range x[row : row+hopperRowWidth] {
			most, squares = max(most, v), squares+v*v
		}
		for _, v := range x[row : row+hopperRowWidth] {
			sum += math.Exp(v - most)
		}
		for i := row; i < row+hopperRowWidth; i++ {
			if out == 1 {
				want[i] = math.Exp(x[i]-most) / sum
			} else {
				want[i] = x[i] / math.Sqrt(squares/hopperRowWidth+1e-5)
			}
		}
	}
	if out == 2 {
		scale := tensorOf(p, 1, before)
		for i := range want {
			want[i] *= scale[i%hopperRowWidth]
		}
	}
	return near("out", tensorOf(p, out, after), want, 1,
		func(i int) float64 { return halfUnitF16*math.Abs(want[i]) + leastF16 })
}

func checkHopperMoE(p *workload.Program, before, after [][]byte) error {
	x, w, offsets := tensorOf(p, 0, before), tensorOf(p, 1, before), readWords(before[3])
	want, size := make([]float64, len(x)), make([]float64, len(x))
	for e := range experts {
		for row := offsets[e]; row < offsets[e+1]; row++ {
			for c := range expertWidth {
				at := int(row)*expertWidth + c
				for k := range expertWidth {
					v := x[int(row)*expertWidth+k] * w[(e*expertWidth+c)*expertWidth+k]
					want[at], size[at] = want[at]+v, size[at]+math.Abs(v)
				}
			}
		}
	}
	return near("out", tensorOf(p, 2, after), want, 1,
		func(i int) float64 { return halfUnitBF16*math.Abs(want[i]) + unitLoss*size[i] })
}
