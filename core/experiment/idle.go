package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/policy"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/core/workload"
)

// Idle is a choice of a scheme that changed nothing that a run moved or computed. A headline
// does not credit it.
type Idle struct {
	Path  string `json:"path"`  // of the choice, such as loads.policy
	Title string `json:"title"` // of its entry
	Text  string `json:"text"`  // a sentence that says so, and why
}

// idle lists the choices of a scheme that did nothing in a finished run.
func (res *Result) idle(p *workload.Program) []Idle {
	var list []Idle
	for _, of := range []func(*workload.Program) (path, title, why string){res.idleL1, res.idleLoads, res.idleCodec, res.idleApproximation, res.idleBacking} {
		path, title, why := of(p)
		if why == "" {
			continue
		}
		did := " did nothing: "
		if path == "backing.kind" && res.Backing.Word("kind") != "copies" {
			did = " sent nothing over its link: " // the room that it saves is another matter
		}
		list = append(list, Idle{path, title, strings.ToUpper(title[:1]) + title[1:] + did + why + "."})
	}
	return list
}

func (res *Result) sum(counters ...string) (n uint64) {
	for _, c := range counters {
		n += res.Stats[c]
	}
	return n
}

// lossy and smaller are blocks that crossed the bus with cut symbols, and in codes of any kind.
func (res *Result) lossy() uint64 { return res.sum("blocksReadLossy", "blocksWrittenLossy") }
func (res *Result) smaller() uint64 {
	return res.lossy() + res.sum("blocksReadLossless", "blocksWrittenLossless")
}
func (res *Result) moved() uint64 {
	return res.smaller() + res.sum("blocksReadRaw", "blocksWrittenRaw")
}

const nothingMoved = "no block was read from DRAM or written to it"

func (res *Result) idleCodec(*workload.Program) (path, title, why string) {
	m := &res.Memory
	name := m.Codec
	if name == system.None {
		return
	}
	title = "the codec " + name // a module is named by its hash
	if row := codecs.Find(name); row != nil {
		title = row.Title
	}
	switch {
	case res.moved() == 0:
		why = nothingMoved
	case res.smaller() == 0:
		why = "no block that moved became smaller"
	}
	return "memory.codec", title, why
}

func (res *Result) idleApproximation(p *workload.Program) (path, title, why string) {
	row := codecs.Find(res.Memory.Approximation)
	if row == nil || res.lossy() > 0 {
		return
	}
	switch {
	case !slices.ContainsFunc(p.Buffers, func(b workload.Buffer) bool { return b.Safe }):
		why = "no allocation of this program may be approximated"
	case res.moved() == 0:
		why = nothingMoved
	default:
		why = fmt.Sprintf("no block that may be approximated ended at most %d bytes above a burst", res.Memory.Threshold)
	}
	return "memory.approximation", row.Title, why
}

func (res *Result) idleL1(*workload.Program) (path, title, why string) {
	name := res.L1.Choice(scheme.Find("l1"))
	if name == system.None {
		return
	}
	row := policy.Find(name)
	switch {
	case res.Stats["l1Accesses"] == 0:
		why = "no load looked into L1"
	case res.Stats["l1Hits"] == 0:
		why = "no load hit L1"
	case row == nil && res.L1.Int("extraLatency") == 0:
		why = "it adds no cycles"
	case row != nil && row.Name != "raw" && res.L1.Int("extraLatency") == 0 && !res.compressedLines():
		why = "it compressed no line"
	}
	return "l1.store", scheme.TitleOf("l1", name), why
}

// compressedLines reports whether an L1 compressed a line, with any codec.
func (res *Result) compressedLines() bool {
	for c := range stat.NumCounters {
		if name := stat.Describe(c).Name; strings.HasPrefix(name, "l1Compressions") && res.Stats[name] > 0 {
			return true
		}
	}
	return false
}

func (res *Result) idleLoads(*workload.Program) (path, title, why string) {
	name := res.Loads.Choice(scheme.Find("loads"))
	if name == system.None || name == rfvp.PerforationEntry.Name || res.Stats["predictedLanes"] > 0 {
		return // a program without such a loop, or without an approximate load, is refused
	}
	switch {
	case res.Stats["approximateMisses"] == 0:
		why = "no load that may be predicted missed L1"
	case res.Loads.Int("drop") == 0:
		why = "its drop rate is 0"
	default:
		why = "no request that it could drop had a trained row"
	}
	return "loads.policy", scheme.TitleOf("loads", name), why
}

func (res *Result) idleBacking(*workload.Program) (path, title, why string) {
	kind := res.Backing.Choice(scheme.Find("backing"))
	if kind == system.None || res.sum("linkOutBytes", "linkInBytes") > 0 {
		return
	}
	switch {
	case kind == "copies":
		switch {
		case res.Backing.Int("copyKB") == 0:
			why = "it copies 0 KB"
		case len(res.Launches) < 2:
			why = "the program has one launch, and copies lie between two"
		}
	case res.moved() == 0:
		why = nothingMoved
	case kind == "bandwidth":
		return // it has no link, and the codec says if no entry became smaller
	case kind == "buddy":
		why = "no entry that moved is larger than its target"
	case kind == "unified":
		why = "device memory held every page"
	}
	return "backing.kind", scheme.TitleOf("backing", kind), why
}
