package execute

import "fmt"

// Fault is a run-time error of a kernel.
type Fault struct {
	Kernel       string
	CTA, Thread  [3]uint32
	Warp         int // warp of the CTA
	PC           int32
	Line, Column int // in the PTX source
	Message      string

	assert *assertion // whose text is still in memory
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s:%d:%d: CTA (%d,%d,%d) warp %d thread (%d,%d,%d): %s", f.Kernel, f.Line, f.Column,
		f.CTA[0], f.CTA[1], f.CTA[2], f.Warp, f.Thread[0], f.Thread[1], f.Thread[2], f.Message)
}
