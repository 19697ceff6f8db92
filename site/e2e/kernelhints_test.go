package e2e

import (
	"fmt"
	"strings"
	"testing"
)

const hintsScript = `
import { boundsOf, suggestedGrid } from "./kernel/grid";
import { Hints, instructionOf } from "./kernel/hints";
import { burstsByPlace } from "./kernel/moved";
import { ticksOf } from "./drawing/plot";

const lines = ["  @%p bra DONE; // mov", "L1: ld.global.f32 %f1, [%d4];", "", "// add", ".reg .f32 %f<3>;"];
same("instructions", lines
  .map((line) => instructionOf(line, 99)), ["bra", "ld", "", "", ""]);
const two = "add.u32 %a, %b, %c; mul.lo.u32 %d, %a, %b;";
same("two on a line", [3, 20].map((at) => instructionOf(two, at)), ["add", "mul"]);
const hints = new Hints();
hints.help = "add d, a, b: d = a + b\nmul d, a, b: d = a * b";
const words = (line: string) => hints.words(line, 0, undefined);
same("help", [words("add.u32 %a, 1, 2;"), words("nosuch %a;")], ["add d, a, b: d = a + b", ""]);
same("moved", hints.words("add.u32 %a, 1, 2;", 0, { bytes: 128, bursts: 4 }).split(" · ").length, 2);

// Requests 1 and 2 are of places 7 and 9; the number 1 is used again, by place 5. 0 is metadata.
const record = (kind: number, cycle: number, req: number, place = 0) => [cycle, 0, 0, 0, req, 0, place, kind << 16];
const log = Uint32Array.from([record(2, 1, 1, 7), record(2, 2, 2, 9), record(11, 3, 1), record(12, 4, 2),
  record(11, 5, 0), record(11, 6, 1), record(2, 7, 1, 5), record(11, 8, 1), record(11, 9, 3)].flat());
const found: number[][] = [];
burstsByPlace({ batches: [{ words: log, count: 9 }] }, (place, issued) => found.push([place, issued]));
same("bursts", found, [[7, 1], [9, 2], [7, 1], [5, 7]]);

const params = ["x", "y", "a", "n"].map((Name, i) => ({ Name, Type: i < 2 ? "u64" : "u32", Bytes: i < 2 ? 8 : 4 }));
const head = ".visible .entry f(.param .u32 n)\n{ ld.param.u32 %r1, [n];\n mov.u32 %r9, %r1;\n";
const text = (test: string) => head + test + "\n}\n";
const tests = ["setp.ge.u32 %p, %r2, %r1;", "setp.gt.s32 %p, %r9, %r3;", "setp.eq.u32 %p, %r2, %r1;",
  "setp.ge.u32 %p, %r2, %r3;"];
same("bounds", tests.map((test) => boundsOf(text(test), "f", params)), [[3], [3], [], []]);
const rows = [{ kind: "buffer", name: "x", count: 10 }, { kind: "buffer", name: "y", output: true, count: 5000 },
  { kind: "number", value: "2" }, { kind: "number", value: "4097" }] as any;
const grid = (test: string, block: string) => suggestedGrid(text(test), "f", params, rows, block)?.grid;
const grids = [grid(tests[0]!, "256"), grid("", "256"), grid(tests[0]!, "16, 16"), grid("", "0 1")];
same("grids", grids, ["17", "20", "20", undefined]);

same("ticks", [ticksOf(0.98, 1.2), ticksOf(0, 3), ticksOf(0.9, 1.1)],
  [[1, 1.05, 1.1, 1.15, 1.2], [0, 1, 2, 3], [0.9, 0.95, 1, 1.05, 1.1]]);
`

func TestHintsOfTheEditor(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, hintsScript)
}

// TestEditorExplains: a forked kernel comes from the gallery's link; the editor says what an instruction does, suggests
// a grid by the bounds test, and after a run shows what each line moved.
func TestEditorExplains(t *testing.T) {
	t.Parallel()
	site := serve(t)
	p := open(t, site.URL+"/#v=1&kernel=edit&kernel.from=vecadd&picture=plain")
	p.wait(`S.kernel.ready && S.kernel.kernels.some(n => n.toLowerCase().includes("add"))`)
	eval[any](p, `document.getElementById("kernel-new").click()`)
	p.wait(`S.kernel.ready && S.kernel.kernels.includes("saxpy")`)
	caret := func(at string) string {
		return fmt.Sprintf(`(e => { e.focus(); e.setSelectionRange(...Array(2).fill(e.value.indexOf(%q)));
			e.dispatchEvent(new Event("keyup")); })(document.getElementById("kernel-source"))`, at)
	}
	const hint = `document.getElementById("kernel-hint").textContent`
	eval[any](p, caret("fma.rn"))
	poll(p, hint+`.includes("rounded once")`)
	// The pointer over the line of setp, whose place follows from the height of a line.
	eval[any](p, `(e => {
		e.scrollTop = 0;
		const s = getComputedStyle(e), line = e.value.split("\n").findIndex(l => l.includes("setp"));
		const {left, top} = e.getBoundingClientRect();
		e.dispatchEvent(new PointerEvent("pointermove", {clientX: left + 80,
			clientY: top + parseFloat(s.paddingTop) + (line + 0.5) * parseFloat(s.lineHeight)}));
	})(document.getElementById("kernel-source"))`)
	poll(p, hint+`.startsWith("setp ")`)
	// A window that gets the focus late changes nothing of what is pointed at.
	eval[any](p, `(e => { e.blur(); e.focus(); })(document.getElementById("kernel-source"))`)
	p.settle()
	poll(p, hint+`.startsWith("setp ")`)
	// Twice the elements want twice the CTAs.
	const suggest = `document.getElementById("kernel-suggest")`
	if eval[bool](p, suggest+`.checkVisibility()`) {
		t.Error("a grid is suggested beside an equal one")
	}
	p.argument("argument 3, value, u32", "8192")
	poll(p, suggest+`.textContent === "Use a grid of 32: its bounds test has n = 8,192"`)
	p.argument("argument 3, value, u32", "4096")
	poll(p, `!`+suggest+`.checkVisibility()`)
	p.runKernel()
	eval[any](p, `document.getElementById("to-kernel").click()`)
	poll(p, `document.querySelectorAll(".kmoved span").length > 20`)
	moved := eval[[]string](p, `(lines => [...document.querySelectorAll(".kmoved span")].map((e, i) =>
		e.textContent && lines[i].trim() + ": " + e.textContent).filter(Boolean)
	)(document.getElementById("kernel-source").value.split("\n"))`)
	if len(moved) != 3 || !strings.HasPrefix(moved[0], "ld.global") || !strings.HasPrefix(moved[2], "st.global") {
		t.Errorf("lines that moved something: %v", moved)
	}
	for _, line := range moved[:min(2, len(moved))] {
		if !strings.Contains(line, "16.4\u202fkB · ") || strings.HasSuffix(line, "· 0") {
			t.Errorf("a load of 16,384 bytes shows %q", line)
		}
	}
	p.screenshot("kernel-moved.png")
	// A change of the text is of no run.
	p.write(kernelText(""))
	poll(p, `!document.querySelector(".kmoved").checkVisibility()`)
}
