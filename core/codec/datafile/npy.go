package datafile

import (
	"encoding/binary"
	"io"
	"strings"
)

const npyMagic = "\x93NUMPY"

// maxNPYHeader bounds the header text. NumPy itself refuses above 10,000 bytes.
const maxNPYHeader = 1 << 16

// npyHeader is the header of an array.
type npyHeader struct {
	t         Type
	bigEndian bool
	fortran   bool
	shape     []int64
	at        int64 // where the data start
	bytes     int64 // of the data
}

func openNPY(src io.ReaderAt, size int64) ([]Array, error) {
	h, err := readNPY(io.NewSectionReader(src, 0, size), 0)
	if err != nil {
		return nil, err
	}
	switch have := size - h.at; {
	case have < h.bytes:
		return nil, faultAt(size, "the array is cut off: its header announces %d bytes from byte %d, %d are there", h.bytes, h.at, have)
	case have > h.bytes:
		return nil, faultAt(h.at+h.bytes, "%d bytes follow the %d that the header announces", have-h.bytes, h.bytes)
	}
	a := section(src, "", h.t, h.shape, h.at, h.bytes, h.swap())
	a.Fortran = h.isFortran()
	return []Array{a}, nil
}

// isFortran reports whether the order of Fortran differs from that of C: whether more than
// one dimension has several elements.
func (h *npyHeader) isFortran() bool {
	long := 0
	for _, n := range h.shape {
		if n > 1 {
			long++
		}
	}
	return h.fortran && long > 1
}

func (h *npyHeader) swap() int {
	if h.bigEndian {
		return h.t.unit()
	}
	return 0
}

// readNPY reads a header from r, which starts at byte base of the file.
func readNPY(r io.Reader, base int64) (*npyHeader, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:6]) != npyMagic {
		return nil, faultAt(base, "no .npy header: the file is cut off or has another format")
	}
	lengthBytes := 2
	switch start[6] {
	case 1:
	case 2, 3:
		lengthBytes = 4
	default:
		return nil, faultAt(base+6, "version %d of .npy: 1, 2 and 3 are read", start[6])
	}
	var length [4]byte
	if _, err := io.ReadFull(r, length[:lengthBytes]); err != nil {
		return nil, faultAt(base+8, "the .npy header is cut off")
	}
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > maxNPYHeader {
		return nil, faultAt(base+8, "a .npy header of %d bytes: at most %d are read", n, maxNPYHeader)
	}
	text := make([]byte, n)
	at := base + 8 + int64(lengthBytes)
	if got, err := io.ReadFull(r, text); err != nil {
		return nil, faultAt(at+int64(got), "the .npy header is cut off: %d of %d bytes are there", got, n)
	}
	h := &npyHeader{at: at + n}
	return h, h.parse(string(text), at)
}

// parse reads the dictionary of the header, which starts at byte base.
func (h *npyHeader) parse(text string, base int64) error {
	s := scanText(text, base)
	seen := map[string]bool{}
	s.want('{')
	for s.err == nil && !s.accept('}') {
		key := s.quoted()
		s.want(':')
		if s.err == nil && seen[key] {
			s.fail("%s twice in the .npy header", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			s.skip()
			at := s.offset()
			if s.err == nil && s.peek() == '[' {
				return faultAt(at, "elements with fields: save each field on its own")
			}
			h.setType(s.quoted(), s, at)
		case "fortran_order":
			s.skip()
			at := s.offset()
			order := s.word()
			if h.fortran = order == "True"; !h.fortran && order != "False" {
				s.failAt(at, "%.16q in the .npy header: fortran_order is True or False", order)
			}
		case "shape":
			s.want('(')
			for s.err == nil && !s.accept(')') {
				h.shape = append(h.shape, s.number())
				if !s.accept(',') {
					s.want(')')
					break
				}
			}
		default:
			s.fail("%q in the .npy header: want descr, fortran_order and shape", key)
		}
		if !s.accept(',') {
			s.want('}')
			break
		}
	}
	s.end()
	switch {
	case s.err != nil:
		return s.err
	case !seen["descr"], !seen["shape"], !seen["fortran_order"]:
		return faultAt(base, "the .npy header lacks the type, the order or the shape")
	}
	n, ok := count(h.shape, (1<<62)/int64(h.t.Bytes()))
	if !ok {
		return faultAt(base, "the shape in the .npy header is larger than any file")
	}
	h.bytes = n * int64(h.t.Bytes())
	return nil
}

// setType reads a type as NumPy spells it.
func (h *npyHeader) setType(text string, s *scanner, at int64) {
	if s.err != nil {
		return
	}
	name := strings.TrimLeft(text, "<>|=")
	for _, t := range [...]struct {
		numpy string
		t     Type
	}{
		{"b1", Bool}, {"u1", U8}, {"i1", I8}, {"u2", U16}, {"i2", I16}, {"u4", U32}, {"i4", I32}, {"u8", U64}, {"i8", I64},
		{"f2", F16}, {"f4", F32}, {"f8", F64}, {"c8", C64}, {"c16", C128},
	} {
		if t.numpy == name {
			h.t, h.bigEndian = t.t, text[0] == '>'
			return
		}
	}
	s.failAt(at, "elements of type %.40q are not numbers this program reads: convert them, "+
		"or take the file as raw with a type and an offset", text)
}
