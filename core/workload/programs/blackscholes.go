package programs

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// blackScholes is BS: the BlackScholes sample of the CUDA SDK.
var blackScholes = definition{
	info: Info{
		Name: "blackscholes", Title: "Option pricing (Black-Scholes)",
		Doc: "European call and put prices by the closed form, three streams in and two out (BS of SLC). Data `near` (tuned to the published " +
			"block sizes of 96 to 112 bytes): prices and strikes in [20,30], quarter years. `sdk`: the ranges of the SDK, full mantissas, " +
			"which hardly compress. `suite`: the same ranges, drawn by the SDK's own formula. `grid`: the same ranges in hundredths. The years are never approximated, because a time near 0 causes a division by zero.",
		Sizes: []int{16000, 40000, 160000, 1000000, 4000000}, DefaultSize: 160000, FullSize: 4000000, StudySize: 1000000, SizeLabel: "options",
		DataModes: []string{"near", "sdk", "grid", Suite}, TunedData: []string{"near"},
	},
	aliases: []string{"bs"},
	number:  2, file: "blackscholes", metric: workload.MetricMRE,
	size:  sizeRule{min: 32, max: 4000000, step: 1},
	build: buildBlackScholes,
}

// Rate and volatility of the SDK sample.
const (
	riskFree   = 0.02
	volatility = 0.30
)

func buildBlackScholes(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	price, strike, years := r.rand(0), r.rand(1), r.rand(2)
	hundredths := func(rnd *sim.Rand, low, high int) float32 {
		return float32(low+rnd.Intn(high-low+1)) / 100
	}
	uniform := func(rnd *sim.Rand, low, high float32) float32 {
		return low + float32((high-low)*rnd.Float32())
	}
	var s, x, t func(int) float32
	switch r.data {
	case "near": // README.md, Options
		s = func(int) float32 { return uniform(&price, 20, 30) }
		x = func(int) float32 { return uniform(&strike, 20, 30) }
		t = func(int) float32 { return float32(1+years.Intn(40)) / 4 }
	case "grid":
		s = func(int) float32 { return hundredths(&price, 500, 3000) }
		x = func(int) float32 { return hundredths(&strike, 100, 10000) }
		t = func(int) float32 { return hundredths(&years, 25, 1000) }
	case Suite:
		s = func(int) float32 { return sdkUniform(&price, 5, 30) }
		x = func(int) float32 { return sdkUniform(&strike, 1, 100) }
		t = func(int) float32 { return sdkUniform(&years, 0.25, 10) }
	default:
		s = func(int) float32 { return uniform(&price, 5, 30) }
		x = func(int) float32 { return uniform(&strike, 1, 100) }
		t = func(int) float32 { return uniform(&years, 0.25, 10) }
	}
	buffers := []workload.Buffer{
		f32("StockPrice", n, generate(n, s)).AsSafe(),
		f32("OptionStrike", n, generate(n, x)).AsSafe(),
		f32("OptionYears", n, generate(n, t)),
		f32("CallResult", n, nil).AsSafe().AsOutput(),
		f32("PutResult", n, nil).AsSafe().AsOutput(),
	}
	const threads, ctasMax = 128, 480 // launch of the SDK sample
	return buffers, []workload.Launch{{
		Entry: "blackscholes", Grid: line(min(ctasMax, int(blocks(n, threads)))), Block: line(threads),
		Args: []workload.Arg{
			workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2),
			workload.F32(riskFree), workload.F32(volatility), workload.U32(uint32(n)),
		},
	}}
}
