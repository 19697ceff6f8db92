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

// signed reads a signed LEB128 number of at most so many bits.
func (r *reader) signed(bits int) (v int64) {
	for shift := 0; shift < bits; shift += 7 {
		b := r.byte()
		v |= int64(b&127) << shift
		if b < 128 {
			return v << max(0, 57-shift) >> max(0, 57-shift)
		}
	}
	r.fail("a number has more than %d bits", bits)
	return 0
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

// part returns a reader of the next bytes, which knows where they begin.
func (r *reader) part(n int) reader {
	at := r.at // take moves it
	return reader{at: at, b: r.take(n)}
}

// below reads the number of a thing of which there are so many.
func (r *reader) below(what string, limit int) {
	if n := r.number(); n >= limit {
		r.fail("%s %d is used; there are %d", what, n, limit)
	}
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

// tableSection checks the only table and its size.
func (p *parser) tableSection(r *reader) {
	n := r.count("tables")
	if n > 1 {
		r.fail("the module has %d tables; a codec has at most one", n)
	}
	if n == 0 || r.err != nil {
		return
	}
	if t := r.byte(); t != typeRef {
		r.fail("the elements of a table have the type %#x: use functions", t)
	}
	flags := r.number()
	p.table = r.number()
	if flags > 1 {
		r.fail("the table is shared or has 64-bit indexes")
	} else if flags == 1 && r.number() < p.table {
		r.fail("the table is larger at the start than it may become")
	}
	if p.table > maxTable {
		r.fail("the table has %d elements at the start; a codec may have %d", p.table, maxTable)
	}
}

// segments checks the lengths in a section of data or of elements: engines make room for as many as are
// announced, and end when there is none. Compilers write the form 0: a constant place, and what lies there.
func (p *parser) segments(r *reader, id int) {
	for range r.count("segments") {
		if form := r.number(); form != 0 {
			r.fail("a segment has the form %d; a codec uses form 0, with a constant address", form)
		}
		at := int(uint32(r.constant(typeI32)))
		if n := r.count("items of a segment"); id == sectionData {
			r.take(n)
		} else {
			if at+n > p.table {
				r.fail("elements %d to %d of a table with %d", at, at+n-1, p.table) // some engines let that pass
			}
			for range n {
				r.below("function", len(p.functions))
			}
		}
		if r.err != nil {
			return
		}
	}
}

// constant reads an expression of one constant.
func (r *reader) constant(of byte) (v int64) {
	op := r.byte()
	switch {
	case of == typeI32 && op == opI32Const:
		v = r.signed(32)
	case of == typeI64 && op == opI64Const:
		v = r.signed(64)
	default:
		r.fail("the instruction %#02x is not a constant of its type", op)
	}
	if op := r.byte(); r.err == nil && op != opEnd {
		r.fail("an address or the value of a global is not one constant")
	}
	return v
}
