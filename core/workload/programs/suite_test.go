package programs

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// TestEveryProgramOfAPaperHasSuiteData: programs of ours and proxies follow no suite. A mode that
// Suite stands for gives the same program under both names.
func TestEveryProgramOfAPaperHasSuiteData(t *testing.T) {
	for _, d := range table {
		ours := slices.Contains([]string{"vecadd", "matmul", "hpcproxy", "dlproxy",
			"embedding", "softmax", "layernorm", "sgd", "adam", "gemm", "gemmfp8", "hoppergemm",
			"hopperattention", "hopperdecode", "hopperrows", "hoppermoe", "attention", "pageddecode",
			"gridbarrier", "streamk", "workqueue", "radixsort", "locktable"}, d.info.Name)
		if has := slices.Contains(d.info.DataModes, Suite); has == ours {
			t.Errorf("%s: suite data: %v", d.info.Name, has)
		}
		if d.suite == "" {
			continue
		}
		p := Params{Size: d.info.Sizes[0], Data: d.suite}
		want := hash(mustBuild(t, d.info.Name, p))
		p.Data = Suite
		if got := hash(mustBuild(t, d.info.Name, p)); got != want {
			t.Errorf("%s: suite data differ from %s", d.info.Name, d.suite)
		}
	}
}

// TestRandOverMaxHasTheBitsOfTheLibrary: the numbers of the GNU library are 31 bits, so half of
// those below 1/2 need more than the 24 bits after the point that Float32 has.
func TestRandOverMaxHasTheBitsOfTheLibrary(t *testing.T) {
	rnd := (&request{number: 1}).rand(0)
	const n = 100000
	fine, sum := 0, 0.0
	for range n {
		v := float64(overRandMax(&rnd))
		if v < 0 || v > 1 {
			t.Fatalf("%v is not from 0 to 1", v)
		}
		sum += v
		if v*(1<<24) != math.Trunc(v*(1<<24)) {
			fine++
		}
	}
	// 1/4 has one more bit, 1/8 two more, ...: 1/4 x 1/2 + 1/8 x 3/4 + ... = 1/3.
	if share, mean := float64(fine)/n, sum/n; math.Abs(share-1.0/3) > 0.01 || math.Abs(mean-0.5) > 0.005 {
		t.Errorf("%.3f of the numbers need more than 24 bits, mean %.3f; want 0.333 and 0.5", share, mean)
	}
}

// TestMutualGraph: 2 to 4 draws a node, each listed at both ends.
func TestMutualGraph(t *testing.T) {
	const n = 5000
	rnd := (&request{number: 17}).rand(0)
	g := mutualGraph(&rnd, n)
	type edge struct{ from, to int32 }
	count := map[edge]int{}
	for i := range int32(n) {
		for _, to := range g.target[g.start[i]:g.start[i+1]] {
			count[edge{i, to}]++
		}
		if degree := g.start[i+1] - g.start[i]; degree < 2 {
			t.Fatalf("node %d has %d edges, want at least 2", i, degree)
		}
	}
	for e, k := range count {
		if e.from == e.to && k%2 != 0 || count[edge{e.to, e.from}] != k {
			t.Fatalf("%d edges from %d to %d, %d back", k, e.from, e.to, count[edge{e.to, e.from}])
		}
	}
	if mean := float64(len(g.target)) / n; math.Abs(mean-6) > 0.1 {
		t.Errorf("%.2f edges a node, want 6", mean)
	}
}

// TestScatteredElements: the rows have binomial length under every seed, and none is so long
// that padding all rows to it would take more memory than the matrix a few times over.
func TestScatteredElements(t *testing.T) {
	for _, n := range []int{32, 1000, 20000} {
		for seed := range uint64(10) {
			rnd := (&request{number: 23, seed: seed}).rand(0)
			start, columns := scatteredElements(&rnd, n)
			mean := min(float64(n)/100, 64)
			want := mean * float64(n)
			if got := float64(len(columns)); math.Abs(got-want) > 5*math.Sqrt(want) || int(start[n]) != len(columns) || len(columns) == 0 {
				t.Fatalf("%d rows have %v elements, want about %v", n, got, want)
			}
			squares := 0.0
			for i := range n {
				row := columns[start[i]:start[i+1]]
				for k, c := range row {
					if c < 0 || int(c) >= n || k > 0 && c <= row[k-1] {
						t.Fatalf("%d rows: row %d is %v", n, i, row)
					}
				}
				if length := float64(len(row)); length > mean+8*math.Sqrt(mean)+3 {
					t.Errorf("%d rows, seed %d: row %d has %v elements, the mean is %v", n, seed, i, length, mean)
				}
				squares += (float64(len(row)) - mean) * (float64(len(row)) - mean)
			}
			if ratio := squares / float64(n) / mean; n > 32 && (ratio < 0.8 || ratio > 1.2) {
				t.Errorf("%d rows: the variance of their lengths is %.2f times the mean, want about 1", n, ratio)
			}
		}
	}
}

// TestMarsLines: every line has the form that Mars prints.
func TestMarsLines(t *testing.T) {
	for name, form := range map[string]string{
		"pageviewcount": `^http://www\.abcdefg\.com/\d{1,4}\.html\t\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\t\d{1,3}$`,
		"pageviewrank":  `^http://www\.abcdefg\.com/\d{1,4}\.html\t\d{1,10}$`,
	} {
		text := mustBuild(t, name, Params{Size: 4096, Data: Suite}).Buffers[0].Init
		addresses := map[string]bool{}
		for line := range bytes.SplitSeq(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
			if !regexp.MustCompile(form).Match(line) {
				t.Fatalf("%s: line %q", name, line)
			}
			address, _, _ := bytes.Cut(line, []byte("\t"))
			addresses[string(address)] = true
		}
		if n := len(addresses); n < 980 || n > 1024 {
			t.Errorf("%s: %d addresses, want nearly 1024", name, n)
		}
	}
}

