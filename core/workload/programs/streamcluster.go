package programs

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// streamcluster is STC: streamcluster of the Rodinia suite. LATTE-CC calls it SC.
var streamcluster = definition{
	info: Info{
		Name: "streamcluster", Title: "Clustering of a stream",
		Doc: "For one point after the other a kernel works out what each point would save if that point became a centre (STC here, SC in " +
			"LATTE-CC). Points have 32 dimensions. Rodinia's host then opens and closes centres and copies the points again; here the buffers of each of 12 launches come from an " +
			"exact run. Data `clusters`: 16 clusters, coordinates with three decimals; `suite`: random coordinates from 0 to 1. Nothing is approximated.",
		Sizes: []int{1024, 4096, 65536}, DefaultSize: 4096, FullSize: 65536, SizeLabel: "points",
		DataModes: []string{"clusters", Suite},
	},
	aliases: []string{"stc"},
	number:  37, file: "streamcluster", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 32, max: 1 << 16, step: 1},
	build: buildStreamcluster,
}

const (
	streamThreads    = 512 // THREADS_PER_BLOCK of Rodinia
	streamDimensions = 32  // LATTE-CC table of inputs
	streamCandidates = 12
	streamCentres    = 10 // fewest centres of Rodinia's example run: open at the start
	pointBytes       = 32 // of Point in streamcluster.cu
)

func buildStreamcluster(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd, choice := r.rand(0), r.rand(1)
	c := newClustering(streamPoints(&rnd, n, r.data), n, &choice)
	buffers := []workload.Buffer{f32("coord_d", len(c.coordinates), c.coordinates)}
	var launches []workload.Launch
	for launch := range streamCandidates {
		x, first := choice.Intn(n), len(buffers)
		buffers = append(buffers,
			workload.Buffer{Name: fmt.Sprintf("p%d", launch), Bytes: uint64(pointBytes * n), Element: workload.ElementU32, Init: c.points()},
			s32(fmt.Sprintf("center_table_d%d", launch), n, c.table()),
			f32(fmt.Sprintf("work_mem_d%d", launch), n*(len(c.centres)+1), nil).AsOutput(),
			u8(fmt.Sprintf("switch_membership_d%d", launch), n, nil).AsOutput())
		own := args{first, 0, first + 1, first + 2, first + 3}
		launches = append(launches, over("streamcluster", n, streamThreads, own, n, streamDimensions, x, len(c.centres)))
		c.consider(x)
	}
	return buffers, launches
}

// streamPoints draws the coordinates, dimension by dimension.
func streamPoints(rnd *sim.Rand, n int, data string) []float32 {
	if data == Suite {
		return generate(n*streamDimensions, func(int) float32 { return overRandMax(rnd) })
	}
	var middle [16][streamDimensions]int
	for k := range middle {
		for d := range middle[k] {
			middle[k][d] = 100 + rnd.Intn(800)
		}
	}
	v := make([]float32, n*streamDimensions)
	for i := range n {
		k := rnd.Intn(len(middle))
		for d, m := range middle[k] {
			v[d*n+i] = float32(m+rnd.Intn(101)-rnd.Intn(101)) / 1000
		}
	}
	return v
}

// clustering is the host's part: which points are centres, and the centre of each point.
type clustering struct {
	coordinates []float32
	centres     []int // in the order of the table
	centre      []int
	cost        []float32
	opening     float32 // what a centre costs
}

func newClustering(coordinates []float32, n int, choice *sim.Rand) *clustering {
	c := &clustering{coordinates: coordinates, centre: make([]int, n), cost: make([]float32, n)}
	open := map[int]bool{}
	for len(open) < streamCentres {
		if x := choice.Intn(n); !open[x] {
			open[x] = true
			c.centres = append(c.centres, x)
		}
	}
	var total float32
	for i := range n {
		c.cost[i] = math.MaxFloat32
		for _, x := range c.centres {
			if d := c.distance(i, x); d < c.cost[i] {
				c.centre[i], c.cost[i] = x, d
			}
		}
		total += c.cost[i]
	}
	c.opening = total / (2 * streamCentres) // so that some candidates open and close centres [ours]
	return c
}

func (c *clustering) distance(i, j int) (sum float32) {
	n := len(c.cost)
	for d := range streamDimensions {
		apart := c.coordinates[d*n+i] - c.coordinates[d*n+j]
		sum += float32(apart * apart)
	}
	return sum
}

// points is the array of Point of streamcluster.cu. All weights are 1.
func (c *clustering) points() []byte {
	b := make([]byte, 0, pointBytes*len(c.cost))
	for i, cost := range c.cost {
		b = binary.LittleEndian.AppendUint64(b, uint64(math.Float32bits(1)))
		b = binary.LittleEndian.AppendUint64(b, 0x10000000+uint64(4*streamDimensions*i)) // an address of the host
		b = binary.LittleEndian.AppendUint64(b, uint64(c.centre[i]))
		b = binary.LittleEndian.AppendUint64(b, uint64(math.Float32bits(cost)))
	}
	return b
}

// table holds the number of each centre at the place of its point.
func (c *clustering) table() []int32 {
	t := make([]int32, len(c.cost))
	for k, x := range c.centres {
		t[x] = int32(k)
	}
	return t
}

// consider opens a centre at point x, and closes those that are not worth their cost any
// more, if that saves anything: pgain of Rodinia.
func (c *clustering) consider(x int) {
	saved := map[int]float32{} // by closing a centre
	for _, k := range c.centres {
		saved[k] = c.opening
	}
	gain := -c.opening
	away := make([]float32, len(c.cost))
	for i := range c.cost {
		away[i] = c.distance(i, x)
		if away[i] < c.cost[i] {
			gain += c.cost[i] - away[i]
		} else {
			saved[c.centre[i]] += c.cost[i] - away[i]
		}
	}
	var remaining []int
	closes := map[int]bool{}
	for _, k := range c.centres {
		if closes[k] = saved[k] > 0; closes[k] {
			gain += saved[k]
		} else {
			remaining = append(remaining, k)
		}
	}
	if gain <= 0 {
		return
	}
	for i := range c.cost {
		if away[i] < c.cost[i] || closes[c.centre[i]] {
			c.centre[i], c.cost[i] = x, away[i]
		}
	}
	c.centres = append(remaining, x)
}
