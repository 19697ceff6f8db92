// Package formula computes the arithmetic of lessons over the figures of two runs, and
// puts figures into texts.
package formula

import (
	"fmt"
	"math"
	"strings"

	"github.com/burstscope/burstscope/core/arithmetic"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/metric"
)

// A formula of a lesson is arithmetic over the results of sides A and B. Its names are
// A.NAME and B.NAME, where NAME is a counter, a metric or an input of metrics.

// Lookup returns the value of a figure of side 'A' or 'B', false if there is none.
type Lookup func(side byte, figure string) (float64, bool)

// Evaluate computes a formula. It returns an error if the formula is wrong, if a figure is
// missing, or if the value is not finite.
func Evaluate(text string, value Lookup) (float64, error) {
	v, err := evaluate(text, value)
	if err == nil && (math.IsInf(v, 0) || math.IsNaN(v)) {
		return 0, fmt.Errorf("%s has no finite value", fault.Quote(text))
	}
	return v, err
}

// Check checks a formula without results.
func Check(text string) error {
	_, err := evaluate(text, Any)
	return err
}

// Any returns 1 for every figure that exists.
func Any(_ byte, name string) (float64, bool) { return 1, metric.Known(name) }

func evaluate(text string, value Lookup) (float64, error) {
	return arithmetic.Evaluate(text, func(token string) (float64, error) {
		side, name, ok := strings.Cut(token, ".")
		if !ok || side != "A" && side != "B" {
			return 0, fmt.Errorf("%s is not a figure: write A.name or B.name, such as B.cycles", fault.Quote(token))
		}
		v, ok := value(side[0], name)
		if !ok {
			return 0, fmt.Errorf("a side has no figure %s: %s", fault.Quote(name), fault.MendWord(name, metric.Names()))
		}
		return v, nil
	})
}
