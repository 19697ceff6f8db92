package sweep

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// faultPath is the file with the scenario of a run that ended with a panic. Its folder begins with a dot, so
// that merge leaves it out.
func (s *Store) faultPath(key string) string {
	return filepath.Join(s.Folder(), ".faults", key+EntrySuffix)
}

// guarded makes the run of a job. A panic ends that run alone: its scenario is stored, and the error says how to repeat it.
func (o *sweepOptions) guarded(j *claim.Job, do func() error) error {
	err := fault.Guard(do)
	var p *fault.Panic
	if !errors.As(err, &p) {
		return err
	}
	file := o.Store.faultPath(j.Key)
	repeat := "burstscope run " + file
	if i := slices.IndexFunc(o.points, func(p sweepPoint) bool { return p.job.Key == j.Key }); i >= 0 {
		repeat = o.points[i].command() // the store may be a temporary one
	} else if j.Traffic {
		repeat = "the same command with --jobs 1"
	}
	if stored := disk.WriteStored(file, authoring.ToJSON(j.Scenario)); stored != nil {
		return errors.Join(cli.OfPanic(p, "the command line"), stored)
	}
	return cli.OfPanic(p, fmt.Sprintf("%s, which has its scenario (repeat it with: %s)", file, repeat))
}

// command is the command line of a point.
func (p *sweepPoint) command() string {
	words := []string{"burstscope", "run", cli.ShellWord(p.scenario)}
	for _, a := range p.settings {
		words = append(words, "--set", cli.ShellWord(a.Path+"="+a.Value))
	}
	return strings.Join(words, " ")
}

// failedRuns are the runs of a sweep that have no result; the others are stored.
type failedRuns []string

func (f failedRuns) Error() string { return strings.Join(f, "\n") }

// GoesOn reports whether a verb can go on with the results of a sweep although some of its runs failed.
func GoesOn(err error) bool { return err == nil || errors.As(err, new(failedRuns)) }
