// Package sm models a streaming multiprocessor: resident warps, the
// fetch stage, schedulers with a scoreboard, the coalescer, the load/store
// unit with shared memory and L1, and the dispatcher that hands out CTAs.
package sm

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// Unit is an execution unit an instruction occupies.
type Unit uint8

const (
	UnitALU     Unit = iota // one for each scheduler
	UnitSpecial             // special functions, one for the SM
	UnitDouble              // double precision, one for the SM
	UnitMemory              // load/store unit, one for the SM
	numUnits
)

// Timing says which unit a class of instructions uses, after how many cycles a
// dependent instruction may issue, and for how many cycles the unit takes no
// other warp.
type Timing struct {
	Unit             Unit
	LatencyCycles    uint16
	InitiationCycles uint16
}

// of returns the latency and the initiation interval of an instruction. A matrix
// instruction takes its unit in proportion to its work.
func (t *Timing) of(in *ptx.Instr) (latency, initiation sim.Cycle) {
	latency, initiation = sim.Cycle(t.LatencyCycles), sim.Cycle(t.InitiationCycles)
	if in.Work == 0 {
		return latency, initiation
	}
	n := (initiation*sim.Cycle(in.Work) + ptx.MatrixWork - 1) / ptx.MatrixWork
	return max(latency+n, initiation+1) - initiation, n
}

// Latency is the time from an instruction to the use of its results, unless it accesses memory.
func (c *Config) Latency(in *ptx.Instr) int {
	latency, _ := c.Timing[in.Class].of(in)
	return int(latency) + c.PipelineCycles
}

// Config sizes one SM. The hardware's limits decide how many CTAs of a kernel fit.
type Config struct {
	Warps         int // resident warps
	CTAs          int // resident CTAs
	Registers     int // 32-bit registers
	RegisterUnit  int // registers of a warp are allocated in multiples of this
	WarpUnit      int // the number of warps that fit into the registers is rounded down to a multiple of this
	SharedBytes   int
	SharedUnit    int // shared memory of a CTA is allocated in multiples of this
	Schedulers    int
	Policy        Policy
	ActiveWarps   int // active warps of a scheduler, under PolicyTwoLevel
	IssueWidth    int // instructions of one warp that a scheduler issues in a cycle
	Banks         int // banks of shared memory, four bytes wide
	SharedLatency int // cycles from issue to data without conflicts
	QueueDepth    int // memory instructions the load/store unit holds
	FlitBytes     int // flit of the request crossbar
	L1            cache.L1Config
	// L1Loads is false if global loads bypass L1 (as in Kepler).
	L1Loads bool
	// WholeSegments: stores and atomics move whole aligned segments of 32, 64 or 128 bytes
	// (compute capability 1.3), not only the sectors that they touch.
	WholeSegments bool
	// Atomics is how the lanes of an atomic instruction share requests.
	Atomics  Atomics
	Fetch    FetchConfig
	Constant ConstantConfig
	Texture  TextureConfig
	// PipelineCycles are the stages of a result outside of its unit:
	// operand collector, dispatch, write-back. They add to the latency of a class,
	// not to the time its unit is taken.
	PipelineCycles int
	Timing         [ptx.NumClasses]Timing
	// WarpInstructionLimit ends a run in which one warp executes more
	// instructions than this: a runaway loop.
	WarpInstructionLimit uint64
}

// ConstantConfig describes the constant cache, through which .param and .const
// are read. A launch's parameters are one line.
type ConstantConfig struct {
	// LatencyCycles from issue to data on a hit. 0 means that there is no cache, and that
	// constants cost as much as a move.
	LatencyCycles int
	// LaunchCycles are those for which the first read of a launch's parameters keeps the load/store unit. They are for an
	// SM without a constant cache.
	LaunchCycles int
	Cache        cache.ReadOnlyConfig
}

// MaxWarps, MaxSchedulers and MaxBanks bound Config.
const (
	MaxWarps      = 64
	MaxSchedulers = 4
	MaxBanks      = 64
)

// Occupancy returns how many CTAs of a launch fit on one SM and what limits
// them, 0 if not even one does.
func (c *Config) Occupancy(l *ptx.Launch) (ctas int, limit string) {
	warps := l.WarpsPerCTA()
	ctas, limit = c.CTAs, "CTAs"
	lower := func(n int, name string) {
		if n < ctas {
			ctas, limit = n, name
		}
	}
	lower(c.Warps/warps, "warps")
	if s := roundUp(l.SharedBytes(), c.SharedUnit); s > 0 {
		lower(c.SharedBytes/s, "shared memory")
	}
	if r := roundUp(l.RegistersPerThread()*ptx.MaxLanes, c.RegisterUnit); r > 0 {
		lower(c.Registers/r/c.WarpUnit*c.WarpUnit/warps, "registers")
	}
	return ctas, limit
}

func roundUp(n, unit int) int {
	if unit <= 1 {
		return n
	}
	return (n + unit - 1) / unit * unit
}

// Grant tells an SM to start a CTA.
type Grant struct {
	Launch int32 // index of the launch in the machine's program
	CTA    uint32
}

// Done tells the dispatcher that a CTA of an SM has ended: its warps have exited
// and its stores have been performed.
type Done struct{ SM uint16 }

const never = sim.Never
