package steps_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/stat"
)

const lessonText = `
machine: {preset: mini}
workload: {name: vecadd, size: 4096, data: grid}
memory: {codec: e2mc16, mag: 32, threshold: 8}
compare: {memory: {codec: none, mag: 32, threshold: 8}}
lesson:
  title: T
  minutes: 5
  about: About <b>it</b>.
  steps:
    - title: one
      text: Words.
      set: {memory.mag: 16, workload: {name: transpose, size: 64}, machine.overrides.sm.l1.ways: 2}
      view: {tab: mag, side: A, cycle: 7}
      free: [memory.codec, machine.overrides]
      question:
        kind: choice
        ask: observe
        prompt: Which?
        choices: [{text: A, when: A.cycles < B.cycles}, {text: B}]
        reveal: "{A.cycles} or {B.error|%2}"
        holds: [A.cycles > 0]
    - title: two
      text: Words.
      free: [memory]
      question: {kind: goal, prompt: Go., answer: B.cycles > 0, solution: {memory.threshold: 4}}
    - title: three
      text: Words.
      question: {kind: number, prompt: "?", answer: "71 / 32", tolerance: 10%, unit: B}
`

func parsed(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := authoring.ParseYAML("test.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return s
}

func TestLessonRoundTrips(t *testing.T) {
	s := parsed(t, lessonText)
	bare := *s
	bare.Lesson = nil
	if s.Hash() != bare.Hash() {
		t.Error("words change the hash of what is computed")
	}
	if s.LessonHash() == bare.LessonHash() {
		t.Error("words do not change the hash of the lesson")
	}
	for form, read := range map[string]func() (*scenario.Scenario, error){
		"msgpack": func() (*scenario.Scenario, error) { return authoring.ParseMsgpack(authoring.Marshal(s)) },
		"JSON":    func() (*scenario.Scenario, error) { return scenario.ParseJSON("j", authoring.ToJSON(s)) },
		"YAML":    func() (*scenario.Scenario, error) { return authoring.ParseYAML("y", authoring.ToYAML(s)) },
	} {
		if again, err := read(); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%s: %v\n%+v\n%+v", form, err, again, s)
		}
	}
	if !bytes.Equal(s.Canonical(), authoring.Marshal(s)) {
		t.Error("two canonical forms")
	}
}

