package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestEmptyPanelsSayWhy: where a run has nothing to show, each panel says why and what would change it.
func TestEmptyPanelsSayWhy(t *testing.T) {
	t.Parallel()
	const link = "#v=1&s=vecadd&" + quick + "&picture=plain&A.memory.codec=none"
	p := open(t, serve(t).URL+"/"+link+"&B.memory.codec=none")
	p.finish()
	eval[bool](p, within(`window.burstscopePanels`))
	follow := func(fragment string) {
		before := p.state().Run
		eval[any](p, `location.hash = `+quote(fragment))
		p.wait(fmt.Sprintf(`S.run > %d && S.phase === "done"`, before))
		p.settle()
	}
	says := func(what, expression, want string) {
		t.Helper()
		p.settle()
		if got := eval[string](p, expression); !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q", what, got, want)
		}
	}
	show := func(tab string) { eval[any](p, fmt.Sprintf(`document.querySelector("[data-tab=%s]").click()`, tab)) }
	panel := func(tab string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#panel-%s > *")].filter((e) => e.checkVisibility()).map((e) => e.textContent).join(" ")`, tab)
	}

	show("mag")
	says("Above MAG of an uncompressed pair", panel("mag"), "Nor does the other side: choose a codec for it and run.")
	if eval[bool](p, `document.querySelector("#panel-mag input").checkVisibility()`) {
		t.Error("a threshold can be set without a histogram")
	}
	show("output")
	says("the output of an exact side", panel("output"), "it is exact. Side B approximates nothing.")
	p.wait(`!document.getElementById("why").hidden`)
	says("Why of two equal sides", `document.getElementById("why").textContent`, "Both sides run no compression and take as long: none of the causes compared here differs by 0.5\u202f%.")

	follow(link + "&B.memory.codec=e2mc16&tab=mag")
	says("the threshold of an exact side", panel("mag"), "This side cuts no symbols")

	for _, c := range [][2]string{
		{"l1", "tab=l1 was ignored: neither side has an L1 with a policy, or predicts loads"},
		{"buddy", "tab=buddy was ignored: neither side has memory behind a link"},
	} {
		follow(link + "&B.memory.codec=bdi&seed=" + fmt.Sprint(len(c[0])) + "&tab=" + c[0])
		if s := p.state(); len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), c[1]) || eval[string](p, `window.burstscope.state.tab`) != "bursts" {
			t.Errorf("tab=%s: %v", c[0], s.Messages)
		}
	}
	p.wait(`document.querySelectorAll("#kept li").length === 4`)
	says("the first run of the visit", `[...document.querySelectorAll("#kept b")].pop().textContent`, "Vector addition: ")
}
