package study

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

// Why says which predicted lines made an element of an output wrong. It is found by replays in which some predicted
// lines get what memory holds; the program, the drops and L1 stay as they were.
type Why struct {
	Output  string  `json:"output"`
	Element int     `json:"element"`
	Exact   float64 `json:"exact"`
	Got     float64 `json:"got"`
	// Within is the share of the element's error that still counts as right; 0 means right to the bit.
	Within float64 `json:"within"`
	// Predicted are the predicted lines of the run, WrongLines those with a value that a lane loaded and memory
	// does not hold.
	Predicted  int `json:"predicted"`
	WrongLines int `json:"wrongLines"`
	// AllExact is the element if every predicted line is exact. If it is wrong too, something else made it so.
	AllExact float64 `json:"allExact"`
	Causes   []Cause `json:"causes"`
	// Complete says that the element is right if the causes alone are exact and all other lines as predicted.
	Complete bool `json:"complete"`
	Replays  int  `json:"replays"`
	// Moved says that a replay took another number of cycles: a predicted value decided a branch.
	Moved bool `json:"moved"`
}

// Cause is a predicted line. With the lines before it as predicted, and it and those after it exact, the element has
// the value Before and is right; with it as predicted too, the element has the value After and is wrong.
type Cause struct {
	Number   int     `json:"number"` // among the predicted lines, from 1
	Cycle    uint64  `json:"cycle"`
	SM       int     `json:"sm"`
	Warp     uint8   `json:"warp"` // slot
	Launch   int32   `json:"launch"`
	Kernel   string  `json:"kernel"`
	Line     int32   `json:"line"` // of the PTX
	File     string  `json:"file"`
	FileLine uint32  `json:"fileLine"`
	Text     string  `json:"text"`
	Buffer   string  `json:"buffer"`
	Offset   uint64  `json:"offset"` // of the line in the buffer, bytes
	Lanes    int     `json:"lanes"`
	Wrong    int     `json:"wrong"` // lanes
	Lane     int     `json:"lane"`  // the first wrong one, and what it got and should have got
	Value    float64 `json:"value"`
	Held     float64 `json:"held"`
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
}

// whyGuesses bounds the predicted lines that are told apart, for memory on the host [ours].
const whyGuesses = 1 << 22

// WhyQuestion asks for the predicted lines behind an element of an output.
type WhyQuestion struct {
	Output string // a name; empty is the first output that is wrong
	// Element is the first of Count elements, of which the one with the largest error is taken. Below 0 it is taken of all;
	// a Count of 0 is 1.
	Element, Count int
	Most           int     // causes
	Within         float64 // as Why.Within
	// Watch, if it is given, is told after each replay how many there were and about how many there will be.
	Watch func(replays, expected int)
}

// replayCycles are the cycles of one step up to the machine of a replay.
const replayCycles = 1 << 20

// whySearch replays a run with some predicted lines exact.
type whySearch struct {
	plan    *experiment.Plan
	study   *experiment.Study
	asked   *WhyQuestion
	lines   int // with wrong values, once they are known
	buffer  int // index among the outputs
	why     *Why
	exempt  map[int]bool // causes so far
	cycles  uint64
	outputs []int
}

