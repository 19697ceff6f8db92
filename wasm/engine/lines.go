//go:build js

package main

import "github.com/burstscope/burstscope/core/experiment"

// sendLines posts the figures of each line of the program. The files have the same names
// as in sendSource. Each column is an array, because a program may have a hundred
// thousand lines.
func (s *side) sendLines(run int) {
	var files []any
	for i := range s.result.Source {
		f := &s.result.Source[i]
		column := func(value func(*experiment.SourceLine) uint64) any {
			list := make([]float64, len(f.Lines))
			for k := range f.Lines {
				list[k] = float64(value(&f.Lines[k]))
			}
			return float64Array(list)
		}
		files = append(files, object{
			"name":        f.Name,
			"line":        column(func(l *experiment.SourceLine) uint64 { return uint64(l.Line) }),
			"executions":  column(func(l *experiment.SourceLine) uint64 { return l.Executions }),
			"lanes":       column(func(l *experiment.SourceLine) uint64 { return l.Lanes }),
			"l1Misses":    column(func(l *experiment.SourceLine) uint64 { return l.L1Misses }),
			"bytes":       column(func(l *experiment.SourceLine) uint64 { return l.Bytes }),
			"stallCycles": column(func(l *experiment.SourceLine) uint64 { return l.StallCycles }),
		})
	}
	post(object{"type": "lines", "run": run, "side": s.name, "files": files})
}
