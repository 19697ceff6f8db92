package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/tools/serve/static"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// committedFolders lists the folders of the committed data: SLC and E2MC with "", and those of single papers.
func committedFolders(t *testing.T) []string {
	t.Helper()
	indexes, err := filepath.Glob(filepath.Join(root, "assets", "reproduction", "*", "index.json"))
	if err != nil || len(indexes) == 0 {
		t.Fatalf("no paper has a folder: %v", err)
	}
	folders := []string{""}
	for _, file := range indexes {
		folders = append(folders, filepath.Base(filepath.Dir(file))+"/")
	}
	return folders
}

// committedClaims reads the rows of all papers as they lie in the tree, and the digests of their files.
func committedClaims(t *testing.T) (rows []map[string]any, digests []string) {
	t.Helper()
	for _, folder := range committedFolders(t) {
		var index struct{ Claims []string }
		committed(t, folder+"index.json", &index)
		var ledger struct {
			Digest string
			Claims []map[string]any
		}
		committed(t, folder+index.Claims[0]+"/claims.json", &ledger)
		rows, digests = append(rows, ledger.Claims...), append(digests, ledger.Digest)
	}
	return rows, digests
}

func committed(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "assets", "reproduction", filepath.FromSlash(name)))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// openRepro opens a part of the reproduction. It shows committed data without the engine, which is held back.
func openRepro(t *testing.T, fragment string) *tab {
	t.Helper()
	server := serve(t)
	t.Cleanup(server.hold(t, "engine.wasm"))
	return openReproAt(t, server, fragment)
}

// openReproRuns opens a part of the reproduction for a test that needs the engine.
func openReproRuns(t *testing.T, fragment string) *tab {
	t.Helper()
	return openReproAt(t, serve(t), fragment)
}

func openReproAt(t *testing.T, server *site, fragment string) *tab {
	t.Helper()
	p := open(t, server.URL+"/#v=1&repro="+fragment)
	p.wait(`S.repro.open && S.repro.ready`)
	return p
}

func (p *tab) size(width, height int) {
	p.t.Helper()
	p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1, Mobile: width < 500}))
}

