package preset

import (
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
)

// Field is one value of a machine, for people.
type Field struct {
	Path   string `json:"path"`
	Value  string `json:"value"`
	Unit   string `json:"unit"`
	Doc    string `json:"doc"`
	Source string `json:"source"`
	// Preset is the preset's value if Value differs from it.
	Preset string `json:"preset,omitempty"`
	// Formula computes a derived value from the others.
	Formula string `json:"formula,omitempty"`
	Derived bool   `json:"derived,omitempty"`
	// Choices are the words the value may be; Low and High bound a number.
	Choices []string `json:"choices,omitempty"`
	Low     int64    `json:"low,omitempty"`
	High    int64    `json:"high,omitempty"`
}

// Describe lists every value of a GPU with its unit and source, in the order of the
// parts, and then the values derived from them.
func Describe(s *parameter.GPU) []Field {
	p := find(s.Name)
	if p == nil {
		panic("preset: there is no preset " + s.Name)
	}
	own := p.gpu.Values().Entries()
	var list []Field
	for i, e := range s.Values().Entries() {
		f := Field{
			Path: e.Path, Value: e.Text(), Unit: e.Unit, Doc: e.Doc, Source: p.sources[e.Path],
			Choices: e.Choices(), Low: e.Low, High: e.High,
		}
		if v := own[i].Text(); v != f.Value {
			f.Preset = v
		}
		list = append(list, f)
	}
	return append(list, derived(s)...)
}

// derived lists the values that follow from those of a GPU.
func derived(s *parameter.GPU) []Field {
	var list []Field
	add := func(path, value, unit, doc, formula string) {
		list = append(list, Field{Path: path, Value: value, Unit: unit, Doc: doc, Formula: formula, Derived: true, Source: "derived"})
	}
	number := func(n int) string { return strconv.Itoa(n) }
	add("derived.channels", number(s.Slices()), "channels", "memory channels and L2 slices", "controllers x channels")
	add("derived.peakBandwidth", fmt.Sprintf("%.1f", float64(s.PeakBytesPerSecond())/1e9), "GB/s", "peak bandwidth of DRAM",
		"controllers x channels x dram.bytesPerCommandClock x dramMHz")
	add("derived.l1Bytes", number(s.SM.L1.Bytes()), "bytes", "capacity of an L1", fmt.Sprintf("sm.l1.sets x sm.l1.ways x %d", mem.LineBytes))
	add("derived.l2Bytes", number(s.L2Bytes()), "bytes", "capacity of L2", fmt.Sprintf("controllers x channels x l2.sets x l2.ways x %d", mem.LineBytes))
	add("derived.threads", number(s.SMs*s.SM.Warps*32), "threads", "resident threads of the machine", "sms x sm.warps x 32")
	for _, l := range parameter.UnloadedLatencies(s) {
		add("derived."+l.Name, number(l.Cycles), "core cycles", l.Doc, l.Formula)
	}
	return list
}
