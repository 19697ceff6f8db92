// Package metric is the one table of metrics: numbers that follow from the counters of
// a run by a formula. The command line, the page, lessons, claims, sweeps and exports
// read it; a new metric is one row.
package metric

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/arithmetic"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
)

// ZeroRule says how an element counts whose exact value is 0, in every relative error but
// AxBench's own (core/workload) [ours: the papers do not say].
const ZeroRule = "An element whose exact value is 0 counts 0 if the output is 0 too, and 1 if not."

// Same is the relative difference below which two values are shown as equal, and all
// smaller ones with it: one half of the last digit of 0.1 %.
const Same = 0.0005

// OtherErrors returns the metrics that measure the error of the output in another way, where
// they say something of a run: none if the output is exact, and none whose value stands there
// already. The page compares what it writes of two sides (site/src/results/others.ts).
func OtherErrors(given func(name string) (float64, bool)) []*Metric {
	own, _ := Value("error", given)
	if capped, _ := Value("mreCapped", given); own == 0 && capped == 0 {
		return nil
	}
	seen := []float64{own}
	var list []*Metric
	for i := range Table {
		m := &Table[i]
		v, ok := Value(m.Name, given)
		if m.Under == "error" && ok && !slices.ContainsFunc(seen, func(w float64) bool { return math.Abs(v-w) <= equal*math.Abs(w) }) {
			seen, list = append(seen, v), append(list, m)
		}
	}
	return list
}

// equal is how far one sum, added up in two orders, can be from itself: a million roundings
// of 2^-53 each.
const equal = 1e-9

// Metric is a row.
type Metric = system.Metric

// Input is a number of a result that formulas may name beside counters.
type Input = system.Input

// Table is THE table of metrics: first the machine's, the most important first, then each system's. Inputs are
// the numbers of a result that are neither counters nor metrics.
var Table, Inputs = Assemble()

// Assemble makes both lists of what the machine and the systems have.
func Assemble() (table []Metric, inputs []Input) {
	table, inputs = slices.Clone(ofMachine), slices.Clone(inputsOfMachine)
	for i := range scheme.Systems {
		table, inputs = append(table, scheme.Systems[i].Metrics...), append(inputs, scheme.Systems[i].Inputs...)
	}
	return table, inputs
}

// inputsOfMachine are those that every run has.
var inputsOfMachine = []Input{
	{Name: "cycles", Unit: "core cycles"},
	{Name: "seconds", Unit: "s"},
	{Name: "error", Unit: "share"},
	{Name: "mre", Unit: "share"},
	{Name: "outputElements", Unit: "elements"},
	{Name: "outputZeros", Unit: "elements"},
	{Name: "outputNonzeros", Unit: "elements"},
	{Name: "outputZerosWrong", Unit: "elements"},
	{Name: "relativeErrorSum", Unit: "share"},
	{Name: "cappedErrorSum", Unit: "share"},
	{Name: "decisions", Unit: "elements"},
	{Name: "decisionsWrong", Unit: "elements"},
	{Name: "joules", Unit: "J"},
	{Name: "edpJouleSeconds", Unit: "J s"},
	{Name: "mag", Unit: "bytes"},
	{Name: "threshold", Unit: "bytes"},
	{Name: "decodingWays", Unit: "ways"},
	{Name: "sms", Unit: "SMs"},
	{Name: "slices", Unit: "L2 slices"},
	{Name: "channels", Unit: "channels"},
	{Name: "requestFlitBytes", Unit: "bytes"},
	{Name: "replyFlitBytes", Unit: "bytes"},
	{Name: "xbarClocks", Unit: "crossbar clocks in a cycle"},
	{Name: "peakBytesPerSecond", Unit: "bytes/s"},
}

// Find returns a metric by its name, nil if there is none.
func Find(name string) *Metric {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	return nil
}

// OfClaim returns a metric by the name that predicates of claims use for it.
func OfClaim(name string) *Metric {
	for i := range Table {
		if Table[i].Claim == name {
			return &Table[i]
		}
	}
	return Find(name)
}

// Names returns every name that a formula may use of a run: metrics, then inputs.
// Counters may be used as well.
func Names() []string {
	var names []string
	for i := range Table {
		names = append(names, Table[i].Name)
	}
	for _, in := range Inputs {
		if !slices.Contains(names, in.Name) {
			names = append(names, in.Name)
		}
	}
	return names
}

// Known reports whether a formula may use a name.
func Known(name string) bool {
	_, counter := stat.ByName(name)
	return counter || Find(name) != nil || isInput(name)
}

func isInput(name string) bool {
	return slices.ContainsFunc(Inputs, func(in Input) bool { return in.Name == name })
}

// maxUses bounds how deep formulas use other metrics [ours]: a circle ends there.
const maxUses = 8

// Value computes the value of a name from what a result holds: given answers counters
// and inputs. It returns false without a value: with 0 if given lacks an input of the
// formula, and with NaN if the formula divides by a count of events that is 0.
func Value(name string, given func(name string) (float64, bool)) (float64, bool) {
	v, err := value(name, given, 0)
	if err != nil {
		return 0, false
	}
	if math.IsInf(v, 0) {
		v = math.NaN()
	}
	return v, !math.IsNaN(v)
}

func value(name string, given func(string) (float64, bool), uses int) (float64, error) {
	if v, ok := given(name); ok {
		return v, nil
	}
	m := Find(name)
	if m == nil || m.Formula == name || uses == maxUses {
		return 0, fmt.Errorf("no value for %s", name)
	}
	if m.Needs != "" {
		if _, ok := given(m.Needs); !ok {
			return 0, fmt.Errorf("no value for %s without %s", name, m.Needs)
		}
	}
	return arithmetic.Evaluate(m.Formula, func(n string) (float64, error) { return value(n, given, uses+1) })
}
