package lesson

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/formula"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
)

// Key is the outcome of a step's run, for the lecturer.
type Key struct {
	Step    int    `json:"step"`
	Title   string `json:"title"`
	Kind    string `json:"kind,omitempty"`
	Truth   string `json:"truth,omitempty"`
	Reveal  string `json:"reveal,omitempty"` // with the figures of the run
	Results Pair   `json:"-"`
}

// Check runs every step of a lesson and computes every answer. Its error lists questions
// without exactly one right answer, conditions that do not hold, and goals that are reached
// from the start or not reached by their solution.
func Check(s *scenario.Scenario, r *Runner) ([]Key, error) {
	if s.Lesson == nil {
		return nil, fault.Refuse("lesson", "the scenario has no lesson", "write its steps; see assets/lessons/README.md")
	}
	var faults fault.Errors
	var keys []Key
	for i := range s.Lesson.Steps {
		k, err := check(s, i, r)
		keys = append(keys, k)
		if err != nil {
			faults.List = append(faults.List, fault.Fault{Path: fmt.Sprintf("lesson.steps[%d]", i), Message: err.Error(), Mend: "change the step or its scenario"})
		}
	}
	if len(faults.List) > 0 {
		return keys, &faults
	}
	return keys, nil
}

func check(s *scenario.Scenario, i int, r *Runner) (Key, error) {
	step := &s.Lesson.Steps[i]
	k := Key{Step: i + 1, Title: step.Title}
	run, err := steps.Of(s, i)
	if err != nil {
		return k, err
	}
	if k.Results, err = r.Pair(run); err != nil {
		return k, err
	}
	q := step.Question
	if q == nil {
		return k, nil
	}
	k.Kind = q.Kind
	shown := k.Results
	if q.Kind == "goal" {
		if reached, err := holds(q.Answer, shown); err != nil || reached {
			return k, fmt.Errorf("the goal is reached before anything was set: %w", orNone(err))
		}
		own, err := steps.Own(s, i, steps.Settings(q))
		if err != nil {
			return k, err
		}
		if shown, err = r.Pair(own); err != nil {
			return k, err
		}
		if reached, err := holds(q.Answer, shown); err != nil || !reached {
			return k, fmt.Errorf("the solution does not reach the goal: %w", orNone(err))
		}
	}
	if k.Truth, err = Truth(q, shown); err != nil {
		return k, err
	}
	for _, condition := range q.Holds {
		if ok, err := holds(condition, shown); err != nil || !ok {
			return k, fmt.Errorf("%s does not hold: %w", condition, orNone(err))
		}
	}
	k.Reveal, err = formula.Fill(q.Reveal, shown.Figure)
	return k, err
}

// KeyText is the key of a lesson as text.
func KeyText(s *scenario.Scenario, keys []Key) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%d minutes)\n", s.Lesson.Title, s.Lesson.Minutes)
	for _, k := range keys {
		fmt.Fprintf(&b, "\n%d. %s\n", k.Step, k.Title)
		if k.Truth != "" {
			fmt.Fprintf(&b, "answer: %s\n", k.Truth)
		}
		if k.Kind == "choice" {
			for i, c := range s.Lesson.Steps[k.Step-1].Question.Choices {
				fmt.Fprintf(&b, "  %d %s\n", i+1, c.Text)
			}
		}
		if k.Reveal != "" {
			fmt.Fprintf(&b, "%s\n", strings.TrimSpace(k.Reveal))
		}
	}
	return b.String()
}

// orNone replaces a missing error by a general one.
func orNone(err error) error {
	if err == nil {
		return fmt.Errorf("the run says otherwise")
	}
	return err
}
