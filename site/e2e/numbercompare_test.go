package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
)

// compared are the results of a comparison on one program, by the value and by the title of each row.
type compared struct {
	a    *outcome
	rows map[string]*outcome
}

// compared computes a codec each for side B, or all settings of a scenario that path and values name.
func (ws *walks) compared(t *testing.T, path string, values []string, change func(s *scenario.Scenario)) *compared {
	t.Helper()
	c := &compared{rows: map[string]*outcome{}}
	for _, value := range values {
		m := ws.of(t, "vecadd", func(s *scenario.Scenario) {
			change(s)
			if err := s.Set(path, value); err != nil {
				t.Fatal(err)
			}
		})
		c.a, c.rows[value] = m.a, m.b
	}
	return c
}

// under is the comparison under the line that the page writes above it.
func (c *compared) under(p *tab) *made {
	return &made{title: eval[string](p, `document.getElementById("sweep-about").textContent`), compared: c}
}

const showCompare = `document.getElementById("to-sweep").click()`

// smallAdd is vector addition of a size, on the smallest machine.
func smallAdd(size int) func(s *scenario.Scenario) {
	return func(s *scenario.Scenario) { s.Workload.Size, s.Machine.Preset = size, "mini" }
}

// opened opens Compare, of which the line above it then begins so.
func (w *walk) opened(way, press, says string, c *compared) *made {
	w.t.Helper()
	m := &made{compared: c}
	w.does(way, press, m)
	w.wait(fmt.Sprintf(`document.getElementById("sweep-about")?.textContent.startsWith(%q)`, says))
	*m = *c.under(w.tab)
	return m
}

// compare: all codecs on a program, cancelled, gone on with, with a value that fails, rows that become side B and A,
// another program, and what a later visit finds.
func (ws *walks) compare(t *testing.T) {
	const settings = "&machine.preset=mini&picture=plain"
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	start := ws.of(t, "vecadd", smallAdd(16384))
	w.step("Compare, before its first run", start)
	w.do(chromedp.Navigate(w.site.URL + "/#v=1&s=vecadd&workload.size=16384" + settings))
	w.ran(0)
	codecs := eval[map[string]string](w.tab, `Object.fromEntries(burstscopeControl.page.catalogue.lists.codecs
		.filter(c => c.name !== "plugin").map(c => [c.name, c.title]))`)
	names := []string{"none"}
	for name := range codecs {
		names = append(names, name)
	}
	first := ws.compared(t, "memory.codec", names, smallAdd(16384))
	// The page presses Cancel itself, as soon as a point is done.
	codecsOf := w.opened("Compare, cancelled", `document.getElementById("compare-codecs").click(); const press = () => {
		if (window.burstscope.state.repro.done > 0) document.querySelector(".sweep-cancel").click();
		else setTimeout(press, 5);
	}; press()`, "vecadd 16384 grid on mini; A: no compression", first)
	w.wait(`["done", "cancelled"].includes(S.repro.sweep)`)
	w.settle()
	const run = `document.querySelector(".sweep-run").click()`
	w.does("Compare, gone on with", run, codecsOf)
	w.allRows()
	w.does("Compare, its front", turned("sweep-measure", "front"), codecsOf)
	w.wait(`document.querySelectorAll(".plotside circle").length >= 3`)

	bdi := ws.of(t, "vecadd", func(s *scenario.Scenario) { smallAdd(16384)(s); s.Scheme.Memory.Put("codec", "bdi") })
	became := func(side, value string, m *made) {
		t.Helper()
		n := w.state().Run
		w.doesUntil("Compare, a row as side "+side, fmt.Sprintf(
			`document.querySelector('#sweep-table tr[data-value="%s"] .use[data-key$="as %s"]').click()`, value, side),
			fmt.Sprintf("S.run > %d", n), m, codecsOf)
		w.ran(n)
	}
	became("B", "bdi", bdi)
	w.opened("Compare, opened again", showCompare, "vecadd 16384 grid", first)
	w.allRows()
	both := ws.of(t, "vecadd", func(s *scenario.Scenario) {
		smallAdd(16384)(s)
		s.Scheme.Memory.Put("codec", "bdi")
		s.Compare.Memory = s.Scheme.Clone().Memory
		s.Compare.Memory.Put("codec", "fpc")
	})
	became("A", "fpc", both)

	ws.compareAnother(t, w, settings)

	// A later visit finds what is computed.
	codecsOf = &made{title: codecsOf.title, compared: first}
	w.step("Compare, on the next visit", start, codecsOf)
	w.do(chromedp.Navigate("about:blank"))
	w.do(chromedp.Navigate(w.site.URL + "/#v=1&s=vecadd&workload.size=16384" + settings + "&repro=sweep"))
	w.wait(`S.repro.ready && document.querySelector("[data-press='All codecs']")?.checkVisibility()`)
	eval[any](w.tab, `document.querySelector("[data-press='All codecs']").click()`)
	w.allRows()
	w.screenshot("numbers-compare.png")
	w.judge()
}

