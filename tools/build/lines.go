package main

import (
	"bytes"
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

// functionTable is how the table begins (internal/abi.CurrentPCLnTabMagic, two zeros, the
// size of the shortest instruction and that of a pointer). Seven numbers of eight bytes follow.
const functionTable = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// Places in the table's header (runtime.pcHeader) and in the record of a function
// (runtime._func), in bytes.
const (
	headFunctions = 8  // number of functions
	headUnits     = 40 // place of the numbers of files, followed by their names
	headTables    = 56 // place of the tables by instruction
	headRecords   = 64 // place of the list of records
	headBytes     = 72

	recordEntry  = 0
	recordStack  = 16 // table of the stack's depth
	recordFile   = 20 // table of files
	recordLine   = 24 // table of lines
	recordCount  = 28 // number of further tables
	recordUnit   = 32 // where the numbers of its files begin
	recordStart  = 36 // its first line
	recordTables = 44 // further tables
)

// dropLines clears the files and lines in the table of functions of a merged module.
func dropLines(module []byte) error {
	at := bytes.Index(module, []byte(functionTable))
	if at < 0 || len(module)-at < headBytes {
		return unknownAt(len(module), "the module ends without a table of functions")
	}
	table := module[at:]
	head := func(place int) int {
		return int(min(binary.LittleEndian.Uint64(table[place:]), uint64(len(table))))
	}
	functions, units, tables, records := head(headFunctions), head(headUnits), head(headTables), head(headRecords)
	if functions == 0 || units < headBytes || tables < units || records < tables || functions > (len(table)-records)/8 {
		return unknownAt(at, "a table of functions whose parts are not in order")
	}
	kept := make([]bool, records-tables)
	for i := range functions {
		entry := table[records+8*i:]
		place := records + int(binary.LittleEndian.Uint32(entry[4:]))
		if place > len(table)-recordTables {
			return unknownAt(at+records+8*i, "a function whose record is behind the end")
		}
		record := table[place:]
		count := int(binary.LittleEndian.Uint32(record[recordCount:]))
		if !bytes.Equal(record[recordEntry:4], entry[:4]) || count > (len(record)-recordTables)/4 {
			return unknownAt(at+place, "a function's record in another form")
		}
		used := record[recordTables:][:4*count]
		for _, number := range append([][]byte{record[recordStack : recordStack+4]}, slices.Collect(slices.Chunk(used, 4))...) {
			from := int(binary.LittleEndian.Uint32(number))
			if from == 0 {
				continue // no table
			}
			if !keepTable(table[tables:records], kept, from) {
				return unknownAt(at+place, "a function whose table by instruction has no end")
			}
		}
		clear(record[recordFile:recordCount])
		clear(record[recordUnit : recordStart+4])
	}
	for i, keep := range kept {
		if !keep {
			table[tables+i] = 0
		}
	}
	clear(table[units:tables])
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
