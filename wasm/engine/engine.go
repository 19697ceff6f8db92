//go:build js

package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/burstscope/burstscope/core/catalog"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/ptx/syntax"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/wasm/engine/budget"
)

// engine is the state of the worker: at most one pair of runs.
type engine struct {
	run     int
	sides   []*side
	done    bool            // all of them have ended, and the page has been told
	desk    experiment.Desk // the study of the latest program
	step    js.Func
	running bool // a run is in progress
	active  bool // a slice is scheduled
	share   sharing
	posted  float64

	seeking  *seeking // nil = no search
	seekStep js.Func

	tracing   *tracing // nil = none
	traceStep js.Func

	explaining explaining

	points     points
	estimating estimating

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
	lists, err := catalog.NewRest()
	if err != nil {
		panic(err)
	}
	return object{"type": "ready", "version": experiment.Version, "lists": toJS(lists)}
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

// start begins a pair of runs and replaces any earlier pair. Of that it keeps the sides whose
// scenario is the same, if the page still has all that was sent about them: keep is then the
// number of that run.
func (e *engine) start(msg js.Value) {
	var before []*side
	if e.done && number(msg, "keep") == e.run {
		before = e.sides
	}
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
	fresh, only := msg.Get("fresh").Truthy(), text(msg, "only")
	if fresh {
		e.desk.Clear()
	}
	for _, name := range []string{"A", "B"} {
		if only != "" && name != only {
			continue
		}
		v := given.Get(name)
		if v.Type() != js.TypeObject && v.Type() != js.TypeString {
			continue
		}
		s, err := parseScenario(v, png)
		var sd *side
		if err == nil {
			if sd = keptSide(before, name, s); sd == nil {
				sd, err = newSide(name, s, &e.desk)
			}
			if err == nil {
				e.share.exact, err = experiment.KeptExactKey(s)
			}
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
	e.running = true
	e.recall(fresh, func() { e.begin(msg) })
}

// begin gives the sides their memory and starts them. If the page has a second engine for side B,
// and there is room for it, side B is left to that.
func (e *engine) begin(msg js.Value) {
	runs := make([]uint64, len(e.sides))
	for i, s := range e.sides {
		runs[i] = s.study.RunBytes(s.plan)
	}
	begun := object{"type": "begun", "run": e.run, "found": len(e.share.stored)}
	var b budget.Budget
	if has := msg.Get("budget"); has.Type() == js.TypeObject {
		b = budget.Budget{ResidentBytes: uint64(number(has, "resident")), PastBytes: number(has, "past")}
		debug.SetMemoryLimit(memoryBytes / 2)
	} else {
		var err error
		if b, err = budget.Share(runs); err != nil {
			e.stop()
			e.fail("", err)
			return
		}
		debug.SetMemoryLimit(memoryBytes)
		if msg.Get("split").Truthy() && len(e.sides) == 2 && !e.sides[1].done {
			if two, err := budget.ShareOfTwoEngines(runs); err == nil {
				b = two
				debug.SetMemoryLimit(memoryBytes / 2)
				begun["given"] = object{"resident": float64(b.ResidentBytes), "past": b.PastBytes}
			}
		}
	}
	tables, known := "", true // of the side given away
	if begun["given"] != nil {
		tables, known = e.sides[1].tables()
		if known && tables != "" {
			begun["tables"] = tables
		}
		e.sides = e.sides[:1]
	}
	kept := []any{}
	for _, s := range e.sides {
		if s.done {
			kept = append(kept, object{"side": s.name, "was": s.was})
		}
		s.prepare(b)
	}
	begun["kept"] = kept
	post(begun)
	first := e.sides[0]
	if own, has := first.tables(); begun["given"] != nil && !first.done && !has && own == tables {
		e.want(own)
	}
	if msg.Get("only").Truthy() && !first.done {
		if !first.study.Known() {
			e.want(e.share.exact)
		}
		if own, has := first.tables(); !has && own == text(msg, "tables") {
			e.want(own)
		}
	}
	e.remember()
	for _, s := range e.sides {
		if s.done {
			e.estimating.keep(s) // under its new name; the page has the rest
		}
	}
	e.schedule()
}

// parseScenario reads a scenario given as a JSON object or text. The image of the
// message replaces the scenario's image.
func parseScenario(v js.Value, png []byte) (*scenario.Scenario, error) {
	s, err := scenario.ParseJSON("scenario", jsonOf(v))
	if err != nil {
		return nil, err
	}
	if png != nil {
		s.Workload.Image = png
		if err := s.Validate(); err != nil {
			return nil, err
		}
	}
	if s.Memory.Codec() == codecs.Plugin {
		_, err := codecs.LoadModule(string(s.Memory.Module()))
		if _, whole := err.(*fault.Errors); whole {
			return nil, err
		}
		if err != nil {
			return nil, fault.At("memory.module", err.Error(), "change the module: tools/plugin/README.md has the rules")
		}
	}
	return s, nil
}

func (e *engine) schedule() {
	e.active = true
	js.Global().Call("burstscopeYield", e.step)
}

func (e *engine) stop() {
	e.sides, e.done, e.running, e.active, e.tracing, e.seeking = nil, false, false, false, nil, nil
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
		if err := e.work(s); err != nil {
			e.fail(s.name, err)
			e.stop()
			e.desk.Clear()
			return
		}
		if s.done {
			s.finish(e.run)
			e.estimating.keep(s)
		}
	}
	for _, s := range e.sides {
		s.flush(e.run, false)
	}
	if e.ended() {
		e.finish()
		return
	}
	if len(e.share.promised) > 0 {
		e.deliver()
	}
	if now := milliseconds(); now-e.posted > progressMilliseconds {
		e.posted = now
		e.progress()
	}
	if e.next() != nil {
		e.schedule()
	}
}

// work works on a side. While the other engine makes the exact output, this one makes the symbol
// statistics.
func (e *engine) work(s *side) error {
	if e.share.awaited[e.share.exact] && s.run.Phase() == experiment.PhaseReference {
		_, err := s.study.StepTables(&s.plan.Memory, stepCycles)
		return err
	}
	return s.step(e.run)
}

func (e *engine) ended() bool {
	for _, s := range e.sides {
		if !s.done {
			return false
		}
	}
	return true
}

// next returns the side that is behind, nil when none can go on.
func (e *engine) next() *side {
	var best *side
	for _, s := range e.sides {
		if !s.done && !e.waits(s) && (best == nil || s.before(best)) {
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
	e.done, e.running = true, false
	if len(e.share.promised) > 0 {
		e.deliver()
	}
	post(object{"type": "done", "run": e.run, "resultHashes": hashes})
	e.store()
}

// cancel ends a run. It posts memory and outputs as they are. It posts no figures:
// figures of half a run mean little, and computing them would delay the answer.
func (e *engine) cancel(run int) {
	if run != e.run || !e.running {
		return
	}
	e.running, e.active = false, false
	for _, s := range e.sides {
		if s.run != nil && !s.done {
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
	if faults := (*fault.Errors)(nil); errors.As(err, &faults) && len(faults.List) == 1 {
		message["fixes"] = toJS(faults.List[0].Fixes)
	}
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
		if misled := (*experiment.Misled)(nil); errors.As(err, &misled) {
			mend = misled.Mend()
		}
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
