package datafile

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"strings"
)

const (
	// maxTensorHeader bounds the header text (huggingface/safetensors, MAX_HEADER_SIZE in
	// safetensors/src/tensor.rs).
	maxTensorHeader = 100_000_000
	// maxMetadataKeys bounds the names that are kept to find two that are equal [ours].
	maxMetadataKeys = 1 << 16
	// metadataKey is the one key of a header that names no tensor.
	metadataKey = "__metadata__"
)

// openSafeTensors follows the rules of the format (huggingface/safetensors, README.md,
// "Format"): tensors fill the data without gaps and do not overlap, names differ, and only
// blanks follow the header's JSON. Like the format's own reader it takes blanks before the
// first brace too.
func openSafeTensors(src io.ReaderAt, size int64) ([]Array, error) {
	var length [8]byte
	if err := readAt(src, length[:], 0, "the length of the header"); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	switch {
	case n > maxTensorHeader && printable(length[:]):
		return nil, faultAt(0, "the file begins with the text %q, where the length of the header belongs: it has another format", length)
	case n > maxTensorHeader:
		return nil, faultAt(0, "a header of %d bytes: at most %d are read; the file has another format or is damaged", n,
			maxTensorHeader)
	case int64(n) > size-8:
		return nil, faultAt(0, "a header of %d bytes in a file of %d: the file is cut off or has another format", n, size)
	}
	base := 8 + int64(n)
	s := scanJSON(src, 8, base, "header")
	h := tensorHeader{s: s, src: src, base: base, dataBytes: size - base}
	s.entries(h.entry)
	s.end()
	if s.err != nil {
		return nil, s.err
	}
	return h.arrays()
}

// tensorHeader collects the tensors of a header.
type tensorHeader struct {
	s         *scanner
	src       io.ReaderAt
	base      int64 // of the data in the file
	dataBytes int64
	list      []Array
	at        []int64 // of each entry in the file
	metadata  bool
	unknown   map[string]string // types without an own reading: equal ones share a string
}

// tensorTypes are the types of the format (huggingface/safetensors, Dtype in
// safetensors/src/tensor.rs). Those that no codec or kernel here can take apart, such as
// two numbers in a byte, are counted as bytes.
var tensorTypes = [...]struct {
	name string
	t    Type
	bits int64 // of an element that is counted as bytes
}{
	{"BOOL", Bool, 0}, {"U8", U8, 0}, {"I8", I8, 0}, {"F8_E4M3", F8, 0}, {"F8_E5M2", F8, 0},
	{"U16", U16, 0}, {"I16", I16, 0}, {"F16", F16, 0}, {"BF16", BF16, 0},
	{"U32", U32, 0}, {"I32", I32, 0}, {"F32", F32, 0}, {"U64", U64, 0}, {"I64", I64, 0}, {"F64", F64, 0}, {"C64", C64, 0},
	{"F4", U8, 4}, {"F6_E2M3", U8, 6}, {"F6_E3M2", U8, 6}, {"F8_E8M0", U8, 8},
	{"F8_E4M3FNUZ", U8, 8}, {"F8_E5M2FNUZ", U8, 8},
}

// entry reads the value of a key of the header.
func (h *tensorHeader) entry(name string, at int64) {
	if name != metadataKey {
		h.tensor(name, at)
		return
	}
	if h.metadata {
		h.s.failAt(at, "%q twice in the header", metadataKey)
	}
	h.metadata = true
	seen := map[string]bool{}
	h.s.entries(func(key string, at int64) {
		switch {
		case seen[key]:
			h.s.failAt(at, "%.40q twice in %s", key, metadataKey)
		case len(seen) == maxMetadataKeys:
			h.s.failAt(at, "more than %d texts in %s", maxMetadataKeys, metadataKey)
		}
		seen[key] = true
		h.s.passText()
	})
}

// tensorKeys are the keys of an entry of the header.
var tensorKeys = [...]string{"dtype", "shape", "data_offsets"}

// tensor reads {"dtype": .., "shape": [..], "data_offsets": [.., ..]}.
func (h *tensorHeader) tensor(name string, at int64) {
	s := h.s
	var typeName string
	var shape, offsets []int64
	var seen [len(tensorKeys)]bool
	s.entries(func(key string, at int64) {
		if i := slices.Index(tensorKeys[:], key); i >= 0 {
			if seen[i] {
				s.failAt(at, "%s twice in the entry of tensor %.40q", key, name)
			}
			seen[i] = true
		}
		switch key {
		case "dtype":
			typeName = s.jsonText()
		case "shape":
			shape = s.list()
		case "data_offsets":
			offsets = s.list()
		default:
			s.failAt(at, "%.40q in the entry of tensor %.40q: want dtype, shape and data_offsets", key, name)
		}
	})
	switch {
	case s.err != nil:
		return
	case len(offsets) != 2 || offsets[0] > offsets[1]:
		s.fail("tensor %.40q lacks its start and its end", name)
		return
	case typeName == "" || !seen[1]:
		s.fail("tensor %.40q lacks its type or its shape", name)
		return
	case offsets[1] > h.dataBytes:
		s.fail("tensor %.40q ends at byte %d of the data, and %d are there: the file is cut off", name, offsets[1],
			h.dataBytes)
		return
	}
	bytes := offsets[1] - offsets[0]
	t, counted := h.typeOf(name, typeName, shape, bytes)
	a := section(h.src, name, t, shape, h.base+offsets[0], bytes, 0)
	a.Counted = counted
	h.list, h.at = append(h.list, a), append(h.at, at)
}

// typeOf returns a type by its name, and the name if the elements are counted as bytes. It
// checks that the shape needs the bytes that the tensor has; a type that is unknown here
// says nothing about them.
func (h *tensorHeader) typeOf(tensor, name string, shape []int64, bytes int64) (t Type, counted string) {
	for _, k := range tensorTypes {
		if k.name != name {
			continue
		}
		bits := 8 * int64(k.t.Bytes())
		if k.bits > 0 {
			bits, counted = k.bits, k.name
		}
		if elements, ok := count(shape, 8*h.dataBytes/bits); !ok || elements*bits != 8*bytes {
			h.s.fail("tensor %.40q has %d bytes, but its shape needs another number", tensor, bytes)
		}
		return k.t, counted
	}
	if h.unknown == nil {
		h.unknown = map[string]string{}
	}
	if _, ok := h.unknown[name]; !ok {
		h.unknown[name] = name
	}
	return U8, h.unknown[name]
}

// arrays returns the tensors in the order of their data.
func (h *tensorHeader) arrays() ([]Array, error) {
	order := make([]int32, len(h.list)) // by name
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(h.list[a].Name, h.list[b].Name) })
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1], order[i]; h.list[a].Name == h.list[b].Name {
			return nil, faultAt(max(h.at[a], h.at[b]), "two tensors are named %.40q", h.list[a].Name)
		}
	}
	// No two are equal here. The engine is 1 kB smaller than with SortFunc, which is made anew for each type.
	slices.SortStableFunc(h.list, func(a, b Array) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.Bytes, b.Bytes), strings.Compare(a.Name, b.Name))
	})
	next := h.base
	for i := range h.list {
		a := &h.list[i]
		if a.offset != next {
			return nil, faultAt(min(a.offset, next),
				"tensor %.40q starts at byte %d of the data, and the one before ends at %d: they overlap or leave a gap",
				a.Name, a.offset-h.base, next-h.base)
		}
		next += a.Bytes
	}
	if end := h.base + h.dataBytes; next != end {
		return nil, faultAt(next, "%d bytes after the last tensor belong to no tensor", end-next)
	}
	return h.list, nil
}
