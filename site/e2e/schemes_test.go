package e2e

import (
	"strings"
	"testing"
)

// schemesScript gives the page's sources a list with an entry that no engine has, and
// checks that knobs, links' paths and what the engine is sent follow from the list.
const schemesScript = `
import { KNOBS, complete, labels, optionsOf, sideScenario, listsOf } from "./protocol/scenario";
import { learn } from "./protocol/tables";
import { isControl, scenarioPath } from "./state/locks";

const none = { name: "none", title: "none", settings: [] };
const delay = { path: "l1.delay", title: "delay", unit: "cycles", about: "How much later.", low: 1, high: 100, default: 7 };
const before = KNOBS.length;
learn({ schemes: [
  { group: "l1", key: "store", title: "L1", about: "What an L1 stores.", settings: [], entries: [none, { name: "toy", title: "Toy", settings: [delay] }] },
  { group: "loads", key: "policy", title: "Load misses", about: "", settings: [], entries: [none] },
] });
const lists = listsOf();
same("new knobs", KNOBS.slice(before).map((k) => k.path), ["A.l1.store", "B.l1.store", "A.l1.delay", "B.l1.delay"]);
const knob = (path: string) => KNOBS.find((k) => k.path === path)!;
const s = complete({ workload: { name: "vecadd" } });
same("options", optionsOf(knob("B.l1.store"), s, lists).map((o) => o.value), ["none", "toy"]);
same("idle without the entry", knob("B.l1.delay").idle!(s), true);
knob("B.l1.store").set(s, "toy");
knob("B.l1.delay").set(s, "9");
same("idle with it", [knob("B.l1.delay").idle!(s), knob("A.l1.delay").idle!(s)], [false, true]);
same("side B", (sideScenario(s, "B") as any).l1, { store: "toy", delay: 9 });
same("side A", (sideScenario(s, "A") as any).l1, undefined);
same("labels", labels(s), { A: "", B: " + Toy" }); // the memory's words are in the engine's list
same("again from a file", (complete(JSON.parse(JSON.stringify(s))) as any).l1, { store: "toy", delay: 9 });
same("paths", [scenarioPath("B.l1.store"), scenarioPath("A.l1.delay"), scenarioPath("B.memory.mag")], ["l1.store", "compare.l1.delay", "memory.mag"]);
same("controls", ["l1", "l1.delay", "compare.l1", "loads.policy"].map(isControl), [true, true, true, false]);
knob("B.l1.store").set(s, "none");
same("none", s, complete({ workload: { name: "vecadd" } }));
`

// TestPageTakesSchemesFromTheList: a new entry of a group needs no change of the page.
func TestPageTakesSchemesFromTheList(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, schemesScript)
}

// TestOtherSystemsTakeNoRoom: the settings and results of a system show only when one of
// the two sides uses it.
func TestOtherSystemsTakeNoRoom(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+small)
	p.finish()
	shown := func(selector string) string {
		return eval[string](p, `[...document.querySelectorAll("`+selector+`")].filter(e => e.checkVisibility()).map(e => e.textContent.replaceAll("\u00ad", "")).join("; ")`)
	}
	rows, knobs := shown("#results tr[data-row] th"), shown(".schemes .grid > span")
	for _, other := range []string{"L1 capacity", "dropped", "buddy accesses", "link"} {
		if strings.Contains(rows, other) {
			t.Errorf("rows %s without that system: %s", other, rows)
		}
	}
	for _, own := range []string{"cycles", "bytes moved", "output error", "approximated"} {
		if !strings.Contains(rows, own) {
			t.Errorf("no row %s: %s", own, rows)
		}
	}
	if strings.Contains(knobs, "phase") || !strings.Contains(knobs, "L1") || !strings.Contains(knobs, "MAG") {
		t.Errorf("settings without LATTE-CC: %s", knobs)
	}
	const tab = `document.getElementById("tab-l1").checkVisibility()`
	fetched := `performance.getEntriesByType("resource").some(e => /\/l1[.-][^/]*(js|css)/.test(e.name))`
	if eval[bool](p, tab) || eval[bool](p, fetched) {
		t.Error("the tab of L1 is there without LATTE-CC")
	}
	p.screenshot("two-systems.png")
	eval[any](p, `(`+setField+`)("knob-B-l1-store", "latte")`)
	p.wait(`document.getElementById("knob-B-l1-phase")?.checkVisibility()`)
	// Each SM touches 128 lines: eight phases of 16.
	eval[any](p, `(`+setField+`)("knob-B-l1-phase", "16")`)
	eval[any](p, `document.getElementById("run").click()`)
	p.wait("S.run === 2")
	p.finish()
	if rows := shown("#results tr[data-row] th"); !strings.Contains(rows, "L1 capacity") || strings.Contains(rows, "link") {
		t.Errorf("rows with LATTE-CC: %s", rows)
	}
	p.screenshot("latte-chosen.png")
	if !eval[bool](p, tab) {
		t.Fatal("no tab of L1 with LATTE-CC")
	}
	// The keyboard leads to the tab and to the second phase of the first SM.
	press := func(on, key string) {
		eval[any](p, on+`.dispatchEvent(new KeyboardEvent("keydown", { key: "`+key+`", bubbles: true, cancelable: true }))`)
	}
	press("document.body", "7")
	const canvas = `document.querySelector("#panel-l1 canvas")`
	p.wait(canvas + `?.getAttribute("aria-label")?.includes("phases of 16 accesses")`)
	for range 2 {
		press(canvas, "ArrowRight")
	}
	p.wait(`document.querySelector(".l1why h2")?.textContent.startsWith("B, SM 0, phase 1,")`)
	why := eval[string](p, `document.querySelector(".l1why").textContent`)
	if !strings.Contains(why, "when phase 0 ended") || !strings.Contains(why, "AMAT = (") {
		t.Errorf("why the second phase has its mode: %s", why)
	}
	p.wait(`location.hash.includes("tab=l1") && location.hash.includes("phase=B.0.1")`)
	p.screenshot("l1-modes.png")
	// Its button leads to the sets of that L1 at the end of the phase.
	eval[any](p, `document.querySelector(".l1why button").click()`)
	p.wait(`/^B, SM 0, cycle [\d,]+: L1 holds [1-9]\d* lines/.test(document.querySelector("#panel-l1 .words").textContent)`)
	p.screenshot("l1-sets.png")
}
