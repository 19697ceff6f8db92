//go:build js

package main

import (
	"fmt"
	"syscall/js"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/stat"
)

// points runs scenarios one after the other for a sweep. It sends no events and keeps
// only the result. Work that scenarios of one program share is done once.
type points struct {
	now   *point          // in progress, nil = none
	desk  experiment.Desk // the study of the latest program
	step  js.Func
	asked bool // a slice is scheduled
}

// point is a run, or a measurement of traffic.
type point struct {
	id      int
	key     string // hash of the scenario
	run     *experiment.Run
	traffic *experiment.TrafficRun
	study   *experiment.Study
	paused  bool
	worked  float64 // milliseconds
	posted  float64
}

// startPoint begins a point.
func (e *engine) startPoint(msg js.Value) {
	p := &point{id: number(msg, "id")}
	if e.points.now != nil {
		e.failPoint(p, fmt.Errorf("point %d is in progress; wait for it or cancel it", e.points.now.id))
		return
	}
	defer e.recoveredPoint(p)
	if err := e.points.prepare(p, msg); err != nil {
		e.failPoint(p, err)
		return
	}
	e.points.now = p
	e.schedulePoint()
}

func (s *points) prepare(p *point, msg js.Value) error {
	sc, err := parseScenario(msg.Get("scenario"), nil)
	if err != nil {
		return err
	}
	p.key = sc.Hash()
	plan, err := experiment.PlanOf(sc)
	if err != nil {
		return err
	}
	if msg.Get("traffic").Truthy() {
		p.traffic, err = experiment.NewTraffic(plan)
		return err
	}
	if p.study, err = s.desk.Study(sc, plan); err != nil {
		return err
	}
	p.run = p.study.Run(plan, experiment.Options{})
	return nil
}

// schedulePoint schedules one slice; calls before that slice have no further effect.
func (e *engine) schedulePoint() {
	if !e.points.asked {
		e.points.asked = true
		js.Global().Call("burstscopeYield", e.points.step)
	}
}

// pointSlice works on the point for one slice and then lets the worker read its
// messages.
func (e *engine) pointSlice() {
	e.points.asked = false
	p := e.points.now
	if p == nil || p.paused {
		return
	}
	defer e.recoveredPoint(p)
	start := milliseconds()
	now := start
	for ; now-start < sliceMilliseconds; now = milliseconds() {
		done, err := p.advance()
		if err != nil {
			e.points.now = nil
			e.points.desk.Clear()
			e.failPoint(p, err)
			return
		}
		if done {
			p.worked += milliseconds() - start
			e.points.now = nil
			p.finish()
			return
		}
	}
	p.worked += now - start
	if now-p.posted > progressMilliseconds {
		p.posted = now
		post(object{"type": "pointProgress", "id": p.id, "fraction": p.fraction()})
	}
	e.schedulePoint()
}

func (p *point) advance() (done bool, err error) {
	if p.traffic != nil {
		return p.traffic.Step(stepCycles)
	}
	return p.run.Step(stepCycles)
}

// fraction estimates the share of the work done. For a traffic measurement the length
// of the program is not known in advance.
func (p *point) fraction() float64 {
	if p.traffic != nil {
		return p.traffic.Sized()
	}
	return fractionOf(p.study, p.run)
}

func (p *point) finish() {
	reply := object{"type": "pointDone", "id": p.id, "key": p.key, "milliseconds": p.worked}
	if p.traffic != nil {
		t := p.traffic.Traffic()
		reply["hash"], reply["traffic"] = t.Hash(), toJS(t)
	} else {
		r := p.run.Result()
		reply["hash"], reply["result"] = r.ResultHash, toJS(r)
	}
	post(reply)
}

// cancelPoint cancels the point.
func (e *engine) cancelPoint(id int) {
	if p := e.points.now; p != nil && p.id == id {
		e.points.now = nil
		post(object{"type": "pointCancelled", "id": id})
	}
}

// pausePoint pauses or continues the point.
func (e *engine) pausePoint(id int, paused bool) {
	p := e.points.now
	if p == nil || p.id != id || p.paused == paused {
		return
	}
	p.paused = paused
	if !paused {
		e.schedulePoint()
	}
	post(object{"type": "pointPaused", "id": id, "paused": paused})
}

func (e *engine) failPoint(p *point, err error) {
	what, where, mend := wordsOf(err)
	post(object{"type": "error", "id": p.id, "what": what, "where": where, "mend": mend})
}

func (e *engine) recoveredPoint(p *point) {
	if r := recover(); r != nil {
		e.points.now = nil
		e.points.desk.Clear()
		post(object{"type": "error", "id": p.id, "what": "internal error", "where": fmt.Sprint(r), "mend": "this is a mistake in Burstscope: please report it with the scenario"})
	}
}

// fractionOf estimates the share of a run that is done, by thread instructions if the
// exact run has counted them.
func fractionOf(study *experiment.Study, run *experiment.Run) float64 {
	total := float64(study.ThreadInstructions())
	if total == 0 {
		return 0
	}
	if m := run.Machine(); m != nil {
		c := m.Stats()
		return 0.4 + 0.6*float64(c[stat.ThreadInstructions])/total
	}
	if p := run.Profiler(); p != nil {
		c := p.Stats()
		return 0.4 * float64(c[stat.ThreadInstructions]) / total
	}
	return 0
}
