// Package arithmetic computes arithmetic that is written as text: formulas of metrics and
// of lessons.
//
//	burstsSaved / (burstsRead + burstsWritten + burstsSaved)
//	B.cycles < A.cycles and B.error < 0.01
//	ceil(71 / 32)
//
// Names are whatever the caller knows. Comparisons and and, or are 1 when true and 0
// when not. Numbers are float64, each operation rounded by itself, so that the page
// (site/src/lessons/formula.ts) gets the same bits: both run core/lesson/formula/testdata/cases.json.
package arithmetic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Limits of a formula [ours]: lessons come from strangers.
const (
	maxBytes = 400
	maxDepth = 24
)

// Lookup answers the value of a name, or says what is wrong with the name.
type Lookup func(name string) (float64, error)

// Evaluate computes a formula. Its errors say what is wrong and at which byte. The
// value may be infinite or NaN.
func Evaluate(text string, value Lookup) (float64, error) {
	if len(text) > maxBytes {
		return 0, fmt.Errorf("%d bytes of formula: use at most %d", len(text), maxBytes)
	}
	r := reader{text: text, value: value}
	v, err := r.binary(0, 0)
	if err == nil && r.peek() != "" {
		err = r.unexpected("an operator")
	}
	return v, err
}

// reader computes while it reads.
type reader struct {
	text  string
	at    int
	value Lookup
}

// operators by how strongly they bind, weakest first.
var operators = [][]string{{"or"}, {"and"}, {"<=", ">=", "==", "!=", "<", ">"}, {"+", "-"}, {"*", "/"}}

// calls are the functions, with their numbers of arguments.
var calls = []struct {
	name      string
	arguments int
}{{"ceil", 1}, {"floor", 1}, {"round", 1}, {"abs", 1}, {"min", 2}, {"max", 2}}

// peek returns the token at r.at, "" at the end.
func (r *reader) peek() string {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\n') {
		r.at++
	}
	rest := r.text[r.at:]
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
func (r *reader) next(words ...string) string {
	token := r.peek()
	if token == "" || !slices.Contains(words, token) {
		return ""
	}
	r.at += len(token)
	return token
}

func (r *reader) unexpected(want string) error {
	token := r.peek()
	if token == "" {
		return fmt.Errorf("the formula ends where %s should be", want)
	}
	return fmt.Errorf("%q where %s should be, at byte %d", token[:min(len(token), 40)], want, r.at)
}

func (r *reader) binary(level, depth int) (float64, error) {
	if level == len(operators) {
		return r.operand(depth)
	}
	left, err := r.binary(level+1, depth)
	for err == nil {
		operator := r.next(operators[level]...)
		if operator == "" {
			break
		}
		var right float64
		if right, err = r.binary(level+1, depth); err == nil {
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

func (r *reader) operand(depth int) (float64, error) {
	if depth > maxDepth {
		return 0, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	if r.next("-") != "" {
		v, err := r.operand(depth + 1)
		return -v, err
	}
	if r.next("(") != "" {
		return r.closed(depth)
	}
	token := r.peek()
	if token == "" || !isWord(token[0]) {
		return 0, r.unexpected("a number or a figure")
	}
	if c := token[0]; c >= '0' && c <= '9' {
		// No exponents and no hexadecimal, which the page would read otherwise.
		v, err := strconv.ParseFloat(token, 64)
		if err != nil || strings.Trim(token, "0123456789.") != "" {
			return 0, fmt.Errorf("%q is not a number, at byte %d", token[:min(len(token), 40)], r.at)
		}
		r.at += len(token)
		return v, nil
	}
	for _, c := range calls {
		if r.next(c.name) != "" {
			return r.call(c.name, c.arguments, depth)
		}
	}
	v, err := r.value(token)
	r.at += len(token)
	return v, err
}

// call reads the arguments of a function and applies it.
func (r *reader) call(name string, arguments, depth int) (float64, error) {
	if r.next("(") == "" {
		return 0, r.unexpected("(")
	}
	if arguments == 1 {
		v, err := r.closed(depth)
		return round(name, v), err
	}
	a, err := r.binary(0, depth+1)
	if err != nil {
		return 0, err
	}
	if r.next(",") == "" {
		return 0, r.unexpected(",")
	}
	b, err := r.closed(depth)
	if name == "min" {
		return min(a, b), err
	}
	return max(a, b), err
}

// closed reads an expression and the bracket after it.
func (r *reader) closed(depth int) (float64, error) {
	v, err := r.binary(0, depth+1)
	if err == nil && r.next(")") == "" {
		err = r.unexpected(")")
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
