package programs

import (
	"encoding/binary"
	"fmt"
	"github.com/burstscope/burstscope/core/workload"
	"math"
)

func readWords(b []byte) []int32 {
	v := make([]int32, len(b)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func same(what string, got, want []int32) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("%s[%d] is %d, want %d", what, i, got[i], want[i])
		}
	}
	return nil
}

func checkScan(_ *workload.Program, before, after [][]byte) error {
	in := readWords(before[0])
	want := make([]int32, len(in))
	for i := 1; i < len(in); i++ {
		want[i] = want[i-1] + in[i-1]
	}
	return same("d_Output", readWords(after[1]), want)
}

// checkConvolution sums all 17 x 17 products at once, with binomial coefficients from
// Pascal's triangle.
func checkConvolution(p *workload.Program, before, after [][]byte) error {
	const radius = 8
	taps := []float64{1}
	for range 2 * radius {
		next := make([]float64, len(taps)+1)
		for i, v := range taps {
			next[i] += v / 2
			next[i+1] += v / 2
		}
		taps = next
	}
	in, got := readFloats(before[0]), readFloats(after[2])
	width, height := p.Buffers[0].Width, p.Buffers[0].Height
	want := make([]float64, len(in))
	for y := range height {
		for x := range width {
			if x%7 != y%7 && x > radius && y > radius {
				want[y*width+x] = got[y*width+x] // 289 products for every pixel take long, so only some pixels are checked
				continue
			}
			for dy := -radius; dy <= radius; dy++ {
				for dx := -radius; dx <= radius; dx++ {
					if u, v := x+dx, y+dy; u >= 0 && u < width && v >= 0 && v < height {
						want[y*width+x] += taps[dx+radius] * taps[dy+radius] * in[v*width+u]
					}
				}
			}
		}
	}
	return near("d_Output", got, want, 2e-6, constant(255))
}

func checkSpmv(p *workload.Program, before, after [][]byte) error {
	values, x := readFloats(before[0]), readFloats(before[1])
	columns, start := readWords(before[2]), readWords(before[3])
	want, bound := make([]float64, len(x)), make([]float64, len(x))
	for i := range want {
		for j := start[i]; j < start[i+1]; j++ {
			want[i] += values[j] * x[columns[j]]
			bound[i] += math.Abs(values[j] * x[columns[j]])
		}
	}
	for k := 7; k <= 9; k++ {
		if err := near(p.Buffers[k].Name, readFloats(after[k]), want, spmvMaxRow*0x1p-24, func(i int) float64 { return bound[i] }); err != nil {
			return err
		}
	}
	return nil
}

func checkHotspot(p *workload.Program, before, after [][]byte) error {
	power, heat := readFloats(before[0]), readFloats(before[1])
	n := p.Buffers[0].Width
	stepOverCapacity, inverseRx, inverseRy, inverseRz := heatConstants(n)
	for range hotspotLaunches * hotspotStepsALaunch {
		at := func(x, y int) float64 { return heat[min(max(y, 0), n-1)*n+min(max(x, 0), n-1)] }
		next := make([]float64, len(heat))
		for y := range n {
			for x := range n {
				t := at(x, y)
				flow := power[y*n+x] + (at(x, y+1)+at(x, y-1)-2*t)*float64(inverseRy) +
					(at(x+1, y)+at(x-1, y)-2*t)*float64(inverseRx) + (80-t)*float64(inverseRz)
				next[y*n+x] = t + float64(stepOverCapacity)*flow
			}
		}
		heat = next
	}
	return near("MatrixTemp0", readFloats(after[1]), heat, 2e-6, relative(heat))
}

func checkPathfinder(p *workload.Program, before, after [][]byte) error {
	cost := readWords(before[0])
	n := len(cost)
	for _, b := range before[2:] {
		wall := readWords(b)
		for row := range len(wall) / n {
			next := make([]int32, n)
			for x := range next {
				next[x] = min(cost[max(x-1, 0)], cost[x], cost[min(x+1, n-1)]) + wall[row*n+x]
			}
			cost = next
		}
	}
	return same("gpuResult", readWords(after[p.Outputs()[0]]), cost)
}

// checkKmeans accepts any centre at the distance of the nearest one, within rounding. The
// last launch has the centres that count.
func checkKmeans(p *workload.Program, before, after [][]byte) error {
	last := p.Launches[len(p.Launches)-1]
	features, centres, got := readFloats(before[0]), readFloats(before[last.Args[1].Buffer]), readWords(after[2])
	for i, c := range got {
		var distance [kmeansClusters]float64
		least := math.Inf(1)
		for k := range distance {
			for f := range kmeansFeatures {
				d := features[i*kmeansFeatures+f] - centres[k*kmeansFeatures+f]
				distance[k] += d * d
			}
			least = min(least, distance[k])
		}
		if c < 0 || c >= kmeansClusters || distance[c] > least*(1+1e-5) {
			return fmt.Errorf("membership[%d] is %d, the nearest centre is %v away", i, c, least)
		}
	}
	return nil
}
