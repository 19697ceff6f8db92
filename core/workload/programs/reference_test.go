package programs

import (
	"encoding/binary"
	"fmt"
	"github.com/burstscope/burstscope/core/workload"
	"math"
	"testing"
)

// A reference is a plain Go loop that checks the result of a program: it gets the buffers
// before and after the run.
type reference func(p *workload.Program, before, after [][]byte) error

var references = map[string]reference{
	"vecadd":       checkVecadd,
	"transpose":    checkTranspose,
	"dct":          checkDCT,
	"blackscholes": checkBlackScholes,
	"matmul":       checkMatmul,
	"nn":           checkNearest,
	"fwt":          checkWalsh,
	"srad1":        checkSRAD1,
	"srad2":        checkSRAD2,
	"backprop":     checkBackprop,
	"jmeint":       checkJmeint,
	"scan":         checkScan,
	"convolution":  checkConvolution,
	"spmv":         checkSpmv,
	"hotspot":      checkHotspot,
	"pathfinder":   checkPathfinder,
	"kmeans":       checkKmeans,
	"bfs1":         checkBFS1,
	"bfs2":         checkBFS2,
	"sssp":         checkSSSP,
	"binomial":     checkBinomial,
	"libor":        checkLibor,
	"heartwall":    checkHeartwall,
	"mummer":       checkMummer,

	"particlefilter": checkParticleFilter,
	"similarity":     checkSimilarity,
	"mapmatmul":      checkMapMatmul,
	"floydwarshall":  checkFloydWarshall,
	"betweenness":    checkBetweenness,
	"independentset": checkIndependentSet,
	"colouring":      checkColouring,
	"pagerank":       checkPageRank,
	"dijkstra":       checkDijkstra,
	"needleman":      checkNeedleman,
	"streamcluster":  checkStreamcluster,
	"bplustree":      checkBplusTree,
	"wordcount":      checkWordCount,
	"stringmatch":    checkStringMatch,
	"gaussian":       checkGaussian,
	"sradreduce":     checkSRAD1,
	"sreduce":        checkSRADSums,
	"sradupdate":     checkSRADUpdate,

	"gridbarrier": checkGridBarrier,
	"streamk":     checkStreamK,
	"workqueue":   checkWorkQueue,
	"radixsort":   checkRadixSort,
	"locktable":   checkLockTable,

	"hpcproxy": checkProxy,
	"dlproxy":  checkProxy,

	"embedding":       checkEmbedding,
	"softmax":         checkSoftmax,
	"layernorm":       checkLayerNorm,
	"sgd":             checkSGD,
	"adam":            checkAdam,
	"gemm":            checkGemm,
	"gemmfp8":         checkGemmFP8,
	"hoppergemm":      checkGemm,
	"hopperattention": checkHopperAttention,
	"hopperdecode":    checkHopperDecode,
	"hopperrows":      checkHopperRows,
	"hoppermoe":       checkHopperMoE,
	"attention":       checkAttention,
	"pageddecode":     checkPagedDecode,

	"pageviewcount": checkPageViewCount,
	"pageviewrank":  checkPageViewRank,
}

// initial returns the buffers as the host fills them.
func initial(p *workload.Program) [][]byte {
	out := make([][]byte, len(p.Buffers))
	for i, b := range p.Buffers {
		out[i] = make([]byte, b.Bytes)
		copy(out[i], b.Init)
	}
	return out
}

func readFloats(b []byte) []float64 {
	v := make([]float64, len(b)/4)
	for i := range v {
		v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return v
}

// near compares with an absolute tolerance, multiplied by a scale.
func near(what string, got, want []float64, tolerance float64, scale func(i int) float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance*scale(i)) {
			return fmt.Errorf("%s[%d] is %v, want %v within %v", what, i, got[i], want[i], tolerance*scale(i))
		}
	}
	return nil
}

func relative(want []float64) func(i int) float64 {
	return func(i int) float64 { return math.Abs(want[i]) }
}

func constant(c float64) func(i int) float64 { return func(int) float64 { return c } }

func checkVecadd(_ *workload.Program, before, after [][]byte) error {
	a, b, got := readFloats(before[0]), readFloats(before[1]), readFloats(after[2])
	want := make([]float64, len(a))
	for i := range want {
		want[i] = float64(float32(a[i]) + float32(b[i]))
	}
	return near("sum", got, want, 0, constant(0))
}

func checkTranspose(p *workload.Program, before, after [][]byte) error {
	in, got := readFloats(before[0]), readFloats(after[1])
	width, height := p.Buffers[0].Width, p.Buffers[0].Height
	want := make([]float64, len(in))
	for y := range height {
		for x := range width {
			want[x*height+y] = in[y*width+x]
		}
	}
	return near("odata", got, want, 0, constant(0))
}

