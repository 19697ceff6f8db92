package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
)

// lookUp reads a table of one dimension that lies in a buffer, and a picture with contents of its own.
const lookUp = `.version 6.0
.target sm_30
.address_size 64
.global .texref picture, table;
.visible .entry look(.param .u64 values, .param .u64 to)
{
    .reg .f32 %f<8>;
    .reg .b32 %r<5>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [to];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r1, 64, %r2;
    cvt.rn.f32.u32 %f0, %r2;
    cvt.rn.f32.u32 %f1, %r1;
    tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [picture, {%f0, %f1}];
    tex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [table, {%r3}];
    add.f32 %f2, %f2, %f3;
    mul.wide.u32 %d2, %r3, 4;
    add.u64 %d3, %d1, %d2;
    st.global.f32 [%d3], %f2;
    ret;
}
`

// native runs both sides of a scenario without a browser.
func native(t *testing.T, s *scenario.Scenario) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	a, b := s.Sides()
	for name, side := range map[string]*scenario.Scenario{"A": a, "B": b} {
		plan, err := experiment.PlanOf(side)
		if err != nil {
			t.Fatal(err)
		}
		run, err := experiment.New(plan, experiment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for done := false; !done; {
			if done, err = run.Step(1 << 20); err != nil {
				t.Fatal(err)
			}
		}
		hashes[name] = run.Result().ResultHash
	}
	return hashes
}

// checkedAgain lets the editor check its text once more, which no edit asked for, and reads what it says then.
func (p *tab) checkedAgain() string {
	p.t.Helper()
	eval[any](p, `(window.lineBefore = document.querySelector("#kernel .knumbers span"), document.getElementById("to-simulator").click(), document.getElementById("to-kernel").click())`)
	p.wait(`!window.lineBefore.isConnected`)
	return p.textOf("kernel-said")
}

