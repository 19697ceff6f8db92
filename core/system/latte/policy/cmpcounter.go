package policy

import "github.com/burstscope/burstscope/core/tape"

// counterMax bounds the counter of cmpCounter: 19 bits with a sign, as in the cited cache
// (Alameldeen and Wood, ISCA 2004, section 4).
const counterMax = 1<<18 - 1

// counting compresses while what compression saved exceeds what it cost. A hit that an L1
// without compression would miss saves the latency of a miss, as would a hit on a ghost; any
// other hit on a line kept by the codec costs a decompression.
type counting struct {
	decompress int
	countingState
}

type countingState struct {
	saved      int
	missCycles int
}

func cmpCounter(p Params) Policy { return &counting{decompress: p.Decompress[Low]} }

func (c *counting) Mode(int) Mode {
	if c.saved >= 0 {
		return Low
	}
	return None
}

func (c *counting) Hit(h Hit) {
	switch {
	case h.Deep:
		c.save()
	case h.Mode == Low:
		c.saved = max(c.saved-c.decompress, -counterMax)
	}
}

// Miss counts a line that compression might have kept, so that compression can begin again.
func (c *counting) Miss(_ int, ghost bool) {
	if ghost {
		c.save()
	}
}

func (c *counting) save() { c.saved = min(c.saved+c.missCycles, counterMax) }

func (c *counting) End(p *Phase) Grounds {
	c.missCycles = int(p.MissCycles)
	return Grounds{Basis: ByCounter, Saved: c.saved}
}

func (c *counting) State(t *tape.Tape) { tape.Value(t, &c.countingState) }
