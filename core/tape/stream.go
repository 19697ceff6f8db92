package tape

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// A stored record is: the number of sections (u32), then for each section its size in bytes
// (u64) and its pieces. Pieces are stored as WritePieces says. The bytes are those of the
// components in memory, so only the program that wrote them can read them.

// maxSectionBytes bounds a section that is read [ours]: device memory is not in it, and the
// largest machine's L2 slices have a few megabytes.
const maxSectionBytes = 1 << 32

// Write stores the record without the values that Keep carries.
func (r *Record) Write(w io.Writer) error {
	if err := binary.Write(w, binary.LittleEndian, uint32(len(r.sections))); err != nil {
		return err
	}
	for i := range r.sections {
		s := &r.sections[i]
		if err := binary.Write(w, binary.LittleEndian, uint64(s.bytes)); err != nil {
			return err
		}
		if err := writeCodes(w, s.codes); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a stored record. It takes the values that Keep carries from like, a record of the
// same components.
func Read(r io.Reader, like *Record) (*Record, error) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	if int(n) != len(like.sections) {
		return nil, fmt.Errorf("tape: the state has %d sections, these components have %d", n, len(like.sections))
	}
	record := &Record{kept: like.kept, sections: make([]section, n)}
	for i := range record.sections {
		var size uint64
		if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
			return nil, err
		}
		if size > maxSectionBytes {
			return nil, fmt.Errorf("tape: section %d of the state has %d bytes, and at most %d are possible", i, size, uint64(maxSectionBytes))
		}
		s := section{bytes: int(size), codes: make([]code, (size+pieceBytes-1)/pieceBytes)}
		if err := readCodes(r, s.codes); err != nil {
			return nil, err
		}
		record.sections[i] = s
	}
	return record, nil
}

// writeCodes stores the pieces of codes as WritePieces does.
func writeCodes(w io.Writer, list []code) error {
	var room [64]piece
	var group [64]*piece
	for ; len(list) > 0; list = list[min(64, len(list)):] {
		now := list[:min(64, len(list))]
		for i, c := range now {
			if group[i] = nil; len(c) > 0 {
				group[i] = &room[i]
				c.decode(group[i])
			}
		}
		if err := WritePieces(w, group[:len(now)]); err != nil {
			return err
		}
	}
	return nil
}

// readCodes fills a list with the codes of what writeCodes stored.
func readCodes(r io.Reader, list []code) error {
	var room piece
	var group [64]*piece
	for ; len(list) > 0; list = list[min(64, len(list)):] {
		now := list[:min(64, len(list))]
		clear(group[:])
		if err := ReadPieces(r, group[:len(now)]); err != nil {
			return err
		}
		for i := range now {
			if group[i] != nil {
				now[i] = code(encode(group[i], room[:]))
			}
		}
	}
	return nil
}

// WritePieces stores a list of pieces: for every 64 of them a word that says which are not nil
// (u64, the first piece in the lowest bit), and then these.
func WritePieces(w io.Writer, list []*[pieceBytes]byte) error {
	for ; len(list) > 0; list = list[min(64, len(list)):] {
		group := list[:min(64, len(list))]
		there := uint64(0)
		for i, p := range group {
			if p != nil {
				there |= 1 << i
			}
		}
		if err := binary.Write(w, binary.LittleEndian, there); err != nil {
			return err
		}
		for _, p := range group {
			if p == nil {
				continue
			}
			if _, err := w.Write(p[:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadPieces fills a list with what WritePieces stored.
func ReadPieces(r io.Reader, list []*[pieceBytes]byte) error {
	for ; len(list) > 0; list = list[min(64, len(list)):] {
		group := list[:min(64, len(list))]
		var there uint64
		if err := binary.Read(r, binary.LittleEndian, &there); err != nil {
			return err
		}
		if bits.Len64(there) > len(group) {
			return fmt.Errorf("tape: the state has pieces after the end of a section")
		}
		for i := range group {
			if there>>i&1 == 0 {
				continue
			}
			group[i] = new(piece)
			if _, err := io.ReadFull(r, group[i][:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// WritePart stores bytes after their length (u32).
func WritePart(w io.Writer, b []byte) error {
	if err := binary.Write(w, binary.LittleEndian, uint32(len(b))); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

// ReadPart reads what WritePart stored, at most so many bytes. A cut file does not make room for
// what it announces.
func ReadPart(r io.Reader, most uint64) ([]byte, error) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	if uint64(n) > most {
		return nil, fmt.Errorf("one of its parts has %d bytes, and at most %d are possible", n, most)
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && len(b) != int(n) {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}
