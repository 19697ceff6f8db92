package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// heartwall is HW: heartwall of the Rodinia suite.
var heartwall = definition{
	info: Info{
		Name: "heartwall", Title: "Heart wall tracking",
		Doc: "Follows points on the wall of a heart through ultrasound frames by correlation with templates (HW of E2MC, LATTE-CC and " +
			"RFVP). Each point has one CTA, so there are few CTAs and latency limits the run. After the first frame come two frames of 256 x 256, " +
			"or five of 744 x 656 from 51 points on. The search covers 10 pixels in each direction, less than in Rodinia. Data `ultrasound` (also named `suite`; Rodinia reads a film): a " +
			"bright ring and its speckle, which move together, and noise.",
		Sizes: []int{4, 12, 24, 51}, DefaultSize: 12, FullSize: 51, SizeLabel: "points",
		DataModes: []string{"ultrasound", Suite},
	},
	aliases: []string{"hw"},
	number:  18, file: "heartwall", metric: workload.MetricNRMSE, suite: "ultrasound",
	loss:  heartLoss,
	size:  sizeRule{min: 1, max: 256, step: 1},
	build: buildHeartwall,
}

// Constants of heartwall.cu.
const (
	heartThreads = 256
	heartHalf    = 12
	heartSide    = 2*heartHalf + 1
	heartSearch  = 10
	heartOffsets = 2*heartSearch + 1
	heartWindow  = 2*(heartHalf+heartSearch) + 1
)

// The movement of the heart from one frame to the next, in pixels, and the strength of the
// noise of each frame, in grey levels.
const (
	heartMoveX, heartMoveY = 2, 3
	heartNoise             = 4
)

// heartFrames returns the number and size of the searched frames for a number of points.
func heartFrames(points int) (width, height, tracked int) {
	if points >= 51 {
		return 744, 656, 5
	}
	return 256, 256, 2
}

func buildHeartwall(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	width, height, tracked := heartFrames(n)
	scene, noise := r.rand(0), r.rand(1)
	frames := heartScene(&scene, &noise, width, height, 1+tracked)
	rows, columns := wallPoints(n, width, height)
	buffers := []workload.Buffer{
		f32("d_frames", len(frames), frames).AsSafe(),
		f32("d_templates", n*heartSide*heartSide, nil).AsSafe(),
		f32("d_in2", n*heartWindow*heartWindow, nil).AsSafe(),
		f32("d_in2_cumulative", n*heartWindow*heartWindow, nil).AsSafe(),
		f32("d_in2_squares", n*heartWindow*heartWindow, nil).AsSafe(),
		f32("d_conv", n*heartOffsets*heartOffsets, nil).AsSafe(),
		s32("d_rows", n, rows),
		s32("d_columns", n, columns),
		s32("d_trace", 2*n*tracked, nil).AsOutput(),
	}
	w, h := workload.S32(int32(width)), workload.S32(int32(height))
	launches := []workload.Launch{{
		Entry: "heartwall_templates", Grid: line(n), Block: line(heartThreads),
		Args: []workload.Arg{workload.BufferArg(0), w, h, workload.BufferArg(6), workload.BufferArg(7), workload.BufferArg(1)},
	}}
	for step := range tracked {
		launches = append(launches, workload.Launch{
			Entry: "heartwall_track", Grid: line(n), Block: line(heartThreads),
			Args: []workload.Arg{
				workload.BufferArg(0), workload.U32(uint32((1 + step) * width * height)), w, h, workload.BufferArg(1), workload.BufferArg(2), workload.BufferArg(3), workload.BufferArg(4),
				workload.BufferArg(5), workload.BufferArg(6), workload.BufferArg(7), workload.BufferArg(8), workload.U32(uint32(step)),
			},
		})
	}
	return buffers, launches
}

// The radii of the ring's rims are fractions of the shorter side.
const wallInner, wallOuter = 0.22, 0.32

// wallPoints returns n points, by turns on the inner and on the outer rim of the ring.
func wallPoints(n, width, height int) (rows, columns []int32) {
	for i := range n {
		radius := wallInner
		if i%2 == 1 {
			radius = wallOuter
		}
		x, y := onCircle(float64(i) / float64(n))
		short := float64(min(width, height))
		rows = append(rows, int32(math.Floor(float64(height)/2+float64(radius*short*y)+0.5)))
		columns = append(columns, int32(math.Floor(float64(width)/2+float64(radius*short*x)+0.5)))
	}
	return rows, columns
}

// onCircle returns the point of the unit circle at a fraction of a turn. It has the same
// bits on every machine, unlike Go's sine: it walks along the chord of a quarter turn and
// moves the point out to the circle.
func onCircle(turn float64) (x, y float64) {
	quarter := math.Floor(4 * turn)
	f := float64(4*turn) - quarter
	x, y = 1-f, f
	length := math.Sqrt(float64(x*x) + float64(y*y))
	x, y = x/length, y/length
	for range int(quarter) {
		x, y = -y, x
	}
	return x, y
}

// heartScene draws the frames of an ultrasound-like scene with a ring in its middle. The
// speckle is drawn once, and the scene moves as a whole.
func heartScene(rnd, noise *sim.Rand, width, height, frames int) []float32 {
	marginX, marginY := heartMoveX*frames, heartMoveY*frames
	wide, high := width+marginX, height+marginY
	tissue := field(rnd, wide, high, 64, 5)
	short := float64(min(width, height))
	pixels := make([]uint8, wide*high)
	for y := range high {
		for x := range wide {
			// Frame 0 shows the scene from (marginX, marginY) on.
			u, v := float64(x-marginX)-float64(width)/2, float64(y-marginY)-float64(height)/2
			base := 100 + float64(60*float64(tissue[y*wide+x]))
			ring := ellipse(u, v, 0, 0, wallOuter*short, wallOuter*short) - ellipse(u, v, 0, 0, wallInner*short, wallInner*short)
			pixels[y*wide+x] = level(float32(float64((base + float64(80*ring)) * gamma8(rnd))))
		}
	}
	return generate(frames*width*height, func(i int) float32 {
		k, y, x := i/(width*height), i/width%height, i%width
		v := int(pixels[(y+marginY-k*heartMoveY)*wide+x+marginX-k*heartMoveX])
		if k > 0 {
			v += noise.Intn(2*heartNoise+1) - heartNoise
		}
		return float32(min(max(v, 0), 255))
	})
}
