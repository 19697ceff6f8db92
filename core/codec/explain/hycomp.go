package explain

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/hycomp"
	"github.com/burstscope/burstscope/core/mem"
)

// hycomp reads the method from the tag and the code of that method.
func (w *walk) hycomp(c *hycomp.Codec, size int) error {
	const tagAt, tagBits = (codec.BlockBytes - 1) * 8, 8
	method := hycomp.Method(w.bitsAt(tagAt, tagBits))
	if method > hycomp.Floats {
		return fmt.Errorf("hycomp: method %d in the tag", method)
	}
	w.beside("method", tagAt, tagBits, method.String(), "how the block is coded, chosen by the type of its data; in the tag")
	switch method {
	case hycomp.Zero:
		w.e.Notes = append(w.e.Notes, "All bytes are zero: the method says so, and the block takes no bits.")
		w.end = 0
		return nil
	case hycomp.Pointers:
		w.e.Notes = append(w.e.Notes, "Pointers: coded as BDI does.")
		return w.bdi(false, size)
	case hycomp.Integers:
		w.e.Notes = append(w.e.Notes, "Integers: coded as SC does.")
		w.stream(c.Integers().Table(), stream{ways: 1})
		return nil
	}
	w.e.Notes = append(w.e.Notes, "Floats: FP-H splits each word into three fields with a code each. Where it splits them is our reading.")
	parts := c.Parts()
	codes := make([]*canonical, len(parts))
	for k, p := range parts {
		codes[k] = newCanonical(p.Table, 0)
	}
	for i := 0; i < mem.LineBytes/4 && w.fault == nil; i++ {
		w.item(wordNames(i, 1), 4*i, 4)
		word := uint32(0)
		for k, p := range parts {
			from := len(w.e.Fields)
			v, _ := w.symbol(codes[k], p.Bits)
			for f := from; f < len(w.e.Fields); f++ {
				w.e.Fields[f].Name = p.Name + ", " + w.e.Fields[f].Name
			}
			word |= v << p.Shift
		}
		w.says("%s", hex32(word))
		w.word(i, word)
	}
	for k, p := range parts {
		w.code(codes[k], "Codewords used for "+p.Name, p.Bits)
	}
	return nil
}
