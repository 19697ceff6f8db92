package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/scheme"
)

// CriticalShare is the share of the misses that the critical loads cause (RFVP, section 3.1 and
// figure 3: about six loads cause more than 80 %).
const CriticalShare = 0.8

// RankedLoad is a load with its L1 misses. The paper's figure 3 counts misses of the last-level
// cache; RFVP drops misses of L1.
type RankedLoad struct {
	Kernel   string `json:"kernel"`
	Line     int32  `json:"line"` // of the PTX
	File     string `json:"file,omitempty"`
	FileLine uint32 `json:"fileLine,omitempty"`
	Text     string `json:"text"`
	Misses   uint64 `json:"misses"`
	// Cumulated is the share of this load and those in front of it.
	Cumulated float64 `json:"cumulated"`
	// Critical says that the load is one of the fewest that cause CriticalShare of the misses.
	Critical bool `json:"critical"`
	// Refused says why the load may not get predicted values; empty if it may.
	Refused string `json:"refused,omitempty"`
}

// RankLoads runs a program without a scheme and ranks its loads by L1 misses, the most first.
func RankLoads(p *Plan) ([]RankedLoad, error) {
	r, err := New(p.With(scheme.Default()), Options{})
	if err != nil {
		return nil, err
	}
	if _, err := r.Finish(); err != nil {
		return nil, err
	}
	var list []RankedLoad
	total := uint64(0)
	for _, k := range r.machine.Counts() {
		for _, pc := range approximate.Candidates(k.Kernel) {
			at := &k.Kernel.Source[pc]
			load := RankedLoad{
				Kernel: k.Kernel.Name, Line: k.Kernel.Code[pc].Line, File: at.File, FileLine: at.FileLine,
				Text: approximate.Text(k.Kernel, pc), Misses: k.Counts[pc].L1Misses, Refused: approximate.Refused(k.Kernel, pc),
			}
			list = append(list, load)
			total += load.Misses
		}
	}
	slices.SortStableFunc(list, func(a, b RankedLoad) int {
		switch {
		case a.Misses != b.Misses && a.Misses > b.Misses:
			return -1
		case a.Misses != b.Misses:
			return 1
		case a.Kernel != b.Kernel:
			return strings.Compare(a.Kernel, b.Kernel)
		}
		return int(a.Line - b.Line)
	})
	sum := uint64(0)
	for i := range list {
		list[i].Critical = Ratio(float64(sum), float64(total)) < CriticalShare && list[i].Misses > 0
		sum += list[i].Misses
		list[i].Cumulated = Ratio(float64(sum), float64(total))
	}
	return list, nil
}

// Selected returns the critical loads that may get predicted values, as a value of loads.which.
func Selected(list []RankedLoad) (string, error) {
	var kernels []string
	lines := map[string][]string{}
	var refused []string
	for i := range list {
		l := &list[i]
		switch {
		case !l.Critical:
		case l.Refused != "":
			refused = append(refused, fmt.Sprintf("kernel %s: %s", l.Kernel, l.Refused))
		default:
			if lines[l.Kernel] == nil {
				kernels = append(kernels, l.Kernel)
			}
			lines[l.Kernel] = append(lines[l.Kernel], fmt.Sprint(l.Line))
		}
	}
	if len(kernels) == 0 {
		if len(refused) == 0 {
			return "", fmt.Errorf("no load misses L1, so none is critical")
		}
		return "", fmt.Errorf("no critical load may get predicted values. %s", refused[0])
	}
	var items []string
	for _, k := range kernels {
		items = append(items, k+":"+strings.Join(lines[k], ","))
	}
	return strings.Join(items, ";"), nil
}
