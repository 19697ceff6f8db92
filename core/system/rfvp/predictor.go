package rfvp

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// Access is one line of a load: what a warp reads there.
type Access struct {
	Warp   uint8
	Form   Form
	Lanes  uint32 // lanes that read from the line
	Offset [32]uint8
}

// Form is what a Predictor knows about a load.
type Form struct {
	// PC tells loads apart. An element has the PC plus its number: a vector load is as many
	// loads, as the paper's compiler made of it (table I counts v1.x to v1.w).
	PC       uint32
	Elements uint8
	Bytes    uint8 // of one element: 4 or 8
	Float    bool
}

// FormOf returns the form of a load of elements of a size in bytes. Elements of less than
// a word are predicted as the words that hold them [ours]. ok is false for a size that a
// row cannot hold.
func FormOf(pc uint32, elements, bytes int, float bool) (f Form, ok bool) {
	if bytes < 4 {
		elements, bytes, float = max(1, elements*bytes/4), 4, false
	}
	return Form{PC: pc, Elements: uint8(elements), Bytes: uint8(bytes), Float: float}, bytes <= 8
}

// Predictor guesses lines. It is the table of one SM.
type Predictor struct {
	table
	random lfsr // for GapRandom
}

// NewPredictor returns a predictor that has learnt nothing.
func NewPredictor(c Config) *Predictor {
	if c.Kind == SingleValue {
		c.Groups = 1
	}
	return &Predictor{table: newTable(c), random: 1}
}

// Predict fills a line. It returns false if the load has no row: then there is nothing to
// guess from.
func (p *Predictor) Predict(a *Access, line *mem.Line) bool {
	if p.config.Kind == Zero {
		*line = mem.Line{}
		return true
	}
	var rows [16]int
	for e := range a.Form.Elements {
		if rows[e] = p.find(a.Warp, a.Form.PC+uint32(e)); rows[e] < 0 {
			return false
		}
	}
	p.fillGaps(rows[0], line)
	for e := range a.Form.Elements {
		p.touch(rows[e])
		p.fillElement(a, int(e), rows[e], line)
	}
	return true
}

// fillGaps fills the whole line with what words get that no lane reads.
func (p *Predictor) fillGaps(row int, line *mem.Line) {
	groups := p.config.Groups
	for w := range lineWords {
		v := p.gap[row*groups+w*groups/lineWords]
		switch {
		case p.config.Kind == SingleValue:
			v = uint32(p.last[row])
		case p.config.Gaps == GapRandom:
			v = 0
			for range 4 {
				v = v<<8 | uint32(p.random.draw())
			}
		}
		binary.LittleEndian.PutUint32(line[4*w:], v)
	}
}

// fillElement writes the guess for each group into the words that its lanes read. If
// two groups read a word, it gets the guess of the later one [ours].
func (p *Predictor) fillElement(a *Access, e, row int, line *mem.Line) {
	groups := p.config.Groups
	for g := range groups {
		lanes := a.Lanes & lanesOf(g, groups)
		if lanes == 0 {
			continue
		}
		i := row*groups + g
		v := p.last[i]
		if !a.Form.Float {
			v += uint64(p.added(i)) // sign-extended; a word keeps the low half
		}
		for ; lanes != 0; lanes &= lanes - 1 {
			at := place(a, bits.TrailingZeros32(lanes), e)
			if a.Form.Bytes == 8 {
				binary.LittleEndian.PutUint64(line[at:], v)
			} else {
				binary.LittleEndian.PutUint32(line[at:], uint32(v))
			}
		}
	}
}

// place returns where an element of a lane begins, or the word that holds it.
func place(a *Access, lane, e int) int {
	return int(a.Offset[lane])&^3 + e*int(a.Form.Bytes)
}

// lanesOf returns the lanes of a group.
func lanesOf(g, groups int) uint32 {
	n := 32 / groups
	return uint32(1<<n-1) << (g * n)
}

// Train teaches the predictor a line that was fetched. A load without a row gets one
// (section 2.2: only a row can predict; that a miss makes one is ours).
func (p *Predictor) Train(a *Access, line *mem.Line) {
	if p.config.Kind == Zero {
		return
	}
	for e := range a.Form.Elements {
		row, isNew := p.claim(a.Warp, a.Form.PC+uint32(e))
		p.touch(row)
		p.learn(a, int(e), row, isNew, line)
	}
}

// learn updates a row: each group with the value of its lowest active lane.
func (p *Predictor) learn(a *Access, e, row int, isNew bool, line *mem.Line) {
	groups := p.config.Groups
	for g := range groups {
		i := row*groups + g
		p.gap[i] = binary.LittleEndian.Uint32(line[g*mem.LineBytes/groups:])
		lanes := a.Lanes & lanesOf(g, groups)
		if isNew {
			p.forget(i)
			if lanes == 0 {
				lanes = a.Lanes // the group has no lane here: it begins with another's value [ours]
			}
			p.last[i] = read(a, lanes, e, line)
			continue
		}
		if lanes == 0 {
			continue
		}
		v := read(a, lanes, e, line)
		if !a.Form.Float {
			p.follow(i, difference(v, p.last[i], a.Form.Bytes))
		}
		p.last[i] = v
	}
}

// read returns the element of the lowest lane.
func read(a *Access, lanes uint32, e int, line *mem.Line) uint64 {
	at := place(a, bits.TrailingZeros32(lanes), e)
	if a.Form.Bytes == 8 {
		return binary.LittleEndian.Uint64(line[at:])
	}
	return uint64(binary.LittleEndian.Uint32(line[at:]))
}

// difference returns v - last, of words or of double words.
func difference(v, last uint64, bytes uint8) int64 {
	if bytes == 8 {
		return int64(v - last)
	}
	return int64(int32(uint32(v) - uint32(last)))
}

// State lists the changing state of the predictor.
func (p *Predictor) State(t *tape.Tape) {
	p.table.state(t)
	tape.Value(t, &p.random)
}
