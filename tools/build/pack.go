package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/burstscope/burstscope/tools/build/pack"
)

// firstPC is the number of the first function of a program that is not imported
// (funcValueOffset in cmd/link/internal/wasm).
const firstPC = 0x1000

// packFile replaces a patched module by its packed form.
func packFile(file string) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tables, err := functionTables(module)
	if err != nil {
		return fmt.Errorf("packing %s: %w", file, err)
	}
	packed, err := pack.Pack(module, firstPC, tables)
	if err != nil {
		return fmt.Errorf("packing %s: %w", file, err)
	}
	return os.WriteFile(file, packed, 0o755)
}

// functionTables are the list of functions and their records in Go's table of functions
// (lines.go). Records follow each other in the order of the list.
func functionTables(module []byte) ([]pack.Table, error) {
	at := bytes.Index(module, []byte(functionTable))
	if at < 0 || len(module)-at < headBytes {
		return nil, unknownAt(len(module), "the module ends without a table of functions")
	}
	functions := binary.LittleEndian.Uint64(module[at+headFunctions:])
	list := binary.LittleEndian.Uint64(module[at+headRecords:])
	if list > uint64(len(module)-at) || functions == 0 || functions > (uint64(len(module)-at)-list)/8 {
		return nil, unknownAt(at, "a table of functions that is longer than the file")
	}
	entries := module[at+int(list):]
	first := int(binary.LittleEndian.Uint32(entries[4:]))
	return []pack.Table{
		{At: at + int(list), Rows: int(functions), Words: 2},
		{At: at + int(list) + first, Rows: int(functions), Words: recordTables / 4, Record: true},
	}, nil
}
