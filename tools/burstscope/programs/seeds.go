package programs

import (
	"fmt"
	"io"
	"strconv"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// seedRow is one program under several seeds.
type seedRow struct {
	Name    string                `json:"name"`
	Size    int                   `json:"size"`
	Data    string                `json:"data"`
	Spread  experiment.SeedSpread `json:"spread"`
	Matters bool                  `json:"matters"`
}

// listSeeds runs every listed program under the seeds 1 to n and says which move by more
// than 2 %.
func listSeeds(out io.Writer, list []*listedWorkload, n int, preset string, sets []cli.Assignment, asJSON bool) error {
	const format = "%-14s %10s %-14s %9s %10s %9s %9s  %-15s  %-15s  %s\n"
	if !asJSON {
		if _, err := fmt.Fprintf(out, format, "program", "size", "data", "cycles", "DRAM bytes", "speedup", "traffic", "mean speedup", "mean traffic", "seeds matter"); err != nil {
			return err
		}
	}
	rows := []seedRow{}
	for _, w := range list {
		s := scenario.Default(w.Name)
		s.Machine.Preset, s.Workload.Size = preset, w.Size
		s.Memory.Put("codec", "e2mc16")
		if w.Study != nil {
			s.Workload.Data = w.Study.Data
		}
		if err := cli.Apply(s, sets); err != nil {
			return err
		}
		spread, err := experiment.SpreadOfSeeds(s, n)
		if err != nil {
			return fmt.Errorf("%s of %d: %w", w.Name, s.Workload.Size, err)
		}
		row := seedRow{w.Name, s.Workload.Size, s.Workload.Data, spread, spread.Matters()}
		if asJSON {
			rows = append(rows, row)
			continue
		}
		percent := func(v float64) string { return strconv.FormatFloat(100*v, 'f', 2, 64) + " %" }
		matters := "no"
		if row.Matters {
			matters = "yes"
		}
		if _, err := fmt.Fprintf(out, format, row.Name, cli.Group(uint64(row.Size)), row.Data, percent(spread.Cycles), percent(spread.DRAMBytes),
			percent(spread.Speedup), percent(spread.Traffic), meanText(spread.SpeedupOver), meanText(spread.TrafficOver), matters); err != nil {
			return err
		}
	}
	if asJSON {
		return cli.PrintJSON(out, rows)
	}
	return nil
}

// meanText is a mean with the deviation of one seed from it.
func meanText(o experiment.OverSeeds) string {
	return fmt.Sprintf("%.3f +- %.3f", o.Mean, o.Deviation)
}
