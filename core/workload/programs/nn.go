package programs

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// nearest is NN: nn of the Rodinia suite.
var nearest = definition{
	info: Info{
		Name: "nn", Title: "Nearest neighbour",
		Doc: "Computes the distance of each storm record (latitude, longitude) to a target, with one load and one store (NN of SLC). " +
			"Data `hundredths` (tuned to the published sizes just above 64 bytes): degrees with two decimals; `tenths`: one decimal, " +
			"as in the hurricane list; `suite`: rounded to tenths as Rodinia's generator of hurricanes prints them; `tracks`: tenths along the paths of storms.",
		Sizes: []int{60000, 200000, 600000, 2400000}, DefaultSize: 600000, FullSize: 20000000, SizeLabel: "records",
		DataModes: []string{"hundredths", "tenths", "tracks", Suite}, TunedData: []string{"hundredths"},
	},
	number: 7, file: "nn", metric: workload.MetricMRE,
	size:  sizeRule{min: 32, max: 20000000, step: 1},
	build: buildNearest,
}

// The target of Rodinia's example run, in degrees.
const targetLatitude, targetLongitude = 30, 90

func buildNearest(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	var locations []float32
	switch r.data {
	case "tracks":
		locations = stormTracks(&rnd, n)
	case "tenths":
		locations = scattered(&rnd, n, 10)
	case Suite:
		locations = hurricanes(&rnd, n)
	default:
		locations = scattered(&rnd, n, 100)
	}
	buffers := []workload.Buffer{
		f32("d_locations", 2*n, locations).AsSafe(),
		f32("d_distances", n, nil).AsSafe().AsOutput(),
	}
	const threads, ctasMaxX = 256, 65535 // launch of the Rodinia code
	ctas := blocks(n, threads)
	x := min(ctas, ctasMaxX)
	return buffers, []workload.Launch{{
		Entry: "nn", Grid: square(x, (ctas+x-1)/x), Block: line(threads),
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.U32(uint32(n)), workload.F32(targetLatitude), workload.F32(targetLongitude)},
	}}
}

// scattered draws latitudes of 7 to 69 and longitudes of 0 to 357 whole degrees plus a
// fraction, as Rodinia's generator of hurricanes does.
func scattered(rnd *sim.Rand, n, parts int) []float32 {
	return generate(2*n, func(i int) float32 {
		if i%2 == 0 {
			return float32(7*parts+rnd.Intn(63*parts)) / float32(parts)
		}
		return float32(rnd.Intn(358*parts)) / float32(parts)
	})
}

// hurricanes draws whole degrees and a part from 0 to 1, added in floats and printed with
// one decimal: a latitude can be 70.0 and a longitude 358.0.
func hurricanes(rnd *sim.Rand, n int) []float32 {
	return generate(2*n, func(i int) float32 {
		whole := 7 + rnd.Intn(63)
		if i%2 == 1 {
			whole = rnd.Intn(358)
		}
		return decimals(float64(float32(whole)+overRandMax(rnd)), 10)
	})
}

// stormTracks draws positions six hours apart along random walks, in tenths of a degree.
func stormTracks(rnd *sim.Rand, n int) []float32 {
	var latitude, longitude, north, west, left int
	return generate(2*n, func(i int) float32 {
		if i%2 == 1 {
			return float32(longitude) / 10
		}
		if left == 0 {
			left = 20 + rnd.Intn(40)
			latitude, longitude = 100+rnd.Intn(150), rnd.Intn(3580)
			north, west = rnd.Intn(8), 5+rnd.Intn(15)
		}
		left--
		latitude = min(max(latitude+north+rnd.Intn(7)-3, 70), 699)
		longitude = (longitude - west + rnd.Intn(7) - 3 + 3580) % 3580
		return float32(latitude) / 10
	})
}
