package reproduce

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// writtenRun is a run of written files with the result that they state.
type writtenRun struct {
	job            *claim.Job
	folder, result string
	input          bool // one of further inputs
}

// maxRunsBytes bounds a file of runs [ours]: the largest has 1.5 MB.
const maxRunsBytes = 64 << 20

// writtenRuns returns the runs of a folder that reproduce has written, and of the folders in it, that have a result. Runs of
// one program stand beside each other, and in them runs of one scheme.
func writtenRuns(dir string) ([]writtenRun, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "runs.json"))
	if err != nil {
		return nil, err
	}
	var list []writtenRun
	for _, file := range append([]string{filepath.Join(dir, "runs.json")}, files...) {
		b, err := disk.ReadFile(file, maxRunsBytes)
		if err != nil {
			return nil, fmt.Errorf("no runs to check: %w", err)
		}
		var runs reproducedRuns
		if err := json.Unmarshal(b, &runs); err != nil {
			return nil, fmt.Errorf("%s: it is not what reproduce writes: %v", file, err)
		}
		if runs.Version != experiment.Version {
			return nil, fmt.Errorf("%s: its runs are of version %s, this program is %s: check them with that version", file, runs.Version, experiment.Version)
		}
		for _, key := range cli.SortedKeys(runs.Runs) {
			one := runs.Runs[key]
			s, err := scenario.ParseJSON(file, one.Scenario)
			if err != nil {
				return nil, err
			}
			job := claim.NewJob(s, one.Kind == "traffic")
			if job.Key != key {
				return nil, fmt.Errorf("%s: the scenario of %s is of another run, %s: make the file again with reproduce", file, scenario.ShortHash(key), scenario.ShortHash(job.Key))
			}
			if one.Result != "" {
				list = append(list, writtenRun{job, filepath.Dir(file), one.Result, one.Input})
			}
		}
	}
	slices.SortFunc(list, func(a, b writtenRun) int {
		return cmp.Or(strings.Compare(a.folder, b.folder), strings.Compare(a.job.Scenario.Workload.Name, b.job.Scenario.Workload.Name),
			strings.Compare(a.job.String(), b.job.String()), strings.Compare(a.job.Key, b.job.Key))
	})
	return list, nil
}

// chosen takes n runs, spread over all; those of further inputs, which repeat the others, only if n is more than the
// others are.
func chosen(all []writtenRun, n int) []writtenRun {
	var own, inputs []writtenRun
	for _, r := range all {
		if r.input {
			inputs = append(inputs, r)
		} else {
			own = append(own, r)
		}
	}
	return slices.Concat(spread(own, n), spread(inputs, max(n-len(own), 0)))
}

// spread takes n of a list, at equal distances: every n gives the same ones of a list each time.
func spread[T any](list []T, n int) []T {
	if n >= len(list) {
		return list
	}
	var some []T
	for i := range n {
		some = append(some, list[(2*i+1)*len(list)/(2*n)])
	}
	return some
}

// checkWritten makes n of the runs of a folder again and compares their results with those that its files state.
func checkWritten(dir string, n int, s *sweep.Store, jobs int, out io.Writer) error {
	all, err := writtenRuns(dir)
	if err != nil {
		return err
	}
	some := chosen(all, n)
	var list []*claim.Job
	for _, r := range some {
		list = append(list, r.job)
	}
	runs := sweep.NewSweep(s)
	runs.Jobs = jobs
	failed := runs.Run(sweep.Distinct(list), io.Discard)
	if !sweep.GoesOn(failed) {
		return failed
	}
	var faults []error
	programs, made := map[string]bool{}, len(some)
	described := (&reproduction{store: s}).describe(list)
	for _, r := range some {
		programs[r.job.Scenario.Workload.Name] = true
		if got := described.Runs[r.job.Key].Result; got == "" {
			made--
		} else if got != r.result {
			faults = append(faults, fmt.Errorf("%s: %s comes to %s, and runs.json states %s", r.folder, r.job, scenario.ShortHash(got), scenario.ShortHash(r.result)))
		}
	}
	if err := s.Check(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d of %d runs of %s made again, %s: %d have the same result\n", len(some), len(all), dir, cli.Counted(len(programs), "program"), made-len(faults))
	return errors.Join(append(faults, failed)...)
}
