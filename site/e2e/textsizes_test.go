package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// cutText lists text that does not fit into its box: buttons, labels and cells whose words are wider than they, and
// cells of a table that lie over each other.
const cutText = `[...document.querySelectorAll("button, label, th, td, h1, h2, legend, summary, #part, #status-text, .note")].filter((e) => {
	if (!e.checkVisibility() || e.classList.contains("vh") || e.closest(".vh, .codebox, [role=region]")) return false;
	const s = getComputedStyle(e);
	return s.textOverflow !== "ellipsis" && s.overflowX !== "auto" && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && s.display !== "inline";
}).map((e) => e.localName + "#" + e.id + "." + e.className + ": " + e.textContent.trim().slice(0, 40) + " " + e.scrollWidth + ">" + e.clientWidth)`

// TestTextSizes: with a larger default size of text, and with a least size, the page is as usable: no text is smaller
// than asked, nothing goes sideways, and no text is cut.
func TestTextSizes(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for _, c := range []struct {
		name, settings string
		least          float64 // px of the smallest text
	}{{"default 24", "defaultFontSize=24", 18}, {"least 20", "minimumFontSize=20", 20}} {
		flags := append(slices.Clone(withoutGraphics), rarelyOptimized, chromedp.Flag("blink-settings", c.settings))
		p := launch(t, flags).openLean(t, server.URL+small+"&picture=plain")
		for _, part := range []struct{ link, there string }{
			{small + "&picture=plain", `S.phase === "done"`},
			{"/#v=1&lab=dct", `S.lab.phase === "done" && document.querySelectorAll("#lab-ratios td").length > 0`},
			{"/#v=1&repro=ledger", "S.repro.rows > 10"},
			{"/#v=1&kernel=edit", "S.kernel.open && S.kernel.ready"},
			{"/#v=1&lesson=burst&step=1", "S.lesson?.step === 1"},
		} {
			link := part.link
			eval[any](p, "void (location.hash = "+quote(link[1:])+")")
			p.wait(part.there)
			for _, width := range []int64{1440, 390} {
				p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1}))
				p.settle()
				where := fmt.Sprintf("%s, %s, %d px", c.name, link, width)
				if wide := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					t.Errorf("%s: %g px sideways, by %q", where, wide, eval[[]string](p, `[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1).slice(0, 8).map((e) => e.localName + "#" + e.id + "." + e.className)`))
				}
				if got := eval[float64](p, `parseFloat(getComputedStyle(document.querySelector("h2, .note, p")).fontSize)`); got < c.least-0.1 {
					t.Errorf("%s: text of %g px", where, got)
				}
				if cut := eval[[]string](p, cutText); len(cut) > 0 {
					t.Errorf("%s: cut %q", where, cut[:min(8, len(cut))])
				}
				p.screenshot(fmt.Sprintf("text-%s-%s-%d.png", nameOf(c.name), nameOf(link), width))
			}
		}
	}
}

// nameOf is a text as a name of a file.
func nameOf(text string) string {
	out := []rune{}
	for _, c := range text {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			out = append(out, c)
		}
	}
	return string(out)
}