func checkMatmul(p *workload.Program, before, after [][]byte) error {
	a, b := readFloats(before[0]), readFloats(before[1])
	n := p.Buffers[2].Width
	want, bound := make([]float64, n*n), make([]float64, n*n)
	for y := range n {
		for x := range n {
			for k := range n {
				want[y*n+x] += a[y*n+k] * b[k*n+x]
				bound[y*n+x] += math.Abs(a[y*n+k] * b[k*n+x])
			}
		}
	}
	return near("c", readFloats(after[2]), want, float64(n)*0x1p-24, func(i int) float64 { return bound[i] })
}

func checkBlackScholes(_ *workload.Program, before, after [][]byte) error {
	price, strike, years := readFloats(before[0]), readFloats(before[1]), readFloats(before[2])
	call, put := make([]float64, len(price)), make([]float64, len(price))
	normal := func(d float64) float64 { return 0.5 * math.Erfc(-d/math.Sqrt2) }
	for i := range price {
		deviation := volatility * math.Sqrt(years[i])
		d1 := (math.Log(price[i]/strike[i]) + (riskFree+volatility*volatility/2)*years[i]) / deviation
		d2 := d1 - deviation
		discounted := strike[i] * math.Exp(-riskFree*years[i])
		call[i] = price[i]*normal(d1) - discounted*normal(d2)
		put[i] = discounted*normal(-d2) - price[i]*normal(-d1)
	}
	// The approximate lg2 and ex2 are exact to about 2^-22, the polynomial to 7.5e-8.
	scale := func(i int) float64 { return price[i] + strike[i] }
	if err := near("call", readFloats(after[3]), call, 2e-6, scale); err != nil {
		return err
	}
	return near("put", readFloats(after[4]), put, 2e-6, scale)
}

// dctBasis is element k of the orthonormal cosine basis at n.
func dctBasis(k, n int) float64 {
	scale := 0.5
	if k == 0 {
		scale = math.Sqrt(0.125)
	}
	return scale * math.Cos(float64((2*n+1)*k)*math.Pi/16)
}

// eachBlock transforms every 8x8 block by the definition, four loops deep.
func eachBlock(in []float64, width, height int, weight func(u, v, x, y int) float64) []float64 {
	out := make([]float64, len(in))
	for by := 0; by < height; by += 8 {
		for bx := 0; bx < width; bx += 8 {
			for v := range 8 {
				for u := range 8 {
					var sum float64
					for y := range 8 {
						for x := range 8 {
							sum += in[(by+y)*width+bx+x] * weight(u, v, x, y)
						}
					}
					out[(by+v)*width+bx+u] = sum
				}
			}
		}
	}
	return out
}

// annexK is the luminance table of ITU-T T.81 Annex K.
var annexK = [64]int{
	16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
	18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
}

func checkDCT(p *workload.Program, before, after [][]byte) error {
	width, height := p.Buffers[0].Width, p.Buffers[0].Height
	var basis [8][8]float64
	for k := range basis {
		for n := range basis[k] {
			basis[k][n] = dctBasis(k, n)
		}
	}
	raw := eachBlock(readFloats(before[0]), width, height, func(u, v, x, y int) float64 { return basis[u][x] * basis[v][y] })
	got := readFloats(after[1])
	for i, c := range raw {
		step := float64((annexK[i/width%8*8+i%width%8]*50 + 50) / 100)
		if want := math.RoundToEven(c/step) * step; got[i] != want && math.Abs(math.Abs(c/step-got[i]/step)-0.5) > 1e-4 {
			return fmt.Errorf("coefficient %d,%d is %v, want %v: %v in steps of %v", i%width, i/width, got[i], want, c, step)
		}
	}
	// The inverse transform starts from the coefficients of the first part.
	want := eachBlock(got, width, height, func(x, y, u, v int) float64 { return basis[u][x] * basis[v][y] })
	image := readFloats(after[0])
	if p.Launches[len(p.Launches)-1].Entry == "dct_inverse" {
		return near("image", image, want, 1e-3, constant(1))
	}
	for i := range image {
		if image[i] != math.Trunc(image[i]) {
			return fmt.Errorf("image[%d] is %v, want a whole grey level", i, image[i])
		}
	}
	return near("image", image, want, 0.5+1e-3, constant(1))
}

func checkNearest(_ *workload.Program, before, after [][]byte) error {
	at := readFloats(before[0])
	want := make([]float64, len(at)/2)
	for i := range want {
		want[i] = math.Hypot(targetLatitude-at[2*i], targetLongitude-at[2*i+1])
	}
	return near("distance", readFloats(after[1]), want, 1e-6, relative(want))
}

func checkWalsh(_ *workload.Program, before, after [][]byte) error {
	// The dyadic convolution by its definition.
	data, taps := readFloats(before[0]), readFloats(before[1])[:walshTaps]
	want := make([]float64, len(data))
	var largest float64
	for i := range want {
		for j, k := range taps {
			want[i] += k * data[i^j]
		}
		largest = math.Max(largest, math.Abs(want[i]))
	}
	return near("d_Data", readFloats(after[0]), want, 1e-5, constant(largest))
}

