// Package parameter describes a GPU by its values: every one has a path, a unit, bounds
// and a description, can be set by its path, and is checked alone and with the others.
package parameter

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/noc"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
)

// MaxPlacement bounds the arrangements of buffers [ours].
const MaxPlacement = 1 << 16

// GPU is the values of a GPU. The engine's base clock is the core clock.
type GPU struct {
	Name   string
	Title  string
	Source string

	SMs     int
	SM      sm.Config
	CoreMHz uint64
	XbarMHz uint64 // 0 = CoreMHz
	L2MHz   uint64 // 0 = CoreMHz
	Xbar    noc.Config

	// RequestLatencyCycles and ReplyLatencyCycles are the latencies between an SM and an
	// L2 slice without load. L2LatencyCycles is the pipeline in front of a slice (of the
	// raster operations unit in GPGPU-Sim).
	RequestLatencyCycles int
	ReplyLatencyCycles   int
	L2LatencyCycles      int

	TLB         cache.TLBConfig
	L2          cache.L2Config // of one slice; one slice for each channel
	Controllers int
	Channels    int // of each controller
	DRAM        dram.Spec
	DRAMMHz     uint64
	AddressMap  string // in the notation of package dram
	AddressHash dram.Hash
	MemoryBytes uint64
	// Placement is the arrangement of buffers; 0 leaves no gaps.
	Placement int

	Controller Controller

	// Compile is the order of the instructions of a block.
	Compile ptx.Compile

	Energy energy.Costs
	// LaneFemtojoules is the energy of a thread's instruction of a class without its
	// operands: execution, and its share of fetch and issue.
	LaneFemtojoules [ptx.NumClasses]uint64

	// LaunchGapCycles lie between the end of one launch and the start of the next.
	LaunchGapCycles int
	// CTAIntervalMillicycles lie between the starts of two CTAs, in thousandths of a core
	// cycle; 0 = each SM may start one in each cycle.
	CTAIntervalMillicycles int
	// HostLink carries the copies of the host's data, and what the host reads back between launches.
	HostLink HostLink
}

// Controller sizes one memory controller; queues are those of each channel.
type Controller struct {
	// Schedule is drain, for which ReadQueueBlocks, WriteQueueBlocks and the values of the
	// drain hold, or joint, for which QueueBlocks holds.
	Schedule          memctrl.Schedule
	QueueBlocks       int
	ReadQueueBlocks   int
	WriteQueueBlocks  int
	ReturnQueueBlocks int
	// Writes go before reads from WriteHighBlocks waiting until WriteLowBlocks are left.
	WriteHighBlocks, WriteLowBlocks int
	RowHitCapBlocks                 int
	RowPolicy                       memctrl.RowPolicy
	RowTimeoutCycles                int // DRAM cycles; of the policies that wait
	FixedLatencyCycles              int // core cycles between DRAM and L2
	MetadataQueueLines              int
	MetadataBytes                   int // metadata cache, 0 = every lookup hits
	MetadataWays                    int
	MetadataLookupCycles            int // DRAM cycles
}

// Slices returns the number of L2 slices, which is that of memory channels.
func (s *GPU) Slices() int { return s.Controllers * s.Channels }

// L2Bytes returns the capacity of L2.
func (s *GPU) L2Bytes() int { return s.Slices() * s.L2.Bytes() }

// PeakBytesPerSecond returns the bandwidth of all channels.
func (s *GPU) PeakBytesPerSecond() uint64 {
	return uint64(s.Slices()) * uint64(s.DRAM.BytesPerCommandClock) * s.DRAMMHz * 1_000_000
}

// DRAMClock returns DRAM command clocks per core clock.
func (s *GPU) DRAMClock() sim.ClockRatio { return sim.ClockRatio{Num: s.DRAMMHz, Den: s.CoreMHz} }

// XbarClock returns clocks of the crossbars per core clock.
func (s *GPU) XbarClock() sim.ClockRatio { return s.clock(s.XbarMHz) }

// L2Clock returns clocks of L2 per core clock.
func (s *GPU) L2Clock() sim.ClockRatio { return s.clock(s.L2MHz) }

func (s *GPU) clock(mhz uint64) sim.ClockRatio {
	if mhz == 0 {
		return sim.ClockRatio{Num: 1, Den: 1}
	}
	return sim.ClockRatio{Num: mhz, Den: s.CoreMHz}
}

// Configure gives a controller's configuration its schedule, queues and row policy.
func (c *Controller) Configure(m *memctrl.Config) {
	m.Schedule, m.Queue = c.Schedule, c.QueueBlocks
	m.ReadQueue, m.WriteQueue, m.ReturnQueue = c.ReadQueueBlocks, c.WriteQueueBlocks, c.ReturnQueueBlocks
	m.WriteHigh, m.WriteLow, m.RowHitCap = c.WriteHighBlocks, c.WriteLowBlocks, c.RowHitCapBlocks
	m.RowPolicy, m.RowTimeoutCycles = c.RowPolicy, c.RowTimeoutCycles
	m.FixedLatencyCycles, m.MetadataQueue = c.FixedLatencyCycles, c.MetadataQueueLines
	m.Metadata.Bytes, m.Metadata.Ways, m.Metadata.LookupCycles = c.MetadataBytes, c.MetadataWays, c.MetadataLookupCycles
}
