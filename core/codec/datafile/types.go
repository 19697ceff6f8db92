package datafile

import (
	"fmt"
	"strings"
)

// Type is the type of elements.
type Type uint8

// Types. Complex ones are pairs of floats.
const (
	NoType Type = iota
	U8
	I8
	Bool
	F8 // either 8-bit float
	U16
	I16
	F16
	BF16
	U32
	I32
	F32
	U64
	I64
	F64
	C64
	C128
)

var types = [...]struct {
	name  string
	bytes int
}{
	U8: {"u8", 1}, I8: {"i8", 1}, Bool: {"bool", 1}, F8: {"f8", 1},
	U16: {"u16", 2}, I16: {"i16", 2}, F16: {"f16", 2}, BF16: {"bf16", 2},
	U32: {"u32", 4}, I32: {"i32", 4}, F32: {"f32", 4},
	U64: {"u64", 8}, I64: {"i64", 8}, F64: {"f64", 8}, C64: {"c64", 8}, C128: {"c128", 16},
}

// String returns the name of a type.
func (t Type) String() string { return types[t].name }

// Bytes returns the size of an element.
func (t Type) Bytes() int { return types[t].bytes }

// Unit returns the size of the parts whose bytes have an order.
func (t Type) unit() int {
	if t == C64 || t == C128 {
		return types[t].bytes / 2
	}
	return types[t].bytes
}

// TypeNames returns the names of all types.
func TypeNames() []string {
	var names []string
	for _, t := range types[1:] {
		names = append(names, t.name)
	}
	return names
}

// ParseType returns the type of a name.
func ParseType(name string) (Type, error) {
	for t := range types {
		if t > 0 && types[t].name == name {
			return Type(t), nil
		}
	}
	return NoType, fmt.Errorf("unknown element type %q: one of %s", name, strings.Join(TypeNames(), ", "))
}
