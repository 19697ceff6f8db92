package argument

import (
	"fmt"
	"math"
	"strings"

	"github.com/burstscope/burstscope/core/arithmetic"
	"github.com/burstscope/burstscope/core/fault"
)

// Names are the values that formulas of a launch may use: launch, i (the round of the innermost loop), and the names
// of the loops around it.
type Names map[string]int64

// lookup answers a name. Without names every name is 1, to check a formula's syntax.
func (n Names) lookup(name string) (float64, error) {
	if v, ok := n[name]; ok || n == nil {
		if n == nil {
			v = 1
		}
		return float64(v), nil
	}
	switch name {
	case "launch":
		return 0, fmt.Errorf("the number of the launch is not known after a loop that ends early: use i, the round")
	case "i":
		return 0, fmt.Errorf("i, the round, is known in loops only")
	}
	return 0, fmt.Errorf("there is no loop %s around the launch", fault.Quote(name))
}

// CheckFormula reports whether a text is a formula.
func CheckFormula(text string) error {
	_, err := Names(nil).Evaluate(text)
	return err
}

// Evaluate computes a formula.
func (n Names) Evaluate(text string) (float64, error) {
	v, err := arithmetic.Evaluate(text, n.lookup)
	if err != nil {
		return 0, fmt.Errorf("the formula %s: %w", fault.Quote(text), err)
	}
	return v, nil
}

// largestWhole is the largest number up to which float64 has every integer.
const largestWhole = 1 << 53

// Whole computes a whole number: digits, or @ and a formula.
func (n Names) Whole(text string) (int64, error) {
	formula, ok := strings.CutPrefix(text, "@")
	if !ok {
		bits, err := number("s64", text)
		if err != nil {
			return 0, fmt.Errorf("%s is not a whole number: write digits, or @ and a formula", fault.Quote(text))
		}
		return int64(bits), nil
	}
	v, err := n.Evaluate(formula)
	if err == nil && (v != math.Trunc(v) || math.Abs(v) > largestWhole) {
		err = fmt.Errorf("the formula %s is %v, not a whole number: use floor or ceil", fault.Quote(formula), v)
	}
	return int64(v), err
}

// bits returns the bits of a number of a type: a literal, or @ and a formula.
func (n Names) bits(typ, text string) (uint64, error) {
	formula, ok := strings.CutPrefix(text, "@")
	if !ok {
		bits, err := number(typ, text)
		if err != nil {
			return 0, fmt.Errorf("%s is not a number of type %s", fault.Quote(text), typ)
		}
		return bits, nil
	}
	v, err := n.Evaluate(formula)
	switch {
	case err != nil:
		return 0, err
	case typ == "f32":
		return uint64(math.Float32bits(float32(v))), nil
	case typ == "f64":
		return math.Float64bits(v), nil
	}
	whole, err := n.Whole(text)
	if err != nil {
		return 0, err
	}
	bits, err := number(typ, fmt.Sprint(whole))
	if err != nil {
		err = fmt.Errorf("the formula %s is %d, which does not fit into %s", fault.Quote(formula), whole, typ)
	}
	return bits, err
}

// BitsOf returns the value of a number or a formula.
func (s *Argument) BitsOf(n Names) (uint64, error) {
	switch s.Kind {
	case Formula:
		return n.bits(s.Type, "@"+s.Text)
	case Launch:
		v, err := n.Whole("@launch")
		return uint64(v) & (^uint64(0) >> (64 - 8*s.Bytes)), err
	}
	return s.Bits, nil
}
