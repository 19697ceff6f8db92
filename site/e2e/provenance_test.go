package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/rfvp/study"
)

const provenanceScript = `
import { verdictOf, wordsOfPlace } from "./results/provenancewords";

same("all", wordsOfPlace({ output: "", first: -1, count: 1 }), "the element of the output with the largest error");
same("one", wordsOfPlace({ output: "c", first: 1200, count: 1 }), "element 1,200 of c");
same("column", wordsOfPlace({ output: "c", first: 0, count: 8 }), "of elements 0 to 7 of c the one with the largest error");
const w = { exact: 1, got: 2, allExact: 1, within: 0.1, causes: [{}, {}], complete: true, moved: false } as any;
same("complete", verdictOf(w).replace(/\s/g, " "), "With these 2 lines exact and all others as predicted the element is right within 10 % of its error.");
same("not yet", verdictOf({ ...w, complete: false, causes: [{}] }).replace(/\s/g, " "), "With this line exact the element is not yet right: more lines take part.");
same("branch", verdictOf({ ...w, within: 0, moved: true }).replace(/\s/g, " "), "With these 2 lines exact and all others as predicted the element is right. Some replays took another number of cycles, because a branch depends on predicted values.");
same("exact", verdictOf({ ...w, got: 1 }).replace(/\s/g, " "), "This element is exact.");
same("another reason", verdictOf({ ...w, causes: null, allExact: 2 }).replace(/\s/g, " "), "Predicted lines are not the reason: with all of them exact the element is 2.");
`

func TestWordsOfProvenance(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, provenanceScript)
}

// TestWhyAValueIsWrong: the page names the predicted lines that the command line names, for the element with the
// largest error and for a pixel that was pressed; a press on a place opens the source there.
func TestWhyAValueIsWrong(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := open(t, serve(t).URL+"/#v=1&s=dct&workload.name=sradupdate&workload.size=128&machine.preset=gtx480v3&B.loads.policy=rfvp&B.memory.approximation=none&tab=output")
	p.finish()
	s := shippedScenarios(t)["dct"]
	for _, set := range [][2]string{
		{"workload.name", "sradupdate"}, {"workload.size", "128"}, {"machine.preset", "gtx480v3"}, {"loads.policy", "rfvp"}, {"memory.approximation", "none"},
	} {
		if err := s.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	native := func(q study.WhyQuestion) []string {
		t.Helper()
		q.Most, q.Within = 3, 0.1
		w, err := study.ExplainElement(plan, &q)
		if err != nil {
			t.Fatal(err)
		}
		words := []string{fmt.Sprintf("Element %s of %s is ", grouped(w.Element), w.Output)}
		for _, c := range w.Causes {
			words = append(words, fmt.Sprintf("Predicted line %s, cycle %s: %s at srad1.cu:%d, SM %d, warp slot %d,", grouped(c.Number), grouped(int(c.Cycle)), c.Kernel, c.FileLine, c.SM, c.Warp))
		}
		return words
	}
	const box = `document.querySelector(".whybox")`
	ask := func(want []string) {
		t.Helper()
		eval[any](p, box+`.querySelector("button").click()`)
		p.wait(fmt.Sprintf(`%s.querySelectorAll("li").length === %d && %s.querySelector("progress").hidden`, box, len(want)-1, box))
		got := eval[string](p, box+`.textContent`)
		for _, words := range want {
			if !strings.Contains(got, words) {
				t.Errorf("the page says %q, want %q", got, words)
			}
		}
	}
	p.wait(box + ` && !` + box + `.hidden`)
	ask(native(study.WhyQuestion{Element: -1}))
	p.screenshot("why.png")
	// The middle of the picture, by the keyboard.
	const canvas = `document.querySelector("#panel-output .figures canvas")`
	pixel := eval[int](p, canvas+`.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true })), `+settled+`.then(() => Number(document.getElementById("panel-output").dataset.pixel))`)
	eval[any](p, canvas+`.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }))`)
	p.wait(fmt.Sprintf(`%s.textContent.includes("element %s of ")`, box, grouped(pixel)))
	want := native(study.WhyQuestion{Element: pixel})
	ask(want)
	if len(want) > 1 {
		eval[any](p, box+`.querySelector("li button").click()`)
		p.wait(`!document.getElementById("panel-source").hidden && document.querySelector("#panel-source tr.here")`)
	}
}