// ExplainElement looks for the predicted lines that made an element of an output wrong.
func ExplainElement(p *experiment.Plan, q *WhyQuestion) (*Why, error) {
	study, err := experiment.NewStudy(p)
	if err != nil {
		return nil, err
	}
	s := &whySearch{plan: p, study: study, asked: q, why: &Why{Within: q.Within}, exempt: map[int]bool{}, outputs: p.Program.Outputs()}
	n := 0
	var wrong []int // numbers of the lines with wrong values, in order
	run, res, err := s.run(func(g *rfvp.Guess) bool {
		if g.WrongLanes() != 0 && len(wrong) < whyGuesses {
			wrong = append(wrong, n)
		}
		n++
		return false
	})
	if err != nil {
		return nil, err
	}
	if experiment.Reported[rfvp.Report](res) == nil {
		return nil, fmt.Errorf("loads.policy: the scenario predicts no loads: set loads.policy to rfvp")
	}
	s.cycles = uint64(run.Machine().Cycles())
	w := s.why
	w.Predicted, w.WrongLines, s.lines = n, len(wrong), len(wrong)
	if err := s.choose(res); err != nil {
		return nil, err
	}
	if w.AllExact, err = s.value(func(int) bool { return true }); err != nil {
		return nil, err
	}
	if s.right(w.Got) || !s.right(w.AllExact) {
		w.Complete = s.right(w.Got)
		return w, nil
	}
	for len(w.Causes) < q.Most && !w.Complete {
		c, err := s.next(wrong)
		if err != nil {
			return nil, err
		}
		w.Causes = append(w.Causes, *c)
		s.exempt[c.Number-1] = true
		got, err := s.value(func(n int) bool { return s.exempt[n] })
		if err != nil {
			return nil, err
		}
		w.Complete = s.right(got)
	}
	return w, nil
}

// next finds the first line in the order of prediction at which the element becomes wrong: it halves the list
// of lines with wrong values between a replay in which the element is right and one in which it is not.
func (s *whySearch) next(wrong []int) (*Cause, error) {
	until := func(k int) (float64, error) { // the first k wrong lines are as predicted
		first := math.MaxInt
		if k < len(wrong) {
			first = wrong[k]
		}
		return s.value(func(n int) bool { return n >= first || s.exempt[n] })
	}
	low, high := 0, len(wrong)
	before, after := s.why.AllExact, s.why.Got
	for high-low > 1 {
		middle := (low + high) / 2
		v, err := until(middle)
		if err != nil {
			return nil, err
		}
		if s.right(v) {
			low, before = middle, v
		} else {
			high, after = middle, v
		}
	}
	c := &Cause{Number: wrong[low] + 1, Before: before, After: after}
	n := 0
	var found *rfvp.Guess
	run, _, err := s.run(func(g *rfvp.Guess) bool {
		if n == wrong[low] {
			copied := *g
			found = &copied
		}
		n++
		return n > wrong[low]+1 || s.exempt[n-1]
	})
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fmt.Errorf("a replay made fewer predictions than the run: branches depend on predicted values, so line %d cannot be told", c.Number)
	}
	c.fill(run, found)
	return c, nil
}

// choose takes the element that is asked about.
func (s *whySearch) choose(res *experiment.Result) error {
	w, output, element := s.why, s.asked.Output, s.asked.Element
	var names []string
	worst := -1.0
	for k, i := range s.outputs {
		b := &s.plan.Program.Buffers[i]
		names = append(names, b.Name)
		if output != "" && output != b.Name {
			continue
		}
		count := len(res.Exact[k]) / b.Element.Bytes()
		if element >= count {
			return fmt.Errorf("element %d: output %s has %d elements: give 0 to %d", element, b.Name, count, count-1)
		}
		first, last := 0, count-1
		if element >= 0 {
			first, last = element, min(element+max(s.asked.Count, 1), count)-1
		}
		for at := first; at <= last; at++ {
			exact, got := b.Value(res.Exact[k], at), b.Value(res.Outputs[k], at)
			if e := errorOf(exact, got); e > worst {
				worst = e
				s.buffer, w.Output, w.Element, w.Exact, w.Got = k, b.Name, at, exact, got
			}
		}
		if output == "" && element >= 0 {
			break // the first output
		}
	}
	if worst < 0 {
		return fmt.Errorf("the program has no output %q: it has %s", output, strings.Join(names, ", "))
	}
	return nil
}

// errorOf is the distance of two values; infinite if exactly one of them is NaN.
func errorOf(exact, got float64) float64 {
	if exact == got || math.IsNaN(exact) && math.IsNaN(got) {
		return 0
	}
	if d := math.Abs(exact - got); !math.IsNaN(d) {
		return d
	}
	return math.Inf(1)
}

