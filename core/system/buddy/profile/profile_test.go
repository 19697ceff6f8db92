package profile

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
)

func TestSizesOfEntries(t *testing.T) {
	var zero, other mem.Line
	other[5] = 1
	for _, c := range []struct {
		line  *mem.Line
		bits  int
		class int
	}{
		{&zero, 10, 0}, {&other, 10, 1}, {&other, 64, 1}, {&other, 65, 2}, {&other, 128, 2}, {&other, 129, 3},
		{&other, 256, 3}, {&other, 257, 4},
		{&other, 512, 4}, {&other, 513, 5}, {&other, 640, 5}, {&other, 641, 6}, {&other, 768, 6}, {&other, 769, 7},
		{&other, 1024, 7},
	} {
		var got Counts
		if got.Add(c.line, c.bits); got[c.class] != 1 || got.Entries() != 1 || got.Bytes() != uint64(Sizes[c.class]) {
			t.Errorf("%d bits are counted as %v", c.bits, got)
		}
	}
}

// all returns an allocation whose snapshots are all alike.
func all(name string, c Counts) Allocation {
	a := Allocation{Name: name, Bytes: c.Entries() * 128}
	for range Snapshots {
		a.Snapshots = append(a.Snapshots, c)
	}
	return a
}

// The targets of small profiles, by the rules of section III-B.
func TestChoose(t *testing.T) {
	const pages = 512 // entries of a page of 64 KB
	zeros, rows := all("zeros", Counts{0: 4 * pages}), all("rows", Counts{4: 60 * pages, 7: 40 * pages})
	dense := all("dense", Counts{7: 100 * pages})
	fine := all("fine", Counts{3: 71 * pages, 7: 29 * pages})
	edge := all("edge", Counts{3: 70 * pages, 7: 30 * pages})
	beyond := all("beyond", Counts{3: 70*pages - 1, 7: 30*pages + 1})
	late := all("late", Counts{0: 100 * pages})
	late.Snapshots[9] = Counts{4: 100 * pages}
	odd := Allocation{Name: "odd", Bytes: 100, Snapshots: []Counts{{7: 1}}}
	for name, c := range map[string]struct {
		rule   Rule
		allocs []Allocation
		want   string
	}{
		"the threshold is kept": {Rule{ThresholdPercent: 30}, []Allocation{dense, rows, fine, edge, beyond},
			"dense=1,rows=1,fine=4,edge=4,beyond=1"},
		"a higher threshold": {Rule{ThresholdPercent: 40}, []Allocation{dense, rows, beyond},
			"dense=1,rows=2,beyond=4"},
		"no threshold": {Rule{ThresholdPercent: 100}, []Allocation{dense, rows}, "dense=4,rows=4"},
		"zero pages":   {Rule{ThresholdPercent: 30}, []Allocation{zeros, dense}, "zeros=16,dense=1"},
		"no zero pages": {Rule{Way: PerAllocation, ThresholdPercent: 30}, []Allocation{zeros, dense},
			"zeros=4,dense=1"},
		"zeros alone exceed carve-out": {Rule{ThresholdPercent: 30}, []Allocation{zeros}, "zeros=4"},
		"the worst snapshot":           {Rule{ThresholdPercent: 30}, []Allocation{late, dense}, "late=2,dense=1"},
		"the mean of the snapshots":    {Rule{ThresholdPercent: 30, Mean: true}, []Allocation{late, dense}, "late=4,dense=1"},
		"naive":                        {Rule{Way: Naive}, []Allocation{zeros, rows, dense}, "zeros=1,rows=1,dense=1"},
		"naive, more zeros":            {Rule{Way: Naive}, []Allocation{late, rows}, "late=2,rows=2"},
		"part of an entry":             {Rule{ThresholdPercent: 30}, []Allocation{odd, dense}, "odd=plain,dense=1"},
	} {
		chosen := c.rule.Choose(c.allocs)
		if got := layout.FormatTargets(chosen); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if _, err := layout.NewLayout(chosen, c.rule.Size); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The largest allocation at 16x gives way first, and the ratio stays below 4.
func TestLargestZerosAreDemotedFirst(t *testing.T) {
	small, large := all("small", Counts{0: 512 * 4}), all("large", Counts{0: 512 * 400})
	four := all("four", Counts{3: 512 * 40})
	dense := all("dense", Counts{7: 512 * 10})
	r := Rule{ThresholdPercent: 30}
	if got := layout.FormatTargets(r.Choose([]Allocation{small, large, four,
		dense})); got != "small=16,large=4,four=4,dense=1" {
		t.Error(got)
	}
}

// A higher threshold never gives less capacity, and random profiles always fit the carve-out.
func TestThresholdIsMonotone(t *testing.T) {
	rnd := sim.NewRand(4, 4)
	for range 300 {
		var allocs []Allocation
		for range 1 + rnd.Intn(6) {
			var c Counts
			for k := range c {
				if rnd.Intn(2) == 0 {
					c[k] = uint64(rnd.Intn(2000))
				}
			}
			allocs = append(allocs, all("a", c))
		}
		last := 0.0
		for threshold := 0; threshold <= 100; threshold += 10 {
			r := Rule{Way: PerAllocation, ThresholdPercent: threshold}
			chosen := r.Choose(allocs)
			l, err := layout.NewLayout(chosen, r.Size)
			if err != nil {
				t.Fatal(err)
			}
			if l.Capacity() < last {
				t.Fatalf("threshold %d: a ratio of %v after %v", threshold, l.Capacity(), last)
			}
			last = l.Capacity()
			for i := range chosen {
				if over := allocs[i].Over(chosen[i].Target, false); chosen[i].Target > layout.One && over*100 > float64(threshold) {
					t.Fatalf("threshold %d: %s sends %v to buddy memory", threshold, chosen[i].Target, over)
				}
			}
		}
		if r := (Rule{ThresholdPercent: 30}); true {
			if _, err := layout.NewLayout(r.Choose(allocs), r.Size); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestRatioAndShare(t *testing.T) {
	allocs := []Allocation{all("a", Counts{4: 10}), all("b", Counts{7: 30})}
	if got := Ratio(allocs); got != 40.0*128/(10*64+30*128) {
		t.Errorf("ratio %v", got)
	}
	if got := Share(allocs, []layout.Allocation{{Target: layout.Four}, {Target: layout.Plain}}); got != 0.25 {
		t.Errorf("share %v", got)
	}
	if Ratio(nil) != 0 || Share(nil, nil) != 0 {
		t.Error("nothing has a ratio or a share")
	}
}
