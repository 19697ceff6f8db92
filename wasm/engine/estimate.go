//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/core/estimate"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
)

// estimating keeps the traffic of the last finished run of each side and codes it under the settings of
// the latest question.
type estimating struct {
	recorded map[string]*recorded
	step     js.Func
	asked    *estimateQuestion // nil = none in progress
}

type recorded struct {
	key     string
	traffic *experiment.Recorded
}

// estimateQuestion is a message "estimate" in progress.
type estimateQuestion struct {
	id    js.Value
	names []string
	work  []*estimate.Work
	sides object
}

const (
	// estimateMilliseconds bounds a slice, so that a later question takes its place soon.
	estimateMilliseconds = 8
	// estimateContents are coded between two looks at the clock.
	estimateContents = 256
)

// trafficKey names what a scenario's traffic depends on, without its image: the page knows whether it is
// the image of the run.
func trafficKey(s *scenario.Scenario) string {
	t := *s
	t.Workload.Image = nil
	return experiment.TrafficKey(&t)
}

// keep replaces the traffic of a side that has finished.
func (e *estimating) keep(s *side) {
	if r := s.run.Recorded(); r != nil {
		e.recorded[s.name] = &recorded{s.traffic, r}
	} else {
		delete(e.recorded, s.name)
	}
}

// of finds the traffic for a scheme: that of the side itself, or of the other side if only that one compressed
// its blocks as the scheme does, or only that one is of the same program.
func (e *estimating) of(name, key string, compressed bool) *experiment.Recorded {
	var best *experiment.Recorded
	for _, from := range []string{name, "A", "B"} {
		r := e.recorded[from]
		if r == nil || r.key != key || best != nil && r.traffic.Compressed() != compressed {
			continue
		}
		if best == nil || best.Compressed() != compressed {
			best = r.traffic
		}
	}
	return best
}

// ask begins the estimates of a message. They take the place of those in progress.
func (e *estimating) ask(msg js.Value) {
	q := &estimateQuestion{id: msg.Get("id"), sides: object{}}
	for _, name := range []string{"A", "B"} {
		v := msg.Get("sides").Get(name)
		if v.Type() != js.TypeObject {
			continue
		}
		refuse := func(what string) { q.sides[name] = object{"what": what} }
		s, err := parseScenario(v, nil)
		if err != nil {
			refuse(err.Error())
			continue
		}
		r := e.of(name, trafficKey(s), s.Memory.Codec() != "none")
		if r == nil {
			refuse("no run of this program on this machine has finished")
			continue
		}
		w, err := r.Start(s.Memory)
		if err != nil {
			refuse(err.Error())
			continue
		}
		q.names, q.work = append(q.names, name), append(q.work, w)
	}
	idle := e.asked == nil
	if e.asked = q; idle {
		e.slice()
	}
}

// slice works on the question for a while and answers when all is coded.
func (e *estimating) slice() {
	q, until := e.asked, milliseconds()+estimateMilliseconds
	for i, w := range q.work {
		for !w.Step(estimateContents) {
			if milliseconds() >= until {
				js.Global().Call("burstscopeYield", e.step)
				return
			}
		}
		if q.sides[q.names[i]] == nil {
			if err := w.Err(); err != nil {
				q.sides[q.names[i]] = object{"what": "memory.module: " + err.Error()}
				continue
			}
			q.sides[q.names[i]] = toJS(w.Estimate())
		}
	}
	e.asked = nil
	post(object{"type": "estimated", "id": q.id, "sides": q.sides})
}
