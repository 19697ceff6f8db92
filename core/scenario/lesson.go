package scenario

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Lesson is a scenario with text: steps that each show a run of the scenario with
// changes, and ask a question first. It changes no result and is not part of the hash;
// Scenario.LessonHash covers it. assets/lessons/README.md says how to write one.
type Lesson struct {
	Title   string `msgpack:"title" yaml:"title" json:"title"`
	Minutes int    `msgpack:"minutes" yaml:"minutes" json:"minutes"`
	About   string `msgpack:"about,omitempty" yaml:"about,omitempty" json:"about,omitempty"`
	Steps   []Step `msgpack:"steps" yaml:"steps" json:"steps"`
}

// Step is one page of a lesson. It stands alone: its run is that of the lesson's
// scenario with Set, whatever steps came before.
type Step struct {
	Title string `msgpack:"title" yaml:"title" json:"title"`
	Text  string `msgpack:"text" yaml:"text" json:"text"`
	// Set are values by path, as `burstscope run --set` takes them.
	Set Overrides `msgpack:"set,omitempty" yaml:"set,omitempty" json:"set,omitempty"`
	// Free are the controls a student may use once the step is answered; in a step
	// with a goal, from the start. All others are locked.
	Free     []string  `msgpack:"free,omitempty" yaml:"free,omitempty,flow" json:"free,omitempty"`
	View     *View     `msgpack:"view,omitempty" yaml:"view,omitempty" json:"view,omitempty"`
	Question *Question `msgpack:"question,omitempty" yaml:"question,omitempty" json:"question,omitempty"`
}

// Question is asked of a student. Its answer is computed from the run.
type Question struct {
	// Kind is choice, number, text or goal. A goal is reached by a run of the
	// student's own for which Answer holds.
	Kind string `msgpack:"kind" yaml:"kind" json:"kind"`
	// Ask is predict (the default) when the run is made after the answer, observe
	// when it is there to be looked at.
	Ask     string   `msgpack:"ask,omitempty" yaml:"ask,omitempty" json:"ask,omitempty"`
	Prompt  string   `msgpack:"prompt" yaml:"prompt" json:"prompt"`
	Choices []Choice `msgpack:"choices,omitempty" yaml:"choices,omitempty" json:"choices,omitempty"`
	// Answer is a formula: the value of a number, the condition of a goal.
	Answer string `msgpack:"answer,omitempty" yaml:"answer,omitempty" json:"answer,omitempty"`
	Unit   string `msgpack:"unit,omitempty" yaml:"unit,omitempty" json:"unit,omitempty"`
	// Tolerance is how far off a number may be: "0.5", or "10%" of the answer.
	Tolerance string `msgpack:"tolerance,omitempty" yaml:"tolerance,omitempty" json:"tolerance,omitempty"`
	// Reveal is shown with the run's figures once the answer is given.
	Reveal string `msgpack:"reveal,omitempty" yaml:"reveal,omitempty" json:"reveal,omitempty"`
	// Solution are values by path that reach a goal, for `burstscope lesson` and whoever
	// looks for them.
	Solution Overrides `msgpack:"solution,omitempty" yaml:"solution,omitempty" json:"solution,omitempty"`
	// Holds are conditions that the words of the step rely on; `burstscope lesson
	// check` and the tests of the project try them.
	Holds []string `msgpack:"holds,omitempty" yaml:"holds,omitempty" json:"holds,omitempty"`
}

// Choice is one answer to choose; it is right if When holds.
type Choice struct {
	Text string `msgpack:"text" yaml:"text" json:"text"`
	// When is a formula, or empty for a choice that is never right.
	When string `msgpack:"when,omitempty" yaml:"when,omitempty" json:"when,omitempty"`
}

// Limits of a lesson [ours].
const (
	maxMinutes     = 240
	maxSteps       = 40
	maxChoices     = 8
	maxStepBytes   = 8 << 10
	maxChoiceBytes = 500
	maxUnitBytes   = 24
	maxHolds       = 16
	// MaxAnswerBytes bounds what a student answers.
	MaxAnswerBytes = 4000
)

// The kinds of questions, and when they are asked.
var (
	questionKinds = []string{"choice", "number", "text", "goal"}
	askings       = []string{"predict", "observe"}
)

// mayBeSet are the beginnings of the paths that a step may set.
var mayBeSet = []string{"machine.", "workload.", "memory.", "compare.", "seed"}

// ValidateLesson reports every fault of the scenario's lesson, if it has one, as
// *Errors. Readers take it as one more check: the page's engine runs sides, which have
// no lessons, and does not carry it.
func (s *Scenario) ValidateLesson() error {
	var e Errors
	if s.Lesson != nil {
		s.validateLesson(&e)
	}
	return e.orNil()
}

