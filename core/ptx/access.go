package ptx

// AccessKind says what a memory instruction does.
type AccessKind uint8

const (
	AccessLoad AccessKind = iota
	AccessStore
	AccessAtomic    // returns the old value
	AccessReduction // red: an atomic without a result
	// What follows moves no values: see Hints.
	AccessPrefetch
	AccessPriority // applypriority
	AccessDiscard
)

// Space is a state space, after generic addresses have been resolved.
type Space uint8

const (
	SpaceGlobal Space = iota
	SpaceShared
	SpaceLocal
	SpaceConst
	SpaceParam
	SpaceGeneric
	SpaceRegister
)

// CacheOperator tells the caches how to treat an access (PTX ISA, Cache Operators).
type CacheOperator uint8

const (
	CacheAll      CacheOperator = iota // .ca, .cs, .lu, .wb, .wt and the default: L1 and L2
	CacheL2                            // .cg: L2 only
	CacheBypass                        // .cv, .volatile, .relaxed, .acquire: L2 only, and L1 drops its line
	CacheReadOnly                      // .nc: the same as CacheAll here
)

// Windows of the generic address space: a generic address inside one of them is an
// address of that space. Device memory starts above them (mem.MinBase). Then the
// limits of a CTA.
const (
	SharedWindow      = 0x0100_0000
	LocalWindow       = 0x0200_0000
	ParamWindow       = 0x0300_0000
	ConstWindow       = 0x0400_0000
	WindowsEnd        = 0x0500_0000
	WindowBytes       = 0x0100_0000
	MaxLanes          = 32
	FullMask          = ^uint32(0)
	MaxWarpsPerCTA    = 32
	MaxThreadsPerCTA  = 1024
	MaxBarriersPerCTA = 16
)

// Access is one memory instruction of a warp: for each lane in Mask, Bytes bytes
// from Addr. An access is naturally aligned, so it never crosses a line.
type Access struct {
	Kind     AccessKind
	Space    Space // SpaceGlobal, SpaceShared or SpaceLocal
	Operator CacheOperator
	Bytes    uint8 // element size x vector length, 1..16
	Mask     uint32
	PC       int32 // index of the instruction in Kernel.Code
	// Addr holds a device address (global), an offset into the CTA's shared
	// memory (shared) or into the thread's local memory (local). Where FirstOnly is set, it
	// holds the address of lane 0 alone, and Addresses fills in the others.
	Addr [MaxLanes]uint64
	// FirstOnly says that the spacing stands for the addresses of the other lanes.
	FirstOnly bool
	Spacing
}

// Addresses returns the addresses of all lanes.
func (a *Access) Addresses() *[MaxLanes]uint64 {
	if a.FirstOnly {
		a.FirstOnly = false
		first := a.Addr[0]
		for i := 0; i < MaxLanes; i += a.RowLanes {
			at := first
			for k := i; k < i+a.RowLanes; k++ {
				a.Addr[k&(MaxLanes-1)] = at
				at += uint64(a.Column)
			}
			first += uint64(a.Row)
		}
	}
	return &a.Addr
}

// Spacing tells how the addresses grow from lane to lane, if RowLanes is not 0: the address of
// lane i is Addr[0] + Column*(i%RowLanes) + Row*(i/RowLanes). No address is below 0.
type Spacing struct {
	RowLanes    int // a power of two
	Column, Row int64
	Above       uint64 // the greatest address minus Addr[0]
}

// Even returns the number of different addresses of a full warp and the step between them,
// if they are evenly spaced. ok is false if they are not, or if their spacing is not known.
func (s *Spacing) Even() (n int, step int64, ok bool) {
	switch {
	case s.RowLanes == 0:
		return 0, 0, false
	case s.RowLanes == MaxLanes || s.Row == s.Column*int64(s.RowLanes):
		n, step = MaxLanes, s.Column
	case s.Row == 0:
		n, step = s.RowLanes, s.Column
	case s.Column == 0 || s.RowLanes == 1:
		n, step = MaxLanes/s.RowLanes, s.Row
	default:
		return 0, 0, false
	}
	if step == 0 {
		n = 1
	}
	return n, step, true
}

// Consecutive reports whether the bytes of a full warp follow each other without gaps, in
// the order of the lanes.
func (a *Access) Consecutive() bool {
	size := uint64(a.Bytes)
	if a.RowLanes != 0 {
		n, step, ok := a.Even()
		return ok && n == MaxLanes && step == int64(size)
	}
	at := a.Addr[0]
	if a.Addr[31] != at+31*size || a.Addr[16] != at+16*size {
		return false
	}
	var differ uint64
	for _, lane := range a.Addr {
		differ |= lane ^ at
		at += size
	}
	return differ == 0
}
