package explain

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// walk reads an encoded block from its first bit to its last and records every field.
type walk struct {
	src     *codec.Block
	at, end int
	e       *Explanation
	line    mem.Line // the decoded bytes
	fault   error    // the first error
}

// fail keeps the first error; later fields have no meaning.
func (w *walk) fail(format string, args ...any) {
	if w.fault == nil {
		w.fault = fmt.Errorf("%s: bit %d: "+format, append([]any{w.e.Codec, w.at}, args...)...)
	}
}

// item begins the next item, which encodes bytes of the block.
func (w *walk) item(name string, at, bytes int) {
	w.e.Items = append(w.e.Items, Item{Name: name, First: w.at, Byte: at, Bytes: bytes})
}

// says completes the current item.
func (w *walk) says(format string, args ...any) {
	i := &w.e.Items[len(w.e.Items)-1]
	i.Says, i.Count = fmt.Sprintf(format, args...), w.at-i.First
}

// last is the number of the current item.
func (w *walk) last() int { return len(w.e.Items) - 1 }

// bitsAt returns n bits, at most 64, at a position.
func (w *walk) bitsAt(at, n int) uint64 {
	v := uint64(0)
	for i := at; i < at+n; i++ {
		v = v<<1 | uint64(w.src[i/8]>>(7-i%8)&1)
	}
	return v
}

// take takes a field of n bits, at most 64; mean adds its meaning.
func (w *walk) take(kind Kind, name string, n int) uint64 {
	if w.fault != nil || w.at+n > w.end {
		w.fail("the block ends inside %s", name)
		return 0
	}
	v := w.bitsAt(w.at, n)
	w.e.Fields = append(w.e.Fields, Field{First: w.at, Count: n, Name: name, Kind: kind, Item: w.last()})
	w.at += n
	return v
}

// mean completes the field taken last.
func (w *walk) mean(value, format string, args ...any) {
	if len(w.e.Fields) > 0 && w.fault == nil {
		f := &w.e.Fields[len(w.e.Fields)-1]
		f.Value, f.Meaning = value, fmt.Sprintf(format, args...)
	}
}

// beside adds a field that is kept in the tag, n bits at a position of the Block.
func (w *walk) beside(name string, at, n int, value, format string, args ...any) {
	w.e.Tag = append(w.e.Tag, Field{First: at, Count: n, Name: name, Kind: Header, Value: value, Meaning: fmt.Sprintf(format, args...), Item: -1})
}

// structure adds a structure. Without rows it has an empty list, since the page cannot read null.
func (w *walk) structure(s Structure) {
	if s.Rows == nil {
		s.Rows = []Row{}
	}
	w.e.Structures = append(w.e.Structures, s)
}

// word stores a decoded word.
func (w *walk) word(i int, v uint32) { binary.LittleEndian.PutUint32(w.line[4*i:], v) }

// finish ends the walk: no bits may be left.
func (w *walk) finish() error {
	if w.fault == nil && w.at != w.end {
		w.fail("%d bits are left over", w.end-w.at)
	}
	w.e.LaidOut = w.at
	w.e.Encoded = hex.EncodeToString(w.src[:(w.at+7)/8])
	w.e.Decoded = hex.EncodeToString(w.line[:])
	return w.fault
}

// raw lays out a raw block.
func (w *walk) raw(line *mem.Line) {
	w.e.Mode = modeRaw
	copy(w.src[:], line[:])
	w.end = codec.RawBits
	for i := range codec.Words {
		w.item(fmt.Sprintf("word %d", i), 4*i, 4)
		v := uint32(w.take(Data, "word", 32))
		v = v>>24 | v>>8&0xff00 | v<<8&0xff0000 | v<<24 // bytes in the order of memory
		w.mean(hex32(v), "the four bytes as they are")
		w.says("%s", hex32(v))
		w.word(i, v)
	}
	_ = w.finish() // 32 words of 32 bits are all of it
}

func hex32(v uint32) string { return fmt.Sprintf("0x%08x", v) }

// hexOf writes a value of some bytes.
func hexOf(v uint64, bytes int) string { return fmt.Sprintf("0x%0*x", 2*bytes, v) }

// binaryOf writes the low n bits, first bit first.
func binaryOf(v uint64, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0' + byte(v>>(n-1-i)&1)
	}
	return string(b)
}

// bitsOf writes bit 0 first, as the columns of a plane are.
func bitsOf(v uint32, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0' + byte(v>>i&1)
	}
	return string(b)
}

// signed extends the sign of the low n bits.
func signed(v uint64, n int) int64 { return int64(v<<(64-n)) >> (64 - n) }

func decimal(v int64) string { return strconv.FormatInt(v, 10) }
func number(v int) string    { return strconv.Itoa(v) }

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