// compareAnother goes on with another program, and with a value that fails.
func (ws *walks) compareAnother(t *testing.T, w *walk, settings string) {
	t.Helper()
	// Another program has no result here until it has run, and rows of the same name have others.
	n := w.state().Run
	w.doesUntil("another program beside a comparison", `location.hash = "#v=1&s=vecadd&workload.size=32768`+settings+`"`,
		fmt.Sprintf("S.run > %d", n), ws.of(t, "vecadd", smallAdd(32768))) // the page hears of an address later
	w.ran(n)
	second := ws.compared(t, "memory.codec", []string{"bdi", "fpc"}, smallAdd(32768))
	pair := w.opened("Compare, another program", showCompare, "vecadd 32768 grid", second)
	w.wait(`document.querySelector(".sweep-run").textContent.startsWith("Run ")`)
	w.does("Compare, values of a setting", turned("sweep-path", "memory.codec"), pair)
	w.wait(`document.getElementById("sweep-about").textContent.includes("B: ")`)
	fails := second.under(w.tab)
	w.does("Compare, a value that fails", turned("sweep-values", "bdi, nosuch, fpc"), fails)
	w.wait(`document.querySelector(".sweep-run").textContent === "Run 4 here"`)
	w.does("Compare, a row that fails", `document.querySelector(".sweep-run").click()`, fails)
	w.wait(`S.repro.sweep === "done"`)
	w.wait(`document.querySelector('#sweep-table tr.refused[data-value=nosuch]')?.textContent.includes("nosuch")`)
}

// allRows waits until a comparison is over and every cell of its table has a value.
func (w *walk) allRows() {
	w.t.Helper()
	w.wait(`S.repro.sweep === "done" && [...document.querySelectorAll("#sweep-table td")].length > 20 &&
		[...document.querySelectorAll("#sweep-table td")].every(d => d.textContent !== "–")`)
}

// overA are the measures that a comparison shows as B over A.
func overA(name string) bool {
	row := metric.Find(name)
	return name == "speedup" || row != nil && row.Compare == "change"
}

// judgeCompared holds a cell of the table, or a point of the chart, to the native results.
func judgeCompared(c *compared, slot, text string) string {
	value, measure, _ := strings.Cut(slot, "/")
	if measure == "" || !digits(text) {
		return ""
	}
	wrong := fmt.Sprintf("%s: %q", slot, text)
	b := (*outcome)(nil)
	if c != nil {
		b = c.rows[value]
	}
	if b == nil {
		return wrong + " without a result"
	}
	fits := false
	switch {
	case measure == "hash":
		short := strings.Fields(text)
		fits = len(short) == 2
		for i, of := range []*outcome{c.a, b} {
			fits = fits && (short[i] == "–" || strings.HasPrefix(of.ResultHash, short[i]))
		}
	case measure == "speedup":
		fits = isFigure(text, c.a.Cycles/b.Cycles)
	case overA(measure):
		fits = isFigure(text, b.Metrics[measure]/c.a.Metrics[measure]-1)
	default:
		fits = isFigure(text, b.Metrics[measure])
	}
	if fits {
		return ""
	}
	return wrong
}
