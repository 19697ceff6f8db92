package claim

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// sizesOf returns the sizes of a program's entries under BPC in ten snapshots: those of its run under Buddy
// Compression.
func (s *session) sizesOf(id string) (*buddy.EntrySizes, error) {
	p, err := s.at(buddyPaper, id, defaultSettings())
	if err != nil {
		return nil, err
	}
	r, err := s.resultOf(p)
	if err != nil {
		return nil, err
	}
	report := experiment.Reported[buddy.Report](r)
	if report == nil || report.Entries == nil {
		return nil, missing{"snapshots of " + p.run.String()}
	}
	return report.Entries, nil
}

// ofSizes is a metric of the snapshots.
func ofSizes(f func(e *buddy.EntrySizes) float64) derivedMetric {
	return func(s *session, r *request, id string) (float64, *Formula, error) {
		if r.system != "BPC" {
			return 0, nil, missing{r.metric + " is measured under BPC only, not under " + r.system}
		}
		e, err := s.sizesOf(id)
		if err != nil {
			return 0, nil, err
		}
		return f(e), nil, nil
	}
}

// ratios are the ratios with eight sizes, snapshot by snapshot.
func ratios(e *buddy.EntrySizes) (list []float64) {
	for i := range e.Snapshots {
		list = append(list, profile.Ratio([]profile.Allocation{{Snapshots: e.Snapshots[i : i+1]}}))
	}
	return list
}

// buddyMetrics are those of Buddy Compression's rows that take more than one value of a run.
var buddyMetrics = map[string]derivedMetric{
	"cr8":                    ratioOfSizes,
	"size_frac":              shareOfSize,
	"map_sectors":            mapSectors,
	"map_kept":               mapKept,
	"buddy_frac_launch":      buddyShareOfLaunch,
	"buddy_frac_cv_time":     buddyShareOverTime,
	"cr8_cv":                 ofSizes(func(e *buddy.EntrySizes) float64 { l := ratios(e); return deviation(l) / Mean(l, false) }),
	"entry_size_change_frac": ofSizes(func(e *buddy.EntrySizes) float64 { return e.ChangedShare }),
	"size_autocorr1":         ofSizes(func(e *buddy.EntrySizes) float64 { return e.Correlation[0] }),
	"size_periodicity": ofSizes(func(e *buddy.EntrySizes) float64 {
		return max(0, slices.Max(e.Correlation[1:])-e.Correlation[0])
	}),
	"size_var_within": ofSizes(func(e *buddy.EntrySizes) float64 { return e.WithinVariance }),
	"size_var_total":  ofSizes(func(e *buddy.EntrySizes) float64 { return e.Variance }),
	"overflow_rate":   overflowRate,
	"modal_target":    modalTarget,
	"sectors_per_req": sectorsPerRequest,
	"mem_energy":      memoryEnergy,
	"slowdown":        slowdown,
	"batch_speedup":   batchSpeedup,
}

// overflowRate is the entries that grew between snapshots over the warp instructions of the run. A
// proxy writes an entry at most once between two snapshots.
func overflowRate(s *session, r *request, id string) (float64, *Formula, error) {
	e, err := s.sizesOf(id)
	if err != nil {
		return 0, nil, err
	}
	result, err := s.plainBuddy(id)
	if err != nil {
		return 0, nil, err
	}
	return float64(e.Grown) / float64(result.WarpInstructions), nil, nil
}

func (s *session) plainBuddy(id string) (*experiment.Result, error) {
	return s.resultAt(buddyPaper, id, defaultSettings())
}

// modalTarget is the target of the most bytes.
func modalTarget(s *session, r *request, id string) (float64, *Formula, error) {
	p, err := s.at(r.system, id, r.on)
	if err != nil {
		return 0, nil, err
	}
	result, err := s.resultOf(p)
	if err != nil {
		return 0, nil, err
	}
	report := experiment.Reported[buddy.Report](result)
	if report == nil {
		return 0, nil, missing{"targets of " + p.run.String()}
	}
	best, most := 0.0, uint64(0)
	for t := layout.One; t < layout.NumTargets; t++ {
		n := uint64(0)
		for _, a := range report.Allocations {
			if a.Target == t.String() {
				n += a.Bytes
			}
		}
		if n > most {
			best, most = layout.EntryBytes/float64(t.DeviceBytes()), n
		}
	}
	return best, nil, nil
}

