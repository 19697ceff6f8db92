package main

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/policy"
)

// printPhases writes a row for each phase of each SM. A value that a phase lacks is an
// empty cell.
func printPhases(out io.Writer, l *cache.PhaseLog) error {
	w := csv.NewWriter(out)
	columns := cache.PhaseColumns()
	row := make([]string, len(columns))
	for i := range columns {
		row[i] = columns[i].Name
	}
	if err := w.Write(row); err != nil {
		return err
	}
	for sm, records := range l.SMs {
		for k := range records {
			for i := range columns {
				row[i] = phaseText(&columns[i], columns[i].Value(l, sm, &records[k]))
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

func phaseText(c *cache.PhaseColumn, v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case c.Mode:
		return policy.ModeNames[policy.Mode(v)]
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
