package machine

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// fermiTiming: latency and initiation of GPGPU-Sim's SM2_GTX480
// (ptx_opcode_latency_* and ptx_opcode_initiation_*): integer add, max, mul, mad,
// div, shuffle 4,13,4,5,145,32 and 1,2,2,1,8,4; single precision 4,13,4,5,39 and
// 1,2,1,1,4; double precision 8,19,8,8,330 and 8,16,8,8,130. Special functions
// share the last single-precision pair there. Moves, branches and barriers are
// integer operations. Memory latencies are those of the memory system; its
// initiation of 1 is the one address-generation slot. There are no matrix units: an
// mma takes the time of the 64 fma of a warp that m16n8k16 stands for [ours].
func fermiTiming() [ptx.NumClasses]sm.Timing {
	var t [ptx.NumClasses]sm.Timing
	set := func(c ptx.Class, u sm.Unit, latency, initiation uint16) {
		t[c] = sm.Timing{Unit: u, LatencyCycles: latency, InitiationCycles: initiation}
	}
	set(ptx.ClassMove, sm.UnitALU, 4, 1)
	set(ptx.ClassIntAdd, sm.UnitALU, 4, 1)
	set(ptx.ClassIntMax, sm.UnitALU, 13, 2)
	set(ptx.ClassIntMul, sm.UnitALU, 4, 2)
	set(ptx.ClassIntMad, sm.UnitALU, 5, 1)
	set(ptx.ClassIntDiv, sm.UnitALU, 145, 8)
	set(ptx.ClassFloatAdd, sm.UnitALU, 4, 1)
	set(ptx.ClassFloatMax, sm.UnitALU, 13, 2)
	set(ptx.ClassFloatMul, sm.UnitALU, 4, 1)
	set(ptx.ClassFloatMad, sm.UnitALU, 5, 1)
	set(ptx.ClassFloatDiv, sm.UnitSpecial, 39, 4)
	set(ptx.ClassDoubleAdd, sm.UnitDouble, 8, 8)
	set(ptx.ClassDoubleMax, sm.UnitDouble, 19, 16)
	set(ptx.ClassDoubleMul, sm.UnitDouble, 8, 8)
	set(ptx.ClassDoubleMad, sm.UnitDouble, 8, 8)
	set(ptx.ClassDoubleDiv, sm.UnitDouble, 330, 130)
	set(ptx.ClassSpecial, sm.UnitSpecial, 39, 4)
	set(ptx.ClassShuffle, sm.UnitALU, 32, 4)
	set(ptx.ClassBranch, sm.UnitALU, 4, 1)
	set(ptx.ClassBarrier, sm.UnitALU, 4, 1)
	set(ptx.ClassMemory, sm.UnitMemory, 1, 1)
	set(ptx.ClassMatrix, sm.UnitALU, 68, 64)
	return t
}

// fermiSM is the SM of compute capability 2.0: 48 warps, 8 CTAs, 32768 registers,
// 48 KB shared memory beside 16 KB L1 (RFVP table II, LATTE-CC table II, SLC table
// II). Allocation units of registers and shared memory: CUDA occupancy
// calculator, compute capability 2.0. L1: 32 sets x 128 B x 4 ways, 64 MSHRs with
// 8 merges, as in SM2_GTX480; its latency of 35 cycles and shared memory's 26 are
// gpgpu_l1_latency and gpgpu_smem_latency there, plus what lies before and behind
// in the pipeline: from load to use GPGPU-Sim measures 40 and 32, one more than
// here because a load meets L1 in the cycle after its issue.
func fermiSM() sm.Config {
	return sm.Config{
		Warps: 48, CTAs: 8, Registers: 32768, RegisterUnit: 64, SharedBytes: 49152, SharedUnit: 128,
		Schedulers: 2, Banks: 32, SharedLatency: 31, QueueDepth: 4, FlitBytes: flitBytes,
		L1:                   cache.L1Config{Geometry: cache.Geometry{Sets: 32, Ways: 4}, MSHRs: 64, Merges: 8, LatencyCycles: 39},
		L1Loads:              true,
		Timing:               fermiTiming(),
		WarpInstructionLimit: warpInstructionLimit,
	}
}

const (
	// flitBytes: icnt_flit_size of SM2_GTX480.
	flitBytes = 40
	// warpInstructionLimit ends runaway loops [ours]: the longest warp of the
	// programs we ship executes a few thousand instructions.
	warpInstructionLimit = 20_000_000
)

// gtx480 is the machine of LATTE-CC and RFVP, with the values of GPGPU-Sim 4's
// SM2_GTX480 unless said otherwise: 15 SMs, 6 controllers with 2 channels of
// 32-bit GDDR5 each (the atom is the MAG; GPGPU-Sim's own fetches 64 B), 768 KB
// L2 in 12 slices of 64 sets x 8 ways, 256 MSHRs with 4 merges, raster latency
// 120. The ways through the crossbar are set so that an unloaded L2 hit takes
// the 182 cycles GPGPU-Sim measures.
func gtx480() *Spec {
	return &Spec{
		Name: "gtx480", Title: "GTX 480 · 15 SMs · GDDR5 177 GB/s", Source: "GPGPU-Sim 4 SM2_GTX480; LATTE-CC table II; RFVP table II",
		SMs: 15, SM: fermiSM(), CoreMHz: 700,
		RequestLatencyCycles: 29, ReplyLatencyCycles: 28, L2LatencyCycles: 120,
		L2:          cache.L2Config{Geometry: cache.Geometry{Sets: 64, Ways: 8}, MSHRs: 256, Merges: 4, FlitBytes: flitBytes},
		Controllers: 6, Channels: 2, DRAM: dram.GTX480(), DRAMMHz: 924, AddressMap: dram.MapGTX480,
		MemoryBytes: 1536 << 20,
	}
}

// gtx580 is the machine of E2MC and SLC (SLC table II): 16 SMs at 822 MHz, 768 KB
// L2, 6 controllers, GDDR5 at 1002 MHz: 12 channels of 32 bits give the 192.4
// GB/s (systems.md A8). What the papers leave open is as in gtx480.
func gtx580() *Spec {
	s := gtx480()
	s.Name, s.Title = "gtx580", "GTX 580 · 16 SMs · GDDR5 192 GB/s"
	s.Source = "SLC table II; E2MC section IV; otherwise GPGPU-Sim 4 SM2_GTX480"
	s.SMs, s.CoreMHz, s.DRAMMHz = 16, 822, 1002
	s.DRAM = dram.GTX580()
	return s
}

// mini is a quarter of gtx580 for classrooms: per SM it has the same L2 and the
// same bandwidth (workloads.md section 1).
func mini() *Spec {
	s := gtx580()
	s.Name, s.Title = "mini", "Mini · 4 SMs · GDDR5 48 GB/s"
	s.Source = "a quarter of gtx580"
	s.SMs, s.Controllers, s.Channels = 4, 3, 1
	s.MemoryBytes = 512 << 20
	return s
}
