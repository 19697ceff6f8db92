package e2e

import (
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/scenario"
)

// TestALargeKernel: a program with more data than text of a scenario used to hold runs, and so does
// its file. Share offers the file in place of a link that nobody could open, and the address keeps
// the draft. Data beyond the packed form are refused in one sentence.
func TestALargeKernel(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&kernel=edit&picture=plain", command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.wait(`S.kernel.ready`)
	p.typed(kernelText(""))
	p.argument("argument 0, contents", "smooth values")
	p.argument("argument 0, elements", "4194304")
	p.argument("argument 1, elements", "2048")
	eval[any](p, `(document.getElementById("kernel-grid").value = "8", document.getElementById("kernel-block").value = "256", document.getElementById("kernel-grid").dispatchEvent(new Event("input")))`)
	eval[any](p, `document.getElementById("kernel-run").click()`)
	if got := p.textOf("kernel-said"); !strings.HasPrefix(got, "The program and its data take 16.8\u202fMB, and this page runs at most 15.7\u202fMB;") {
		t.Errorf("16 MiB are refused with %q", got)
	}
	p.argument("argument 0, elements", "524288") // 2 MiB, 2.8 MB of text
	s := p.runKernel()
	if s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}

	eval[any](p, `(Object.defineProperty(navigator, "clipboard", {value: {writeText: (x) => (window.copied = x, Promise.resolve())}}), document.getElementById("share").click())`)
	p.wait(`document.getElementById("dialog").open`)
	if got := p.textOf("dialog-body"); !strings.Contains(got, "A link holds at most 256 KiB, and this program with its data needs more: share the scenario's file.") || eval[bool](p, `window.copied !== undefined`) {
		t.Errorf("Share says %q", got)
	}
	eval[any](p, `[...document.querySelectorAll("#dialog-body button")].find((b) => b.textContent === "Export…").click()`)
	p.wait(`document.getElementById("export-scenario-json")`)
	file, err := scenario.ParseJSON("saved", p.save("export-scenario-json", "burstscope-own.scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := native(t, file); got["A"] != s.ResultHashes["A"] || got["B"] != s.ResultHashes["B"] {
		t.Errorf("natively %v, in the page %v", got, s.ResultHashes)
	}
	eval[any](p, `document.getElementById("dialog").close()`)

	// The address names what it cannot hold. A reload says so, and the editor still has the draft.
	p.wait(`location.hash.includes("&program=")`)
	q := open(t, eval[string](p, `location.href.replace(/&tab=[^&]*/, "") + "&kernel=edit"`))
	q.wait(`S.kernel.ready && S.messages.length === 1`)
	if got := q.state().Messages[0].String(); !strings.Contains(got, "is too large for a link; open the scenario file that holds it") {
		t.Errorf("a link without its program says %q", got)
	}
	p.do(chromedp.Reload())
	p.wait(`S.messages.length === 1`)
	eval[any](p, `document.getElementById("to-kernel").click()`)
	p.wait(`S.kernel.ready`)
	if got := eval[string](p, `document.getElementById("kernel-source").value`); got != kernelText("") {
		t.Errorf("after a reload the editor holds %.200q", got)
	}
}