// sectorsPerRequest is the sectors that a read of the controllers takes from DRAM.
func sectorsPerRequest(s *session, r *request, id string) (float64, *Formula, error) {
	result, err := s.resultAt(r.system, id, r.on)
	if err != nil {
		return 0, nil, err
	}
	sectors, known := result.Count(stat.BurstsRead)
	reads, ok := result.Count(stat.ControllerReads)
	if !known || !ok {
		return 0, nil, missing{"reads of " + id}
	}
	return float64(sectors) / float64(max(1, reads)), nil, nil
}

// memoryParts are the parts of an account that figure 13 counts: what reading and writing memory
// takes, and the link. Power that is spent with time is not among them.
var memoryParts = []string{"dramActivate", "dramRead", "dramWrite", "dramIO", "link"}

// memoryEnergy is the energy of memory accesses over that of the base.
func memoryEnergy(s *session, r *request, id string) (float64, *Formula, error) {
	if r.base == "" {
		return 0, nil, missing{"mem_energy without over= is not measured"}
	}
	a, b := s.both(r.system, r.base, id, r.on)
	if a == nil || b == nil {
		return math.NaN(), nil, nil
	}
	if a.Energy == nil || b.Energy == nil {
		return 0, nil, missing{"energy of " + id}
	}
	return joulesOf(a, memoryParts) / joulesOf(b, memoryParts), nil, nil
}

// slowdown is the time over that of a GPU whose memory holds everything.
func slowdown(s *session, r *request, id string) (float64, *Formula, error) {
	p, err := s.at(r.system, id, r.on)
	base, errBase := s.at("IDEAL", id, defaultSettings())
	if err != nil || errBase != nil {
		s.lackError(err)
		s.lackError(errBase)
		return math.NaN(), nil, nil
	}
	return s.relative("seconds", p, base)
}

// snapshot is snap(metric, codec, program, k).
func (s *session) snapshot(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	var metric, codec, id string
	var k int
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 4, &metric, &codec, &id, &k); err != nil {
		return nil, err
	}
	if metric != "cr8" || k < 0 || k >= profile.Snapshots {
		return nil, fmt.Errorf("%s: want the metric cr8 of a snapshot from 0 to %d", b.Name(), profile.Snapshots-1)
	}
	if codec != "BPC" {
		return nil, fmt.Errorf("%s: snapshots are measured under BPC", b.Name())
	}
	e, err := s.sizesOf(id)
	if err != nil {
		s.lackError(err)
		return nothing, nil
	}
	return starlark.Float(ratios(e)[k]), nil
}

// topSizes is top_sizes(k): the k most frequent sizes of entries over all programs, in whole sectors
// as figure 5b has them.
func (s *session) topSizes(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	var k int
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 1, &k); err != nil {
		return nil, err
	}
	type count struct {
		size int
		n    float64
	}
	counts := []count{{0, 0}, {32, 0}, {64, 0}, {96, 0}, {128, 0}}
	for _, id := range SetOf("BUDDY16") {
		e, err := s.sizesOf(id)
		if err != nil {
			s.lackError(err)
			continue
		}
		for i := range e.Snapshots {
			entries := float64(e.Snapshots[i].Entries())
			for j, n := range e.Snapshots[i] {
				counts[(profile.Sizes[j]+31)/32].n += float64(n) / entries
			}
		}
	}
	slices.SortStableFunc(counts, func(a, b count) int {
		switch {
		case a.n > b.n:
			return -1
		case a.n < b.n:
			return 1
		}
		return 0
	})
	var list []starlark.Value
	for _, c := range counts[:max(0, min(k, len(counts)))] {
		list = append(list, starlark.MakeInt(c.size))
	}
	return starlark.NewList(list), nil
}
