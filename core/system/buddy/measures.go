package buddy

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// measures are the values of claims that take more of a run than counters. Codecs, parts, launches and snapshots are
// their arguments.
func measures() []system.Measure {
	list := []system.Measure{
		{Name: "ratio", Value: ratioOfSizes},
		{Name: "share", Value: shareOfSize},
		{Name: "sizes", Value: sharesOfSnapshots},
		{Name: "snapshot", Value: ratioOfSnapshot},
		{Name: "map sectors", Value: mapSectors},
		{Name: "map kept", Value: mapKept},
		{Name: "linked", Value: linkedShare},
		{Name: "linked deviation", Value: linkedDeviation},
		{Name: "grown", Value: grownEntries},
		{Name: "modal target", Value: modalTarget},
		{Name: "sectors of a read", Value: sectorsOfRead},
	}
	for _, one := range []struct {
		name  string
		value func(e *EntrySizes) float64
	}{
		{"ratio deviation", func(e *EntrySizes) float64 { l := ratios(e); return deviation(l) / meanOfList(l) }},
		{"changed", func(e *EntrySizes) float64 { return e.ChangedShare }},
		{"autocorrelation", func(e *EntrySizes) float64 { return e.Correlation[0] }},
		{"periodicity", func(e *EntrySizes) float64 { return max(0, slices.Max(e.Correlation[1:])-e.Correlation[0]) }},
		{"variance within", func(e *EntrySizes) float64 { return e.WithinVariance }},
		{"variance", func(e *EntrySizes) float64 { return e.Variance }},
	} {
		value := func(runs []system.Measured, args []any) (float64, error) {
			if args[0] != any("BPC") {
				return 0, system.Lack(fmt.Sprintf("it is measured under BPC only, not under %v", args[0]))
			}
			e, err := entriesOf(runs[0])
			if err != nil {
				return 0, err
			}
			return one.value(e), nil
		}
		list = append(list, system.Measure{Name: one.name, Value: value})
	}
	return list
}

// entriesOf returns the sizes of a program's entries under BPC in ten snapshots.
func entriesOf(run system.Measured) (*EntrySizes, error) {
	report := system.ReportIn[Report](run)
	if report == nil || report.Entries == nil {
		return nil, system.Lack("snapshots of " + run.String())
	}
	return report.Entries, nil
}

// entryCodecs are the codecs of figure 5a, by the names of predicates; the runs use BPC.
var entryCodecs = map[string]string{"BDIFPC": "bdi+fpc", "ZVC": "zvc", "MPC": "mpc", "FIBONACCI": "fibonacci"}

// snapshotsUnder are the snapshots of a program under a codec; those of codecs other than BPC are added up.
func snapshotsUnder(run system.Measured, codec any) ([]profile.Counts, error) {
	name, _ := codec.(string)
	other, known := entryCodecs[name]
	if name != "BPC" && !known {
		return nil, system.Lack("entries are not measured under " + name)
	}
	e, err := entriesOf(run)
	if err != nil {
		return nil, err
	}
	if !known {
		return e.Snapshots, nil
	}
	for i := range e.Codecs {
		if e.Codecs[i].Codec == other {
			return []profile.Counts{e.Codecs[i].Counts}, nil
		}
	}
	return nil, system.Lack("entries of " + run.Program() + " under " + name)
}

// ratios are the ratios with eight sizes, snapshot by snapshot.
func ratios(e *EntrySizes) (list []float64) {
	for i := range e.Snapshots {
		list = append(list, profile.Ratio([]profile.Allocation{{Snapshots: e.Snapshots[i : i+1]}}))
	}
	return list
}

// ratioOfSizes is the ratio with eight sizes of all snapshots together: an empty snapshot has any ratio, so a mean
// of ratios says nothing.
func ratioOfSizes(runs []system.Measured, args []any) (float64, error) {
	snapshots, err := snapshotsUnder(runs[0], args[0])
	if err != nil {
		return 0, err
	}
	return profile.Ratio([]profile.Allocation{{Snapshots: snapshots}}), nil
}

// sectors are the sectors of a size.
func sectors(size int) int { return (size + layout.SectorBytes - 1) / layout.SectorBytes }

// shareOfSize is the share of entries, over all snapshots, of so many sectors.
func shareOfSize(runs []system.Measured, args []any) (float64, error) {
	snapshots, err := snapshotsUnder(runs[0], args[0])
	if err != nil {
		return 0, err
	}
	want, _ := args[1].(int)
	var some, all uint64
	for i := range snapshots {
		for k, n := range snapshots[i] {
			if all += n; sectors(profile.Sizes[k]) == want {
				some += n
			}
		}
	}
	return float64(some) / float64(max(1, all)), nil
}

