package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
)

// sweepPoint is a combination of a sweep. Two points may be one run, if a setting has no effect.
type sweepPoint struct {
	scenario string // the word of the command line
	settings []assignment
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
	if len(distinct(pointJobs(o.points))) != len(jobs) {
		return usagef("--format jsonl: burstscope sweep: only scenarios have settings for its rows; of %v leave out claims and figures", words)
	}
	fault := o.run(jobs, o.status)
	rows := json.NewEncoder(out)
	rows.SetEscapeHTML(false)
	for _, p := range o.points {
		r := o.store.Run(p.job)
		if r == nil {
			continue
		}
		if err := rows.Encode(sweepRow{p.scenario, p.values(), r}); err != nil {
			return err
		}
	}
	return errors.Join(fault, o.store.check())
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
		if err := json.Unmarshal([]byte(a.value), &v); err != nil {
			v = a.value
		}
		switch v.(type) {
		case float64: // as it was written: a float64 has no room for every integer
			v = json.Number(strings.TrimSpace(a.value))
		case bool:
		default:
			v = a.value
		}
		values[a.path] = v
	}
	return values
}
