package rfvp

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// SearchStart is the drop rate, in thousandths, at which the search for the highest one begins (section 3.3).
const SearchStart = 500

// claims has the words of the paper's claims.
type claims struct{}

// Words implements system.Claims.
func (claims) Words() system.Words {
	return system.Words{
		Group: "loads", Run: nameOfRun,
		Constants: []system.Constant{
			{Name: "rfvp.search_start", Read: func(*parameter.GPU) any { return SearchStart / 1000. }},
		},
		Measures: []system.Measure{{Name: "misses", Value: missShare}},
	}
}

// nameOfRun describes what a load miss may do.
func nameOfRun(p system.Part) string {
	switch p.Word("policy") {
	case Perforation:
		return fmt.Sprintf(", loops skip %g %%", float64(p.Int("skip"))/10)
	case Entry.Name:
	default:
		return ""
	}
	text := fmt.Sprintf(", RFVP drop %g %%", float64(p.Int("drop"))/10)
	if w := p.Word("predictor"); w != "two-delta" {
		text += " " + w
	}
	if p.Word("requests") == "sent" {
		text += " requests sent"
	}
	if p.Word("gaps") == "random" {
		text += " random gaps"
	}
	for _, name := range []string{"entries", "groups"} {
		if n := p.Int(name); n != Entry.Default(name) {
			text += " " + strconv.Itoa(n) + " " + name
		}
	}
	return text
}

// missShare is the share of the L1 misses that so many of the loads with the most misses cause.
func missShare(runs []system.Measured, args []any) (float64, error) {
	predicted := system.ReportIn[Report](runs[0])
	if predicted == nil {
		return 0, system.Lack("misses of " + runs[0].String())
	}
	top, _ := args[0].(int)
	var misses []float64
	total := 0.0
	for i := range predicted.Loads {
		n := float64(predicted.Loads[i].Misses)
		misses, total = append(misses, n), total+n
	}
	slices.Sort(misses)
	sum := 0.0
	for _, n := range misses[max(len(misses)-top, 0):] {
		sum += n
	}
	return sum / max(total, 1), nil
}
