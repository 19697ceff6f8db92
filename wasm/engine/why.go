//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/rfvp/study"
)

// explainElement answers which predicted lines made an element of an output wrong, as `burstscope why` does. The
// page asks an engine of its own and ends its worker to give up: nothing comes between the replays.
func explainElement(msg js.Value) {
	s, err := parseScenario(msg.Get("scenario"), bytesOf(msg.Get("image")))
	var w *study.Why
	if err == nil {
		var plan *experiment.Plan
		if plan, err = experiment.PlanOf(s); err == nil {
			w, err = study.ExplainElement(plan, &study.WhyQuestion{
				Output: text(msg, "output"), Element: number(msg, "element"), Count: number(msg, "count"), Most: number(msg, "most"), Within: msg.Get("within").Float(),
				Watch: func(replays, expected int) {
					post(object{"type": "whyProgress", "replays": replays, "expected": expected})
				},
			})
		}
	}
	if err != nil {
		what, where, mend := wordsOf(err)
		post(object{"type": "error", "what": what, "where": where, "mend": mend})
		return
	}
	post(object{"type": "why", "why": toJS(w)})
}
