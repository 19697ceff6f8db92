package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// faultPath is the file with the scenario of a run that ended with a panic. Its folder begins with a dot, so
// that merge leaves it out.
func (s *store) faultPath(key string) string {
	return filepath.Join(s.folder(), ".faults", key+entrySuffix)
}

// guarded makes the run of a job. A panic ends that run alone: its scenario is stored, and the error says how to repeat it.
func (o *sweepOptions) guarded(j *claim.Job, do func() error) error {
	err := fault.Guard(do)
	var p *fault.Panic
	if !errors.As(err, &p) {
		return err
	}
	file := o.store.faultPath(j.Key)
	repeat := "burstscope run " + file
	if i := slices.IndexFunc(o.points, func(p sweepPoint) bool { return p.job.Key == j.Key }); i >= 0 {
		repeat = o.points[i].command() // the store may be a temporary one
	} else if j.Traffic {
		repeat = "the same command with --jobs 1"
	}
	if stored := writeStored(file, authoring.ToJSON(j.Scenario)); stored != nil {
		return errors.Join(ofPanic(p, "the command line"), stored)
	}
	return ofPanic(p, fmt.Sprintf("%s, which has its scenario (repeat it with: %s)", file, repeat))
}

// command is the command line of a point.
func (p *sweepPoint) command() string {
	words := []string{"burstscope", "run", shellWord(p.scenario)}
	for _, a := range p.settings {
		words = append(words, "--set", shellWord(a.path+"="+a.value))
	}
	return strings.Join(words, " ")
}

// ofPanic is the error of a panic. what repeats it.
func ofPanic(p *fault.Panic, what string) error {
	return fmt.Errorf("%w: this is a fault of burstscope %s: please report it with %s and these calls: %s", p, experiment.Version, what, calls(p.Stack))
}

// calls are the innermost functions of a stack, in a line.
func calls(stack []byte) string {
	const most = 5
	var names []string
	lines := strings.Split(string(stack), "\n")
	for i := 0; i+1 < len(lines) && len(names) < most; i++ {
		name, _, call := strings.Cut(lines[i], "(0x")
		if !call {
			name, _, call = strings.Cut(lines[i], "({")
		}
		_, name, ours := strings.Cut(name, "burstscope/burstscope/")
		at, _, _ := strings.Cut(filepath.Base(strings.TrimSpace(lines[i+1])), " ")
		if call && ours && !strings.HasPrefix(name, "core/fault.Guard") {
			names = append(names, name+" "+at)
		}
	}
	return strings.Join(names, ", ")
}

// failedRuns are the runs of a sweep that have no result; the others are stored.
type failedRuns []string

func (f failedRuns) Error() string { return strings.Join(f, "\n") }

// goesOn reports whether a verb can go on with the results of a sweep although some of its runs failed.
func goesOn(err error) bool { return err == nil || errors.As(err, new(failedRuns)) }