// TestReproLedger: every row of the ledger is there, with the committed verdict and
// with both numbers, and filters find what they say.
func TestReproLedger(t *testing.T) {
	t.Parallel()
	p := openReproRuns(t, "ledger")
	claims, digests := committedClaims(t)
	p.wait(fmt.Sprintf("S.repro.rows === %d", len(claims)))
	type row struct{ Verdict, Paper, Ours, Apart, Says string }
	rows := eval[map[string]row](p, `Object.fromEntries([...document.querySelectorAll("#repro-claims tbody tr")].map(r => [r.dataset.claim, {
		verdict: r.querySelector(".verdict span").textContent, paper: r.children[2].textContent, ours: r.children[3].textContent, apart: r.children[4].textContent,
		says: r.children[1].textContent}]))`)
	long := regexp.MustCompile(`[0-9.]{11}`) // digits of a number that is in no column
	counts := map[string]int{}
	for _, c := range claims {
		id := c["id"].(string)
		r, ok := rows[id]
		if !ok || r.Verdict != c["verdict"] {
			t.Errorf("%s: the page says %q, the ledger %q", id, r.Verdict, c["verdict"])
		}
		counts[r.Verdict]++
		if !strings.HasPrefix(r.Paper, c["paperValue"].(string)) {
			t.Errorf("%s: the paper's value is %q on the page, want %q", id, r.Paper, c["paperValue"])
		}
		if _, measured := c["measured"]; measured != (r.Ours != "–") {
			t.Errorf("%s: our value is %q on the page, want %v", id, r.Ours, c["measured"])
		}
		if long.MatchString(r.Ours) || long.MatchString(r.Apart) {
			t.Errorf("%s: our value is %q, %q apart", id, r.Ours, r.Apart)
		}
		if why, _ := c["analysis"].(string); r.Verdict == "does not hold" && !strings.Contains(r.Says, why) {
			t.Errorf("%s does not hold and the page does not say why", id)
		}
	}
	for verdict, n := range counts {
		shown := eval[string](p, fmt.Sprintf(`[...document.querySelectorAll("#repro-counts tbody tr")].find(r => r.children[0].textContent.endsWith(%q)).children[4].textContent`, verdict))
		if shown != fmt.Sprint(n) {
			t.Errorf("%s: %d rows, counted as %s", verdict, n, shown)
		}
	}
	// Rows that runs decide are counted apart; arithmetic has no number and no grade.
	if shown, want := eval[string](p, `document.querySelector("#repro-by-runs").children[4].textContent`), fmt.Sprint(counts["holds"]+counts["holds in order, not in size"]+counts["does not hold"]); shown != want || counts["arithmetic only"] == 0 {
		t.Errorf("the page counts %s rows decided by runs, want %s; %d of arithmetic", shown, want, counts["arithmetic only"])
	}
	if n := eval[int](p, `[...document.querySelectorAll("#repro-claims .v-arithmetic")].filter(r => r.children[3].textContent !== "–" || r.children[5].textContent !== "–").length`); n != 0 {
		t.Errorf("%d rows of arithmetic have a number or a grade", n)
	}
	// Core results that runs decide come first, failures before the others; a row has an address.
	if first := eval[[]string](p, `[...document.querySelectorAll("#repro-claims tbody tr")].slice(0, 30).map(r => r.className + r.querySelector("th small").textContent)`); slices.ContainsFunc(first, func(r string) bool { return !strings.HasPrefix(r, "v-fails") || !strings.HasSuffix(r, "T1") }) {
		t.Errorf("the first rows are %v", first)
	}
	core := map[string]int{}
	for _, c := range claims {
		if c["tier"] == "T1" {
			core[c["verdict"].(string)]++
		}
	}
	if said, want := p.textOf("repro-summary"), fmt.Sprintf("%d do not hold, %d hold in order but not in size, and %d hold", core["does not hold"], core["holds in order, not in size"], core["holds"]); !strings.Contains(said, want) {
		t.Errorf("the summary %q does not say %q", said, want)
	}
	if low := eval[float64](p, `Math.min(...[...document.querySelectorAll("#repro-claims summary")].map(e => e.getBoundingClientRect().height))`); low < 24 {
		t.Errorf("a fold of the ledger is %g px high", low)
	}
	eval[any](p, `document.querySelector('[data-claim="LATTE-03"] a.id').click()`)
	p.wait(`location.hash.includes("repro.row=LATTE-03") && document.querySelector('[data-claim="LATTE-03"].here details[open]') !== null`)
	// A count is a filter, words are another, and the address says so.
	eval[any](p, `document.querySelector('#repro-counts [data-verdict="fails"][data-tier="T1"] button').click()`)
	want := 0
	for _, c := range claims {
		if c["verdict"] == "does not hold" && c["tier"] == "T1" {
			want++
		}
	}
	p.wait(fmt.Sprintf(`S.repro.rows === %d && location.hash.includes("repro.verdict=fails") && location.hash.includes("repro.tier=T1")`, want))
	if n := eval[int](p, `document.querySelectorAll("#repro-claims tbody tr:not(.v-fails)").length`); n != 0 {
		t.Errorf("%d rows of other verdicts are shown", n)
	}
	eval[any](p, `document.getElementById("repro-clear").click()`)
	p.wait(fmt.Sprintf(`S.repro.rows === %d && !location.hash.includes("repro.verdict")`, len(claims)))
	eval[any](p, `(() => { const q = document.getElementById("repro-q"); q.value = "energy slc"; q.dispatchEvent(new Event("input")); })()`)
	p.wait(`S.repro.rows > 0 && S.repro.rows < 60 && location.hash.includes("repro.q=energy%20slc")`)
	// The files hold these rows, with version and digest.
	n := eval[int](p, "window.burstscope.state.repro.rows")
	texts := p.saves("repro-csv", "repro-json")
	version := eval[string](p, "window.burstscope.version")
	var saved struct{ Claims []map[string]any }
	if err := json.Unmarshal([]byte(texts[1]), &saved); err != nil || len(saved.Claims) != n {
		t.Errorf("the JSON holds %d rows, %d are shown (%v)", len(saved.Claims), n, err)
	}
	if rows := strings.Count(texts[0], "\n"+"SLC-"); rows != n {
		t.Errorf("the CSV holds %d rows of SLC, %d are shown", rows, n)
	}
	for _, text := range texts {
		for _, stamp := range append(digests, version, "gtx580b", "gtx480v3") {
			if !strings.Contains(text, stamp) {
				t.Errorf("a file does not name %s: %.200s", stamp, text)
			}
		}
	}
	// Sorted, the row furthest from the paper is first.
	eval[any](p, `document.getElementById("repro-sort").click()`)
	p.wait(`location.hash.includes("repro.sort=apart")`)
	p.settle()
	deviation := func(id string) float64 {
		for _, c := range claims {
			if c["id"] == id {
				for _, key := range []string{"effectDeviation", "ratioDeviation"} {
					if d, ok := c[key].(float64); ok {
						return max(d, -d)
					}
				}
			}
		}
		return -1
	}
	order := eval[[]string](p, `[...document.querySelectorAll("#repro-claims tbody tr")].map(r => r.dataset.claim)`)
	for i := 1; i < len(order); i++ {
		if deviation(order[i]) > deviation(order[i-1]) {
			t.Errorf("%s stands behind %s", order[i], order[i-1])
		}
	}
	// A link gives the same rows.
	fragment := eval[string](p, "location.hash")
	q := open(t, serve(t).URL+"/"+fragment)
	q.wait(fmt.Sprintf("S.repro.ready && S.repro.rows === %d", n))
}

