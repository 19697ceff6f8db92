package datafile

import (
	"encoding/binary"
	"io"
)

// maxTensorHeader bounds the header text; the format's own limit is 100 MB, which
// would be a million tensors.
const maxTensorHeader = 16 << 20

func openSafeTensors(src io.ReaderAt, size int64) ([]Array, error) {
	var length [8]byte
	if err := readAt(src, length[:], 0, "the length of the header"); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	switch {
	case n > maxTensorHeader:
		return nil, faultAt(0, "a header of %d bytes: at most %d are read", n, maxTensorHeader)
	case int64(n) > size-8:
		return nil, faultAt(0, "a header of %d bytes in a file of %d: the file is cut off or has another format", n, size)
	}
	text := make([]byte, n)
	if err := readAt(src, text, 8, "the header"); err != nil {
		return nil, err
	}
	base := 8 + int64(n)
	s := scanner{text: string(text), base: 8}
	var tensors []tensor
	s.want('{')
	if s.accept('}') {
		return nil, nil
	}
	for s.err == nil {
		at := s.at
		t := tensor{name: s.jsonText()}
		s.want(':')
		if t.name == "__metadata__" {
			s.metadata()
		} else {
			t.read(&s, at, size-base)
			tensors = append(tensors, t)
		}
		if !s.accept(',') {
			s.want('}')
			break
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	extents := make([]extent, len(tensors))
	for i, t := range tensors {
		extents[i] = extent{t.begin, t.end, i}
	}
	sortExtents(extents)
	var arrays []Array
	next := int64(0)
	names := make(map[string]bool, len(tensors))
	for _, e := range extents {
		t := tensors[e.index]
		if t.begin != next {
			return nil, faultAt(base+min(t.begin, next), "tensor %q starts at byte %d of the data, and the one before ends at %d: they overlap or leave a gap", t.name, t.begin, next)
		}
		if names[t.name] {
			return nil, faultAt(t.at, "two tensors are named %q", t.name)
		}
		names[t.name] = true
		next = t.end
		arrays = append(arrays, section(src, t.name, t.t, t.shape, base+t.begin, t.end-t.begin, 0))
	}
	if next != size-base {
		return nil, faultAt(base+next, "%d bytes after the last tensor belong to no tensor", size-base-next)
	}
	return arrays, nil
}

// tensor is an entry of the header.
type tensor struct {
	name       string
	at         int64 // of the entry in the file
	t          Type
	shape      []int64
	begin, end int64 // in the data
}

var tensorTypes = [...]struct {
	name string
	t    Type
}{
	{"BOOL", Bool}, {"U8", U8}, {"I8", I8}, {"F8_E4M3", F8}, {"F8_E5M2", F8}, {"U16", U16}, {"I16", I16}, {"F16", F16}, {"BF16", BF16},
	{"U32", U32}, {"I32", I32}, {"F32", F32}, {"U64", U64}, {"I64", I64}, {"F64", F64}, {"C64", C64},
}

// read reads {"dtype": .., "shape": [..], "data_offsets": [.., ..]}.
func (t *tensor) read(s *scanner, at int, dataBytes int64) {
	t.at = s.base + int64(at)
	var offsets []int64
	typeName := ""
	s.want('{')
	for s.err == nil {
		switch key := s.jsonText(); key {
		case "dtype":
			s.want(':')
			typeName = s.jsonText()
		case "shape":
			s.want(':')
			t.shape = s.list()
		case "data_offsets":
			s.want(':')
			offsets = s.list()
		default:
			s.fail("%q in the entry of tensor %q: want dtype, shape and data_offsets", key, t.name)
		}
		if !s.accept(',') {
			s.want('}')
			break
		}
	}
	if s.err != nil {
		return
	}
	for _, k := range tensorTypes {
		if k.name == typeName {
			t.t = k.t
		}
	}
	if t.t == NoType {
		s.fail("tensor %q has elements of type %q, which this program does not read", t.name, typeName)
		return
	}
	if len(offsets) != 2 || offsets[0] > offsets[1] {
		s.fail("tensor %q lacks its start and its end", t.name)
		return
	}
	t.begin, t.end = offsets[0], offsets[1]
	if t.end > dataBytes {
		s.fail("tensor %q ends at byte %d of the data, and %d are there: the file is cut off", t.name, t.end, dataBytes)
		return
	}
	n, ok := count(t.shape, dataBytes/int64(t.t.Bytes()))
	if !ok || n*int64(t.t.Bytes()) != t.end-t.begin {
		s.fail("tensor %q has %d bytes, but its shape needs another number", t.name, t.end-t.begin)
	}
}

// maxList bounds shapes.
const maxList = 64

// list reads [1, 2, ..].
func (s *scanner) list() []int64 {
	var list []int64
	s.want('[')
	for s.err == nil && !s.accept(']') {
		if len(list) == maxList {
			s.fail("a list of more than %d numbers in the header", maxList)
			break
		}
		list = append(list, s.number())
		if !s.accept(',') {
			s.want(']')
			break
		}
	}
	return list
}

// metadata passes over {"key": "value", ..}.
func (s *scanner) metadata() {
	s.want('{')
	if s.accept('}') {
		return
	}
	for s.err == nil {
		s.jsonText()
		s.want(':')
		s.passText()
		if !s.accept(',') {
			s.want('}')
			return
		}
	}
}

// passText passes over a string of any length.
func (s *scanner) passText() {
	if !s.accept('"') {
		s.fail("want a text in quotes in the header")
		return
	}
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '"':
			s.at++
			return
		case '\\':
			s.at++
		}
	}
	s.fail("the header ends inside a text")
}
