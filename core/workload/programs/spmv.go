package programs

import (
	"slices"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// spmv is SPMV: Spmv of the SHOC suite.
var spmv = definition{
	info: Info{
		Name: "spmv", Title: "Sparse matrix times vector",
		Doc: "Three kernels compute the same product: one thread for each row of a compressed matrix, one warp for each row, and one thread " +
			"for each row of the matrix padded and stored by columns (SPMV of E2MC). 1 of 100 elements of a row is set, at most 64. Data " +
			"`stencil`: values from 64 weights, as in a discretised equation; `decimals`: random values up to 10 with two decimals; `suite`: random values up to 10 at random places, " +
			"as in SHOC; 1 of 100 is set, or 64 a row on average if that is less. Indices are never approximated.",
		Sizes: []int{1024, 4096, 8192, 65536}, DefaultSize: 8192, FullSize: 65536, SizeLabel: "rows",
		DataModes: []string{"stencil", "decimals", Suite},
	},
	number: 23, file: "spmv", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 32, max: 1 << 18, step: 1},
	build: buildSpmv,
}

const (
	spmvThreads  = 128 // of a CTA, as in SHOC
	spmvWarps    = 4   // WARPS of spmv.cu
	spmvMaxRow   = 64
	spmvSparsity = 100 // columns for each set element
	spmvMost     = 10  // maxval of SHOC
)

func buildSpmv(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	shape, value, vector := r.rand(0), r.rand(1), r.rand(2)
	draw := sparseRows
	if r.data == Suite {
		draw = scatteredElements
	}
	start, columns := draw(&shape, n)
	weights := generate(64, func(int) float32 { return float32(value.Intn(2001)-1000) / 256 })
	values := generate(len(columns), func(int) float32 {
		switch r.data {
		case "decimals":
			return float32(value.Intn(1001)) / 100
		case Suite:
			return spmvMost * overRandMax(&value)
		}
		return weights[value.Intn(len(weights))]
	})
	longest := 0
	length := make([]int32, n)
	for i := range length {
		length[i] = start[i+1] - start[i]
		longest = max(longest, int(length[i]))
	}
	padded, paddedColumns := make([]float32, n*longest), make([]int32, n*longest)
	for i := range n {
		for j := start[i]; j < start[i+1]; j++ {
			at := int(j-start[i])*n + i
			padded[at], paddedColumns[at] = values[j], columns[j]
		}
	}
	x := generate(n, func(int) float32 {
		if r.data == Suite {
			return spmvMost * overRandMax(&vector)
		}
		return float32(vector.Intn(1001)) / 100
	})
	buffers := []workload.Buffer{
		f32("d_val", len(values), values).AsSafe(),
		f32("d_vec", n, x).AsSafe(),
		s32("d_cols", len(columns), columns),
		s32("d_rowDelimiters", n+1, start),
		f32("d_valEll", len(padded), padded).AsSafe(),
		s32("d_colsEll", len(padded), paddedColumns),
		s32("d_rowLengths", n, length),
		f32("d_outScalar", n, nil).AsSafe().AsOutput(),
		f32("d_outVector", n, nil).AsSafe().AsOutput(),
		f32("d_outEll", n, nil).AsSafe().AsOutput(),
	}
	kernel := func(entry string, ctas uint32, values, columns, rows, out int) workload.Launch {
		return workload.Launch{
			Entry: entry, Grid: line(int(ctas)), Block: line(spmvThreads),
			Args: []workload.Arg{workload.BufferArg(values), workload.BufferArg(1), workload.BufferArg(columns), workload.BufferArg(rows), workload.U32(uint32(n)), workload.BufferArg(out)},
		}
	}
	return buffers, []workload.Launch{
		kernel("spmv_csr_scalar", blocks(n, spmvThreads), 0, 2, 3, 7),
		kernel("spmv_csr_vector", blocks(n, spmvWarps), 0, 2, 3, 8),
		kernel("spmv_ellpackr", blocks(n, spmvThreads), 4, 5, 6, 9),
	}
}

// scatteredElements passes over the n x n elements row by row and sets each with the same
// probability: 1 of 100, or 64 a row if that is less. SHOC has no bound on a row, and stops
// at 16384 rows. It sets a fixed number of elements: those that are missing at the end fill
// the last row, and would pad every row of the third kernel to its length, hundreds of
// elements under one seed and none under the next.
func scatteredElements(rnd *sim.Rand, n int) (start, columns []int32) {
	start = make([]int32, n+1)
	probability := min(1.0/spmvSparsity, float64(spmvMaxRow)/float64(n))
	// The distance to the next set element is geometric.
	scale := 1 / logarithm(1-probability)
	for at := 0; ; at++ {
		u := (float64(rnd.Uint32()>>8) + 0.5) * (1.0 / (1 << 24)) // never 0
		if at += int(float64(logarithm(u) * scale)); at >= n*n {
			break
		}
		columns = append(columns, int32(at%n))
		start[at/n+1]++
	}
	if len(columns) == 0 { // a buffer has at least one element
		columns, start[n] = []int32{0}, 1
	}
	for i := range n {
		start[i+1] += start[i]
	}
	return start, columns
}

// sparseRows draws the columns of each row in ascending order, and the start of each row.
// The length of a row is half to three halves of the mean, at least 1 and at most 64.
func sparseRows(rnd *sim.Rand, n int) (start, columns []int32) {
	start = make([]int32, n+1)
	mean := max(n/spmvSparsity, 2)
	var row []int32
	for i := range n {
		row = row[:0]
		for range min(mean/2+rnd.Intn(mean+1), spmvMaxRow) {
			row = append(row, int32(rnd.Intn(n)))
		}
		slices.Sort(row)
		columns = append(columns, slices.Compact(row)...)
		start[i+1] = int32(len(columns))
	}
	return start, columns
}
