package pack

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// Words of a row are written as differences to the same word of the row before, each word in
// a stream of its own. Two values stand for "none" in Go's tables: they get codes of their own, and
// the next difference is taken to the last word that is neither of them.
const (
	codeZero = iota
	codeOnes
	codeDifference // and above
)

const (
	none     = 0
	noneOnes = 1<<32 - 1
)

// Places of the numbers of further words in a record.
const (
	wordMore    = 7
	wordMoreTop = 10 // its upper byte
)

func readRows(module []byte, t Table) (rows [][]uint32, end int, err error) {
	at := t.At
	for range t.Rows {
		words := t.Words
		if t.Record {
			if len(module)-at < 4*words || words <= wordMoreTop {
				return nil, 0, code.Unknown(at, "a record that is longer than the file")
			}
			more := binary.LittleEndian.Uint32(module[at+4*wordMore:])
			words += int(min(more, 1<<16)) + int(module[at+4*wordMoreTop+3])
			words += words % 2
		}
		if len(module)-at < 4*words {
			return nil, 0, code.Unknown(at, "a table of words that is longer than the file")
		}
		row := make([]uint32, words)
		for i := range row {
			row[i] = binary.LittleEndian.Uint32(module[at+4*i:])
		}
		rows = append(rows, row)
		at += 4 * words
	}
	return rows, at, nil
}

// appendRows writes a table. A difference of exactly half of all values would not fit 32 bits
// as it is written; modules are far smaller.
func appendRows(out []byte, t Table, rows [][]uint32) ([]byte, error) {
	record, most, total := 0, t.Words, 0
	if t.Record {
		record = 1
	}
	for _, row := range rows {
		most = max(most, len(row))
		total += len(row)
	}
	streams, last := make([][]byte, most), make([]uint32, most)
	for _, row := range rows {
		for i, w := range row {
			switch w {
			case none:
				streams[i] = append(streams[i], codeZero)
			case noneOnes:
				streams[i] = append(streams[i], codeOnes)
			default:
				d := int32(w - last[i])
				distance := codeDifference + uint64(uint32(d<<1^d>>31))
				if distance>>32 != 0 {
					return nil, code.Unknown(t.At, "words that are too far from each other")
				}
				streams[i] = binary.AppendUvarint(streams[i], distance)
				last[i] = w
			}
		}
	}
	for _, n := range []int{len(rows), t.Words, record, total, most} {
		out = code.AppendUnsigned(out, n)
	}
	for _, s := range streams {
		out = code.AppendUnsigned(out, len(s))
	}
	for _, s := range streams {
		out = append(out, s...)
	}
	return out, nil
}