// right reports whether a value of the element counts as right.
func (s *whySearch) right(v float64) bool {
	e, all := errorOf(s.why.Exact, v), errorOf(s.why.Exact, s.why.Got)
	if math.IsInf(all, 1) {
		return !math.IsInf(e, 1)
	}
	return e <= float64(s.why.Within*all)
}

// value replays the run and returns the element. exact decides by a line's number.
func (s *whySearch) value(exact func(n int) bool) (float64, error) {
	n := 0
	run, res, err := s.run(func(*rfvp.Guess) bool { n++; return exact(n - 1) })
	if err != nil {
		return 0, err
	}
	s.why.Moved = s.why.Moved || uint64(run.Machine().Cycles()) != s.cycles
	return s.plan.Program.Buffers[s.outputs[s.buffer]].Value(res.Outputs[s.buffer], s.why.Element), nil
}

// expected estimates the replays: the run itself, one with every line exact, and for each cause the halvings
// of the list, one that describes the line, and one that tests whether the causes are enough.
func (s *whySearch) expected() int {
	return 2 + s.asked.Most*(bits.Len(uint(s.lines))+2)
}

// run replays the run under a replay.
func (s *whySearch) run(replay rfvp.Replay) (*experiment.Run, *experiment.Result, error) {
	s.why.Replays++
	if s.asked.Watch != nil {
		s.asked.Watch(s.why.Replays-1, s.expected())
	}
	r := s.study.Run(s.plan, experiment.Options{})
	for r.Machine() == nil {
		if _, err := r.Step(replayCycles); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range rfvp.PoliciesOf(r.Machine()) {
		p.Watch(replay)
	}
	res, err := r.Finish()
	return r, res, err
}

// fill describes a predicted line.
func (c *Cause) fill(r *experiment.Run, g *rfvp.Guess) {
	p := rfvp.PoliciesOf(r.Machine())[0]
	at := p.Loads().Places[g.Load]
	source := &at.Kernel.Source[at.PC]
	c.Cycle, c.SM, c.Warp, c.Launch = uint64(g.Cycle), g.SM, g.Slot, g.Launch
	c.Kernel, c.Line, c.File, c.FileLine, c.Text = at.Kernel.Name, source.Line, source.File, source.FileLine, approximate.Text(at.Kernel, at.PC)
	image := r.Machine().Image()
	if i := image.Find(g.Addr); i >= 0 {
		a := &image.Allocations()[i]
		c.Buffer, c.Offset = a.Name, uint64(g.Addr-a.Base)
	}
	wrong := g.WrongLanes()
	c.Lanes, c.Wrong, c.Lane = bits.OnesCount32(g.Lanes), bits.OnesCount32(wrong), bits.TrailingZeros32(wrong)
	load := approximate.Load{Kernel: at.Kernel, PC: at.PC}
	element := int(at.Kernel.Code[at.PC].Mem.Bytes)
	offset := int(g.Offset[c.Lane%32])
	for ; element > 0 && offset+element < mem.LineBytes && string(g.Predicted[offset:offset+element]) == string(g.Held[offset:offset+element]); offset += element {
	}
	c.Value, c.Held = valueAt(&g.Predicted, offset, element, load.Float()), valueAt(&g.Held, offset, element, load.Float())
}

// valueAt reads an element of a line.
func valueAt(line *mem.Line, offset, size int, float bool) float64 {
	b := line[offset:]
	switch {
	case float && size == 8:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case float && size == 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case size == 8:
		return float64(binary.LittleEndian.Uint64(b))
	case size == 4:
		return float64(binary.LittleEndian.Uint32(b))
	case size == 2:
		return float64(binary.LittleEndian.Uint16(b))
	}
	return float64(b[0])
}
