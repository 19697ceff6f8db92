package experiment

import (
	"flag"
	"fmt"
	"github.com/burstscope/burstscope/core/codec"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/estimate"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/core/workload/programs"
)

var update = flag.Bool("update", false, "write the table of estimates anew")

// recordedRun runs a plan under a memory scheme and returns its traffic.
func recordedRun(t *testing.T, study *Study, p *Plan, m scheme.Memory) (*Run, *Result) {
	t.Helper()
	r := study.Run(p.With(scheme.Scheme{Memory: m}), Options{Record: true})
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return r, res
}

func estimateOf(t *testing.T, r *Run, m scheme.Memory) estimate.Estimate {
	t.Helper()
	w, err := r.Recorded().Start(m)
	if err != nil {
		t.Fatal(err)
	}
	for !w.Step(1000) {
	}
	return w.Estimate()
}

// TestSlicesDoNotChangeEstimates: the page runs in slices of 256 cycles, the command line in longer ones. The engines of
// controllers, which work one after the other, must show a recording the same blocks in the same order.
func TestSlicesDoNotChangeEstimates(t *testing.T) {
	for _, preset := range []string{"gtx480", "gtx580b", "a100"} {
		online, offline := scheme.DefaultMemory(), scheme.DefaultMemory()
		online.Put("codec", "e2mc32", "probabilities", "online")
		offline.Put("codec", "e2mc16", "approximation", "tslc-opt")
		for _, m := range []scheme.Memory{online, offline} {
			s := scenario.Default("transpose")
			s.Machine.Preset, s.Workload.Size = preset, 128
			p, err := PlanOf(s)
			if err != nil {
				t.Fatal(err)
			}
			var want estimate.Estimate
			for i, cycles := range []uint64{1 << 20, 256, 1024 + 256} {
				study, err := NewStudy(p)
				if err != nil {
					t.Fatal(err)
				}
				r := study.Run(p, Options{Record: true, Tap: probe.NewTap(0)})
				for done := false; !done; {
					if done, err = r.Step(cycles); err != nil {
						t.Fatal(err)
					}
				}
				got := estimateOf(t, r, m)
				if i == 0 {
					want = got
				} else if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: in slices of %d cycles %+v, in one %+v", preset, m.Codec(), cycles, got, want)
				}
			}
		}
	}
}

// aboveMAG is the histogram that the page makes of a run: of the blocks that memory holds at the end.
func aboveMAG(r *Run, mag int) []float64 {
	bins := make([]float64, mag+1)
	image := r.Machine().Image()
	for a := image.Base(); a < image.Top(); a += mem.LineBytes {
		if s, ok := r.Machine().Stored(a); ok {
			bins[codec.BytesAboveMAG(int(s.LosslessBits), mag)]++
		}
	}
	return bins
}

// TestEstimateOfTheSameScheme: the traffic of a run, coded under the scheme of that run, has the counts of
// the run. Raw runs count partial writes at every MAG; compressed runs store whole blocks.
func TestEstimateOfTheSameScheme(t *testing.T) {
	pairs(testing.Short(), func(name, label string, m scheme.Memory) {
		if m.Online() {
			return // where the sample ends is known to a period of the machine's look at it
		}
		p := small(t, name, m)
		p.Paranoid = false
		study, err := NewStudy(p)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := study.Run(p, Options{}).Finish()
		if err != nil {
			t.Fatal(err)
		}
		r, res := recordedRun(t, study, p, m)
		if res.ResultHash != plain.ResultHash {
			t.Errorf("%s under %s: a recording changes the result", name, label)
		}
		s, e := r.Machine().Stats(), estimateOf(t, r, m)
		for _, x := range []struct {
			what      string
			got, want float64
		}{
			{"blocks read", float64(e.BlocksRead), float64(s[stat.ControllerReads] - s[stat.ControllerForwards])},
			{"blocks written", float64(e.BlocksWritten), float64(s[stat.ControllerWrites])},
			{"bursts read", e.BurstsRead, float64(s[stat.BurstsRead])},
			{"bursts written", e.BurstsWritten, float64(s[stat.BurstsWritten])},
			{"ratio", e.Ratio, value(t, res, "compressionRatioEffective")},
			{"raw ratio", e.RawRatio, value(t, res, "compressionRatioRaw")},
			{"approximated", e.LossyShare, value(t, res, "lossyShare")},
		} {
			if math.Abs(x.got-x.want) > 1e-9*math.Abs(x.want) {
				t.Errorf("%s under %s: %s: estimate %v, run %v", name, label, x.what, x.got, x.want)
			}
		}
		if e.Share != 1 || e.BurstsBar != 0 {
			t.Errorf("%s under %s: a share of %v with a bar of %v", name, label, e.Share, e.BurstsBar)
		}
		if want := aboveMAG(r, m.MAG()); m.Codec() != "none" && !slices.Equal(e.AboveMAG, want) {
			t.Errorf("%s under %s: above MAG %v, run %v", name, label, e.AboveMAG, want)
		}
	})
}