func checkSRAD1(p *workload.Program, before, after [][]byte) error {
	plane := readFloats(before[0])
	var sum, squares float64
	for i := range plane {
		plane[i] = math.Exp(plane[i] / 255)
		sum += plane[i]
		squares += plane[i] * plane[i]
	}
	n := float64(len(plane))
	mean := sum / n
	plane = diffuse(plane, p.Buffers[0].Width, p.Buffers[0].Height, (squares/n-mean*mean)/(mean*mean))
	for i := range plane {
		plane[i] = 255 * math.Log(plane[i])
	}
	return near("d_I", readFloats(after[0]), plane, 1e-2, constant(1)) // of 255 grey levels
}

func checkSRAD2(p *workload.Program, before, after [][]byte) error {
	width, height := p.Buffers[0].Width, p.Buffers[0].Height
	plane := readFloats(before[0])
	for range sradSteps {
		plane = diffuse(plane, width, height, speckleOf(plane, width, height))
	}
	return near("J", readFloats(after[0]), plane, 1e-4, constant(1))
}

func checkBackprop(_ *workload.Program, before, after [][]byte) error {
	const columns = hiddenUnits + 1
	input, weights, output := readFloats(before[0]), readFloats(before[2]), readFloats(before[6])
	squash := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	hidden := make([]float64, columns)
	hidden[0] = 1
	out := output[0]
	for j := 1; j < columns; j++ {
		var sum float64
		for i := range input {
			sum += input[i] * weights[i*columns+j]
		}
		hidden[j] = squash(sum)
		out += hidden[j] * output[j]
	}
	out = squash(out)
	delta := make([]float64, columns)
	for j := 1; j < columns; j++ {
		delta[j] = hidden[j] * (1 - hidden[j]) * out * (1 - out) * (backpropTarget - out) * output[j]
	}
	steps, moved := make([]float64, len(weights)), make([]float64, len(weights))
	for i := range weights {
		if column := i % columns; column > 0 {
			steps[i] = 0.3 * delta[column] * input[i/columns] // the momentum of a first step is 0
		}
		moved[i] = weights[i] + steps[i]
	}
	for _, c := range []struct {
		what      string
		buffer    int
		want      []float64
		tolerance float64
	}{{"output_hidden", 1, hidden, 1e-4}, {"hidden_delta", 4, delta, 1e-5}, {"input_prev_weights", 5, steps, 1e-5}, {"input_hidden", 2, moved, 1e-5}} {
		if err := near(c.what, readFloats(after[c.buffer]), c.want, c.tolerance, constant(1)); err != nil {
			return err
		}
	}
	return nil
}

type vector [3]float64

func (a vector) minus(b vector) vector { return vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vector) dot(b vector) float64  { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vector) cross(b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// separated looks for an axis along which two triangles do not overlap, unlike the
// kernel's method. For triangles in one plane, rounding decides.
func separated(v, u [3]vector) bool {
	edge := func(t [3]vector, i int) vector { return t[(i+1)%3].minus(t[i]) }
	nv, nu := edge(v, 0).cross(edge(v, 1)), edge(u, 0).cross(edge(u, 1))
	axes := []vector{nv, nu}
	for i := range 3 {
		axes = append(axes, nv.cross(edge(v, i)), nu.cross(edge(u, i)))
		for j := range 3 {
			axes = append(axes, edge(v, i).cross(edge(u, j)))
		}
	}
	for _, axis := range axes {
		lowV, highV, lowU, highU := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for i := range 3 {
			lowV, highV = math.Min(lowV, axis.dot(v[i])), math.Max(highV, axis.dot(v[i]))
			lowU, highU = math.Min(lowU, axis.dot(u[i])), math.Max(highU, axis.dot(u[i]))
		}
		if highV < lowU || highU < lowV {
			return true
		}
	}
	return false
}

// intersections returns which pairs of a jmeint program intersect.
func intersections(before [][]byte) []bool {
	var corner [6][]float64
	for i := range corner {
		corner[i] = readFloats(before[i])
	}
	hit := make([]bool, len(corner[0])/3)
	for i := range hit {
		var t [6]vector
		for c := range t {
			t[c] = vector(corner[c][3*i : 3*i+3])
		}
		hit[i] = !separated([3]vector(t[:3]), [3]vector(t[3:]))
	}
	return hit
}

func checkJmeint(_ *workload.Program, before, after [][]byte) error {
	wrong := 0
	want := intersections(before)
	for i, hit := range want {
		if after[6][i] > 1 || hit != (after[6][i] == 1) {
			wrong++
		}
	}
	// In single precision, rounding decides about corners that touch a plane.
	if limit := len(want) / 500; wrong > limit {
		return fmt.Errorf("hit: %d of %d pairs are wrong, want at most %d", wrong, len(want), limit)
	}
	return nil
}

func TestReferencesCoverEveryWorkload(t *testing.T) {
	for _, name := range Names() {
		if references[name] == nil {
			t.Errorf("%s has no reference", name)
		}
	}
}