// sharesOfSnapshots is the share of the entries of a size in whole sectors, added up over the snapshots.
func sharesOfSnapshots(runs []system.Measured, args []any) (float64, error) {
	e, err := entriesOf(runs[0])
	if err != nil {
		return 0, err
	}
	total := 0.0
	for i := range e.Snapshots {
		for j, n := range e.Snapshots[i] {
			if any(sectors(profile.Sizes[j])*layout.SectorBytes) == args[0] {
				total += float64(n) / float64(e.Snapshots[i].Entries())
			}
		}
	}
	return total, nil
}

// ratioOfSnapshot is the ratio with eight sizes of a snapshot, from 0.
func ratioOfSnapshot(runs []system.Measured, args []any) (float64, error) {
	k, isNumber := args[2].(int)
	if args[0] != any("cr8") || !isNumber || k < 0 || k >= profile.Snapshots {
		return 0, fmt.Errorf("want the metric cr8 of a snapshot from 0 to %d", profile.Snapshots-1)
	}
	if args[1] != any("BPC") {
		return 0, fmt.Errorf("snapshots are measured under BPC")
	}
	e, err := entriesOf(runs[0])
	if err != nil {
		return 0, err
	}
	return ratios(e)[k], nil
}

// mapPart is the map of memory with a part of it; parts count from 1.
func mapPart(runs []system.Measured, args []any) (e *EntrySizes, k int, err error) {
	if e, err = entriesOf(runs[0]); err != nil {
		return nil, 0, err
	}
	if k, _ = args[0].(int); k < 1 || k > len(e.Map) {
		return nil, 0, fmt.Errorf("lo= is a part of memory from 1 to %d", len(e.Map))
	}
	return e, k - 1, nil
}

// mapSectors is the mean number of sectors of the entries in a part of memory, in the last snapshot.
func mapSectors(runs []system.Measured, args []any) (float64, error) {
	e, k, err := mapPart(runs, args)
	if err != nil {
		return 0, err
	}
	return e.Map[k], nil
}

// mapKept is the mean number of sectors that the targets of a part of memory keep in device memory.
func mapKept(runs []system.Measured, args []any) (float64, error) {
	e, k, err := mapPart(runs, args)
	if err != nil {
		return 0, err
	}
	report := system.ReportIn[Report](runs[0])
	entries := report.SizeBytes / layout.EntryBytes
	from, to := uint64(k)*entries/uint64(len(e.Map)), uint64(k+1)*entries/uint64(len(e.Map))
	sum, start := 0.0, uint64(0)
	for _, a := range report.Allocations {
		target, err := layout.ParseTarget(a.Target)
		if err != nil {
			return 0, err
		}
		end := start + a.Bytes/layout.EntryBytes
		if low, high := max(from, start), min(to, end); low < high {
			sum += float64((high-low)*target.DeviceBytes()) / layout.SectorBytes
		}
		start = end
	}
	return math.Round(100*sum/float64(max(1, to-from))) / 100, nil
}

// linkedOf are the shares of accesses with a part in buddy memory, launch by launch.
func linkedOf(run system.Measured) ([]float64, error) {
	list := run.Linked()
	if len(list) == 0 {
		return nil, system.Lack("accesses by launch of " + run.Program())
	}
	return list, nil
}

// linkedShare is the share in a launch, from 1.
func linkedShare(runs []system.Measured, args []any) (float64, error) {
	list, err := linkedOf(runs[0])
	if err != nil {
		return 0, err
	}
	k, _ := args[0].(int)
	if k < 1 || k > len(list) {
		return 0, system.Lack(fmt.Sprintf("launch %d of %s", k, runs[0].Program()))
	}
	return list[k-1], nil
}

// linkedDeviation is the standard deviation of the shares over their mean.
func linkedDeviation(runs []system.Measured, _ []any) (float64, error) {
	list, err := linkedOf(runs[0])
	if err != nil {
		return 0, err
	}
	mean := meanOfList(list)
	if mean == 0 {
		return 0, nil
	}
	return deviation(list) / mean, nil
}

// grownEntries is the entries that grew between snapshots over the warp instructions of the run. A
// proxy writes an entry at most once between two snapshots.
func grownEntries(runs []system.Measured, _ []any) (float64, error) {
	e, err := entriesOf(runs[0])
	if err != nil {
		return 0, err
	}
	return float64(e.Grown) / float64(runs[0].WarpInstructions()), nil
}

// modalTarget is the target of the most bytes.
func modalTarget(runs []system.Measured, _ []any) (float64, error) {
	report := system.ReportIn[Report](runs[0])
	if report == nil {
		return 0, system.Lack("targets of " + runs[0].String())
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
	return best, nil
}

// sectorsOfRead is the sectors that a read of the controllers takes from DRAM.
func sectorsOfRead(runs []system.Measured, _ []any) (float64, error) {
	bursts, known := runs[0].Count(stat.BurstsRead)
	reads, ok := runs[0].Count(stat.ControllerReads)
	if !known || !ok {
		return 0, system.Lack("reads of " + runs[0].Program())
	}
	return float64(bursts) / float64(max(1, reads)), nil
}
