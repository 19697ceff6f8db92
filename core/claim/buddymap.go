package claim

import (
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// entryCodecs are the codecs of figure 5a, by the names of predicates; BPC is that of the runs.
var entryCodecs = map[string]string{"BDIFPC": "bdi+fpc", "ZVC": "zvc", "MPC": "mpc", "FIBONACCI": "fibonacci"}

// snapshotsUnder are the snapshots of a program under a codec; those of codecs other than BPC are added up.
func (s *session) snapshotsUnder(codec, id string) ([]profile.Counts, error) {
	other, known := entryCodecs[codec]
	if codec != "BPC" && !known {
		return nil, missing{"entries are not measured under " + codec}
	}
	e, err := s.sizesOf(id)
	if err != nil || !known {
		if e == nil {
			return nil, err
		}
		return e.Snapshots, err
	}
	for i := range e.Codecs {
		if e.Codecs[i].Codec == other {
			return []profile.Counts{e.Codecs[i].Counts}, nil
		}
	}
	return nil, missing{"entries of " + id + " under " + codec}
}

// ratioOfSizes is the ratio with eight sizes of all snapshots together: an empty snapshot has any ratio, so a mean
// of ratios says nothing.
func ratioOfSizes(s *session, r *request, id string) (float64, *Formula, error) {
	snapshots, err := s.snapshotsUnder(r.system, id)
	if err != nil {
		return 0, nil, err
	}
	return profile.Ratio([]profile.Allocation{{Snapshots: snapshots}}), nil, nil
}

// shareOfSize is the share of entries, over all snapshots, of lo= sectors.
func shareOfSize(s *session, r *request, id string) (float64, *Formula, error) {
	snapshots, err := s.snapshotsUnder(r.system, id)
	if err != nil {
		return 0, nil, err
	}
	var some, all uint64
	for i := range snapshots {
		for k, n := range snapshots[i] {
			if all += n; (profile.Sizes[k]+layout.SectorBytes-1)/layout.SectorBytes == int(r.x.lo) {
				some += n
			}
		}
	}
	return float64(some) / float64(max(1, all)), nil, nil
}

// mapPart is the map of memory with the part lo= of it, which counts from 1.
func mapPart(s *session, r *request, id string) (e *buddy.EntrySizes, k int, err error) {
	if e, err = s.sizesOf(id); err != nil {
		return nil, 0, err
	}
	if k = int(r.x.lo); k < 1 || k > len(e.Map) {
		return nil, 0, fmt.Errorf("%s: lo= is a part of memory from 1 to %d", r.metric, len(e.Map))
	}
	return e, k - 1, nil
}

// mapSectors is the mean number of sectors of the entries in a part of memory, in the last snapshot.
func mapSectors(s *session, r *request, id string) (float64, *Formula, error) {
	e, k, err := mapPart(s, r, id)
	if err != nil {
		return 0, nil, err
	}
	return e.Map[k], nil, nil
}

// mapKept is the mean number of sectors that the targets of a part of memory keep in device memory.
func mapKept(s *session, r *request, id string) (float64, *Formula, error) {
	e, k, err := mapPart(s, r, id)
	if err != nil {
		return 0, nil, err
	}
	result, err := s.plainBuddy(id)
	if err != nil {
		return 0, nil, err
	}
	report := experiment.Reported[buddy.Report](result)
	entries := report.SizeBytes / layout.EntryBytes
	from, to := uint64(k)*entries/uint64(len(e.Map)), uint64(k+1)*entries/uint64(len(e.Map))
	sum, start := 0.0, uint64(0)
	for _, a := range report.Allocations {
		target, err := layout.ParseTarget(a.Target)
		if err != nil {
			return 0, nil, err
		}
		end := start + a.Bytes/layout.EntryBytes
		if low, high := max(from, start), min(to, end); low < high {
			sum += float64((high-low)*target.DeviceBytes()) / layout.SectorBytes
		}
		start = end
	}
	return math.Round(100*sum/float64(max(1, to-from))) / 100, nil, nil
}

// launchShares are the shares of accesses with a part in buddy memory, launch by launch.
func (s *session) launchShares(r *request, id string) ([]float64, error) {
	result, err := s.resultAt(r.system, id, r.on)
	if err != nil {
		return nil, err
	}
	var list []float64
	for i := range result.Launches {
		if l := &result.Launches[i]; l.Blocks > 0 {
			list = append(list, float64(l.Linked)/float64(l.Blocks))
		}
	}
	if len(list) == 0 {
		return nil, missing{"accesses by launch of " + id}
	}
	return list, nil
}

// buddyShareOfLaunch is the share in launch lo=, from 1.
func buddyShareOfLaunch(s *session, r *request, id string) (float64, *Formula, error) {
	list, err := s.launchShares(r, id)
	if err != nil {
		return 0, nil, err
	}
	k := int(r.x.lo)
	if k < 1 || k > len(list) {
		return 0, nil, missing{fmt.Sprintf("launch %d of %s", k, id)}
	}
	return list[k-1], nil, nil
}

// buddyShareOverTime is the standard deviation of the shares over their mean.
func buddyShareOverTime(s *session, r *request, id string) (float64, *Formula, error) {
	list, err := s.launchShares(r, id)
	if err != nil {
		return 0, nil, err
	}
	mean := Mean(list, false)
	if mean == 0 {
		return 0, nil, nil
	}
	return deviation(list) / mean, nil, nil
}
