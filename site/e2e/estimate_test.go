package e2e

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// estimateShown is what stands in the box of estimates: its caption, its numbers by row, and whether it can be
// told from a result without colour and by a screen reader.
const estimateShown = `(t => t.hidden ? null : {
	caption: t.caption.textContent, border: getComputedStyle(t).borderTopStyle, style: getComputedStyle(t).fontStyle,
	heads: [...t.querySelectorAll("thead th")].map(e => e.textContent),
	rows: Object.fromEntries([...t.querySelectorAll("tbody tr")].map(r => [r.cells[0].textContent, [...r.cells].slice(1).map(c => c.textContent)])),
})(document.querySelector(".estimated"))`

type shownEstimate struct {
	Caption, Border, Style string
	Heads                  []string
	Rows                   map[string][]string
}

// dragTo moves a slider as a drag does, and returns the milliseconds until the next frame shows an estimate of it.
func (p *tab) dragTo(setting string, stop int) float64 {
	p.t.Helper()
	return eval[float64](p, fmt.Sprintf(`new Promise((resolve, reject) => {
		const input = document.querySelector("#drag-%s input"), from = performance.now();
		const off = burstscopeControl.page;
		let done = false;
		off.on(["estimate"], () => { if (!done && off.estimate) { done = true; requestAnimationFrame(() => resolve(performance.now() - from)); } });
		setTimeout(() => reject(new Error("no estimate of %s")), 60000);
		input.value = %d;
		input.dispatchEvent(new Event("input", {bubbles: true}));
	})`, setting, setting, stop))
}

var spoken = regexp.MustCompile(`B: estimate was ([\d.]+), run ([\d.]+) \((.*) off\)`)

// TestDragShowsAnEstimate: while a slider of MAG is dragged, an estimate stands beside the results and is marked as
// one; the results stay those of the run, dimmed. When the slider rests, the run comes by itself and takes the
// estimate's place, and the page says how far they differ.
func TestDragShowsAnEstimate(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=tp&machine.preset=mini&workload.size=256&picture=plain")
	first := p.finish()
	eval[bool](p, within(`document.getElementById("drag")`))
	p.do(chromedp.Click("#drag summary"))
	eval[bool](p, within(`document.querySelector("#drag-mag input")`))
	ratioOf := `document.querySelector("#results [data-row=compressionRatioEffective] [data-side=B]").textContent`
	before := eval[string](p, ratioOf)
	var times []float64
	for _, stop := range []int{0, 2, 0, 2, 0} {
		times = append(times, p.dragTo("mag", stop))
	}
	slices.Sort(times)
	t.Logf("median time from input to estimate: %.0f ms of %.0f", times[2], times)
	e := eval[*shownEstimate](p, estimateShown)
	if e == nil {
		t.Fatal("no estimate is shown")
	}
	if e.Caption != "Estimate of the changed settings, not a result" || e.Border != "dashed" || e.Style != "italic" || !slices.Equal(e.Heads, []string{"figure", "B, run", "B, estimate"}) {
		t.Errorf("marked as %+v", e)
	}
	for _, row := range []string{"effective ratio", "raw ratio", "bursts moved", "approximated", "error of stored data"} {
		if cells := e.Rows[row]; len(cells) != 2 || !strings.HasPrefix(cells[1], "≈estimate ") {
			t.Errorf("%s: %q", row, cells)
		}
	}
	if now := eval[string](p, ratioOf); now != before {
		t.Errorf("the result shows %s, the run has %s: an estimate is no result", now, before)
	}
	if !eval[bool](p, `document.getElementById("result").classList.contains("stale")`) {
		t.Error("the results of the other settings are not dimmed")
	}
	eval[any](p, `document.getElementById("tab-mag").click()`)
	p.settle()
	if words := p.textOf("panel-mag"); !strings.HasPrefix(words, "Estimate, not a result: ") || !eval[bool](p, `document.querySelector("#panel-mag svg").classList.contains("estimated")`) {
		t.Errorf("the histogram of an estimate says %q", words)
	}
	// The drag ends.
	eval[any](p, `document.querySelector("#drag-mag input").dispatchEvent(new Event("change", {bubbles: true}))`)
	p.wait(fmt.Sprintf(`S.run > %d && S.phase === "done"`, first.Run))
	p.wait(`/estimate was/.test(document.getElementById("estimate-words").textContent)`)
	p.settle()
	words := p.textOf("estimate-words")
	m := spoken.FindStringSubmatch(words)
	if m == nil {
		t.Fatalf("after the run: %q", words)
	}
	estimated, _ := strconv.ParseFloat(m[1], 64)
	run, _ := strconv.ParseFloat(m[2], 64)
	if shown := eval[string](p, ratioOf); shown != m[2] || "≈estimate "+m[1] != e.Rows["effective ratio"][1] {
		t.Errorf("%q; the result shows %s, the estimate was %q", words, shown, e.Rows["effective ratio"])
	}
	if math.Abs(estimated/run-1) > 0.08 { // core/estimate/README.md
		t.Errorf("%q: more than the tolerance", words)
	}
	if eval[*shownEstimate](p, estimateShown) != nil || strings.Contains(p.textOf("panel-mag"), "Estimate") {
		t.Error("the estimate stays beside the run")
	}
}

// TestEstimatesWithoutRuns: the run after a drag can be switched off, the choice outlives the page, the keyboard
// does what a drag does, and settings that change which blocks move have no estimate.
func TestEstimatesWithoutRuns(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=1&s=vecadd&"+quick+"&picture=plain")
	first := p.finish()
	eval[bool](p, within(`document.getElementById("drag")`))
	p.do(chromedp.Click("#drag summary"))
	eval[bool](p, within(`document.querySelector("#drag-mag input")`))
	p.do(chromedp.Click("#run-after-drag"))
	eval[any](p, `document.querySelector("#drag-mag input").focus()`)
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.wait(`burstscopeControl.page.estimate`)
	p.settle()
	if got := eval[string](p, `document.querySelector("#drag-mag input").getAttribute("aria-valuetext")`); got != "16\u202fB" || eval[string](p, `document.getElementById("knob-B-memory-mag").value`) != "16" {
		t.Errorf("an arrow key moves the MAG to %q", got)
	}
	eval[any](p, `new Promise(resolve => setTimeout(resolve, 1500))`)
	if s := p.state(); s.Run != first.Run {
		t.Error("a run began although runs after a drag are off")
	}
	// A knob has an estimate too, as long as only the coding of blocks changes.
	turn := func(knob, value string) {
		eval[any](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("change")) })(document.getElementById(%q))`, value, knob))
	}
	turn("knob-A-memory-mag", "16")
	p.wait(`burstscopeControl.page.estimate?.A`)
	turn("knob-seed", "7")
	p.wait(`!burstscopeControl.page.estimate`)
	turn("knob-seed", "1")
	p.wait(`burstscopeControl.page.estimate`)
	eval[any](p, `document.getElementById("reset").click()`)
	p.wait(`!burstscopeControl.page.estimate`)
	p.do(chromedp.Reload())
	p.wait(`document.getElementById("run-after-drag")?.checked === false`)
}
