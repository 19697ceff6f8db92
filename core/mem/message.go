package mem

// PacketKind says what a Packet between an SM and an L2 slice carries.
type PacketKind uint8

const (
	PacketLoad     PacketKind = iota // SM to L2: a request for the bytes in Mask
	PacketStore                      // SM to L2: bytes in Mask of Data
	PacketAtomic                     // SM to L2: operations in Atomic
	PacketData                       // L2 to SM: the line
	PacketAck                        // L2 to SM: a store or reduction has been performed
	PacketOld                        // L2 to SM: an atomic has been performed, its old values are in Atomic
	PacketPrefetch                   // SM to L2: read the line, without an answer
	PacketPriority                   // SM to L2: give the line a priority, without an answer
	PacketDiscard                    // SM to L2: forget the bytes of the line; answered by PacketAck
)

// NoAnswer is the tag of a store that L2 does not acknowledge: a line that an L1 writes back.
const NoAnswer = ^uint32(0)

// Packet is a message between an SM and an L2 slice. The receiver owns Data and Atomic.
type Packet struct {
	Addr   Addr // line address
	Mask   ByteMask
	Data   Handle
	Atomic Handle // in an AtomicPool
	Tag    uint32 // chosen by the SM, returned with the reply
	Cause  uint32 // probe request number
	SM     uint16
	Slice  uint16
	Flits  uint8
	Kind   PacketKind
	// Priority is what the request does to the order of eviction in L2, Ahead the aligned bytes that a load which
	// misses there reads at least, in AheadBytes.
	Priority Priority
	Ahead    uint8
}

// AheadBytes is the unit of Packet.Ahead: the smallest prefetch size of PTX.
const AheadBytes = 64

// BlockRequest is an L2 slice's request to its memory channel for one block.
type BlockRequest struct {
	Addr Addr // line address
	// Data is a line of the machine's arena for writes (the controller frees
	// it), 0 for reads.
	Data Handle
	// Mask marks the valid bytes of Data or, for reads, the requested bytes. Under
	// compression a write is always a full line. Without compression a write may be
	// partial (GDDR5 has byte masks), and only the bursts that it touches are sent.
	Mask  ByteMask
	Tag   uint32 // chosen by the slice, returned with the reply
	Cause uint32 // probe request number
	Write bool
	// Ack asks for a reply to a write once its data have been transferred to DRAM.
	Ack bool
}

// BlockReply carries a block that was read, or acknowledges a write. The slice owns Data
// from here on.
type BlockReply struct {
	Addr Addr
	// Mask marks the bytes fetched: the whole line or, for a sector fill from a raw
	// block, the bursts that hold the requested bytes.
	Mask  ByteMask
	Data  Handle // 0 for a write
	Tag   uint32
	Cause uint32
	Ack   bool // of a write that asked for it
}