// A step stands alone: it changes a copy, the workload's name first.
func TestStepsStandAlone(t *testing.T) {
	s := parsed(t, lessonText)
	before := s.Canonical()
	one, err := steps.Of(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	if one.Workload.Name != "transpose" || one.Workload.Data != "ramp" || one.Workload.Size != 64 || one.Memory.MAG() != 16 || one.Compare.Memory.MAG() != 32 || one.Machine.Overrides["sm.l1.ways"] != int64(2) || one.Lesson != nil || one.View.Cycle != 7 {
		t.Errorf("%+v", one)
	}
	two, err := steps.Of(s, 1)
	if err != nil || two.Workload.Name != "vecadd" || two.Memory.MAG() != 32 || len(two.Machine.Overrides) != 0 {
		t.Errorf("%+v, %v", two, err)
	}
	if !bytes.Equal(s.Canonical(), before) {
		t.Error("a step changes the lesson")
	}
	a, b := one.Sides()
	if a.Memory.Codec() != "none" || b.Memory.Codec() != "e2mc16" || a.Compare != nil || a.View != nil || a.Machine.Preset != "mini" {
		t.Errorf("%+v %+v", a, b)
	}
	if own, err := steps.Own(s, 1, map[string]string{"memory.codec": "bdi"}); err != nil || own.Memory.Codec() != "bdi" {
		t.Errorf("%v", err)
	}
	for path, value := range map[string]string{"workload.size": "1", "memory.codec": "zip", "memory": "x", "": "", "lesson.title": "x", "memory.mag": "48"} {
		if _, err := steps.Own(s, 1, map[string]string{path: value}); err == nil {
			t.Errorf("%s=%s was taken", path, value)
		}
	}
}

// Every fault of a lesson is named with its path and its place.
func TestLessonFaults(t *testing.T) {
	for change, want := range map[string]string{
		"minutes: 5|minutes: 0":                                      "lesson.minutes: 0 is out of range",
		"title: T|title: ''":                                         "lesson.title: no text",
		"about: About <b>it</b>.|about: '{A.cycles}'":                "lesson.about: a figure of the run before it was made",
		"text: Words.\n      set|text: 'x } y'\n      set":           "lesson.steps[0].text: a figure of the run",
		"memory.mag: 16|memory.mag: 48":                              "lesson.steps[0].set.memory.mag: no memory access granularity of 48",
		"memory.mag: 16|memory.magg: 16":                             "lesson.steps[0].set.memory.magg: no such setting",
		"memory.mag: 16|lesson.title: x":                             "lesson.steps[0].set.lesson.title: a step cannot set this",
		"tab: mag|tab: map":                                          `lesson.steps[0].view.tab: unknown tab "map": did you mean "mag"?`,
		"free: [memory.codec,|free: [codec,":                         `lesson.steps[0].free[0]: there is no control for "codec"`,
		"kind: choice|kind: choise":                                  `lesson.steps[0].question.kind: unknown kind "choise": did you mean "choice"?`,
		"ask: observe|ask: later":                                    "lesson.steps[0].question.ask: unknown ask",
		"when: A.cycles < B.cycles|when: A.cyles < B.cycles":         `lesson.steps[0].question.choices[0].when: a side has no figure "cyles": did you mean "cycles"?`,
		", when: A.cycles < B.cycles|":                               "lesson.steps[0].question.choices: no choice can be right",
		", {text: B}]|]":                                             "lesson.steps[0].question.choices: 1 choices",
		"{B.error|%2}#{B.error|2}":                                   "lesson.steps[0].question.reveal: \"2\" is not a format",
		"{A.cycles} or#{A.cycles or":                                 "lesson.steps[0].question.reveal",
		"holds: [A.cycles > 0]|holds: [A.cycles >]":                  "lesson.steps[0].question.holds[0]: the formula ends",
		"solution: {memory.threshold: 4}|solution: {memory.mag: 48}": "lesson.steps[1].question.solution.memory.mag: no memory access granularity",
		"solution: {memory.threshold: 4}|solution: {seed: 4}":        "lesson.steps[1].question.solution.seed: not free in this step",
		", solution: {memory.threshold: 4}|":                         "lesson.steps[1].question.solution: a goal without a solution",
		"free: [memory]\n|\n":                                        "lesson.steps[1].free: a goal without free controls",
		"tolerance: 10%|tolerance: much":                             "lesson.steps[2].question.tolerance",
		`answer: "71 / 32"|answer: "71 //"`:                          "lesson.steps[2].question.answer",
		`kind: number, prompt|kind: text, prompt`:                    "lesson.steps[2].question.answer: a text has no answer",
		"compare: {memory: {codec: none, mag: 32, threshold: 8}}|":   "compare: a lesson compares two schemes",
		"minutes: 5|minutes: 5\n  colour: red":                       "lesson.colour: no such key",
	} {
		mark := "|"
		if strings.Contains(change, "#") {
			mark = "#"
		}
		from, to, _ := strings.Cut(change, mark)
		if !strings.Contains(lessonText, from) {
			t.Fatalf("the lesson has no %q", from)
		}
		_, err := authoring.ParseYAML("l.yaml", []byte(strings.Replace(lessonText, from, to, 1)))
		var e *fault.Errors
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", to, err, want)
			continue
		}
		for _, f := range e.List {
			if !strings.HasPrefix(f.Where, "l.yaml:") || f.Mend == "" {
				t.Errorf("%s: %v has no place or nothing to do", to, f)
			}
		}
	}
	many := strings.Replace(lessonText, "  steps:\n", "  steps:\n"+strings.Repeat("    - {title: x, text: y}\n", 41), 1)
	if _, err := authoring.ParseYAML("l", []byte(many)); err == nil || !strings.Contains(err.Error(), "lesson.steps: 44 steps") {
		t.Errorf("%v", err)
	}
}

// Every figure and every counter is known to a lesson's validation.
func TestFiguresAreKnown(t *testing.T) {
	names := metric.Names()
	for _, c := range stat.List() {
		names = append(names, stat.Describe(c).Name)
	}
	for _, name := range names {
		text := strings.Replace(lessonText, "A.cycles > 0", "A."+name+" > 0", 1)
		if _, err := authoring.ParseYAML("l", []byte(text)); err != nil {
			t.Error(err)
		}
	}
}

// FuzzLesson: whatever is read as a lesson has steps that can be run, or faults.
func FuzzLesson(f *testing.F) {
	f.Add([]byte(lessonText))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := authoring.ParseYAML("fuzz", b)
		if err != nil || s.Lesson == nil {
			return
		}
		for i := range s.Lesson.Steps {
			run, err := steps.Of(s, i)
			if err != nil || run.Validate() != nil {
				t.Fatalf("step %d of a valid lesson: %v", i, err)
			}
		}
		again, err := authoring.ParseMsgpack(authoring.Marshal(s))
		if err != nil || again.LessonHash() != s.LessonHash() {
			t.Fatalf("the packed lesson is another: %v", err)
		}
	})
}
