package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/workload"
)

const valuesScript = `
import { binsOf, columnsOf, decoded, errorsOf, npyOf, wordsOf } from "./output/values";
import { textOf, valuesOf } from "./protocol/elements";

const bytes = (...words: number[]) => new Uint8Array(Uint16Array.from(words).buffer);
same("f16", [...valuesOf("f16", bytes(0x3c00, 0xc000, 1, 0x7c00, 0x7e00, 0x3555))],
  [1, -2, 2 ** -24, Infinity, NaN, 0.333251953125]);
same("bf16", [...valuesOf("bf16", bytes(0x3f80, 0xc040, 0x7fc0))], [1, -3, NaN]);
same("e4m3", [...valuesOf("e4m3", new Uint8Array([0x38, 0xb8, 0x01, 0x7e, 0x7f]))], [1, -1, 2 ** -9, 448, NaN]);
same("s16", [...valuesOf("s16", bytes(0xffff, 2))], [-1, 2]);
same("text", [0.1 + 0.2, -3, 5n, 1e-20].map(textOf), ["0.3", "\u22123", "5", "1e\u221220"]);
const e = errorsOf(Float64Array.of(1, 2, NaN, 4, 0, 8), Float64Array.of(1, 2.5, NaN, NaN, 0.003, 8));
same("errors", [[...e.each], e.wrong, e.worst], [[0, 0.5, 0, Infinity, 0.003, 0], 3, 3]);
const none = errorsOf(Float64Array.of(1), Float64Array.of(1));
same("no error", [none.wrong, none.worst], [0, -1]);
same("bins", binsOf([e, none]), [
  { title: "exact", counts: [3, 1] }, { title: "0.001 to 0.01", counts: [1, 0] }, { title: "0.1 to 1", counts: [1, 0] },
  { title: "no number", counts: [1, 0] },
]);
const sign = errorsOf(Float64Array.of(0, 1), Float64Array.of(-0, 1));
same("the other zero", [sign.wrong, binsOf([sign])[1]], [1, { title: "a zero of another sign", counts: [1] }]);
same("columns", [columnsOf(65536), columnsOf(2048), columnsOf(12, 4), columnsOf(1), columnsOf(100)],
  [256, 64, 4, 1, 10]);
const of = { type: "elements", id: 1, side: "A", name: "y", what: "", element: "f32", address: 0, columns: 0 } as any;
const f32 = (...x: number[]) => new Uint8Array(Float32Array.from(x).buffer);
same("words", wordsOf(decoded({ ...of, exact: f32(1, 2), got: f32(1, 3) })!), "1 of 2 elements differ");
same("nothing to decode", decoded({ ...of, what: "no", element: undefined }), undefined);
const file = npyOf("f32", [2, 3], f32(1, 2, 3, 4, 5, 6));
same("header", [file.length % 4, (10 + file[8]! + 256 * file[9]!) % 64, file.length - 10 - file[8]!], [0, 0, 24]);
`

func TestValuesOfAnOutput(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, valuesScript)
}

