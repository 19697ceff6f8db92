package latte

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// codes makes the code tables of SC from the lines that enter L1. The value frequency
// table counts in the first phase of the run and in the last phase of each period; the
// code changes at the end of such a phase (LATTE-CC section IV-C2). The SM that has ended
// the most phases decides for all [ours].
type codes struct {
	codec *sc.Codec // nil before the first code
	vft   sc.VFT
	codesState
}

type codesState struct {
	period int // in phases
	ended  int // phases of the leading SM
	lines  int // counted since the last change
}

// counts reports whether the value frequency table counts now. A phase without a line
// gives no code; then the next phase counts too.
func (c *codes) counts() bool { return c.codec == nil || (c.ended+1)%c.period == 0 }

func (c *codes) observe(line *mem.Line) {
	if c.counts() {
		c.vft.Observe(line)
		c.lines++
	}
}

// phaseEnded notes that an SM has ended its n-th phase, and reports whether the code has
// changed.
func (c *codes) phaseEnded(n int) bool {
	if n <= c.ended {
		return false
	}
	counted := c.counts()
	c.ended = n
	if !counted || c.lines == 0 {
		return false
	}
	table, err := c.vft.Table()
	if err == nil {
		c.codec, err = sc.New(table)
	}
	if err != nil {
		panic(err) // every table of counts gives a code
	}
	c.vft.Reset()
	c.lines = 0
	return true
}

// AppendTable implements Coded.
func (u *Compressed) AppendTable(b []byte) []byte {
	if u.codes == nil || u.codes.codec == nil {
		return b
	}
	return u.codes.codec.Table().AppendBinary(b)
}

// SetTable implements Coded.
func (u *Compressed) SetTable(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	table, err := e2mc.ParseTable(b)
	if err != nil || u.codes == nil {
		return fmt.Errorf("latte: the L1 of this run takes no code table (%v)", err)
	}
	u.codes.codec, err = sc.New(table)
	return err
}

func (c *codes) state(t *tape.Tape) {
	tape.Keep(t, &c.codec)
	tape.Value(t, &c.vft)
	tape.Value(t, &c.codesState)
}
