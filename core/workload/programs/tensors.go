package programs

import (
	"encoding/binary"
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// The data of transformers, drawn from what is published about them; ../README.md lists the sources and what is ours.

const (
	// weightDeviation is that of weights at the start of training in BERT (Devlin et al., NAACL 2019, initializer_range)
	// and GPT-2 (Radford et al., 2019). Trained weights are near normal around 0 too (Dettmers et al., QLoRA, NeurIPS 2023).
	weightDeviation = 0.02
	// outlierChannels: 6 of the 4096 features of a model with 6.7 billion parameters (Dettmers et al., LLM.int8(), NeurIPS 2022).
	outlierChannels, outlierChannelsOf = 6, 4096
	// Outliers are 20 (LLM.int8()) to 100 (Xiao et al., SmoothQuant, ICML 2023) times as large, in the same channels for all tokens.
	outlierLeast, outlierMost = 20, 100
	// Keys have few channels of very large magnitude, values none (Liu et al., KIVI, ICML 2024). The share and the factor are ours.
	keyOutliersEach, keyOutlierFactor = 32, 8
	// rowSpread and tailSpread are of the logarithms of what scales the rows and the numbers of a layer: medians of the
	// dense layers of assets/data, by the spread of their rows and the kurtosis within a row.
	rowSpread, tailSpread = 0.27, 0.27
)

// normal is the sum of twelve numbers of 16 bits, with mean 0 and variance 1.
func normal(rnd *sim.Rand) float64 {
	sum := 6 - 12<<15 // the mean of a number is 1/2 below 2^15
	for range 6 {
		v := rnd.Uint32()
		sum += int(v>>16) + int(v&0xffff)
	}
	return float64(sum) / (1 << 16)
}

// weightsLike are n trained weights.
func weightsLike(rnd *sim.Rand, n int) []float32 {
	return generate(n, func(int) float32 { return float32(weightDeviation * normal(rnd)) })
}

// layerLike are the weights of a layer with the statistics of real ones (assets/data/README.md): rows differ in size,
// tails are heavy, and no bit of f32 is regular, as those of weightsLike are.
func layerLike(rnd *sim.Rand, rows, width int) []float32 {
	size := generate(rows, func(int) float32 { return float32(exponential(float64(rowSpread * normal(rnd)))) })
	return generate(rows*width, func(i int) float32 {
		x := float64(size[i/width]) * weightDeviation * normal(rnd)
		return float32(x * exponential(float64(tailSpread*normal(rnd))))
	})
}

// activationsLike are rows of activations; some channels are outliers in all rows if that is asked for.
func activationsLike(rnd *sim.Rand, rows, width int, outliers bool) []float32 {
	scale := generate(width, func(int) float32 { return 1 })
	if outliers {
		for range (width*outlierChannels + outlierChannelsOf - 1) / outlierChannelsOf {
			scale[rnd.Intn(width)] = outlierLeast + float32(outlierMost-outlierLeast)*rnd.Float32()
		}
	}
	return generate(rows*width, func(i int) float32 { return scale[i%width] * float32(normal(rnd)) })
}

// keysLike are rows of keys.
func keysLike(rnd *sim.Rand, rows, width int) []float32 {
	scale := generate(width, func(int) float32 { return 1 })
	for range width / keyOutliersEach {
		scale[rnd.Intn(width)] = keyOutlierFactor
	}
	return generate(rows*width, func(i int) float32 { return scale[i%width] * float32(normal(rnd)) })
}

// encoded is the number of a small format that is nearest to x, at most the largest finite one.
func encoded(x float64, e workload.Element) uint32 {
	fraction, exponent, largest := 10, 5, uint32(0x7bff)
	switch e {
	case workload.ElementBF16:
		fraction, exponent, largest = 7, 8, 0x7f7f
	case workload.ElementE4M3:
		fraction, exponent, largest = 3, 4, 0x7e
	}
	var sign uint32
	if x < 0 {
		sign, x = 1, -x
	}
	bias := 1<<(exponent-1) - 1
	_, at := math.Frexp(x)
	at = max(at-1, 1-bias)
	bits := uint32(at+bias-1)<<fraction + uint32(math.RoundToEven(math.Ldexp(x, fraction-at)))
	return sign<<(fraction+exponent) | min(bits, largest)
}

// add makes a buffer of n numbers of a format; v may be nil for zeros.
func (t *tensors) add(name string, e workload.Element, n int, v []float32) *workload.Buffer {
	*t = append(*t, workload.Buffer{Name: name, Bytes: uint64(n * e.Bytes()), Element: e})
	b := &(*t)[len(*t)-1]
	if e == workload.ElementF32 && v != nil {
		b.Init = floats(v)
		return b
	}
	for _, x := range v {
		if bits := encoded(float64(x), e); e.Bytes() == 1 {
			b.Init = append(b.Init, byte(bits))
		} else {
			b.Init = binary.LittleEndian.AppendUint16(b.Init, uint16(bits))
		}
	}
	return b
}

// tensors are the buffers of a program in the order of its arguments. Its methods take pointers and few words, because each buffer
// that is passed by value takes a hundred bytes of code in the page's engine.
type tensors []workload.Buffer

// in adds an input that may be approximated.
func (t *tensors) in(name string, e workload.Element, v []float32) {
	t.add(name, e, len(v), v).Safe = true
}

// out adds an output that may be approximated.
func (t *tensors) out(name string, e workload.Element, n int) {
	b := t.add(name, e, n, nil)
	b.Safe, b.Output = true, true
}

// exact adds numbers of 32 bits that stay as they are.
func (t *tensors) exact(name string, e workload.Element, init []byte) {
	b := t.add(name, e, len(init)/4, nil)
	b.Init = init
}

// greatest is the greatest magnitude of v, which is not all zeros.
func greatest(v []float32) (most float32) {
	for _, x := range v {
		most = max(most, x, -x)
	}
	return most
}

// e4m3Largest is the largest number of e4m3 (PTX ISA).
const e4m3Largest = 448

// fp8 adds an input whose greatest magnitude is the largest number of e4m3, and returns the scale that undoes that.
func (t *tensors) fp8(name string, v []float32) (scale float32) {
	scale = greatest(v) / e4m3Largest
	t.in(name, workload.ElementE4M3, generate(len(v), func(i int) float32 { return v[i] / scale }))
	return scale
}
