package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// jmeint is JM: jmeint of the AxBench suite.
var jmeint = definition{
	info: Info{
		Name: "jmeint", Title: "Triangle intersection",
		Doc: "Tests whether the two triangles of each pair intersect (JM of SLC); half of the pairs do. The kernel diverges, and its answer is " +
			"one bit, so approximation either flips the bit or changes nothing. Data `thousandths`: corners with three decimals, as in a text file, " +
			"64 to 80 bytes a block; `floats`: full mantissas, above 96 bytes; `suite`: 18 independent numbers from 0 to 1 with six decimals, as " +
			"AxBench's generator writes; `integers`: 18 whole numbers from -50 to 50, as the generator of its GPU version writes.",
		Sizes: []int{12000, 48000, 100000, 400000}, DefaultSize: 48000, FullSize: 400000, StudySize: 100000, SizeLabel: "pairs of triangles",
		DataModes: []string{"thousandths", "floats", Suite, "integers"},
	},
	aliases: []string{"jm"},
	number:  1, file: "jmeint", metric: workload.MetricMissRate,
	size:  sizeRule{min: 32, max: 1000000, step: 1},
	build: buildJmeint,
}

func buildJmeint(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	corner := make([][]float32, 6)
	for i := range corner {
		corner[i] = make([]float32, 3*n)
	}
	for i := range n {
		switch r.data {
		case Suite:
			drawCorners(corner, i, func() float32 { return decimals(rnd.Float64(), 1000000) })
		case "integers":
			drawCorners(corner, i, func() float32 { return float32(rnd.Intn(101) - 50) })
		default:
			drawPair(&rnd, corner, i, r.data == "thousandths")
		}
	}
	var buffers []workload.Buffer
	var args []workload.Arg
	for i, name := range []string{"v0", "v1", "v2", "u0", "u1", "u2"} {
		buffers = append(buffers, f32(name, 3*n, corner[i]).AsSafe())
		args = append(args, workload.BufferArg(i))
	}
	buffers = append(buffers, workload.Buffer{Name: "hit", Bytes: uint64(n), Element: workload.ElementU8, Output: true})
	const threads = 256
	return buffers, []workload.Launch{{
		Entry: "jmeint", Grid: line(int(blocks(n, threads))), Block: line(threads),
		Args: append(args, workload.BufferArg(6), workload.U32(uint32(n))),
	}}
}

// cornerSpread is the largest offset of a corner from the centre of its pair along each
// axis. Each triangle is then moved back by centrePull of its mean offset: with all of it
// every pair would intersect at its centre; with none of it 28 % would. This value gives
// half, as the benchmark's description requires.
const (
	cornerSpread = 0.2
	centrePull   = 0.38
)

// drawCorners draws the coordinates of a pair one by one, in the order of AxBench's file:
// v0, v1, v2, u0, u1, u2.
func drawCorners(corner [][]float32, i int, draw func() float32) {
	for c := range corner {
		for axis := range 3 {
			corner[c][3*i+axis] = draw()
		}
	}
}

// drawPair puts two triangles around a common centre in the unit cube.
func drawPair(rnd *sim.Rand, corner [][]float32, i int, thousandths bool) {
	var centre [3]float32
	for axis := range centre {
		centre[axis] = rnd.Float32()
	}
	for triangle := range 2 {
		var offset [3][3]float32 // by axis and corner
		for axis := range offset {
			var sum float32
			for c := range offset[axis] {
				offset[axis][c] = float32(cornerSpread * (float32(2*rnd.Float32()) - 1))
				sum += offset[axis][c]
			}
			for c, o := range offset[axis] {
				v := centre[axis] + o - float32(sum*(centrePull/3))
				if thousandths {
					v = float32(math.Floor(float64(float32(1000*v))+0.5)) / 1000
				}
				corner[3*triangle+c][3*i+axis] = v
			}
		}
	}
}
