package lesson

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
)

// State is the outcome of a step's question.
type State string

const (
	Right   State = "right"
	Wrong   State = "wrong"
	Given   State = "given"   // a text, for a person to read
	Missing State = "missing" // no answer
)

// Mark is the outcome of one question of a submission.
type Mark struct {
	Step   int    `json:"step"`
	Kind   string `json:"kind"`
	State  State  `json:"state"`
	Answer string `json:"answer"`
	Truth  string `json:"truth"` // empty for a text
}

// Report is the outcome of a submission.
type Report struct {
	File    string `json:"file"`
	Student string `json:"student"`
	Lesson  string `json:"lesson"`
	Program string `json:"program"`
	// Status is ok, flagged or unreadable.
	Status   string `json:"status"`
	Score    int    `json:"score"`
	Of       int    `json:"of"`       // questions with a right answer
	Answered int    `json:"answered"` // questions of any kind
	Asked    int    `json:"asked"`
	Marks    []Mark `json:"marks"`
	// Flags list the differences from the repeated runs.
	Flags []string `json:"flags"`
}

// Unreadable is the report of a file that is not a submission.
func Unreadable(file string, err error) Report {
	flag := err.Error()
	var e *fault.Errors
	if errors.As(err, &e) && len(e.List) > 1 {
		flag = fmt.Sprintf("%s (and %d more errors)", e.List[0].String(), len(e.List)-1)
	}
	return Report{File: file, Status: "unreadable", Flags: []string{flag}, Marks: []Mark{}}
}

// Grader grades submissions of lessons it knows.
type Grader struct {
	// Lesson returns a lesson by name, nil if there is none.
	Lesson func(name string) *scenario.Scenario
	Runner Runner
}

// grading is one submission being graded.
type grading struct {
	*Grader
	lesson *scenario.Scenario
	sub    *Submission
	report Report
}

func (g *grading) flag(format string, args ...any) {
	g.report.Flags = append(g.report.Flags, fmt.Sprintf(format, args...))
}

// Grade repeats the runs of a submission and compares the results.
func (g *Grader) Grade(file string, s *Submission) Report {
	l := g.Lesson(s.LessonName)
	if l == nil || l.Lesson == nil {
		return Unreadable(file, fmt.Errorf("lesson.name: there is no lesson %s: name its file with --lesson", fault.Quote(s.LessonName)))
	}
	d := grading{g, l, s, Report{File: file, Student: s.Student, Lesson: s.LessonName, Program: s.Program, Flags: []string{}, Marks: []Mark{}}}
	if s.Written != s.Digest {
		d.flag("digest: the file was changed after it was written")
	}
	if s.Program != experiment.Version {
		d.flag("version: made with burstscope %s, graded with %s", fault.Quote(s.Program), experiment.Version)
	}
	if s.LessonHash != l.LessonHash() {
		d.flag("lesson: its text or scenario is not the one graded with")
	}
	d.steps()
	d.report.Status = "ok"
	if len(d.report.Flags) > 0 {
		d.report.Status = "flagged"
	}
	return d.report
}

// steps marks every question of the lesson.
func (g *grading) steps() {
	entries := make([]*Entry, len(g.lesson.Lesson.Steps))
	seen := map[int]bool{}
	for i := range g.sub.Steps {
		e := &g.sub.Steps[i]
		if e.Step < 1 || e.Step > len(entries) || entries[e.Step-1] != nil {
			g.flag("step %d: it is not in the lesson, or given twice", e.Step)
			continue
		}
		entries[e.Step-1] = e
		for _, event := range []int{e.Answered, e.Ran} {
			if event != 0 && seen[event] {
				g.flag("step %d: two things happened at place %d of the order", e.Step, event)
			}
			seen[event] = true
		}
	}
	for i := range g.lesson.Lesson.Steps {
		q, e := g.lesson.Lesson.Steps[i].Question, entries[i]
		if e == nil {
			e = &Entry{Step: i + 1}
		}
		results, err := g.again(i, e)
		if err != nil {
			g.flag("step %d: %v", i+1, err)
		}
		if q != nil {
			g.mark(q, e, results, err == nil)
		}
	}
}

// again repeats the runs of a step's entry, and compares the hashes.
func (g *grading) again(i int, e *Entry) (Pair, error) {
	run, err := steps.Own(g.lesson, i, e.Settings)
	if err != nil {
		var faults *fault.Errors
		if errors.As(err, &faults) {
			err = fmt.Errorf("changed scenario: %s", faults.List[0].String())
		}
		return Pair{}, err
	}
	q := g.lesson.Lesson.Steps[i].Question
	if len(e.Settings) > 0 && (q == nil || q.Kind != "goal") {
		return Pair{}, errors.New("changed scenario: only a goal has settings of the student's")
	}
	results, err := g.Runner.Pair(run)
	if err != nil {
		return Pair{}, err
	}
	if e.Ran == 0 {
		if e.A != (Side{}) || e.B != (Side{}) {
			g.flag("step %d: results of a run that was never made", i+1)
		}
		return results, nil
	}
	for _, side := range []struct {
		name string
		said Side
		is   *experiment.Result
	}{{"A", e.A, results.A}, {"B", e.B, results.B}} {
		if side.said.ScenarioHash != side.is.ScenarioHash {
			g.flag("step %d: side %s ran another scenario", i+1, side.name)
		} else if side.said.ResultHash != side.is.ResultHash {
			g.flag("step %d: the result of side %s is not what its scenario gives", i+1, side.name)
		}
	}
	return results, nil
}

// mark judges one answer by results that were computed here.
func (g *grading) mark(q *scenario.Question, e *Entry, p Pair, ran bool) {
	m := Mark{Step: e.Step, Kind: q.Kind, State: Missing, Answer: e.Answer}
	g.report.Asked++
	if q.Kind != "text" {
		g.report.Of++
	}
	if ran {
		m.Truth, _ = Truth(q, p) // a lesson whose question has none is refused before grading
	}
	done := e.Answered > 0
	switch {
	case !done && e.Answer != "":
		g.flag("step %d: an answer that was never given", e.Step)
	case done && q.Kind != "goal" && e.Answer == "":
		g.flag("step %d: answered with nothing", e.Step)
		done = false
	case done && q.Predicts() && e.Ran != 0 && e.Ran < e.Answered:
		g.flag("step %d: predicted after its run was shown", e.Step)
	case done && q.Kind == "goal" && (e.Ran == 0 || e.Ran > e.Answered):
		g.flag("step %d: a goal reached before its run", e.Step)
	}
	if q.Kind == "choice" && done {
		if n, err := strconv.Atoi(e.Answer); err != nil || n < 1 || n > len(q.Choices) {
			g.flag("step %d: there is no choice %s", e.Step, fault.Quote(e.Answer))
		}
	}
	if done {
		g.report.Answered++
		m.State = Wrong
		switch {
		case q.Kind == "text":
			m.State = Given
		case ran && judged(q, e.Answer, p):
			m.State = Right
			g.report.Score++
		}
	}
	g.report.Marks = append(g.report.Marks, m)
}

func judged(q *scenario.Question, answer string, p Pair) bool {
	ok, err := Judge(q, answer, p)
	return ok && err == nil
}
