package wasmlink

import (
	"encoding/binary"
	"strings"
)

// slow says which functions of a merged module are of packages that are called rarely. Their jumps stay as
// they are (flow), because direct ones take room: in all functions of the engine 13 kB more after brotli.
func slow(module []byte, rare func(pkg string) bool) (map[int]bool, error) {
	t, err := readTable(module)
	if err != nil {
		return nil, err
	}
	list := map[int]bool{}
	for i := range t.functions {
		record, place, err := t.record(i)
		if err != nil {
			return nil, err
		}
		from, length, err := t.name(record, place)
		if err != nil {
			return nil, err
		}
		list[int(binary.LittleEndian.Uint32(record[recordEntry:]))-firstPC] = rare(packageOf(string(t.bytes[t.names+from:][:length])))
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
