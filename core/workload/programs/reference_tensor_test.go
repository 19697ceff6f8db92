package programs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/workload"
)

// tensorOf reads a buffer of any format.
func tensorOf(p *workload.Program, i int, data [][]byte) []float64 {
	b := &p.Buffers[i]
	v := make([]float64, len(data[i])/b.Element.Bytes())
	for k := range v {
		v[k] = b.Value(data[i], k)
	}
	return v
}

// Half the distance between two numbers of a format, relative to the number, with a hundredth for what was
// computed before.
const (
	halfUnitF16  = 1.01 / (1 << 11)
	halfUnitBF16 = 1.01 / (1 << 8)
	leastF16     = 1.0 / (1 << 24) // subnormal numbers are this far apart
)

func checkEmbedding(_ *workload.Program, before, after [][]byte) error {
	const row = 2 * embeddingWidth
	for i, id := range readWords(before[1]) {
		if !bytes.Equal(after[2][i*row:][:row], before[0][int(id)*row:][:row]) {
			return fmt.Errorf("token %d does not have row %d", i, id)
		}
	}
	return nil
}

func checkSoftmax(p *workload.Program, before, after [][]byte) error {
	scores, got := tensorOf(p, 0, before), tensorOf(p, 1, after)
	want := make([]float64, len(scores))
	n := int(math.Sqrt(float64(len(scores))))
	for row := 0; row < len(scores); row += n {
		most, sum := slices.Max(scores[row:row+n]), 0.0
		for i := row; i < row+n; i++ {
			want[i] = math.Exp(scores[i] - most)
			sum += want[i]
		}
		for i := row; i < row+n; i++ {
			want[i] /= sum
		}
	}
	return near("out", got, want, 1, func(i int) float64 { return halfUnitF16*want[i] + leastF16 })
}

func checkLayerNorm(p *workload.Program, before, after [][]byte) error {
	x, scale, offset := tensorOf(p, 0, before), tensorOf(p, 1, before), tensorOf(p, 2, before)
	want, size := make([]float64, len(x)), make([]float64, len(x))
	for row := 0; row < len(x); row += layerNormWidth {
		mean, squares := 0.0, 0.0
		for _, v := range x[row : row+layerNormWidth] {
			mean += v / layerNormWidth
		}
		for _, v := range x[row : row+layerNormWidth] {
			squares += (v - mean) * (v - mean) / layerNormWidth
		}
		for i := range layerNormWidth {
			v := (x[row+i] - mean) / math.Sqrt(squares+1e-5) * scale[i]
			want[row+i], size[row+i] = v+offset[i], math.Abs(v)+1
		}
	}
	// Means of 1024 numbers in f32 are off by some millionths.
	return near("out", tensorOf(p, 3, after), want, 1, func(i int) float64 { return halfUnitBF16*math.Abs(want[i]) + 1e-5*size[i] })
}

// roundedBF16 is the upper half of a float, to nearest even.
func roundedBF16(v float32) uint16 {
	bits := math.Float32bits(v)
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

func checkRounded(master, weight []byte) error {
	for i, v := range narrow(readFloats(master)) {
		if got := binary.LittleEndian.Uint16(weight[2*i:]); got != roundedBF16(v) {
			return fmt.Errorf("weight[%d] is %#x, the master copy rounds to %#x", i, got, roundedBF16(v))
		}
	}
	return nil
}

// checkSGD compares every bit.
func checkSGD(p *workload.Program, before, after [][]byte) error {
	w, m, g := narrow(readFloats(before[0])), narrow(readFloats(before[1])), narrow(tensorOf(p, 2, before))
	for i := range w {
		m[i] = fused(momentumKept, m[i], g[i])
		w[i] = fused(-0.01, m[i], w[i])
	}
	if err := sameFloats("momentum", readFloats(after[1]), m); err != nil {
		return err
	}
	if err := sameFloats("master", readFloats(after[0]), w); err != nil {
		return err
	}
	return checkRounded(after[0], after[3])
}

func checkAdam(p *workload.Program, before, after [][]byte) error {
	w, m, v, g := readFloats(before[0]), readFloats(before[1]), readFloats(before[2]), tensorOf(p, 3, before)
	unbias := func(arg int) float64 {
		return float64(math.Float32frombits(uint32(p.Launches[0].Args[arg].Bits)))
	}
	sizes := make([]float64, len(w))
	for i := range w {
		sizes[i] = math.Abs(m[i]) + math.Abs(g[i])
		m[i] = momentumKept*m[i] + (1-momentumKept)*g[i]
		v[i] = squaresKept*v[i] + (1-squaresKept)*g[i]*g[i]
		w[i] -= 1e-4 * (m[i]*unbias(7)/(math.Sqrt(v[i]*unbias(8))+1e-8) + 0.1*w[i])
	}
	if err := near("first", readFloats(after[1]), m, 1e-6, func(i int) float64 { return sizes[i] }); err != nil {
		return err
	}
	if err := near("second", readFloats(after[2]), v, 1e-6, relative(v)); err != nil {
		return err
	}
	if err := near("master", readFloats(after[0]), w, 1e-8, constant(1)); err != nil { // a step is 1e-4 times about 1
		return err
	}
	return checkRounded(after[0], after[4])
}

// times is the product of the rows of x with the rows of w, and of their magnitudes.
func times(x, w []float64, n int) (product, size []float64) {
	product, size = make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			sum, magnitude := 0.0, 0.0
			for k := range n {
				p := x[i*n+k] * w[j*n+k]
				sum, magnitude = sum+p, magnitude+math.Abs(p)
			}
			product[i*n+j], size[i*n+j] = sum, magnitude
		}
	}
	return product, size
}

