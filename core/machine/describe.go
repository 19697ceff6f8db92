package machine

import (
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/mem"
)

// Field is one value of a machine, for people.
type Field struct {
	Path   string `json:"path"`
	Value  string `json:"value"`
	Unit   string `json:"unit"`
	Doc    string `json:"doc"`
	Source string `json:"source"`
	// Preset is the preset's value where Value is another.
	Preset string `json:"preset,omitempty"`
	// Formula says how a derived value follows from the others.
	Formula string `json:"formula,omitempty"`
	Derived bool   `json:"derived,omitempty"`
	// Choices are the words the value may be; Low and High bound a number.
	Choices []string `json:"choices,omitempty"`
	Low     int64    `json:"low,omitempty"`
	High    int64    `json:"high,omitempty"`
}

// Describe lists every value of a machine with its unit and source, in the order
// of the parts, and then what follows from them.
func Describe(s *Spec) []Field {
	p := find(s.Name)
	if p == nil {
		panic("machine: " + s.Name + " is no preset")
	}
	own := newTable(p.spec())
	var list []Field
	for i, e := range newTable(s).entries {
		f := Field{
			Path: e.info.path, Value: e.leaf.text(), Unit: e.info.unit, Doc: e.info.doc, Source: p.sourceOf(e.info.path),
			Choices: choices(e.leaf.value.Type()), Low: e.info.low, High: e.info.high,
		}
		if v := own.entries[i].leaf.text(); v != f.Value {
			f.Preset = v
		}
		list = append(list, f)
	}
	return append(list, derived(s)...)
}

// derived lists what follows from a machine's values.
func derived(s *Spec) []Field {
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
	for _, l := range UnloadedLatencies(s) {
		add("derived."+l.Name, number(l.Cycles), "core cycles", l.Doc, l.Formula)
	}
	return list
}

// Latency is the time of a dependent load in a machine that does nothing else.
type Latency struct {
	Name    string
	Cycles  int
	Doc     string
	Formula string
}

// UnloadedLatencies adds up the ways of loads from issue to use.
func UnloadedLatencies(s *Spec) []Latency {
	// Issue, the cycle in L2, and the flits of the reply behind the first.
	reply := mem.LineBytes
	if s.SM.L1.Sectored {
		reply = mem.SectorBytes
	}
	rest := 2 + int(mem.Flits(reply, s.L2.FlitBytes)) - 1
	l2 := s.SM.L1.PassCycles + s.RequestLatencyCycles + s.L2LatencyCycles + s.ReplyLatencyCycles + rest
	return []Latency{
		{"l1HitLatency", s.SM.L1.LatencyCycles + 1, "load to use, L1 hit", "sm.l1.latencyCycles + 1"},
		{"sharedLatency", s.SM.SharedLatency + 1, "load to use, shared memory", "sm.sharedLatency + 1"},
		{"l2HitLatency", l2, "load to use, L2 hit", fmt.Sprintf("sm.l1.passCycles + requestLatencyCycles + l2LatencyCycles + replyLatencyCycles + 2 + the %d further flits of what L1 asks for", rest-2)},
	}
}