// TestNetworkRecords: the kinds have the shares of the ten percent of KDD Cup 1999.
func TestNetworkRecords(t *testing.T) {
	const n = 100000
	rnd := (&request{number: 19}).rand(0)
	v := networkRecords(&rnd, n)
	smurf, neptune := 0, 0
	for i := range n {
		switch record := v[i*kmeansFeatures:]; {
		case record[recordSent] == 1032 || record[recordSent] == 520:
			smurf++
		case record[recordSent] == 0:
			neptune++
		}
	}
	if math.Abs(float64(smurf)/n-0.57) > 0.06 || math.Abs(float64(neptune)/n-0.22) > 0.06 {
		t.Errorf("%d records of smurf and %d of neptune, want 57000 and 22000", smurf, neptune)
	}
}

// TestCentresMoveToTheMeanOfTheirObjects compares the centres of the second step with a plain
// sum over the objects that are nearest to each centre of the first.
func TestCentresMoveToTheMeanOfTheirObjects(t *testing.T) {
	const n = 3000
	before := initial(mustBuild(t, "kmeans", Params{Size: n, Data: Suite}))
	features, first, second := readFloats(before[0]), readFloats(before[3]), readFloats(before[4])
	want, count := make([]float64, len(first)), [kmeansClusters]float64{}
	for i := range n {
		best, least := 0, math.Inf(1)
		for c := range kmeansClusters {
			distance := 0.0
			for f := range kmeansFeatures {
				distance += math.Pow(features[i*kmeansFeatures+f]-first[c*kmeansFeatures+f], 2)
			}
			if distance < least {
				best, least = c, distance
			}
		}
		count[best]++
		for f := range kmeansFeatures {
			want[best*kmeansFeatures+f] += features[i*kmeansFeatures+f]
		}
	}
	for i := range want {
		want[i] /= count[i/kmeansFeatures]
	}
	if err := near("centres", second, want, 1e-4, func(i int) float64 { return 1 + want[i] }); err != nil {
		t.Error(err)
	}
}

// TestHiddenLayerIsThatOfTheKernel: what the host computes for the suite's data is what
// backprop_hidden computes from the same inputs.
func TestHiddenLayerIsThatOfTheKernel(t *testing.T) {
	p := mustBuild(t, "backprop", Params{Size: 512, Data: "uniform"})
	centreWeights(p)
	before := initial(p)
	after, _ := runUntimed(t, p)
	single := func(b []byte) []float32 {
		return generate(len(b)/4, func(i int) float32 { return float32(readFloats(b)[i]) })
	}
	values, errors := hiddenLayer(single(before[0]), single(before[2]), single(before[6]))
	if err := near("hidden units", readFloats(floats(values)), readFloats(after[1]), 1e-4, constant(1)); err != nil {
		t.Error(err)
	}
	if err := near("errors", readFloats(floats(errors)), readFloats(after[4]), 1e-5, constant(1)); err != nil {
		t.Error(err)
	}
	if slices.Min(errors) == slices.Max(errors) {
		t.Error("every error is 0: nothing is compared")
	}
}

// TestHostWorkOfBackpropTakesNoTime: under the data of the suite only Rodinia's two kernels
// are launched, and the units are saturated, so that nothing lost in the sums could matter.
func TestHostWorkOfBackpropTakesNoTime(t *testing.T) {
	for _, data := range []string{Suite, "hundredths"} {
		p := mustBuild(t, "backprop", Params{Size: 4096, Data: data})
		if len(p.Launches) != 2 || p.Launches[0].Entry != "backprop_forward" || p.Launches[1].Entry != "backprop_adjust" {
			t.Errorf("%s: launches %v", data, p.Launches)
		}
		for _, e := range readFloats(p.Buffers[4].Init) {
			if e != 0 {
				t.Errorf("%s: an error of %v, want 0", data, e)
			}
		}
	}
}

// TestDocumentListsTheStudies: the table of the document has a row for every run of studies.
func TestDocumentListsTheStudies(t *testing.T) {
	b, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range StudyRuns() {
		if Check(run.Program, Params{Size: run.Size, Data: run.Data}) != nil {
			t.Errorf("%+v cannot be built", run)
		}
		info, _ := Describe(run.Program)
		size := strconv.Itoa(run.Size)
		for at := len(size) - 3; at > 0; at -= 3 {
			size = size[:at] + "," + size[at:]
		}
		if row := fmt.Sprintf("\n| `%s` | %s %s | `%s`", run.Program, size, info.SizeLabel, run.Data); !bytes.Contains(b, []byte(row)) {
			t.Errorf("core/workload/README.md has no row %q: run burstscope workloads --size study --run functional", row[1:])
		}
	}
}

// TestRepeatedLaysCopiesSideBySide: pixel (x, y) is that of the file at x and y modulo its sides.
func TestRepeatedLaysCopiesSideBySide(t *testing.T) {
	m := &Image{Width: 3, Height: 2, Pixels: []uint8{1, 2, 3, 4, 5, 6}}
	want := []uint8{
		1, 2, 3, 1, 2,
		4, 5, 6, 4, 5,
		1, 2, 3, 1, 2,
	}
	if got := m.repeated(5, 3); !slices.Equal(got.Pixels, want) || got.Width != 5 || got.Height != 3 {
		t.Errorf("%d x %d: %v, want %v", got.Width, got.Height, got.Pixels, want)
	}
}
