package buddy

import (
	"slices"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

// Report says how Buddy Compression divides the memory of a program.
type Report struct {
	Allocations []AllocationReport `json:"allocations"`
	SizeBytes   uint64             `json:"sizeBytes"`   // of all allocations
	DeviceBytes uint64             `json:"deviceBytes"` // that they take of device memory
	// Entries are the sizes in the snapshots of the profile; nil if the scenario names its targets.
	Entries *EntrySizes `json:"entries,omitempty"`
}

// AllocationReport is an allocation with its target.
type AllocationReport struct {
	Name   string `json:"name"`
	Bytes  uint64 `json:"bytes"`
	Target string `json:"target"`
	// DeviceBytes are reserved for it in device memory. UsedBytes of them, and BuddyBytes of its
	// places in buddy memory, hold sectors of the entries that the run has read or written; Entries
	// are their number, and Overflowed those with sectors in buddy memory.
	DeviceBytes uint64 `json:"deviceBytes"`
	UsedBytes   uint64 `json:"usedBytes"`
	BuddyBytes  uint64 `json:"buddyBytes"`
	Entries     uint64 `json:"entries"`
	Overflowed  uint64 `json:"overflowed"`
}

// newReport describes allocations and their layout, of which nothing has been read or written yet.
func newReport(allocs []layout.Allocation, l *layout.Layout, entries *EntrySizes) *Report {
	r := &Report{SizeBytes: l.SizeBytes, DeviceBytes: l.DeviceBytes, Entries: entries}
	for _, a := range allocs {
		r.Allocations = append(r.Allocations, AllocationReport{Name: a.Name, Bytes: a.Bytes, Target: a.Target.String(),
			DeviceBytes: a.DeviceBytes()})
	}
	return r
}

// ReportOf says where the memory of a machine lies now; nil without Buddy Compression.
func ReportOf(m *machine.Machine) *Report {
	if r := new(Report); r.Fill(&system.Ran{Machine: m}) {
		return r
	}
	return nil
}

// Fill says where the memory of a run lies now.
func (r *Report) Fill(ran *system.Ran) bool {
	for i, s := range ran.Machine.Storages() {
		s, ok := s.(*storage.Memory)
		if !ok || s.About == nil {
			return false
		}
		if i == 0 {
			*r = *s.About.(*Report)
			r.Allocations = slices.Clone(r.Allocations)
		}
		use := s.Entries()
		for k := range use {
			r.Allocations[k].add(&use[k])
		}
	}
	return true
}

// Given returns the sizes of all allocations.
func (r *Report) Given(name string) (float64, bool) {
	switch name {
	case "allocationBytes":
		return float64(r.SizeBytes), true
	case "deviceBytes":
		return float64(r.DeviceBytes), true
	}
	return 0, false
}

// add adds the entries of a controller.
func (a *AllocationReport) add(u *storage.EntryUse) {
	a.Entries += u.Entries
	a.Overflowed += u.Overflowed
	a.UsedBytes += u.DeviceSectors * layout.SectorBytes
	a.BuddyBytes += u.BuddySectors * layout.SectorBytes
}
