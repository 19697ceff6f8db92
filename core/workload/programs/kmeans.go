package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// kmeans is KM: kmeans of the Rodinia suite.
var kmeans = definition{
	info: Info{
		Name: "kmeans", Title: "k-means clustering",
		Doc: "Finds the nearest of 5 centres for every object of 34 features (KM of E2MC and LATTE-CC). Objects are stored one after the other, " +
			"so reads are strided and only a cache merges them. LATTE-CC counts on that. The first objects are the centres. Data `connections`: similar to Rodinia's " +
			"network records, with eight kinds of objects: a third of the features are 0, a third small counts with long tails, the rest rates " +
			"in hundredths; `uniform`: random floats in [0,1); `suite`: " +
			"records with the fields and the mix of attacks of KDD Cup 1999, which Rodinia reads. As in Rodinia a kernel then transposes the features, " +
			"so that reads are coalesced, and steps follow with the centres that the host computes from an exact run.",
		Sizes: []int{2048, 6144, 12288, 49152}, DefaultSize: 12288, FullSize: 494020, SizeLabel: "objects",
		DataModes: []string{"connections", "uniform", Suite},
	},
	aliases: []string{"km"},
	number:  19, file: "kmeans", metric: workload.MetricMissRate,
	size:  sizeRule{min: 32, max: 494020, step: 1},
	build: buildKmeans,
}

const (
	kmeansThreads  = 256
	kmeansFeatures = 34
	kmeansClusters = 5
	kmeansKinds    = 8 // [ours] clusters that the points are drawn from
	kmeansSteps    = 2 // [ours] steps with features in columns; Rodinia goes on until nothing moves
)

func buildKmeans(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	if r.data == Suite {
		return transposedKmeans(n, networkRecords(&rnd, n))
	}
	var features []float32
	if r.data == "uniform" {
		features = generate(n*kmeansFeatures, func(int) float32 { return rnd.Float32() })
	} else {
		features = connections(&rnd, n)
	}
	buffers := []workload.Buffer{
		f32("features", len(features), features).AsSafe(),
		f32("clusters", kmeansClusters*kmeansFeatures, features[:kmeansClusters*kmeansFeatures]).AsSafe(),
		s32("membership", n, nil).AsOutput(),
	}
	return buffers, []workload.Launch{{
		Entry: "kmeans", Grid: line(int(blocks(n, kmeansThreads))), Block: line(kmeansThreads),
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(uint32(n)), workload.U32(kmeansFeatures), workload.U32(kmeansClusters)},
	}}
}

// transposedKmeans has Rodinia's order of work: a kernel transposes the features, and each
// step finds the nearest centres. The host moves every centre to the mean of its objects
// between steps.
func transposedKmeans(n int, features []float32) ([]workload.Buffer, []workload.Launch) {
	centres := features[:kmeansClusters*kmeansFeatures]
	buffers := []workload.Buffer{
		f32("feature_flipped_d", len(features), features).AsSafe(),
		f32("feature_d", len(features), nil).AsSafe(),
		s32("membership_d", n, nil).AsOutput(),
	}
	objects, width := workload.U32(uint32(n)), workload.U32(kmeansFeatures)
	grid, block := line(int(blocks(n, kmeansThreads))), line(kmeansThreads)
	launches := []workload.Launch{{
		Entry: "kmeans_transpose", Grid: grid, Block: block,
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), objects, width},
	}}
	for range kmeansSteps {
		launches = append(launches, workload.Launch{
			Entry: "kmeans_columns", Grid: grid, Block: block,
			Args: []workload.Arg{workload.BufferArg(1), workload.BufferArg(len(buffers)), workload.BufferArg(2), objects, width, workload.U32(kmeansClusters)},
		})
		buffers = append(buffers, f32("clusters_d", len(centres), centres).AsSafe())
		centres = movedCentres(features, centres)
	}
	return buffers, launches
}

// movedCentres returns the mean of the objects nearest to each centre, or the centre itself
// if it has none.
func movedCentres(features, centres []float32) []float32 {
	var sum [kmeansClusters][kmeansFeatures]float32
	var count [kmeansClusters]int
	for ; len(features) > 0; features = features[kmeansFeatures:] {
		object := features[:kmeansFeatures]
		best, least := 0, float32(math.MaxFloat32)
		for c := range sum {
			distance := float32(0)
			for f, v := range object {
				d := v - centres[c*kmeansFeatures+f]
				distance += float32(d * d)
			}
			if distance < least {
				best, least = c, distance
			}
		}
		count[best]++
		for f, v := range object {
			sum[best][f] += v
		}
	}
	moved := append([]float32(nil), centres...)
	for c, n := range count {
		if n == 0 {
			continue
		}
		for f := range kmeansFeatures {
			moved[c*kmeansFeatures+f] = sum[c][f] / float32(n)
		}
	}
	return moved
}

// connections draws objects of eight kinds. The features of an object are in turn 0, a
// count with an exponential tail, and a rate; the kind sets the mean.
func connections(rnd *sim.Rand, n int) []float32 {
	var mean [kmeansKinds][kmeansFeatures]float32
	for k := range mean {
		for f := range mean[k] {
			mean[k][f] = rnd.Float32()
		}
	}
	kind := 0
	return generate(n*kmeansFeatures, func(i int) float32 {
		f := i % kmeansFeatures
		if f == 0 {
			kind = rnd.Intn(kmeansKinds)
		}
		m := float64(mean[kind][f])
		switch f % 3 {
		case 0:
			return 0
		case 1:
			u := (float64(rnd.Uint32()>>8) + 0.5) * (1.0 / (1 << 24)) // never 0
			return float32(math.Floor(float64(-20 * m * logarithm(u))))
		}
		// Rates depend on the kind; most are 0 or 1.
		hundredths := math.Floor(float64(130*m)-15+0.5) + float64(rnd.Intn(11)) - 5
		return float32(min(max(hundredths, 0), 100)) / 100
	})
}
