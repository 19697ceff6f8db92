package sweep

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// sweepPoint is a combination of a sweep. Two points may be one run, if a setting has no effect.
type sweepPoint struct {
	scenario string // the word of the command line
	settings []cli.Assignment
	job      *claim.Job
}

// sweepRow is a line of --format jsonl.
type sweepRow struct {
	Scenario string             `json:"scenario"`
	Settings map[string]any     `json:"settings"`
	Result   *experiment.Result `json:"result"`
}

// runRows makes the runs, with the progress on status, and prints a row for each point that has
// a result: in a shard, or after a fault, some have none.
func (o *sweepOptions) runRows(words []string, jobs []*claim.Job, out io.Writer) error {
	if len(Distinct(pointJobs(o.points))) != len(jobs) {
		return cli.Usagef("--format jsonl: burstscope sweep: only scenarios have settings for its rows; of %v leave out claims and figures", words)
	}
	fault := o.Run(jobs, o.Status)
	rows := json.NewEncoder(out)
	rows.SetEscapeHTML(false)
	for _, p := range o.points {
		r := o.Store.Run(p.job)
		if r == nil {
			continue
		}
		if err := rows.Encode(sweepRow{p.scenario, p.values(), r}); err != nil {
			return err
		}
	}
	return errors.Join(fault, o.Store.Check())
}

func pointJobs(points []sweepPoint) []*claim.Job {
	var jobs []*claim.Job
	for _, p := range points {
		jobs = append(jobs, p.job)
	}
	return jobs
}

// values are the settings as JSON has them: numbers and true or false as themselves, all others as text.
func (p *sweepPoint) values() map[string]any {
	values := map[string]any{}
	for _, a := range p.settings {
		var v any
		if err := json.Unmarshal([]byte(a.Value), &v); err != nil {
			v = a.Value
		}
		switch v.(type) {
		case float64: // as it was written: a float64 has no room for every integer
			v = json.Number(strings.TrimSpace(a.Value))
		case bool:
		default:
			v = a.Value
		}
		values[a.Path] = v
	}
	return values
}
