package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// rowsShown are the rows of the result table that can be seen, with their cells.
const rowsShown = `Object.fromEntries([...document.querySelectorAll("#results tr[data-row]")].filter(r => r.checkVisibility()).map(r => [r.dataset.row, [...r.querySelectorAll("td")].map(c => c.textContent).join("|")]))`

// leaving are the numbers that leave their column, or the table.
const leaving = `[...document.querySelectorAll("#results td")].filter(c => c.checkVisibility()).filter(c => {
	const [cell, row] = [c.getBoundingClientRect(), c.closest("#result").getBoundingClientRect()];
	const range = document.createRange(); range.selectNodeContents(c);
	const said = range.getBoundingClientRect();
	return said.width > 0 && (said.left < cell.left - 0.5 || said.right > Math.min(cell.right, row.right) + 0.5);
}).map(c => c.closest("tr").dataset.row + " " + c.dataset.side + ": " + c.textContent)`

// The result table has one row about the output's error, by the program's own measure. The others stand after a
// disclosure, each number once, and none where the output is exact, not even AxBench's.
func TestOneOutputError(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	p := open(t, server.URL+"#v=1&s=dct&workload.size=128")
	p.finish()
	hidden := []string{"mre", "mreCapped", "mreNonzero", "mreCappedNonzero", "axbenchError", "missRate"}
	rows := eval[map[string]string](p, rowsShown)
	for _, name := range hidden {
		if rows[name] != "" {
			t.Errorf("%s is among the first figures: %s", name, rows[name])
		}
	}
	if rows["error"] == "" {
		t.Fatalf("no output error in %v", rows)
	}
	eval[any](p, `document.getElementById("others").click()`)
	p.wait(`document.querySelector("tr[data-row=mre]").checkVisibility()`)
	rows = eval[map[string]string](p, rowsShown)
	seen := map[string]bool{}
	for _, name := range append([]string{"error"}, hidden...) {
		_, b, _ := strings.Cut(rows[name], "|")
		if b, _, _ = strings.Cut(b, "|"); b != "" && seen[b] {
			t.Errorf("%s says %s, which stands there already: %v", name, b, rows)
		}
		seen[b] = true
	}
	if a, _, _ := strings.Cut(rows["mre"], "|"); a != "0" || rows["missRate"] != "" {
		t.Errorf("MRE %q of an exact side, miss rate %q of a program without decisions", rows["mre"], rows["missRate"])
	}
	for _, width := range []int64{1440, 390} {
		for _, theme := range []string{"light", "dark"} {
			p.do(chromedp.EmulateViewport(width, 900))
			eval[any](p, `document.documentElement.dataset.theme = "`+theme+`"`)
			eval[any](p, `document.querySelector("tr[data-row=error]").scrollIntoView({block: "center"})`)
			p.screenshot(pictureName("measures " + theme + " " + map[int64]string{1440: "wide", 390: "narrow"}[width]))
		}
	}
	// Zeros that one side meets: AxBench's measure counts them, also of the other side, which is exact.
	z := open(t, server.URL+"#v=1&s=tp&machine.preset=mini")
	z.finish()
	eval[any](z, `document.getElementById("others").click()`)
	z.wait(`document.querySelector("tr[data-row=mre]").checkVisibility()`)
	if rows := eval[map[string]string](z, rowsShown); rows["error"] != "0|0.5\u202f%|NRMSE" || rows["mre"] != "0|0.6\u202f%|" || rows["axbenchError"] != "" {
		t.Errorf("a zero that is wrong: %v", rows)
	}
	// Where both outputs are exact there is nothing to disclose.
	q := open(t, server.URL+"#v=1&s=dct&workload.size=128&B.memory.approximation=none")
	q.finish()
	if rows := eval[map[string]string](q, rowsShown); rows["error"] != "0|0|image diff" || eval[bool](q, `document.getElementById("others").checkVisibility()`) {
		t.Errorf("exact outputs have %v", rows)
	}
}

// Two equal runs differ by "=" in every row, and the numbers of unequal ones stay in their columns, wide and narrow.
func TestSmallDifferencesAreEqual(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	// Header and latency of a codec change the energy by parts in a billion.
	for _, link := range []string{"#v=1&s=tp&B.memory.approximation=none&A.memory.latency=46/20", "#v=1&s=tp&workload.size=128", "#v=1&s=matmul&workload.size=64", "#v=1&s=vecadd&machine.preset=h200"} {
		p := open(t, server.URL+link)
		p.finish()
		for _, width := range []int64{1440, 1100, 390, 320} {
			p.do(chromedp.EmulateViewport(width, 900))
			if list := eval[[]string](p, leaving); len(list) > 0 {
				t.Errorf("%s, %d px: %s", link, width, strings.Join(list, "; "))
			}
		}
		for name, cells := range eval[map[string]string](p, rowsShown) {
			if strings.Contains(cells, "e−") {
				t.Errorf("%s: %s is %s", link, name, cells)
			}
		}
	}
}
