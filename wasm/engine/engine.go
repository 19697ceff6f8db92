//go:build js

package main

import (
	"errors"
	"fmt"
	"syscall/js"

	"github.com/burstscope/burstscope/core/catalog"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/ptx/syntax"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/wasm/engine/budget"
)

// engine is the state of the worker: at most one pair of runs.
type engine struct {
	run    int
	sides  []*side
	step   js.Func
	active bool // a slice is scheduled
	posted float64

	seeking  *seeking // nil = no search
	seekStep js.Func

	tracing   *tracing // nil = none
	traceStep js.Func

	explaining explaining

	points points

	labbing *labSurvey // in progress, nil = none
	labbed  *labSurvey // the last finished survey, nil = none
	fitted  *fitted    // the last profiled files, nil = none
}

const (
	// sliceMilliseconds bounds the work between two looks at the message queue. It is well
	// below 100 ms, the time in which a cancel must take effect.
	sliceMilliseconds = 24
	// stepCycles is the smallest unit of work inside a slice.
	stepCycles = 256
	// progressMilliseconds is the time between two progress messages.
	progressMilliseconds = 60
)

func (e *engine) ready() object {
	lists, err := catalog.New()
	if err != nil {
		panic(err)
	}
	return object{
		"type": "ready", "version": experiment.Version, "presets": toJS(lists.Presets), "workloads": toJS(lists.Workloads),
		"codecs": toJS(lists.Codecs), "metrics": toJS(lists.Metrics), "schemes": toJS(lists.Schemes), "counters": counterDocs(),
	}
}

func topology(s *parameter.GPU) object {
	return object{
		"name": s.Name, "preset": s.Name, "title": s.Title, "source": s.Source,
		"sms": s.SMs, "warpsPerSM": s.SM.Warps, "slices": s.Slices(), "controllers": s.Controllers, "channels": s.Slices(),
		"banks": s.DRAM.Banks, "coreMHz": int(s.CoreMHz), "dramMHz": int(s.DRAMMHz),
		"requestFlitBytes": s.SM.FlitBytes, "replyFlitBytes": s.L2.FlitBytes,
		"l1Bytes": s.SM.L1.Bytes(), "l2Bytes": s.L2Bytes(),
		"peakBytesPerCycle":  float64(s.PeakBytesPerSecond()) / (float64(s.CoreMHz) * 1e6),
		"peakBytesPerSecond": float64(s.PeakBytesPerSecond()),
	}
}

// start begins a pair of runs and replaces any earlier pair.
func (e *engine) start(msg js.Value) {
	e.stop()
	e.run = number(msg, "run")
	given := msg.Get("sides")
	if given.Type() != js.TypeObject {
		post(failure(e.run, "", "nothing to run", "message run: sides", "send sides {A, B} with a scenario each"))
		return
	}
	png := []byte(nil)
	if image := msg.Get("image"); image.Type() == js.TypeObject {
		if png = bytesOf(image.Get("png")); png == nil {
			post(failure(e.run, "", "the image has no bytes", "message run: image.png", "send the PNG file as a Uint8Array"))
			return
		}
	}
	var study *experiment.Study
	var first *scenario.Scenario
	for _, name := range []string{"A", "B"} {
		v := given.Get(name)
		if v.Type() != js.TypeObject && v.Type() != js.TypeString {
			continue
		}
		s, err := parseScenario(v, png)
		if err == nil && (first == nil || !sameProgram(first, s)) {
			first = s
			study = nil
		}
		var sd *side
		if err == nil {
			sd, err = newSide(name, s, &study)
		}
		if err != nil {
			e.sides = nil
			e.fail(name, err)
			return
		}
		e.sides = append(e.sides, sd)
	}
	if len(e.sides) == 0 {
		post(failure(e.run, "", "nothing to run", "message run: sides", "send sides {A, B} with a scenario each"))
		return
	}
	runs := make([]uint64, len(e.sides))
	for i, s := range e.sides {
		runs[i] = s.study.RunBytes(s.plan)
	}
	b, err := budget.Share(runs)
	if err != nil {
		e.sides = nil
		e.fail("", err)
		return
	}
	for _, s := range e.sides {
		s.prepare(b)
	}
	e.schedule()
}