// unitLoss is what matrix units lose of sums of up to 1024 products: they cut off below 2^-23 of the largest in steps of 16.
const unitLoss = 1.0 / (1 << 17)

func checkGemm(p *workload.Program, before, after [][]byte) error {
	x := tensorOf(p, 0, before)
	n := int(math.Sqrt(float64(len(x))))
	unit, out := halfUnitF16, 2
	var w []float64
	switch p.Launches[0].Entry {
	case "gemm_int8", "hopper_gemm_int8":
		return checkInt8(p, x, before, after, n)
	case "hopper_gemm_fp8":
		return checkHopperFP8(p, before, after, n)
	case "gemm_sparse", "hopper_gemm_sparse":
		w, out = spreadOut(tensorOf(p, 1, before), readWords(before[2])), 3
	case "gemm_bf16", "hopper_gemm_bf16":
		unit = halfUnitBF16
		fallthrough
	default:
		w = tensorOf(p, 1, before)
	}
	want, size := times(x, w, n)
	return near("out", tensorOf(p, out, after), want, 1, func(i int) float64 { return unit*math.Abs(want[i]) + unitLoss*size[i] + leastF16 })
}

// checkInt8 compares every bit: sums of bytes are exact.
func checkInt8(p *workload.Program, x []float64, before, after [][]byte, n int) error {
	sums, _ := times(x, tensorOf(p, 1, before), n)
	scaleX, scaleW := narrow(readFloats(before[3])), narrow(readFloats(before[4]))
	for i, sum := range sums {
		v := float32(sum) * float32(scaleX[i/n]*scaleW[i%n])
		want := uint16(arith.FormatF16.Nearest(float64(v)))
		if got := binary.LittleEndian.Uint16(after[2][2*i:]); got != want {
			return fmt.Errorf("out[%d] is %#x, want %#x", i, got, want)
		}
	}
	return nil
}

// spreadOut puts the kept weights of each four in their places.
func spreadOut(kept []float64, places []int32) []float64 {
	v := make([]float64, 2*len(kept))
	for i, x := range kept {
		v[i/2*4+int(uint32(places[i/16])>>(2*(i%16))&3)] = x
	}
	return v
}

func checkGemmFP8(p *workload.Program, before, after [][]byte) error {
	n := int(p.Launches[0].Grid[0]) * gemmTile
	want, size := times(tensorOf(p, 0, before), tensorOf(p, 1, before), n)
	scale := float64(math.Float32frombits(uint32(p.Launches[0].Args[3].Bits)))
	for i := range want {
		want[i] *= scale
	}
	return near("out", tensorOf(p, 2, after), want, 1, func(i int) float64 { return halfUnitBF16*math.Abs(want[i]) + unitLoss*scale*size[i] })
}

// attended is what one query gets, and the mean magnitude of the values after it.
func attended(q, keys, values []float64, scale float64) (out, size []float64) {
	width := len(q)
	scores := make([]float64, len(keys)/width)
	for t := range scores {
		for i := range q {
			scores[t] += q[i] * keys[t*width+i] * scale / math.Sqrt(float64(width))
		}
	}
	most, total := slices.Max(scores), 0.0
	out, size = make([]float64, width), make([]float64, width)
	for t, s := range scores {
		share := math.Exp(s - most)
		total += share
		for i := range out {
			out[i] += share * values[t*width+i]
			size[i] += share * math.Abs(values[t*width+i])
		}
	}
	for i := range out {
		out[i], size[i] = out[i]/total, size[i]/total
	}
	return out, size
}

func checkAttention(p *workload.Program, before, after [][]byte) error {
	q, k, v := tensorOf(p, 0, before), tensorOf(p, 1, before), tensorOf(p, 2, before)
	var want, size []float64
	for at := 0; at < len(q); at += attentionWidth {
		end := len(k)
		if p.Launches[0].Args[5].Bits != 0 {
			end = at + attentionWidth
		}
		w, s := attended(q[at:at+attentionWidth], k[:end], v[:end], 1)
		want, size = append(want, w...), append(size, s...)
	}
	// Shares are rounded to f16 before they multiply the values.
	return near("out", tensorOf(p, 3, after), want, 1, func(i int) float64 { return halfUnitF16*math.Abs(want[i]) + 1e-3*size[i] })
}

