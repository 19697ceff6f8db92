package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/render/model"
)

// TestCapacity: a run under Buddy Compression and one with all data behind the link have the bits of a native run in
// Chromium, and the tab Capacity says what that run says of each allocation.
func TestCapacity(t *testing.T) {
	t.Parallel()
	const settings = "s=vecadd&machine.preset=mini&workload.name=hpcproxy&workload.size=1&workload.data=hpgmg"
	p := open(t, serve(t).URL+"/#v=1&"+settings+"&A.memory.codec=none&A.backing.kind=pinned&B.memory.codec=bpc&B.backing.kind=buddy&B.backing.gbPerSecond=8&B.backing.targets=*=2,level1=4&tab=buddy")
	inPage := p.finish()
	p.wait(`document.querySelector(".heldtable") !== null`)
	s, err := authoring.ParseYAML("capacity.yaml", []byte("version: 2\nmachine: {preset: mini}\nworkload: {name: hpcproxy, size: 1, data: hpgmg}\n"+
		"memory: {codec: bpc}\nbacking: {kind: buddy, gbPerSecond: 8, targets: '*=2,level1=4'}\ncompare: {memory: {codec: none}, backing: {kind: pinned}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	native := map[string]*experiment.Result{}
	for side, of := range map[string]scheme.Scheme{"A": s.Compare.Scheme, "B": s.Scheme} {
		run, err := experiment.New(plan.With(of), experiment.Options{})
		if err == nil {
			native[side], err = run.Finish()
		}
		if err != nil {
			t.Fatal(err)
		}
		if inPage.ResultHashes[side] != native[side].ResultHash {
			t.Errorf("side %s: natively %s, in Chromium %s", side, native[side].ResultHash, inPage.ResultHashes[side])
		}
	}
	rows := eval[map[string][]string](p, `Object.fromEntries([...document.querySelectorAll(".heldtable tr[data-allocation]")].map(r => [r.dataset.allocation, [...r.querySelectorAll("td")].map(c => c.textContent)]))`)
	held, overflowed := experiment.Reported[buddy.Report](native["B"]), uint64(0)
	for _, a := range held.Allocations {
		overflowed += a.Overflowed
		want := fmt.Sprintf("%s of %s (", model.Count(int(a.Overflowed)), model.Count(int(a.Entries)))
		if got := rows[a.Name]; len(got) != 5 || got[0] != a.Target+" ×" || !strings.HasPrefix(got[4], want) {
			t.Errorf("%s: %q, want the target %s and %s", a.Name, got, a.Target, want)
		}
	}
	if len(rows) != len(held.Allocations) || overflowed == 0 {
		t.Errorf("%d rows, %d entries overflow", len(rows), overflowed)
	}
	label := eval[string](p, `document.querySelector("svg.capacity").getAttribute("aria-label")`)
	if want := model.Count(int(overflowed)) + " at the end"; !strings.Contains(label, want) {
		t.Errorf("the timeline is described as %q, without %q", label, want)
	}
	for _, want := range []string{"A has all its data behind the link", "B holds 1.05"} {
		if words := eval[string](p, `document.querySelector("#panel-buddy .words").textContent`); !strings.Contains(words, want) {
			t.Errorf("the words are %q, without %q", words, want)
		}
	}
	// The arrow keys read the timeline.
	said := eval[string](p, `(c => { for (let i = 0; i < 40; i++) c.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true})); return document.querySelector("#panel-buddy .readout").textContent; })(document.querySelector("svg.capacity"))`)
	if !strings.Contains(said, "A: link busy") || !strings.Contains(said, "entries overflow. B: link busy") {
		t.Errorf("the timeline says %q", said)
	}
	// Without a link the tab goes, and the picture of bursts is shown.
	eval[any](p, `location.hash = "#v=1&s=vecadd&workload.size=16384&machine.preset=mini&tab=buddy"`)
	p.wait(`S.run === 2 && S.phase === "done" && document.getElementById("tab-buddy").hidden && document.getElementById("tab-bursts").ariaSelected === "true"`)
}
