package loads

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system/rfvp/study"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// percents reads targets in per cent, as shares.
func percents(text string) (list []float64, err error) {
	for _, part := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v >= 0 && v <= 100) {
			return nil, fmt.Errorf("%q is not a loss from 0 to 100 per cent", part)
		}
		list = append(list, v/100)
	}
	return list, nil
}

// dropRates looks for the highest drop rates within some losses and prints what it measured.
func dropRates(out io.Writer, s *scenario.Scenario, sets []cli.Assignment, losses []float64, inputs int, asJSON bool) error {
	if err := study.Predicting(s); err != nil {
		return err
	}
	if err := cli.Apply(s, sets); err != nil {
		return err
	}
	d, err := study.NewDropSearch(s, inputs)
	if err != nil {
		return err
	}
	var choices []*study.DropChoice
	var unreached []error
	for _, loss := range losses {
		c, err := d.Choose(loss)
		if err != nil {
			return err
		}
		choices = append(choices, c)
		if c.Unreached != "" {
			unreached = append(unreached, errors.New(c.Unreached))
		}
	}
	if asJSON {
		err = cli.PrintJSON(out, struct {
			Metric  string              `json:"metric"`
			Inputs  int                 `json:"inputs"`
			Rates   []*study.DropPoint  `json:"rates"`
			Choices []*study.DropChoice `json:"choices"`
		}{d.Metric(), inputs, d.Points(), choices})
	} else {
		err = printDropRates(out, s, d, choices, inputs)
	}
	if err != nil {
		return err
	}
	return errors.Join(unreached...)
}

func printDropRates(out io.Writer, s *scenario.Scenario, d *study.DropSearch, choices []*study.DropChoice, inputs int) error {
	const format = "%9s  %18s  %16s  %16s  %16s\n"
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d on %s, %d inputs, loss by %s\n\n", s.Workload.Name, s.Workload.Size, s.Machine.Preset, inputs, d.Metric())
	fmt.Fprintf(&b, format, "drop rate", "loss", "speedup", "energy saved", "traffic saved")
	for _, p := range d.Points() {
		times := func(v study.Spread) string { return fmt.Sprintf("%.3f +- %.3f x", v.Mean, v.Deviation) }
		fmt.Fprintf(&b, format, fmt.Sprintf("%g %%", float64(p.Rate)/10), fmt.Sprintf("%.2f +- %.2f %%", 100*p.Loss.Mean, 100*p.Loss.Deviation),
			times(p.Speedup), times(p.Energy), times(p.Traffic))
	}
	b.WriteString("\n")
	for _, c := range choices {
		if c.Unreached == "" {
			fmt.Fprintf(&b, "within %g %%: drop rate %g %% (loads.drop=%d), loss %.2f %%, speedup %.3f\n", 100*c.Target, float64(c.Point.Rate)/10, c.Point.Rate, 100*c.Point.Loss.Mean, c.Point.Speedup.Mean)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
