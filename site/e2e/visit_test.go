package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestRunsOfAVisit: the runs of a visit stay on the page. A click brings one back with its settings,
// and any can be side A. One sentence says why a side is sooner.
func TestRunsOfAVisit(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=vecadd&"+quick+"&B.memory.codec=bdi&picture=plain")
	first := p.finish()
	eval[bool](p, within(`window.burstscopePanels`))
	rerun := func(action string) state {
		t.Helper()
		before := p.state().Run
		eval[any](p, action)
		p.wait(fmt.Sprintf(`S.run > %d && S.phase === "done"`, before))
		p.settle()
		p.settle()
		return p.state()
	}
	second := rerun(`(e => { e.value = "64"; e.dispatchEvent(new Event("change")); document.getElementById("run").click(); })(document.getElementById("knob-B-memory-mag"))`)
	if got := eval[[]string](p, `[...document.querySelectorAll("#kept li b")].map(e => e.textContent)`); len(got) != 2 || got[0] != "B.mag 64" {
		t.Errorf("runs of the visit: %q", got)
	}
	words := p.textOf("why")
	if !strings.Contains(words, "finishes") || !strings.Contains(words, "cycles waiting for memory") {
		t.Errorf("why a side is later: %q", words)
	}
	if rows := eval[int](p, `document.querySelectorAll("#waterfall tbody tr").length`); rows != 4 {
		t.Errorf("%d steps from bytes to cycles", rows)
	}
	p.do(chromedp.Click("#why a"))
	if bars := eval[int](p, `document.querySelector("#waterfall").checkVisibility() ? document.querySelectorAll("#waterfall .fall").length : 0`); bars != 8 {
		t.Errorf("%d bars from bytes to cycles", bars)
	}
	back := rerun(`[...document.querySelectorAll("#kept .keptrun")].pop().click()`)
	if back.ResultHashes["B"] != first.ResultHashes["B"] || eval[string](p, `document.getElementById("knob-B-memory-mag").value`) != "32" {
		t.Errorf("the first run came back as %v, it was %v", back.ResultHashes, first.ResultHashes)
	}
	// The B of the second run, with a MAG of 64 bytes, becomes side A.
	both := rerun(`document.querySelector("#kept li > :last-child").click()`)
	if both.ResultHashes["A"] != second.ResultHashes["B"] || both.ResultHashes["B"] != first.ResultHashes["B"] {
		t.Errorf("side A is %v, want %s", both.ResultHashes, second.ResultHashes["B"])
	}
	// Play shows the whole run in about 40 seconds.
	if s := p.state(); s.Cycles/s.Speed < 30 || s.Cycles/s.Speed > 60 {
		t.Errorf("%g cycles at %g cycles per second", s.Cycles, s.Speed)
	}
}
