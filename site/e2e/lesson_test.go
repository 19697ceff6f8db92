package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/assets/lessons"
	"github.com/burstscope/burstscope/core/lesson"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func shippedLesson(t *testing.T, name string) (*scenario.Scenario, []lesson.Key) {
	t.Helper()
	s, err := scenario.ParseMsgpack(lessons.Packed(name))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := lesson.Check(s, &lesson.Runner{})
	if err != nil {
		t.Fatal(err)
	}
	return s, keys
}

// answer fills the form of the step on show, as a person does, and sends it.
func (p *tab) answerLesson(q *scenario.Question, truth string) {
	p.t.Helper()
	switch q.Kind {
	case "choice":
		eval[any](p, fmt.Sprintf(`document.querySelector("#lesson input[type=radio][value='%s']").click()`, truth))
	case "number", "text":
		if truth == "" {
			truth = "Because of r, 1 and [the] bus.\nOr so."
		}
		eval[any](p, fmt.Sprintf(`(document.getElementById("lesson-answer").value = %q)`, truth))
	}
	eval[any](p, `document.querySelector("#lesson form.question").requestSubmit()`)
}

// solve does what a goal's solution says with the knobs.
func (p *tab) solve(q *scenario.Question) {
	p.t.Helper()
	for path, value := range steps.Settings(q) {
		side := "B-"
		if key, ok := strings.CutPrefix(path, "compare."); ok {
			side, path = "A-", key
		}
		knob := "knob-" + side + strings.ReplaceAll(path, ".", "-")
		eval[any](p, fmt.Sprintf(`(%s)(%q, %q)`, setField, knob, value))
	}
	eval[any](p, `document.getElementById("run").click()`)
}

// exported is the file that a click on Export gives the browser to save.
func (p *tab) exported() (name string, data []byte) {
	p.t.Helper()
	got := eval[[]string](p, `(() => {
		const make = URL.createObjectURL;
		return new Promise(done => {
			let blob;
			URL.createObjectURL = b => make.call(URL, blob = b);
			HTMLAnchorElement.prototype.click = function () { blob.text().then(text => done([this.download, text])); };
			document.getElementById("lesson-export").click();
			URL.createObjectURL = make;
		});
	})()`)
	return got[0], []byte(got[1])
}

