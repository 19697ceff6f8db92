package rfvp

import (
	"math"

	"github.com/burstscope/burstscope/core/tape"
)

// stride is Stride1, which predictions add, and Stride2, which was seen last.
type stride struct{ first, second int16 }

// The second table of DFCM. RFVP tried DFCM (section 4.1) and gives no sizes. 2^11 strides are the most with which
// 192 rows of two groups stay within the 14 KB of the paper's predictor [ours]: 11.5 KB, and 15.5 KB with 2^12.
const (
	contextBits = 11
	contexts    = 1 << contextBits
	// contextShift is by how much a stride ages in the hash of strides: the 5 of FS R-5, the hash of Sazeides and
	// Smith that Goeman et al. use. So 11 bits hold the last three.
	contextShift = 5
)

// followers holds what DFCM learns beside the rows.
type followers struct {
	context []uint16        // of each group of a row: the hash of its last strides
	next    [contexts]int16 // the stride that came after a context, of all rows
}

func newFollowers(groups int) *followers { return &followers{context: make([]uint16, groups)} }

func (f *followers) state(p *tape.Tape) {
	tape.Values(p, f.context)
	tape.Values(p, f.next[:])
}

// aged returns the context after one more stride: the older ones move up, and the bits of the new one that do not
// fit are folded over its low ones.
func aged(context uint16, d int16) uint16 {
	u := uint16(d)
	return (context<<contextShift ^ u ^ u>>contextBits) & (contexts - 1)
}

// added returns what a prediction adds to the last value of a group of a row.
func (t *table) added(i int) int16 {
	switch t.config.Kind {
	case TwoDelta, Stride:
		return t.stride[i].first
	case DFCM:
		return t.followers.next[t.followers.context[i]]
	}
	return 0
}

// follow learns the stride to a new value of a group. One that does not fit 16 bits counts as 0 [ours].
func (t *table) follow(i int, d int64) {
	if d < math.MinInt16 || d > math.MaxInt16 {
		d = 0
	}
	n, s := int16(d), &t.stride[i]
	switch t.config.Kind {
	case TwoDelta: // a stride is taken over when it comes twice in a row
		if n == s.second {
			s.first = n
		}
		s.second = n
	case Stride:
		s.first = n
	case DFCM:
		f := t.followers
		f.next[f.context[i]] = n
		f.context[i] = aged(f.context[i], n)
	}
}

// forget clears the strides of a group that a new load gets.
func (t *table) forget(i int) {
	t.stride[i] = stride{}
	if t.followers != nil {
		t.followers.context[i] = 0
	}
}
