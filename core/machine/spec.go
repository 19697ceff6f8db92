// Package machine wires the parts of a GPU into a machine that runs a program:
// the only package that knows all of them. A Spec is immutable data; a Machine is
// plain state built from it.
package machine

import (
	"fmt"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
)

// Spec describes a machine. The engine's base clock is the core clock, at which
// crossbars and L2 run as well.
type Spec struct {
	Name   string
	Title  string
	Source string

	SMs     int
	SM      sm.Config
	CoreMHz uint64

	// RequestLatencyCycles and ReplyLatencyCycles are the unloaded ways between
	// an SM and an L2 slice, L2LatencyCycles the pipeline in front of a slice
	// (the raster operations unit's in GPGPU-Sim).
	RequestLatencyCycles int
	ReplyLatencyCycles   int
	L2LatencyCycles      int

	L2          cache.L2Config // of one slice; one slice for each channel
	Controllers int
	Channels    int // of each controller
	DRAM        dram.Spec
	DRAMMHz     uint64
	AddressMap  string // in the notation of package dram
	AddressHash dram.Hash
	MemoryBytes uint64

	// LaunchGapCycles lie between the end of one launch and the start of the next.
	LaunchGapCycles int
}

// Slices returns the number of L2 slices, which is that of memory channels.
func (s *Spec) Slices() int { return s.Controllers * s.Channels }

// L2Bytes returns the capacity of L2.
func (s *Spec) L2Bytes() int { return s.Slices() * s.L2.Bytes() }

// PeakBytesPerSecond returns the bandwidth of all channels.
func (s *Spec) PeakBytesPerSecond() uint64 {
	return uint64(s.Slices()) * uint64(s.DRAM.BytesPerCommandClock) * s.DRAMMHz * 1_000_000
}

// DRAMClock returns DRAM command clocks per core clock.
func (s *Spec) DRAMClock() sim.ClockRatio { return sim.ClockRatio{Num: s.DRAMMHz, Den: s.CoreMHz} }

// Preset returns the Spec of a name in PresetNames.
func Preset(name string) (*Spec, error) {
	switch name {
	case "gtx480":
		return gtx480(), nil
	case "gtx580":
		return gtx580(), nil
	case "mini":
		return mini(), nil
	}
	return nil, fmt.Errorf("machine: no preset %q: use one of %v", name, PresetNames())
}

// PresetNames lists the presets.
func PresetNames() []string { return []string{"gtx580", "gtx480", "mini"} }
