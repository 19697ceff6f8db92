// Package steps checks a lesson and returns the scenario that each of its steps runs.
package steps

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/formula"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// Limits of a lesson [ours].
const (
	maxMinutes     = 240
	maxSteps       = 40
	maxChoices     = 8
	maxStepBytes   = 8 << 10
	maxChoiceBytes = 500
	maxUnitBytes   = 24
	maxHolds       = 16
	// MaxAnswerBytes bounds the answer of a student.
	MaxAnswerBytes = 4000
)

// The kinds of questions, and the times when they are asked.
var (
	questionKinds = []string{"choice", "number", "text", "goal"}
	askings       = []string{"predict", "observe"}
)

// mayBeSet returns the beginnings of the paths that a step may set.
func mayBeSet() []string {
	begin := []string{"machine.", "workload.", "compare.", "seed"}
	for _, group := range scheme.Groups() {
		begin = append(begin, group+".")
	}
	return begin
}

// Validate reports every fault of the scenario's lesson, if it has one, as
// *Errors. Readers take it as one more check: the page's engine runs sides, which have
// no lessons, and does not carry it.
func Validate(s *scenario.Scenario) error {
	var e fault.Errors
	if s.Lesson != nil {
		validate(s, &e)
	}
	return e.OrNil()
}

func validate(s *scenario.Scenario, e *fault.Errors) {
	l := s.Lesson
	checkText(e, "lesson.title", l.Title, scenario.MaxTitleBytes, true)
	checkText(e, "lesson.about", l.About, maxStepBytes, false)
	checkMarks(e, "lesson.about", l.About)
	e.Range("lesson.minutes", l.Minutes, 1, maxMinutes, " minutes")
	if s.Compare == nil {
		e.Add("compare", "a lesson compares two schemes", "name the scheme of side A as compare: {memory: {...}}")
		return
	}
	if len(l.Steps) < 1 || len(l.Steps) > maxSteps {
		e.Add("lesson.steps", fmt.Sprintf("%d steps", len(l.Steps)), fmt.Sprintf("write 1 to %d", maxSteps))
		return
	}
	for i := range l.Steps {
		validateStep(s, e, i)
	}
}

func validateStep(s *scenario.Scenario, e *fault.Errors, i int) {
	step, path := &s.Lesson.Steps[i], fmt.Sprintf("lesson.steps[%d]", i)
	checkText(e, path+".title", step.Title, scenario.MaxTitleBytes, true)
	checkText(e, path+".text", step.Text, maxStepBytes, true)
	checkMarks(e, path+".text", step.Text)
	scenario.CheckControls(e, path+".free", step.Free)
	if step.View != nil {
		step.View.Validate(e, path+".view")
	}
	run, err := Of(s, i)
	faults, _ := err.(*fault.Errors)
	if faults == nil {
		faults, _ = run.Validate().(*fault.Errors)
	}
	if faults != nil {
		own, _ := s.Unguided().Validate().(*fault.Errors)
		for _, f := range faults.List {
			same := func(g fault.Fault) bool { return g.Path == f.Path && g.Message == f.Message }
			if own == nil || !slices.ContainsFunc(own.List, same) { // said of the scenario itself
				e.Add(path+".set."+f.Path, f.Message, f.Mend)
			}
		}
	}
	if step.Question != nil {
		validateQuestion(step.Question, e, path+".question")
		if step.Question.Kind == "goal" {
			validateGoal(s, e, i, path)
		}
	}
}

// validateGoal checks that a goal has a solution that a student can set.
func validateGoal(s *scenario.Scenario, e *fault.Errors, i int, path string) {
	step := &s.Lesson.Steps[i]
	if len(step.Free) == 0 {
		e.Add(path+".free", "a goal without free controls", "name the controls a student may use")
	}
	if len(step.Question.Solution) == 0 {
		e.Add(path+".question.solution", "a goal without a solution", "write values that reach it, such as {memory.threshold: 8}")
		return
	}
	if faults, ok := solve(s, i).(*fault.Errors); ok {
		for _, f := range faults.List {
			e.Add(path+".question.solution."+f.Path, f.Message, f.Mend)
		}
	}
}

