//go:build js

package main

import (
	"math"
	"syscall/js"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/stat"
)

// launches answers with the figures of each launch and kernel of a side that has ended, and with its power over
// time: tables of numbers by row and column, NaN where a figure has no value.
func (e *engine) launches(msg js.Value) {
	name := text(msg, "side")
	s := e.side(name)
	if s == nil || !s.done || s.result.PerLaunch() == nil {
		failed := failure(e.run, name, "no launches to show", "message launches", "wait until the run has ended")
		post(answering(msg, failed))
		return
	}
	per := s.result.PerLaunch()
	columns := metric.Names()
	metrics := len(columns)
	for _, c := range stat.List() {
		columns = append(columns, stat.Describe(c).Name)
	}
	var entries, kernels []any
	var spans, uses, values []float64
	put := func(f *experiment.Figures) {
		for i, column := range columns {
			v, ok := math.NaN(), f != nil
			if ok && i < metrics {
				if v, ok = f.Metrics[column]; !ok {
					v = math.NaN()
				}
			} else if ok {
				v = float64(f.Stats[column])
			}
			values = append(values, v)
		}
	}
	for i := range per.Launches {
		l := &per.Launches[i]
		entries = append(entries, l.Entry)
		spans = append(spans, float64(l.Begin), float64(l.Cycles))
		put(l.Figures)
	}
	for i := range per.Kernels {
		k := &per.Kernels[i]
		kernels = append(kernels, k.Entry)
		uses = append(uses, float64(k.Launches), float64(k.Begin), float64(k.Cycles))
		put(k.Figures)
	}
	var names []any
	for _, column := range columns {
		names = append(names, column)
	}
	message := object{
		"type": "launches", "run": e.run, "side": name, "entries": entries, "spans": float64Array(spans),
		"kernels": kernels, "uses": float64Array(uses), "columns": names, "metrics": metrics,
		"values": float64Array(values), "note": per.Note,
	}
	if p := s.result.Power; p != nil {
		message["power"] = powerOf(p)
	}
	post(message)
}

// powerOf has the watts of each part by window.
func powerOf(p *experiment.Power) object {
	var parts []any
	var ends, watts []float64
	for i := range p.Parts {
		parts = append(parts, p.Parts[i].Title)
	}
	for i := range p.Windows {
		ends = append(ends, float64(p.Windows[i].EndCycle))
		watts = append(watts, p.Windows[i].Watts...)
	}
	return object{"parts": parts, "ends": float64Array(ends), "watts": float64Array(watts)}
}
