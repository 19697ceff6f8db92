//go:build js

package main

import (
	"fmt"
	"syscall/js"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// sendPhases posts the phases of the side's L1s, if they have a policy: a row of
// latte.PhaseColumns for each phase.
func (s *side) sendPhases(run int) {
	phases := experiment.Reported[latte.Phases](s.result)
	if phases == nil || phases.Log == nil {
		return
	}
	l := phases.Log
	var names []any
	for _, name := range latte.PhaseColumns() {
		names = append(names, name)
	}
	var values []float64
	for sm, records := range l.SMs {
		for k := range records {
			values = l.Row(values, sm, &records[k])
		}
	}
	var titles, decompress []any
	for m := range policy.NumModes {
		title := ""
		if row := codecs.Find(l.Policy.Codec(m)); row != nil && row.L1 != nil {
			title = row.L1.Title
		}
		titles = append(titles, title)
		decompress = append(decompress, l.Decompress[m])
	}
	post(object{
		"type": "phases", "run": run, "side": s.name, "sms": len(l.SMs), "policy": l.Policy.Title, "sampled": l.Policy.Sampled, "planned": l.Policy.Planned,
		"codecs": titles, "decompress": decompress, "hitCycles": l.HitCycles, "accesses": l.PhaseAccesses, "period": l.PeriodPhases,
		"sets": l.Sets, "dedicated": l.DedicatedSets, "columns": names, "values": float64Array(values),
	})
}

// l1Sets answers with how the L1 of an SM is filled: a byte for each tag, with its
// sub-blocks in bits 0 to 2, its mode in bits 3 and 4, and in bits 5 to 7 whether it lies there
// as a code, has data, and has an address. Another byte says whether the line was predicted: 1 as memory held it, 2 with wrong bytes.
func (e *engine) l1Sets(msg js.Value) {
	name, sm := text(msg, "side"), number(msg, "sm")
	s := e.side(name)
	if s == nil || s.run.Machine() == nil {
		post(answering(msg, failure(e.run, name, "no L1 to show", "message l1Sets", "wait until a run has started")))
		return
	}
	o, ok := s.machineAt(msg).L1(sm)
	if !ok {
		post(answering(msg, failure(e.run, name, fmt.Sprintf("the machine has no SM %d", sm), "message l1Sets", "choose another SM")))
		return
	}
	tags, predicted := make([]byte, len(o.Tags)), make([]byte, len(o.Tags))
	for i, t := range o.Tags {
		if t.Predicted {
			predicted[i] = 1
		}
		if t.Wrong {
			predicted[i] = 2
		}
		tags[i] = t.Blocks | byte(t.Mode)<<3
		for bit, set := range [...]bool{t.Packed, t.Data, t.Taken} {
			if set {
				tags[i] |= 1 << (5 + bit)
			}
		}
	}
	post(object{
		"type": "l1Sets", "run": e.run, "side": name, "sm": sm, "cycle": s.cycleOf(s.machineAt(msg)), "tagsPerSet": o.TagsPerSet,
		"subBlocks": o.SubBlocks, "held": o.HeldSectors, "room": o.Room, "tags": uint8Array(tags), "predicted": uint8Array(predicted),
	})
}