func value(t *testing.T, r *Result, metric string) float64 {
	t.Helper()
	v, ok := r.Value(metric)
	if !ok {
		t.Fatalf("no %s", metric)
	}
	return v
}

// TestStoredErrorIsThatOfMemory: in a program that only reads its inputs, the error of the stored data is the
// difference between the inputs in memory at the end and as the host wrote them.
func TestStoredErrorIsThatOfMemory(t *testing.T) {
	m := scheme.DefaultMemory()
	m.Put("codec", "e2mc16", "approximation", "tslc-opt")
	// L2 holds the output of so small a program, so memory has only the inputs.
	s := scenario.Default("vecadd")
	s.Machine.Preset, s.Workload.Size, s.Memory = "mini", 16384, m
	p := mustPlan(t, s)
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := recordedRun(t, study, p, m)
	if n := r.Machine().Stats()[stat.ControllerWrites]; n > 0 {
		t.Fatalf("%d blocks were written", n)
	}
	e := estimateOf(t, r, m)
	sum, values := 0.0, 0
	image := r.Machine().Image()
	for i := range p.Program.Buffers {
		b, a := &p.Program.Buffers[i], image.Allocations()[i]
		if !b.Safe {
			continue
		}
		var line, host mem.Line
		for at := a.Base; at < a.End(); at += mem.LineBytes {
			if _, ok := r.Machine().Stored(at); !ok {
				continue
			}
			image.ReadLine(at, &line)
			clear(host[:])
			copy(host[:], b.Init[at-a.Base:])
			for k := range mem.LineBytes / b.Element.Bytes() {
				x, y := b.Value(host[:], k), b.Value(line[:], k)
				values++
				if x != y {
					sum += math.Min(1, math.Abs(x-y)/math.Abs(x))
				}
			}
		}
	}
	if want := sum / float64(values); want == 0 || math.Abs(e.StoredError/want-1) > 1e-9 {
		t.Errorf("estimate %v of %v values, memory %v of %d", e.StoredError, e.StoredValues, want, values)
	}
}

