package programs

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// backprop is BP: backprop of the Rodinia suite.
var backprop = definition{
	info: Info{
		Name: "backprop", Title: "Neural network training step",
		Doc: "One step of back-propagation for a layer of many inputs and 16 hidden units (BP of SLC, E2MC, LATTE-CC and RFVP). A kernel " +
			"computes the hidden units and their errors, which Rodinia leaves to the host; with `suite` and `hundredths` they are inputs " +
			"from an exact run, so no time passes for them. Data `grid` (tuned to the published " +
			"block sizes, mostly below 64 bytes): weights in hundredths; `uniform`: random weights as in Rodinia, which hardly compress; `suite`: the same, " +
			"drawn by Rodinia's own formula; `hundredths` (tuned to the same sizes): the weights of `grid`.",
		Sizes: []int{4096, 16384, 65536, 262144}, DefaultSize: 16384, FullSize: 65536, StudySize: 65536, SizeLabel: "inputs",
		DataModes: []string{"grid", "uniform", Suite, "hundredths"}, TunedData: []string{"grid", "hundredths"},
	},
	aliases: []string{"bp"},
	number:  6, file: "backprop", metric: workload.MetricMRE,
	loss:  lossOf(workload.LossRelative),
	size:  sizeRule{min: hiddenUnits, max: 262144, step: hiddenUnits},
	build: buildBackprop,
}

const (
	hiddenUnits    = 16 // UNITS of backprop.cu
	backpropTarget = 0.1
)

func buildBackprop(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rows := n / hiddenUnits
	input, weight, output := r.rand(0), r.rand(1), r.rand(2)
	draw := (*sim.Rand).Float32
	if r.data == Suite {
		draw = overRandMax
	}
	unit := generate(n+1, func(i int) float32 {
		if i == 0 {
			return 1 // the bias
		}
		return draw(&input)
	})
	weights := generate((n+1)*(hiddenUnits+1), func(int) float32 {
		if r.data == "grid" || r.data == "hundredths" {
			return float32(weight.Intn(101)) / 100
		}
		return draw(&weight)
	})
	outputs := generate(hiddenUnits+1, func(int) float32 { return draw(&output) })
	buffers := []workload.Buffer{
		f32("input", n+1, unit).AsSafe(),
		f32("output_hidden", hiddenUnits+1, nil).AsSafe(),
		f32("input_hidden", len(weights), weights).AsSafe().AsOutput(),
		f32("hidden_partial_sum", n, nil).AsSafe(),
		f32("hidden_delta", hiddenUnits+1, nil).AsSafe(),
		f32("input_prev_weights", len(weights), nil).AsSafe(),
		f32("hidden_weights", hiddenUnits+1, outputs),
	}
	units, hidden, matrix, partial, delta, previous, outputWeights := workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2),
		workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(5), workload.BufferArg(6)
	block := square(hiddenUnits, hiddenUnits)
	forward := workload.Launch{Entry: "backprop_forward", Grid: square(1, uint32(rows)), Block: block, Args: []workload.Arg{units, matrix, partial}}
	adjust := workload.Launch{Entry: "backprop_adjust", Grid: square(1, uint32(rows)), Block: block, Args: []workload.Arg{delta, units, matrix, previous}}
	if r.data == Suite || r.data == "hundredths" {
		values, errors := hiddenLayer(unit, weights, outputs)
		buffers[1].Init, buffers[4].Init = floats(values), floats(errors)
		return buffers, []workload.Launch{forward, adjust}
	}
	return buffers, []workload.Launch{
		forward,
		{
			Entry: "backprop_hidden", Grid: line(1), Block: block,
			Args: []workload.Arg{partial, workload.U32(uint32(rows)), matrix, outputWeights, workload.F32(backpropTarget), hidden, delta},
		},
		adjust,
	}
}

// hiddenLayer is what Rodinia's host computes between the two kernels: the hidden units and
// their errors, from exact sums. The weights of this program are positive, so every hidden
// unit is 1 and every error 0 from some hundred inputs on, whatever the sums lose.
func hiddenLayer(input, weights, outputs []float32) (values, errors []float32) {
	const columns = hiddenUnits + 1
	squashed := func(x float64) float64 { return 1 / (1 + exponential(-x)) }
	hidden := [columns]float64{1}
	out := float64(outputs[0])
	for j := 1; j < columns; j++ {
		sum := 0.0
		for i, v := range input {
			sum += float64(float64(v) * float64(weights[i*columns+j]))
		}
		hidden[j] = squashed(sum)
		out += float64(hidden[j] * float64(outputs[j]))
	}
	out = squashed(out)
	step := float64(out*(1-out)) * (backpropTarget - out)
	values, errors = make([]float32, columns), make([]float32, columns)
	values[0] = 1
	for j := 1; j < columns; j++ {
		values[j] = float32(hidden[j])
		errors[j] = float32(hidden[j] * (1 - hidden[j]) * step * float64(outputs[j]))
	}
	return values, errors
}
