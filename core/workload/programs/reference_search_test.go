package programs

import (
	"bytes"
	"fmt"
	"github.com/burstscope/burstscope/core/workload"
	"math"
	"testing"
)

// checkHeartwall checks the places that the program chose: each must correlate with the
// template as well as the best place, by the definition of correlation.
func checkHeartwall(p *workload.Program, before, after [][]byte) error {
	frames, rows, columns := readFloats(before[0]), readWords(before[6]), readWords(before[7])
	trace := readWords(after[8])
	n := len(rows)
	width, height, tracked := heartFrames(n)
	pixel := func(k, y, x int) float64 {
		return frames[k*width*height+min(max(y, 0), height-1)*width+min(max(x, 0), width-1)]
	}
	for point := range n {
		y, x := int(rows[point]), int(columns[point])
		patch := func(k, y, x int) []float64 {
			v := make([]float64, 0, heartSide*heartSide)
			for dy := -heartHalf; dy <= heartHalf; dy++ {
				for dx := -heartHalf; dx <= heartHalf; dx++ {
					v = append(v, pixel(k, y+dy, x+dx))
				}
			}
			return v
		}
		template := patch(0, y, x)
		for k := 1; k <= tracked; k++ {
			best := -2.0
			for dy := -heartSearch; dy <= heartSearch; dy++ {
				for dx := -heartSearch; dx <= heartSearch; dx++ {
					best = max(best, correlation(template, patch(k, y+dy, x+dx)))
				}
			}
			at := 2 * ((k-1)*n + point)
			nextY, nextX := int(trace[at]), int(trace[at+1])
			if got := correlation(template, patch(k, nextY, nextX)); got < best-1e-3 || max(nextY-y, y-nextY, nextX-x, x-nextX) > heartSearch {
				return fmt.Errorf("point %d of frame %d goes from %d,%d to %d,%d, correlation %v, the best is %v", point, k, y, x, nextY, nextX, got, best)
			}
			y, x = nextY, nextX
			for i, v := range patch(k, y, x) {
				template[i] = 0.87*template[i] + 0.13*v
			}
		}
	}
	return nil
}

func correlation(a, b []float64) float64 {
	n := float64(len(a))
	var sumA, sumB float64
	for i := range a {
		sumA += a[i]
		sumB += b[i]
	}
	var product, spreadA, spreadB float64
	for i := range a {
		u, v := a[i]-sumA/n, b[i]-sumB/n
		product += u * v
		spreadA += u * u
		spreadB += v * v
	}
	return product / math.Sqrt(spreadA*spreadB)
}

// TestTheHeartIsFollowed: nearly all points move with the scene.
func TestTheHeartIsFollowed(t *testing.T) {
	p := mustBuild(t, "heartwall", Params{Size: 12})
	after, _ := runUntimed(t, p)
	rows, columns, trace := readWords(p.Buffers[6].Init), readWords(p.Buffers[7].Init), readWords(after[8])
	right := 0
	for i, row := range rows {
		last := trace[len(trace)-2*len(rows)+2*i:]
		if last[0] == row+2*heartMoveY && last[1] == columns[i]+2*heartMoveX {
			right++
		}
	}
	if right < 11 {
		t.Errorf("%d of 12 points moved with the scene", right)
	}
}

// checkMummer: each match is at its reported place, and no longer match exists.
func checkMummer(_ *workload.Program, before, after [][]byte) error {
	reference, queries := before[2], before[3]
	length, place := readWords(after[4]), readWords(after[5])
	n := len(queries) / mummerLength
	for i := range n {
		query := queries[i*mummerLength:][:mummerLength]
		for from := 0; from+mummerLeast <= mummerLength; from++ {
			at := from*n + i
			rest := query[from:]
			got := int(length[at])
			if got < 1 || got > len(rest) || !bytes.HasPrefix(reference[place[at]:], rest[:got]) {
				return fmt.Errorf("string %d from %d: no match of %d at %d", i, from, got, place[at])
			}
			if got < len(rest) && bytes.Contains(reference, rest[:got+1]) {
				return fmt.Errorf("string %d from %d: a match longer than %d exists", i, from, got)
			}
		}
	}
	return nil
}

// TestSuffixTreeHoldsEverySuffix walks all suffixes of texts with every kind of ending.
func TestSuffixTreeHoldsEverySuffix(t *testing.T) {
	rnd := (&request{number: 20}).rand(0)
	for _, text := range []string{"A", "AAAAA", "ACACAC", "GATTACA", string(genome(&rnd, 700))} {
		tree := newSuffixTree([]byte(text))
		for s := range text {
			node, at := int32(0), s
			for at < len(text) {
				node = tree.children[4*node+int32(text[at]>>1&3)]
				n := tree.nodes[4*node:]
				if edge := text[n[nodeEdgeStart]:n[nodeEdgeEnd]]; node == 0 || len(edge) == 0 || !bytes.HasPrefix([]byte(edge), []byte(text[at:min(at+len(edge), len(text))])) {
					t.Fatalf("%.20s: suffix %d is not in the tree", text, s)
				} else {
					at += len(edge)
				}
			}
		}
	}
}
