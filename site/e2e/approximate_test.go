package e2e

import (
	"strings"
	"testing"
)

// approximateScript gives the page's sources a program with three loads, of which one is marked, and checks which
// are approximate and what a toggle makes of the setting.
const approximateScript = `
import { chosen, loadsIn, rowsOf, stateOf, withToggled } from "./results/approximate";
import { KNOBS, complete, learnSchemes } from "./protocol/scenario";

const ptx = [
  '.file 1 "./some/two.cu"',
  '.file 2 "other.cuh"',
  '\t.loc 1 7 3',
  '\t.pragma "approximate"; ld.global.f32 %f1, [%rd1];',
  '\tld.param.u64 %rd1, [p];',
  '\t.loc 2 9 1',
  '\tld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd2];',
  '\t.loc 1 7 9',
  '\t.pragma "approximate";',
  '\tld.f32 %f6, [%rd3];',
  '\tld.shared.f32 %f7, [%r1];',
].join("\n");
const lines = Uint32Array.from({ length: 11 }, (_, i) => i + 1);
const source = { type: "source", run: 1, files: [{ name: "two.ptx", language: "ptx", text: ptx }, { name: "two.cu", language: "cuda", text: "" }], kernels: [{ name: "k", lines }] } as any;
const loads = loadsIn(source);
same("loads", loads, [
  { kernel: "k", line: 4, fileLine: 7, marked: true },
  { kernel: "k", line: 7, fileLine: 0, marked: false },
  { kernel: "k", line: 10, fileLine: 7, marked: true },
]);
const none = { name: "none", title: "none", settings: [] };
const which = { path: "loads.which", title: "approximate loads", about: "", default: "" };
const drop = { path: "loads.drop", title: "drop rate", about: "", high: 1000, default: 500 };
learnSchemes([{ group: "loads", key: "policy", title: "Load misses", about: "", settings: [], entries: [none, { name: "rfvp", title: "RFVP", settings: [which, drop] }] }]);
const knob = (path: string) => KNOBS.find((k) => k.path === path)!;
same("kinds", [knob("B.loads.which").kind, knob("B.loads.drop").kind], ["text", "number"]);
const s = complete({ workload: { name: "vecadd" } });
const ran = { scenario: s, result: undefined };
const now = () => { const c = chosen(s, "B", loads, ran); return c && [...c]; };
same("without prediction", now(), []);
knob("B.loads.policy").set(s, "rfvp");
same("the marked ones", now(), ["k:4", "k:10"]);
same("side A predicts nothing", [...chosen(s, "A", loads, ran)!], []);
knob("B.loads.which").set(s, "k:7,10;other:3");
same("a text stays a text", (s as any).loads.which, "k:7,10;other:3");
same("by line", now(), ["k:7", "k:10", "other:3"]);
const set = new Set(["k:7", "k:10", "other:3"]);
same("states", [stateOf(set, [loads[0]!]), stateOf(set, [loads[0]!, loads[2]!]), stateOf(set, [loads[1]!])], ["false", "mixed", "true"]);
same("one more", withToggled(set, [loads[0]!]), "k:4,7,10;other:3");
same("all of a line of the source", withToggled(set, [loads[0]!, loads[2]!]), "k:4,7,10;other:3");
same("one less", withToggled(set, [loads[1]!]), "k:10;other:3");
same("the last one", withToggled(new Set(["k:7"]), [loads[1]!]), "");
knob("B.loads.which").set(s, "k:d_buffer");
same("unknown before a run", now(), undefined);
const counted = { kernel: "k", line: 7, text: "", misses: 100, dropped: 40, lanes: 80, exact: 20 };
const told = { scenario: structuredClone(s), result: { loads: { requests: "dropped" }, predicted: { loadLanes: 0, approximateLanes: 0, loads: [counted] } } };
same("as a run has told", [...chosen(s, "B", loads, told)!], ["k:7"]);
knob("B.loads.which").set(s, "k:d_another");
same("but not for other settings", chosen(s, "B", loads, told), undefined);
const row = (requests: string) => { const { load: _, ...r } = rowsOf({ ...told.result, loads: { requests } }, () => 400)[0]!; return r; };
same("row", row("dropped"), { dropped: 40, accuracy: 0.25, share: 0.2, exact: 0.85 });
same("nothing is dropped if requests are sent", row("sent").dropped, 0);
`

func TestApproximateLoadsOfASource(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, approximateScript)
}

// TestLoadsAreToggledInTheSource: predicted loads give the bits of a native run (TestMatrixOfPredictions has those of
// node). The marks of the source are those of the program, a press changes the settings
// and makes the results old, and a run with the rest of the loads has one load less in its table.
func TestLoadsAreToggledInTheSource(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+"/#v=1&s=dct&workload.name=fwt&workload.size=4096&machine.preset=gtx480v3&B.loads.policy=rfvp&B.memory.approximation=none&tab=source")
	inPage := p.finish()
	s := shippedScenarios(t)["dct"]
	for _, set := range [][2]string{
		{"workload.name", "fwt"}, {"workload.size", "4096"}, {"machine.preset", "gtx480v3"}, {"loads.policy", "rfvp"}, {"memory.approximation", "none"},
	} {
		if err := s.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	if got, native := inPage.ResultHashes["B"], nativeHashOf(t, s, s.Scheme); got != native {
		t.Errorf("with predicted loads: natively %s, in Chromium %s", native, got)
	}
	const rows = `document.querySelectorAll(".loads tbody tr").length`
	p.wait(rows + ` === 7`)
	const mark = `document.querySelector(".approximate button[data-line='155']")`
	p.wait(mark + `?.getAttribute("aria-pressed") === "true"`)
	if words := eval[string](p, `document.querySelector(".loadbox").textContent`); !strings.Contains(words, "Loss of quality: ") || !strings.Contains(words, "fwt.cu:38") {
		t.Errorf("the table of loads: %s", words)
	}
	p.screenshot("loads.png")
	// The tab L1 shows the sets, although no side has an L1 policy.
	eval[any](p, `document.querySelector("[data-tab=l1]").click()`)
	p.wait(`/^B, SM 0, cycle [\d,]+: L1 holds \d+ lines?\./.test(document.querySelector("#panel-l1 .words")?.textContent ?? "")`)
	eval[any](p, `document.querySelector("[data-tab=source]").click()`)
	eval[any](p, mark+`.click()`)
	p.wait(mark + `.getAttribute("aria-pressed") === "false"`)
	p.wait(`/settings have changed: press Run/.test(document.querySelector(".loadbox").textContent)`)
	if got, want := eval[string](p, `document.getElementById("knob-B-loads-which").value`), "fwt_global:63,67,73,79;fwt_modulate:360,366"; got != want {
		t.Errorf("loads.which is %q, want %q", got, want)
	}
	eval[any](p, `document.getElementById("run").click()`)
	p.wait("S.run === 2")
	p.finish()
	p.wait(rows + ` === 6`)
}
