package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
)

// mergeGapBytes is the widest run of zeros that joins two data segments. The
// linker cuts its data at every run of eight zeros, and the address of each
// segment is a number of its own: the runtime's table of functions alone becomes
// some 80,000 segments of two bytes. In one piece they are 850 kB more before
// compression and 90 kB less after it; wider gaps bring nothing.
const mergeGapBytes = 256

// Section and opcode numbers of the WebAssembly core specification.
const (
	wasmHeaderBytes = 8
	sectionData     = 11
	opI32Const      = 0x41
	opEnd           = 0x0b
)

var errWasm = errors.New("not a WebAssembly module as the Go linker writes them")

// mergeSegmentsFile merges the data segments of a module in place.
func mergeSegmentsFile(file string) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	merged, err := mergeSegments(module)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, merged, 0o755)
}

// mergeSegments returns the module with data segments joined whose gap is at most
// mergeGapBytes. Memory is zero before the segments are copied into it, so writing
// the zeros between two of them changes nothing.
func mergeSegments(module []byte) ([]byte, error) {
	if len(module) < wasmHeaderBytes || string(module[:4]) != "\x00asm" {
		return nil, errWasm
	}
	out := slices.Clone(module[:wasmHeaderBytes])
	for rest := module[wasmHeaderBytes:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, errWasm
		}
		end := 1 + n + int(size)
		if rest[0] == sectionData {
			segments, err := readSegments(rest[1+n : end])
			if err != nil {
				return nil, err
			}
			body := appendSegments(nil, joined(segments))
			out = append(binary.AppendUvarint(append(out, sectionData), uint64(len(body))), body...)
		} else {
			out = append(out, rest[:end]...)
		}
		rest = rest[end:]
	}
	return out, nil
}

// segment is what is copied to an address of memory 0.
type segment struct {
	address int64
	data    []byte
}

func (s *segment) end() int64 { return s.address + int64(len(s.data)) }

// readSegments reads a data section whose segments are all active ones of memory 0
// at constant addresses.
func readSegments(body []byte) ([]segment, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 {
		return nil, errWasm
	}
	body = body[n:]
	var segments []segment
	for range count {
		if len(body) < 3 || body[0] != 0 || body[1] != opI32Const {
			return nil, errWasm
		}
		address, n := signed(body[2:])
		if n <= 0 || len(body) < 3+n || body[2+n] != opEnd {
			return nil, errWasm
		}
		body = body[3+n:]
		size, n := binary.Uvarint(body)
		if n <= 0 || size > uint64(len(body)-n) {
			return nil, errWasm
		}
		segments = append(segments, segment{address, body[n : n+int(size)]})
		body = body[n+int(size):]
	}
	if len(body) > 0 {
		return nil, errWasm
	}
	return segments, nil
}

// joined keeps the order: where segments are not in ascending order, or overlap,
// they stay apart.
func joined(segments []segment) []segment {
	var out []segment
	for _, s := range segments {
		if len(out) > 0 {
			last := &out[len(out)-1]
			if gap := s.address - last.end(); gap >= 0 && gap <= mergeGapBytes {
				last.data = append(append(last.data, make([]byte, gap)...), s.data...)
				continue
			}
		}
		out = append(out, segment{s.address, slices.Clone(s.data)})
	}
	return out
}

func appendSegments(body []byte, segments []segment) []byte {
	body = binary.AppendUvarint(body, uint64(len(segments)))
	for _, s := range segments {
		body = appendSigned(append(body, 0, opI32Const), s.address)
		body = append(binary.AppendUvarint(append(body, opEnd), uint64(len(s.data))), s.data...)
	}
	return body
}

// signed reads a signed LEB128 number and returns how many bytes it takes, 0 if
// there is none.
func signed(b []byte) (v int64, n int) {
	var shift uint
	for i, c := range b {
		if i == 5 {
			break // more than an i32 takes
		}
		v |= int64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if c&0x40 != 0 {
				v -= 1 << shift
			}
			return v, i + 1
		}
	}
	return 0, 0
}

func appendSigned(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
