package wasmlink

import (
	"fmt"

	"github.com/burstscope/burstscope/tools/wasmlink/pack"
)

// firstPC is the number of the first function of a program that is not imported
// (funcValueOffset in cmd/link/internal/wasm).
const firstPC = 0x1000

// packedModule is the packed form of a patched module.
func packedModule(module []byte) ([]byte, error) {
	tables, err := rows(module)
	if err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	packed, err := pack.Pack(module, firstPC, tables)
	if err != nil {
		return nil, fmt.Errorf("%w: packing: %w", ErrUnknown, err)
	}
	return packed, nil
}

// rows are the list of functions and their records in Go's table of functions (table.go). Records
// follow each other in the order of the list.
func rows(module []byte) ([]pack.Table, error) {
	t, err := readTable(module)
	if err != nil {
		return nil, err
	}
	_, first, err := t.record(0)
	if err != nil {
		return nil, err
	}
	return []pack.Table{
		{At: t.at + t.records, Rows: t.functions, Words: 2},
		{At: t.at + first, Rows: t.functions, Words: recordTables / 4, Record: true},
	}, nil
}
