package e2e

import (
	"fmt"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"

	"github.com/burstscope/burstscope/core/scenario"
)

const compareScript = `
import { ratioTicks } from "./drawing/plot";
import { endsOf } from "./reproduction/chart";
import { frontOf } from "./reproduction/front";
import { escaped, texOf } from "./reproduction/tex";

const point = (title: string, error: number, ...costs: (number | undefined)[]) => ({ title, error, costs });
const points = [point("slow", 0, 1.2), point("exact", 0, 0.9), point("lossy", 0.1, 0.7), point("worse", 0.2, 0.8),
  point("none", 0, undefined), point("same", 0, 0.9)];
same("front", frontOf(points, 0).map((i) => points[i]!.title), ["exact", "same", "lossy"]);
const panel = (unit: string, values: (number | null)[]) => ({ title: "Speed_up", unit, kind: "bars", axis: "v",
  categories: values.map((_, i) => "c" + i),
  series: [{ label: "B & A", values, paper: values.map(() => null) }] }) as any;
same("ratios begin at 1",
  [endsOf(panel("x", [1.19, 0.96])), endsOf(panel("x", [1, 1])), endsOf(panel("x", [3.7, null]))],
  [[0.96, 1.2], [0.9, 1.1], [1, 4]]);
same("others at 0", endsOf(panel("J", [2, 3])), [0, 3]);
same("1 has a tick", [ratioTicks(0, 9, 0.07), ratioTicks(0, 41, 0.07), ratioTicks(0.96, 1.2, 0.07)],
  [[0, 1, 2, 4, 6, 8], [1, 10, 20, 30, 40], [1, 1.05, 1.1, 1.15, 1.2]]);
same("LaTeX", escaped("50 % of a_b & #1 {x}"), "50 \\% of a\\_b \\& \\#1 \\{x\\}");
const tex = texOf(panel("x", [1.5, null]), ["Burstscope 1", "http://h/#v=1"], "http://h/#v=1&s=tp");
same("figure", [
  tex.includes("\\href{http://h/\\#v=1\\&s=tp}{Run it}"), tex.includes("({c0},1.5)"), tex.includes("({c1}"),
  tex.includes("% http://h/#v=1"), tex.includes("Speed\\_up")], [true, true, false, true, true]);
`

func TestFrontAndFigures(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, compareScript)
}

