package wasmlink

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// For each instruction the linker also writes which inlined functions it is part of, which
// arguments its function still has, and whether a signal may stop the program there. WebAssembly
// has no such signals (runtime.preemptMSupported), and only the trace of a crash and
// runtime.Callers read the others. dropInlined removes them: traces then name the functions that were
// called, without those inlined into them and without arguments.

// Numbers of tables by instruction and of data of a function (internal/abi).
var (
	droppedTables = []int{0, 2, 3}                          // PCDATA_UnsafePoint, PCDATA_InlTreeIndex, PCDATA_ArgLiveIndex
	droppedData   = []int{dataInlined, dataArguments, 6, 7} // and FUNCDATA_ArgLiveInfo, FUNCDATA_WrapInfo, which is for tracing
)

const (
	dataInlined   = 3 // FUNCDATA_InlTree
	dataArguments = 5 // FUNCDATA_ArgInfo
	tableInlined  = 2 // PCDATA_InlTreeIndex

	inlinedBytes = 16        // runtime.inlinedCall
	argumentsEnd = 0xff      // internal/abi.TraceArgsEndSeq
	noData       = 1<<32 - 1 // runtime.funcdata
)

// dropInlined clears what only traces need in the table of functions of a merged module, except files and
// lines (lines.go).
func dropInlined(module []byte) error {
	t, err := readTable(module)
	if err != nil {
		return err
	}
	data, err := t.data(module)
	if err != nil {
		return err
	}
	kept := make([]bool, t.units-t.names) // of the names' bytes
	needed := map[uint32]bool{}           // places of data that stay
	var places []uint32                   // of all
	lengths := map[uint32]int{}           // of data that go
	for i := range t.functions {
		record, place, err := t.record(i)
		if err != nil {
			return err
		}
		count, more := int(binary.LittleEndian.Uint32(record[recordCount:])), int(record[recordData])
		name, length, err := t.name(record, place)
		if err != nil {
			return err
		}
		for k := range length {
			kept[name+k] = true
		}
		inlined := 0
		if count > tableInlined {
			inlined = highest(t.bytes[t.tables:t.records], int(binary.LittleEndian.Uint32(record[recordTables+4*tableInlined:]))) + 1
		}
		for _, k := range droppedTables {
			if k < count {
				clear(record[recordTables+4*k:][:4])
			}
		}
		for k := range more {
			word := record[recordTables+4*(count+k):][:4]
			to := binary.LittleEndian.Uint32(word)
			if to == noData {
				continue
			}
			places = append(places, to)
			if !slices.Contains(droppedData, k) {
				needed[to] = true
				continue
			}
			binary.LittleEndian.PutUint32(word, noData)
			if int(to) >= len(data) {
				continue
			}
			switch k {
			case dataInlined:
				if inlined > 0 && (int(to) > len(data)-inlinedBytes || binary.LittleEndian.Uint32(data[to+4:]) >= uint32(len(kept))) {
					return unknownAt(t.at+place, "a function whose inlined calls have no names")
				}
				lengths[to] = max(lengths[to], inlinedBytes*inlined)
			case dataArguments:
				lengths[to] = max(lengths[to], bytes.IndexByte(data[to:], argumentsEnd)+1)
			}
		}
	}
	for k, keep := range kept {
		if !keep {
			t.bytes[t.names+k] = 0
		}
	}
	// Data of functions follow each other; what one says about its length never touches the next.
	slices.Sort(places)
	for from, length := range lengths {
		if needed[from] {
			continue
		}
		next, _ := slices.BinarySearch(places, from+1)
		end := int(from) + length
		if next < len(places) {
			end = min(end, int(places[next]))
		}
		clear(data[from:min(end, len(data))])
	}
	return nil
}

// highest is the highest value of a table by instruction, -1 if there is none (runtime.step).
func highest(tables []byte, at int) int {
	value, most := -1, -1
	for first := true; at > 0 && at < len(tables); first = false {
		d, n := binary.Uvarint(tables[at:])
		if n <= 0 || d == 0 && !first {
			break
		}
		value += int(int32(uint32(d)>>1) ^ -int32(d&1))
		most = max(most, value)
		at += n
		if _, n = binary.Uvarint(tables[at:]); n <= 0 {
			break
		}
		at += n
	}
	return most
}

// dataOf are the data segments of a module.
func dataOf(module []byte) ([]segment, error) {
	for at := wasmHeaderBytes; at < len(module); {
		size, n := binary.Uvarint(module[at+1:])
		body := at + 1 + n
		if n <= 0 || size > uint64(len(module)-body) {
			return nil, unknownAt(at, "a section that is longer than the file")
		}
		if module[at] == sectionData {
			return readSegments(module[:body+int(size)], body)
		}
		at = body + int(size)
	}
	return nil, unknownAt(len(module), "the module ends without data")
}
