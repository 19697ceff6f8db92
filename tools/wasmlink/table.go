package wasmlink

import (
	"bytes"
	"encoding/binary"
)

// The linker writes a table of functions for Go's runtime (package cmd/link/internal/ld): a header, the functions'
// names, the numbers and names of files, tables by instruction, a list of functions, and a record of each.

// tableMagic is how the table begins (internal/abi.CurrentPCLnTabMagic, two zeros, the
// size of the shortest instruction and that of a pointer). Eight numbers of eight bytes follow.
const tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// Places in the table's header (runtime.pcHeader) and in the record of a function
// (runtime._func), in bytes.
const (
	headFunctions = 8  // number of functions
	headNames     = 32 // place of the functions' names
	headUnits     = 40 // place of the numbers of files
	headFiles     = 48 // place of the files' names
	headTables    = 56 // place of the tables by instruction
	headRecords   = 64 // place of the list of records
	headBytes     = 72

	recordEntry  = 0
	recordName   = 4  // where its name begins
	recordStack  = 16 // table of the stack's depth
	recordFile   = 20 // table of files
	recordLine   = 24 // table of lines
	recordCount  = 28 // number of further tables
	recordUnit   = 32 // where the numbers of its files begin
	recordStart  = 36 // its first line
	recordData   = 43 // number of data, a byte
	recordTables = 44 // further tables, followed by places of data
)

// functionTable is the table of functions in a module.
type functionTable struct {
	at        int    // in the module
	bytes     []byte // from there to the end of the module
	functions int
	// Where the parts begin.
	names, units, files, tables, records int
}

// readTable finds the table of functions of a merged module.
func readTable(module []byte) (*functionTable, error) {
	at := bytes.Index(module, []byte(tableMagic))
	if at < 0 || len(module)-at < headBytes {
		return nil, unknownAt(len(module), "the module ends without a table of functions")
	}
	t := &functionTable{at: at, bytes: module[at:]}
	head := func(place int) int {
		return int(min(binary.LittleEndian.Uint64(t.bytes[place:]), uint64(len(t.bytes))))
	}
	t.functions, t.names, t.units = head(headFunctions), head(headNames), head(headUnits)
	t.files, t.tables, t.records = head(headFiles), head(headTables), head(headRecords)
	if t.functions == 0 || t.names < headBytes || t.units < t.names || t.files < t.units || t.tables < t.files || t.records < t.tables ||
		t.functions > (len(t.bytes)-t.records)/8 {
		return nil, unknownAt(at, "a table of functions whose parts are not in order")
	}
	return t, nil
}

// record is the record of function i and what follows it, and its place in the table.
func (t *functionTable) record(i int) (record []byte, place int, err error) {
	entry := t.bytes[t.records+8*i:]
	place = t.records + int(binary.LittleEndian.Uint32(entry[4:]))
	if place > len(t.bytes)-recordTables {
		return nil, 0, unknownAt(t.at+t.records+8*i, "a function whose record is beyond the end")
	}
	record = t.bytes[place:]
	count, data := int(binary.LittleEndian.Uint32(record[recordCount:])), int(record[recordData])
	if !bytes.Equal(record[recordEntry:4], entry[:4]) || count > (len(record)-recordTables)/4-data {
		return nil, 0, unknownAt(t.at+place, "a function's record in another form")
	}
	return record, place, nil
}

// name is where the name of a record begins and how long it is, in the names.
func (t *functionTable) name(record []byte, place int) (from, length int, err error) {
	from, length = int(binary.LittleEndian.Uint32(record[recordName:])), -1
	if from < t.units-t.names {
		length = bytes.IndexByte(t.bytes[t.names+from:t.units], 0)
	}
	if length < 0 {
		return 0, 0, unknownAt(t.at+place, "a function whose name is beyond the end")
	}
	return from, length, nil
}

// Words of the runtime's description of a program (runtime.moduledata) that say where the parts of the table
// are: each is a slice of three words. They are the same in all known versions.
const (
	wordNames   = 1
	wordUnits   = 4
	wordFiles   = 7
	wordTables  = 10
	wordRecords = 13
	wordList    = 16 // of functions, one more than there are
)

// wordsToData are the places of runtime.moduledata.gofunc, the address to which places of data are relative, in words.
// In front of it lies the address of constants, after it the one where the section of the table ends.
var wordsToData = []int{
	40, // Go 1.26
	43, // Go 1.27, which describes types and interfaces in front of it
}

// dataAlign is more than data of functions are aligned to; they follow the records.
const dataAlign = 64

// data is the data of functions and what follows it in its segment. The runtime's description of the
// program names its address. The description begins with the address of the table of functions, whose lower
// bytes may be zeros that no segment holds, followed by the names as a slice.
func (t *functionTable) data(module []byte) ([]byte, error) {
	segments, err := dataOf(module)
	if err != nil {
		return nil, err
	}
	var base uint64
	for _, s := range segments {
		if from := bytes.Index(s.data, []byte(tableMagic)); from >= 0 && base == 0 {
			base = uint64(s.address) + uint64(from)
		}
	}
	names := binary.LittleEndian.AppendUint64(nil, base+uint64(t.names))
	for _, s := range segments {
		for at := 0; ; at++ {
			found := bytes.Index(s.data[at:], names)
			if found < 0 {
				break
			}
			at += found
			from, ok := t.dataAddress(s.data[at:], base)
			if !ok {
				continue
			}
			for _, d := range segments {
				if from >= uint64(d.address) && from < uint64(d.end()) {
					return d.data[from-uint64(d.address):], nil
				}
			}
		}
	}
	return nil, unknownAt(t.at, "a table of functions that the program does not describe in a known form")
}

// dataAddress reads the address of functions' data from a description of the program, which begins with its
// word wordNames. It is not ok unless every part of the table is where the description says, and exactly
// one of the known forms fits.
func (t *functionTable) dataAddress(description []byte, base uint64) (address uint64, ok bool) {
	word := func(n int) uint64 {
		if at := 8 * (n - wordNames); at <= len(description)-8 {
			return binary.LittleEndian.Uint64(description[at:])
		}
		return 0
	}
	for _, part := range []struct{ word, place int }{
		{wordNames, t.names}, {wordUnits, t.units}, {wordFiles, t.files}, {wordTables, t.tables}, {wordRecords, t.records}, {wordList, t.records},
	} {
		if word(part.word) != base+uint64(part.place) || word(part.word+1) != word(part.word+2) {
			return 0, false
		}
	}
	if word(wordList+1) != uint64(t.functions)+1 {
		return 0, false
	}
	end := base + uint64(t.records) + word(wordRecords+1)
	fits := 0
	for _, n := range wordsToData {
		constants, data, sectionEnd := word(n-1), word(n), word(n+1)
		if constants != 0 && constants <= base && data >= end && data < end+dataAlign && sectionEnd > data {
			address = data
			fits++
		}
	}
	return address, fits == 1
}