// TestReproMachines: rows and figures of a paper with a machine of its own name it, and the choice of inputs
// offers only those that have results.
func TestReproMachines(t *testing.T) {
	t.Parallel()
	claims, _ := committedClaims(t)
	p := openRepro(t, "ledger&repro.paper=LATTE&repro.data=calibrated")
	p.wait("S.repro.rows === 90")
	const inputs = `(() => { const s = document.getElementById("repro-data"); return [s.value, ...[...s.options].map(o => o.value + " " + o.disabled)].join(", "); })()`
	if got := eval[string](p, inputs); got != "own, own false, calibrated true" {
		t.Errorf("LATTE has no calibrated inputs; the choice is %s", got)
	}
	if got := eval[string](p, `[...document.querySelectorAll("#repro-papers tbody tr")].map(r => r.firstChild.textContent + ": " + r.lastChild.textContent).join("; ")`); !strings.Contains(got, "SLC: gtx580b, suite inputs; E2MC: gtx580b, suite inputs; LATTE: gtx480v3, suite inputs;") || !strings.Contains(got, "RFVP: gtx480v3, natural inputs") {
		t.Errorf("machines and inputs by paper: %s", got)
	}
	if n := eval[int](p, `document.querySelectorAll("#repro-claims .v-holds, #repro-claims .v-inorder").length`); n < 50 {
		t.Errorf("%d rows of LATTE hold by runs", n)
	}
	eval[any](p, `document.querySelector('[data-claim="LATTE-03"] details').open = true`)
	p.wait(`document.querySelector('[data-claim="LATTE-03"] .runs a') !== null`)
	if said := eval[string](p, `document.querySelector('[data-claim="LATTE-03"]').textContent`); !strings.Contains(said, "over uncompressed 16KB L1, gtx480v3, suite inputs") {
		t.Errorf("the row says %s", said)
	}
	// SLC alone has calibrated inputs.
	eval[any](p, `(() => { const s = document.getElementById("repro-paper"); s.value = "SLC"; s.dispatchEvent(new Event("change")); })()`)
	p.wait(`S.repro.rows === 89`)
	if got := eval[string](p, inputs); got != "calibrated, own false, calibrated false" {
		t.Errorf("SLC has calibrated inputs, as the link asks; the choice is %s", got)
	}
	// A figure is shown on the inputs that it has, and its points open on its machine, each scheme with its own L1.
	q := openRepro(t, "figures&repro.data=calibrated&repro.figure=LATTE-11")
	q.wait(`document.querySelector(".figure-title")?.textContent.startsWith("LATTE-11:") && document.querySelector(".figpanel td a") !== null`)
	if got := eval[string](q, inputs); got != "own, own false, calibrated true" {
		t.Errorf("LATTE-11 has no calibrated inputs; the choice is %s", got)
	}
	if about := eval[string](q, `document.getElementById("repro-about").textContent`); !strings.HasPrefix(about, "LATTE-11: gtx480v3, suite inputs.") {
		t.Errorf("the page says %q", about)
	}
	point := eval[string](q, `document.querySelector(".figpanel td a").hash`)
	if !strings.Contains(point, "machine.preset=gtx480v3") || !strings.Contains(point, "B.l1.store=static-bdi") || strings.Contains(point, "A.l1") {
		t.Errorf("the first point opens %s", point)
	}
	// A figure leads to the page of its paper, which has its headline results and its figures.
	eval[any](q, `document.getElementById("figure-paper").click()`)
	q.wait(`document.querySelector("#paper-headlines [data-claim^=LATTE]") !== null`)
	q.testPapers(claims)
	eval[any](q, `document.getElementById("paper-SLC").click()`)
	q.wait(`document.querySelector('[data-figure="SLC-7"] svg rect') !== null`)
	eval[any](q, `document.querySelector('[data-figure="SLC-7"]').click()`)
	q.wait(`document.querySelector(".figure-title").textContent.startsWith("SLC-7:")`)
	if got := eval[string](q, inputs); got != "calibrated, own false, calibrated false" {
		t.Errorf("SLC-7 has calibrated inputs, as the link asks; the choice is %s", got)
	}
	// A link may name a figure that has a word for a number.
	eval[any](q, `location.hash = "#v=1&repro=figures&repro.figure=RFVP-combined"`)
	q.wait(`document.querySelector(".figure-title").textContent.startsWith("RFVP-combined:")`)
	q.testPareto()
	if m := q.state().Messages; len(m) != 0 {
		t.Errorf("the link gives %v", m)
	}
}

// testPapers: the page of each paper names it, and has each of its core headline results that runs decide.
func (p *tab) testPapers(claims []map[string]any) {
	p.t.Helper()
	for _, paper := range []string{"E2MC", "LATTE", "BUDDY", "RFVP"} { // SLC has other inputs here
		want := 0
		for _, c := range claims {
			byRuns := strings.HasPrefix(c["verdict"].(string), "holds") || c["verdict"] == "does not hold"
			if c["paper"] == paper && c["kind"] == "headline" && c["tier"] == "T1" && byRuns {
				want++
			}
		}
		eval[any](p, fmt.Sprintf(`document.getElementById("paper-%s").click()`, paper))
		p.wait(fmt.Sprintf(`document.querySelector("#paper-headlines [data-claim^=%s]") !== null`, paper))
		got := eval[int](p, fmt.Sprintf(`document.querySelectorAll("#paper-headlines [data-claim^=%s]").length`, paper))
		said := p.textOf("paper-summary")
		if got != want || !strings.HasPrefix(said, fmt.Sprintf("Of %d headline results", want)) {
			p.t.Errorf("%s has %d headline results, the page %d, and says %q", paper, want, got, said)
		}
		if n := eval[int](p, `document.querySelectorAll('.cited a[href^="https://doi.org/10."]').length`); n != 1 {
			p.t.Errorf("the page of %s has %d DOIs", paper, n)
		}
	}
}

