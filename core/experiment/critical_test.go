package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

// TestCriticalLoads compares the ranking with the figures of the PTX lines, and runs the
// selection that follows from it.
func TestCriticalLoads(t *testing.T) {
	for _, c := range []struct {
		program string
		size    int
		unsafe  string
	}{{"fwt", 4096, ""}, {"sradupdate", 128, "reaches an address"}} {
		r, err := predicting(t, c.program, c.size)
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Finish()
		if err != nil {
			t.Fatal(err)
		}
		list, err := RankLoads(r.plan)
		if err != nil {
			t.Fatal(err)
		}
		ofLine := map[int]uint64{}
		for _, l := range res.Source[0].Lines {
			ofLine[l.Line] = l.L1Misses
		}
		total, sum, needed := uint64(0), uint64(0), 0
		for _, l := range list {
			if ofLine[int(l.Line)] != l.Misses || !strings.HasPrefix(l.Text, "ld.") {
				t.Errorf("%s: line %d has %d misses, the ranking says %d of %q", c.program, l.Line, ofLine[int(l.Line)], l.Misses, l.Text)
			}
			total += l.Misses
		}
		if total == 0 || total > res.Stats["l1Misses"] {
			t.Errorf("%s: the ranking has %d misses, the run %d", c.program, total, res.Stats["l1Misses"])
		}
		for needed < len(list) && 10*sum < 8*total {
			sum += list[needed].Misses
			needed++
		}
		refused := ""
		for i, l := range list {
			if l.Critical != (i < needed) {
				t.Errorf("%s: load %d is critical: %v, and %d loads cause 80 %% of the misses", c.program, i, l.Critical, needed)
			}
			if i > 0 && l.Misses > list[i-1].Misses {
				t.Errorf("%s: load %d has more misses than the one before it", c.program, i)
			}
			refused += l.Refused
		}
		if (c.unsafe == "") != (refused == "") || !strings.Contains(refused, c.unsafe) {
			t.Errorf("%s: refused: %q", c.program, refused)
		}
		which, err := Selected(list)
		if err != nil {
			t.Fatal(err)
		}
		p, err := predicting(t, c.program, c.size, "loads.policy=rfvp", "loads.which="+which)
		if err != nil {
			t.Fatal(err)
		}
		if res, err = p.Finish(); err != nil || len(Reported[rfvp.Report](res).Loads) == 0 || len(Reported[rfvp.Report](res).Loads) > needed {
			t.Errorf("%s: %s: %v", c.program, which, err)
		}
	}
}

func TestNothingIsCritical(t *testing.T) {
	for _, c := range []struct {
		list []RankedLoad
		want string
	}{
		{nil, "no load misses L1"},
		{[]RankedLoad{{Kernel: "k", Critical: true, Refused: "the value reaches an address"}}, "no critical load may get predicted values. kernel k: the value reaches an address"},
	} {
		if which, err := Selected(c.list); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %v, want %s", which, err, c.want)
		}
	}
}

// kernelLoads is how many approximate loads a kernel has.
type kernelLoads struct {
	Kernel string
	Loads  int // an element of a vector load counts as one
}

// selectedLoads counts the loads that the plan's selection takes in each kernel, in the order
// of the launches, as RFVP's table I does.
func selectedLoads(p *Plan) ([]kernelLoads, error) {
	which, err := approximate.Parse(p.Loads.Word("which"))
	if err != nil {
		return nil, err
	}
	s, err := NewStudy(p)
	if err != nil {
		return nil, err
	}
	list, err := which.Loads(&approximate.Program{Launches: s.loaded.launches, Buffers: s.loaded.image.Allocations()})
	if err != nil {
		return nil, err
	}
	loads, _ := approximate.Table(s.loaded.launches, list)
	var counts []kernelLoads
	for i := range loads {
		l := &loads[i]
		at := slices.IndexFunc(counts, func(c kernelLoads) bool { return c.Kernel == l.Kernel.Name })
		if at < 0 {
			at = len(counts)
			counts = append(counts, kernelLoads{Kernel: l.Kernel.Name})
		}
		counts[at].Loads += int(l.Kernel.Code[l.PC].Mem.Count)
	}
	return counts, nil
}

// TestLoadsOfTableI counts what RFVP's table I counts. The compiler leaves fewer where two
// reads are of one place, and our sources read such places once.
func TestLoadsOfTableI(t *testing.T) {
	for _, c := range []struct {
		program string
		size    int
		which   string
		want    string
	}{
		{"backprop", 16384, "", "[{backprop_forward 2} {backprop_adjust 7}]"}, // the paper: (10, 2)
		{"fwt", 4096, "", "[{fwt_global 4} {fwt_shared 1} {fwt_modulate 2}]"},
		{"gaussian", 64, "", "[{gaussian_columns 5}]"},
		{"heartwall", 1, "", "[{heartwall_templates 1} {heartwall_track 9}]"},
		{"mapmatmul", 16, "", "[{mars_product 8}]"},
		{"particlefilter", 64, "", "[{particle_likelihood 1} {particle_normalise 2} {particle_cdf 1}]"}, // the paper: (2, 3)
		{"similarity", 8, "", "[{mars_similarity 8}]"},
		{"sradreduce", 32, "srad1_reduce:marked", "[{srad1_reduce 2}]"},
		{"sradupdate", 32, "", "[{srad1_update 3}]"}, // the paper: 4
		{"stringmatch", 1, "", "[{match_count 1} {match_mark 1}]"},
	} {
		r, err := predicting(t, c.program, c.size, "loads.policy=rfvp", "loads.which="+c.which)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := selectedLoads(r.plan); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.program, got, err, c.want)
		}
	}
}
