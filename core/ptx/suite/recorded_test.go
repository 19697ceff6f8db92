package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/tools/golden"
	"github.com/burstscope/burstscope/tools/silicon/correlate"
)

// silicon is the folder of the recordings, in which TestOnDevice -record wrote this suite's.
const silicon = "../../machine/testdata/silicon"

func recording(t *testing.T, name string) []correlate.Row {
	t.Helper()
	f, err := os.Open(filepath.Join(silicon, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := correlate.ReadRecording(name, f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// validation is the document with the figures of these tests.
const validation = "../../VALIDATION.md"

// TestRecordedSuite: the simulator leaves in all buffers what the device left, for each program
// that the recording says is equal, in the variants that TestPrograms does not run on the machine.
func TestRecordedSuite(t *testing.T) {
	rows := map[correlate.Case]correlate.Row{}
	equal := 0
	for _, r := range recording(t, "suite-h200.csv") {
		rows[r.Case] = r
		if r.OutputsEqual == "yes" {
			equal++
		}
	}
	refused := 0
	for _, v := range variants {
		for _, c := range programs() {
			if c.arch > v.arch || !v.has(c.file) || notOnDevice[c.name] != "" {
				continue
			}
			r, ok := rows[correlate.Case{Kind: correlate.Suite, Name: c.name, Data: v.folder}]
			if !ok {
				refused++
				continue
			}
			if r.OutputsEqual != "yes" || v.timed {
				continue
			}
			p := v.plan(c)
			l := &loader{module: parse(t, v, c.file)}
			launches, err := l.load(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range launches {
				if _, err := execute.RunFunctional(one, l.image, execute.FunctionalOptions{MaxInstructions: 5e6}); err != nil {
					t.Fatal(err)
				}
			}
			var buffers [][]byte
			for _, b := range p.buffers {
				data := make([]byte, len(b.data))
				l.image.Read(b.at, data)
				buffers = append(buffers, data)
			}
			if correlate.Hash(buffers) != r.OutputHash {
				t.Errorf("%s %s: the buffers are not those of the device", v.folder, c.name)
			}
		}
	}
	golden.Rows(t, validation, "semantics", []string{"programs of `core/ptx/suite`, in all variants of the compiler",
		strconv.Itoa(len(rows) + refused), strconv.Itoa(equal), fmt.Sprintf("%d, see below", len(rows)+refused-equal)})
}

// TestSuiteTimes simulates the programs of one variant on the preset of the device, as small as they
// are, and holds the figures of core/VALIDATION.md to it.
func TestSuiteTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates a hundred programs on 132 SMs")
	}
	const timed = "sm90_O3"
	spec, err := preset.GPU("h200")
	if err != nil {
		t.Fatal(err)
	}
	empty := recording(t, "h200.csv")
	empty = slices.DeleteFunc(empty, func(r correlate.Row) bool { return r.Name != "launch" })
	_, launches := correlate.Compare(empty, correlate.Machine{Preset: "h200"}, correlate.CompareOptions{Jobs: 1, Done: func(*correlate.Comparison) {}})
	measured := map[string]correlate.Row{}
	for _, r := range recording(t, "suite-h200.csv") {
		if r.Data == timed {
			measured[r.Name] = r
		}
	}
	v := variants[slices.IndexFunc(variants, func(v variant) bool { return v.folder == timed })]
	var list []correlate.Comparison
	for _, c := range programs() {
		r, ok := measured[c.name]
		if !ok {
			continue
		}
		p := v.plan(c)
		l := &loader{module: parse(t, v, c.file), bytes: spec.MemoryBytes}
		run, err := l.load(p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := machine.New(spec, machine.Job{Launches: run, Image: l.image, Scheme: codec.NewRaw(32), CycleLimit: 20e6})
		if err == nil {
			err = m.Run()
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		clock := float64(spec.CoreMHz)
		one := correlate.Comparison{Row: r, Simulated: &correlate.Simulated{Cycles: uint64(m.Cycles()), Nanoseconds: float64(m.Cycles()) / clock * 1000, ClockMHz: clock}}
		one.Judge(&launches)
		list = append(list, one)
		t.Logf("%-40s %3d launches  %8.0f ns  simulated %8.0f  ratio %.2f", c.name, r.Launches, r.Nanoseconds, one.SimulatedNs, one.Ratio)
	}
	for _, part := range []struct {
		name string
		keep func(*correlate.Comparison) bool
	}{
		{"programs of the suite, all", func(*correlate.Comparison) bool { return true }},
		{"programs of the suite, not bound by launches", func(c *correlate.Comparison) bool { return !c.LaunchBound }},
	} {
		s := correlate.Summarise(list, part.keep)
		golden.Rows(t, validation, "silicon", []string{part.name, strconv.Itoa(s.Cases), fmt.Sprintf("%.1f %%", 100*s.MeanError),
			fmt.Sprintf("%.4f", s.Correlation), fmt.Sprintf("%.4f", s.LogCorrelation)})
	}
}
