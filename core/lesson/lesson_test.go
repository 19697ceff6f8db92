package lesson

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// small is a lesson with every kind of question, whose runs take milliseconds.
const small = `
machine: {preset: mini}
workload: {name: vecadd, size: 4096, data: grid}
memory: {codec: e2mc16, mag: 32, threshold: 8}
compare: {memory: {codec: none, mag: 32, threshold: 8}}
lesson:
  title: Small
  minutes: 5
  steps:
    - {title: look, text: Look.}
    - title: one
      text: Words.
      question:
        kind: choice
        prompt: Who moves fewer bytes?
        choices:
          - {text: A, when: A.dramReadBytes < B.dramReadBytes}
          - {text: B, when: B.dramReadBytes < A.dramReadBytes}
    - title: two
      text: Words.
      set: {memory: {mag: 16}, compare: {memory: {mag: 16}}}
      question: {kind: number, prompt: "How many?", answer: A.burstsRead, tolerance: 5%}
    - title: three
      text: Words.
      question: {kind: text, ask: observe, prompt: "Why?"}
    - title: four
      text: Words.
      free: [memory.codec, memory.mag]
      question:
        kind: goal
        prompt: Save nothing.
        answer: B.burstsSaved == 0
        solution: {memory.codec: none}
`

func mustLesson(t testing.TB) *scenario.Scenario {
	t.Helper()
	s, err := authoring.ParseYAML("small.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func grader(t testing.TB) *Grader {
	s := mustLesson(t)
	return &Grader{Lesson: func(name string) *scenario.Scenario {
		if name == "small" {
			return s
		}
		return nil
	}}
}

// written is a submission as the page writes it.
type written struct {
	program, lesson, hash, student string
	steps                          []string
}

func (w *written) file(t testing.TB) []byte {
	t.Helper()
	body := fmt.Sprintf(`{"schema": "burstscope-submission", "version": 1, "program": %q, "lesson": {"name": %q, "hash": %q}, "student": %q, "steps": [%s]`,
		w.program, w.lesson, w.hash, w.student, strings.Join(w.steps, ","))
	zero := strings.Repeat("0", 64)
	s, err := Read("draft", []byte(body+`, "digest": "`+zero+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(body + `, "digest": "` + s.Digest + `"}`)
}

func entry(step int, answer string, answered, ran int, settings string, p Pair) string {
	return fmt.Sprintf(`{"step": %d, "answer": %q, "answered": %d, "ran": %d, "settings": {%s}, "a": {"scenario": %q, "result": %q}, "b": {"scenario": %q, "result": %q}}`,
		step, answer, answered, ran, settings, p.A.ScenarioHash, p.A.ResultHash, p.B.ScenarioHash, p.B.ResultHash)
}

// perfect is a submission with every answer right.
func perfect(t testing.TB) *written {
	t.Helper()
	s := mustLesson(t)
	var r Runner
	pair := func(i int, settings map[string]string) Pair {
		own, err := steps.Own(s, i, settings)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Pair(own)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	two := pair(2, nil)
	return &written{experiment.Version, "small", s.LessonHash(), "Student 7", []string{
		entry(1, "", 0, 1, "", pair(0, nil)),
		entry(2, "2", 2, 3, "", pair(1, nil)),
		entry(3, fmt.Sprint(two.A.BurstsRead), 4, 5, "", two),
		entry(4, "Because.", 7, 6, "", pair(3, nil)),
		entry(5, "reached", 9, 8, `"memory.codec": "none"`, pair(4, map[string]string{"memory.codec": "none"})),
	}}
}

func gradeFile(t testing.TB, g *Grader, b []byte) Report {
	t.Helper()
	s, err := Read("x.json", b)
	if err != nil {
		return Unreadable("x.json", err)
	}
	return g.Grade("x.json", s)
}

func TestGradePerfect(t *testing.T) {
	g := grader(t)
	got := gradeFile(t, g, perfect(t).file(t))
	if got.Status != "ok" || got.Score != 3 || got.Of != 3 || got.Answered != 4 || got.Asked != 4 || len(got.Flags) != 0 {
		t.Errorf("%+v", got)
	}
	// A class that hands in the same runs costs one of each.
	runs := g.Runner.Runs
	gradeFile(t, g, perfect(t).file(t))
	if g.Runner.Runs != runs || runs > 6 {
		t.Errorf("%d runs, then %d", runs, g.Runner.Runs)
	}
	// Laid out anew it is the same file.
	spaced := strings.ReplaceAll(string(perfect(t).file(t)), ": ", " :\n\t ")
	if again := gradeFile(t, g, []byte(spaced)); again.Status != "ok" {
		t.Errorf("laid out anew: %+v", again.Flags)
	}
}

// Whatever is changed shows, even where the digest was computed anew.
func TestTamperingShows(t *testing.T) {
	g := grader(t)
	other := strings.Repeat("ab", 32)
	for name, c := range map[string]struct {
		change func(w *written)
		flag   string
		score  int
	}{
		"wrong choice":    {func(w *written) { w.steps[1] = strings.Replace(w.steps[1], `"answer": "2"`, `"answer": "1"`, 1) }, "", 2},
		"no such choice":  {func(w *written) { w.steps[1] = strings.Replace(w.steps[1], `"answer": "2"`, `"answer": "9"`, 1) }, "step 2: there is no choice", 2},
		"number far off":  {func(w *written) { w.steps[2] = replaceAnswer(w.steps[2], "1") }, "", 2},
		"no number":       {func(w *written) { w.steps[2] = replaceAnswer(w.steps[2], "0x10") }, "", 2},
		"infinite number": {func(w *written) { w.steps[2] = replaceAnswer(w.steps[2], "Inf") }, "", 2},
		"another version": {func(w *written) { w.program = "9.9.9" }, `version: made with burstscope "9.9.9"`, 3},
		"another lesson":  {func(w *written) { w.hash = other }, "lesson: its text or scenario is not the one", 3},
		"another result":  {func(w *written) { w.steps[1] = lastHash(w.steps[1], other) }, "step 2: the result of side B is not what its scenario gives", 3},
		"another scenario": {func(w *written) {
			w.steps[1] = strings.Replace(w.steps[1], `"a": {"scenario": "`, `"a": {"scenario": "`+other[:8], 1)
			w.steps[1] = trimHash(w.steps[1])
		}, "step 2: side A ran another scenario", 3},
		"late prediction": {func(w *written) { w.steps[1] = strings.Replace(w.steps[1], `"ran": 3`, `"ran": 1`, 1) }, "step 2: predicted after its run was shown", 3},
		"same place":      {func(w *written) { w.steps[1] = strings.Replace(w.steps[1], `"ran": 3`, `"ran": 4`, 1) }, "step 3: two things happened at place 4", 3},
		"settings": {func(w *written) {
			w.steps[1] = strings.Replace(w.steps[1], `"settings": {}`, `"settings": {"memory.mag": "64"}`, 1)
		}, "step 2: changed scenario: memory.mag: not free", 2},
		"forbidden setting": {func(w *written) {
			w.steps[4] = strings.Replace(w.steps[4], `"memory.codec": "none"`, `"workload.size": "4000000"`, 1)
		}, "step 5: changed scenario: workload.size: not free", 2},
		"bad setting":      {func(w *written) { w.steps[4] = strings.Replace(w.steps[4], `"none"`, `"nonne"`, 1) }, "step 5: changed scenario: memory.codec: unknown codec", 2},
		"goal not reached": {func(w *written) { w.steps[4] = strings.Replace(w.steps[4], `"memory.codec": "none"`, "", 1) }, "step 5: side B ran another scenario", 2},
		"step twice":       {func(w *written) { w.steps[0] = w.steps[1] }, "step 2: it is not in the lesson, or given twice", 3},
		"step of nowhere":  {func(w *written) { w.steps[0] = strings.Replace(w.steps[0], `"step": 1`, `"step": 17`, 1) }, "step 17: it is not in the lesson", 3},
		"never answered":   {func(w *written) { w.steps[2] = strings.Replace(w.steps[2], `"answered": 4`, `"answered": 0`, 1) }, "step 3: an answer that was never given", 2},
		"steps left out":   {func(w *written) { w.steps = w.steps[:1] }, "", 0},
		"nothing at all":   {func(w *written) { w.steps = nil }, "", 0},
	} {
		w := perfect(t)
		c.change(w)
		got := gradeFile(t, g, w.file(t))
		if got.Score != c.score || (c.flag == "") != (got.Status == "ok") || !strings.Contains(strings.Join(got.Flags, "\n"), c.flag) {
			t.Errorf("%s: %s, score %d, flags %q; want score %d and %q", name, got.Status, got.Score, got.Flags, c.score, c.flag)
		}
	}
	b := strings.Replace(string(perfect(t).file(t)), "Student 7", "Student 8", 1)
	if got := gradeFile(t, g, []byte(b)); got.Status != "flagged" || len(got.Flags) != 1 || !strings.HasPrefix(got.Flags[0], "digest: ") {
		t.Errorf("a changed name: %+v", got)
	}
	w := perfect(t)
	w.lesson = "../../etc/passwd"
	if got := gradeFile(t, g, w.file(t)); got.Status != "unreadable" || !strings.Contains(got.Flags[0], "there is no lesson") {
		t.Errorf("an unknown lesson: %+v", got)
	}
}

func replaceAnswer(step, answer string) string {
	before, rest, _ := strings.Cut(step, `"answer": "`)
	_, after, _ := strings.Cut(rest, `"`)
	return before + `"answer": "` + answer + `"` + after
}

// lastHash puts another hash in place of side B's result.
func lastHash(step, hash string) string {
	at := strings.LastIndex(step, `"result": "`) + len(`"result": "`)
	return step[:at] + hash + step[at+64:]
}

// trimHash cuts side A's scenario back to 64 digits.
func trimHash(step string) string {
	at := strings.Index(step, `"a": {"scenario": "`) + len(`"a": {"scenario": "`)
	return step[:at+64] + step[at+72:]
}

// A run that takes too long ends; it does not hold up the others.
func TestRunIsBounded(t *testing.T) {
	s := mustLesson(t)
	r := Runner{MaxCycles: 1}
	big, err := steps.Of(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	big.Workload.Size = 1 << 20
	if _, err := r.Pair(big); err == nil || !strings.Contains(err.Error(), "more than 1 cycles") {
		t.Errorf("%v", err)
	}
}

func TestCheckFindsWhatRunsDoNotBearOut(t *testing.T) {
	for change, want := range map[string]string{
		"when: A.dramReadBytes < B.dramReadBytes|when: B.dramReadBytes < A.dramReadBytes": "choices 1 and 2 are both right",
		"when: B.dramReadBytes < A.dramReadBytes|when: B.cycles == 1":                     "no choice is right",
		"answer: B.burstsSaved == 0|answer: B.burstsSaved >= 0":                           "the goal is reached before anything was set",
		"answer: B.burstsSaved == 0|answer: B.burstsSaved == 7":                           "the solution does not reach the goal",
		"tolerance: 5%}|tolerance: 5%, holds: [A.burstsRead == 1]}":                       "A.burstsRead == 1 does not hold",
		"answer: A.burstsRead,|answer: A.burstsRead / (A.cycles - A.cycles),":             "no finite value",
	} {
		from, to, _ := strings.Cut(change, "|")
		if !strings.Contains(small, from) {
			t.Fatalf("the lesson has no %q", from)
		}
		s, err := authoring.ParseYAML("small.yaml", []byte(strings.Replace(small, from, to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Check(s, &Runner{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", to, err, want)
		}
	}
	if keys, err := Check(mustLesson(t), &Runner{}); err != nil || len(keys) != 5 || keys[1].Truth != "2" {
		t.Errorf("%+v, %v", keys, err)
	}
}

// FuzzRead: no input crashes the reader or the grader, and what is read has a digest
// that does not depend on its layout.
func FuzzRead(f *testing.F) {
	f.Add(perfect(f).file(f))
	f.Add([]byte(`{"schema":"burstscope-submission","version":1}`))
	f.Add([]byte(`{"digest":{},"steps":[[[[[[[[[[[[[[`))
	g := grader(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Read("fuzz", b)
		if err != nil {
			return
		}
		again, err := Read("fuzz", append([]byte(" \n"), b...))
		if err != nil || again.Digest != s.Digest {
			t.Fatalf("a space changes it: %v", err)
		}
		if r := g.Grade("fuzz", s); r.Score > r.Of || r.Answered > r.Asked {
			t.Fatalf("%+v", r)
		}
	})
}

// A file that is not a submission is refused, and the error names the place.
func TestReadRefuses(t *testing.T) {
	good := string(perfect(t).file(t))
	for name, c := range map[string]struct{ in, want string }{
		"empty":            {"", "the text ends"},
		"cut":              {good[:len(good)-20], "x.json:1:"},
		"too large":        {good + strings.Repeat(" ", MaxBytes), "larger than any submission"},
		"another schema":   {strings.Replace(good, "burstscope-submission", "scenario", 1), "schema: not a submission"},
		"a later version":  {strings.Replace(good, `"version": 1`, `"version": 2`, 1), "this program reads version 1"},
		"missing":          {strings.Replace(good, `"student"`, `"studen"`, 1), "no such key"},
		"number as answer": {strings.Replace(good, `"answer": "2"`, `"answer": 2`, 1), "steps[1].answer: want text, not the number 2"},
		"text as step":     {strings.Replace(good, `"step": 2`, `"step": "2"`, 1), "steps[1].step: want a whole number"},
		"negative":         {strings.Replace(good, `"ran": 3`, `"ran": -3`, 1), "steps[1].ran"},
		"fraction":         {strings.Replace(good, `"ran": 3`, `"ran": 3.5`, 1), "steps[1].ran"},
		"list of settings": {strings.Replace(good, `"settings": {}`, `"settings": []`, 1), "steps[0].settings: want a map"},
		"short hash":       {strings.Replace(good, `"hash": "`, `"hash": "0`, 1), "lesson.hash"},
		"twice":            {strings.Replace(good, `"version": 1`, `"version": 1, "version": 1`, 1), "given twice"},
		"control":          {strings.Replace(good, "Student 7", `Student \u001b[31m`, 1), "control characters"},
		"long answer":      {strings.Replace(good, "Because.", strings.Repeat("x", 5000), 1), "5000 bytes of text"},
		"not UTF-8":        {strings.Replace(good, "Because.", "\xff\xfe", 1), "not UTF-8"},
		"deep":             {strings.Repeat("[", 100000), "nested more than"},
		"many":             {"[" + strings.Repeat("1,", 5000) + "1]", "values"},
		"a list":           {"[]", "want a map"},
		"null":             {"null", "want a map"},
	} {
		if _, err := Read("x.json", []byte(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %q", name, err, c.want)
		}
	}
}