func solve(s *scenario.Scenario, i int) error {
	_, err := Own(s, i, Settings(s.Lesson.Steps[i].Question))
	return err
}

// Settings are the values of a goal's solution as texts.
func Settings(q *scenario.Question) map[string]string {
	settings := map[string]string{}
	for _, path := range order(q.Solution) {
		settings[path] = fmt.Sprint(q.Solution[path])
	}
	return settings
}

// Own returns the scenario of step i with the settings of a student, who may set only free
// controls.
func Own(s *scenario.Scenario, i int, settings map[string]string) (*scenario.Scenario, error) {
	run, err := Of(s, i)
	if err != nil {
		return nil, err
	}
	var all fault.Errors
	for _, path := range order(settings) {
		if !covers(s.Lesson.Steps[i].Free, path) {
			all.Add(fault.Shorten(path), "not free in this step", "set one of "+strings.Join(s.Lesson.Steps[i].Free, ", "))
			continue
		}
		if e, ok := run.Set(path, settings[path]).(*fault.Errors); ok {
			all.List = append(all.List, e.List...)
		}
	}
	if len(all.List) > 0 {
		return nil, &all
	}
	if err := run.Validate(); err != nil {
		return nil, err
	}
	return run, nil
}

// covers reports whether a list of controls has a path or one of its groups.
func covers(list []string, path string) bool {
	for _, control := range list {
		if path == control || strings.HasPrefix(path, control+".") {
			return true
		}
	}
	return false
}

func validateQuestion(q *scenario.Question, e *fault.Errors, path string) {
	known := e.Word(path+".kind", q.Kind, questionKinds)
	if q.Ask != "" {
		e.Word(path+".ask", q.Ask, askings)
	}
	checkText(e, path+".prompt", q.Prompt, maxStepBytes, true)
	checkMarks(e, path+".prompt", q.Prompt)
	checkText(e, path+".unit", q.Unit, maxUnitBytes, false)
	checkText(e, path+".reveal", q.Reveal, maxStepBytes, false)
	if _, err := formula.Fill(q.Reveal, formula.Any); err != nil {
		e.Add(path+".reveal", err.Error(), "write {formula} or {formula|format}")
	}
	if _, _, err := tolerance(q); err != nil {
		e.Add(path+".tolerance", err.Error(), "write a number such as 0.5, or a share such as 10%")
	}
	if len(q.Holds) > maxHolds {
		e.Add(path+".holds", fmt.Sprintf("%d conditions", len(q.Holds)), fmt.Sprintf("write at most %d", maxHolds))
		return
	}
	for i, condition := range q.Holds {
		checkFormulaAt(e, fmt.Sprintf("%s.holds[%d]", path, i), condition)
	}
	if known {
		validateKind(q, e, path)
	}
}

