//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/probe/perfetto"
	"github.com/burstscope/burstscope/core/stat"
)

// tracing is a second run of a side for its trace.
type tracing struct {
	id     int
	side   *side
	trace  *experiment.Trace
	chunk  []byte
	posted float64 // time of the last progress message
}

// traceChunkBytes is the size of a piece of the trace on its way to the page.
const traceChunkBytes = 1 << 20

// startTrace begins a trace of a side of the last run. It refuses while a run is in
// progress.
func (e *engine) startTrace(msg js.Value) {
	name := text(msg, "side")
	s := e.side(name)
	switch {
	case s == nil || s.run.Machine() == nil:
		post(answering(msg, failure(e.run, name, "there is no run to trace", "message trace", "run a scenario first")))
		return
	case e.running:
		post(answering(msg, failure(e.run, name, "a run is in progress", "message trace", "wait for its end or cancel it")))
		return
	}
	limit := number(msg, "maxBytes")
	if limit != 0 && limit < perfetto.MinMaxBytes {
		post(answering(msg, failure(e.run, name, "the bound is too small for a trace", "message trace: maxBytes", "allow at least a million bytes")))
		return
	}
	t := &tracing{id: number(msg, "id"), side: s}
	t.trace = s.study.Trace(s.plan, limit, func(b []byte) { t.chunk = append(t.chunk, b...) })
	e.tracing = t
	e.scheduleTrace()
}

func (e *engine) scheduleTrace() { js.Global().Call("burstscopeYield", e.traceStep) }

// traceSlice works on the trace for one slice and then lets the worker read its
// messages.
func (e *engine) traceSlice() {
	defer e.recovered()
	t := e.tracing
	if t == nil {
		return
	}
	until := milliseconds() + sliceMilliseconds
	for milliseconds() < until {
		done, err := t.trace.Step()
		if err != nil {
			e.tracing = nil
			e.fail(t.side.name, err)
			return
		}
		if len(t.chunk) >= traceChunkBytes {
			t.post()
		}
		if done {
			e.tracing = nil
			sum := t.trace.Close()
			t.post()
			post(object{
				"type": "traceDone", "id": t.id, "side": t.side.name, "name": t.side.plan.Program.Name, "bytes": sum.Bytes, "events": sum.Events,
				"leftOut": float64(sum.LeftOut), "microseconds": sum.Microseconds,
			})
			return
		}
	}
	if now := milliseconds(); now-t.posted > progressMilliseconds {
		t.posted = now
		post(object{"type": "traceProgress", "id": t.id, "fraction": t.fraction()})
	}
	e.scheduleTrace()
}

func (t *tracing) fraction() float64 {
	m, total := t.trace.Run().Machine(), t.side.study.ThreadInstructions()
	if m == nil || total == 0 {
		return 0
	}
	c := m.Stats()
	return float64(c[stat.ThreadInstructions]) / float64(total)
}

func (t *tracing) post() {
	b := buffer(uint8Array(t.chunk))
	post(object{"type": "trace", "id": t.id, "buffer": b}, b)
	t.chunk = t.chunk[:0]
}
