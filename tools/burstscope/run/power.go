package run

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// printPower prints the mean power of each window, and the part that takes most of it.
func printPower(out io.Writer, p *experiment.Power) error {
	text := fmt.Sprintf("\npower in windows of %s cycles\n", cli.Group(p.WindowCycles))
	rows := [][]string{{"begin", "end", "watts", "", "most of it"}}
	most := 0.0
	for i := range p.Windows {
		most = max(most, p.Windows[i].TotalWatts)
	}
	for i := range p.Windows {
		w, part := &p.Windows[i], 0
		for k := range w.Watts {
			if w.Watts[k] > w.Watts[part] {
				part = k
			}
		}
		name := fmt.Sprintf("%s %.2f W", p.Parts[part].Title, w.Watts[part])
		bar := strings.Repeat("#", int(powerBar*w.TotalWatts/max(most, 1e-12)+0.5))
		watts := fmt.Sprintf("%.2f", w.TotalWatts)
		rows = append(rows, []string{cli.Group(w.BeginCycle), cli.Group(w.EndCycle), watts, bar, name})
	}
	_, err := io.WriteString(out, text+columns(rows, 3, 4))
	return err
}

// powerBar is the length of the longest bar.
const powerBar = 40

// printPowerCSV prints a row for each window: its cycles, and the energy and mean power of it and of each part.
func printPowerCSV(out io.Writer, p *experiment.Power) error {
	names := []string{"beginCycle", "endCycle", "femtojoules", "watts"}
	for _, part := range p.Parts {
		names = append(names, part.Name+"Femtojoules")
	}
	for _, part := range p.Parts {
		names = append(names, part.Name+"Watts")
	}
	rows := [][]string{names}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for i := range p.Windows {
		w, sum := &p.Windows[i], uint64(0)
		var cells []string
		for _, n := range w.Femtojoules {
			sum += n
			cells = append(cells, strconv.FormatUint(n, 10))
		}
		for _, v := range w.Watts {
			cells = append(cells, number(v))
		}
		row := []string{strconv.FormatUint(w.BeginCycle, 10), strconv.FormatUint(w.EndCycle, 10)}
		row = append(row, strconv.FormatUint(sum, 10), number(w.TotalWatts))
		rows = append(rows, append(row, cells...))
	}
	return csv.NewWriter(out).WriteAll(rows)
}
