package explain

import (
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/cpack"
)

// fpcPatterns are the patterns of table 1 of the report, by prefix.
var fpcPatterns = [8]struct {
	name string
	bits int
}{
	{"run of zero words", 3}, {"sign-extended 4 bits", 4}, {"sign-extended byte", 8}, {"sign-extended halfword", 16},
	{"halfword above a zero halfword", 16}, {"two sign-extended bytes", 16}, {"four equal bytes", 8}, {"no pattern", 32},
}

// fpc reads a prefix of three bits and what follows it, until the words are full.
func (w *walk) fpc() {
	type use struct {
		words, bits int
		items       []int
	}
	var uses [len(fpcPatterns)]use
	for i := 0; i < codec.Words && w.fault == nil; {
		w.item("", 4*i, 4)
		prefix := w.take(Code, "prefix", 3)
		p := fpcPatterns[prefix]
		w.mean(binaryOf(prefix, 3), "%s: %s follow", p.name, plural(p.bits, "bit"))
		v, count := uint32(0), 1
		data := w.take(Data, "data", p.bits)
		switch prefix {
		case 0:
			count = int(data) + 1
			w.mean(number(count), "length of the run, less 1")
		case 1, 2, 3:
			v = uint32(signed(data, p.bits))
			w.mean(decimal(int64(int32(v))), "the word")
		case 4:
			v = uint32(data) << 16
			w.mean(hexOf(data, 2), "upper halfword; the lower one is zero")
		case 5:
			v = uint32(uint16(signed(data>>8, 8)))<<16 | uint32(uint16(signed(data&0xff, 8)))
			w.mean(hexOf(data, 2), "a byte for each halfword, the upper one first")
		case 6:
			v = uint32(data) * 0x01010101
			w.mean(hexOf(data, 1), "the byte that all four are")
		case 7:
			v = uint32(data)
			w.mean(hex32(v), "the word itself")
		}
		if i+count > codec.Words {
			w.fail("a run of %d words from word %d", count, i)
			return
		}
		it := &w.e.Items[w.last()]
		it.Name, it.Bytes = wordNames(i, count), 4*count
		if prefix == 0 {
			w.says("%s", plural(count, "zero word"))
		} else {
			w.says("%s: %s", hex32(v), p.name)
		}
		for range count {
			w.word(i, v)
			i++
		}
		u := &uses[prefix]
		u.words, u.bits, u.items = u.words+count, u.bits+3+p.bits, append(u.items, w.last())
	}
	s := Structure{Kind: Table, Title: "Prefixes", Note: "The first pattern in this order that holds for a word is its prefix.", Columns: []string{"prefix", "pattern", "words", "bits"}}
	for prefix, u := range uses {
		s.Rows = append(s.Rows, Row{[]string{binaryOf(uint64(prefix), 3), fpcPatterns[prefix].name, number(u.words), number(u.bits)}, u.items})
	}
	w.structure(s)
}

func wordNames(first, count int) string {
	if count == 1 {
		return fmt.Sprintf("word %d", first)
	}
	return fmt.Sprintf("words %d to %d", first, first+count-1)
}

// zvc reads the mask and the words that it announces.
func (w *walk) zvc() {
	w.item("mask", 0, 0)
	mask := uint32(w.take(Header, "mask", codec.Words))
	w.mean(hex32(mask), "a bit for each word, word 31 first: 1 if it is not zero")
	w.says("%d of 32 words are not zero", bits.OnesCount32(mask))
	s := Structure{Kind: Table, Title: "Mask", Note: "A word with bit 0 takes no further bits.", Columns: []string{"word", "bit", "value"}}
	for i := range codec.Words {
		v, items := uint32(0), []int{0}
		if mask>>i&1 == 1 {
			w.item(wordNames(i, 1), 4*i, 4)
			v = uint32(w.take(Data, "word", 32))
			w.mean(hex32(v), "the word itself")
			w.says("%s", hex32(v))
			items = append(items, w.last())
		}
		w.word(i, v)
		s.Rows = append(s.Rows, Row{[]string{number(i), number(int(mask >> i & 1)), hex32(v)}, items})
	}
	w.structure(s)
}

// dictionaryEntries is 16 words: 64 bytes (TVLSI 2010).
const dictionaryEntries = 16

