package correlate

import (
	"errors"
	"math"
	"testing"

	"github.com/burstscope/burstscope/tools/silicon/correlate/microbench"
)

// compared is a program of one launch whose clocks are 1000 MHz: a ns is a cycle.
func compared(measuredNs, simulatedNs float64) Comparison {
	return Comparison{
		Row:       Row{Case: Case{Kind: Program}, Launches: 1, Nanoseconds: measuredNs, Cycles: measuredNs},
		Simulated: &Simulated{Nanoseconds: simulatedNs, ClockMHz: 1000},
	}
}

func all(*Comparison) bool { return true }

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestSummaryOfKnownRows(t *testing.T) {
	// Ratios 1/2, 2 and 1: errors 0.5, 1 and 0. With measured 2, 4, 9 (mean 5) and simulated
	// 1, 8, 9 (mean 6), the sums of products are 15+(-2)+12 = 25, squares 26 and 38.
	list := []Comparison{compared(2, 1), compared(4, 8), compared(9, 9), {Row: Row{Case: Case{Kind: Program}}, Err: errors.New("refused")}}
	var none Launches
	for i := range list {
		list[i].Judge(&none)
	}
	s := Summarise(list, all)
	if s.Cases != 3 || !near(s.MeanError, 0.5) || !near(s.GeometricMean, 1) || !near(s.Correlation, 25/math.Sqrt(26*38)) {
		t.Errorf("%+v", s)
	}
	// Logarithms to base 2 of 1, 8, 64 and of 1, 2, 4 lie on a line.
	list = []Comparison{compared(1, 1), compared(8, 2), compared(64, 4)}
	for i := range list {
		list[i].Judge(&none)
	}
	if s := Summarise(list, all); !near(s.LogCorrelation, 1) || near(s.Correlation, 1) {
		t.Errorf("%+v", s)
	}
	if s := Summarise(list[:1], all); s.Correlation != 0 || s.LogCorrelation != 0 || s.Cases != 1 {
		t.Errorf("one case: %+v", s)
	}
	if s := Summarise(nil, all); s != (Summary{}) {
		t.Errorf("no case: %+v", s)
	}
}

// TestLaunchTimesAreAddedOnce: an empty kernel takes 2600 ns on the device, further ones 1200;
// here it takes 2, further ones 4.
func TestLaunchTimesAreAddedOnce(t *testing.T) {
	empty := func(count int, measured, simulated float64) Comparison {
		return Comparison{
			Row:       Row{Case: Case{Microbenchmark, microbench.LaunchName, count, microbench.LaunchData}, Nanoseconds: measured, Figure: measured},
			Simulated: &Simulated{Nanoseconds: simulated, Figure: microbench.Figure{Value: simulated}},
		}
	}
	const further = microbench.RowLaunches - 1
	list := []Comparison{empty(1, 2600, 2), empty(microbench.RowLaunches, 2600+further*1200, 2+further*4)}
	l := launchesOf(list)
	if l != (Launches{true, 2600, 1200, 2, 4}) {
		t.Fatalf("%+v", l)
	}
	for _, c := range []struct {
		launches            int
		measured, simulated float64 // of the program, the latter without launches
		want                float64
		bound               bool
	}{
		{1, 10000, 7402, 10000, false}, // 2598 are added
		{3, 9999, 4, 4 + 2598 + 2*1196, true},
		{3, 10001, 4, 4 + 2598 + 2*1196, false},
	} {
		p := compared(c.measured, c.simulated)
		p.Launches = c.launches
		p.Judge(&l)
		if p.SimulatedNs != c.want || p.LaunchBound != c.bound || p.Ratio != c.want/c.measured {
			t.Errorf("%d launches: %+v", c.launches, p)
		}
	}
	if unknown := launchesOf(list[:1]); unknown.Known {
		t.Error("the launches are known from one case")
	}
}

func TestCompareKeepsTheOrderAndTheFaults(t *testing.T) {
	rows := []Row{
		{Case: Case{Microbenchmark, "latency.shared", 1, "lanes on a bank"}, Figure: 23, Cycles: 1, Threads: 1},
		{Case: Case{Microbenchmark, "latency.shared", 7, "lanes on a bank"}, Figure: 23, Cycles: 3, Threads: 1},
		{Case: Case{Program, "vecadd", 1024, "smooth"}, Nanoseconds: 1000, Cycles: 2, Threads: 1024, Launches: 1},
	}
	done := 0
	list, _ := Compare(rows, Machine{Preset: "a100"}, CompareOptions{Jobs: 2, Done: func(*Comparison) { done++ }})
	if done != 3 || list[0].Err != nil || list[2].Err != nil || list[1].Err == nil || list[1].Case != rows[1].Case {
		t.Errorf("%d done: %+v", done, list)
	}
	if list[2].Ratio != list[2].Simulated.Nanoseconds/1000 {
		t.Errorf("ratio %v", list[2].Ratio)
	}
}
