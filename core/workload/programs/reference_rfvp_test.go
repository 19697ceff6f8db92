package programs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/workload"
)

// checkNeedleman fills the table row by row.
func checkNeedleman(_ *workload.Program, before, after [][]byte) error {
	alike, score := readWords(before[0]), readWords(before[1])
	columns := int(math.Sqrt(float64(len(score))))
	for i := 1; i < columns; i++ {
		for j := 1; j < columns; j++ {
			at := i*columns + j
			score[at] = max(score[at-columns-1]+alike[at], score[at-1]-10, score[at-columns]-10)
		}
	}
	return same("matrix_cuda", readWords(after[1]), score)
}

func checkStreamcluster(p *workload.Program, before, after [][]byte) error {
	coordinates := narrow(readFloats(before[0]))
	for l, launch := range p.Launches {
		points, table := before[4*l+1], readWords(before[4*l+2])
		n, x, centres := len(table), int(launch.Args[7].Bits), int(launch.Args[8].Bits)
		work, moves := make([]float32, n*(centres+1)), make([]byte, n)
		for i := range n {
			var cost float32
			for d := range streamDimensions {
				apart := coordinates[d*n+i] - coordinates[d*n+x]
				cost = fused(apart, apart, cost)
			}
			point := points[32*i:]
			centre := table[binary.LittleEndian.Uint64(point[16:])]
			now := math.Float32frombits(binary.LittleEndian.Uint32(point[24:]))
			if cost < now {
				moves[i] = 1
				work[i*(centres+1)+centres] = cost - now
			} else {
				work[i*(centres+1)+int(centre)] = now - cost
			}
		}
		if err := sameFloats(fmt.Sprint("work_mem_d of launch ", l), readFloats(after[4*l+3]), work); err != nil {
			return err
		}
		if !bytes.Equal(after[4*l+4], moves) {
			return fmt.Errorf("switch_membership_d of launch %d differs", l)
		}
	}
	return nil
}

// TestCentresOpenAndClose: the buffers of the launches are those of a clustering in progress.
func TestCentresOpenAndClose(t *testing.T) {
	for _, data := range []string{"clusters", Suite} {
		p := mustBuild(t, "streamcluster", Params{Size: 1024, Data: data})
		changes := 0
		var sum, last float64
		for l := range p.Launches {
			points := p.Buffers[4*l+1].Init
			last, sum = sum, 0
			for i := range 1024 {
				sum += float64(math.Float32frombits(binary.LittleEndian.Uint32(points[32*i+24:])))
			}
			if l > 0 && sum != last {
				changes++
			}
		}
		if changes == 0 {
			t.Errorf("%s: no candidate becomes a centre", data)
		}
	}
}

// checkBplusTree knows that the tree has all numbers: key k is record k.
func checkBplusTree(_ *workload.Program, before, after [][]byte) error {
	records, keys, starts, ends := readWords(before[1]), readWords(before[4]), readWords(before[10]), readWords(before[11])
	answers, lengths := make([]int32, len(keys)), make([]int32, len(starts))
	for i, k := range keys {
		answers[i] = records[k]
	}
	for i := range starts {
		lengths[i] = ends[i] - starts[i] + 1
	}
	if err := same("ansD", readWords(after[5]), answers); err != nil {
		return err
	}
	if err := same("RecstartD", readWords(after[12]), starts); err != nil {
		return err
	}
	return same("ReclenD", readWords(after[13]), lengths)
}

// checkWordCount counts the words as strings.
func checkWordCount(_ *workload.Program, before, after [][]byte) error {
	text := string(before[0])
	want, words := map[string]int32{}, 0
	for _, w := range strings.Fields(text) {
		if len(w) >= 6 {
			want[w]++
			words++
		}
	}
	counts := readWords(after[5])
	if len(counts) != words {
		return fmt.Errorf("%d places for %d words", len(counts), words)
	}
	for i, n := range counts {
		if n == 0 {
			continue
		}
		w := strings.Fields(text[binary.LittleEndian.Uint32(after[2][8*i+4:]):])[0]
		if want[w] != n {
			return fmt.Errorf("%q was counted %d times, want %d", w, n, want[w])
		}
		delete(want, w)
	}
	if len(want) > 0 {
		return fmt.Errorf("%d words were not counted", len(want))
	}
	return nil
}

func checkStringMatch(_ *workload.Program, before, after [][]byte) error {
	keyword, pieces := before[1], readWords(before[2])
	hits, counts := make([]byte, len(before[0])), make([]int32, len(pieces)-1)
	lines, start := textLines(before)
	for i, line := range lines {
		if bytes.Equal(line, keyword) {
			hits[start[i]] = 1
			piece, _ := slices.BinarySearch(pieces, int32(start[i]+1))
			counts[piece-1]++
		}
	}
	if !bytes.Contains(hits, []byte{1}) || !bytes.Equal(after[4], hits) {
		return fmt.Errorf("other lines are marked than those that match")
	}
	return same("d_counts", readWords(after[3]), counts)
}