// TestRecordedRefuses: a run that was not recorded, that was cancelled or whose memory is behind a link has no
// traffic, and probabilities of another sample are refused by name.
func TestRecordedRefuses(t *testing.T) {
	m := scheme.DefaultMemory()
	p := small(t, "vecadd", m)
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	r := study.Run(p, Options{})
	if _, err := r.Finish(); err != nil || r.Recorded() != nil {
		t.Error("a run without a recording has one", err)
	}
	r = study.Run(p, Options{Record: true})
	for r.Phase() != PhaseSimulate {
		if _, err := r.Step(1000); err != nil {
			t.Fatal(err)
		}
	}
	if r.Recorded() != nil {
		t.Error("a run in progress has a recording")
	}
	r.Cancel()
	if r.Recorded() != nil {
		t.Error("a cancelled run has a recording")
	}
	s := scenarioOf(t, "vecadd", "machine.preset=mini", "workload.size=4096", "memory.codec=none", "memory.approximation=none", "backing.kind=pinned")
	r, err = New(mustPlan(t, s), Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Finish(); err != nil || r.Recorded() != nil {
		t.Error("memory behind a link has a recording", err)
	}
	r, _ = recordedRun(t, study, p, m)
	online := m
	online.Put("codec", "e2mc16", "probabilities", "online", "sample", 40)
	if _, err := r.Recorded().Start(online); err == nil || !strings.Contains(err.Error(), "run it once") {
		t.Errorf("another sample: %v", err)
	}
	online.Put("sample", e2mc.DefaultSample)
	if _, err := r.Recorded().Start(online); err != nil {
		t.Error(err)
	}
}

func TestTrafficKey(t *testing.T) {
	base := scenarioOf(t, "vecadd")
	for _, set := range []string{"memory.mag=16", "memory.threshold=4", "memory.codec=bdi", "memory.decodingWays=2"} {
		s := scenarioOf(t, "vecadd", "memory.approximation=none", set)
		if TrafficKey(s) != TrafficKey(base) {
			t.Errorf("%s changes the key", set)
		}
	}
	for _, set := range []string{"workload.size=4096", "seed=3", "machine.preset=v100", "l1.store=delayed", "machine.overrides.sms=3"} {
		s := scenarioOf(t, "vecadd", set)
		if TrafficKey(s) == TrafficKey(base) {
			t.Errorf("%s does not change the key", set)
		}
	}
}

// estimated are the schemes of the table of estimates: every program is estimated under the first and one of
// the others, in turn.
func estimated() (first scheme.Memory, others []scheme.Memory) {
	of := func(codec, approximation, probabilities string, mag, ways int) scheme.Memory {
		m := scheme.DefaultMemory()
		m.Put("codec", codec, "approximation", approximation, "probabilities", probabilities, "mag", mag, "decodingWays", ways, "threshold", mag/2)
		return m
	}
	return of("e2mc16", "tslc-opt", "offline", 32, 4), []scheme.Memory{
		of("bdi", "none", "offline", 16, 4), of("e2mc16", "none", "offline", 64, 8), of("bpc", "none", "offline", 32, 4),
		of("e2mc16", "tslc-pred", "online", 32, 4), of("e2mc8", "none", "offline", 32, 2),
	}
}

// difference is one row of the table, in per cent of the run. Above MAG it is the share of the blocks that lie in
// other bins.
type difference struct{ bursts, ratio, above float64 }

// TestEstimatesOfAllPrograms records a run without compression of every program at its smallest size, estimates two
// schemes from it, and runs them. core/estimate/README.md holds the table, and the tolerance asserted here.
func TestEstimatesOfAllPrograms(t *testing.T) {
	if testing.Short() || runtime.GOARCH == "wasm" {
		t.Skip("this runs every program three times")
	}
	// The tolerance: per cent that no row exceeds, and per cent that most rows keep.
	const mostBursts, mostRatio, usual, usualRows = 15.0, 8.0, 1.0, 0.85
	var table strings.Builder
	fmt.Fprintln(&table, "| program, size | scheme | bursts of the run | bursts, % | effective ratio, % | above MAG, % of blocks |\n|---|---|---|---|---|---|")
	t.Parallel()
	first, others := estimated()
	names := programs.Names()
	found := make([][]difference, len(names))
	lines := make([]string, len(names))
	// The programs run beside each other; their rows are put together afterwards.
	t.Run("programs", func(t *testing.T) {
		for i, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				found[i], lines[i] = estimatesOf(t, name, first, others[i%len(others)])
			})
		}
	})
	rows, within := 0, 0
	for i, name := range names {
		for _, d := range found[i] {
			rows++
			if math.Abs(d.bursts) <= usual && math.Abs(d.ratio) <= usual {
				within++
			}
			if math.Abs(d.bursts) > mostBursts || math.Abs(d.ratio) > mostRatio {
				t.Errorf("%s: bursts %+.2f %%, ratio %+.2f %%: more than %g and %g %%", name, d.bursts, d.ratio, mostBursts, mostRatio)
			}
		}
		table.WriteString(lines[i])
	}
	if share := float64(within) / float64(rows); share < usualRows {
		t.Errorf("%d of %d rows are within %g %% of their run: want %g", within, rows, usual, usualRows)
	}
	keepTable(t, table.String())
}

// estimatesOf estimates schemes of one program from a recording, runs them, and gives the rows of the table.
func estimatesOf(t *testing.T, name string, schemes ...scheme.Memory) (found []difference, lines string) {
	info, err := programs.Describe(name)
	if err != nil {
		t.Fatal(err)
	}
	s := scenario.Default(name)
	s.Machine.Preset, s.Workload.Size, s.Memory = withRoom(name, "mini"), info.Sizes[0], scheme.DefaultMemory()
	p := mustPlan(t, s)
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := recordedRun(t, study, p, s.Memory)
	for _, m := range schemes {
		e := estimateOf(t, base, m)
		r, res := recordedRun(t, study, p, m)
		c := r.Machine().Stats()
		bursts := float64(c[stat.BurstsRead] + c[stat.BurstsWritten])
		d := difference{100 * ((e.BurstsRead+e.BurstsWritten)/bursts - 1), 100 * (e.Ratio/value(t, res, "compressionRatioEffective") - 1), 0}
		all, want := 0.0, aboveMAG(r, m.MAG())
		for k, n := range want {
			all += n
			d.above += math.Abs(n-e.AboveMAG[k]) / 2
		}
		d.above *= 100 / all
		label := fmt.Sprintf("%s, MAG %d", codingOf(&m), m.MAG())
		if m.Online() {
			label += ", online"
		}
		found = append(found, d)
		lines += fmt.Sprintf("| %s, %d | %s | %.0f | %+.2f | %+.2f | %.1f |\n", name, s.Workload.Size, label, bursts, d.bursts, d.ratio, d.above)
	}
	return found, lines
}

const accuracyFile = "../estimate/README.md"

// keepTable compares the table with the one in the document, or writes it there.
func keepTable(t *testing.T, table string) {
	const begin, end = "<!-- begin of the table -->\n", "<!-- end of the table -->"
	b, err := os.ReadFile(accuracyFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", accuracyFile)
	}
	if *update {
		if err := os.WriteFile(accuracyFile, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != table {
		t.Errorf("the table of %s is not that of this program: go test ./core/experiment -run TestEstimatesOfAllPrograms -update", accuracyFile)
	}
}
