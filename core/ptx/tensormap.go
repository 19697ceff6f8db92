package ptx

import (
	"encoding/binary"
	"fmt"
)

// TensorMap describes a tensor in global memory and the box of it that one copy moves (CUDA driver API, Tensor Map
// Object Management: cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col). Dimension 0 is dense and comes first.
type TensorMap struct {
	Type           TensorType
	Rank           int
	Interleave     TensorInterleave
	Swizzle        TensorSwizzle
	Promotion      uint8 // of L2: an index of TensorPromotions; changes speed only
	FillNaN        bool  // what lies out of bounds reads as NaN, not as zero
	Im2col         bool
	Address        uint64
	Dims           [5]uint64 // elements
	Strides        [4]uint64 // bytes, from dimension 1 on
	Box            [5]uint32 // elements; of a map in tiled mode
	ElementStrides [5]uint32
	// A map in im2col mode: the corners of the bounding box of dimensions 1, 2, ..., and what one copy takes of it.
	Lower, Upper     [3]int32
	Channels, Pixels uint32
}

// TensorType is the type of a tensor's elements, in the order of the driver's CUtensorMapDataType.
type TensorType uint8

// TensorTypes are the names of the types.
var TensorTypes = []string{"u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32.ftz",
	"tf32", "tf32.ftz"}

// TensorReplaceTypes are the types in the order of tensormap.replace.elemtype, which is another one (PTX ISA,
// tensormap.replace).
var TensorReplaceTypes = []TensorType{0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12}

var tensorTypeTable = [...]struct {
	scalar Scalar
	nan    uint64
}{
	{TypeU8, 0}, {TypeU16, 0}, {TypeU32, 0}, {TypeS32, 0}, {TypeU64, 0}, {TypeS64, 0},
	// The bits of the NaN that fills are not published; these are the canonical NaNs of PTX [ours].
	{TypeF16, 0x7fff}, {TypeF32, 0x7fffffff}, {TypeF64, 0x7fffffffffffffff}, {TypeBF16, 0x7fff},
	{TypeF32, 0x7fffffff}, {TypeF32, 0x7fffffff}, {TypeF32, 0x7fffffff},
}

// Scalar is the type of PTX with the same bits.
func (t TensorType) Scalar() Scalar { return tensorTypeTable[t].scalar }

// Bytes is the size of an element.
func (t TensorType) Bytes() int { return t.Scalar().Bytes() }

// NaN is what fills elements out of bounds, on request; 0 for a type without NaN.
func (t TensorType) NaN() uint64 { return tensorTypeTable[t].nan }

// TensorInterleave, TensorSwizzle: in the order of the driver and of tensormap.replace.
type (
	TensorInterleave uint8
	TensorSwizzle    uint8
)

// The words of the other settings.
var (
	TensorInterleaves = []string{"none", "16B", "32B"}
	TensorSwizzles    = []string{"none", "32B", "64B", "128B"}
	TensorPromotions  = []string{"none", "64B", "128B", "256B"}
	TensorFills       = []string{"zero", "nan"}
	TensorModes       = []string{"tiled", "im2col"}
)

// SliceBytes is the size of a slice of channels, 0 without interleaving.
func (i TensorInterleave) SliceBytes() uint64 { return uint64(i) * 16 }

// SpanBytes is how long a row of a box may be: 0 for any length.
func (s TensorSwizzle) SpanBytes() uint64 {
	if s == 0 {
		return 0
	}
	return 16 << s
}

// At returns where a byte of a box lies that would lie at address a of shared memory without swizzling: the number of
// its 16-byte chunk is combined with that of its 128-byte line (PTX ISA, Tensor swizzling modes).
func (s TensorSwizzle) At(a uint64) uint64 {
	return a ^ a>>7&(1<<s-1)<<4
}

// Places of the fields in the 128 bytes. NVIDIA's layout is not published, and PTX calls the object opaque [ours].
const (
	TensorMapBytes    = 128
	TensorMapAlign    = 64
	TensorMapMagic    = 0x504d5442 // "BTMP"
	tensorMagicAt     = 0
	TensorTypeAt      = 4
	TensorRankAt      = 5
	TensorLayoutAt    = 6
	TensorSwizzleAt   = 7
	TensorAddressAt   = 8
	TensorDimsAt      = 16 // 8 bytes each
	TensorStridesAt   = 56 // 8 bytes each
	TensorBoxAt       = 88 // 2 bytes each
	TensorElementsAt  = 98 // 1 byte each
	tensorModeAt      = 103
	tensorLowerAt     = 104 // 2 bytes each
	tensorUpperAt     = 110
	tensorChannelsAt  = 116
	tensorPixelsAt    = 118
	tensorPromotionAt = 120
	TensorFillAt      = 121
)