// testPareto: in the chart of speed over loss the keyboard and a drag choose points, and the table lists them.
func (p *tab) testPareto() {
	p.t.Helper()
	// The keyboard and a drag choose points, and the table lists them.
	const pareto = `document.querySelector(".pareto")`
	p.wait(pareto + ` && ` + pareto + `.querySelectorAll("[data-point]").length === 120`)
	const rows = `[...` + pareto + `.parentElement.querySelectorAll("tbody tr")]`
	for _, key := range []string{`key: "ArrowRight"`, `key: "ArrowRight", shiftKey: true`, `key: "ArrowRight", shiftKey: true`, `key: "ArrowRight"`, `key: " "`} {
		eval[any](p, pareto+`.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, `+key+` }))`)
	}
	if n := eval[int](p, rows+`.length`); n != 3 {
		p.t.Errorf("the keyboard has chosen %d points of the chart, want 3", n)
	}
	eval[any](p, `(() => {
		const p = `+pareto+`, r = p.getBoundingClientRect(), wide = p.clientWidth;
		const send = (type, x, y) => p.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: r.left + x, clientY: r.top + y }));
		p.setPointerCapture = () => {};
		send("pointerdown", 0, 0);
		send("pointermove", wide, 300);
		send("pointerup", wide, 300);
	})()`)
	if n := eval[int](p, rows+`.length`); n != 120 {
		p.t.Errorf("a drag over the whole chart has chosen %d points, want 120", n)
	}
	eval[any](p, pareto+`.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, key: "Escape" }))`)
	if n := eval[int](p, rows+`.length`); n != 0 {
		p.t.Errorf("%d points are chosen after Escape", n)
	}
}

// saves presses buttons that save files and returns what is in these.
func (p *tab) saves(buttons ...string) []string {
	p.t.Helper()
	list, _ := json.Marshal(buttons)
	eval[any](p, fmt.Sprintf(`(() => {
		window.saved = [];
		URL.createObjectURL = b => { window.saved.push(b); return "blob:x"; };
		HTMLAnchorElement.prototype.click = () => {};
		for (const id of %s) document.getElementById(id).click();
	})()`, list))
	texts := eval[[]string](p, "Promise.all(window.saved.map(b => b.text()))")
	if len(texts) != len(buttons) {
		p.t.Fatalf("%d of %d files were saved", len(texts), len(buttons))
	}
	for i, text := range texts {
		if !strings.Contains(text, "/#v=1") || !strings.Contains(text, "version="+readBuild(p.t).Version) {
			p.t.Errorf("the file of %s has no link back: %.300s", buttons[i], text)
		}
	}
	return texts
}

// TestReproPictures looks at the part in all its forms; nothing goes sideways.
func TestReproPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		width, height int
		fragment      string
	}{
		{"repro-ledger.png", 1366, 900, "ledger&repro.verdict=fails&theme=light"},
		{"repro-e2mc9-dark.png", 1366, 1800, "figures&repro.figure=E2MC-9&theme=dark"},
		{"repro-slc8-phone.png", 390, 2200, "figures&repro.figure=SLC-8&theme=dark"},
	} {
		p := openRepro(t, c.fragment)
		p.size(c.width, c.height)
		p.wait(`S.repro.rows > 0 || document.querySelector(".figpanel, #sweep-table tbody tr") !== null`)
		p.settle()
		if eval[bool](p, "document.documentElement.scrollWidth > innerWidth") {
			t.Errorf("%s scrolls sideways: %d px", c.name, eval[int](p, "document.documentElement.scrollWidth"))
		}
		p.screenshot(c.name)
	}
}

// drawnFigure is a figure as it lies in the tree.
type drawnFigure struct {
	Figure string
	Runs   []string
	Panels []struct {
		Categories []string
		Series     []struct {
			Label         string
			Values, Paper []*float64
			Formulas      []*struct{ Op string }
			Zeros         []*struct{ Zeros, Of int }
			Spreads       []*claim.Spread
		}
	}
}

