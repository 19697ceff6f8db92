package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const exclusion = `(e => e && e.checkVisibility() ? e.textContent : "")(document.getElementById("exclusion"))`

// Choices that exclude each other are said before Run is pressed, and one press leads to the nearest legal settings, which
// keep what was chosen last. The run then succeeds.
func TestExclusionsAreSaidBeforeTheRun(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+small)
	p.finish()
	p.wait(`document.getElementById("exclusion") !== null`)
	if said := eval[string](p, exclusion); said != "" {
		t.Errorf("legal settings: %s", said)
	}
	// Buddy on a GDDR5 preset, beside TSLC.
	eval[any](p, `(`+setField+`)("knob-B-backing-kind", "buddy")`)
	p.wait(exclusion + `.includes("HBM2 preset such as p100")`)
	said := eval[string](p, exclusion)
	for _, want := range []string{"B: backing buddy stores entries exactly.", "Use p100, B: approximation none"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	for _, width := range []int64{1440, 390} {
		p.do(chromedp.EmulateViewport(width, 900))
		eval[any](p, `document.getElementById("knobs").classList.add("open"), document.getElementById("run").scrollIntoView({block: "center"})`)
		for _, theme := range []string{"light", "dark"} {
			eval[any](p, `document.documentElement.dataset.theme = "`+theme+`"`)
			p.screenshot(pictureName("exclusion " + theme + " " + map[int64]string{1440: "wide", 390: "narrow"}[width]))
		}
	}
	p.do(chromedp.EmulateViewport(1440, 900))
	eval[any](p, `document.querySelector("#exclusion-mend button").click()`)
	p.wait(exclusion + ` === ""`)
	if got := eval[string](p, `["knob-preset", "knob-B-memory-approximation", "knob-B-backing-kind"].map(id => document.getElementById(id).value).join(" ")`); got != "p100 none buddy" {
		t.Errorf("after the press: %s", got)
	}
	eval[any](p, `document.getElementById("run").click()`)
	p.wait(`S.run === 2`)
	if s := p.finish(); s.Phase != "done" {
		t.Errorf("the run ended with %s: %v", s.Phase, s.Messages)
	}
	// The machine chosen last stays: another value of it lets the backing stay too.
	eval[any](p, `(`+setField+`)("knob-preset", "gtx580b")`)
	p.wait(exclusion + `.includes("Use controller.schedule drain")`)
	// The whole table.
	eval[any](p, `[...document.querySelectorAll("#exclusion button")].at(-1).click()`)
	p.wait(`document.querySelectorAll("table.exclusions tbody tr").length > 10`)
	p.screenshot("exclusions-table.png")
}

// A run whose program needs another GPU ends with buttons for those on which it runs. They go when anything else is
// chosen, of the program, the machine or a side, and are there again when it is taken back. One press and Run lead to a
// result.
func TestRunOffersWhatItsProgramNeeds(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+"#v=1&s=dct&workload.name=hopperattention&workload.size=128&picture=plain")
	p.wait(`S.phase === "error"`)
	p.wait(exclusion + `.includes("Use orin")`)
	if said := eval[string](p, exclusion); !strings.HasPrefix(said, "This program needs another setting.") {
		t.Errorf("it says %q", said)
	}
	p.screenshot("run-needs.png")
	for _, c := range [][3]string{
		{"knob-size", "256", "128"}, {"knob-seed", "2", "1"}, {"knob-preset", "gtx480", "gtx580b"},
		{"knob-B-memory-mag", "64", "32"},
	} {
		eval[any](p, `(`+setField+`)(`+quote(c[0])+`, `+quote(c[1])+`)`)
		p.wait(exclusion + ` === ""`)
		eval[any](p, `(`+setField+`)(`+quote(c[0])+`, `+quote(c[2])+`)`)
		p.wait(exclusion + `.includes("Use orin")`)
	}
	eval[any](p, `(`+setField+`)("knob-workload", "vecadd")`)
	p.wait(exclusion + ` === ""`)
	eval[any](p, `(`+setField+`)("knob-workload", "hopperattention")`)
	eval[any](p, `(`+setField+`)("knob-size", "128")`)
	eval[any](p, `document.getElementById("run").click()`)
	p.wait(`S.run === 2 && S.phase === "error"`)
	p.wait(exclusion + `.includes("Use orin")`)
	eval[any](p, `[...document.querySelectorAll("#exclusion-mend button")]
		.find(b => b.textContent === "Use orin").click()`)
	p.wait(exclusion + ` === ""`)
	eval[any](p, `document.getElementById("run").click()`)
	p.wait(`S.run === 3`)
	if s := p.finish(); s.Phase != "done" {
		t.Errorf("the run ended with %s: %v", s.Phase, s.Messages)
	}
}

// A headline does not credit a system that did nothing, and says why.
func TestHeadlineCreditsWhatActed(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+"#v=1&s=tp&workload.size=128&B.loads.policy=rfvp&B.l1.store=latte")
	p.finish()
	said := eval[string](p, `document.getElementById("headline").textContent`)
	if first, _, _ := strings.Cut(said, " moves "); strings.ContainsAny(first, "+") {
		t.Errorf("it credits %q: %s", first, said)
	}
	for _, want := range []string{"LATTE-CC did nothing: no load hit L1.", "RFVP did nothing: no request"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	p.screenshot("idle-systems.png")
}
