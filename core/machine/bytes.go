package machine

import (
	"unsafe"

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
		lineBytes    = uint64(unsafe.Sizeof(mem.Line{}))
		l1TagBytes   = 8 + 8 + 1 + 2           // address, last use, sectors, MSHR
		packedBytes  = 24                      // a compressed L1's further state of a tag
		l2TagBytes   = 8 + 8 + 16 + 16 + 2 + 2 // address, last use, valid, dirty, MSHR, pins
		warpBytes    = 1400                    // stack, predicates and bookkeeping of a warp
		slotBytes    = ptx.SlotBytes + 32      // lanes of a register, and its shape
		blockBytes   = 14                      // how a block is stored
		channelBytes = 8 << 10                 // queues of a memory channel
		mshrBytes    = 160                     // of an L2 slice, with its share of the waiting requests
		smBytes      = 96 << 10                // operations of the load/store unit, MSHRs, links
	)
	sms := uint64(g.SMs)
	perSM := uint64(0) // of warps and shared memory, which come with the CTAs of a launch
	for _, l := range launches {
		ctas := int(min(uint64(g.SM.CTAs), (l.CTAs()+sms-1)/sms))
		warps := min(g.SM.Warps, ctas*l.WarpsPerCTA())
		perSM = max(perSM, uint64(warps*(warpBytes+l.Kernel.RegisterSlots*slotBytes)+ctas*l.SharedBytes()))
	}
	n := uint64(g.Slices()) * (channelBytes + uint64(g.L2.MSHRs)*mshrBytes + uint64(g.L2.Sets*g.L2.Ways)*(lineBytes+l2TagBytes))
	tags, tagBytes := uint64(g.SM.L1.Sets*g.SM.L1.Ways), uint64(l1TagBytes)
	if l1Tags > 0 {
		tags, tagBytes = tags*uint64(l1Tags), tagBytes+packedBytes
	}
	n += sms * tags * (lineBytes + tagBytes)
	n += sms * (smBytes + perSM)
	return n + imageBytes/mem.LineBytes*blockBytes
}
