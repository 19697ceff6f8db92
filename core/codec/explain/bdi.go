package explain

import (
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
)

// bdiEncodings are the encodings of PACT 2012 and, numbers 1 and 2, of bdi10, by the
// number in the tag.
var bdiEncodings = [...]struct {
	name       string
	valueBytes int
	deltaBytes int
}{
	{"zero", 1, 0}, {"rep2", 2, 0}, {"rep4", 4, 0}, {"rep8", 8, 0},
	{"b8d1", 8, 1}, {"b4d1", 4, 1}, {"b8d2", 8, 2}, {"b2d1", 2, 1}, {"b4d2", 4, 2}, {"b8d4", 8, 4},
}

const bdiNumberBits = 4

// bdi reads base, deltas and, where it counts, the mask; the tag lies behind.
func (w *walk) bdi(countMask bool, size int) error {
	number4 := int(w.bitsAt(size, bdiNumberBits))
	if number4 >= len(bdiEncodings) {
		return fmt.Errorf("%s: encoding %d in the tag: there are %d", w.e.Codec, number4, len(bdiEncodings))
	}
	enc := bdiEncodings[number4]
	values := mem.LineBytes / enc.valueBytes
	low := ^uint64(0) >> (64 - 8*enc.valueBytes)
	store := func(i int, v uint64) {
		for k := range enc.valueBytes {
			w.line[i*enc.valueBytes+k] = byte(v >> (8 * k))
		}
	}
	w.beside("encoding", size, bdiNumberBits, enc.name, "number %d of the encodings, in the tag", number4)
	if enc.deltaBytes == 0 {
		w.item("value", 0, mem.LineBytes)
		v := w.take(Data, "value", 8*enc.valueBytes)
		w.mean(hexOf(v, enc.valueBytes), "all %s of the block", plural(values, "value"))
		w.says("%s, repeated", hexOf(v, enc.valueBytes))
		for i := range values {
			store(i, v)
		}
		return w.fault
	}
	maskAt := size + bdiNumberBits
	if countMask {
		maskAt = 8 * (enc.valueBytes + values*enc.deltaBytes)
	} else {
		w.beside("mask", maskAt, values, hexOf(w.bitsAt(maskAt, values), values/8), "a bit for each value, the last first: 1 if its difference is to zero; in the tag, as PACT 2012 does not count it")
	}
	mask := w.bitsAt(maskAt, values)
	near := bits.OnesCount64(mask)
	w.item("base", 0, 0)
	if first := bits.TrailingZeros64(^mask); first < values {
		it := &w.e.Items[0]
		it.Byte, it.Bytes = first*enc.valueBytes, enc.valueBytes
	}
	base := w.take(Header, "base", 8*enc.valueBytes)
	w.mean(hexOf(base, enc.valueBytes), "the first value that is not near zero")
	w.says("%s: base of %s, the others are near zero", hexOf(base, enc.valueBytes), plural(values-near, "value"))
	s := Structure{
		Kind: Table, Title: fmt.Sprintf("Encoding %s: base of %s, differences of %s", enc.name, plural(enc.valueBytes, "byte"), plural(enc.deltaBytes, "byte")),
		Note: "A value is stored as its difference to the base, or to zero where the mask has a one.", Columns: []string{"value", "mask", "base", "difference", "is"},
	}
	for i := range values {
		w.item(fmt.Sprintf("value %d", i), i*enc.valueBytes, enc.valueBytes)
		d := signed(w.take(Data, "difference", 8*enc.deltaBytes), 8*enc.deltaBytes)
		v, to := uint64(d)&low, "zero"
		if mask>>i&1 == 0 {
			v, to = (base+uint64(d))&low, "the base"
		}
		w.mean(fmt.Sprintf("%+d", d), "value %d, counted from %s", i, to)
		w.says("%s = %s %+d", hexOf(v, enc.valueBytes), to, d)
		store(i, v)
		s.Rows = append(s.Rows, Row{[]string{number(i), number(int(mask >> i & 1)), to, fmt.Sprintf("%+d", d), hexOf(v, enc.valueBytes)}, []int{w.last()}})
	}
	if countMask {
		w.item("mask", 0, 0)
		w.take(Header, "mask", values)
		w.mean(hexOf(mask, values/8), "a bit for each value, the last first: 1 if its difference is to zero")
		w.says("%s near zero", plural(near, "value"))
	}
	w.structure(s)
	return w.fault
}