// checkGaussian filters the four channels of each column one after the other.
func checkGaussian(p *workload.Program, before, after [][]byte) error {
	n := p.Buffers[0].Height
	var c [8]float32 // a0 to a3, b1, b2, coefp, coefn
	for i := range c {
		c[i] = math.Float32frombits(uint32(p.Launches[0].Args[4+i].Bits))
	}
	pack := func(v float32) byte { return byte(float32(min(max(v, 0), 1) * 255)) }
	columns := func(in []byte) []byte {
		out := make([]byte, len(in))
		for column := range 4 * n {
			at := func(y int) *byte { return &out[y*4*n+column] }
			pixel := func(y int) float32 { return float32(in[y*4*n+column]) / 255 }
			step := func(near, far float32, a, b int, last, older float32) float32 {
				return fused(-c[5], older, fused(-c[4], last, fused(c[b], far, float32(c[a]*near))))
			}
			before := pixel(0)
			last := float32(c[6] * before)
			older := last
			for y := range n {
				last, older, before = step(pixel(y), before, 0, 1, last, older), last, pixel(y)
				*at(y) = pack(last)
			}
			before = pixel(n - 1)
			beyond := before
			last = float32(c[7] * before)
			older = last
			for y := n - 1; y >= 0; y-- {
				last, older = step(before, beyond, 2, 3, last, older), last
				beyond, before = before, pixel(y)
				*at(y) = pack(float32(*at(y))/255 + last)
			}
		}
		return out
	}
	transposed := func(in []byte) []byte {
		out := make([]byte, len(in))
		for i := range n * n {
			copy(out[4*(i%n*n+i/n):][:4], in[4*i:])
		}
		return out
	}
	if want := transposed(columns(transposed(columns(before[0])))); !bytes.Equal(after[2], want) {
		return fmt.Errorf("d_dest differs from the filtered picture")
	}
	return nil
}

// TestTheBlurIsGaussian: the filter of a bright square is the product of two integrals of
// (1 + a|x|) exp(-a|x|) a/4, the curve of Deriche's filter that is closest to a Gaussian.
func TestTheBlurIsGaussian(t *testing.T) {
	const n = 128
	p := mustBuild(t, "gaussian", Params{Size: n})
	for i := range p.Buffers[0].Init {
		x, y := i/4%n, i/4/n
		p.Buffers[0].Init[i] = 0
		if x >= 48 && x < 80 && y >= 48 && y < 80 {
			p.Buffers[0].Init[i] = 255
		}
	}
	after, _ := runUntimed(t, p)
	integral := func(x float64) float64 {
		u := 1.695 / gaussianSigma * math.Abs(x)
		return math.Copysign(0.5-math.Exp(-u)*(0.5+u/4), x)
	}
	share := func(x int) float64 { return integral(80-0.5-float64(x)) - integral(48-0.5-float64(x)) }
	for i := range n * n {
		want := 255 * share(i%n) * share(i/n)
		if got := float64(after[2][4*i]); math.Abs(got-want) > 4 {
			t.Fatalf("pixel %d, %d is %v, want about %.1f", i%n, i/n, got, want)
		}
	}
}

// checkSRADSums adds up the image and its squares in doubles.
func checkSRADSums(_ *workload.Program, before, after [][]byte) error {
	plane, squares := readFloats(before[0]), readFloats(before[1])
	var sum, square float64
	for i, v := range plane {
		if v < 1 || v > math.E || math.Abs(squares[i]-v*v) > 1e-6 {
			return fmt.Errorf("element %d is %v, its square %v; want exp of a grey level and its square", i, v, squares[i])
		}
		sum += v
		square += squares[i]
	}
	got := []float64{readFloats(after[0])[0], readFloats(after[1])[0]}
	return near("sums", got, []float64{sum, square}, 1e-6, constant(square))
}

// checkSRADUpdate sums what flows in from four sides.
func checkSRADUpdate(p *workload.Program, before, after [][]byte) error {
	width, height := p.Buffers[0].Width, p.Buffers[0].Height
	image, c := readFloats(before[0]), readFloats(before[7])
	dN, dS, dW, dE := readFloats(before[3]), readFloats(before[4]), readFloats(before[5]), readFloats(before[6])
	for i := range image {
		x, y := i%width, i/width
		if want := image[y*width+max(x-1, 0)] - image[i]; math.Abs(dN[i]-want) > 1e-6 {
			return fmt.Errorf("d_dN[%d] is %v, want %v", i, dN[i], want)
		}
		if want := image[min(y+1, height-1)*width+x] - image[i]; math.Abs(dE[i]-want) > 1e-6 {
			return fmt.Errorf("d_dE[%d] is %v, want %v", i, dE[i], want)
		}
	}
	want := make([]float64, len(image))
	for i := range want {
		x, y := i%width, i/width
		flow := c[i]*(dN[i]+dW[i]) + c[y*width+min(x+1, width-1)]*dS[i] + c[min(y+1, height-1)*width+x]*dE[i]
		want[i] = image[i] + sradLambda/4*flow
	}
	return near("d_I", readFloats(after[0]), want, 1e-6, constant(1))
}