func checkPagedDecode(p *workload.Program, before, after [][]byte) error {
	q, k, v := tensorOf(p, 0, before), tensorOf(p, 1, before), tensorOf(p, 2, before)
	pages, lengths := readWords(before[3]), readWords(before[4])
	scaleKey, scaleValue := 1.0, 1.0
	if a := p.Launches[0].Args; len(a) > 8 {
		scaleKey, scaleValue = float64(math.Float32frombits(uint32(a[8].Bits))), float64(math.Float32frombits(uint32(a[9].Bits)))
	}
	each := len(pages) / len(lengths)
	var want, size []float64
	for s, length := range lengths {
		for head := range decodeHeads {
			var keys, values []float64
			for t := range int(length) {
				at := ((int(pages[s*each+t/decodePage])*decodeHeads+head)*decodePage + t%decodePage) * decodeWidth
				keys, values = append(keys, k[at:at+decodeWidth]...), append(values, v[at:at+decodeWidth]...)
			}
			w, m := attended(q[(s*decodeHeads+head)*decodeWidth:][:decodeWidth], keys, values, scaleKey)
			want, size = append(want, w...), append(size, m...)
		}
	}
	for i := range want {
		want[i], size[i] = want[i]*scaleValue, size[i]*scaleValue
	}
	return near("out", tensorOf(p, 5, after), want, 1, func(i int) float64 { return halfUnitF16*math.Abs(want[i]) + 1e-5*size[i] })
}

// TestSmallFormats: every number of a format keeps its bits, and others go to the nearest, as the conversions of
// the interpreter do.
func TestSmallFormats(t *testing.T) {
	formats := []struct {
		e       workload.Element
		nearest func(x float64) uint64
	}{
		{workload.ElementF16, arith.FormatF16.Nearest}, {workload.ElementBF16, arith.FormatBF16.Nearest},
		{workload.ElementE4M3, func(x float64) uint64 { return arith.SmallFormats["e4m3x2"].Nearest(x, false) }},
	}
	rnd := (&request{number: 1}).rand(0)
	for _, f := range formats {
		for v := range 1 << (8 * f.e.Bytes()) {
			b := workload.Buffer{Element: f.e}
			x := b.Value([]byte{byte(v), byte(v >> 8)}, 0)
			if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
				continue
			}
			if got := encoded(x, f.e); got != uint32(v) {
				t.Fatalf("%v %#x is %v, which has the bits %#x", f.e, v, x, got)
			}
		}
		for range 10000 {
			x := math.Ldexp(rnd.Float64()-0.5, rnd.Intn(24)-18)
			if got := encoded(x, f.e); uint64(got) != f.nearest(x) {
				t.Fatalf("%v of %v is %#x, want %#x", f.e, x, got, f.nearest(x))
			}
		}
	}
	if got := encoded(1e6, workload.ElementE4M3); got != 0x7e {
		t.Errorf("a million in e4m3 is %#x, want the largest number", got)
	}
}

// TestTensorsHaveThePublishedStatistics draws as programs do.
func TestTensorsHaveThePublishedStatistics(t *testing.T) {
	rnd := (&request{number: 112}).rand(0)
	const rows, width = 64, 4096
	deviation := func(v []float32, from, step int) float64 {
		sum, n := 0.0, 0
		for i := from; i < len(v); i += step {
			sum += float64(v[i]) * float64(v[i])
			n++
		}
		return math.Sqrt(sum / float64(n))
	}
	if d := deviation(weightsLike(&rnd, rows*width), 0, 1); math.Abs(d-0.02) > 0.0002 {
		t.Errorf("weights have a deviation of %v, want 0.02", d)
	}
	layer := layerLike(&rnd, rows, width)
	fourth, low := 0.0, 0
	for _, w := range layer {
		fourth += math.Pow(float64(w), 4) / float64(len(layer))
		low += int(math.Float32bits(w) & 1)
	}
	d := deviation(layer, 0, 1)
	if kurtosis := fourth / math.Pow(d, 4); kurtosis < 4.4 || kurtosis > 6.8 { // 3 exp(4 (0.27^2 + 0.27^2)) = 5.4
		t.Errorf("a layer has a kurtosis of %v, want 5.4", kurtosis)
	}
	if share := float64(low) / float64(len(layer)); math.Abs(share-0.5) > 0.01 {
		t.Errorf("%v of a layer's weights are odd, want half", share)
	}
	outliers := 0
	x := activationsLike(&rnd, rows, width, true)
	for c := range width {
		if d := deviation(x, c, width); d > 10 {
			outliers++
		} else if d > 2 {
			t.Errorf("channel %d has a deviation of %v", c, d)
		}
	}
	if outliers < 5 || outliers > 6 { // two may fall on one channel
		t.Errorf("%d of 4096 channels are outliers, want 6", outliers)
	}
	words := readWords(mustBuild(t, "embedding", Params{Size: 16384}).Buffers[1].Init)
	first, ten := 0, 0
	for _, id := range words {
		if id == 0 {
			first++
		}
		if id < 10 {
			ten++
		}
	}
	// log 2 / log 16385 and log 11 / log 16385.
	if a, b := float64(first)/16384, float64(ten)/16384; math.Abs(a-0.071) > 0.008 || math.Abs(b-0.247) > 0.012 {
		t.Errorf("the first token has a share of %.3f, the first ten %.3f; want 0.071 and 0.247", a, b)
	}
}
