package survey

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
)

// Values counts special elements. NaNs and infinities are measured like other data, but
// they are often a sign of a wrong file.
type Values struct {
	Elements  uint64 `json:"elements"` // padding included
	Zeros     uint64 `json:"zeros"`    // all bits but a float's sign
	NaNs      uint64 `json:"nans"`
	Infinites uint64 `json:"infinites"`
}

// Add counts the elements of blocks.
func (v *Values) Add(lines []mem.Line, t datafile.Type) {
	switch t {
	case datafile.F16:
		v.add16(lines, 0x7c00)
	case datafile.BF16:
		v.add16(lines, 0x7f80)
	case datafile.F32, datafile.C64:
		for i := range lines {
			for k := 0; k < mem.LineBytes; k += 4 {
				v.one(uint64(binary.LittleEndian.Uint32(lines[i][k:])&^(1<<31)), 0x7f800000)
			}
		}
	case datafile.F64, datafile.C128:
		for i := range lines {
			for k := 0; k < mem.LineBytes; k += 8 {
				v.one(binary.LittleEndian.Uint64(lines[i][k:])&^(1<<63), 0x7ff<<52)
			}
		}
	default:
		v.addWhole(lines, t.Bytes())
	}
}

func (v *Values) add16(lines []mem.Line, infinite uint64) {
	for i := range lines {
		for k := 0; k < mem.LineBytes; k += 2 {
			v.one(uint64(binary.LittleEndian.Uint16(lines[i][k:])&^(1<<15)), infinite)
		}
	}
}

// one counts a float without its sign.
func (v *Values) one(magnitude, infinite uint64) {
	v.Elements++
	switch {
	case magnitude == 0:
		v.Zeros++
	case magnitude == infinite:
		v.Infinites++
	case magnitude > infinite:
		v.NaNs++
	}
}

// addWhole counts whole numbers.
func (v *Values) addWhole(lines []mem.Line, size int) {
	for i := range lines {
		for k := 0; k < mem.LineBytes; k += size {
			v.Elements++
			zero := byte(0)
			for _, b := range lines[i][k : k+size] {
				zero |= b
			}
			if zero == 0 {
				v.Zeros++
			}
		}
	}
}
