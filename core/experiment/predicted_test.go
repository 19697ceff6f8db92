package experiment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

// smallScenario returns a small program on a preset with a codec and further settings.
func smallScenario(t *testing.T, program string, size int, preset, codec string, set ...string) *scenario.Scenario {
	t.Helper()
	s := scenario.Default(program)
	s.Workload.Name, s.Workload.Size, s.Machine.Preset = program, size, preset
	s.Scheme.Memory.Put("codec", codec, "approximation", "none")
	for _, assignment := range set {
		path, value, _ := strings.Cut(assignment, "=")
		if err := s.Set(path, value); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// predicting returns a run of a small program whose loads may be predicted.
func predicting(t *testing.T, program string, size int, set ...string) (*Run, error) {
	t.Helper()
	p, err := PlanOf(smallScenario(t, program, size, "gtx480v3", "none", set...))
	if err != nil {
		return nil, err
	}
	return New(p, Options{})
}

func predictedResult(t *testing.T, set ...string) *Result {
	t.Helper()
	r, err := predicting(t, "fwt", 4096, set...)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Machine().Leaks(); err != nil {
		t.Error(err)
	}
	return res
}

// TestDropRateZeroIsExact: without drops the run is the exact one, bit by bit and cycle
// by cycle; with drops it is another, and the same for the same seed.
func TestDropRateZeroIsExact(t *testing.T) {
	plain := predictedResult(t)
	zero := predictedResult(t, "loads.policy=rfvp", "loads.drop=0")
	if zero.ResultHash != plain.ResultHash || zero.Error != 0 {
		t.Errorf("with a drop rate of 0 the hash is %s and the error %v, without prediction %s", zero.ResultHash, zero.Error, plain.ResultHash)
	}
	predicted := Reported[rfvp.Report](zero)
	if plain.LoadsReport != nil || predicted == nil || len(predicted.Loads) != 7 {
		t.Errorf("predicted: %+v and %+v, want nothing and the 7 loads of RFVP's table I (2, 1, 4)", plain.LoadsReport, predicted)
	}
	half := predictedResult(t, "loads.policy=rfvp")
	if again := predictedResult(t, "loads.policy=rfvp"); again.ResultHash != half.ResultHash {
		t.Error("the same seed gives other results")
	}
	if other := predictedResult(t, "loads.policy=rfvp", "loads.seed=2"); other.ResultHash == half.ResultHash {
		t.Error("another seed gives the same results")
	}
	if half.Error == 0 || half.Stats["l1Answered"] == 0 || half.Stats["l2Accesses"] >= plain.Stats["l2Accesses"] || half.Stats["xbarReplyFlits"] >= plain.Stats["xbarReplyFlits"] {
		t.Errorf("half of the misses are dropped, and the error is %v, %d loads are answered, L2 sees %d requests of %d",
			half.Error, half.Stats["l1Answered"], half.Stats["l2Accesses"], plain.Stats["l2Accesses"])
	}
	if half.Energy.Joules >= plain.Energy.Joules {
		t.Errorf("%v J with drops, %v J without", half.Energy.Joules, plain.Energy.Joules)
	}
}

// TestDropsFollowTheRate: of the misses with a row, the share of the rate is dropped. A miss
// that waits for an MSHR is drawn once.
func TestDropsFollowTheRate(t *testing.T) {
	for _, rate := range []struct {
		set  string
		want float64
	}{{"loads.drop=125", 0.125}, {"loads.drop=500", 0.5}, {"loads.drop=900", 230. / 256}, {"loads.drop=1000", 1}} {
		// zero needs no row, so every draw decides.
		res := predictedResult(t, "loads.policy=rfvp", "loads.predictor=zero", rate.set)
		got := float64(res.Stats["l1Answered"]) / float64(res.Stats["approximateMisses"])
		if got < rate.want-0.05 || got > rate.want+0.05 {
			t.Errorf("%s drops %.3f of the misses", rate.set, got)
		}
	}
}

// TestCountsOfPrediction: the counts of single loads add up to the counters.
func TestCountsOfPrediction(t *testing.T) {
	res := predictedResult(t, "loads.policy=rfvp")
	var misses, dropped, lanes, exact uint64
	for _, l := range Reported[rfvp.Report](res).Loads {
		if l.Kernel == "" || l.Line == 0 || l.FileLine == 0 || !strings.Contains(l.Text, "ld.global") {
			t.Errorf("a load without a place: %+v", l)
		}
		misses, dropped, lanes, exact = misses+l.Misses, dropped+l.Dropped, lanes+l.Lanes, exact+l.Exact
	}
	if misses != res.Stats["approximateMisses"] || dropped != res.Stats["l1Answered"] || lanes != res.Stats["predictedLanes"] || exact != res.Stats["predictedExactLanes"] {
		t.Errorf("loads add up to %d %d %d %d, the counters are %v", misses, dropped, lanes, exact, res.Stats)
	}
	if exact > lanes || dropped > misses || misses == 0 {
		t.Errorf("%d of %d values exact, %d of %d misses dropped", exact, lanes, dropped, misses)
	}
	for _, name := range []string{"predictionAccuracy", "inexactLoads", "exactAssignment", "droppedShare"} {
		if v, ok := res.Value(name); !ok || v < 0 || v > 1 {
			t.Errorf("%s is %v, %v", name, v, ok)
		}
	}
}

// TestRequestsAreSentAllTheSame: with loads.requests sent, no traffic is saved and every
// prediction is followed by training.
func TestRequestsAreSentAllTheSame(t *testing.T) {
	plain := predictedResult(t)
	sent := predictedResult(t, "loads.policy=rfvp", "loads.requests=sent")
	s := sent.Stats
	if s["approximateTrainings"] == 0 || s["approximateTrainings"] != s["l1Answered"] {
		t.Errorf("%d lines are predicted and %d requests train", s["l1Answered"], s["approximateTrainings"])
	}
	if 100*s["l2Accesses"] < 98*plain.Stats["l2Accesses"] {
		t.Errorf("L2 sees %d requests, without prediction %d", s["l2Accesses"], plain.Stats["l2Accesses"])
	}
	if s["l1Accesses"] != s["l1Hits"]+s["l1Misses"]+s["l1Merged"]+s["l1Answered"] {
		t.Error("L1 accesses do not add up")
	}
}

// TestSavedPrediction: a machine that goes on from a saved state does the same.
func TestSavedPrediction(t *testing.T) {
	for _, requests := range []string{"dropped", "sent"} {
		r, err := predicting(t, "fwt", 4096, "loads.policy=rfvp", "loads.requests="+requests)
		if err != nil {
			t.Fatal(err)
		}
		for r.Machine() == nil {
			if _, err := r.Step(1 << 20); err != nil {
				t.Fatal(err)
			}
		}
		m := r.Machine()
		if _, err := m.Advance(3000); err != nil {
			t.Fatal(err)
		}
		saved := m.Save(nil)
		twin, err := m.Twin(nil)
		if err != nil {
			t.Fatal(err)
		}
		twin.Load(saved)
		for _, x := range []*machine.Machine{m, twin} {
			if err := x.Run(); err != nil {
				t.Fatal(err)
			}
		}
		a, b := m.Stats(), twin.Stats()
		if m.Digest() != twin.Digest() || !reflect.DeepEqual(a, b) || a[stat.L1Answered] == 0 {
			t.Errorf("%s: a machine that went on from cycle 3000 ends differently", requests)
		}
	}
}

// TestPredictionAllocatesNothing: the hot loop of a predicting machine.
func TestPredictionAllocatesNothing(t *testing.T) {
	r, err := predicting(t, "fwt", 16384, "loads.policy=rfvp")
	if err != nil {
		t.Fatal(err)
	}
	for r.Machine() == nil {
		if _, err := r.Step(1 << 20); err != nil {
			t.Fatal(err)
		}
	}
	m := r.Machine()
	for stats := m.Stats(); stats[rfvp.ApproximateMisses] < 3000; stats = m.Stats() { // pools have grown
		if _, err := m.Advance(m.Now() + 100); err != nil {
			t.Fatal(err)
		}
	}
	before := m.Stats()
	n := testing.AllocsPerRun(1, func() { m.Advance(m.Now() + 100) })
	if after := m.Stats(); after[rfvp.ApproximateMisses] == before[rfvp.ApproximateMisses] {
		t.Fatal("no load missed in the cycles that were measured")
	}
	if n > 0 {
		t.Errorf("%v allocations in 200 cycles", n)
	}
}

// TestPredictedAddressIsMisled: a load may go beyond its buffer because its index was predicted. The exact run has no
// such fault, and the message says so.
func TestPredictedAddressIsMisled(t *testing.T) {
	s := smallScenario(t, "pageviewrank", 0, "h100", "none",
		"loads.policy=rfvp", "loads.drop=1000", "loads.which=all", "loads.force=on")
	isMisled(t, "an index", s, "outside of every allocation")
}

// isMisled fails unless a scenario ends with a fault that the exact run has not, with one thread and with two.
func isMisled(t *testing.T, what string, s *scenario.Scenario, want string) {
	t.Helper()
	for _, threads := range []int{1, 2} {
		p, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		p.Threads = threads
		r, err := New(p, Options{})
		if err == nil {
			_, err = r.Finish()
		}
		var misled *Misled
		if !errors.As(err, &misled) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "leave the load or the buffer that it comes from exact") {
			t.Errorf("%s, %d threads: %v", what, threads, err)
		}
	}
}

// misledKernel reads the square of each thread's number, takes it from the square, and does with the 0 what %s says.
const misledKernel = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .pred %%p<2>; .reg .b32 %%r<5>; .reg .b64 %%d<5>;
	ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out];
	mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%tid.x; mad.lo.u32 %%r1, %%r1, 64, %%r2;
	mul.wide.u32 %%d3, %%r1, 4;
	add.u64 %%d1, %%d1, %%d3; add.u64 %%d2, %%d2, %%d3;
	ld.global.u32 %%r2, [%%d1];
	mul.lo.u32 %%r3, %%r1, %%r1; sub.u32 %%r2, %%r2, %%r3;
	%s
	st.global.u32 [%%d2], %%r2;
	ret;
}`

// TestMisledInEveryWay: a value that was predicted may lead out of a buffer, to a trap, or into a loop without an end.
// The exact run does none of it, and the message says so.
func TestMisledInEveryWay(t *testing.T) {
	const threads = 4096
	var squares []byte
	for i := range uint32(threads) {
		squares = binary.LittleEndian.AppendUint32(squares, i*i)
	}
	for _, c := range []struct{ what, body, want string }{
		{"an address", "mul.wide.s32 %d3, %r2, 1048576; add.u64 %d2, %d2, %d3;", "outside of every allocation"},
		{"a trap", "setp.ne.u32 %p1, %r2, 0; @%p1 trap;", "trap"},
		{"a loop", "LOOP: setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;", "instructions"},
	} {
		s := scenario.Default("vecadd")
		s.Machine.Preset = "a100"
		s.Workload = scenario.Workload{PTX: &scenario.PTX{
			Source: fmt.Sprintf(misledKernel, c.body), Entry: "k", Grid: []int{threads / 64}, Block: []int{64},
			Args: []scenario.Arg{{Spec: "in:squares", Data: squares}, {Spec: fmt.Sprintf("out:o:%d", 4*threads)}},
		}}
		for _, set := range [][2]string{
			{"memory.codec", "none"}, {"memory.approximation", "none"},
			{"machine.overrides.sms", "1"}, {"machine.overrides.sm.warpInstructionLimit", "5000"},
			{"loads.policy", "rfvp"}, {"loads.drop", "500"}, {"loads.which", "all"}, {"loads.force", "on"},
		} {
			if err := s.Set(set[0], set[1]); err != nil {
				t.Fatal(err)
			}
		}
		isMisled(t, c.what, s, c.want)
	}
}

// TestUnsafeLoadsAreRefused: an error names the kernel, the lines and what to do.
func TestUnsafeLoadsAreRefused(t *testing.T) {
	for _, c := range []struct {
		program string
		size    int
		which   string
		want    string
	}{
		{"bfs1", 4096, "*:d_graph_edges", "loads.which: "},
		{"fwt", 4096, "fwt_globl:d_Data", `no launch runs a kernel "fwt_globl": the program runs fwt_global, fwt_shared, fwt_modulate`},
		{"fwt", 4096, "fwt_global:d_Dat", `the program has no buffer "d_Dat": it has d_Data, d_Kernel`},
		{"fwt", 4096, "fwt_global:9999", "line 9999 of the PTX has no instruction of kernel fwt_global: its loads are at lines 63, 67, 73, 79"},
		{"fwt", 4096, "fwt_global:64", "line 64"},
		{"vecadd", 4096, "marked", `no kernel of the program marks a load with .pragma "approximate"`},
		{"sradreduce", 128, "srad1_derive:marked", `kernel srad1_derive marks no load with .pragma "approximate"`},
		{"fwt", 4096, "fwt_globl:marked", `no launch runs a kernel "fwt_globl"`},
		{"heartwall", 2, "", "kernel heartwall_track: the value of the load at line 327 (./heartwall.cu:70) reaches an address at line 628"},
	} {
		r, err := predicting(t, c.program, c.size, "loads.policy=rfvp", "loads.which="+c.which)
		if err == nil {
			_, err = r.Finish()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.program, c.which, err, c.want)
		}
	}
	r, err := predicting(t, "heartwall", 2, "loads.policy=rfvp", "loads.force=on", "loads.drop=0")
	if err == nil {
		_, err = r.Step(1 << 20)
	}
	if err != nil {
		t.Errorf("forced: %v", err)
	}
}

// TestRatesOfLaunches: a rate that the program sets holds for the kernel's launches alone, or from one of them on; the
// rate of the run for all of them is that run.
func TestRatesOfLaunches(t *testing.T) {
	dropped := func(set ...string) map[string]uint64 {
		byKernel := map[string]uint64{}
		set = append([]string{"loads.policy=rfvp-rates", "loads.predictor=zero"}, set...)
		for _, l := range Reported[rfvp.Report](predictedResult(t, set...)).Loads {
			byKernel[l.Kernel] += l.Dropped
		}
		return byKernel
	}
	all := dropped("loads.rates=")
	if got := dropped("loads.drop=0", "loads.rates=*:500"); len(all) < 2 || !reflect.DeepEqual(got, all) {
		t.Errorf("%v by a rate for all launches, %v by the run's", got, all)
	}
	one := dropped("loads.drop=0", "loads.rates=fwt_global:500")
	for kernel, n := range one {
		if (n > 0) != (kernel == "fwt_global") {
			t.Errorf("%d misses of %s are dropped", n, kernel)
		}
	}
	first := dropped("loads.drop=0", "loads.rates=fwt_global:500;fwt_global@1:0")["fwt_global"]
	if first >= one["fwt_global"] || first == 0 {
		t.Errorf("%d misses are dropped in the first launch, %d in all", first, one["fwt_global"])
	}
	for _, rates := range []string{"fwt_global", "fwt_global:1001", "fwt_global@-1:5", ":5", "none:5", "*@99:5"} {
		if r, err := predicting(t, "fwt", 4096, "loads.policy=rfvp-rates", "loads.rates="+rates); err == nil {
			if _, err = r.Finish(); err == nil {
				t.Errorf("%q is taken", rates)
			}
		}
	}
}
