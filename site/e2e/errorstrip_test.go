package e2e

import "testing"

const errorStripScript = `
import { heightOf, topOf, wordsOfErrors } from "./results/errorstrip";

const strip = { type: "errors", run: 1, side: "B", name: "c", elementBytes: 4, each: 10, mean: Float64Array.of(0, 1, Infinity, 0.5), most: Float64Array.of(0, 4, Infinity, 1) } as any;
same("top", topOf(strip), 4);
same("heights", [0, 1, 4, Infinity].map((v) => heightOf(v, 4)), [0, 0.5, 1, 1]);
same("whole", wordsOfErrors(strip), "Error over address, c: 3 of 4 columns have one; the largest, no number, is at byte 80 (elements from 20).");
same("column", wordsOfErrors(strip, 1), "byte 40 (elements from 10): mean error 1, largest 4.");
same("exact", wordsOfErrors({ ...strip, most: Float64Array.of(0, 0) }), "Error over address, c: none.");
same("single elements", wordsOfErrors({ ...strip, each: 1 }, 3), "byte 12 (element 3): mean error 0.5, largest 1.");
`

func TestWordsOfErrors(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, errorStripScript)
}

// TestErrorOverAddress: an output that is no picture has its error over the address, and the keyboard reads a column.
func TestErrorOverAddress(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+"/#v=1&s=dct&workload.name=fwt&workload.size=4096&machine.preset=gtx480v3&B.loads.policy=rfvp&B.memory.approximation=none&tab=output")
	p.finish()
	const words = `document.querySelector(".errorstrip .readout").textContent`
	p.wait(words + `.startsWith("Error over address, d_Data: 512 of 512 columns")`)
	eval[any](p, `document.querySelector(".errorstrip canvas").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }))`)
	p.wait(words + `.startsWith("byte 0 (elements from 0): mean error ")`)
	p.screenshot("errorstrip.png")
}
