// Package pack writes a WebAssembly module of Go's linker in a form that compresses a
// third better. site/src/lib/unpack.ts restores it, byte for byte, while it is loaded.
//
// A packed program is a WebAssembly module itself, of custom sections only, so that servers
// send it with the type of one and compress it. Each section is named "packed" and begins
// with its kind:
//
//	plain    bytes of the module
//	symbols  the symbols of code, for all sections of functions that follow
//	code     functions
//	words    a table of words of four bytes
//
// What they hold, in their order, is the module. General compressors see code as bytes;
// here each kind of operand has a stream of its own, what follows from other parts of the
// function is left out (resume addresses, frame sizes, the table of resume points), and
// instructions that often follow each other are one symbol.
package pack

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// Name is the name of the custom sections.
const Name = "packed"

// Kinds of sections.
const (
	kindPlain = iota
	kindSymbols
	kindCode
	kindWords
)

const (
	sectionCode = 10
	// chunkBytes is about how much code one section restores: the browser compiles it while
	// the next one is loaded.
	chunkBytes = 1 << 20
)

// Table is where a module holds rows of words of four bytes, one after the other.
type Table struct {
	At, Rows int
	Words    int // of a row
	// Record is whether a row has more words than these: as a record of Go's table of
	// functions, as many as word 7 and the last byte of word 10 say, to an even number.
	Record bool
}

// Pack returns the packed form of module. firstPC is the number that Go's linker gives to the
// first function that is not imported; an address in it is that number above a resume point.
// The tables follow the code in ascending order and do not overlap.
func Pack(module []byte, firstPC int, tables []Table) ([]byte, error) {
	if len(module) < len(code.Header) || string(module[:len(code.Header)]) != code.Header {
		return nil, code.Unknown(0, "the file does not begin like a WebAssembly module")
	}
	out := []byte(code.Header)
	done := len(code.Header) // bytes of the module in out
	plain := func(to int) {
		if to > done {
			out = appendSection(out, kindPlain, module[done:to])
			done = to
		}
	}
	for at := len(code.Header); at < len(module); {
		kind := module[at]
		size, n := binary.Uvarint(module[at+1:])
		body := at + 1 + n
		if n <= 0 || size > uint64(len(module)-body) {
			return nil, code.Unknown(at, "a section that is longer than the file")
		}
		end := body + int(size)
		if kind == sectionCode {
			functions, first, err := code.Read(module[:end], body)
			if err != nil {
				return nil, err
			}
			plain(first)
			out = appendCode(out, functions, firstPC)
			done = end
		}
		at = end
	}
	for _, t := range tables {
		if t.At < done || t.Rows <= 0 {
			return nil, code.Unknown(t.At, "a table of words before the end of the code")
		}
		rows, end, err := readRows(module, t)
		if err != nil {
			return nil, err
		}
		packed, err := appendRows(nil, t, rows)
		if err != nil {
			return nil, err
		}
		plain(t.At)
		out = appendSection(out, kindWords, packed)
		done = end
	}
	plain(len(module))
	return out, nil
}

func appendSection(out []byte, kind byte, body []byte) []byte {
	out = append(out, 0)
	out = code.AppendUnsigned(out, 1+len(Name)+1+len(body))
	out = append(append(out, byte(len(Name))), Name...)
	return append(append(out, kind), body...)
}