// Encode writes the map into its 128 bytes. Check has passed.
func (m *TensorMap) Encode() []byte {
	b, e := make([]byte, TensorMapBytes), binary.LittleEndian
	e.PutUint32(b[tensorMagicAt:], TensorMapMagic)
	b[TensorTypeAt], b[TensorRankAt], b[TensorLayoutAt], b[TensorSwizzleAt] = byte(m.Type), byte(m.Rank),
		byte(m.Interleave), byte(m.Swizzle)
	e.PutUint64(b[TensorAddressAt:], m.Address)
	for i := range 5 {
		e.PutUint64(b[TensorDimsAt+8*i:], m.Dims[i])
		e.PutUint16(b[TensorBoxAt+2*i:], uint16(m.Box[i]))
		b[TensorElementsAt+i] = byte(m.ElementStrides[i])
	}
	for i, s := range m.Strides {
		e.PutUint64(b[TensorStridesAt+8*i:], s)
	}
	for i := range 3 {
		e.PutUint16(b[tensorLowerAt+2*i:], uint16(m.Lower[i]))
		e.PutUint16(b[tensorUpperAt+2*i:], uint16(m.Upper[i]))
	}
	e.PutUint16(b[tensorChannelsAt:], uint16(m.Channels))
	e.PutUint16(b[tensorPixelsAt:], uint16(m.Pixels))
	if m.Im2col {
		b[tensorModeAt] = 1
	}
	if m.FillNaN {
		b[TensorFillAt] = 1
	}
	b[tensorPromotionAt] = m.Promotion
	return b
}

// DecodeTensorMap reads what Encode wrote. ok is false if the bytes are not a map.
func DecodeTensorMap(b *[TensorMapBytes]byte) (m TensorMap, ok bool) {
	e := binary.LittleEndian
	m.Type, m.Rank, m.Interleave, m.Swizzle = TensorType(b[TensorTypeAt]), int(b[TensorRankAt]),
		TensorInterleave(b[TensorLayoutAt]), TensorSwizzle(b[TensorSwizzleAt])
	m.Address = e.Uint64(b[TensorAddressAt:])
	for i := range 5 {
		m.Dims[i] = e.Uint64(b[TensorDimsAt+8*i:])
		m.Box[i] = uint32(e.Uint16(b[TensorBoxAt+2*i:]))
		m.ElementStrides[i] = uint32(b[TensorElementsAt+i])
	}
	for i := range m.Strides {
		m.Strides[i] = e.Uint64(b[TensorStridesAt+8*i:])
	}
	for i := range 3 {
		m.Lower[i] = int32(int16(e.Uint16(b[tensorLowerAt+2*i:])))
		m.Upper[i] = int32(int16(e.Uint16(b[tensorUpperAt+2*i:])))
	}
	m.Channels, m.Pixels = uint32(e.Uint16(b[tensorChannelsAt:])), uint32(e.Uint16(b[tensorPixelsAt:]))
	m.Im2col, m.FillNaN, m.Promotion = b[tensorModeAt] == 1, b[TensorFillAt] == 1, b[tensorPromotionAt]
	return m, e.Uint32(b[tensorMagicAt:]) == TensorMapMagic && b[tensorModeAt] <= 1 && b[TensorFillAt] <= 1
}

// Limits of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col (CUDA driver API).
const (
	tensorDimMax     = 1 << 32
	tensorStrideMax  = 1 << 40
	tensorBoxMax     = 256
	tensorElementMax = 8
	tensorPixelsMax  = 1024
	tensorAlign      = 16
)

// Check returns what is wrong with a map, "" for nothing: the rules of the driver, and those of names that a program
// can spoil with tensormap.replace.
func (m *TensorMap) Check() string {
	if int(m.Type) >= len(TensorTypes) {
		return fmt.Sprintf("dtype is number %d, and there are %d types", m.Type, len(TensorTypes))
	}
	if int(m.Interleave) >= len(TensorInterleaves) || int(m.Swizzle) >= len(TensorSwizzles) ||
		int(m.Promotion) >= len(TensorPromotions) {
		return "interleave, swizzle or l2promotion has a number without a meaning"
	}
	least := 1
	if m.Interleave != 0 || m.Im2col {
		least = 3
	}
	if m.Rank < least || m.Rank > 5 {
		return fmt.Sprintf("the rank is %d: want %d to 5", m.Rank, least)
	}
	if align := m.align(); m.Address%align != 0 {
		return fmt.Sprintf("the global address %#x is not a multiple of %d", m.Address, align)
	}
	if m.FillNaN && m.Type.NaN() == 0 {
		return fmt.Sprintf("oobfill=nan goes with floating-point types, not with dtype=%s", TensorTypes[m.Type])
	}
	if m.Interleave == 2 && m.Swizzle != 1 {
		return "interleave=32B goes with swizzle=32B only"
	}
	if wrong := m.checkExtents(); wrong != "" {
		return wrong
	}
	if m.Im2col {
		return m.checkIm2col()
	}
	return m.checkBox()
}

