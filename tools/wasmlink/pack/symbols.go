package pack

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

const (
	// mostSymbols fit a byte.
	mostSymbols = 256
	// rareTimes is the number of uses from which an item is a symbol of its own.
	rareTimes = 30
	// mostItems leaves room for pairs.
	mostItems = 190
)

// rare is the symbol of instructions that have none of their own.
var rare = item{act: actRaw}

// symbols are items, and pairs of earlier symbols.
type symbols struct {
	items []item
	pairs [][2]byte
}

// choose makes symbols of the items that are used most, and of those whose effect the decoder
// has to know, and writes every function in them. The other tokens become rare ones.
func choose(functions [][]token) (symbols, [][]byte) {
	uses := map[item]int{}
	for _, f := range functions {
		for i := range f {
			uses[f[i].item]++
		}
	}
	list := make([]item, 0, len(uses)+1)
	for it, n := range uses {
		if it.hasState() || n >= rareTimes {
			list = append(list, it)
		}
	}
	uses[rare] = 1
	list = append(list, rare)
	slices.SortFunc(list, func(a, b item) int {
		switch {
		case a.hasState() != b.hasState():
			if a.hasState() {
				return -1
			}
			return 1
		case uses[a] != uses[b]:
			return uses[b] - uses[a]
		case a.text != b.text:
			return strings.Compare(a.text, b.text)
		}
		return int(a.act)<<8 + int(a.arg) - int(b.act)<<8 - int(b.arg)
	})
	list = list[:min(len(list), mostItems)]
	numbers := map[item]byte{}
	for i, it := range list {
		numbers[it] = byte(i)
	}
	written := make([][]byte, len(functions))
	for k, f := range functions {
		text := make([]byte, len(f))
		for i := range f {
			number, ok := numbers[f[i].item]
			if !ok {
				f[i] = f[i].asBytes()
				number = numbers[rare]
			}
			text[i] = number
		}
		written[k] = text
	}
	s := symbols{items: list}
	s.pair(written)
	return s, written
}

// asBytes is the same token as bytes.
func (t *token) asBytes() token {
	raw := []byte(t.text)
	for _, o := range t.operands {
		raw = append(raw, o.bytes...)
	}
	return token{rare, []operand{{streamRaw, append(code.AppendUnsigned(nil, len(raw)), raw...)}}}
}

// pair replaces the two symbols that follow each other most often by a new one, until there
// are as many as there can be. It shortens the functions in place.
func (s *symbols) pair(functions [][]byte) {
	for len(s.items)+len(s.pairs) < mostSymbols {
		var count [mostSymbols * mostSymbols]int32
		for _, f := range functions {
			for i := 1; i < len(f); i++ {
				count[int(f[i-1])<<8|int(f[i])]++
			}
		}
		best := 0
		for i, n := range count {
			if n > count[best] {
				best = i
			}
		}
		if count[best] < 2 {
			return
		}
		a, b, number := byte(best>>8), byte(best), byte(len(s.items)+len(s.pairs))
		s.pairs = append(s.pairs, [2]byte{a, b})
		for k, f := range functions {
			short := f[:0]
			for i := 0; i < len(f); i++ {
				if i+1 < len(f) && f[i] == a && f[i+1] == b {
					short = append(short, number)
					i++
				} else {
					short = append(short, f[i])
				}
			}
			functions[k] = short
		}
	}
}

// appendSymbols writes the table, with the bytes of the longest function.
func (s *symbols) appendSymbols(out []byte, longest int, firstPC int) []byte {
	out = code.AppendUnsigned(code.AppendUnsigned(code.AppendUnsigned(out, longest), firstPC), len(s.items))
	for _, it := range s.items {
		out = append(code.AppendUnsigned(out, len(it.text)), it.text...)
		out = append(out, it.act, it.arg)
	}
	out = code.AppendUnsigned(out, len(s.pairs))
	for _, p := range s.pairs {
		out = append(out, p[0], p[1])
	}
	return out
}

// appendCode writes the symbols and the functions as sections.
func appendCode(out []byte, functions []code.Function, firstPC int) []byte {
	tokens := make([][]token, len(functions))
	longest := 0
	for i, f := range functions {
		t := newTokenizer(int64(firstPC+i)<<pcBits, f.Content)
		tokens[i] = t.tokens()
		longest = max(longest, f.Size)
	}
	s, written := choose(tokens)
	out = appendSection(out, kindSymbols, s.appendSymbols(nil, longest, firstPC))
	for at := 0; at < len(functions); {
		var streams [numStreams][]byte
		first, size := at, 0
		for at < len(functions) && size < chunkBytes {
			f := &functions[at]
			streams[streamSymbols] = append(streams[streamSymbols], written[at]...)
			streams[streamLocals] = append(code.AppendUnsigned(streams[streamLocals], len(f.Locals)), f.Locals...)
			for i := range tokens[at] {
				for _, o := range tokens[at][i].operands {
					streams[o.stream] = append(streams[o.stream], o.bytes...)
				}
			}
			size += f.Size
			at++
		}
		var body []byte
		for _, n := range []int{first, at - first, size, numStreams} {
			body = code.AppendUnsigned(body, n)
		}
		for _, s := range streams {
			body = code.AppendUnsigned(body, len(s))
		}
		for _, s := range streams {
			body = append(body, s...)
		}
		out = appendSection(out, kindCode, body)
	}
	return out
}
