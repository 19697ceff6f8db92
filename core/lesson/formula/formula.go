// Package formula computes the arithmetic of lessons over the figures of two runs, and
// puts figures into texts.
package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/stat"
)

// A formula of a lesson is arithmetic over the results of sides A and B:
//
//	A.dramReadBytes / B.dramReadBytes
//	B.cycles < A.cycles and B.error < 0.01
//	ceil(71 / 32)
//
// Names are figures of a side: those of figures, and every counter. Comparisons and
// and, or are 1 when true and 0 when not. Numbers are float64, each operation rounded
// by itself, so that the page (site/src/lessons/formula.ts) gets the same bits.
const (
	maxFormulaBytes = 400
	maxFormulaDepth = 24
)

// figures are what a side has beside its counters; core/lesson and the page
// (site/src/lessons/formula.ts) know where a result keeps them.
var figures = []string{
	"cycles", "seconds", "warpInstructions", "threadInstructions", "dramReadBytes", "dramWriteBytes", "burstsRead", "burstsWritten", "burstsSaved",
	"bandwidthShare", "compressionRatioRaw", "compressionRatioEffective", "metadataHitRate", "l1HitRate", "l2HitRate", "lossyShare", "error",
	"joules", "mag", "threshold", "decodingWays",
}

// Figures returns the names of what a formula may use of a side besides counters.
func Figures() []string { return append([]string(nil), figures...) }

func Known(name string) bool {
	if slices.Index(figures, name) >= 0 {
		return true
	}
	for c := range stat.NumCounters {
		if stat.Describe(c).Name == name {
			return true
		}
	}
	return false
}

// Lookup answers the value of a figure of side 'A' or 'B', false if it has none.
type Lookup func(side byte, figure string) (float64, bool)

// Evaluate computes a formula. Its errors say what is wrong with the formula, or that a
// figure is missing; what has no finite value is an error too.
func Evaluate(formula string, value Lookup) (float64, error) {
	v, err := evaluate(formula, value)
	if err == nil && (math.IsInf(v, 0) || math.IsNaN(v)) {
		return 0, fmt.Errorf("%s has no finite value", fault.Quote(formula))
	}
	return v, err
}

// Check says what is wrong with a formula before there are results.
func Check(formula string) error {
	_, err := evaluate(formula, func(_ byte, name string) (float64, bool) { return 1, Known(name) })
	return err
}

func evaluate(formula string, value Lookup) (float64, error) {
	if len(formula) > maxFormulaBytes {
		return 0, fmt.Errorf("%d bytes of formula: use at most %d", len(formula), maxFormulaBytes)
	}
	f := formulaReader{text: formula, value: value}
	v, err := f.binary(0, 0)
	if err == nil && f.peek() != "" {
		err = f.unexpected("an operator")
	}
	return v, err
}

// formulaReader computes while it reads.
type formulaReader struct {
	text  string
	at    int
	value Lookup
}

// operators by how strongly they bind, weakest first.
var operators = [][]string{{"or"}, {"and"}, {"<=", ">=", "==", "!=", "<", ">"}, {"+", "-"}, {"*", "/"}}

// peek returns the token at f.at, "" at the end.
func (f *formulaReader) peek() string {
	for f.at < len(f.text) && (f.text[f.at] == ' ' || f.text[f.at] == '\n') {
		f.at++
	}
	rest := f.text[f.at:]
	if rest == "" {
		return ""
	}
	if len(rest) > 1 && strings.IndexByte("<>=!", rest[0]) >= 0 && rest[1] == '=' {
		return rest[:2]
	}
	n := 0
	for n < len(rest) && (isWord(rest[n]) || rest[n] == '.') {
		n++
	}
	return rest[:max(n, 1)]
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// next takes the token if it is one of words, and says which.
func (f *formulaReader) next(words ...string) string {
	token := f.peek()
	if token == "" || slices.Index(words, token) < 0 {
		return ""
	}
	f.at += len(token)
	return token
}

func (f *formulaReader) unexpected(want string) error {
	token := f.peek()
	if token == "" {
		return fmt.Errorf("the formula ends where %s should be", want)
	}
	return fmt.Errorf("%s where %s should be, at byte %d", fault.Quote(token), want, f.at)
}

func (f *formulaReader) binary(level, depth int) (float64, error) {
	if level == len(operators) {
		return f.operand(depth)
	}
	left, err := f.binary(level+1, depth)
	for err == nil {
		operator := f.next(operators[level]...)
		if operator == "" {
			break
		}
		var right float64
		if right, err = f.binary(level+1, depth); err == nil {
			left = apply(operator, left, right)
		}
	}
	return left, err
}

func apply(operator string, a, b float64) float64 {
	switch operator {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return float64(a * b)
	case "/":
		return a / b
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "and":
		return truth(a != 0 && b != 0)
	}
	return truth(a != 0 || b != 0)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (f *formulaReader) operand(depth int) (float64, error) {
	if depth > maxFormulaDepth {
		return 0, fmt.Errorf("nested more than %d deep", maxFormulaDepth)
	}
	if f.next("-") != "" {
		v, err := f.operand(depth + 1)
		return -v, err
	}
	if f.next("(") != "" {
		return f.closed(depth)
	}
	token := f.peek()
	if token == "" || !isWord(token[0]) {
		return 0, f.unexpected("a number or a figure")
	}
	if c := token[0]; c >= '0' && c <= '9' {
		// No exponents and no hexadecimal, which the page would read otherwise.
		v, err := strconv.ParseFloat(token, 64)
		if err != nil || strings.Trim(token, "0123456789.") != "" {
			return 0, fmt.Errorf("%s is not a number, at byte %d", fault.Quote(token), f.at)
		}
		f.at += len(token)
		return v, nil
	}
	if call := f.next("ceil", "floor", "round", "abs"); call != "" {
		if f.next("(") == "" {
			return 0, f.unexpected("(")
		}
		v, err := f.closed(depth)
		return round(call, v), err
	}
	side, name, ok := strings.Cut(token, ".")
	if !ok || side != "A" && side != "B" {
		return 0, fmt.Errorf("%s is not a figure: write A.name or B.name, such as B.cycles", fault.Quote(token))
	}
	v, ok := f.value(side[0], name)
	if !ok {
		return 0, fmt.Errorf("a side has no figure %s: %s", fault.Quote(name), fault.MendWord(name, figures))
	}
	f.at += len(token)
	return v, nil
}

// closed reads an expression and the bracket behind it.
func (f *formulaReader) closed(depth int) (float64, error) {
	v, err := f.binary(0, depth+1)
	if err == nil && f.next(")") == "" {
		err = f.unexpected(")")
	}
	return v, err
}

// round rounds halves up, as JavaScript's Math.round does.
func round(how string, v float64) float64 {
	switch how {
	case "ceil":
		return math.Ceil(v)
	case "floor":
		return math.Floor(v)
	case "round":
		return math.Floor(v + 0.5)
	}
	return math.Abs(v)
}