// TestReproFigureTables: every table on the page holds the committed values and the
// paper's, and every chart a mark for each.
func TestReproFigureTables(t *testing.T) {
	t.Parallel()
	type source struct{ Name, File, folder string }
	var figures []source
	for _, folder := range committedFolders(t) {
		var index struct {
			Figures []source
			Claims  []string
		}
		committed(t, folder+"index.json", &index)
		if folder != "" {
			few := index.Figures[:min(len(index.Figures), 2)] // all figures are drawn in one way
			if at := slices.IndexFunc(index.Figures, func(f source) bool { return f.Name == "RFVP-7" }); at >= 0 {
				few = append(slices.Clone(few), index.Figures[at]) // but for those on several inputs
			}
			index.Figures = few
		}
		for _, f := range index.Figures {
			figures = append(figures, source{f.Name, f.File, folder + index.Claims[0] + "/"})
		}
	}
	p := openRepro(t, "figures")
	p.wait(`document.querySelector(".figpanel") !== null`)
	means, spreads := 0, 0 // geometric means of errors, whose zeros are told; values on several inputs
	for _, f := range figures {
		var want drawnFigure
		committed(t, f.folder+f.File, &want)
		eval[any](p, "void (location.hash = "+quote("#v=1&repro=figures&repro.figure="+f.Name)+")")
		p.wait(fmt.Sprintf(`document.querySelector(".figure-title").textContent.startsWith("%s:")`, f.Name))
		p.settle()
		type cell struct{ Value, Paper, Text string }
		got := eval[map[string]cell](p, `Object.fromEntries([...document.querySelectorAll(".figure-table td[data-at]")].map(c => [c.dataset.at, {value: c.dataset.value, paper: c.dataset.paper, text: c.textContent}]))`)
		marks := eval[int](p, `document.querySelectorAll(".plotside g[data-series]").length`)
		cells := 0
		for at, panel := range want.Panels {
			for i, series := range panel.Series {
				for k := range panel.Categories {
					cells++
					c := got[fmt.Sprintf("%d/%d/%d", at, i, k)]
					if !sameNumber(c.Value, series.Values[k]) || !sameNumber(c.Paper, series.Paper[k]) {
						t.Errorf("%s, %s, %s: the page has %+v, the data %v and the paper's %v", f.Name, series.Label, panel.Categories[k], c, series.Values[k], series.Paper[k])
					}
					if series.Values[k] == nil && !strings.HasPrefix(c.Text, "–") {
						t.Errorf("%s, %s, %s: nothing is measured, and the page shows %q", f.Name, series.Label, panel.Categories[k], c.Text)
					}
					if series.Spreads != nil && series.Spreads[k] != nil {
						spreads++
						x, shown := series.Spreads[k], claim.Spread{}
						if _, text, found := strings.Cut(c.Text, "mean "); found {
							fmt.Sscanf(text, "%f (%f–%f)", &shown.Mean, &shown.Low, &shown.High)
						} else if strings.Contains(c.Text, "on all inputs") {
							shown.Low, shown.High, shown.Mean = *series.Values[k], *series.Values[k], *series.Values[k]
						}
						off := max(math.Abs(shown.Low-x.Low), math.Abs(shown.High-x.High), math.Abs(shown.Mean-x.Mean))
						if off > 0.001*x.High {
							t.Errorf("%s, %s, %s: %+v, and the page shows %q", f.Name, series.Label, panel.Categories[k], x, c.Text)
						}
					}
					if series.Zeros == nil || series.Zeros[k] == nil {
						continue
					}
					means++
					if z := series.Zeros[k]; z.Zeros > 0 && !strings.Contains(c.Text, fmt.Sprintf("%d of %d exactly 0", z.Zeros, z.Of)) || z.Zeros == 0 && !strings.Contains(c.Text, fmt.Sprintf("no zeros among %d", z.Of)) {
						t.Errorf("%s, %s, %s: %+v, and the page shows %q", f.Name, series.Label, panel.Categories[k], z, c.Text)
					}
				}
			}
		}
		if marks != cells || len(got) != cells {
			t.Errorf("%s: %d values, %d cells and %d marks on the page", f.Name, cells, len(got), marks)
		}
	}
	if means == 0 || spreads == 0 {
		t.Errorf("%d geometric means of errors and %d values on several inputs on the page", means, spreads)
	}
}

// TestReproFigureFiles: files of a figure say what made them, and hold every value.
func TestReproFigureFiles(t *testing.T) {
	t.Parallel()
	p := openRepro(t, "figures&repro.figure=SLC-8&theme=dark")
	// A mean names the points that it is of.
	p.wait(`document.querySelector('td[data-at="0/1/9"] button') !== null`)
	eval[any](p, `document.querySelector('td[data-at="0/1/9"] button').click()`)
	p.wait(`document.querySelectorAll(".figure-points a").length === 9`)
	eval[any](p, `(window.png = null, window.toURL = URL.createObjectURL.bind(URL), URL.createObjectURL = b => { if (b.type === "image/png") window.png = b; return window.toURL(b); }, HTMLAnchorElement.prototype.click = () => {}, document.getElementById("figure-png").click())`)
	p.wait(`window.png !== null`)
	if start := eval[[]int](p, `window.png.arrayBuffer().then(b => [...new Uint8Array(b.slice(0, 4))])`); fmt.Sprint(start) != "[137 80 78 71]" {
		t.Errorf("the PNG starts with %v", start)
	}
	texts := p.saves("figure-csv", "figure-json", "figure-svg")
	var want struct {
		drawnFigure
		Version, Digest string
	}
	committed(t, "suite/slc-8.json", &want)
	for _, text := range texts {
		if !strings.Contains(text, want.Version) || !strings.Contains(text, want.Digest) {
			t.Errorf("a file has no version or digest: %.200s", text)
		}
	}
	values := 0
	for _, panel := range want.Panels {
		values += len(panel.Categories) * len(panel.Series)
	}
	if rows := strings.Count(texts[0], "\nSLC-8,suite,"); rows != values {
		t.Errorf("the CSV holds %d values, want %d", rows, values)
	}
	// A file is light, whatever the page is, and needs nothing beside it.
	if svg := texts[2]; !strings.Contains(svg, "#fbfbf8") || strings.Contains(svg, "var(") || strings.Contains(svg, "class=") {
		t.Errorf("the SVG needs styles of the page: %.300s", svg)
	}
	for _, key := range want.Runs {
		if !strings.Contains(texts[1], key) {
			t.Errorf("the JSON lacks run %s", key)
		}
	}
	// No word of a file ends beside its picture.
	const cut = `(file => {
		const svg = document.body.appendChild(new DOMParser().parseFromString(file, "image/svg+xml").documentElement);
		const right = e => e.getBoundingClientRect().right;
		return [...svg.querySelectorAll("text")].filter(e => right(e) > right(svg)).map(e => e.textContent);
	})(` + "`%s`)"
	if beyond := eval[[]string](p, fmt.Sprintf(cut, texts[2])); len(beyond) > 0 {
		t.Errorf("words are cut at the side of the file: %q", beyond)
	}
}

