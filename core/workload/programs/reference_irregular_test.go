package programs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"github.com/burstscope/burstscope/core/workload"
	"math"
	"slices"
	"strconv"
	"testing"
)

// hops counts the edges from a source to every node, -1 for unreachable nodes.
func hops(nodes, source int, targets func(node int) []int32) []int32 {
	cost := make([]int32, nodes)
	for i := range cost {
		cost[i] = -1
	}
	cost[source] = 0
	for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
		for _, to := range targets(queue[0]) {
			if cost[to] < 0 {
				cost[to] = cost[queue[0]] + 1
				queue = append(queue, int(to))
			}
		}
	}
	return cost
}

func checkBFS1(_ *workload.Program, before, after [][]byte) error {
	nodes, edges := readWords(before[0]), readWords(before[1])
	source := bytes.IndexByte(before[2], 1)
	want := hops(len(nodes)/2, source, func(i int) []int32 { return edges[nodes[2*i]:][:nodes[2*i+1]] })
	if after[6][0] != 1 {
		return fmt.Errorf("the search never set its flag to continue")
	}
	return same("d_cost", readWords(after[5]), want)
}

func checkBFS2(_ *workload.Program, before, after [][]byte) error {
	start, target := readWords(before[0]), readWords(before[1])
	source := slices.Index(readWords(before[2]), 0)
	want := hops(len(start)-1, source, func(i int) []int32 { return target[start[i]:start[i+1]] })
	for i := range want {
		if want[i] < 0 {
			want[i] = unreached
		}
	}
	return same("dist", readWords(after[2]), want)
}

// checkSSSP takes the nearest open node until none is left.
func checkSSSP(_ *workload.Program, before, after [][]byte) error {
	start, target, distance, weight := readWords(before[0]), readWords(before[1]), readWords(before[2]), readWords(before[3])
	closed := make([]bool, len(distance))
	for {
		nearest := -1
		for i, d := range distance {
			if !closed[i] && d < unreached && (nearest < 0 || d < distance[nearest]) {
				nearest = i
			}
		}
		if nearest < 0 {
			return same("dist", readWords(after[2]), distance)
		}
		closed[nearest] = true
		for e := start[nearest]; e < start[nearest+1]; e++ {
			distance[target[e]] = min(distance[target[e]], distance[nearest]+weight[e])
		}
	}
}

// textLines returns the lines of buffer 0 and where they start.
func textLines(before [][]byte) (lines [][]byte, start []int) {
	for at := 0; at < len(before[0]); {
		line, _, _ := bytes.Cut(before[0][at:], []byte("\n"))
		lines, start = append(lines, line), append(start, at)
		at += len(line) + 1
	}
	return lines, start
}

// checkPageViewCount counts the addresses as strings: every counted pair must lie at an
// address with that many lines, and no address may be missing.
func checkPageViewCount(_ *workload.Program, before, after [][]byte) error {
	lines, start := textLines(before)
	want, at := map[string]int32{}, map[uint32]string{}
	for i, line := range lines {
		address := bytes.Index(line, []byte("http"))
		fields := bytes.Fields(line[address:]) // in the lines of Mars the client and the cookie follow
		want[string(fields[0])]++
		at[uint32(start[i]+address)] = string(fields[0])
	}
	pairs := after[2]
	for i, views := range readWords(after[3]) {
		if views == 0 {
			continue
		}
		a := at[binary.LittleEndian.Uint32(pairs[8*i+4:])]
		if want[a] != views {
			return fmt.Errorf("%d views of %q, want %d", views, a, want[a])
		}
		delete(want, a)
	}
	if len(want) > 0 {
		return fmt.Errorf("%d addresses were not counted", len(want))
	}
	return nil
}

func checkPageViewRank(_ *workload.Program, before, after [][]byte) error {
	type page struct{ views, start int }
	var want []page
	lines, start := textLines(before)
	for i, line := range lines {
		views, err := strconv.Atoi(string(bytes.Fields(line)[1]))
		if err != nil {
			return err
		}
		want = append(want, page{views, start[i]})
	}
	slices.SortStableFunc(want, func(a, b page) int { return b.views - a.views })
	var places []int32
	for _, p := range want {
		places = append(places, int32(^uint32(p.views)), int32(p.start))
	}
	return same("d_pairs", readWords(after[2]), places)
}

func checkBinomial(p *workload.Program, before, after [][]byte) error {
	options := readFloats(before[0])
	steps := int(p.Launches[0].Args[2].Bits)
	got := readFloats(after[1])
	want := make([]float64, len(got))
	for i := range want {
		price, strike, logStep, up, down := options[5*i], options[5*i+1], options[5*i+2], options[5*i+3], options[5*i+4]
		value := make([]float64, steps+1)
		for k := range value {
			value[k] = max(price*math.Exp(logStep*float64(2*k-steps))-strike, 0)
		}
		for n := steps; n > 0; n-- {
			for k := range n {
				value[k] = up*value[k+1] + down*value[k]
			}
		}
		want[i] = value[0]
	}
	// Each step rounds; the approximate ex2 of the largest moves is exact to about 2^-18.
	return near("d_CallValue", got, want, 2e-5, func(i int) float64 { return options[5*i] + options[5*i+1] })
}

