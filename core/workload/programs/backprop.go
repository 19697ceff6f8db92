package programs

import "github.com/burstscope/burstscope/core/workload"

// backprop is BP: backprop of the Rodinia suite.
var backprop = definition{
	info: Info{
		Name: "backprop", Title: "Neural network training step",
		Doc: "One step of back-propagation for a layer of many inputs and 16 hidden units (BP of SLC, E2MC, LATTE-CC and RFVP). A kernel " +
			"computes the hidden units and their errors, which Rodinia leaves to the host. Data `grid` (tuned to the published " +
			"block sizes, mostly below 64 bytes): weights in hundredths; `uniform`: random weights as in Rodinia, which hardly compress.",
		Sizes: []int{4096, 16384, 65536, 262144}, DefaultSize: 16384, FullSize: 65536, StudySize: 65536, SizeLabel: "inputs",
		DataModes: []string{"grid", "uniform"}, TunedData: []string{"grid"},
	},
	aliases: []string{"bp"},
	number:  6, file: "backprop", metric: workload.MetricMRE,
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
	unit := generate(n+1, func(i int) float32 {
		if i == 0 {
			return 1 // the bias
		}
		return input.Float32()
	})
	weights := generate((n+1)*(hiddenUnits+1), func(int) float32 {
		if r.data == "grid" {
			return float32(weight.Intn(101)) / 100
		}
		return weight.Float32()
	})
	buffers := []workload.Buffer{
		f32("input", n+1, unit).AsSafe(),
		f32("output_hidden", hiddenUnits+1, nil).AsSafe(),
		f32("input_hidden", len(weights), weights).AsSafe().AsOutput(),
		f32("hidden_partial_sum", n, nil).AsSafe(),
		f32("hidden_delta", hiddenUnits+1, nil).AsSafe(),
		f32("input_prev_weights", len(weights), nil).AsSafe(),
		f32("hidden_weights", hiddenUnits+1, generate(hiddenUnits+1, func(int) float32 { return output.Float32() })),
	}
	units, hidden, matrix, partial, delta, previous, outputWeights := workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2),
		workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(5), workload.BufferArg(6)
	block := square(hiddenUnits, hiddenUnits)
	return buffers, []workload.Launch{
		{Entry: "backprop_forward", Grid: square(1, uint32(rows)), Block: block, Args: []workload.Arg{units, matrix, partial}},
		{
			Entry: "backprop_hidden", Grid: line(1), Block: block,
			Args: []workload.Arg{partial, workload.U32(uint32(rows)), matrix, outputWeights, workload.F32(backpropTarget), hidden, delta},
		},
		{Entry: "backprop_adjust", Grid: square(1, uint32(rows)), Block: block, Args: []workload.Arg{delta, units, matrix, previous}},
	}
}
