package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// Places in the header of the table of functions and in a record, as in lines.go.
const (
	headNames  = 32 // place of the functions' names
	recordName = 4  // where the name begins
)

// slow says which functions of a merged module are called rarely in the page. Their jumps stay as
// they are (flow), because direct ones take room: in all functions of the engine 13 kB more after brotli.
func slow(module []byte) (map[int]bool, error) {
	at := bytes.Index(module, []byte(functionTable))
	if at < 0 || len(module)-at < headBytes {
		return nil, unknownAt(len(module), "the module ends without a table of functions")
	}
	table := module[at:]
	head := func(place int) int {
		return int(min(binary.LittleEndian.Uint64(table[place:]), uint64(len(table))))
	}
	functions, names, records := head(headFunctions), head(headNames), head(headRecords)
	if functions > (len(table)-records)/8 {
		return nil, unknownAt(at, "a table of functions that is longer than the file")
	}
	list := map[int]bool{}
	for i := range functions {
		entry := table[records+8*i:]
		place := records + int(binary.LittleEndian.Uint32(entry[4:]))
		if place > len(table)-recordTables {
			return nil, unknownAt(at+records+8*i, "a function whose record is behind the end")
		}
		name := names + int(binary.LittleEndian.Uint32(table[place+recordName:]))
		if name >= len(table) {
			return nil, unknownAt(at+place, "a function whose name is behind the end")
		}
		text, _, _ := bytes.Cut(table[name:min(name+1000, len(table))], []byte{0})
		list[int(binary.LittleEndian.Uint32(entry))-firstPC] = rare(packageOf(string(text)))
	}
	return list, nil
}

// packageOf is the path of a function's package.
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "[")
	folder := strings.LastIndexByte(name, '/') + 1
	last, _, _ := strings.Cut(name[folder:], ".")
	return name[:folder] + last
}

// rare reports whether no function of a package is called in the cycles of a run. The runtime's are,
// but seldom: hot loops allocate nothing.
func rare(pkg string) bool {
	return slices.Contains(cold, pkg) || pkg == "runtime" || strings.HasPrefix(pkg, "internal/")
}
