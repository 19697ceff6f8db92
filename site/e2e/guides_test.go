package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestGuides: the documents are pages that everyone can read, on a phone too, under the policy that hosts send for
// them.
// The first one shows its picture, and leads to all others and to the simulator.
func TestGuides(t *testing.T) {
	t.Parallel()
	axe := tool(t, "axe-core/axe.min.js")
	findBrowser(t)
	server := host(t, withHeaders(t))
	p, asked := watch(t)
	p.do(phone)
	for _, name := range []string{"index.html", "core/index.html", "core/VALIDATION.html", "tools/python/index.html"} {
		p.do(chromedp.Navigate(server.URL + "/guides/" + name))
		if wide := eval[float64](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("%s is %v px wider than the screen", name, wide)
		}
		eval[any](p, axe+"; 0")
		found := `axe.run({resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.nodes[0].html))`
		for _, f := range eval[[]string](p, found) {
			t.Errorf("%s: %s", name, f)
		}
		if !eval[bool](p, `getComputedStyle(document.querySelector("main table, main pre")).borderCollapse === "collapse" ||
			getComputedStyle(document.querySelector("main pre")).whiteSpace.includes("wrap")`) {
			t.Errorf("%s has no style", name)
		}
	}
	p.do(chromedp.Navigate(server.URL + "/guides/"))
	if !eval[bool](p, `document.querySelector("main img").decode().then(() => true, () => false)`) {
		t.Error("the picture of the first page is not there")
	}
	if n := eval[int](p, `document.querySelectorAll("nav li a").length`); n < 50 {
		t.Errorf("the first page leads to %d others", n)
	}
	if faults := asked.complained(); len(faults) > 0 {
		t.Errorf("the console says %v", faults)
	}
	p.do(chromedp.Navigate(eval[string](p, `document.querySelector("header a").href`)))
	p.wait("true") // only the simulator has a state
}
