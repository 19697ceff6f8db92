package mem

// Handle names a line in an Arena. Zero is no line.
type Handle uint32

// Arena owns the lines that are in flight, so that messages carry a four-byte
// handle instead of 128 bytes and nothing is garbage. Every handle has exactly
// one owner, which frees it or passes it on.
type Arena struct {
	lines []Line
	free  []Handle
	live  int
}

// NewArena returns an arena with room for n lines before it has to grow.
func NewArena(n int) *Arena {
	return &Arena{lines: make([]Line, 1, n+1), free: make([]Handle, 0, n)}
}

// New returns a handle to a line with unspecified contents.
func (a *Arena) New() Handle {
	a.live++
	if n := len(a.free); n > 0 {
		h := a.free[n-1]
		a.free = a.free[:n-1]
		return h
	}
	a.lines = append(a.lines, Line{})
	return Handle(len(a.lines) - 1)
}

// Line returns the contents of h. The pointer is valid until the next New.
func (a *Arena) Line(h Handle) *Line { return &a.lines[h] }

// Free gives h back.
func (a *Arena) Free(h Handle) {
	if h == 0 {
		panic("mem: free of no line")
	}
	a.live--
	a.free = append(a.free, h)
}

// Live returns the number of handles not yet freed: 0 at the end of a run, or
// something leaked.
func (a *Arena) Live() int { return a.live }

// CopyFrom makes a equal to src.
func (a *Arena) CopyFrom(src *Arena) {
	a.lines = append(a.lines[:0], src.lines...)
	a.free = append(a.free[:0], src.free...)
	a.live = src.live
}
