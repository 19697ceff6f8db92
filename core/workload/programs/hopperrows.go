package programs

import "github.com/burstscope/burstscope/core/workload"

// hopperRows are layers whose rows are longer than what one CTA reads at once [ours].
var hopperRows = definition{
	info: Info{
		Name: "hopperrows", Title: "Softmax and RMS norm over clusters",
		Doc: "Rows of 8192 numbers in f16, a cluster of four CTAs for each: a CTA copies its piece to shared " +
			"memory by `cp.async.bulk` and tells the others its sums by `st.async`. Data `softmax`: scores become " +
			"shares that add up to 1; `rmsnorm`: activations with outliers get a mean square of 1, then a scale " +
			"for each channel.",
		Sizes: []int{16, 64, 256}, DefaultSize: 64, FullSize: 4096, SizeLabel: "rows",
		DataModes: []string{"softmax", "rmsnorm"},
	},
	number: 124, file: "hopperrows", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 1, max: 8192, step: 1},
	build: buildHopperRows,
}

const (
	hopperRowCTAs    = 4
	hopperRowThreads = 256
	hopperRowWidth   = hopperRowCTAs * hopperRowThreads * 8
)

func buildHopperRows(r *request) ([]workload.Buffer, []workload.Launch) {
	const e = workload.ElementF16
	n := r.size * hopperRowWidth
	rnd, channels := r.rand(0), r.rand(1)
	l := workload.Launch{
		Entry: "hopper_" + r.data, Grid: line(hopperRowCTAs * r.size), Block: line(hopperRowThreads),
		Cluster: line(hopperRowCTAs), Args: bufferArgs(workload.BufferArg(1), 0),
	}
	var t tensors
	if r.data == "softmax" {
		t.in("scores", e, generate(n, func(int) float32 { return float32(normal(&rnd)) }))
		t.out("out", e, n)
		return t, []workload.Launch{l}
	}
	t.in("x", e, activationsLike(&rnd, r.size, hopperRowWidth, true))
	t.in("scale", e, generate(hopperRowWidth, func(int) float32 { return 1 + float32(0.1*normal(&channels)) }))
	t.out("out", e, n)
	l.Args = bufferArgs(workload.BufferArg(2), 0, 1)
	return t, []workload.Launch{l}
}
