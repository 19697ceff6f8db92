package memctrl

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/tape"
)

// units are the compressors or the decompressors of a channel. Blocks get the units in
// turn; a block waits if its unit is busy. With the zero value no block waits.
type units struct {
	busyCycles uint64   // of a unit for a block
	free       []uint64 // DRAM cycle from which each unit, or group for one block, is free
	next       int
}

// newUnits returns the units of a channel. E2MC gives the number of units for the bandwidth
// of a GPU; a channel gets the share of its own bandwidth, rounded up [ours]. A codec
// without a published throughput is pipelined: no block waits for it [ours].
func newUnits(u codec.Units, mhz int, cfg *Config) units {
	if u.Count == 0 {
		return units{}
	}
	mbPerSecond := cfg.DRAM.BytesPerCommandClock * cfg.CommandMHz
	count := (u.Count*mbPerSecond + codec.UnitsMBPerSecond - 1) / codec.UnitsMBPerSecond
	groups := (count + u.PerBlock - 1) / u.PerBlock
	return units{busyCycles: commandCycles(u.BusyCycles, mhz, cfg.CommandMHz), free: make([]uint64, groups)}
}

// begin returns the cycle in which work begins on a block that arrives at a cycle.
func (u *units) begin(at uint64) uint64 {
	if len(u.free) == 0 {
		return at
	}
	free := &u.free[u.next]
	if u.next++; u.next == len(u.free) {
		u.next = 0
	}
	at = max(at, *free)
	*free = at + u.busyCycles
	return at
}

func (u *units) state(t *tape.Tape) {
	tape.Value(t, &u.busyCycles)
	tape.Value(t, &u.next)
	tape.List(t, &u.free)
}
