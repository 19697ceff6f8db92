package sweep

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/burstscope/burstscope/assets/scenarios"
	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/golden"
)

// shippedNoise has the interval of each shipped scenario; the page shows it below the headline.
var shippedNoise = filepath.Join("..", "..", "..", "assets", "scenarios", "noise.json")

// The committed intervals are those of the shipped scenarios: under their hashes, from all of their draws, and a draw
// that is run again takes the same cycles. Update measures those whose scenario changed.
func TestShippedNoise(t *testing.T) {
	old := readShippedNoise(t)
	var reports []*noiseReport
	for i, name := range scenarios.Names() {
		s, err := cli.LoadScenario(name)
		if err != nil {
			t.Fatal(err)
		}
		var r *noiseReport
		if i < len(old) {
			r = old[i]
		}
		fresh := r != nil && r.Scenario == s.Hash() && r.Version == experiment.Version
		if !fresh || golden.UpdatingStudies() {
			if !golden.Updating() {
				t.Fatalf("%s lacks %s: run %s ./tools/burstscope/sweep", shippedNoise, name, golden.Command)
			}
			if r, err = measureNoise(s, OpenStore(t.TempDir()), 1); err != nil {
				t.Fatal(err)
			}
		}
		judgeShippedNoise(t, s, r)
		reports = append(reports, r)
	}
	var b bytes.Buffer
	for i, r := range reports {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		b.Write(line)
	}
	b.WriteString("\n]\n")
	golden.File(t, shippedNoise, b.Bytes())
	repeatDraw(t, reports)
}

func readShippedNoise(t *testing.T) (list []*noiseReport) {
	t.Helper()
	b, err := os.ReadFile(shippedNoise)
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil && !golden.Updating() {
		t.Fatal(err)
	}
	return list
}

// judgeShippedNoise computes the interval of a report again from the cycles of its draws.
func judgeShippedNoise(t *testing.T, s *scenario.Scenario, r *noiseReport) {
	t.Helper()
	var own, null []float64
	for i, d := range experiment.Draws() {
		one := r.Draws[i]
		if one.Seed != s.Seed+uint64(d.Seed) || one.Placement != d.Placement {
			t.Errorf("%s: draw %d is seed %d, placement %d", s.Title, i, one.Seed, one.Placement)
		}
		own = append(own, float64(one.A)/float64(one.B))
		null = append(null, float64(one.Plain)/float64(one.Null))
	}
	if want := experiment.NoiseOf(own, null); !reflect.DeepEqual(r.Noise, want) || r.Speedup != own[0] {
		t.Errorf("%s: %v, its draws give %v", s.Title, r.Noise, want)
	}
	a, b := s.Sides()
	if r.SideA != a.Hash() || r.SideB != b.Hash() {
		t.Errorf("%s: the sides have the hashes %s and %s", s.Title, a.Hash(), b.Hash())
	}
}

// repeatDraw runs both sides of the last draw of the first scenario again.
func repeatDraw(t *testing.T, reports []*noiseReport) {
	t.Helper()
	s, err := cli.LoadScenario(scenarios.Names()[0])
	if err != nil {
		t.Fatal(err)
	}
	last := len(experiment.Draws()) - 1
	var jobs []*claim.Job
	for _, side := range experiment.NoiseSides(s)[:2] {
		experiment.Draws()[last].Apply(side)
		jobs = append(jobs, claim.NewJob(side, false))
	}
	store := OpenStore(t.TempDir())
	if err := NewSweep(store).Run(jobs, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := reports[0].Draws[last]
	for i, cycles := range []uint64{want.A, want.B} {
		if got := store.Run(jobs[i]).Cycles; got != cycles {
			t.Errorf("%s, placement %d: %d cycles, the file has %d", s.Title, want.Placement, got, cycles)
		}
	}
}