func (s *Scenario) validateLesson(e *Errors) {
	l := s.Lesson
	checkText(e, "lesson.title", l.Title, maxTitleBytes, true)
	checkText(e, "lesson.about", l.About, maxStepBytes, false)
	checkMarks(e, "lesson.about", l.About)
	checkRange(e, "lesson.minutes", l.Minutes, 1, maxMinutes, " minutes")
	if s.Compare == nil {
		e.add("compare", "a lesson compares two schemes", "name the scheme of side A as compare: {memory: {...}}")
		return
	}
	if len(l.Steps) < 1 || len(l.Steps) > maxSteps {
		e.add("lesson.steps", fmt.Sprintf("%d steps", len(l.Steps)), fmt.Sprintf("write 1 to %d", maxSteps))
		return
	}
	for i := range l.Steps {
		s.validateStep(e, i)
	}
}

func (s *Scenario) validateStep(e *Errors, i int) {
	step, path := &s.Lesson.Steps[i], fmt.Sprintf("lesson.steps[%d]", i)
	checkText(e, path+".title", step.Title, maxTitleBytes, true)
	checkText(e, path+".text", step.Text, maxStepBytes, true)
	checkMarks(e, path+".text", step.Text)
	checkControls(e, path+".free", step.Free)
	if step.View != nil {
		step.View.validate(e, path+".view")
	}
	run, err := s.Step(i)
	faults, _ := err.(*Errors)
	if faults == nil {
		faults, _ = run.Validate().(*Errors)
	}
	if faults != nil {
		own, _ := s.run().Validate().(*Errors)
		for _, f := range faults.List {
			if own == nil || !slices.Contains(own.List, f) { // said of the scenario itself
				e.add(path+".set."+f.Path, f.Message, f.Mend)
			}
		}
	}
	if step.Question != nil {
		step.Question.validate(e, path+".question")
		if step.Question.Kind == "goal" {
			s.validateGoal(e, i, path)
		}
	}
}

// validateGoal checks that a goal comes with a way to it that a student may go.
func (s *Scenario) validateGoal(e *Errors, i int, path string) {
	step := &s.Lesson.Steps[i]
	if len(step.Free) == 0 {
		e.add(path+".free", "a goal that nothing can be set for", "name the controls a student may use")
	}
	if len(step.Question.Solution) == 0 {
		e.add(path+".question.solution", "a goal without a way to it", "write values that reach it, such as {memory.threshold: 8}")
		return
	}
	if faults, ok := s.solve(i).(*Errors); ok {
		for _, f := range faults.List {
			e.add(path+".question.solution."+f.Path, f.Message, f.Mend)
		}
	}
}

func (s *Scenario) solve(i int) error {
	_, err := s.Own(i, s.Lesson.Steps[i].Question.Settings())
	return err
}

// Settings are the values of a goal's solution as texts.
func (q *Question) Settings() map[string]string {
	settings := map[string]string{}
	for _, path := range order(q.Solution) {
		settings[path] = overrideText(q.Solution[path])
	}
	return settings
}

