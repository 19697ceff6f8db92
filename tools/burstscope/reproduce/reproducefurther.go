package reproduce

import (
	"encoding/json"
	"fmt"
	"io"
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

// addFurther measures the intervals and the other readings that the papers ask for and written files lack, and adds
// them. A run that the files have must come to the same result again.
func (r *reproduction) addFurther(dir string, jobs int, out io.Writer) error {
	w, err := r.readWritten(dir)
	if err != nil {
		return err
	}
	var list []*claim.Job
	rows := 0
	for i, m := range r.modes {
		for _, o := range w.reports[i].Outcomes {
			if slices.Contains(claim.Further(), o.ID) {
				list = append(list, r.ledger(nil, m.data).FurtherJobs(o)...)
			}
			if absent, err := r.ledger(nil, m.data).Check(&o.Claim); o.Verdict == claim.NotYetMeasured && err == nil &&
				len(absent) == 0 {
				list = append(list, r.ledger(nil, m.data).Jobs(o.Claim)...) // what it lacked exists now
			}
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
	for i, m := range r.modes {
		for _, o := range w.reports[i].Outcomes {
			if o.Verdict == claim.NotYetMeasured { // what it lacked may exist now
				now, err := r.ledger(r.store, m.data).Evaluate(o.Claim)
				if err != nil {
					return err
				}
				if now.Verdict != claim.NotYetMeasured {
					*o = *now
				}
			}
			if !slices.Contains(claim.Further(), o.ID) {
				continue
			}
			if err := r.ledger(r.store, m.data).AddFurther(o); err != nil {
				return err
			}
			rows++
		}
		w.reports[i].Recount()
	}
	w.stamp(r)
	if err := r.store.Check(); err != nil {
		return err
	}
	if err := w.write(r, dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s with an interval or other readings, from %s\n",
		dir, cli.Counted(rows, "row"), cli.Counted(len(made.Runs), "run"))
	return failed
}
