package mem

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/tape"
)

// Write stores the contents: the number of pages (u32), then the pieces of each page that is
// not all zeros, after its number (u32), and the number of pages again as the end.
func (p *Packed) Write(w io.Writer) error {
	count := uint32(len(p.pages))
	if err := binary.Write(w, binary.LittleEndian, count); err != nil {
		return err
	}
	for i, q := range p.pages {
		if q == nil {
			continue
		}
		if err := binary.Write(w, binary.LittleEndian, uint32(i)); err != nil {
			return err
		}
		if err := tape.WritePieces(w, q[:]); err != nil {
			return err
		}
	}
	return binary.Write(w, binary.LittleEndian, count)
}

// ReadPacked reads stored contents of the image m.
func (m *Image) ReadPacked(r io.Reader) (*Packed, error) {
	var count uint32
	if err := binary.Read(r, binary.LittleEndian, &count); err != nil {
		return nil, err
	}
	if int(count) != len(m.page) {
		return nil, fmt.Errorf("mem: the stored memory has %d pages, this one has %d", count, len(m.page))
	}
	p := &Packed{pages: make([]*packedPage, count)}
	for {
		var i uint32
		if err := binary.Read(r, binary.LittleEndian, &i); err != nil {
			return nil, err
		}
		if i == count {
			return p, nil
		}
		if i > count || p.pages[i] != nil {
			return nil, fmt.Errorf("mem: the stored memory names page %d of %d twice or beyond its end", i, count)
		}
		p.pages[i] = new(packedPage)
		if err := tape.ReadPieces(r, p.pages[i][:]); err != nil {
			return nil, err
		}
	}
}
