package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/burstscope/burstscope/assets/lessons"
	"github.com/burstscope/burstscope/core/scenario"
)

// hostileLessons is the list of lessons with markup in every text of the first.
func hostileLessons(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dist, filepath.FromSlash(readBuild(t).Files["lessons/index.json"])))
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	var foul func(v any) any
	foul = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key, item := range v {
				if text, ok := item.(string); ok && (key == "title" || key == "text" || key == "about" || key == "prompt" || key == "reveal" || key == "unit") {
					v[key] = text + ` <img src=x onerror="window.hit=1"> <b>bold</b> [x](javascript:window.hit=2) **strong** ` + "`<i>code</i>`"
				} else {
					v[key] = foul(item)
				}
			}
		case []any:
			for i := range v {
				v[i] = foul(v[i])
			}
		}
		return v
	}
	list[0]["scenario"] = foul(list[0]["scenario"])
	if data, err = json.Marshal(list); err != nil {
		t.Fatal(err)
	}
	return data
}

func shippedQuestion(t *testing.T, name string, step int) *scenario.Question {
	t.Helper()
	s, err := scenario.ParseMsgpack(lessons.Packed(name))
	if err != nil {
		t.Fatal(err)
	}
	return s.Lesson.Steps[step].Question
}

// TestLessonTextIsText: markup in a lesson is shown as the text it is, on the panel, in
// the list and on paper.
func TestLessonTextIsText(t *testing.T) {
	t.Parallel()
	s := serveWith(t, map[string][]byte{"lessons/index.json": hostileLessons(t)})
	p := open(t, s.URL+"/#v=1&lesson=burst&step=3")
	p.wait(`S.lesson?.step === 3 && S.lesson.veiled`)
	p.answerLesson(shippedQuestion(t, "burst", 2), "1")
	p.wait(`document.querySelector("#lesson .verdict.wrong") !== null`)
	eval[any](p, `(document.getElementById("lessons").click(), dispatchEvent(new Event("beforeprint")))`)
	p.wait(`document.querySelector(".lesson-list") !== null`)
	for _, place := range []string{"#lesson", ".lesson-list", "#lesson-print"} {
		got := eval[string](p, fmt.Sprintf(`(e => e.querySelectorAll("img, b > b, i, a, script").length + " " + e.textContent.includes('<img src=x onerror="window.hit=1">') + " " + e.textContent.includes("[x](javascript:window.hit=2)") + " " + [...e.querySelectorAll("code")].some(c => c.textContent === "<i>code</i>") + " " + [...e.querySelectorAll("strong")].some(c => c.textContent === "strong"))(document.querySelector(%q))`, place))
		if got != "0 true true true true" {
			t.Errorf("%s: %s", place, got)
		}
	}
	if eval[bool](p, `"hit" in window`) {
		t.Error("a text of a lesson was executed")
	}
	// A wrong prediction is told, stays, and the reason is shown all the same.
	if got := eval[string](p, `document.getElementById("lesson-reveal").textContent`); !strings.Contains(got, "You predicted: 2.7 times") || !strings.Contains(got, "The run says: 2 times") || !strings.Contains(got, "The raw ratio is 2.68") {
		t.Errorf("after a wrong prediction: %s", got)
	}
}

// TestLessonLinks: what a link says wrong of a lesson is one message, and the page works.
func TestLessonLinks(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&lesson=nothing&step=2&workload.size=16384&s=vecadd&machine.preset=mini")
	p.finish()
	if s := p.state(); len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "choose one of burst, huffman, error, latency, predict, neighbour") {
		t.Errorf("messages: %v", s.Messages)
	}
	// A step beyond the end is the last; a locked knob in a lesson's link stays.
	eval[any](p, `location.hash = "v=1&lesson=burst&step=40&B.memory.mag=16"`)
	p.wait(`S.lesson?.step === 9 && S.lesson.veiled`)
	p.wait(`S.messages.some(m => m.where?.includes("B.memory.mag=16 was ignored: it is fixed by the author"))`)
	if mag := eval[string](p, `document.getElementById("knob-B-memory-mag").value`); mag != "32" {
		t.Errorf("the link set the MAG to %s", mag)
	}
	eval[any](p, `location.hash = "v=1&lesson=<script>&step=0"`)
	p.wait(`S.lesson === undefined && S.messages.some(m => m.where?.includes("lesson=<script> was ignored") && m.where.includes("step=0 was ignored"))`)
	p.finish()
	// What the browser kept and cannot be read is said, and the lesson starts anew.
	eval[any](p, `(localStorage.setItem("burstscope.lesson.burst", "{broken"), location.hash = "v=1&lesson=burst")`)
	p.wait(`S.lesson?.step === 1 && S.messages.some(m => m.what.includes("so the lesson starts again"))`)
	eval[any](p, `location.hash = "v=1&s=vecadd&workload.size=16384&machine.preset=mini"`)
	p.wait(`S.lesson === undefined && S.phase === "done" && document.getElementById("results").checkVisibility()`)
}

