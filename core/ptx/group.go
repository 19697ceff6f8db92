package ptx

// MaxGroupWait is the largest operand of wgmma.wait_group here (PTX ISA, wgmma.wait_group: a constant; CUTLASS,
// warpgroup_wait<N>, allows 0 to 7).
const MaxGroupWait = 7

// GroupWarps is how many warps a warp group has: ranks 4i to 4i+3 (PTX ISA, Warpgroup).
const GroupWarps = 4

// GroupRows is M of every shape of wgmma, and GroupRowBytes how many bytes a row of A in a dense shape, or of the
// packed A in a sparse one, has along K (PTX ISA, wgmma.mma_async: m64nNk16 on 16 bits, k8 on tf32, k32 on 8 bits,
// k256 on one bit).
const (
	GroupRows     = 64
	GroupRowBytes = 32
)

// GroupOp describes wgmma.mma_async. VectorOp.Regs holds the registers of D, then those of A if A is in registers.
type GroupOp struct {
	D, A, B          Element
	N                int
	Sparse           bool
	Selector         uint8 // of the lanes with metadata
	InRegisters      bool  // A
	ColumnA, ColumnB bool  // the other way round in shared memory: imm-trans
	NegateA, NegateB bool
	Saturate         bool
}

// Sums returns how many registers of a thread D takes.
func (o *GroupOp) Sums() int { return o.N * GroupRows / (MaxLanes * GroupWarps) * o.D.Bits() / 32 }

// ColumnBytes is how many bytes a column of B has along K.
func (o *GroupOp) ColumnBytes() int {
	if o.Sparse {
		return 2 * GroupRowBytes
	}
	return GroupRowBytes
}

// SharedBytes is how much of shared memory the operation reads.
func (o *GroupOp) SharedBytes() int {
	n := o.N * o.ColumnBytes()
	if !o.InRegisters {
		n += GroupRows * GroupRowBytes
	}
	return n
}

// Lines in which the metadata of a sparse A lie (PTX ISA, "Sparse matrix storage" and the figures after it; CUTLASS,
// mma_traits_sm90_gmma_sparse.hpp, ELayout_64x64, 64x32 and 64x16).
const (
	// A lane of each four holds 16 bits of row l/4 below 16 bits of row l/4+8.
	MetadataOneLane = iota
	// Two lanes of each four do: the first has the lower half of K.
	MetadataTwoLanes
	// Two lanes of each four hold 32 bits: the first of row l/4, the second of row l/4+8.
	MetadataRows
	// As MetadataRows, and the other two lanes have the upper half of K.
	MetadataAll
)

// MetadataLayout returns where the metadata of a sparse A of elements e lie if its rows have so many bytes in packed
// form, and how many selectors there are.
func MetadataLayout(e Element, rowBytes int) (layout, selectors int) {
	switch {
	case e.Bits() >= 16 && rowBytes == GroupRowBytes/2:
		return MetadataOneLane, 4
	case e.Bits() >= 16:
		return MetadataTwoLanes, 2
	case rowBytes == GroupRowBytes/2:
		return MetadataRows, 2
	}
	return MetadataAll, 1
}
