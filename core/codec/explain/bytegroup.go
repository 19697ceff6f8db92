package explain

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec/bytegroup"
	"github.com/burstscope/burstscope/core/mem"
)

// groupNames are the names of the groups of a layout, the lowest byte of an element first.
func groupNames(l bytegroup.Layout) []string {
	switch l {
	case bytegroup.F32:
		return []string{"low fraction", "middle fraction", "sign and high fraction", "exponent"}
	case bytegroup.BF16:
		return []string{"sign and fraction", "exponent"}
	case bytegroup.Halves:
		return []string{"low byte", "high byte"}
	}
	return []string{"byte"}
}

// bytegroup reads the methods of the groups and the bytes of each.
func (w *walk) bytegroup(c *bytegroup.Codec) {
	names := groupNames(c.Layout())
	groups := len(names)
	methods, fixed := c.Fixed()
	w.e.Notes = append(w.e.Notes, "Groups of bytes of elements of type "+c.Layout().String()+", the highest group first.")
	if !fixed {
		w.item("methods", 0, 0)
		for g := groups - 1; g >= 0; g-- {
			methods[g] = bytegroup.Method(w.take(Header, "method of "+names[g], 2))
			if methods[g] > bytegroup.Zero {
				w.fail("method %d", methods[g])
				return
			}
			w.mean(methods[g].String(), "how the group is stored")
		}
		w.says("how each group is stored")
	}
	codes := make([]*canonical, c.Table().Trees())
	for pos := range codes {
		codes[pos] = newCanonical(c.Table(), pos)
	}
	var moved mem.Line
	for g := groups - 1; g >= 0; g-- {
		if methods[g] == bytegroup.Zero {
			w.e.Notes = append(w.e.Notes, "All bytes of the group \""+names[g]+"\" are zero: they take no bits.")
			continue
		}
		for i := g; i < mem.LineBytes && w.fault == nil; i += groups {
			w.item(fmt.Sprintf("%s of element %d", names[g], i/groups), i/groups*groups, groups)
			v := uint32(0)
			if methods[g] == bytegroup.Coded {
				v, _ = w.symbol(codes[i%len(codes)], 8)
			} else {
				v = uint32(w.take(Data, names[g], 8))
				w.mean(symbolHex(v, 8), "the byte itself")
			}
			w.says("%s", symbolHex(v, 8))
			moved[i] = byte(v)
		}
	}
	w.apart(c.Layout(), &moved)
	for pos, code := range codes[:groups] {
		w.code(code, "Codewords used for "+names[pos], 8)
	}
}

// apart puts elements together again from their bytes in groups.
func (w *walk) apart(l bytegroup.Layout, moved *mem.Line) {
	for i := 0; i < mem.LineBytes; i += 4 {
		switch l {
		case bytegroup.F32:
			sign, fraction := moved[i+2]>>7, uint32(moved[i+2]&0x7f)<<16|uint32(moved[i+1])<<8|uint32(moved[i])
			w.word(i/4, uint32(sign)<<31|uint32(moved[i+3])<<23|fraction)
		case bytegroup.BF16:
			for k := i; k < i+4; k += 2 {
				v := uint16(moved[k]&0x80)<<8 | uint16(moved[k+1])<<7 | uint16(moved[k]&0x7f)
				binary.LittleEndian.PutUint16(w.line[k:], v)
			}
		default:
			copy(w.line[i:i+4], moved[i:i+4])
		}
	}
}
