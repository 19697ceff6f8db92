package reproduce

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// inCommitted reports whether a reading is the reading of the committed results, of one paper or of the whole.
func inCommitted(r *claim.Reading, paper string) bool {
	if paper == "" {
		return r.IsDefault()
	}
	return *r == claim.Reading{}.Of(strings.ToUpper(paper))
}

// writtenFiles are the files of a reproduction that change when a row gets more than it had.
type writtenFiles struct {
	runs    reproducedRuns
	index   reproductionIndex
	reports []*claims.ClaimsReport // of the modes
	figures [][]string             // digests, of the modes
}

// readWritten reads them.
func (r *reproduction) readWritten(dir string) (*writtenFiles, error) {
	w := &writtenFiles{}
	read := func(name string, v any) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		b, err := disk.ReadFile(file, maxRunsBytes)
		if err == nil {
			err = json.Unmarshal(b, v)
		}
		if err != nil {
			return fmt.Errorf("%s: it is not what reproduce writes: %w: run burstscope reproduce first", file, err)
		}
		return nil
	}
	if err := read("runs.json", &w.runs); err != nil {
		return nil, err
	}
	if w.runs.Version != experiment.Version {
		return nil, fmt.Errorf("%s: its runs are of version %s, this program is %s: use that version", dir,
			w.runs.Version, experiment.Version)
	}
	if err := read("index.json", &w.index); err != nil {
		return nil, err
	}
	for _, m := range r.modes {
		report := &claims.ClaimsReport{}
		if err := read(string(m.data)+"/claims.json", report); err != nil {
			return nil, err
		}
		var stamps []string
		for _, f := range m.figures {
			var d stampedFigure
			if err := read(string(m.data)+"/"+strings.ToLower(f.Name)+".json", &d); err != nil {
				return nil, err
			}
			stamps = append(stamps, d.Digest)
		}
		w.reports, w.figures = append(w.reports, report), append(w.figures, stamps)
	}
	return w, nil
}

// stamp gives the reports and the index their digests.
func (w *writtenFiles) stamp(r *reproduction) {
	sum := digest.New()
	for i, m := range r.modes {
		for _, stamp := range w.figures[i] {
			sum.Write([]byte(stamp))
		}
		var used []string
		for _, o := range w.reports[i].Outcomes {
			used = append(used, o.Keys()...)
		}
		w.reports[i].Digest = w.runs.digest(claim.Source(m.papers...), used)
		sum.Write([]byte(w.reports[i].Digest))
	}
	w.index.Digest = sum.Hex()
}

// write writes the files that changed.
func (w *writtenFiles) write(r *reproduction, dir string) error {
	files := map[string]any{"runs.json": &w.runs, "index.json": &w.index}
	for i, m := range r.modes {
		files[filepath.Join(string(m.data), "claims.json")] = w.reports[i]
	}
	for _, name := range cli.SortedKeys(files) {
		if err := disk.WriteStored(filepath.Join(dir, name), compactJSON(files[name])); err != nil {
			return err
		}
	}
	return nil
}

// task is what a written row lacks.
type task struct {
	row     *claim.Outcome
	whole   *claim.Claim // the row from the start; nil: it stays
	further bool         // its interval and its other readings
}

// tasks are what the rows of a mode lack: all of those named, or, where none is, what exists by now.
func (r *reproduction) tasks(m *reproducedMode, rows []*claim.Outcome, named []string) (list []task) {
	claims := m.claims()
	for _, o := range rows {
		t := task{row: o}
		if len(named) > 0 {
			at := slices.IndexFunc(claims, func(c claim.Claim) bool { return c.ID == o.ID })
			if at >= 0 && slices.Contains(named, o.ID) {
				t.whole = &claims[at]
			}
		} else {
			t.further = slices.Contains(claim.Further(), o.ID)
			if o.Verdict == claim.NotYetMeasured {
				if absent, err := r.ledger(nil, m.data).Check(&o.Claim); err == nil && len(absent) == 0 {
					t.whole = &o.Claim
				}
			}
		}
		if t.whole != nil || t.further {
			list = append(list, t)
		}
	}
	return list
}

// jobs are the runs of a task.
func (t *task) jobs(l *claim.Ledger) (list []*claim.Job) {
	if t.whole != nil {
		list = l.Jobs(*t.whole)
	}
	if t.further {
		list = append(list, l.FurtherJobs(t.row)...)
	}
	return list
}

// fulfil puts what the runs say into the row.
func (t *task) fulfil(l *claim.Ledger) error {
	if t.whole != nil {
		now, err := l.Evaluate(*t.whole)
		if err != nil {
			return err
		}
		*t.row = *now
	}
	if t.further {
		return l.AddFurther(t.row)
	}
	return nil
}

// addFurther measures what written files lack, and adds it: the intervals and the other readings that the papers ask
// for, or the rows of the given names from the start. A run that the files have must come to the same result again.
func (r *reproduction) addFurther(dir string, named []string, jobs int, out io.Writer) error {
	w, err := r.readWritten(dir)
	if err != nil {
		return err
	}
	for _, id := range named {
		if !slices.ContainsFunc(r.modes, func(m reproducedMode) bool {
			return slices.ContainsFunc(m.claims(), func(c claim.Claim) bool { return c.ID == id })
		}) {
			return cli.Usagef("--rows %s: burstscope reproduce: no row of this reproduction: see burstscope claims", id)
		}
	}
	var list []*claim.Job
	lacking := make([][]task, len(r.modes))
	for i := range r.modes {
		m := &r.modes[i]
		lacking[i] = r.tasks(m, w.reports[i].Outcomes, named)
		for _, t := range lacking[i] {
			list = append(list, t.jobs(r.ledger(nil, m.data))...)
		}
	}
	runs := sweep.NewSweep(r.store)
	runs.Jobs, runs.Status = jobs, os.Stderr
	list = sweep.Distinct(list)
	failed := runs.Run(list, os.Stderr)
	if !sweep.GoesOn(failed) {
		return failed
	}
	made := r.describe(list)
	for _, key := range cli.SortedKeys(made.Runs) {
		if old, now := w.runs.Runs[key], made.Runs[key]; old != nil && old.Result != now.Result {
			return fmt.Errorf("%s: %s comes to %s, and runs.json states %s: make the whole reproduction again", dir,
				now.Title, scenario.ShortHash(now.Result), scenario.ShortHash(old.Result))
		} else if now.Result != "" {
			w.runs.Runs[key] = now
		}
	}
	rows := 0
	for i, m := range r.modes {
		for _, t := range lacking[i] {
			if err := t.fulfil(r.ledger(r.store, m.data)); err != nil {
				return err
			}
			rows++
		}
		w.reports[i].Recount()
	}
	if err := r.keepNeeded(&w.runs); err != nil {
		return err
	}
	w.stamp(r)
	if err := r.store.Check(); err != nil {
		return err
	}
	if err := w.write(r, dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s, from %s\n", dir, cli.Counted(rows, "row"), cli.Counted(len(made.Runs), "run"))
	return failed
}

// keepNeeded leaves out the runs that nothing needs any more.
func (r *reproduction) keepNeeded(runs *reproducedRuns) error {
	needed, err := r.jobs()
	if err != nil {
		return err
	}
	keys := map[string]bool{}
	for _, j := range needed {
		keys[j.Key] = true
	}
	maps.DeleteFunc(runs.Runs, func(key string, _ *reproducedRun) bool { return !keys[key] })
	return nil
}
