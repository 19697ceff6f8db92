package profile

import "github.com/burstscope/burstscope/core/system/buddy/layout"

// Report is what a rule makes of a profile.
type Report struct {
	Snapshots   int             `json:"snapshots"`
	Allocations []AllocationRow `json:"allocations"`
	SizeBytes   uint64          `json:"sizeBytes"`
	DeviceBytes uint64          `json:"deviceBytes"`
	// CapacityRatio is the ratio of the two, CompressionRatio that with eight sizes of entries
	// and no targets.
	CapacityRatio    float64 `json:"capacityRatio"`
	CompressionRatio float64 `json:"compressionRatio"`
	// BuddyShare is the share of entries that need buddy memory; of accesses, if all entries
	// are accessed alike.
	BuddyShare    float64 `json:"buddyShare"`
	CarveOutBytes uint64  `json:"carveOutBytes"` // end of the slots in use
}

// AllocationRow is an allocation with its target.
type AllocationRow struct {
	Name             string  `json:"name"`
	Bytes            uint64  `json:"bytes"`
	Target           string  `json:"target"`
	CompressionRatio float64 `json:"compressionRatio"`
	ZeroShare        float64 `json:"zeroShare"` // smallest of the snapshots
	OverShare        float64 `json:"overShare"` // of the entries, as the rule judges them
}

// Report chooses the targets of a profile and says what they bring.
func (r *Rule) Report(allocs []Allocation) (*Report, error) {
	chosen := r.Choose(allocs)
	l, err := layout.NewLayout(chosen, r.Size)
	if err != nil {
		return nil, err
	}
	rep := &Report{
		SizeBytes: l.SizeBytes, DeviceBytes: l.DeviceBytes, CapacityRatio: l.Capacity(), CompressionRatio: Ratio(allocs),
		BuddyShare: Share(allocs, chosen), CarveOutBytes: l.EndBytes,
	}
	for i := range allocs {
		a := &allocs[i]
		rep.Snapshots = len(a.Snapshots)
		rep.Allocations = append(rep.Allocations, AllocationRow{
			a.Name, a.Bytes, chosen[i].Target.String(), Ratio(allocs[i : i+1]), a.zeros(), a.Over(chosen[i].Target, r.Mean),
		})
	}
	return rep, nil
}
