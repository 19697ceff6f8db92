package programs

import (
	"math"
	"slices"
	"testing"
)

// input returns the values of a buffer.
func input(t *testing.T, name string, p Params, buffer int) []float64 {
	t.Helper()
	return readFloats(initial(mustBuild(t, name, p))[buffer])
}

func TestValuesLieInTheirRanges(t *testing.T) {
	whole := func(v float64) bool { return v == math.Trunc(v) }
	quarters := func(v float64) bool { return whole(4 * v) }
	hundredths := func(v float64) bool { return v == float64(float32(math.Round(v*100))/100) }
	tenths := func(v float64) bool { return v == float64(float32(math.Round(v*10))/10) }
	thousandths := func(v float64) bool { return v == float64(float32(math.Round(v*1000))/1000) }
	any := func(float64) bool { return true }
	cases := []struct {
		workload, data string
		buffer         int
		low, high      float64
		grid           func(float64) bool
	}{
		{"vecadd", "smooth", 0, 0, 16, quarters},
		{"vecadd", "grid", 0, 0, 63.75, quarters},
		{"vecadd", "uniform", 1, 0, 1, any},
		{"transpose", "ramp", 0, 0, 1<<20 - 1, whole},
		{"transpose", "mod1024", 0, 0, 1023, whole},
		{"transpose", "mod16384", 0, 0, 16383, whole},
		{"dct", "fused", 0, -128, 127, whole},
		{"matmul", "smooth", 0, -1, 127.0 / 128, func(v float64) bool { return whole(128 * v) }},
		{"matmul", "random", 1, -1, 127.0 / 128, func(v float64) bool { return whole(128 * v) }},
		// The ranges of options: ../README.md.
		{"blackscholes", "near", 0, 20, 30, any},
		{"blackscholes", "near", 1, 20, 30, any},
		{"blackscholes", "near", 2, 0.25, 10, quarters},
		{"blackscholes", "sdk", 0, 5, 30, any},
		{"blackscholes", "sdk", 1, 1, 100, any},
		{"blackscholes", "sdk", 2, 0.25, 10, any},
		{"blackscholes", "grid", 0, 5, 30, hundredths},
		{"blackscholes", "grid", 1, 1, 100, hundredths},
		{"blackscholes", "grid", 2, 0.25, 10, hundredths},
		{"nn", "hundredths", 0, 0, 358, hundredths},
		{"nn", "tenths", 0, 0, 358, tenths},
		{"nn", "tracks", 0, 0, 358, tenths},
		{"fwt", "walsh8", 0, -40, 40, hundredths},
		{"srad2", "speckle", 0, 1, math.E, any},
		{"backprop", "grid", 2, 0, 1, hundredths},
		{"backprop", "uniform", 2, 0, 1, any},
		{"jmeint", "thousandths", 0, -0.3, 1.3, thousandths},
		{"jmeint", "floats", 5, -0.3, 1.3, any},
		{"convolution", "picture", 0, 0, 255, whole},
		{"convolution", "random", 0, 0, 15, whole},
		{"spmv", "stencil", 0, -4, 4, func(v float64) bool { return whole(256 * v) }},
		{"spmv", "decimals", 0, 0, 10, hundredths},
		{"hotspot", "blocks", 1, 320, 345, hundredths},
		{"hotspot", "uniform", 1, 320, 345, any},
		{"heartwall", "ultrasound", 0, 0, 255, whole},
		{"libor", "constant", 0, 0.2, 0.4, any},
		{"libor", "normal", 0, -6, 6, any},
		// The rules of the suites: ../README.md.
		{"jmeint", "suite", 3, 0, 1, func(v float64) bool { return v == float64(float32(math.Round(v*1e6)/1e6)) }},
		{"jmeint", "integers", 3, -50, 50, whole},
		{"blackscholes", "suite", 0, 5, 30, any},
		{"blackscholes", "suite", 1, 1, 100, any},
		{"blackscholes", "suite", 2, 0.25, 10, any},
		{"nn", "suite", 0, 0, 358, tenths},
		{"srad1", "suite", 0, 0, 255, whole},
		{"srad2", "suite", 0, 1, math.E, any},
		{"backprop", "suite", 2, 0, 1, any},
		{"backprop", "hundredths", 2, 0, 1, hundredths},
		{"fwt", "suite", 0, 0, 1, any},
		{"spmv", "suite", 0, 0, 10, any},
		{"spmv", "suite", 1, 0, 10, any},
		{"convolution", "suite", 0, 0, 15, whole},
		{"kmeans", "suite", 0, 0, 60000, hundredths},
	}
	for _, c := range cases {
		v := input(t, c.workload, Params{Data: c.data}, c.buffer)
		low, high := slices.Min(v), slices.Max(v)
		if low < c.low || high > c.high {
			t.Errorf("%s %s buffer %d: %v to %v, want %v to %v", c.workload, c.data, c.buffer, low, high, c.low, c.high)
		}
		if c.workload != "matmul" && c.workload != "fwt" && c.workload != "libor" && c.workload != "kmeans" && high-low < 0.8*(c.high-c.low) {
			t.Errorf("%s %s buffer %d: %v to %v does not fill %v to %v", c.workload, c.data, c.buffer, low, high, c.low, c.high)
		}
		for i, x := range v {
			if !c.grid(x) {
				t.Errorf("%s %s buffer %d: element %d is %v, off its grid", c.workload, c.data, c.buffer, i, x)
				break
			}
		}
	}
}

