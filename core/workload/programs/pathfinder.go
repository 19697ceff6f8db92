package programs

import "github.com/burstscope/burstscope/core/workload"

// pathfinder is PTH: pathfinder of the Rodinia suite.
var pathfinder = definition{
	info: Info{
		Name: "pathfinder", Title: "Cheapest path down a grid",
		Doc: "Dynamic programming by rows; each launch processes 20 rows in shared memory (PTH of LATTE-CC; mostly limited by arithmetic). It has " +
			"40 rows of steps, or 100 rows from 100000 columns on. Data `digits` (also named `suite`): random 0 to 9, as in Rodinia.",
		Sizes: []int{4096, 16384, 32768, 100000}, DefaultSize: 32768, FullSize: 100000, SizeLabel: "columns",
		DataModes: []string{"digits", Suite},
	},
	aliases: []string{"pth"},
	number:  25, file: "pathfinder", metric: workload.MetricMissRate, suite: "digits",
	size:  sizeRule{min: 32, max: 1 << 20, step: 1},
	build: buildPathfinder,
}

const (
	pathfinderThreads    = 256 // THREADS of pathfinder.cu
	pathfinderRows       = 20  // rows of a launch: the pyramid height of Rodinia's example run
	pathfinderShortSteps = 40
	pathfinderLongSteps  = 100
	pathfinderLongFrom   = 100000 // columns
)

func buildPathfinder(r *request) ([]workload.Buffer, []workload.Launch) {
	n, steps := r.size, pathfinderShortSteps
	if n >= pathfinderLongFrom {
		steps = pathfinderLongSteps
	}
	rnd := r.rand(0)
	digits := func(n int) []int32 {
		v := make([]int32, n)
		for i := range v {
			v[i] = int32(rnd.Intn(10))
		}
		return v
	}
	launchCount := steps / pathfinderRows
	buffers := []workload.Buffer{
		s32("gpuResult0", n, digits(n)),
		s32("gpuResult1", n, nil),
	}
	buffers[launchCount%2].Output = true
	var launches []workload.Launch
	for i := range launchCount {
		// The rows of every launch are in their own buffer, because an argument can point only to
		// the start of a buffer.
		buffers = append(buffers, s32("gpuWall", n*pathfinderRows, digits(n*pathfinderRows)))
		launches = append(launches, workload.Launch{
			Entry: "pathfinder", Grid: line(int(blocks(n, pathfinderThreads-2*pathfinderRows))), Block: line(pathfinderThreads),
			Args: []workload.Arg{workload.BufferArg(2 + i), workload.BufferArg(i % 2), workload.BufferArg(1 - i%2), workload.S32(int32(n)), workload.S32(pathfinderRows)},
		})
	}
	return buffers, launches
}