// Own returns the scenario of step i with the settings of a student, which may only be
// of free controls.
func (s *Scenario) Own(i int, settings map[string]string) (*Scenario, error) {
	run, err := s.Step(i)
	if err != nil {
		return nil, err
	}
	var all Errors
	for _, path := range order(settings) {
		if !covers(s.Lesson.Steps[i].Free, path) {
			all.add(shorten(path), "not free in this step", "set one of "+strings.Join(s.Lesson.Steps[i].Free, ", "))
			continue
		}
		if e, ok := run.Set(path, settings[path]).(*Errors); ok {
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

// covers reports whether a path or a group it is in stands in a list of controls.
func covers(list []string, path string) bool {
	for _, control := range list {
		if path == control || strings.HasPrefix(path, control+".") {
			return true
		}
	}
	return false
}

func (q *Question) validate(e *Errors, path string) {
	known := checkWord(e, path+".kind", q.Kind, questionKinds)
	if q.Ask != "" {
		checkWord(e, path+".ask", q.Ask, askings)
	}
	checkText(e, path+".prompt", q.Prompt, maxStepBytes, true)
	checkMarks(e, path+".prompt", q.Prompt)
	checkText(e, path+".unit", q.Unit, maxUnitBytes, false)
	checkText(e, path+".reveal", q.Reveal, maxStepBytes, false)
	if _, err := Fill(q.Reveal, func(_ byte, name string) (float64, bool) { return 1, isFigure(name) }); err != nil {
		e.add(path+".reveal", err.Error(), "write {formula} or {formula|format}")
	}
	if _, _, err := q.tolerance(); err != nil {
		e.add(path+".tolerance", err.Error(), "write a number such as 0.5, or a share such as 10%")
	}
	if len(q.Holds) > maxHolds {
		e.add(path+".holds", fmt.Sprintf("%d conditions", len(q.Holds)), fmt.Sprintf("write at most %d", maxHolds))
		return
	}
	for i, condition := range q.Holds {
		checkFormulaAt(e, fmt.Sprintf("%s.holds[%d]", path, i), condition)
	}
	if known {
		q.validateKind(e, path)
	}
}

// validateKind checks what belongs to one kind of question and not to others.
func (q *Question) validateKind(e *Errors, path string) {
	wantsFormula := q.Kind == "number" || q.Kind == "goal"
	switch {
	case wantsFormula:
		checkFormulaAt(e, path+".answer", q.Answer)
	case q.Answer != "":
		e.add(path+".answer", "a "+q.Kind+" has no answer of this form", "give a choice a when, and leave the answer of a text to the lecturer")
	}
	if q.Kind != "number" && (q.Tolerance != "" || q.Unit != "") {
		e.add(path+".tolerance", "only numbers have a tolerance and a unit", "remove them, or ask for a number")
	}
	if q.Kind != "goal" && len(q.Solution) > 0 {
		e.add(path+".solution", "only a goal has a solution", "remove it")
	}
	if q.Kind != "choice" {
		if len(q.Choices) > 0 {
			e.add(path+".choices", "a "+q.Kind+" has no choices", "remove them, or ask for a choice")
		}
		return
	}
	if len(q.Choices) < 2 || len(q.Choices) > maxChoices {
		e.add(path+".choices", fmt.Sprintf("%d choices", len(q.Choices)), fmt.Sprintf("write 2 to %d", maxChoices))
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
		e.add(path+".choices", "no choice can be right", "give one of them a when, such as when: B.cycles < A.cycles")
	}
}

func checkFormulaAt(e *Errors, path, formula string) {
	if err := checkFormula(formula); err != nil {
		e.add(path, err.Error(), "write arithmetic over figures, such as A.dramReadBytes / B.dramReadBytes")
	}
}

func checkText(e *Errors, path, text string, limit int, needed bool) {
	if needed && strings.TrimSpace(text) == "" {
		e.add(path, "no text", "write it")
	}
	checkProse(e, path, text, limit)
}

// checkMarks refuses figures of a run where there is no run to take them from.
func checkMarks(e *Errors, path, text string) {
	if strings.ContainsAny(text, "{}") {
		e.add(path, "a figure of the run before it was made", "write {...} in the reveal only")
	}
}

// run is the scenario without what guides people through it.
func (s *Scenario) run() *Scenario {
	only := *s
	only.Lesson, only.View = nil, nil
	return &only
}

// Step returns the scenario of step i: the lesson's with the values the step sets.
func (s *Scenario) Step(i int) (*Scenario, error) {
	step := &s.Lesson.Steps[i]
	run := s.run()
	run.Machine.Overrides = maps.Clone(run.Machine.Overrides)
	if run.Compare != nil {
		compare := *run.Compare
		run.Compare = &compare
	}
	run.View = step.View
	var all Errors
	for _, path := range order(step.Set) {
		if !settable(path) {
			all.add(shorten(path), "a step cannot set this", "set values of machine, workload, memory or compare, or seed")
			continue
		}
		if e, ok := run.Set(path, overrideText(step.Set[path])).(*Errors); ok {
			all.List = append(all.List, e.List...)
		}
	}
	return run, all.orNil()
}

// order sorts the paths of values, the workload's name first: it brings size and
// data of its own.
func order[V any](set map[string]V) []string {
	paths := slices.Sorted(maps.Keys(set))
	slices.SortStableFunc(paths, func(a, b string) int {
		return int(truth(b == "workload.name")) - int(truth(a == "workload.name"))
	})
	return paths
}

func settable(path string) bool {
	for _, begin := range mayBeSet {
		if strings.HasPrefix(path, begin) {
			return true
		}
	}
	return false
}

// Sides returns the scenarios of both sides of a comparison as the page runs them:
// A with the memory set beside, B with the scenario's own.
func (s *Scenario) Sides() (a, b *Scenario) {
	a, b = s.run(), s.run()
	a.Memory = DefaultMemory()
	if s.Compare != nil {
		a.Memory = s.Compare.Memory
	}
	a.Compare, b.Compare = nil, nil
	return a, b
}

// Predicts reports whether a question is answered before its run is shown.
func (q *Question) Predicts() bool { return q.Kind != "goal" && q.Ask != "observe" }

// Slack is how far from want a number may be.
func (q *Question) Slack(want float64) float64 {
	value, share, _ := q.tolerance() // Validate has looked
	if share {
		return float64(value * math.Abs(want))
	}
	return value
}

// tolerance returns how far off a number may be, as a value or a share.
func (q *Question) tolerance() (value float64, share bool, err error) {
	if q.Tolerance == "" {
		return 0, false, nil
	}
	text, share := strings.CutSuffix(q.Tolerance, "%")
	value, err = strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.") != "" || value > 1e9 {
		return 0, false, fmt.Errorf("%s is no tolerance", Quote(q.Tolerance))
	}
	if share {
		value /= 100
	}
	return value, share, nil
}
