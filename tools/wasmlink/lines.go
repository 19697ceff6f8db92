package wasmlink

import (
	"encoding/binary"
	"slices"
)

// The linker writes a table of functions for Go's runtime: for each function its name,
// what the stack holds at each instruction, and the file and line of each instruction.
// Only the trace of a crash and runtime.Caller read files and lines. They are a twelfth
// of the engine after brotli, and the page shows neither. dropLines removes them: traces
// still name functions and the offset in each, and say "?:0" for its file and line. A
// build without the patch finds the line of such an offset. With Go 1.26.8 and brotli the
// engine takes 1,409 kB instead of 1,543 kB, and the view 1,806 kB instead of 1,995 kB.

// dropLines clears the files and lines in the table of functions of a merged module.
func dropLines(module []byte) error {
	t, err := readTable(module)
	if err != nil {
		return err
	}
	tables := t.bytes[t.tables:t.records]
	kept := make([]bool, len(tables))
	for i := range t.functions {
		record, place, err := t.record(i)
		if err != nil {
			return err
		}
		used := record[recordTables:][:4*binary.LittleEndian.Uint32(record[recordCount:])]
		for _, number := range append([][]byte{record[recordStack : recordStack+4]}, slices.Collect(slices.Chunk(used, 4))...) {
			from := int(binary.LittleEndian.Uint32(number))
			if from == 0 {
				continue // no table
			}
			if !keepTable(tables, kept, from) {
				return unknownAt(t.at+place, "a function whose table by instruction has no end")
			}
		}
		clear(record[recordFile:recordCount])
		clear(record[recordUnit : recordStart+4])
	}
	for i, keep := range kept {
		if !keep {
			tables[i] = 0
		}
	}
	clear(t.bytes[t.units:t.tables])
	return nil
}

// keepTable marks the bytes of a table by instruction: pairs of variable-length numbers up
// to a zero that is not the first number (runtime.step).
func keepTable(tables []byte, kept []bool, from int) bool {
	for at := from; at < len(tables); {
		if tables[at] == 0 && at > from {
			kept[at] = true
			return true
		}
		for range 2 {
			_, n := binary.Uvarint(tables[at:])
			if n <= 0 {
				return false
			}
			for ; n > 0; n-- {
				kept[at] = true
				at++
			}
		}
	}
	return false
}
