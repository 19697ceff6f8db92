package programs

import (
	"encoding/binary"
	"github.com/burstscope/burstscope/core/workload"
)

// srad1 is SRAD1: srad_v1 of the Rodinia suite.
var srad1 = definition{
	info: Info{
		Name: "srad1", Title: "Speckle removal (SRAD v1)",
		Doc: "One step of speckle-reducing anisotropic diffusion on an ultrasound-like image of grey levels (SRAD1 of SLC, LATTE-CC and " +
			"RFVP). The first kernel converts grey levels to exp(grey/255), the last one converts them back. On that scale the image takes " +
			"64 to 80 bytes a block; the derivatives hardly compress. Index arrays give the neighbours and are never approximated. The kernel " +
			"computes the statistics that Rodinia's host computes from the sums. Data `speckle`: an image of the chosen size; `suite`: one of 502 x 458 pixels, " +
			"repeated up to the size as Rodinia does with its file. An image of your own: at most size x size pixels from its " +
			"middle, with its last column and row repeated up to a multiple of 16.",
		Sizes: []int{128, 320, 512, 1024}, DefaultSize: 320, FullSize: 1024, StudySize: 512, SizeLabel: "pixels on a side",
		DataModes: []string{"speckle", Suite}, AcceptsImage: true,
	},
	number: 8, file: "srad1", metric: workload.MetricImageDiff,
	size:  sizeRule{min: sradTile, max: 2048, step: sradTile},
	build: buildSRAD1,
}

// srad1Threads is THREADS of srad1.cu.
const srad1Threads = 512

func buildSRAD1(r *request) ([]workload.Buffer, []workload.Launch) {
	m := r.ultrasound()
	width, count := m.Width, m.Width*m.Height
	image := generate(count, func(i int) float32 { return float32(m.Pixels[i]) })
	buffers := []workload.Buffer{f32("d_I", count, image).AsSafe().AsOutput().AsImage(m.Width, m.Height, 0, 1)}
	for _, name := range []string{"d_sums", "d_sums2", "d_dN", "d_dS", "d_dW", "d_dE", "d_c"} {
		buffers = append(buffers, f32(name, count, nil).AsSafe())
	}
	// Beyond its border the image repeats the border pixels.
	buffers = append(buffers,
		neighbours("d_iN", m.Width, -1), neighbours("d_iS", m.Width, 1),
		neighbours("d_jW", m.Height, -1), neighbours("d_jE", m.Height, 1))
	arg := make([]workload.Arg, len(buffers))
	for i := range arg {
		arg[i] = workload.BufferArg(i)
	}
	i, sums, squares, dN, dS, dW, dE, c := arg[0], arg[1], arg[2], arg[3], arg[4], arg[5], arg[6], arg[7]
	iN, iS, jW, jE := arg[8], arg[9], arg[10], arg[11]
	pixels, columns := workload.U32(uint32(count)), workload.U32(uint32(width))

	launches := []workload.Launch{
		sradLaunch(count, "srad1_extract", i, pixels),
		sradLaunch(count, "srad1_prepare", i, sums, squares, pixels),
	}
	launches = append(launches, sradReductionOf(count, sums, squares)...)
	return buffers, append(launches,
		sradLaunch(count, "srad1_derive", i, dN, dS, dW, dE, c, sums, squares, iN, iS, jW, jE, columns, pixels),
		sradLaunch(count, "srad1_update", i, dN, dS, dW, dE, c, iS, jE, workload.F32(sradLambda), columns, pixels),
		sradLaunch(count, "srad1_compress", i, pixels))
}

// sradLaunch has a thread for each of n elements.
func sradLaunch(n int, entry string, args ...workload.Arg) workload.Launch {
	return workload.Launch{Entry: entry, Grid: line(int(blocks(n, srad1Threads))), Block: line(srad1Threads), Args: args}
}

// sradReductionOf adds up count elements of two arrays, in place, until one is left of each.
func sradReductionOf(count int, sums, squares workload.Arg) (launches []workload.Launch) {
	for n, stride := count, 1; n > 1; n, stride = int(blocks(n, srad1Threads)), stride*srad1Threads {
		launches = append(launches,
			sradLaunch(n, "srad1_reduce", sums, squares, workload.U32(uint32(count)), workload.U32(uint32(stride))))
	}
	return launches
}

// neighbours maps each of n positions to the next position in a direction, clamped to the
// image.
func neighbours(name string, n, direction int) workload.Buffer {
	b := workload.Buffer{Name: name, Bytes: 4 * uint64(n), Element: workload.ElementS32}
	for i := range n {
		b.Init = binary.LittleEndian.AppendUint32(b.Init, uint32(min(max(i+direction, 0), n-1)))
	}
	return b
}
