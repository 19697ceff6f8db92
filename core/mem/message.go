package mem

// PacketKind says what a Packet between an SM and an L2 slice carries.
type PacketKind uint8

const (
	PacketLoad   PacketKind = iota // SM to L2: bytes in Mask are wanted
	PacketStore                    // SM to L2: bytes in Mask of Data
	PacketAtomic                   // SM to L2: operations in Atomic
	PacketData                     // L2 to SM: the line
	PacketAck                      // L2 to SM: a store or reduction has been performed
	PacketOld                      // L2 to SM: an atomic has been performed, its old values are in Atomic
)

// Packet is a message between an SM and an L2 slice. Who receives it owns Data
// and Atomic.
type Packet struct {
	Addr   Addr // line address
	Mask   ByteMask
	Data   Handle
	Atomic Handle // of an AtomicPool
	Tag    uint32 // the SM's, returned with the reply
	Cause  uint32 // probe request number
	SM     uint16
	Slice  uint16
	Flits  uint8
	Kind   PacketKind
}

// BlockRequest is what an L2 slice asks of its memory channel: one block.
type BlockRequest struct {
	Addr Addr // line address
	// Data is a line of the machine's arena for writes (the controller frees
	// it), 0 for reads.
	Data Handle
	// Mask marks the valid bytes of Data, or for reads the bytes wanted. Under
	// compression a write is always a full line. Without it a write may be
	// partial (GDDR5 has byte masks) and only the bursts it touches are sent.
	Mask  ByteMask
	Tag   uint32 // the slice's own, returned with the reply
	Cause uint32 // probe request number
	Write bool
}

// BlockReply carries a block that was read. The slice owns Data from here on.
type BlockReply struct {
	Addr Addr
	Data Handle
	// Mask marks the bytes fetched: the whole line, or under sector fills of a
	// raw block the bursts that hold the bytes wanted.
	Mask  ByteMask
	Tag   uint32
	Cause uint32
}