func distinct(v []float64) int {
	v = slices.Clone(v)
	slices.Sort(v)
	return len(slices.Compact(v))
}

func TestValuesAreAsManyAsTheBenchmarksHave(t *testing.T) {
	cases := []struct {
		workload, data string
		buffer         int
		low, high      int
	}{
		{"vecadd", "smooth", 0, 55, 65},
		{"transpose", "ramp", 0, 1 << 20, 1 << 20},
		{"transpose", "mod1024", 0, 1024, 1024},
		{"transpose", "mod16384", 0, 16384, 16384},
		{"blackscholes", "near", 2, 40, 40},
		{"dct", "fused", 0, 150, 256},
		{"fwt", "walsh8", 0, 200, 256},
		{"fwt", "walsh4", 0, 10, 16},
		{"srad2", "speckle", 0, 200, 256},
		{"backprop", "grid", 2, 101, 101},
		{"jmeint", "thousandths", 1, 1200, 1601},
	}
	for _, c := range cases {
		if n := distinct(input(t, c.workload, Params{Data: c.data}, c.buffer)); n < c.low || n > c.high {
			t.Errorf("%s %s buffer %d: %d values, want %d to %d", c.workload, c.data, c.buffer, n, c.low, c.high)
		}
	}
}

// TestThePictureIsNatural: as in a photograph, neighbours are alike, all grey levels occur,
// and there are hard edges.
func TestThePictureIsNatural(t *testing.T) {
	for _, size := range []int{256, 512, 1024} {
		v := input(t, "dct", Params{Size: size}, 0)
		var near, edges int
		var count [256]int
		for i, x := range v {
			count[int(x)+128]++
			if i%size == 0 {
				continue
			}
			switch d := math.Abs(x - v[i-1]); {
			case d <= 16:
				near++
			case d >= 40:
				edges++
			}
		}
		if share := float64(near) / float64(len(v)); share < 0.93 {
			t.Errorf("%d: %.3f of the neighbours are alike, want 0.93", size, share)
		}
		if edges < size/4 {
			t.Errorf("%d: %d hard edges, want %d", size, edges, size/4)
		}
		var entropy float64
		for _, n := range count {
			if n > 0 {
				p := float64(n) / float64(len(v))
				entropy -= p * math.Log2(p)
			}
		}
		// A float of a whole grey level is one of these symbols and a low half of 0. Each is
		// every second symbol, so the two take entropy + 1 bits and 1 bit: 36 to 42 bytes a
		// block with the header. SLC states less than 64 bytes for DCT.
		if entropy < 6.0 || entropy > 7.5 {
			t.Errorf("%d: %.2f bits a pixel, want 6.0 to 7.5", size, entropy)
		}
	}
}

func TestSpeckleHasItsShape(t *testing.T) {
	rnd := (&request{number: 11}).rand(0)
	var sum, squares float64
	const n = 200000
	for range n {
		g := gamma8(&rnd)
		sum += g
		squares += g * g
	}
	mean := sum / n
	if variance := squares/n - mean*mean; math.Abs(mean-1) > 0.01 || math.Abs(variance-0.125) > 0.005 {
		t.Errorf("mean %v and variance %v, want 1 and 1/8", mean, variance)
	}
}

