package ptx

// IsHalf reports whether t is f16, bf16 or a pair of them.
func (t Scalar) IsHalf() bool { return t >= TypeF16 && t <= TypeBF16x2 }

// IsPair reports whether t is two 16-bit values in one register.
func (t Scalar) IsPair() bool {
	return t == TypeF16x2 || t == TypeBF16x2 || t == TypeU16x2 || t == TypeS16x2
}

// Rounding is a rounding mode of PTX.
type Rounding uint8

const (
	RoundNearest Rounding = iota // .rn: to nearest, ties to even
	RoundZero                    // .rz
	RoundDown                    // .rm
	RoundUp                      // .rp
)

// PairElement returns the integer type of each half of a pair.
func (t Scalar) PairElement() Scalar {
	if t == TypeS16x2 {
		return TypeS16
	}
	return TypeU16
}

// Doubled returns the type of twice the width.
func (t Scalar) Doubled() Scalar {
	switch t {
	case TypeU16:
		return TypeU32
	case TypeS16:
		return TypeS32
	case TypeU32:
		return TypeU64
	}
	return TypeS64
}

// Scalar is a fundamental PTX type.
type Scalar uint8

const (
	TypeNone Scalar = iota
	TypePred
	TypeB8
	TypeB16
	TypeB32
	TypeB64
	TypeB128
	TypeU8
	TypeU16
	TypeU32
	TypeU64
	TypeS8
	TypeS16
	TypeS32
	TypeS64
	TypeF16
	TypeF16x2
	TypeBF16
	TypeBF16x2
	TypeU16x2
	TypeS16x2
	TypeTF32
	TypeE4M3
	TypeE5M2
	TypeF32
	TypeF64
	TypeF32x2
	numScalars
)

var scalarNames = [numScalars]string{
	TypePred: "pred", TypeB8: "b8", TypeB16: "b16", TypeB32: "b32", TypeB64: "b64", TypeB128: "b128",
	TypeU8: "u8", TypeU16: "u16", TypeU32: "u32", TypeU64: "u64",
	TypeS8: "s8", TypeS16: "s16", TypeS32: "s32", TypeS64: "s64",
	TypeF16: "f16", TypeF16x2: "f16x2", TypeBF16: "bf16", TypeBF16x2: "bf16x2", TypeU16x2: "u16x2", TypeS16x2: "s16x2", TypeTF32: "tf32",
	TypeE4M3: "e4m3", TypeE5M2: "e5m2", TypeF32: "f32", TypeF64: "f64", TypeF32x2: "f32x2",
}

var scalarBits = [numScalars]uint8{
	TypePred: 1, TypeB8: 8, TypeB16: 16, TypeB32: 32, TypeB64: 64, TypeB128: 128,
	TypeU8: 8, TypeU16: 16, TypeU32: 32, TypeU64: 64, TypeS8: 8, TypeS16: 16, TypeS32: 32, TypeS64: 64,
	TypeF16: 16, TypeF16x2: 32, TypeBF16: 16, TypeBF16x2: 32, TypeU16x2: 32, TypeS16x2: 32, TypeTF32: 32, TypeE4M3: 8, TypeE5M2: 8,
	TypeF32: 32, TypeF64: 64, TypeF32x2: 64,
}

func (t Scalar) String() string { return scalarNames[t] }

func (t Scalar) Bits() int { return int(scalarBits[t]) }

func (t Scalar) Bytes() int { return (int(scalarBits[t]) + 7) / 8 }

func (t Scalar) IsSigned() bool { return t >= TypeS8 && t <= TypeS64 }

func (t Scalar) IsUnsigned() bool { return t >= TypeU8 && t <= TypeU64 }

func (t Scalar) IsInteger() bool { return t >= TypeU8 && t <= TypeS64 }

func (t Scalar) IsBits() bool { return t >= TypeB8 && t <= TypeB128 }

func (t Scalar) IsFloat() bool { return t == TypeF32 || t == TypeF64 }

// ScalarByName finds a type by the word after the dot.
func ScalarByName(word string) Scalar {
	for t, name := range scalarNames {
		if name != "" && name == word {
			return Scalar(t)
		}
	}
	return TypeNone
}

// IsFundamental reports whether registers and variables can have the type. The
// other formats are bits to them.
func (t Scalar) IsFundamental() bool {
	switch t {
	case TypeBF16, TypeBF16x2, TypeU16x2, TypeS16x2, TypeTF32, TypeE4M3, TypeE5M2, TypeF32x2:
		return false
	}
	return true
}

// Mask returns the value bits of a type of at most 64 bits.
func (t Scalar) Mask() uint64 {
	if scalarBits[t] >= 64 {
		return ^uint64(0)
	}
	return 1<<scalarBits[t] - 1
}

// Extend returns v, whose low bits hold a value of type t, as 64 bits: sign
// extended for signed types, else zero extended.
func (t Scalar) Extend(v uint64) uint64 {
	v &= t.Mask()
	if t.IsSigned() {
		s := 64 - scalarBits[t]
		return uint64(int64(v<<s) >> s)
	}
	return v
}
