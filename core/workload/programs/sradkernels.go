package programs

import "github.com/burstscope/burstscope/core/workload"

// sradReduce is s.reduce of RFVP: the reduction of srad_v1.
var sradReduce = definition{
	info: Info{
		Name: "sradreduce", Title: "Speckle removal: the sums",
		Doc: "The reduction of SRAD v1, four times over the same image, and one step of diffusion that uses the sums, so that their error " +
			"reaches an image (s.reduce of RFVP). Data as of `srad1`.",
		Sizes: []int{128, 256, 512}, DefaultSize: 256, FullSize: 512, SizeLabel: "pixels on a side",
		DataModes: []string{"speckle", Suite}, AcceptsImage: true,
	},
	aliases: []string{"sred"},
	number:  9, file: "srad1", metric: workload.MetricImageDiff,
	loss:  lossOf(workload.LossNRMSE),
	size:  sizeRule{min: sradTile, max: 2048, step: sradTile},
	build: buildSRADReduce,
}

// sradSums is s.reduce of RFVP as the paper runs it: the kernel alone.
var sradSums = definition{
	info: Info{
		Name: "sreduce", Title: "Speckle removal: one reduction",
		Doc: "The reduction of SRAD v1 alone: an image and its squares, which lie in memory, are added up 512 to 1 " +
			"(s.reduce of RFVP, which ran this kernel by itself; `sradreduce` has the kernels around it). The results are " +
			"the two sums that Rodinia's host reads. Data as of `srad1`.",
		Sizes: []int{128, 512, 1024}, DefaultSize: 512, FullSize: 512, SizeLabel: "pixels on a side",
		DataModes: []string{"speckle", Suite}, AcceptsImage: true,
	},
	number: 135, file: "srad1", metric: workload.MetricNRMSE,
	size:  sizeRule{min: sradTile, max: 2048, step: sradTile},
	build: buildSRADSums,
}

// sradUpdate is s.srad2 of RFVP: the second kernel of srad_v1.
var sradUpdate = definition{
	info: Info{
		Name: "sradupdate", Title: "Speckle removal: the update",
		Doc: "The second kernel of SRAD v1 moves the image by its derivatives and the diffusion coefficients of a pixel and two neighbours " +
			"(s.srad2 of RFVP). Derivatives and coefficients are inputs from an exact run. Data as of `srad1`.",
		Sizes: []int{128, 320, 512}, DefaultSize: 512, FullSize: 512, SizeLabel: "pixels on a side",
		DataModes: []string{"speckle", Suite}, AcceptsImage: true,
	},
	aliases: []string{"sr2k"},
	number:  10, file: "srad1", metric: workload.MetricImageDiff,
	loss:  lossOf(workload.LossNRMSE),
	size:  sizeRule{min: sradTile, max: 2048, step: sradTile},
	build: buildSRADUpdate,
}

const sradReductions = 4

func buildSRADReduce(r *request) ([]workload.Buffer, []workload.Launch) {
	buffers, once := buildSRAD1(r)
	// Behind the conversion come the copies and the sums of the image; derivatives, update
	// and conversion end the program.
	first, last := 1, len(once)-3
	launches := append([]workload.Launch{}, once[:last]...)
	for range sradReductions - 1 {
		launches = append(launches, once[first:last]...)
	}
	return buffers, append(launches, once[last:]...)
}

func buildSRADSums(r *request) ([]workload.Buffer, []workload.Launch) {
	m := r.ultrasound()
	plane, squares := make([]float32, len(m.Pixels)), make([]float32, len(m.Pixels))
	for i, p := range m.Pixels {
		plane[i] = float32(exponential(float64(p) / 255))
		squares[i] = float32(plane[i] * plane[i])
	}
	buffers := []workload.Buffer{
		f32("d_sums", len(plane), plane).AsSafe().AsOutput(), f32("d_sums2", len(squares), squares).AsSafe().AsOutput(),
	}
	for i := range buffers {
		buffers[i].Results = 1 // the rest of the array is what is left of the input
	}
	return buffers, sradReductionOf(len(plane), workload.BufferArg(0), workload.BufferArg(1))
}

func buildSRADUpdate(r *request) ([]workload.Buffer, []workload.Launch) {
	buffers, launches := buildSRAD1(r)
	m := r.ultrasound()
	plane := make([]float64, len(m.Pixels))
	var sum, squares float64
	for i, p := range m.Pixels {
		plane[i] = exponential(float64(p) / 255)
		sum += plane[i]
		squares += float64(plane[i] * plane[i])
	}
	n := float64(len(plane))
	mean := sum / n
	variance := squares/n - float64(mean*mean)
	d := derivatives(plane, m.Width, m.Height, max(variance/float64(mean*mean), sradLeastSpeckle))
	fill := func(b int, v []float64) {
		buffers[b].Init = floats(generate(len(v), func(i int) float32 { return float32(v[i]) }))
	}
	// d_I, d_dN, d_dS, d_dW, d_dE and d_c. SRAD v1 stores by columns: its north is the host's
	// west.
	fill(0, plane)
	for i, v := range [][]float64{d.west, d.east, d.north, d.south, d.coefficient} {
		fill(3+i, v)
	}
	update := launches[len(launches)-2]
	const scale = 255 / 1.718281828459045 // from exp(0) to exp(1), as srad2
	buffers[0] = buffers[0].AsImage(m.Width, m.Height, -scale, scale)
	return buffers, []workload.Launch{update}
}