// liborPath values the portfolio on one path in float64, for a given last rate.
func liborPath(normals func(n int) float64, lastRate float64) float64 {
	const delta, lambda = 0.25, float64(float32(liborLambda))
	var rate [liborRates]float64
	for i := range rate {
		rate[i] = float64(float32(0.05))
	}
	rate[liborRates-1] = lastRate
	for n := range liborSteps {
		drift := 0.0
		for i := n + 1; i < liborRates; i++ {
			drift += delta * lambda * rate[i] / (1 + delta*rate[i])
			rate[i] *= math.Exp(lambda*drift + lambda*(math.Sqrt(delta)*normals(n)-delta*lambda/2))
		}
	}
	value, discount := 0.0, 1.0
	for _, r := range rate[:liborSteps] {
		discount /= 1 + delta*r
	}
	for _, maturity := range []int{2, 4, 10, 14, 20} {
		for _, fixed := range []float64{0.045, 0.05, 0.055} {
			bond, annuity := 1.0, 0.0
			for _, r := range rate[liborSteps : liborSteps+maturity] {
				bond /= 1 + delta*r
				annuity += delta * bond
			}
			value += 100 * max(1-bond-fixed*annuity, 0)
		}
	}
	return value * discount
}

// checkLibor computes the sensitivity as a quotient of differences.
func checkLibor(_ *workload.Program, before, after [][]byte) error {
	z := readFloats(before[0])
	paths := len(z) / liborSteps
	value, slope := make([]float64, paths), make([]float64, paths)
	const start, h = float64(float32(0.05)), 1e-6
	for p := range paths {
		normals := func(n int) float64 { return z[n*paths+p] }
		value[p] = liborPath(normals, start)
		slope[p] = (liborPath(normals, start+h) - liborPath(normals, start-h)) / (2 * h)
	}
	for _, b := range []int{2, 3} {
		if err := near("d_v", readFloats(after[b]), value, 5e-4, func(i int) float64 { return value[i] + 1 }); err != nil {
			return err
		}
	}
	return near("d_Lb", readFloats(after[4]), slope, 1e-3, func(i int) float64 { return math.Abs(slope[i]) + 1 })
}

// TestGraphsHaveTheirShapes: degrees and reach are those of ../README.md.
func TestGraphsHaveTheirShapes(t *testing.T) {
	rnd := (&request{number: 1}).rand(0)
	uniform, rmat, road := uniformGraph(&rnd, 4096), rmatGraph(&rnd, 4096, 8), roadGraph(&rnd, 128)
	cases := []struct {
		name                string
		g                   graph
		meanLow, meanHigh   float64
		mostLow, mostHigh   int
		reach               float64
		roundsLow, roundsHi int
	}{
		{"uniform", uniform, 5.8, 6.2, 11, 11, 0.99, 5, 12},
		{"rmat", rmat, 5, 8, 200, 4096, 0.5, 3, 10},
		{"road", road, 3.2, 3.8, 5, 8, 0.9, 100, 600},
	}
	for _, c := range cases {
		n, most := c.g.nodes(), 0
		for i := range n {
			most = max(most, int(c.g.start[i+1]-c.g.start[i]))
		}
		if mean := float64(len(c.g.target)) / float64(n); mean < c.meanLow || mean > c.meanHigh || most < c.mostLow || most > c.mostHigh {
			t.Errorf("%s: %.2f edges a node, at most %d", c.name, mean, most)
		}
		distance, rounds := c.g.rounds(c.g.hub())
		reached := 0
		for _, d := range distance {
			if d < unreached {
				reached++
			}
		}
		if float64(reached) < c.reach*float64(n) || rounds < c.roundsLow || rounds > c.roundsHi {
			t.Errorf("%s: %d of %d nodes reached in %d rounds", c.name, reached, n, rounds)
		}
	}
	if len(road.weight) != len(road.target) || slices.Min(road.weight) < 20 || slices.Max(road.weight) > 2000 {
		t.Errorf("road: weights %d to %d, want 20 to 2000", slices.Min(road.weight), slices.Max(road.weight))
	}
}

// TestAddressesDiffer: two pages with the same address would be counted as one.
func TestAddressesDiffer(t *testing.T) {
	seen, hashes := map[string]bool{}, map[uint32]bool{}
	for i := range 1 << 16 {
		a := string(address(nil, i))
		if seen[a] {
			t.Fatalf("address %d, %s, is another's too", i, a)
		}
		seen[a] = true
		if i >= pageViewAddresses {
			continue
		}
		hash := uint32(2166136261)
		for _, c := range []byte(a) {
			hash = (hash ^ uint32(c)) * 16777619
		}
		if hashes[hash] {
			t.Fatalf("the hash of address %d, %s, is another's too", i, a)
		}
		hashes[hash] = true
	}
}
