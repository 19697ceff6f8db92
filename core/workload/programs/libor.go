package programs

import "github.com/burstscope/burstscope/core/workload"

// libor is LIB: LIBOR of the CUDA SDK.
var libor = definition{
	info: Info{
		Name: "libor", Title: "LIBOR market model",
		Doc: "Prices swaptions by Monte Carlo over 40 forward rates and 20 time steps. A pass back through each path gives their " +
			"sensitivity to the last rate (LIB of E2MC). The rates of a thread are in local memory, which causes most of the traffic and is not " +
			"counted in the buffers. Data `constant` (also named `suite`): 0.3 for every normal number, as in the original, so all threads do the same; `normal`: normal numbers.",
		Sizes: []int{512, 1024, 2048, 4096}, DefaultSize: 1024, FullSize: 16384, StudySize: 4096, SizeLabel: "paths",
		DataModes: []string{"constant", "normal", Suite},
	},
	aliases: []string{"lib"},
	number:  13, file: "libor", metric: workload.MetricNRMSE, suite: "constant",
	size:  sizeRule{min: 32, max: 1 << 17, step: 1},
	build: buildLibor,
}

const (
	liborRates   = 40 // RATES and STEPS of libor.cu
	liborSteps   = 20
	liborThreads = 64  // threads of a CTA, as in the original
	liborLambda  = 0.2 // volatility of every rate
	liborNormal  = 0.3
)

func buildLibor(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	normals := generate(liborSteps*n, func(int) float32 {
		if r.data == "constant" {
			return liborNormal
		}
		sum := -6.0 // twelve uniform numbers have variance 1
		for range 12 {
			sum += float64(rnd.Float32())
		}
		return float32(sum)
	})
	buffers := []workload.Buffer{
		f32("d_z", len(normals), normals).AsSafe(),
		f32("d_lambda", liborRates, generate(liborRates, func(int) float32 { return liborLambda })),
		f32("d_v", n, nil).AsSafe().AsOutput(),
		f32("d_vAdjoint", n, nil).AsSafe().AsOutput(),
		f32("d_Lb", n, nil).AsSafe().AsOutput(),
	}
	over := func(entry string, args ...workload.Arg) workload.Launch {
		return workload.Launch{
			Entry: entry, Grid: line(int(blocks(n, liborThreads))), Block: line(liborThreads),
			Args: append(append([]workload.Arg{workload.BufferArg(0), workload.BufferArg(1)}, args...), workload.U32(uint32(n))),
		}
	}
	return buffers, []workload.Launch{
		over("libor_adjoint", workload.BufferArg(3), workload.BufferArg(4)),
		over("libor_value", workload.BufferArg(2)),
	}
}
