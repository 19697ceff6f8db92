package experiment

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
)

func sum(f *SourceFile) (t sm.Count) {
	for i := range f.Lines {
		t.Add(&f.Lines[i].Count)
	}
	return t
}

// The figures of the lines add up to the counters of the run: nothing is lost or counted
// twice.
func TestLinesAddUp(t *testing.T) {
	for _, name := range shippedPrograms {
		for _, label := range []string{"none", "tslc-opt"} {
			r, res := finish(t, small(t, name, schemes()[label]))
			s := r.Machine().Stats()
			files := res.Source
			got := sum(&files[0])
			want := sm.Count{
				Executions: s[stat.WarpInstructions], Lanes: s[stat.ThreadInstructions], L1Misses: s[stat.L1Misses], Bytes: got.Bytes,
				StallCycles: s[stat.StallMemoryCycles] + s[stat.StallBarrierCycles] + s[stat.StallPipelineCycles],
			}
			if got != want {
				t.Errorf("%s under %s: the lines come to %+v, the counters to %+v", name, label, got, want)
			}
			// Loads fetch whole lines here; stores move at least a sector a line.
			loaded := s[stat.L1Misses] * mem.LineBytes
			if got.Bytes < loaded+s[stat.L1Writes]*mem.SectorBytes || got.Bytes > loaded+s[stat.L1Writes]*mem.LineBytes {
				t.Errorf("%s under %s: %d bytes for %d misses and %d stored lines", name, label, got.Bytes, s[stat.L1Misses], s[stat.L1Writes])
			}
			// The compiler names no line (0) for some instructions.
			if len(files) != 2 || files[1].Name != name+".cu" || len(files[1].Text) == 0 {
				t.Fatalf("%s: %d files, without %s.cu", name, len(files), name)
			}
			if cuda := sum(&files[1]); cuda.L1Misses != got.L1Misses || cuda.Bytes != got.Bytes || cuda.Executions > got.Executions || cuda.Executions < got.Executions/2 {
				t.Errorf("%s under %s: the CUDA lines come to %+v, the PTX lines to %+v", name, label, cuda, got)
			}
			if len(files[0].Lines) > bytes.Count(files[0].Text, []byte("\n")) {
				t.Errorf("%s: %d lines with counts", name, len(files[0].Lines))
			}
		}
	}
}

// The lines of vecadd, one warp for 32 elements: each global load misses once for each of
// its lines, the store moves as many bytes as a load, and the warps wait at the first use
// of the loaded values.
func TestLinesOfVecadd(t *testing.T) {
	_, res := finish(t, small(t, "vecadd", scheme.DefaultMemory()))
	ptx := res.Source[0]
	text := strings.Split(string(ptx.Text), "\n")
	warps := res.Stats["globalStoreInstructions"]
	hottest := 0
	for i, l := range ptx.Lines {
		line := text[l.Line-1]
		switch {
		case strings.Contains(line, "ld.global"):
			if l.Executions != warps || l.Lanes != 32*warps || l.L1Misses != warps || l.Bytes != warps*128 {
				t.Errorf("%s: %+v for %d warps", line, l, warps)
			}
		case strings.Contains(line, "st.global"):
			if l.Executions != warps || l.L1Misses != 0 || l.Bytes != warps*128 {
				t.Errorf("%s: %+v for %d warps", line, l, warps)
			}
		default:
			if l.L1Misses != 0 || l.Bytes != 0 {
				t.Errorf("%s: %+v", line, l)
			}
		}
		if l.StallCycles > ptx.Lines[hottest].StallCycles {
			hottest = i
		}
	}
	if line := text[ptx.Lines[hottest].Line-1]; !strings.Contains(line, "add.f32") && !strings.Contains(line, "add.rn.f32") && !strings.Contains(line, "st.global") {
		t.Errorf("most stall cycles at %q, not where the loaded values are added or the load/store unit has no place", line)
	}
}

// A machine that continues from a saved state counts the same as one that never stopped.
func TestLinesOfSavedStates(t *testing.T) {
	r, err := New(small(t, "dct", scheme.DefaultMemory()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r.Phase() != PhaseSimulate {
		if _, err := r.Step(1 << 30); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Step(9000); err != nil {
		t.Fatal(err)
	}
	straight := r.machine
	twin, err := straight.Twin(nil)
	if err != nil {
		t.Fatal(err)
	}
	twin.Load(straight.Save(nil))
	if err := straight.Run(); err != nil {
		t.Fatal(err)
	}
	want := straight.Counts()
	if err := twin.Run(); err != nil {
		t.Fatal(err)
	}
	for i, got := range twin.Counts() {
		if !slices.Equal(got.Counts, want[i].Counts) {
			t.Errorf("kernel %s counts differently after loading a state", got.Kernel.Name)
		}
	}
}