// cpack reads the code of each word and keeps the dictionary.
func (w *walk) cpack(p cpack.Params) {
	if p.Zero && w.end == 0 {
		w.e.Notes = append(w.e.Notes, "All bytes are zero: a flag in the tag says so, and the block takes no bits.")
		return
	}
	var words [dictionaryEntries]uint32
	pushed := 0
	s := Structure{
		Kind: Dictionary, Title: "Dictionary", Columns: []string{"entered by", "entry", "value", "replaces"},
		Note: "16 words, empty at the start of the block, first in, first out. A word is compared with what entered before it.",
	}
	for i := 0; i < codec.Words && w.fault == nil; i++ {
		w.item(wordNames(i, 1), 4*i, 4)
		entry := func() uint32 {
			at := w.take(Index, "index", 4)
			if int(at) >= min(pushed, dictionaryEntries) {
				w.fail("entry %d is not in the dictionary yet", at)
			}
			w.mean(number(int(at)), "entry of the dictionary: %s", hex32(words[at]))
			return words[at]
		}
		literal := func(bytes int) uint32 {
			v := uint32(w.take(Data, "literal", 8*bytes))
			w.mean(hexOf(uint64(v), bytes), "the low %s of the word", plural(bytes, "byte"))
			return v
		}
		n := 2
		if w.at+2 <= w.end && w.bitsAt(w.at, 2) == 0b11 {
			n = 4
		}
		code := w.take(Code, "code", n)
		bin := binaryOf(code, n)
		v, enters, pattern := uint32(0), false, ""
		switch bin {
		case "00":
			pattern = "zzzz: zero"
			w.mean(bin, "zzzz: the word is zero")
		case "01":
			pattern, enters = "xxxx: no match", true
			w.mean(bin, "xxxx: no entry matches; 32 bits follow")
			v = literal(4)
		case "10":
			pattern, enters = "mmmm: equal to an entry", p.Push == cpack.PushAll
			w.mean(bin, "mmmm: equal to an entry")
			v = entry()
		case "1100":
			pattern, enters = "mmxx: upper two bytes match", p.Push >= cpack.PushPartial
			w.mean(bin, "mmxx: the upper two bytes match an entry")
			v = entry() &^ 0xffff
			v |= literal(2)
		case "1101":
			pattern = "zzzx: below 256"
			w.mean(bin, "zzzx: only the lowest byte is not zero")
			v = literal(1)
		case "1110":
			pattern, enters = "mmmx: upper three bytes match", p.Push >= cpack.PushPartial
			w.mean(bin, "mmmx: the upper three bytes match an entry")
			v = entry() &^ 0xff
			v |= literal(1)
		default:
			w.fail("%s is not a code", bin)
		}
		w.says("%s, %s", hex32(v), pattern)
		w.word(i, v)
		if enters {
			slot, replaced := pushed%dictionaryEntries, ""
			if pushed >= dictionaryEntries {
				replaced = hex32(words[slot])
			}
			words[slot] = v
			pushed++
			s.Rows = append(s.Rows, Row{[]string{number(i), number(slot), hex32(v), replaced}, []int{w.last()}})
		}
	}
	w.structure(s)
}

// fibonacci reads sums of Fibonacci numbers, each ended by a second one bit.
func (w *walk) fibonacci() {
	s := Structure{
		Kind: Table, Title: "Differences as sums of Fibonacci numbers", Columns: []string{"word", "difference", "number", "terms"},
		Note: "A difference r is folded to the number 2r+1, or −2r if it is negative: then small ones of either sign are small numbers. No sum has two neighbouring terms, so two ones end it.",
	}
	last := uint32(0)
	for i := 0; i < codec.Words && w.fault == nil; i++ {
		n := 1
		for w.at+n < w.end && !(w.bitsAt(w.at+n-1, 1) == 1 && w.bitsAt(w.at+n, 1) == 1) {
			n++
		}
		if n > 64 {
			w.fail("the code of word %d is longer than any", i)
			return
		}
		w.item(wordNames(i, 1), 4*i, 4)
		code := w.take(Data, "terms", n)
		v, terms := uint64(0), ""
		a, b := uint64(1), uint64(2)
		for k := range n {
			if code>>(n-1-k)&1 == 1 {
				if v > 0 {
					terms += " + "
				}
				v += a
				terms += fmt.Sprint(a)
			}
			a, b = b, a+b
		}
		if v == 0 || v > 1<<32 {
			w.fail("word %d has the number %d: want 1 to 2^32", i, v)
			return
		}
		z := uint32(v - 1)
		r := int32(z>>1 ^ -(z & 1))
		w.mean(terms, "the Fibonacci numbers 1, 2, 3, 5, 8 … with a one, smallest first: %d", v)
		w.take(Code, "end", 1)
		w.mean("1", "a second one in a row ends the code")
		last += uint32(r)
		w.says("%s: %+d to the word before", hex32(last), r)
		w.word(i, last)
		s.Rows = append(s.Rows, Row{[]string{number(i), decimal(int64(r)), fmt.Sprint(v), terms}, []int{w.last()}})
	}
	w.structure(s)
}