// TestYourTextures: the editor binds textures to the names that the text gives, from a buffer and
// from a generator. What it runs is what its link and its file hold, and the counters of the texture
// cache are in the table, the account of energy and the list of all metrics.
func TestYourTextures(t *testing.T) {
	t.Parallel()
	site := serve(t)
	p := open(t, site.URL+"/#v=1&kernel=edit&picture=plain", command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.wait(`S.kernel.ready`)
	p.typed(lookUp)
	p.argument("argument 0, contents", "0, 1, 2, …")
	p.argument("argument 0, elements", "2048")
	p.argument("argument 1, elements", "2048")
	eval[any](p, `(document.getElementById("kernel-grid").value = "32", document.getElementById("kernel-block").value = "64", document.getElementById("kernel-grid").dispatchEvent(new Event("input")))`)
	bind := `document.getElementById("kernel-texture").click()`
	eval[any](p, bind)
	eval[any](p, bind)
	names := `[...document.querySelectorAll('#kernel [aria-label^="texture"][aria-label$=", name"]')].map(e => e.value).join()`
	if got := eval[string](p, names); got != "picture,table" {
		t.Fatalf("the names of the text are proposed as %q", got)
	}
	p.argument("texture 0, width", "48")
	p.argument("texture 0, height, 0 for 1D", "24")
	p.argument("texture 0, filter", "linear")
	p.argument("texture 0, address", "clamp")
	p.argument("texture 0, memory", "random values")
	p.argument("texture 1, width", "2048")
	p.argument("texture 1, height, 0 for 1D", "0")
	p.argument("texture 1, memory", "buffer:values")
	p.screenshot("own-textures.png")
	s := p.runKernel()
	if s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}
	var b struct {
		Stats   map[string]uint64
		Metrics map[string]float64
		Energy  struct{ Parts []struct{ Name string } }
	}
	if err := json.Unmarshal(s.Results["B"], &b); err != nil {
		t.Fatal(err)
	}
	if n := b.Stats; n["textureFetches"] != 32*2*2 || n["textureAccesses"] == 0 || n["textureAccesses"] != n["textureHits"]+n["textureMisses"] {
		t.Errorf("%d fetches, %d accesses, %d hits, %d misses", n["textureFetches"], n["textureAccesses"], n["textureHits"], n["textureMisses"])
	}
	if b.Metrics["textureHitRate"] <= 0 || b.Metrics["textureLines"] != float64(b.Stats["textureAccesses"]) || b.Energy.Parts[len(b.Energy.Parts)-1].Name != "texture" {
		t.Errorf("metrics %v, %v, last part of the energy %v", b.Metrics["textureHitRate"], b.Metrics["textureLines"], b.Energy.Parts)
	}
	p.wait(`document.querySelector('#results tr[data-row="textureHitRate"]').checkVisibility()`)
	p.wait(`document.getElementById("accounts").textContent.includes("Texture cache")`)
	p.wait(`document.querySelector('#chart-numbers tr[data-row="textureLines"] button').textContent !== "–"`)
	p.screenshot("own-textures-run.png")

	// By file, natively; and the file again in the editor.
	eval[bool](p, within(`window.burstscopePanels`))
	eval[any](p, `document.getElementById("export").click()`)
	p.wait(`document.getElementById("export-scenario-json")`)
	saved := p.save("export-scenario-json", "burstscope-own.scenario.json")
	file, err := scenario.ParseJSON("saved", saved)
	if err != nil {
		t.Fatal(err)
	}
	if got := native(t, file); got["A"] != s.ResultHashes["A"] || got["B"] != s.ResultHashes["B"] {
		t.Errorf("natively %v, in the page %v", got, s.ResultHashes)
	}
	packed, err := scenario.ParseMsgpack(p.save("export-scenario-msgpack", "burstscope-own.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	if packed.Hash() != file.Hash() {
		t.Errorf("the packed file is scenario %s, the other %s", packed.Hash(), file.Hash())
	}
	eval[any](p, `document.getElementById("dialog").close()`)

	// By link, in a fresh browser, whose editor shows the same textures and runs them again.
	eval[any](p, `(Object.defineProperty(navigator, "clipboard", {value: {writeText: (x) => (window.copied = x, Promise.resolve())}}), document.getElementById("share").click())`)
	p.wait(`window.copied`)
	q := open(t, eval[string](p, `window.copied`))
	if other := q.finish(); other.ResultHashes["B"] != s.ResultHashes["B"] || len(other.Messages) > 0 {
		t.Errorf("a fresh browser comes to %v: %v", other.ResultHashes, other.Messages)
	}
	eval[any](q, `document.getElementById("to-kernel").click()`)
	q.wait(`S.kernel.ready`)
	if got := eval[string](q, names+` + " " + document.querySelector('#kernel [aria-label="texture 1, memory"]').value + " " + document.querySelector('#kernel [aria-label="texture 0, filter"]').value`); got != "picture,table buffer:values linear" {
		t.Errorf("the editor of the link's page shows %q", got)
	}
	if other := q.runKernel(); other.Phase != "done" || other.ResultHashes["B"] != s.ResultHashes["B"] {
		t.Errorf("run from the link's editor: %v", other.ResultHashes)
	}

	// What is wrong with a texture is one sentence.
	eval[any](q, `document.getElementById("to-kernel").click()`)
	for _, c := range [][3]string{
		{"texture 1, name", "", "Texture 1 has no name"},
		{"texture 1, width", "many", "Texture 1: a width is a whole number from 1 to 131072"},
	} {
		q.argument(c[0], c[1])
		eval[any](q, `document.getElementById("kernel-run").click()`)
		if got := q.checkedAgain(); !strings.HasPrefix(got, c[2]) {
			t.Errorf("%s = %q says %q", c[0], c[1], got)
		}
		q.argument("texture 1, name", "table")
	}
	// A mended argument leaves no refusal; a renamed one takes its textures along; one that is no buffer
	// any more is not offered, and a texture that read it says so.
	q.argument("texture 1, width", "2048")
	if got := q.checkedAgain(); got != "The text has no fault." {
		t.Errorf("mended, the editor says %q", got)
	}
	q.typed(strings.ReplaceAll(lookUp, "values", "numbers"))
	memories := `[...document.querySelector('#kernel [aria-label="texture 1, memory"]').options].filter(o => o.value.startsWith("buffer:")).map(o => (o.selected ? "*" : "") + o.text).join("; ")`
	if got, want := eval[string](q, memories), "*argument 0, numbers; argument 1, to"; got != want {
		t.Errorf("after a renamed argument texture 1 is offered %q, not %q", got, want)
	}
	q.argument("argument 0, kind", "number")
	if got, want := eval[string](q, memories), "argument 1, to; *numbers, which no argument is"; got != want {
		t.Errorf("without its argument texture 1 is offered %q, not %q", got, want)
	}
	eval[any](q, `document.getElementById("kernel-run").click()`)
	if got, want := q.textOf("kernel-said"), "Texture 1 reads the buffer numbers, which no argument is; choose its memory."; got != want {
		t.Errorf("run without its buffer, the editor says %q, not %q", got, want)
	}
	q.argument("argument 0, kind", "buffer")
	q.argument("texture 1, width", "2049") // larger than its buffer: the engine says so
	eval[any](q, `document.getElementById("kernel-run").click()`)
	q.wait(`S.phase === "error" && S.messages.length === 1`)
	if s := q.state(); !strings.Contains(s.Messages[0].String(), "textures[1].width") {
		t.Errorf("%v", s.Messages)
	}
}

// TestEditorKeepsSettings: a scenario's launches, rounding, first address and measure pass through the
// editor, in the draft too, and the file that comes out is the scenario that went in.
func TestEditorKeepsSettings(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(map[string]any{
		"version": 1, "machine": map[string]any{"preset": "mini"}, "seed": 1,
		"memory": map[string]any{"codec": "bdi"}, "compare": map[string]any{"memory": map[string]any{"codec": "none"}},
		"workload": map[string]any{"ptx": map[string]any{
			"file": "halve.ptx", "source": kernelText(""), "entry": "halve", "grid": []int{2}, "block": []int{64},
			"repeat": 2, "fma": "rounded-product", "base": 1 << 33, "metric": "nrmse",
			"args": []map[string]any{{"spec": "out:from:512", "element": "f32"}, {"spec": "out:to:512", "element": "f32"}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := scenario.ParseJSON("given", text)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t).URL+"/#v=1&kernel=edit&picture=plain", command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.wait(`S.kernel.ready`)
	eval[any](p, fmt.Sprintf(`(e => {
		const carried = new DataTransfer();
		carried.items.add(new File([%s], "given.json"));
		e.files = carried.files;
		e.dispatchEvent(new Event("change"));
	})(document.querySelector('#kernel input[aria-label="Choose a PTX file or a scenario"]'))`, quote(string(text))))
	p.wait(`S.kernel.ready && document.getElementById("kernel-source").value.includes("halve")`)
	p.wait(`document.getElementById("kernel-kept").textContent === "The scenario also sets: 2 launches, fma rounded-product, memory from 0x200000000, outputs measured by nrmse."`)
	eval[any](p, `document.getElementById("kernel-grid").dispatchEvent(new Event("input"))`) // the draft is kept
	s := p.runKernel()
	if s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}
	if got := native(t, want); got["A"] != s.ResultHashes["A"] || got["B"] != s.ResultHashes["B"] {
		t.Errorf("natively %v, in the page %v", got, s.ResultHashes)
	}
	eval[bool](p, within(`window.burstscopePanels`))
	eval[any](p, `document.getElementById("export").click()`)
	p.wait(`document.getElementById("export-scenario-json")`)
	saved, err := scenario.ParseJSON("saved", p.save("export-scenario-json", "burstscope-own.scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	if saved.Hash() != want.Hash() {
		t.Errorf("the saved scenario is %s, the given %s: %+v", saved.Hash(), want.Hash(), saved.Workload.PTX)
	}
	// A reload finds the draft with all of them.
	draft := eval[string](p, `JSON.stringify(JSON.parse(localStorage.getItem("burstscope.kernel")).kept)`)
	if draft != `{"repeat":2,"fma":"rounded-product","base":8589934592,"metric":"nrmse"}` {
		t.Errorf("the draft keeps %s", draft)
	}
}
