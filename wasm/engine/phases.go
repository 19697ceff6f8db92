//go:build js

package main

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/policy"
)

// sendPhases posts the phases of the side's L1s, if they have a policy: a row of
// cache.PhaseColumns for each phase.
func (s *side) sendPhases(run int) {
	l := s.result.PhaseLog
	if l == nil {
		return
	}
	var names []any
	for _, name := range cache.PhaseColumns() {
		names = append(names, name)
	}
	var values []float64
	for sm, records := range l.SMs {
		for k := range records {
			values = l.Row(values, sm, &records[k])
		}
	}
	var codecs, decompress []any
	for m := range policy.NumModes {
		codecs = append(codecs, l.Policy.Codec(m))
		decompress = append(decompress, l.Decompress[m])
	}
	post(object{
		"type": "phases", "run": run, "side": s.name, "sms": len(l.SMs), "policy": l.Policy.Title, "sampled": l.Policy.Sampled, "planned": l.Policy.Planned,
		"codecs": codecs, "decompress": decompress, "hitCycles": l.HitCycles, "accesses": l.PhaseAccesses, "period": l.PeriodPhases,
		"sets": l.Sets, "dedicated": l.DedicatedSets, "columns": names, "values": float64Array(values),
	})
}
