package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
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
	ran := &system.Counts{Stats: res.Stats, Launches: len(res.Launches)}
	var list []Idle
	add := func(path, title, did string) {
		if did != "" {
			list = append(list, Idle{path, title, strings.ToUpper(title[:1]) + title[1:] + " " + did + "."})
		}
	}
	for i := range scheme.Table {
		g := &scheme.Table[i]
		if g.Name == "memory" { // its codec and its approximation are two choices
			add(res.idleCodec(ran))
			add(res.idleApproximation(p, ran))
			continue
		}
		part := res.Part(g.Name)
		if e := g.Entry(part.Choice(g)); e != nil && e.Idle != nil {
			add(g.Name+"."+g.Key, e.Title, e.Idle(*part, ran))
		}
	}
	return list
}

// nothing is what an entry did of which nothing is to be seen.
func nothing(why string) string {
	if why == "" {
		return ""
	}
	return "did nothing: " + why
}

func (res *Result) idleCodec(ran *system.Counts) (path, title, did string) {
	m := &res.Memory
	name := m.Codec()
	if name == system.None {
		return
	}
	title = "the codec " + name // a module is named by its hash
	if row := codecs.Find(name); row != nil {
		title = row.Title
	}
	why := ""
	switch {
	case ran.Moved() == 0:
		why = system.NothingMoved
	case ran.Smaller() == 0:
		why = "no block that moved became smaller"
	}
	return "memory.codec", title, nothing(why)
}

func (res *Result) idleApproximation(p *workload.Program, ran *system.Counts) (path, title, did string) {
	row := codecs.Find(res.Memory.Approximation())
	if row == nil || ran.Lossy() > 0 {
		return
	}
	why := ""
	switch {
	case !slices.ContainsFunc(p.Buffers, func(b workload.Buffer) bool { return b.Safe }):
		why = "no allocation of this program may be approximated"
	case ran.Moved() == 0:
		why = system.NothingMoved
	default:
		why = fmt.Sprintf("no block that may be approximated ended at most %d bytes above a burst", res.Memory.Threshold())
	}
	return "memory.approximation", row.Title, nothing(why)
}
