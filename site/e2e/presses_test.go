package e2e

import (
	"fmt"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"
)

const coloursScript = `
import { coloursOf } from "./kernel/colours";

same("a statement", coloursOf("  @%p bra DONE; // end"), [
  ["", "  @"], ["r", "%p"], ["", " "], ["o", "bra"], ["", " "], ["", "DONE"], ["", "; "], ["c", "// end"],
]);
same("modifiers and numbers", coloursOf("L1: ld.global.f32 %f1, [%d4+0x10];"), [
  ["", "L1"], ["", ": "], ["o", "ld"], ["d", ".global"], ["d", ".f32"], ["", " "], ["r", "%f1"], ["", ", ["],
  ["r", "%d4"], ["", "+"], ["n", "0x10"], ["", "];"],
]);
for (const line of ["", "  ", "\u00e9 /x", "mov.u32 %r1, %tid.x;", "0f3F000000", "..", "/* a */ ret"])
  same("nothing is lost of " + line, coloursOf(line).map(([, words]) => words).join(""), line);
`

func TestColoursOfPTX(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, coloursScript)
}

// TestFromNothingToAFigure: a kernel of one's own is written, run, compared under all codecs and saved as a figure with
// its link in at most 12 presses.
func TestFromNothingToAFigure(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/", command(cdpage.AddScriptToEvaluateOnNewDocument,
		cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.wait(`S.engineReady`)
	presses := 0
	press := func(id string) {
		t.Helper()
		presses++
		poll(p, fmt.Sprintf(`document.getElementById(%q)?.checkVisibility() === true`, id))
		eval[any](p, fmt.Sprintf(`document.getElementById(%q).click()`, id))
	}
	press("menu-open")
	press("to-kernel")
	p.wait(`S.kernel.ready`)
	p.write(kernelText(""))
	poll(p, `document.querySelector("#kernel .kunder.lit .o") !== null`)
	press("kernel-run")
	p.wait(`S.phase === "done"`)
	press("menu-open")
	press("to-sweep")
	presses++
	poll(p, `document.querySelector("[data-press='All codecs']") !== null`)
	eval[any](p, `document.querySelector("[data-press='All codecs']").click()`)
	p.wait(`S.repro.sweep === "done"`)
	poll(p, `document.querySelectorAll(".plotside circle").length > 20`)
	presses++ // that of p.saves
	figure := p.saves("sweep-svg")[0]
	if presses > 12 {
		t.Errorf("%d presses", presses)
	}
	for _, part := range []string{"<svg", "data-front", "repro=sweep", "sweep of scheme"} {
		if !strings.Contains(figure, part) {
			t.Errorf("the figure lacks %q: %.300s", part, figure)
		}
	}
}