// grade runs the command line tool over a folder.
func grade(t *testing.T, folder string) []lesson.Report {
	t.Helper()
	out, err := exec.Command(nativeProgram(t), "grade", folder, "--format", "json").Output()
	if err != nil {
		t.Fatalf("grade: %v", err)
	}
	var all struct {
		Submissions []lesson.Report `json:"submissions"`
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return all.Submissions
}

// TestLessonToGrade: a lesson is done from its start to the exported file, and the
// command line gives it full marks; a copy with a changed answer is flagged.
func TestLessonToGrade(t *testing.T) {
	t.Parallel()
	s, keys := shippedLesson(t, "burst")
	p := open(t, serve(t).URL+"/#v=1&s=vecadd&workload.size=16384&machine.preset=mini")
	p.finish()
	eval[any](p, `document.getElementById("lessons").click()`)
	p.wait(`document.querySelector("[data-lesson=burst]") !== null`)
	p.screenshot("lesson-list.png")
	eval[any](p, `document.querySelector("[data-lesson=burst]").click()`)
	for i := range s.Lesson.Steps {
		q := s.Lesson.Steps[i].Question
		p.wait(fmt.Sprintf(`S.lesson?.step === %d`, i+1))
		before := p.state()
		if q.Predicts() {
			// Nothing of the run is there to be seen, and nothing makes it.
			if !eval[bool](p, `window.burstscope.state.lesson.veiled`) || eval[bool](p, `["results", "stage", "chart", "scrub", "headline"].some(id => document.getElementById(id).checkVisibility())`) {
				t.Errorf("step %d shows figures before a prediction", i+1)
			}
			eval[any](p, `(document.getElementById("run").click(), document.dispatchEvent(new KeyboardEvent("keydown", {key: "r", bubbles: true})))`)
			if got := p.state(); got.Run != before.Run {
				t.Errorf("step %d runs before a prediction", i+1)
			}
			if i == 2 {
				p.screenshot("lesson-veiled.png")
			}
		} else {
			p.wait(`S.phase === "done"`)
		}
		switch q.Kind {
		case "goal":
			if got := eval[string](p, `document.getElementById("lesson-reveal").textContent`); !strings.Contains(got, "Change the free settings and run") {
				t.Errorf("step %d begins with %q", i+1, got)
			}
			p.screenshot("lesson-goal.png")
			p.solve(q)
		default:
			p.answerLesson(q, keys[i].Truth)
		}
		p.wait(fmt.Sprintf(`S.phase === "done" && !S.lesson.veiled && (%t || document.querySelector("#lesson .verdict.right") !== null)`, q.Kind == "text"))
		if q.Kind == "text" {
			p.wait(`document.getElementById("lesson-reveal").textContent.includes("Worth asking")`)
		} else {
			// The words with figures are those that the command line writes.
			words := strings.Fields(strings.NewReplacer("*", "", "`", "").Replace(keys[i].Reveal))
			shown := strings.Fields(eval[string](p, `[...document.getElementById("lesson-reveal").children].slice(2).map(e => e.textContent).join(" ")`))
			if strings.Join(shown, " ") != strings.Join(words, " ") {
				t.Errorf("step %d reveals\n%s\nwant\n%s", i+1, strings.Join(shown, " "), strings.Join(words, " "))
			}
		}
		if i == 2 {
			p.screenshot("lesson-revealed.png")
		}
		if i+1 < len(s.Lesson.Steps) {
			eval[any](p, `document.getElementById("lesson-next").click()`)
		}
	}
	eval[any](p, `(document.getElementById("lesson-student").value = "=cmd|' /C calc'!A0 Ünï", 0)`)
	p.screenshot("lesson-end.png")
	name, data := p.exported()
	if name != "burstscope-burst-cmd-c-calc-a0-n.json" {
		t.Errorf("the file is called %s", name)
	}
	folder := t.TempDir()
	write := func(file string, data []byte) {
		if err := os.WriteFile(filepath.Join(folder, file), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.json", data)
	write("b.json", []byte(strings.Replace(string(data), `"answer": "96"`, `"answer": "97"`, 1)))
	write("c.json", []byte("{"))
	got := grade(t, folder)
	if len(got) != 3 {
		t.Fatalf("%d rows for 3 files", len(got))
	}
	if a := got[0]; a.Status != "ok" || a.Score != a.Of || a.Of != 8 || a.Answered != a.Asked || a.Asked != 9 || a.Student != "=cmd|' /C calc'!A0 Ünï" {
		t.Errorf("grade of a perfect submission: %+v", a)
	}
	if b := got[1]; b.Status != "flagged" || len(b.Flags) != 1 || !strings.HasPrefix(b.Flags[0], "digest: ") || b.Score != b.Of-1 {
		t.Errorf("grade of a changed answer: %+v", b)
	}
	if c := got[2]; c.Status != "unreadable" || !strings.Contains(c.Flags[0], "c.json:1:2") {
		t.Errorf("grade of a file that is no submission: %+v", c)
	}

	// Nothing is lost on reload: the answers, the step, the words.
	eval[any](p, `document.getElementById("lesson-steps").value = "3", document.getElementById("lesson-steps").dispatchEvent(new Event("change"))`)
	p.wait(`location.hash.includes("lesson=burst") && location.hash.includes("step=3")`)
	p.do(chromedp.Reload())
	p.wait(`S.lesson?.step === 3 && document.querySelector("#lesson .verdict.right") !== null`)
	p.finish()
	if again := eval[string](p, `document.getElementById("lesson-student").value`); again == "" {
		t.Error("the name is forgotten on reload")
	}
	if _, second := p.exported(); string(second) != string(data) {
		t.Errorf("the submission differs after a reload:\n%s", second)
	}
	// On paper: every step, light, with answers and figures.
	eval[any](p, `document.documentElement.dataset.theme = "dark", dispatchEvent(new Event("beforeprint"))`)
	p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	paper := eval[string](p, `(e => getComputedStyle(e).color + " " + e.querySelectorAll("h2").length + " " + e.querySelectorAll("figure svg").length + " " + document.querySelector("main").checkVisibility())(document.getElementById("lesson-print"))`)
	if paper != "rgb(27, 31, 36) 9 9 false" {
		t.Errorf("on paper: %s", paper)
	}
	p.screenshot("lesson-print.png")
}

// TestLessonKeepsLaterAnswers: a step shows no figure that a later step asks for, neither in the
// page nor on paper, and no title of a later step; it begins at the busy moment that its author chose.
func TestLessonKeepsLaterAnswers(t *testing.T) {
	t.Parallel()
	s, keys := shippedLesson(t, "burst")
	p := open(t, serve(t).URL+"/#v=1&lesson=burst&step=1")
	p.wait(`S.lesson?.veiled`)
	if got := eval[string](p, `[...document.getElementById("lesson-steps").options].map(o => o.text).join("|")`); !strings.HasPrefix(got, "1 of 9: The smallest thing DRAM moves|2 of 9|3 of 9|") {
		t.Errorf("the list of steps says %s", got)
	}
	p.answerLesson(s.Lesson.Steps[0].Question, keys[0].Truth)
	p.wait(`S.phase === "done" && document.querySelector("#lesson .verdict.right") !== null`)
	p.wait(fmt.Sprintf(`S.cycle >= %d`, s.Lesson.Steps[0].View.Cycle))

	// Step 7 asks how much sooner side B of step 3 is.
	const step = 3
	eval[any](p, `document.getElementById("lesson-steps").value = "3", document.getElementById("lesson-steps").dispatchEvent(new Event("change"))`)
	p.wait(`S.lesson.step === 3 && S.lesson.veiled`)
	p.answerLesson(s.Lesson.Steps[step-1].Question, keys[step-1].Truth)
	p.wait(`S.phase === "done" && document.querySelector("#lesson .verdict.right") !== null`)
	rows := `[...document.querySelectorAll("#results tr[data-row]")].filter(r => r.checkVisibility()).map(r => r.dataset.row).join(" ")`
	p.wait(rows + ` === "compressionRatioEffective"`)
	// Those of side A, a run without compression, are in step 1, and do not answer step 7.
	counts := fmt.Sprintf(`[%d].map(n => n.toLocaleString("en"))`, keys[6].Results.B.Cycles)
	leaks := `(text => ` + counts + `.filter(n => text.includes(n)).join(" "))(document.body.innerText)`
	if got := eval[string](p, leaks); got != "" {
		t.Errorf("step 3 shows the cycles %s, which step 7 asks for", got)
	}
	if got := eval[string](p, `["headline", "why", "waterfall", "accounts", "chart", "cycle-text", "spark", "tab-output"].filter(id => document.getElementById(id).checkVisibility()).join(" ")`); got != "" {
		t.Errorf("step 3 shows %s", got)
	}
	if got := eval[string](p, `document.getElementById("lesson").textContent`); !strings.Contains(got, "appear later, because step 7 asks for them") {
		t.Errorf("the panel says %s", got)
	}
	p.screenshot("lesson-later.png")
	// The button prints; paper has the choices of an open question, and no figure of it.
	eval[any](p, `(window.printed = 0, window.print = () => { window.printed++; dispatchEvent(new Event("beforeprint")); }, document.querySelector(".lesson-tools").open = true, 0)`)
	if !eval[bool](p, `document.getElementById("lesson-paper").checkVisibility()`) {
		t.Error("the button Print is not shown")
	}
	eval[any](p, `document.getElementById("lesson-paper").click()`)
	paper := `document.getElementById("lesson-print")`
	if got := eval[string](p, `[window.printed, `+paper+`.querySelectorAll("figure").length, `+paper+`.querySelectorAll("ul.room").length, `+counts+`.filter(n => `+paper+`.textContent.includes(n)).length].join(" ")`); got != "1 1 3 0" {
		t.Errorf("printed: %s; want once, 1 figure, 3 open choices, no cycles of step 7", got)
	}

	// The figures appear once step 7 is answered.
	eval[any](p, `document.getElementById("lesson-steps").value = "7", document.getElementById("lesson-steps").dispatchEvent(new Event("change"))`)
	p.wait(`S.lesson.step === 7 && S.lesson.veiled`)
	p.answerLesson(s.Lesson.Steps[6].Question, keys[6].Truth)
	p.wait(`S.phase === "done" && document.querySelector("#lesson .verdict.right") !== null`)
	p.wait(rows + `.startsWith("cycles ") && document.getElementById("headline").checkVisibility()`)
	eval[any](p, `document.getElementById("lesson-steps").value = "3", document.getElementById("lesson-steps").dispatchEvent(new Event("change"))`)
	p.wait(`S.lesson.step === 3 && S.phase === "done" && ` + leaks + ` !== ""`)
}
