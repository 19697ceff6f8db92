package mem

// Handle names a value in an Arena or a Pool. Zero is none.
type Handle uint32

// Arena owns the lines that are in flight, so that messages carry a four-byte
// handle instead of 128 bytes and nothing is garbage. Every handle has exactly
// one owner, which frees it or passes it on. Live is 0 at the end of a run, or
// something leaked.
type Arena struct{ Pool[Line] }

// NewArena returns an arena with room for n lines before it has to grow.
func NewArena(n int) *Arena { return &Arena{*NewPool[Line](n)} }

// Line returns the contents of h. The pointer is valid until the next New.
func (a *Arena) Line(h Handle) *Line { return a.At(h) }
