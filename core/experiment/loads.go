package experiment

import (
	"github.com/burstscope/burstscope/core/predict"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/approximate"
)

// Predicted holds what prediction did to the loads of a program.
type Predicted struct {
	// LoadLanes are the values that all lanes loaded from global and local memory,
	// ApproximateLanes those of approximate loads.
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
	predict.Tally
}

// predicted adds up what the load policies of the SMs counted; nil if nothing is predicted.
func (r *Run) predicted() *Predicted {
	var all *Predicted
	for _, policy := range r.machine.LoadPolicies() {
		p, ok := policy.(*predict.Policy)
		if !ok {
			return nil
		}
		if all == nil {
			all = r.countLanes(p.Loads())
		}
		for i := range p.Tallies() {
			all.Loads[i].Add(&p.Tallies()[i])
		}
	}
	return all
}

// countLanes names the loads, and counts the values that lanes loaded.
func (r *Run) countLanes(loads *predict.Loads) *Predicted {
	all := &Predicted{}
	for _, at := range loads.Places {
		s := &at.Kernel.Source[at.PC]
		all.Loads = append(all.Loads, LoadCounted{Kernel: at.Kernel.Name, Line: s.Line, File: s.File, FileLine: s.FileLine, Text: approximate.Text(at.Kernel, at.PC)})
	}
	for _, k := range r.machine.Counts() {
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
