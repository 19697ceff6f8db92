package plugin

import "fmt"

// reader reads the binary format of WebAssembly. The first fault ends it: later reads return
// zeros.
type reader struct {
	b   []byte
	at  int // in the module
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d: %s", r.at, fmt.Sprintf(format, args...))
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("the module ends too early")
		return 0
	}
	v := r.b[0]
	r.b, r.at = r.b[1:], r.at+1
	return v
}

// take returns the next n bytes as they stand.
func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.fail("%d bytes are announced, %d are left", n, len(r.b))
		return nil
	}
	b := r.b[:n]
	r.b, r.at = r.b[n:], r.at+n
	return b
}

// number reads an unsigned LEB128 number of 32 bits.
func (r *reader) number() int {
	v := uint64(0)
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		v |= uint64(b&127) << shift
		if b < 128 {
			if v >= 1<<32 {
				r.fail("a number has more than 32 bits")
				return 0
			}
			return int(v)
		}
	}
	r.fail("a number has more than five bytes")
	return 0
}

// signed skips a signed LEB128 number of at most so many bits.
func (r *reader) signed(bits int) {
	for shift := 0; shift < bits; shift += 7 {
		if r.byte() < 128 {
			return
		}
	}
	r.fail("a number has more than %d bits", bits)
}

// count reads the length of a list whose elements have at least one byte each.
func (r *reader) count(what string) int {
	n := r.number()
	if n > len(r.b) {
		r.fail("%d %s are announced, %d bytes are left", n, what, len(r.b))
		return 0
	}
	return n
}

func (r *reader) name() string { return string(r.take(r.number())) }

// appendNumber appends an unsigned LEB128 number.
//
//go:noinline
func appendNumber(b []byte, v int) []byte {
	for ; v >= 128; v >>= 7 {
		b = append(b, byte(v)|128)
	}
	return append(b, byte(v))
}

// appendSigned appends a signed LEB128 number.
//
//go:noinline
func appendSigned(b []byte, v int64) []byte {
	for {
		low := byte(v & 127)
		v >>= 7
		if v == 0 && low&64 == 0 || v == -1 && low&64 != 0 {
			return append(b, low)
		}
		b = append(b, low|128)
	}
}

// maxTable bounds the elements of a table [ours]: it holds the addresses of functions.
const maxTable = 65536

// sizes checks the sizes that a section announces.
func (r *reader) sizes(id int) {
	if id != sectionTable {
		r.segments(id)
		return
	}
	for range r.count("tables") {
		r.byte() // its type
		flags, first := r.number(), r.number()
		if flags&1 != 0 {
			r.number()
		}
		if first > maxTable {
			r.fail("a table has %d elements at the start; a codec may have %d", first, maxTable)
		}
	}
}

// segments checks the lengths in a section of data or of elements: engines make room for as many as are
// announced, and end when there is none. Compilers write the form 0: a constant place, and what lies there.
func (r *reader) segments(id int) {
	for range r.count("segments") {
		if form := r.number(); form != 0 {
			r.fail("a segment has the form %d; a codec uses form 0, with a constant address", form)
		}
		if op := r.byte(); r.err == nil && op != opI32Const {
			r.fail("the address of a segment is not a constant")
		}
		r.signed(32)
		if op := r.byte(); r.err == nil && op != opEnd {
			r.fail("the address of a segment is not one constant")
		}
		if n := r.count("items of a segment"); id == sectionData {
			r.take(n)
		} else {
			for range n {
				r.number()
			}
		}
		if r.err != nil {
			return
		}
	}
}