// TestOutputWorkbench: the elements of an output are those of a native run, in the files too, and the largest error of
// the sentence is the largest there is.
func TestOutputWorkbench(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+"/#v=1&s=tp&tab=output&picture=plain",
		command(cdpage.AddScriptToEvaluateOnNewDocument,
			cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.finish()
	p.wait(valuesShown)
	_, b := shippedScenarios(t)["tp"].Sides()
	plan, err := experiment.PlanOf(b)
	if err != nil {
		t.Fatal(err)
	}
	run, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	native, err := run.Finish()
	if err != nil {
		t.Fatal(err)
	}
	buffer := &plan.Program.Buffers[plan.Program.Outputs()[0]]
	want := workload.Compare(buffer, native.Exact[0], native.Outputs[0])
	said := eval[string](p, `document.querySelector("#values .worst").textContent`)
	for _, words := range []string{
		"A: every element is exact.",
		fmt.Sprintf("B: %s of %s elements differ.", grouped(int(want.Different)), grouped(int(want.Elements))),
		fmt.Sprintf("The largest error, %g, is at element", want.Largest),
	} {
		if !strings.Contains(said, words) {
			t.Errorf("%q lacks %q", said, words)
		}
	}
	for name, data := range map[string][]byte{"exact": native.Exact[0], "B": native.Outputs[0]} {
		eval[any](p, fmt.Sprintf(`document.querySelector("#values [data-npy=%s]").click()`, name))
		key := fmt.Sprintf(`Object.keys(window.saved).find(n => n.includes("-%s-"))`, name)
		poll(p, key+` !== undefined`)
		file, err := base64.StdEncoding.DecodeString(eval[string](p, `window.saved[`+key+`]`))
		if err != nil {
			t.Fatal(err)
		}
		f, err := datafile.Open(bytes.NewReader(file), int64(len(file)), datafile.Options{Name: "b.npy"})
		if err != nil {
			t.Fatal(err)
		}
		if f.Format != datafile.NPY || !bytes.HasSuffix(file, data) {
			t.Errorf("%s.npy is %v of %d bytes, and does not end in the %d bytes of the native run", name, f.Format,
				len(file), len(data))
		}
	}
	// A press shows the worst element in the table and opens its block.
	eval[any](p, `document.querySelector("#values .worst [data-side=B] .go").click()`)
	poll(p, `document.querySelector("#values tr[aria-current] .off") !== null`)
	eval[any](p, `document.querySelector("#values .worst [data-side=B] .block").click()`)
	poll(p, `document.querySelector("#inspect-body .bytes") !== null`)
	// The keyboard goes from element to element.
	at := `document.querySelector("#values tr[aria-current] th").textContent`
	eval[any](p, `document.querySelector("#values .maps canvas").focus()`)
	press := `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true}))`
	eval[any](p, fmt.Sprintf(press, "ArrowRight"))
	before := eval[string](p, at)
	eval[any](p, fmt.Sprintf(press, "ArrowLeft"))
	poll(p, at+` !== `+quote(before))
	p.screenshot("output-values.png")
	// On a phone the page scrolls, not a part of it.
	p.size(390, 844)
	p.settle()
	const inner = `(e => e.scrollHeight - e.clientHeight)(document.getElementById("panel-output"))`
	if cut := eval[float64](p, inner); cut > 1 {
		t.Errorf("on a phone %.0f px of the output are cut", cut)
	}
}

// TestOutputsOfOwnKernel: which arguments are outputs is read from the text: what a kernel only reads is none, and gets
// contents. Its values are shown as those of any program.
func TestOutputsOfOwnKernel(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&kernel=edit&picture=plain")
	p.wait(`S.kernel.ready`)
	p.write(kernelText(""))
	poll(p, `document.querySelectorAll("#kernel .karg").length === 2`)
	const ticked = `[...document.querySelectorAll("#kernel .karg")]
		.map(f => f.querySelector("input[type=checkbox]").checked).join()`
	poll(p, ticked+` === "false,true"`)
	// The text decides again when it changes: now it reads the second and stores to the first.
	p.write(strings.NewReplacer("[%d4]", "[%d5]", "[%d5]", "[%d4]").Replace(kernelText("")))
	poll(p, ticked+` === "true,false"`)
	const contentsOf1 = `document.querySelector('#kernel [aria-label="argument 1, contents"]').value`
	if contents := eval[string](p, contentsOf1); contents != "smooth values" {
		t.Errorf("what the kernel reads holds %s", contents)
	}
	if s := p.runKernel(); s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}
	eval[any](p, `document.querySelector("[data-tab=output]").click()`)
	p.wait(valuesShown)
	words := eval[string](p, `document.querySelector("#values .words").textContent`)
	if !strings.HasPrefix(words, "from: 4,096 elements of type f32 from 0x") {
		t.Errorf("the output is %q", words)
	}
}
