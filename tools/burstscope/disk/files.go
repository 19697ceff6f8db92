package disk

import (
	"errors"
	"fmt"

	"github.com/burstscope/burstscope/tools/input"
)

// Limits on files that exec reads.
const (
	MaxPTXBytes    = 64 << 20
	maxBufferBytes = 1 << 30
)

// ReadFile reads a file of at most limit bytes.
func ReadFile(name string, limit int64) ([]byte, error) {
	b, err := input.Read(name, limit)
	if large := (input.TooLarge{}); errors.As(err, &large) {
		return nil, fmt.Errorf("file too large: %s: it has %d bytes, and at most %d are read", name, large.Size, limit)
	}
	if err != nil {
		return nil, Fault("cannot read", err)
	}
	return b, nil
}
