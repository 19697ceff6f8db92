package mem

import "github.com/burstscope/burstscope/core/tape"

// Handle names a value in an Arena or a Pool. Zero names none.
type Handle = tape.Name

// Arena owns the lines in flight, so that messages carry a four-byte handle instead
// of 128 bytes and cause no garbage collection. Every handle has exactly one owner, which
// frees it or passes it on. If Live is not 0 at the end of a run, a line has leaked.
type Arena struct{ Pool[Line] }

// NewArena returns an arena with room for n lines before it has to grow.
func NewArena(n int) *Arena { return &Arena{*NewPool[Line](n)} }

// Line returns the contents of h, which stay where they are.
func (a *Arena) Line(h Handle) *Line { return a.At(h) }

// Share is Pool.Share of an arena.
func (a *Arena) Share(i int) *Arena { return &Arena{*a.Pool.Share(i)} }