func (m *TensorMap) align() uint64 {
	if m.Interleave == 2 {
		return 2 * tensorAlign
	}
	return tensorAlign
}

func (m *TensorMap) checkExtents() string {
	for i := range m.Rank {
		if d := m.Dims[i]; d == 0 || d > tensorDimMax {
			return fmt.Sprintf("dims: dimension %d has %d elements: want 1 to %d", i, d, uint64(tensorDimMax))
		}
		if s := m.ElementStrides[i]; (s == 0 || s > tensorElementMax) && (i > 0 || m.Interleave != 0) {
			return fmt.Sprintf("elementStrides: dimension %d has %d: want 1 to %d", i, s, tensorElementMax)
		}
		if i == 0 {
			continue
		}
		// Only their alignment and size limit strides. The driver's page computes each from the dimension before it, but
		// rows that overlap are encoded: CUTLASS gives 0 to a dimension of one element (copy_traits_sm90_tma.hpp), and
		// Triton two dimensions the same stride (triton/tools/ragged_tma.py).
		if s := m.Strides[i-1]; s%m.align() != 0 || s >= tensorStrideMax {
			return fmt.Sprintf("strides: %d bytes of dimension %d are not a multiple of %d below %d", s, i,
				m.align(), uint64(tensorStrideMax))
		}
	}
	if n := m.Interleave.SliceBytes(); n > 0 && m.Dims[0]*uint64(m.Type.Bytes()) > n {
		return fmt.Sprintf("dims: with interleave, dimension 0 lies in one slice of %d bytes, and the slices have "+
			"a dimension of their own", n)
	}
	return ""
}

func (m *TensorMap) checkBox() string {
	for i := range m.Rank {
		if b := m.Box[i]; b == 0 || b > tensorBoxMax {
			return fmt.Sprintf("box: dimension %d has %d elements: want 1 to %d", i, b, tensorBoxMax)
		}
	}
	row := uint64(m.Box[0]) * uint64(m.Type.Bytes())
	switch span := m.Swizzle.SpanBytes(); {
	case m.Interleave == 0 && row%tensorAlign != 0:
		return fmt.Sprintf("box: a row of %d bytes is not a multiple of %d", row, tensorAlign)
	case m.Interleave != 0 && row != m.Interleave.SliceBytes():
		return fmt.Sprintf("box: with interleave, a row has the %d bytes of a slice, not %d",
			m.Interleave.SliceBytes(), row)
	case m.Interleave == 0 && span > 0 && row > span:
		return fmt.Sprintf("box: swizzle=%s takes rows of at most %d bytes, not %d", TensorSwizzles[m.Swizzle],
			span, row)
	}
	return ""
}

func (m *TensorMap) checkIm2col() string {
	// The corners have 16, 8 and 5 bits for ranks 3, 4 and 5.
	limit := [6]int32{3: 1 << 15, 4: 1 << 7, 5: 1 << 4}[m.Rank]
	for i := range m.Rank - 2 {
		for _, v := range [2]int32{m.Lower[i], m.Upper[i]} {
			if v < -limit || v >= limit {
				return fmt.Sprintf("lower and upper: %d of dimension %d: want %d to %d for rank %d", v, i+1,
					-limit, limit-1, m.Rank)
			}
		}
	}
	row := uint64(m.Channels) * uint64(m.Type.Bytes())
	switch span := m.Swizzle.SpanBytes(); {
	case m.Channels == 0 || m.Channels > tensorBoxMax:
		return fmt.Sprintf("channels: %d in a pixel: want 1 to %d", m.Channels, tensorBoxMax)
	case m.Pixels == 0 || m.Pixels > tensorPixelsMax:
		return fmt.Sprintf("pixels: %d in a column: want 1 to %d", m.Pixels, tensorPixelsMax)
	case row%tensorAlign != 0:
		return fmt.Sprintf("channels: %d bytes of a pixel are not a multiple of %d", row, tensorAlign)
	case span > 0 && row > span:
		return fmt.Sprintf("channels: swizzle=%s takes pixels of at most %d bytes, not %d",
			TensorSwizzles[m.Swizzle], span, row)
	}
	return ""
}
