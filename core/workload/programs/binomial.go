package programs

import (
	"github.com/burstscope/burstscope/core/workload"
	"math"
)

// binomial is BO: binomialOptions of the CUDA SDK.
var binomial = definition{
	info: Info{
		Name: "binomial", Title: "Binomial options",
		Doc: "European calls on a binomial tree in shared memory, one CTA for each option (BO of LATTE-CC; limited by arithmetic). A tree has " +
			"512 steps, or 2048 from 512 options on. Data `sdk`: random prices 5 to 30, strikes 1 to 100 and years 0.25 to 10, as in the SDK, with the rate and volatility of " +
			"BlackScholes; `suite`: with the SDK's own, 0.06 and 0.10.",
		Sizes: []int{4, 8, 16, 64}, DefaultSize: 8, FullSize: 512, SizeLabel: "options",
		DataModes: []string{"sdk", Suite},
	},
	aliases: []string{"bo"},
	number:  24, file: "binomial", metric: workload.MetricMRE,
	size:  sizeRule{min: 1, max: 1024, step: 1},
	build: buildBinomial,
}

const (
	binomialThreads    = 256
	binomialShortSteps = 512
	binomialLongSteps  = 2048
	binomialLongFrom   = 512 // options
	binomialFields     = 5   // floats of Option in binomial.cu
	// Rate and volatility of the SDK sample.
	binomialRate       = 0.06
	binomialVolatility = 0.10
)

func buildBinomial(r *request) ([]workload.Buffer, []workload.Launch) {
	n, steps := r.size, binomialShortSteps
	if n >= binomialLongFrom {
		steps = binomialLongSteps
	}
	rnd := r.rand(0)
	between := func(low, high float64) float64 { return low + float64((high-low)*float64(rnd.Float32())) }
	rate, deviation := float64(riskFree), float64(volatility)
	if r.data == Suite {
		between = func(low, high float64) float64 { return float64(sdkUniform(&rnd, float32(low), float32(high))) }
		rate, deviation = binomialRate, binomialVolatility
	}
	options := make([]float32, 0, binomialFields*n)
	for range n {
		price, strike, years := between(5, 30), between(1, 100), between(0.25, 10)
		interval := years / float64(steps)
		logStep := float64(deviation * math.Sqrt(interval))
		up, down := exponential(logStep), exponential(-logStep)
		growth := exponential(float64(rate * interval))
		probability := (growth - down) / (up - down)
		options = append(options, float32(price), float32(strike), float32(logStep),
			float32(probability/growth), float32((1-probability)/growth))
	}
	buffers := []workload.Buffer{
		f32("d_OptionData", len(options), options),
		f32("d_CallValue", n, nil).AsSafe().AsOutput(),
	}
	return buffers, []workload.Launch{{
		Entry: "binomial", Grid: line(n), Block: line(binomialThreads), DynamicSharedBytes: 2 * 4 * (steps + 1),
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.S32(int32(steps))},
	}}
}
