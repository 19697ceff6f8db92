package formula

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// Fill puts figures into a text: {B.cycles}, or with a format {B.error|%2}.
//
//	{f}     a whole number in groups of three digits; others with three digits after the point
//	{f|.2}  that many digits after the point
//	{f|%1}  in per cent, with that many digits after the point
//
// The page (site/src/lessons/formula.ts) fills in the same way; both run testdata/cases.json. Ties are rounded to even.
func Fill(text string, value Lookup) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		if strings.Contains(before, "}") {
			return "", fmt.Errorf("} without { in %s", fault.Quote(before))
		}
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("{ without } in %s", fault.Quote(rest))
		}
		formula, format, _ := strings.Cut(inside, "|")
		v, err := evaluate(formula, value)
		if err != nil {
			return "", err
		}
		figure, err := figureText(v, format)
		if err != nil {
			return "", err
		}
		b.WriteString(figure)
		text = after
	}
}

// figureText writes a figure.
func figureText(v float64, format string) (string, error) {
	if format == "" {
		if v == float64(int64(v)) {
			return groups(strconv.FormatInt(int64(v), 10)), nil
		}
		return groups(strconv.FormatFloat(v, 'f', 3, 64)), nil
	}
	if len(format) != 2 || format[0] != '.' && format[0] != '%' || format[1] < '0' || format[1] > '9' {
		return "", fmt.Errorf("%s is not a format: write .2 for digits after the point, %%1 for per cent", fault.Quote(format))
	}
	digits := int(format[1] - '0')
	if format[0] == '%' {
		return groups(strconv.FormatFloat(float64(v*100), 'f', digits, 64)) + " %", nil
	}
	return groups(strconv.FormatFloat(v, 'f', digits, 64)), nil
}

// groups puts commas between groups of three digits before the point.
func groups(number string) string {
	whole, fraction, found := strings.Cut(number, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		whole += "." + fraction
	}
	return sign + whole
}