func TestHalfOfTheTrianglesIntersect(t *testing.T) {
	for _, data := range []string{"thousandths", "floats"} {
		n := 0
		hits := intersections(initial(mustBuild(t, "jmeint", Params{Size: 20000, Data: data})))
		for _, hit := range hits {
			if hit {
				n++
			}
		}
		if share := float64(n) / float64(len(hits)); share < 0.4 || share > 0.6 {
			t.Errorf("%s: %.3f of the pairs intersect, want about half", data, share)
		}
	}
}

func TestSeedsGiveOtherData(t *testing.T) {
	for _, name := range Names() {
		info, _ := Describe(name)
		p := Params{Size: info.Sizes[0]}
		a := hash(mustBuild(t, name, p))
		if b := hash(mustBuild(t, name, p)); a != b {
			t.Errorf("%s: the same params give other bytes", name)
		}
		p.Seed = 1
		if b := hash(mustBuild(t, name, p)); a == b && name != "transpose" && name != "libor" { // a ramp and constants do not depend on the seed
			t.Errorf("%s: another seed gives the same bytes", name)
		}
	}
}

// TestFunctionsOfOurOwn: the exponential and logarithm of the generators are correct, and
// equal on every machine.
func TestFunctionsOfOurOwn(t *testing.T) {
	for x := -30.0; x < 30; x += 0.0137 {
		if got, want := exponential(x), math.Exp(x); math.Abs(got/want-1) > 1e-15 {
			t.Fatalf("exponential(%v) is %v, want %v", x, got, want)
		}
		y := math.Exp(x)
		if got, want := logarithm(y), math.Log(y); math.Abs(got-want) > 1e-15*math.Max(1, math.Abs(want)) {
			t.Fatalf("logarithm(%v) is %v, want %v", y, got, want)
		}
	}
}

// TestFlagsComeInRuns: runs of 20 flags on average, or independent flags of which three
// tenths are set.
func TestFlagsComeInRuns(t *testing.T) {
	for data, run := range map[string]float64{"runs": 20, "flags": 1 / (2 * 0.3 * 0.7)} {
		v := readWords(mustBuild(t, "scan", Params{Data: data}).Buffers[0].Init)
		ones, runs := 0, 1
		for i, flag := range v {
			if flag == 1 {
				ones++
			}
			if i > 0 && flag != v[i-1] {
				runs++
			}
		}
		if share, mean := float64(ones)/float64(len(v)), float64(len(v))/float64(runs); math.Abs(share-0.3) > 0.01 || math.Abs(mean/run-1) > 0.03 {
			t.Errorf("%s: %.3f of the flags are set, in runs of %.2f, want 0.3 and %.2f", data, share, mean, run)
		}
	}
}

// TestConnectionsHaveTheirParts: a third of the features are 0, a third whole numbers, a
// third hundredths up to 1, and values repeat, as in the KDD data of the original.
func TestConnectionsHaveTheirParts(t *testing.T) {
	v := input(t, "kmeans", Params{}, 0)
	for i, x := range v {
		f := i % kmeansFeatures % 3
		if f == 0 && x != 0 || f == 1 && x != math.Trunc(x) || f == 2 && (x < 0 || x > 1) {
			t.Fatalf("feature %d of object %d is %v", i%kmeansFeatures, i/kmeansFeatures, x)
		}
	}
	if n := distinct(v); n < 100 || n > 600 {
		t.Errorf("%d different values, want a few hundred", n)
	}
}

// TestPagesFollowZipf: the addresses have their shares by Zipf's law, and the log has its
// fields.
func TestPagesFollowZipf(t *testing.T) {
	p := mustBuild(t, "pageviewcount", Params{})
	after, _ := runUntimed(t, p)
	views := readWords(after[3])
	slices.Sort(views)
	slices.Reverse(views)
	// The harmonic number of 4096 is 8.895.
	for k := 1; k <= 4; k *= 2 {
		if want := float64(1<<14) / 8.895 / float64(k); math.Abs(float64(views[k-1])/want-1) > 0.15 {
			t.Errorf("the address of rank %d has %d views, want about %.0f", k, views[k-1], want)
		}
	}
}
