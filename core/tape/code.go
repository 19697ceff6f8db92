package tape

import (
	"encoding/binary"
	"unsafe"
)

// A code is a piece as a record keeps it: for each of its words of four bytes two bits, and
// then the words that do not follow from those before. Registers and addresses of a warp are
// often equal or equally spaced, in words of four bytes or of eight, and much of a state is zero. A
// piece that would not become smaller is kept as it is. Words are words of the host: a stored
// record (stream.go) has no codes in it.
type code string // "" stands for zeros

const (
	sameWord    = iota // as the word before
	nextWord           // as far from the word before as that is from its own
	nextOfTwo          // the same, among every second word
	anotherWord        // it follows after the bits
)

const (
	pieceWords = pieceBytes / 4
	bitBytes   = pieceWords / 4
)

// encode returns the code of a piece in room, which has at least pieceBytes.
func encode(p *piece, room []byte) []byte {
	words := (*[pieceWords]uint32)(unsafe.Pointer(p))
	end := bitBytes
	var a, b, c, d uint32 // the words before, the last one first
	for i := 0; i < pieceWords; i += 4 {
		var bits uint32
		for k := range uint32(4) {
			v := words[i+int(k)]
			switch v {
			case a:
			case 2*a - b:
				bits |= nextWord << (2 * k)
			case 2*b - d:
				bits |= nextOfTwo << (2 * k)
			default:
				if end == pieceBytes-4 { // the length says that it is the piece itself
					return append(room[:0], p[:]...)
				}
				bits |= anotherWord << (2 * k)
				binary.NativeEndian.PutUint32(room[end:], v)
				end += 4
			}
			a, b, c, d = v, a, b, c
		}
		room[i/4] = byte(bits)
	}
	return room[:end]
}

// decode gives p the piece of a code.
func (x code) decode(p *piece) {
	switch len(x) {
	case 0:
		*p = piece{}
		return
	case pieceBytes:
		copy(p[:], x)
		return
	}
	words := (*[pieceWords]uint32)(unsafe.Pointer(p))
	literal := unsafe.Slice(unsafe.StringData(string(x)), len(x))[bitBytes:]
	var a, b, c, d uint32
	for i := 0; i < pieceWords; i += 4 {
		bits := x[i/4]
		for k := range 4 {
			v := a
			switch bits & 3 {
			case nextWord:
				v = 2*a - b
			case nextOfTwo:
				v = 2*b - d
			case anotherWord:
				v = binary.NativeEndian.Uint32(literal)
				literal = literal[4:]
			}
			bits >>= 2
			words[i+k] = v
			a, b, c, d = v, a, b, c
		}
	}
}

// shares reports whether x and y are the same memory.
func (x code) shares(y code) bool {
	return len(x) == len(y) && unsafe.StringData(string(x)) == unsafe.StringData(string(y))
}
