package hycomp

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec/e2mc"
)

// AppendBinary appends the statistics to b: the counts of words, then those of each field as
// varints.
func (c *Counts) AppendBinary(b []byte) []byte {
	b = c.words.AppendBinary(b)
	for _, field := range c.fields {
		for _, n := range field {
			b = binary.AppendUvarint(b, n)
		}
	}
	return b
}

// ParseCounts reads statistics that AppendBinary wrote, and returns the bytes after them.
func ParseCounts(b []byte) (*Counts, []byte, error) {
	c := NewCounts()
	var err error
	if c.words, b, err = e2mc.ParseHistogram(b); err != nil {
		return nil, nil, err
	}
	for _, field := range c.fields {
		for i := range field {
			v, n := binary.Uvarint(b)
			if n <= 0 {
				return nil, nil, fmt.Errorf("hycomp: stored counts end too early: the file is cut off")
			}
			field[i], b = v, b[n:]
		}
	}
	return c, b, nil
}