// TestReproTraffic: a measurement of traffic made in the page has the committed bits,
// and the shares and ratios that follow from it are the committed values.
func TestReproTraffic(t *testing.T) {
	t.Parallel()
	p := openReproRuns(t, "figures&repro.figure=SLC-2")
	p.wait(`S.engineReady && document.querySelector(".figpanel") !== null`)
	eval[any](p, `document.getElementById("figure-all").click()`)
	p.wait(`document.querySelector(".sweep-run").textContent === "Choose what to run"`)
	eval[any](p, `[...document.querySelectorAll(".figpanel input")].find(b => b.getAttribute("aria-label").startsWith("TP ")).click()`)
	p.wait(`document.querySelector(".sweep-run").textContent === "Run 1 point here"`)
	eval[any](p, `document.querySelector(".sweep-run").click()`)
	p.wait(`S.repro.sweep === "done" && S.repro.same === 1 && S.repro.different === 0`)
	compared := p.computedAsCommitted()
	eval[any](p, `document.getElementById("figure-before").click()`)
	p.wait(`document.querySelector(".figure-title").textContent.startsWith("SLC-1:") && S.repro.same === 1`)
	if compared += p.computedAsCommitted(); compared < 33+8 {
		t.Errorf("only %d values were computed", compared)
	}
	eval[any](p, `document.getElementById("figure-paper").click()`)
	p.wait(`location.hash.includes("repro=papers&repro.paper=SLC")`)
}

