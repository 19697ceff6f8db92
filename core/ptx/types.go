package ptx

// scalar is a fundamental PTX type.
type scalar uint8

const (
	typeNone scalar = iota
	typePred
	typeB8
	typeB16
	typeB32
	typeB64
	typeB128
	typeU8
	typeU16
	typeU32
	typeU64
	typeS8
	typeS16
	typeS32
	typeS64
	typeF16
	typeF16x2
	typeBF16
	typeBF16x2
	typeU16x2
	typeS16x2
	typeTF32
	typeE4M3
	typeE5M2
	typeF32
	typeF64
	typeF32x2
	numScalars
)

var scalarNames = [numScalars]string{
	typePred: "pred", typeB8: "b8", typeB16: "b16", typeB32: "b32", typeB64: "b64", typeB128: "b128",
	typeU8: "u8", typeU16: "u16", typeU32: "u32", typeU64: "u64",
	typeS8: "s8", typeS16: "s16", typeS32: "s32", typeS64: "s64",
	typeF16: "f16", typeF16x2: "f16x2", typeBF16: "bf16", typeBF16x2: "bf16x2", typeU16x2: "u16x2", typeS16x2: "s16x2", typeTF32: "tf32",
	typeE4M3: "e4m3", typeE5M2: "e5m2", typeF32: "f32", typeF64: "f64", typeF32x2: "f32x2",
}

var scalarBits = [numScalars]uint8{
	typePred: 1, typeB8: 8, typeB16: 16, typeB32: 32, typeB64: 64, typeB128: 128,
	typeU8: 8, typeU16: 16, typeU32: 32, typeU64: 64, typeS8: 8, typeS16: 16, typeS32: 32, typeS64: 64,
	typeF16: 16, typeF16x2: 32, typeBF16: 16, typeBF16x2: 32, typeU16x2: 32, typeS16x2: 32, typeTF32: 32, typeE4M3: 8, typeE5M2: 8,
	typeF32: 32, typeF64: 64, typeF32x2: 64,
}

func (t scalar) String() string { return scalarNames[t] }
func (t scalar) bits() int      { return int(scalarBits[t]) }
func (t scalar) bytes() int     { return (int(scalarBits[t]) + 7) / 8 }

func (t scalar) isSigned() bool   { return t >= typeS8 && t <= typeS64 }
func (t scalar) isUnsigned() bool { return t >= typeU8 && t <= typeU64 }
func (t scalar) isInteger() bool  { return t >= typeU8 && t <= typeS64 }
func (t scalar) isBits() bool     { return t >= typeB8 && t <= typeB128 }
func (t scalar) isFloat() bool    { return t == typeF32 || t == typeF64 }

// scalarByName finds a type by the word after the dot.
func scalarByName(word string) scalar {
	for t, name := range scalarNames {
		if name != "" && name == word {
			return scalar(t)
		}
	}
	return typeNone
}

// isFundamental reports whether registers and variables can have the type. The
// other formats are bits to them.
func (t scalar) isFundamental() bool {
	switch t {
	case typeBF16, typeBF16x2, typeU16x2, typeS16x2, typeTF32, typeE4M3, typeE5M2, typeF32x2:
		return false
	}
	return true
}

// mask returns the value bits of a type of at most 64 bits.
func (t scalar) mask() uint64 {
	if scalarBits[t] >= 64 {
		return ^uint64(0)
	}
	return 1<<scalarBits[t] - 1
}

// extend returns v, whose low bits hold a value of type t, as 64 bits: sign
// extended for signed types, else zero extended.
func (t scalar) extend(v uint64) uint64 {
	v &= t.mask()
	if t.isSigned() {
		s := 64 - scalarBits[t]
		return uint64(int64(v<<s) >> s)
	}
	return v
}
