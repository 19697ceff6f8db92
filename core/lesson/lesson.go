// Package lesson runs the steps of a lesson, computes the answers to its questions from the
// results, and grades submissions. The page computes the same answers from its own
// results (site/src/lessons); grading does not trust them and repeats the runs.
package lesson

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/lesson/formula"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
)

// Pair are the results of both sides of a step.
type Pair struct{ A, B *experiment.Result }

// Figure is the value of a figure of a side, by its name in formulas.
func (p Pair) Figure(side byte, name string) (float64, bool) {
	r := p.A
	if side == 'B' {
		r = p.B
	}
	return r.Figure(name)
}

// Runner runs scenarios and keeps results by hash, so that each scenario of a class runs
// once.
type Runner struct {
	// MaxCycles ends a run that takes longer, because hostile input may request any length. 0
	// is DefaultMaxCycles.
	MaxCycles uint64
	kept      map[string]outcome
	Runs      int // runs made, without results that were kept
}

type outcome struct {
	result *experiment.Result
	err    error
}

// DefaultMaxCycles is twenty times the longest run of the shipped lessons, and takes some
// seconds natively [ours].
const DefaultMaxCycles = 20_000_000

// sliceCycles is the length of a run between two checks of the limit.
const sliceCycles = 1 << 18

// Run returns the result of one side.
func (r *Runner) Run(s *scenario.Scenario) (*experiment.Result, error) {
	hash := s.Hash()
	if o, ok := r.kept[hash]; ok {
		return o.result, o.err
	}
	result, err := r.run(s)
	if r.kept == nil {
		r.kept = map[string]outcome{}
	}
	r.kept[hash] = outcome{result, err}
	r.Runs++
	return result, err
}

func (r *Runner) run(s *scenario.Scenario) (*experiment.Result, error) {
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return nil, err
	}
	run, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		return nil, err
	}
	limit := r.MaxCycles
	if limit == 0 {
		limit = DefaultMaxCycles
	}
	for spent := uint64(0); ; spent += sliceCycles {
		done, err := run.Step(sliceCycles)
		if err != nil {
			return nil, err
		}
		if done {
			return run.Result(), nil
		}
		if spent >= limit {
			return nil, fmt.Errorf("the run takes more than %d cycles", limit)
		}
	}
}

// Pair runs both sides of a scenario.
func (r *Runner) Pair(s *scenario.Scenario) (Pair, error) {
	a, b := s.Sides()
	first, err := r.Run(a)
	if err != nil {
		return Pair{}, fmt.Errorf("side A: %w", err)
	}
	second, err := r.Run(b)
	if err != nil {
		return Pair{}, fmt.Errorf("side B: %w", err)
	}
	return Pair{first, second}, nil
}

// holds reports whether a condition holds for results.
func holds(condition string, p Pair) (bool, error) {
	v, err := formula.Evaluate(condition, p.Figure)
	return v != 0, err
}

// right returns the number of the right choice, counted from 1.
func right(q *scenario.Question, p Pair) (int, error) {
	found := 0
	for i, c := range q.Choices {
		if c.When == "" {
			continue
		}
		yes, err := holds(c.When, p)
		if err != nil {
			return 0, err
		}
		if yes && found != 0 {
			return 0, fmt.Errorf("choices %d and %d are both right", found, i+1)
		}
		if yes {
			found = i + 1
		}
	}
	if found == 0 {
		return 0, fmt.Errorf("no choice is right")
	}
	return found, nil
}

// Truth is the right answer to a question as a student would write it, empty for a
// text.
func Truth(q *scenario.Question, p Pair) (string, error) {
	switch q.Kind {
	case "choice":
		n, err := right(q, p)
		return strconv.Itoa(n), err
	case "number":
		v, err := formula.Evaluate(q.Answer, p.Figure)
		return strconv.FormatFloat(v, 'g', 6, 64), err
	case "goal":
		return q.Answer, nil
	}
	return "", nil
}

// Judge reports whether an answer is right: the number of a choice, a number within the
// tolerance, or, for a goal, whether the results of the student's run reach it.
func Judge(q *scenario.Question, answer string, p Pair) (bool, error) {
	switch q.Kind {
	case "choice":
		n, err := right(q, p)
		return err == nil && answer == strconv.Itoa(n), err
	case "number":
		want, err := formula.Evaluate(q.Answer, p.Figure)
		if err != nil {
			return false, err
		}
		got, err := strconv.ParseFloat(answer, 64)
		if err != nil || strings.Trim(answer, "+-.0123456789eE") != "" {
			return false, nil
		}
		return math.Abs(got-want) <= steps.Slack(q, want), nil
	case "goal":
		return holds(q.Answer, p)
	}
	return false, nil
}