// parseScenario reads a scenario given as a JSON object or text. The image of the
// message replaces the scenario's image.
func parseScenario(v js.Value, png []byte) (*scenario.Scenario, error) {
	source := ""
	if v.Type() == js.TypeString {
		source = v.String()
	} else {
		source = js.Global().Get("JSON").Call("stringify", v).String()
	}
	s, err := scenario.ParseJSON("scenario", []byte(source))
	if err != nil {
		return nil, err
	}
	if png != nil {
		s.Workload.Image = png
		if err := s.Validate(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// sameProgram reports whether two scenarios differ only in their memory schemes.
func sameProgram(a, b *scenario.Scenario) bool {
	x, y := *a, *b
	x.Scheme, y.Scheme = scheme.Default(), scheme.Default()
	return x.Hash() == y.Hash()
}

func (e *engine) schedule() {
	e.active = true
	js.Global().Call("burstscopeYield", e.step)
}

func (e *engine) stop() {
	e.sides, e.active, e.tracing, e.seeking = nil, false, nil, nil
	e.explaining.of, e.explaining.trained = nil, nil
}

// slice works for one slice and then lets the worker read its messages.
func (e *engine) slice() {
	defer e.recovered()
	if !e.active {
		return
	}
	e.active = false
	until := milliseconds() + sliceMilliseconds
	if e.seeking != nil {
		until += seekRunMilliseconds - sliceMilliseconds
	}
	for milliseconds() < until {
		s := e.next()
		if s == nil {
			break
		}
		if err := s.step(e.run); err != nil {
			e.fail(s.name, err)
			e.stop()
			return
		}
		if s.done {
			s.finish(e.run)
		}
	}
	for _, s := range e.sides {
		s.flush(e.run, false)
	}
	if e.next() == nil {
		e.finish()
		return
	}
	if now := milliseconds(); now-e.posted > progressMilliseconds {
		e.posted = now
		e.progress()
	}
	e.schedule()
}

// next returns the side that is behind, nil when all are done.
func (e *engine) next() *side {
	var best *side
	for _, s := range e.sides {
		if !s.done && (best == nil || s.before(best)) {
			best = s
		}
	}
	return best
}

func (e *engine) progress() {
	sides := object{}
	phase, fraction := experiment.PhaseDone, 0.0
	for _, s := range e.sides {
		phase = min(phase, s.run.Phase())
		sides[s.name] = s.progress()
		// As long as the page gets events, it computes the bandwidth from them.
		if n := len(s.series); s.dropped > 0 && !s.done && n-s.seriesSent > n/64 {
			s.seriesSent = n
			s.sendSeries(e.run)
		}
		fraction += s.fraction() / float64(len(e.sides))
	}
	post(object{"type": "progress", "run": e.run, "phase": phase.String(), "fraction": fraction, "sides": sides})
}

func (e *engine) finish() {
	e.progress()
	hashes := object{}
	for _, s := range e.sides {
		hashes[s.name] = s.result.ResultHash
	}
	post(object{"type": "done", "run": e.run, "resultHashes": hashes})
}

// cancel ends a run. It posts memory and outputs as they are. It posts no figures:
// figures of half a run mean little, and computing them would delay the answer.
func (e *engine) cancel(run int) {
	if run != e.run || !e.active {
		return
	}
	e.active = false
	for _, s := range e.sides {
		if !s.done {
			s.run.Cancel()
			s.abandon(e.run)
		}
	}
	post(object{"type": "cancelled", "run": run})
}

// fail reports an error of a scenario, a program or a run.
func (e *engine) fail(name string, err error) {
	what, where, mend := wordsOf(err)
	if where == "" {
		where = "scheme " + name
	}
	message := failure(e.run, name, what, where, mend)
	message["marks"] = marksOf(err)
	post(message)
}

// wordsOf splits an error into what is wrong, where, and what to do, as far as it says.
func wordsOf(err error) (what, where, mend string) {
	var faults *fault.Errors
	var fault *execute.Fault
	var illegal syntax.Errors
	switch {
	case errors.As(err, &faults) && len(faults.List) > 0:
		f := faults.List[0]
		what, where, mend = f.Message, f.Path, f.Mend
		if n := len(faults.List) - 1; n > 0 {
			mend += fmt.Sprintf(" (and %d more)", n)
		}
	case errors.As(err, &fault):
		what = "the kernel failed: " + fault.Message
		where = fmt.Sprintf("%s line %d, CTA %v thread %v, warp %d", fault.Kernel, fault.Line, fault.CTA, fault.Thread, fault.Warp)
		mend = "correct the kernel or its arguments"
	case errors.As(err, &illegal) && len(illegal) > 0:
		what, where = illegal[0].Message, fmt.Sprintf("%s:%d:%d", illegal[0].File, illegal[0].Line, illegal[0].Column)
		mend = "correct the PTX, or replace the unsupported feature"
	default:
		what = err.Error()
	}
	return what, where, mend
}

func (e *engine) check(msg js.Value) {
	reply := object{"type": "checked", "id": msg.Get("id"), "ok": true}
	s, err := parseScenario(msg.Get("scenario"), nil)
	if err != nil {
		reply["ok"], reply["errors"] = false, faultsOf(err)
	} else {
		reply["hash"] = s.Hash()
		reply["canonical"] = toJS(s)
	}
	post(reply)
}

// describe lists the values of a scenario's machine.
func (e *engine) describe(msg js.Value) {
	reply := object{"type": "described", "id": msg.Get("id"), "ok": true}
	s, err := parseScenario(msg.Get("scenario"), nil)
	var spec *parameter.GPU
	if err == nil {
		spec, err = s.Machine.Spec()
	}
	if err != nil {
		reply["ok"], reply["errors"] = false, faultsOf(err)
	} else {
		reply["preset"], reply["title"], reply["source"] = spec.Name, spec.Title, spec.Source
		reply["fields"] = toJS(preset.Describe(spec))
	}
	post(reply)
}

// faultsOf lists the faults of a scenario.
func faultsOf(err error) []any {
	var list []any
	var faults *fault.Errors
	if !errors.As(err, &faults) {
		return []any{object{"path": "", "message": err.Error(), "mend": ""}}
	}
	for _, f := range faults.List {
		list = append(list, object{"path": f.Path, "message": f.Message, "mend": f.Mend})
	}
	return list
}
