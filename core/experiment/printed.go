package experiment

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/ptx/execute"
)

// Printed is what a program prints with printf, in the order of the exact run.
type Printed struct {
	Text string `json:"text"`
	// DroppedCalls counts the calls of threads behind the first one that found no room (execute.PrintedBytes).
	DroppedCalls uint64 `json:"droppedCalls,omitempty"`
}

func printedOf(p *execute.Printed) *Printed {
	if len(p.Text) == 0 && p.Dropped == 0 {
		return nil
	}
	return &Printed{string(p.Text), p.Dropped}
}

// Stopped is the fault of a program that has printed something before it.
type Stopped struct {
	Err     error
	Printed Printed
}

func (s *Stopped) Error() string { return s.Err.Error() }
func (s *Stopped) Unwrap() error { return s.Err }

// stopped adds what has been printed to a fault of the exact run.
func (r *reference) stopped(err error) error {
	if p := printedOf(&r.printed); p != nil && err != nil {
		return &Stopped{err, *p}
	}
	return err
}

// appendPrinted appends the printed text to a stored run: the dropped calls (u64), then the text. It is empty without
// any.
func appendPrinted(b []byte, p *execute.Printed) []byte {
	if printedOf(p) == nil {
		return b
	}
	return append(binary.LittleEndian.AppendUint64(b, p.Dropped), p.Text...)
}

func parsePrinted(b []byte) (p execute.Printed, err error) {
	switch {
	case len(b) == 0:
		return p, nil
	case len(b) < 8:
		return p, errCut
	}
	return execute.Printed{Dropped: binary.LittleEndian.Uint64(b), Text: b[8:]}, nil
}