// validateKind checks the fields that only some kinds of question have.
func validateKind(q *scenario.Question, e *fault.Errors, path string) {
	wantsFormula := q.Kind == "number" || q.Kind == "goal"
	switch {
	case wantsFormula:
		checkFormulaAt(e, path+".answer", q.Answer)
	case q.Answer != "":
		e.Add(path+".answer", "a "+q.Kind+" has no answer of this form", "give a choice a when, and leave the answer of a text to the lecturer")
	}
	if q.Kind != "number" && (q.Tolerance != "" || q.Unit != "") {
		e.Add(path+".tolerance", "only numbers have a tolerance and a unit", "remove them, or ask for a number")
	}
	if q.Kind != "goal" && len(q.Solution) > 0 {
		e.Add(path+".solution", "only a goal has a solution", "remove it")
	}
	if q.Kind != "choice" {
		if len(q.Choices) > 0 {
			e.Add(path+".choices", "a "+q.Kind+" has no choices", "remove them, or ask for a choice")
		}
		return
	}
	if len(q.Choices) < 2 || len(q.Choices) > maxChoices {
		e.Add(path+".choices", fmt.Sprintf("%d choices", len(q.Choices)), fmt.Sprintf("write 2 to %d", maxChoices))
		return
	}
	some := false
	for i, c := range q.Choices {
		at := fmt.Sprintf("%s.choices[%d]", path, i)
		checkText(e, at+".text", c.Text, maxChoiceBytes, true)
		checkMarks(e, at+".text", c.Text)
		if c.When != "" {
			some = true
			checkFormulaAt(e, at+".when", c.When)
		}
	}
	if !some {
		e.Add(path+".choices", "no choice can be right", "give one of them a when, such as when: B.cycles < A.cycles")
	}
}

func checkFormulaAt(e *fault.Errors, path, text string) {
	if err := formula.Check(text); err != nil {
		e.Add(path, err.Error(), "write arithmetic over figures, such as A.dramReadBytes / B.dramReadBytes")
	}
}

func checkText(e *fault.Errors, path, text string, limit int, needed bool) {
	if needed && strings.TrimSpace(text) == "" {
		e.Add(path, "no text", "write it")
	}
	e.Prose(path, text, limit)
}

// checkMarks refuses figures in texts that are shown before the run.
func checkMarks(e *fault.Errors, path, text string) {
	if strings.ContainsAny(text, "{}") {
		e.Add(path, "a figure of the run before it was made", "write {...} in the reveal only")
	}
}

// Of returns the scenario of step i: the lesson's with the values the step sets.
func Of(s *scenario.Scenario, i int) (*scenario.Scenario, error) {
	step := &s.Lesson.Steps[i]
	run := s.Unguided()
	run.Machine.Overrides = maps.Clone(run.Machine.Overrides)
	if run.Compare != nil {
		compare := *run.Compare
		run.Compare = &compare
	}
	run.View = step.View
	var all fault.Errors
	for _, path := range order(step.Set) {
		if !settable(path) {
			all.Add(fault.Shorten(path), "a step cannot set this", "set values of machine, workload, memory or compare, or seed")
			continue
		}
		if e, ok := run.Set(path, fmt.Sprint(step.Set[path])).(*fault.Errors); ok {
			all.List = append(all.List, e.List...)
		}
	}
	return run, all.OrNil()
}

// order sorts the paths of values. Names of the workload and of entries come first, because
// they set other values too.
func order[V any](set map[string]V) []string {
	paths := slices.Sorted(maps.Keys(set))
	slices.SortStableFunc(paths, func(a, b string) int {
		return rank(a) - rank(b)
	})
	return paths
}

func rank(path string) int {
	if path == "workload.name" || scheme.IsChoice(strings.TrimPrefix(path, "compare.")) {
		return 0
	}
	return 1
}

func settable(path string) bool {
	for _, begin := range mayBeSet() {
		if strings.HasPrefix(path, begin) {
			return true
		}
	}
	return false
}

// Slack is the greatest distance from want of a right answer.
func Slack(q *scenario.Question, want float64) float64 {
	value, share, _ := tolerance(q) // Validate has checked it
	if share {
		return float64(value * math.Abs(want))
	}
	return value
}

// tolerance returns the allowed difference, as a value or a share.
func tolerance(q *scenario.Question) (value float64, share bool, err error) {
	if q.Tolerance == "" {
		return 0, false, nil
	}
	text, share := strings.CutSuffix(q.Tolerance, "%")
	value, err = strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.") != "" || value > 1e9 {
		return 0, false, fmt.Errorf("%s is not a tolerance", fault.Quote(q.Tolerance))
	}
	if share {
		value /= 100
	}
	return value, share, nil
}