// computedAsCommitted compares the values that the page has computed with the
// committed ones, and returns how many there are. Logarithms may differ in the last bit.
func (p *tab) computedAsCommitted() (compared int) {
	p.t.Helper()
	var f struct {
		Panels []struct {
			Title  string
			Series []struct {
				Label        string
				Values       []*float64
				ComputedHere []*struct{ Value float64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(p.saves("figure-json")[0]), &f); err != nil {
		p.t.Fatal(err)
	}
	for _, panel := range f.Panels {
		for _, s := range panel.Series {
			for i, here := range s.ComputedHere {
				if here == nil {
					continue
				}
				compared++
				if v := s.Values[i]; v == nil || math.Abs(here.Value-*v) > 1e-12*math.Abs(*v) {
					p.t.Errorf("%s, %s, %d: computed here %v, committed %v", panel.Title, s.Label, i, here.Value, v)
				}
			}
		}
	}
	return compared
}

func sameNumber(text string, want *float64) bool {
	if want == nil {
		return text == ""
	}
	var got float64
	return json.Unmarshal([]byte(text), &got) == nil && got == *want
}

// committedRuns reads the runs: their keys with the hashes of their results.
func committedRuns(t *testing.T) map[string]string {
	t.Helper()
	var runs struct {
		Runs map[string]struct{ Result string }
	}
	committed(t, "runs.json", &runs)
	all := map[string]string{}
	for key, r := range runs.Runs {
		all[key] = r.Result
	}
	return all
}

// chooseTP takes one program and one scheme of SLC-7 into a run: two points.
const chooseTP = `(() => {
	document.getElementById("figure-all").click();
	const click = label => [...document.querySelectorAll(".figpanel input")].find(b => b.getAttribute("aria-label").startsWith(label + " ")).click();
	const settled = () => ` + settled + `;
	return settled().then(() => (click("TP"), settled())).then(() => (click("TSLC-SIMP"), settled())).then(() => (click("TSLC-PRED"), settled()));
})()`

// TestReproRunsHere: points computed in the page have the committed bits, a reload
// keeps them, and a value opens its point in the simulator, with the same bits again.
func TestReproRunsHere(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := openLong(t, server.URL+"/#v=1&repro=figures&repro.figure=SLC-7")
	p.wait(`S.repro.ready && S.engineReady && document.querySelector(".figpanel") !== null`)
	eval[any](p, chooseTP)
	p.wait(`document.querySelector(".sweep-run").textContent === "Run 2 points here"`)
	eval[any](p, `document.querySelector(".sweep-run").click()`)
	p.wait(`S.repro.sweep === "done"`)
	p.wait(`S.repro.same === 2 && S.repro.different === 0 && document.querySelector('td[data-at="0/2/4"]').dataset.here === "same"`)
	want := committedRuns(t)
	kept := eval[map[string]string](p, keptPoints)
	if len(kept) != 2 {
		t.Errorf("%d points are kept, want 2", len(kept))
	}
	for key, hash := range kept {
		_, key, _ = strings.Cut(key, "/")
		if want[key] == "" || want[key] != hash {
			t.Errorf("point %s: computed in Chromium %s, committed %s", key, hash, want[key])
		}
	}
	if n := p.computedAsCommitted(); n != 3 {
		t.Errorf("%d values were computed from two runs, want speedup and both errors", n)
	}
	p.screenshot("repro-here.png")
	p.do(chromedp.Reload())
	p.wait(`S.repro.ready && S.repro.known === 2 && S.repro.same === 2`)
	p.wait(`document.querySelector('td[data-at="0/2/4"]').dataset.here === "same" && document.querySelector(".sweep-run").textContent.startsWith("Run the other ")`)
	eval[any](p, `document.querySelector('td[data-at="0/2/4"] a').click()`)
	p.wait(`!S.repro.open`)
	p.finish()
	results := eval[map[string]struct{ ScenarioHash, ResultHash string }](p, `Object.fromEntries(Object.entries(window.burstscope.state.results).map(([k, r]) => [k, {scenarioHash: r.scenarioHash, resultHash: r.resultHash}]))`)
	for side, r := range results {
		if want[r.ScenarioHash] == "" || want[r.ScenarioHash] != r.ResultHash {
			t.Errorf("side %s in the simulator: scenario %s gives %s, committed %s", side, r.ScenarioHash, r.ResultHash, want[r.ScenarioHash])
		}
	}
	// The way back leads to the figure.
	eval[any](p, `history.back()`)
	p.wait(`S.repro.open && location.hash.includes("repro=figures")`)
}

const keptPoints = `new Promise((done, fail) => {
	const asked = indexedDB.open("burstscope-points", 1);
	asked.onerror = () => fail(asked.error);
	asked.onsuccess = () => {
		const table = asked.result.transaction("points").objectStore("points");
		const keys = table.getAllKeys(), all = table.getAll();
		all.onsuccess = () => done(Object.fromEntries(all.result.map((o, i) => [keys.result[i], o.hash])));
	};
})`

// TestReproCancel: a sweep pauses and ends at once; what is done is kept.
func TestReproCancel(t *testing.T) {
	p := openReproRuns(t, "figures&repro.figure=SLC-7")
	p.wait(`S.engineReady && document.querySelector(".figpanel") !== null`)
	eval[any](p, `document.querySelector(".sweep-run").click()`)
	p.wait(`S.repro.sweep === "running" && document.querySelector(".sweep progress").value > 0`)
	late := eval[float64](p, pressAndWait("sweep-pause"))
	p.wait(`S.repro.sweep === "paused" && S.repro.cancelMilliseconds > 0`)
	if ms := eval[float64](p, "window.burstscope.state.repro.cancelMilliseconds"); ms > max(mostCancelMilliseconds, 2*late) {
		t.Errorf("a pause took %.0f ms, want at most %d", ms, mostCancelMilliseconds)
	}
	at := eval[float64](p, `document.querySelector(".sweep progress").value`)
	eval[any](p, `document.querySelector(".sweep-pause").click()`)
	p.wait(fmt.Sprintf(`S.repro.sweep === "running" && document.querySelector(".sweep progress").value > %g`, at))
	late = eval[float64](p, pressAndWait("sweep-cancel"))
	p.wait(`S.repro.sweep === "cancelled"`)
	if ms := eval[float64](p, "window.burstscope.state.repro.cancelMilliseconds"); ms > max(mostCancelMilliseconds, 2*late) {
		t.Errorf("a cancel took %.0f ms, want at most %d", ms, mostCancelMilliseconds)
	}
	if words := eval[string](p, `document.querySelector(".sweep-words").textContent`); !strings.HasPrefix(words, "Cancelled") {
		t.Errorf("after the cancel the page says %q", words)
	}
	if eval[bool](p, `document.querySelector(".sweep-run").hidden || document.querySelector(".sweep-run").disabled`) {
		t.Error("no run can be started after a cancel")
	}
}

// pressAndWait presses a button and answers how many milliseconds a timer of 100 takes
// then: on a machine with much else to do the page itself comes late.
func pressAndWait(class string) string {
	return fmt.Sprintf(`new Promise(done => {
		const from = performance.now();
		window.burstscope.state.repro.cancelMilliseconds = 0;
		setTimeout(() => done(performance.now() - from), 100);
		document.querySelector(".%s").click();
	})`, class)
}

// TestReproOwnSweep: what the reader varies runs in both schemes, with the bits of a
// native run; a value that cannot be run says why.
func TestReproOwnSweep(t *testing.T) {
	t.Parallel()
	p := openReproRuns(t, "sweep&repro.vary=memory.codec&repro.values=bdi,nosuch&s=vecadd&workload.size=65536&machine.preset=mini&B.memory.approximation=none&B.memory.codec=none&A.memory.codec=none")
	p.wait(`document.querySelector(".repropage").textContent.includes("vecadd 65536") && document.querySelectorAll("#sweep-table tbody tr").length === 2 && document.querySelector(".sweep-run").textContent === "Run 3 here"`) // of the link's scenario
	eval[any](p, `document.querySelector(".sweep-run").click()`)
	p.wait(`S.repro.sweep === "done"`)
	p.wait(`document.querySelector("#sweep-table tr.refused") !== null && document.querySelector('#sweep-table tr[data-value="bdi"] td[data-measure="speedup"]').textContent !== "–"`)
	if words := eval[string](p, `document.querySelector("#sweep-table tr.refused").textContent`); !strings.Contains(words, "memory.codec") || !strings.Contains(words, "nosuch") {
		t.Errorf("the codec that does not exist: %q", words)
	}
	hashes := eval[string](p, `document.querySelector('#sweep-table tr[data-value="bdi"] td.mono').title`)
	s := scenario.Default("vecadd")
	s.Machine.Preset, s.Workload.Size, s.Workload.Data = "mini", 65536, "grid"
	for _, codec := range []string{"none", "bdi"} {
		m := scheme.DefaultMemory()
		m.Put("codec", codec)
		if native := nativeHash(t, s, m); !strings.Contains(hashes, native) {
			t.Errorf("%s: natively %s, the page has %s", codec, native, hashes)
		}
	}
	version := eval[string](p, "window.burstscope.version")
	for _, text := range p.saves("sweep-csv", "sweep-json", "sweep-svg") {
		if !strings.Contains(text, version) || !strings.Contains(text, strings.Fields(hashes)[0][:8]) || !strings.Contains(text, "repro=sweep") || !strings.Contains(text, "no compression") {
			t.Errorf("a file lacks version, hash, link or schemes: %.300s", text)
		}
	}
	// What is no list of values is said, and nothing runs.
	eval[any](p, `(() => { const v = document.getElementById("sweep-values"); v.value = "1..900"; v.dispatchEvent(new Event("change")); })()`)
	p.wait(`document.getElementById("sweep-said").textContent.includes("more than 64 values") && document.querySelector(".sweep-run").disabled`)
}

// TestReproBroken: data that are not what they should be are one clear message, and
// the rest of the page works.
func TestReproBroken(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile(filepath.Join(dist, filepath.FromSlash(readBuild(t).Files["repro/index.json"])))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, part, file, body, want string }{
		{"cut off", "ledger", "repro/index.json", string(index[:len(index)/2]), "repro/index.json: it is not JSON, or is cut off"},
		{"something else", "ledger", "repro/index.json", `{"version":1}`, "repro/index.json: it names no version"},
		{"no claims", "ledger", "repro/claims-own.json", `[]`, "repro/claims-own.json: it is not a ledger"},
		{"half a claim", "ledger", "repro/claims-own.json", `{"version":"VERSION","sources":[],"claims":[{"id":"X"}]}`, "a claim lacks a part"},
		{"lost run", "figures", "repro/figures-own.json", `{"version":"VERSION","figures":[{"figure":"SLC-7","metrics":{},"runs":[99999],"panels":[]}]}`, "names a run that does not exist"},
		{"deep formula", "figures", "repro/figures-own.json", `{"version":"VERSION","figures":[{"figure":"SLC-7","metrics":{},"runs":[0],"panels":[{"categories":["a"],"series":[{"values":[1],"paper":[null],"formulas":[{"op":"run","run":7,"metric":"x"}]}]}]}]}`, "names a run outside the figure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			version := readBuild(t).Version
			p := open(t, serveBroken(t, c.file, strings.ReplaceAll(c.body, "VERSION", version))+"/#v=1&repro="+c.part)
			p.wait(`S.repro.open && S.messages.length > 0`)
			p.settle()
			if m := p.state().Messages; len(m) != 1 || !strings.Contains(m[0].String(), c.want) {
				t.Errorf("messages %v, want one with %q", m, c.want)
			}
			if c.name == "cut off" {
				p.screenshot("repro-broken.png")
				eval[any](p, `document.getElementById("to-simulator").click()`)
				p.wait(`!S.repro.open && S.run === 1 && S.phase === "running"`)
			}
		})
	}
}

// TestReproWithoutEngine: where no engine starts, a sweep says so and ends.
func TestReproWithoutEngine(t *testing.T) {
	t.Parallel()
	p := open(t, serveBroken(t, "engine.wasm", "nonsense")+"/#v=1&repro=figures&repro.figure=SLC-2")
	p.wait(`S.repro.ready && document.querySelector(".figpanel") !== null && !document.querySelector(".sweep-run").disabled`)
	eval[any](p, `document.querySelector(".sweep-run").click()`)
	p.wait(`S.repro.sweep === "cancelled" && document.querySelectorAll('#repro #messages [data-key="sweep"]').length === 1`)
}

// serveBroken serves the built page with one file replaced.
func serveBroken(t *testing.T, name, body string) string {
	t.Helper()
	findBrowser(t)
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	path := "/" + readBuild(t).Files[name]
	s := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// TestScenarioKeys: every key of a scenario goes through link, run and link again,
// whether the page has a knob for it or not.
func TestScenarioKeys(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=1&s=vecadd&machine.preset=mini&workload.size=65536&A.memory.codec=fpc&B.memory.codec=bdi&B.memory.approximation=none&B.memory.latency=40%2F7&machine.overrides.sm.l1.ways=8")
	p.finish()
	s := scenario.Default("vecadd")
	s.Machine.Preset, s.Workload.Size, s.Workload.Data = "mini", 65536, "grid"
	s.Memory.Put("codec", "bdi", "latency", "40/7")
	s.Machine.Overrides = scenario.Overrides{"sm.l1.ways": int64(8)}
	if got := eval[string](p, "window.burstscope.state.results.B.scenarioHash"); got != s.Hash() {
		t.Errorf("the run's scenario is %s, want %s", got, s.Hash())
	}
	if value := eval[string](p, `document.getElementById("knob-B-memory-latency").value`); value != "40/7" {
		t.Errorf("the knob of the latency says %q", value)
	}
	p.wait(`location.hash.includes("B.memory.latency=40%2F7")`)
	// A key that no version has goes to the engine, which refuses it by its path.
	q := open(t, server.URL+"/#v=1&s=vecadd&B.memory.whatnot=%5B1%2C2%5D&workload.colour=red")
	q.wait(`S.phase === "error"`)
	if e := q.state().Error; e == nil || !strings.Contains(e.String(), "whatnot") && !strings.Contains(e.String(), "colour") {
		t.Errorf("unknown keys: %v", e)
	}
	q.wait(`location.hash.includes("B.memory.whatnot=%5B1%2C2%5D") && location.hash.includes("workload.colour=red")`)
	// What is no latency is refused where it is set.
	r := open(t, server.URL+"/#v=1&s=vecadd&B.memory.latency=fast")
	r.wait(`S.messages.some(m => m.where.includes("B.memory.latency=fast was ignored"))`)
}
