package machine

import (
	"math/bits"
	"unsafe"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// StateBytes estimates the memory that one machine takes on the host for a program with
// so much device memory, apart from the pages of that memory: caches with their tags,
// warps, shared memory and how each block is stored. l1Tags are the tags for each way of a compressed
// L1, each with a line; 0 without one. A host with little room asks before it builds a machine.
func StateBytes(g *parameter.GPU, l1Tags int, launches []*ptx.Launch, imageBytes uint64) uint64 {
	const (
		l2TagBytes   = 8 + 8 + 16 + 16 + 2 + 2 // address, last use, valid, dirty, MSHR, pins
		warpBytes    = 1400                    // stack, predicates and bookkeeping of a warp
		slotBytes    = ptx.SlotBytes + 16      // lanes of a register, and its shape
		blockBytes   = 11                      // how a block is stored
		channelBytes = 8 << 10                 // queues of a memory channel
		mshrBytes    = 80                      // of an L2 slice
		waitingBytes = 56                      // of a request that waits in an L2 slice
		packetBytes  = 48 + 8 + 8              // of a place in a link, with its two cycles
		smBytes      = 96 << 10                // operations of the load/store unit, MSHRs, links
	)
	sms := uint64(g.SMs)
	perSM := uint64(0) // of warps and shared memory, which come with the CTAs of a launch
	for _, l := range launches {
		ctas := int(min(uint64(g.SM.CTAs), (l.CTAs()+sms-1)/sms))
		warps := min(g.SM.Warps, ctas*l.WarpsPerCTA())
		perSM = max(perSM, uint64(warps*(warpBytes+l.Kernel.RegisterSlots*slotBytes)+ctas*l.SharedBytes()))
	}
	ways := g.L2.Sets * g.L2.Ways
	waiting := uint64(min(g.L2.MSHRs*min(g.L2.Merges, cache.WaitingPerMSHR), cache.WaitingAtFirst))
	packets := places(linkDepth+g.RequestLatencyCycles-1+g.L2LatencyCycles) + places(g.L2.ReplyQueuePackets)
	n := uint64(g.Slices()) * (channelBytes + packets*packetBytes + uint64(g.L2.MSHRs)*mshrBytes + waiting*waitingBytes + uint64(ways)*l2TagBytes + cache.LinesBytes(ways, linesPerSlice(g, imageBytes)))
	n += sms * l1Bytes(g, l1Tags, imageBytes)
	n += sms * (smBytes + perSM)
	return n + imageBytes/mem.LineBytes*blockBytes
}

// places is how many places a link of n packets has (sim.Connect).
func places(n int) uint64 { return 1 << bits.Len(uint(n-1)) }

// l1Bytes is the memory of an L1. A compressed one has a line for every tag from the start.
func l1Bytes(g *parameter.GPU, l1Tags int, imageBytes uint64) uint64 {
	const (
		lineBytes   = uint64(unsafe.Sizeof(mem.Line{}))
		tagBytes    = 8 + 8 + 1 + 2 // address, last use, sectors, MSHR
		packedBytes = 24            // a compressed L1's further state of a tag
	)
	ways := g.SM.L1.Sets * g.SM.L1.Ways
	if l1Tags > 0 {
		return uint64(ways*l1Tags) * (lineBytes + tagBytes + packedBytes)
	}
	return uint64(ways)*tagBytes + cache.LinesBytes(ways, int(imageBytes/mem.LineBytes))
}

// linesPerSlice is how many lines of device memory a slice of L2 may be asked for.
func linesPerSlice(g *parameter.GPU, imageBytes uint64) int {
	return int(imageBytes / mem.LineBytes / uint64(g.Slices()))
}
