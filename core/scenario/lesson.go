package scenario

// Lesson is a scenario with text: steps that each show a run of the scenario with
// changes, and ask a question first. It changes no result and is not part of the hash;
// Scenario.LessonHash covers it. assets/lessons/README.md says how to write one.
type Lesson struct {
	Title   string `msgpack:"title" yaml:"title" json:"title"`
	Minutes int    `msgpack:"minutes" yaml:"minutes" json:"minutes"`
	About   string `msgpack:"about,omitempty" yaml:"about,omitempty" json:"about,omitempty"`
	Steps   []Step `msgpack:"steps" yaml:"steps" json:"steps"`
}

// Step is one page of a lesson. Its run is the lesson's scenario with Set, and does
// not depend on earlier steps.
type Step struct {
	Title string `msgpack:"title" yaml:"title" json:"title"`
	Text  string `msgpack:"text" yaml:"text" json:"text"`
	// Set are values by path, as `burstscope run --set` takes them.
	Set Overrides `msgpack:"set,omitempty" yaml:"set,omitempty" json:"set,omitempty"`
	// Free are the controls that a student may use after answering the step; in a step with
	// a goal, from the start. All others are locked.
	Free     []string  `msgpack:"free,omitempty" yaml:"free,omitempty,flow" json:"free,omitempty"`
	View     *View     `msgpack:"view,omitempty" yaml:"view,omitempty" json:"view,omitempty"`
	Question *Question `msgpack:"question,omitempty" yaml:"question,omitempty" json:"question,omitempty"`
}

// Question is a question to the student. Its answer is computed from the run.
type Question struct {
	// Kind is choice, number, text or goal. A student reaches a goal with a run for
	// which Answer holds.
	Kind string `msgpack:"kind" yaml:"kind" json:"kind"`
	// Ask is predict (the default) if the run follows the answer, and observe if the
	// student sees the run first.
	Ask     string   `msgpack:"ask,omitempty" yaml:"ask,omitempty" json:"ask,omitempty"`
	Prompt  string   `msgpack:"prompt" yaml:"prompt" json:"prompt"`
	Choices []Choice `msgpack:"choices,omitempty" yaml:"choices,omitempty" json:"choices,omitempty"`
	// Answer is a formula: the value of a number, or the condition of a goal.
	Answer string `msgpack:"answer,omitempty" yaml:"answer,omitempty" json:"answer,omitempty"`
	Unit   string `msgpack:"unit,omitempty" yaml:"unit,omitempty" json:"unit,omitempty"`
	// Tolerance is the allowed deviation of a number: "0.5", or "10%" of the answer.
	Tolerance string `msgpack:"tolerance,omitempty" yaml:"tolerance,omitempty" json:"tolerance,omitempty"`
	// Reveal is shown with the run's figures once the answer is given.
	Reveal string `msgpack:"reveal,omitempty" yaml:"reveal,omitempty" json:"reveal,omitempty"`
	// Solution are values by path that reach a goal. `burstscope lesson` tries them.
	Solution Overrides `msgpack:"solution,omitempty" yaml:"solution,omitempty" json:"solution,omitempty"`
	// Holds are conditions that the text of the step relies on. `burstscope lesson check`
	// and the tests of the project check them.
	Holds []string `msgpack:"holds,omitempty" yaml:"holds,omitempty" json:"holds,omitempty"`
}

// Choice is one possible answer; it is right if When holds.
type Choice struct {
	Text string `msgpack:"text" yaml:"text" json:"text"`
	// When is a formula. It is empty for a choice that is never right.
	When string `msgpack:"when,omitempty" yaml:"when,omitempty" json:"when,omitempty"`
}

// Predicts reports whether a question is answered before its run is shown.
func (q *Question) Predicts() bool { return q.Kind != "goal" && q.Ask != "observe" }
