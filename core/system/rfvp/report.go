package rfvp

import (
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/system"
)

// Report says what prediction did to the loads of a program.
type Report struct {
	// LoadLanes are the values that all lanes loaded from global and local memory,
	// ApproximateLanes the lanes of approximate loads.
	LoadLanes        uint64        `json:"loadLanes"`
	ApproximateLanes uint64        `json:"approximateLanes"`
	Loads            []LoadCounted `json:"loads"` // the approximate ones
}

// LoadCounted is one approximate load, over all launches and SMs.
type LoadCounted struct {
	Kernel   string `json:"kernel"`
	Line     int32  `json:"line"` // of the PTX
	File     string `json:"file,omitempty"`
	FileLine uint32 `json:"fileLine,omitempty"`
	Text     string `json:"text"`
	Tally
}

// PoliciesOf returns the predictors of a machine's SMs; nil if it predicts nothing.
func PoliciesOf(m *machine.Machine) []*Policy {
	var list []*Policy
	for _, policy := range m.LoadPolicies() {
		p, ok := policy.(*Policy)
		if !ok {
			return nil
		}
		list = append(list, p)
	}
	return list
}

// Fill adds up what the predictors of the SMs counted.
func (all *Report) Fill(r *system.Ran) bool {
	list := PoliciesOf(r.Machine)
	for i, p := range list {
		if i == 0 {
			*all = *countLanes(r.Machine, p.Loads())
		}
		for k := range p.Tallies() {
			all.Loads[k].Add(&p.Tallies()[k])
		}
	}
	return len(list) > 0
}

// Given returns the values that were loaded.
func (all *Report) Given(name string) (float64, bool) {
	switch name {
	case "loadLanes":
		return float64(all.LoadLanes), true
	case "approximateLanes":
		return float64(all.ApproximateLanes), true
	}
	return 0, false
}

// countLanes names the loads, and counts the values that lanes loaded.
func countLanes(m *machine.Machine, loads *Loads) *Report {
	all := &Report{}
	for _, at := range loads.Places {
		s := &at.Kernel.Source[at.PC]
		all.Loads = append(all.Loads, LoadCounted{Kernel: at.Kernel.Name, Line: s.Line, File: s.File, FileLine: s.FileLine, Text: approximate.Text(at.Kernel, at.PC)})
	}
	for _, k := range m.Counts() {
		for pc := range k.Counts {
			if in := &k.Kernel.Code[pc]; in.Mem != nil && in.IsLoad && in.Mem.Kind == ptx.AccessLoad && in.Mem.Space != ptx.SpaceShared {
				all.LoadLanes += k.Counts[pc].Lanes
			}
		}
		for _, at := range loads.Places {
			if at.Kernel == k.Kernel {
				all.ApproximateLanes += k.Counts[at.PC].Lanes
			}
		}
	}
	return all
}
