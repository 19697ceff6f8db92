//go:build js

package main

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe/series"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy"
)

// overTime returns the series of the side, once its machine is known.
func (s *side) overTime() *series.Series {
	if m := s.run.Machine(); s.dram == nil && m != nil {
		spec := m.Spec()
		s.dram = series.New(spec.Slices(), spec.DRAM.Banks, mem.LineBytes/s.plan.Memory.MAG(), s.followed())
	}
	return s.dram
}

// followed is the number of allocations whose entries are followed over time.
func (s *side) followed() int {
	if b := buddy.ReportOf(s.run.Machine()); b != nil {
		return len(b.Allocations)
	}
	return 0
}

// sendDRAM posts the activity of the DRAM channels and banks over time. Queues are
// given as mean lengths.
func (s *side) sendDRAM(run int) {
	d := s.overTime()
	if d == nil {
		return
	}
	mean := func(cycles []uint64) any {
		list := make([]float64, len(cycles))
		for i, c := range cycles {
			list[i] = float64(c) / float64(d.IntervalCycles)
		}
		return float64Array(list)
	}
	message := object{
		"type": "dram", "run": run, "side": s.name, "channels": d.Channels, "banks": d.Banks,
		"cyclesPerPoint": float64(d.IntervalCycles), "points": d.Points,
		"read": uint32Array(d.Read), "written": uint32Array(d.Written), "metadata": uint32Array(d.Metadata), "saved": uint32Array(d.Saved),
		"refreshes": uint32Array(d.Refreshes), "readQueue": mean(d.ReadQueue), "writeQueue": mean(d.WriteQueue),
		"bankBursts": uint32Array(d.BankBursts), "bankActivates": uint32Array(d.BankActivates),
	}
	if d.Allocations > 0 {
		message["allocations"] = d.Allocations
		message["met"], message["overflowed"] = uint32Array(d.Met), uint32Array(d.Overflowed)
	}
	if n, _ := s.result.Count(stat.LinkCycles); n > 0 {
		message["linkIn"], message["linkOut"] = uint32Array(d.LinkIn), uint32Array(d.LinkOut)
	}
	post(message)
}

func uint32Array(v []uint32) any {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return arrayOf("Uint32Array", b)
}