// TestLessonWithoutStorage: full storage is one message; nothing of the answers is lost
// while the page is open.
func TestLessonWithoutStorage(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&lesson=burst&step=2")
	p.wait(`S.lesson?.veiled`)
	eval[any](p, `(Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }, 0)`)
	p.answerLesson(shippedQuestion(t, "burst", 1), "1e2")
	p.wait(`document.querySelector("#lesson .verdict.wrong") !== null && S.messages.length === 1`)
	if s := p.state(); !strings.Contains(s.Messages[0].String(), "does not keep your answers") {
		t.Errorf("%v", s.Messages)
	}
	if _, data := p.exported(); !strings.Contains(string(data), `"answer": "100"`) {
		t.Errorf("%s", data)
	}
}

// TestLessonByKeyboard: a step is answered without a pointer, and keys of the page do
// not run what is not to be run.
func TestLessonByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&lesson=burst&step=2")
	p.wait(`S.lesson?.veiled`)
	eval[any](p, `document.getElementById("lesson-step").focus()`)
	p.do(chromedp.KeyEvent(kb.Tab))
	p.do(chromedp.KeyEvent("r 9,6 a"))
	if got := eval[string](p, `document.getElementById("lesson-answer").value`); got != "r 9,6 a" {
		t.Errorf("the field holds %q", got)
	}
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(`document.querySelector("#lesson [role=alert]").textContent.startsWith("Write a number")`)
	eval[any](p, `document.getElementById("lesson-answer").select()`)
	p.do(chromedp.KeyEvent("96 bytes"))
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(`document.querySelector("#lesson .verdict.right") !== null && document.activeElement.id === "lesson-reveal" && S.phase === "done"`)
	eval[any](p, `document.getElementById("lesson-next").focus()`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(`S.lesson.step === 3 && document.activeElement.id === "lesson-step"`)
}

// TestLessonLooks keeps pictures on every kind of screen, and finds what is too small.
func TestLessonLooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fragment string
		width, height  int64
	}{
		{"lesson-desktop-dark.png", "lesson=error&step=4&theme=dark", 1366, 900},
		{"lesson-phone.png", "lesson=huffman&step=1&theme=light", 390, 844},
		{"lesson-phone-dark.png", "lesson=error&step=8&theme=dark", 390, 844},
	} {
		p := open(t, "about:blank")
		p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: c.width, Height: c.height, DeviceScaleFactor: 1, Mobile: c.width < 500}))
		p.do(chromedp.Navigate(serve(t).URL + "/#v=1&" + c.fragment))
		p.wait(`S.lesson !== undefined && (S.lesson.veiled || S.phase === "done")`)
		if c.name == "lesson-desktop-dark.png" {
			p.answerLesson(shippedQuestion(t, "error", 3), "6.5")
			p.wait(`S.phase === "done" && S.outputs.B > 0 && document.querySelector("#lesson .verdict.right") !== null`)
		}
		p.settle()
		if eval[bool](p, "document.documentElement.scrollWidth > innerWidth") {
			t.Errorf("%s scrolls sideways: %d px", c.name, eval[int](p, "document.documentElement.scrollWidth"))
		}
		small := eval[[]string](p, `[...document.querySelectorAll("#lesson *, #veil *")].filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.outerHTML.slice(0, 80))`)
		if len(small) > 0 {
			t.Errorf("%s: text below 12 px: %v", c.name, small)
		}
		if c.width < 500 {
			tight := eval[[]string](p, `[...document.querySelectorAll("#lesson :is(button, select, summary, .choice, input:not([type=radio]))")].filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML.slice(0, 80))`)
			if len(tight) > 0 {
				t.Errorf("%s: targets below 44 px: %v", c.name, tight)
			}
		}
		p.screenshot(c.name)
	}
}

// TestLessonInOneFile: a lesson works in the file that holds everything, from a disk,
// and its answers are there after a reload.
func TestLessonInOneFile(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	file, err := filepath.Abs(filepath.Join(dist, "burstscope.html"))
	if err != nil {
		t.Fatal(err)
	}
	p, asked := watch(t)
	p.do(chromedp.Navigate("file://" + filepath.ToSlash(file) + "#v=1&lesson=burst&step=2"))
	p.wait(`S.lesson?.veiled`)
	p.answerLesson(shippedQuestion(t, "burst", 1), "96")
	p.wait(`document.querySelector("#lesson .verdict.right") !== null`)
	p.do(chromedp.Reload())
	p.wait(`S.lesson?.step === 2 && !S.lesson.veiled && document.querySelector("#lesson .verdict.right") !== null`)
	for _, url := range asked.outside() {
		if !strings.HasPrefix(url, "file:") {
			t.Errorf("asked for %s", url)
		}
	}
}
