package run

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// printPhases writes a row for each phase of each SM. A value that a phase lacks is an
// empty cell.
func printPhases(out io.Writer, l *latte.PhaseLog) error {
	w := csv.NewWriter(out)
	columns := latte.PhaseColumns()
	if err := w.Write(columns); err != nil {
		return err
	}
	var values []float64
	cells := make([]string, len(columns))
	for sm, records := range l.SMs {
		for k := range records {
			values = l.Row(values[:0], sm, &records[k])
			for i, v := range values {
				cells[i] = phaseText(columns[i], v)
			}
			if err := w.Write(cells); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

func phaseText(column string, v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case column == "mode":
		return policy.ModeNames[policy.Mode(v)]
	case column == "basis":
		return policy.BasisNames[policy.Basis(v)]
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