// TestCompareAllCodecs: one press in the simulator runs every codec on the program. The results are those of native
// runs, a row becomes side B or A of the simulator, and after a reload what is computed is found.
func TestCompareAllCodecs(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	site := serve(t)
	const link = "/#v=1&s=vecadd&workload.size=16384&machine.preset=mini&picture=plain&B.memory.approximation=none"
	p := open(t, site.URL+link, command(cdpage.AddScriptToEvaluateOnNewDocument,
		cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.finish()
	poll(p, `document.getElementById("compare-codecs") !== null`)
	eval[any](p, `document.getElementById("compare-codecs").click()`)
	p.wait(`S.repro.sweep === "done"`)
	poll(p, `document.querySelectorAll(".plotside circle[data-front=true]").length >= 3`)
	rows := eval[int](p, `document.querySelectorAll("#sweep-table tbody tr:not(.refused)").length`)
	want := eval[int](p, `burstscopeControl.page.catalogue.lists.codecs.filter(c => c.name !== "plugin").length + 1`)
	if rows != want {
		t.Errorf("%d rows, %d codecs and no compression", rows, want)
	}
	const cells = `[...document.querySelectorAll("#sweep-table tbody td")]`
	poll(p, cells+`.every(d => d.textContent !== "–")`) // the last row is drawn with the next frame
	s := shippedScenarios(t)["vecadd"]
	for _, set := range [][2]string{
		{"workload.size", "16384"}, {"machine.preset", "mini"}, {"memory.codec", "bdi"},
		{"memory.approximation", "none"},
	} {
		if err := s.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	const hashOf = `document.querySelector('#sweep-table tr[data-value="%s"] td.mono').title.split(" ")[1]`
	native := nativeHashOf(t, s, s.Scheme)
	if got := eval[string](p, fmt.Sprintf(hashOf, "bdi")); got != native {
		t.Errorf("BDI: natively %s, in the table %s", native, got)
	}
	p.screenshot("compare.png")
	// On a phone short names stand where long ones do, in the middle of their rows.
	p.size(390, 844)
	p.settle()
	const apart = `[...document.querySelectorAll("#sweep-table tbody th a")].flatMap(a => {
		const words = document.createRange();
		words.selectNodeContents(a);
		const [name, cell] = [words, a.closest("th")].map(e => e.getBoundingClientRect());
		words.selectNodeContents(a.closest("tr").children[1]);
		const beside = words.getBoundingClientRect();
		return name.left - cell.left > 2 || Math.abs(name.top - beside.top) > 4 ? [a.textContent] : [];
	})`
	if faults := eval[[]string](p, apart); len(faults) > 0 {
		t.Errorf("names that stand apart: %q", faults)
	}
	p.size(1440, 900)
	tex := p.saves("sweep-latex")[0]
	if !strings.Contains(tex, `\href{http`) || !strings.Contains(tex, "addplot") {
		t.Errorf("the figure for LaTeX: %.300s", tex)
	}
	// A row becomes side B, and another side A.
	eval[any](p, `document.querySelector('#sweep-table tr[data-value="bdi"] .use[data-key$="as B"]').click()`)
	p.wait(`S.phase === "done" && S.resultHashes.B === "` + native + `" && document.body.dataset.part === "simulator"`)
	eval[any](p, `document.getElementById("to-sweep").click()`)
	poll(p, `document.querySelector('#sweep-table tr[data-value="fpc"] .use')?.checkVisibility()`)
	eval[any](p, `document.querySelector('#sweep-table tr[data-value="fpc"] .use[data-key$="as A"]').click()`)
	p.wait(`document.body.dataset.part === "simulator" && S.phase === "done" &&
		document.getElementById("name-a").textContent === "FPC"`)
	if got := p.state().ResultHashes["B"]; got != native {
		t.Errorf("side B became %s", got)
	}
	// After a reload nothing is computed again: no engine tells of a point under way.
	p.leaveFor("about:blank")
	q := open(t, site.URL+link)
	q.finish()
	poll(q, `document.getElementById("compare-codecs") !== null`)
	eval[any](q, `document.getElementById("compare-codecs").click()`)
	q.wait(`S.repro.sweep === "done"`)
	if got := eval[string](q, fmt.Sprintf(hashOf, "bdi")); got != native {
		t.Errorf("after a reload BDI is %s", got)
	}
}

// TestSweepOfTwoSettings: two settings make a map, and the point at their crossing is the run with both.
func TestSweepOfTwoSettings(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+"/#v=1&s=tp&picture=plain&repro=sweep&repro.vary=memory.threshold&repro.values=4,8"+
		"&repro.vary2=memory.decodingWays&repro.values2=1,4")
	p.wait(`document.querySelector(".sweep-run")?.textContent === "Run 5 here"`)
	eval[any](p, `document.querySelector(".sweep-run").click()`)
	p.wait(`S.repro.sweep === "done"`)
	poll(p, `document.querySelectorAll(".plotside g[data-series]").length === 4`)
	_, b := shippedScenarios(t)["tp"].Sides()
	set := func(s *scenario.Scenario, path, value string) {
		if err := s.Set(path, value); err != nil {
			t.Fatal(err)
		}
	}
	set(b, "memory.threshold", "8")
	set(b, "memory.decodingWays", "1")
	native := nativeHashOf(t, b, b.Scheme)
	got := eval[string](p, `document.querySelector('#sweep-table tr[data-value="8 1"] td.mono').title.split(" ")[1]`)
	if got != native {
		t.Errorf("threshold 8 and one way: natively %s, in the table %s", native, got)
	}
	// The search finds settings by their words, and the table's columns can be chosen.
	eval[any](p, `(e => { e.value = "l2.ways"; e.dispatchEvent(new Event("input")); })(
		document.getElementById("sweep-search"))`)
	poll(p, `[...document.getElementById("sweep-path").options].map(o => o.value).join() ===
		"memory.threshold,machine.overrides.tlb.l2.ways,machine.overrides.l2.ways"`)
	eval[any](p, `document.querySelector(".columns [data-column=rowHitRate]").click()`)
	poll(p, `document.querySelectorAll("#sweep-table td[data-measure=rowHitRate]").length === 4`)
}
