package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// The steps of training [ours].

const (
	optimizerDoc = "Weights in f32 move by a gradient in bf16, and are written in bf16 too: a stream without reuse, of "
	optimizerEnd = " bytes a parameter. Data `trained`: the moments are those of a run of many steps; `start`: they are zeros; `heavytail`: as `trained`, with weights that have the statistics of real layers. Only gradients and weights in bf16 may be approximated."
)

var sgd = definition{
	info: Info{
		Name: "sgd", Title: "Training: a step of SGD with momentum", Doc: optimizerDoc + "20" + optimizerEnd,
		Sizes: []int{4096, 65536, 262144, 1048576}, DefaultSize: 262144, FullSize: 4194304, SizeLabel: "parameters",
		DataModes: []string{"trained", "start", "heavytail"},
	},
	number: sgdNumber, file: "optimizer", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 32, max: 1 << 24, step: 2},
	build: buildOptimizer,
}

var adam = definition{
	info: Info{
		Name: "adam", Title: "Training: a step of AdamW", Doc: optimizerDoc + "28" + optimizerEnd,
		Sizes: []int{4096, 65536, 262144, 1048576}, DefaultSize: 262144, FullSize: 4194304, SizeLabel: "parameters",
		DataModes: []string{"trained", "start", "heavytail"},
	},
	number: 116, file: "optimizer", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 32, max: 1 << 24, step: 2},
	build: buildOptimizer,
}

const (
	sgdNumber         = 115
	gradientRow       = 1024
	gradientDeviation = 1e-3 // at the middle of the rows; a row is up to 2^4 times smaller or larger [ours]
	momentumKept      = 0.9  // of SGD (Sutskever et al., ICML 2013) and of Adam (Kingma and Ba, ICLR 2015)
	squaresKept       = 0.95 // of Adam for large language models (Brown et al., GPT-3, NeurIPS 2020)
)

// gradientsLike are gradients and the deviation of each row.
func gradientsLike(rnd *sim.Rand, n int) (gradients, deviation []float32) {
	deviation = generate((n+gradientRow-1)/gradientRow, func(int) float32 { return float32(math.Ldexp(gradientDeviation, rnd.Intn(9)-4)) })
	return generate(n, func(i int) float32 { return deviation[i/gradientRow] * float32(normal(rnd)) }), deviation
}

func buildOptimizer(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	weights, gradients, moments := r.rand(0), r.rand(1), r.rand(2)
	g, deviation := gradientsLike(&gradients, n)
	var first, second []float32
	w := weightsLike
	if r.data == "heavytail" {
		w = func(rnd *sim.Rand, n int) []float32 {
			return layerLike(rnd, (n+gradientRow-1)/gradientRow, gradientRow)[:n]
		}
	}
	if r.data != "start" {
		// A running mean that keeps a share k has (1-k)/(1+k) of the variance, if gradients are independent.
		first = generate(n, func(i int) float32 {
			return deviation[i/gradientRow] * float32(math.Sqrt((1-momentumKept)/(1+momentumKept))*normal(&moments))
		})
		second = generate(n, func(i int) float32 { // squares of normal numbers have variance 2
			v := 1 + float64(math.Sqrt(2*(1-squaresKept)/(1+squaresKept))*normal(&moments))
			return deviation[i/gradientRow] * deviation[i/gradientRow] * float32(max(v, 0.1))
		})
	}
	var t tensors
	t.add("master", workload.ElementF32, n, w(&weights, n)).Output = true
	pairs := n / 2
	var l workload.Launch
	if r.number == sgdNumber {
		for i := range first { // SGD adds gradients up, Adam takes their mean
			first[i] /= 1 - momentumKept
		}
		t.add("momentum", workload.ElementF32, n, first)
		l = over("sgd", pairs, 256, args{0, 1, 2, 3})
		l.Args = append(l.Args, workload.F32(0.01), workload.F32(momentumKept))
	} else {
		t.add("first", workload.ElementF32, n, first)
		t.add("second", workload.ElementF32, n, second)
		unbias := func(kept float64) workload.Arg {
			if r.data != "start" {
				return workload.F32(1) // after many steps
			}
			return workload.F32(float32(1 / (1 - kept))) // after one
		}
		l = over("adam", pairs, 256, args{0, 1, 2, 3, 4})
		l.Args = append(l.Args, workload.F32(1e-4), workload.F32(0.1), unbias(momentumKept), unbias(squaresKept))
	}
	l.Args = append(l.Args, workload.U32(uint32(pairs)))
	t.in("gradient", workload.ElementBF16, g)
	t.out("weight", workload.ElementBF16, n)
	return t, []workload.Launch{l}
}
