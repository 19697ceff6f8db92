//go:build js

package main

import (
	"runtime"
	"syscall/js"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// seeking is a request for a past cycle: one side is replayed after the other.
type seeking struct {
	id     any
	cycle  uint64
	window uint64 // number of cycles before it to send events of
	fresh  bool   // replay from the beginning
	digest bool
	sides  []*side

	seek  *experiment.Seek // of sides[0], nil before it starts
	from  sim.Cycle
	to    sim.Cycle
	batch []byte
	count int
}

const (
	// seekRunMilliseconds is the share of a slice for the run while a past cycle is being
	// sought.
	seekRunMilliseconds = 4
	// mostWindowCycles bounds the window of an answer.
	mostWindowCycles = 1 << 16
	// noCycle is the position of a replay before it arrives.
	noCycle = -1
	// replayCycles is a step of a replay; the events of a step fit its probe.
	replayCycles = 4 * stepCycles
)

// seek starts the search for a cycle and replaces an earlier search. A run in progress
// continues.
func (e *engine) seek(msg js.Value) {
	q := &seeking{
		id: msg.Get("id"), cycle: uint64(max(number(msg, "cycle"), 0)), window: uint64(min(max(number(msg, "window"), 0), mostWindowCycles)),
		fresh: msg.Get("fresh").Truthy(), digest: msg.Get("digest").Truthy(),
	}
	wanted := text(msg, "sides")
	if wanted == "" {
		wanted = "AB"
	}
	for _, name := range wanted {
		if s := e.side(string(name)); s != nil && s.past.States() > 0 && number(msg, "run") == e.run {
			q.sides = append(q.sides, s)
		}
	}
	if len(q.sides) == 0 {
		post(object{"type": "sought", "run": e.run, "id": q.id, "ok": false, "what": "no run to replay", "mend": "wait until the run has started", "last": true})
		return
	}
	waiting := e.seeking != nil
	e.seeking = q
	if !waiting {
		e.scheduleSeek()
	}
}

func (e *engine) scheduleSeek() { js.Global().Call("burstscopeYield", e.seekStep) }

// seekSlice works on the search for one slice and then lets the worker read its
// messages.
func (e *engine) seekSlice() {
	defer e.recovered()
	q := e.seeking
	if q == nil {
		return
	}
	until := milliseconds() + sliceMilliseconds
	for milliseconds() < until {
		done, err := q.step()
		if err != nil {
			e.seeking = nil
			post(object{"type": "sought", "run": e.run, "id": q.id, "ok": false, "what": err.Error(), "mend": "choose another cycle", "last": true})
			return
		}
		if !done {
			continue
		}
		q.answer(e.run)
		if q.sides = q.sides[1:]; len(q.sides) == 0 {
			e.seeking = nil
			return
		}
	}
	e.scheduleSeek()
}

func (q *seeking) step() (done bool, err error) {
	s := q.sides[0]
	if q.seek == nil {
		q.to = min(sim.Cycle(q.cycle), s.past.Reached())
		if s.done && q.to >= s.run.Machine().Cycles() {
			q.to = s.past.Reached() // the last writes may outlast the last launch
		}
		s.sought = noCycle
		q.from = q.to - min(q.to, sim.Cycle(q.window))
		q.batch, q.count = q.batch[:0], 0
		if q.seek, err = s.past.Seek(q.from, q.to, q.fresh); err != nil {
			return false, err
		}
	}
	return q.seek.Step(replayCycles, func(events []probe.Event) {
		for i := range events {
			q.batch = events[i].Append(q.batch)
		}
		q.count += len(events)
	})
}

// answer posts the state of the first side.
func (q *seeking) answer(run int) {
	s := q.sides[0]
	b := buffer(uint8Array(q.batch))
	s.sought = min(float64(q.cycle), float64(q.to))
	msg := object{
		"type": "sought", "run": run, "id": q.id, "ok": true, "side": s.name, "asked": float64(q.cycle), "cycle": s.sought,
		"from": float64(q.from), "buffer": b, "count": q.count, "opening": q.seek.Opening, "result": toJS(s.past.Result()), "last": len(q.sides) == 1,
		"replayedFrom": float64(q.seek.Loaded), "work": float64(q.seek.Work), "every": float64(s.past.Every()),
		"states": s.past.States(), "stateBytes": float64(s.past.Bytes()),
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	msg["memoryBytes"] = float64(memory.Sys)
	if q.digest {
		msg["digest"] = s.past.Machine().Digest()
	}
	q.seek = nil
	post(msg, b)
}

// machineAt returns the machine at the cycle of a message: the machine of the replay if
// this cycle was sought last, else the machine of the run.
func (s *side) machineAt(msg js.Value) *machine.Machine {
	if cycle := msg.Get("cycle"); cycle.Type() == js.TypeNumber {
		if m := s.past.Machine(); m != nil && s.sought == cycle.Float() {
			return m
		}
	}
	return s.run.Machine()
}

// cycleOf is the current cycle of a machine of the side, as the page counts it.
func (s *side) cycleOf(m *machine.Machine) float64 {
	if m == s.past.Machine() {
		return s.sought
	}
	return float64(m.Cycles())
}
