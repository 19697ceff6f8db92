package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// embedCode is what the dialog has written.
const embedCode = `document.getElementById("embed-code").textContent`

// setChoice sets a field of the dialog as a person does.
func setChoice(p *tab, name, value string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`((e) => { if (e.type === "checkbox") e.checked = %q === "yes"; else e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); return true; })(document.querySelector('form.embedding [name=%q]'))`, value, value, name))
}

// TestEmbedDialog writes the code of embeds, and a page that holds it works.
func TestEmbedDialog(t *testing.T) {
	t.Parallel()
	site := serve(t)
	p := openWatched(t, site.URL+"/#v=1&s=vecadd&"+quick+"&cycle=120")
	p.finish()
	eval[bool](p, within(`window.burstscopePanels`))
	eval[bool](p, `document.getElementById("embed").click(), true`)
	eval[bool](p, within(`document.getElementById("embed-code") && document.querySelector("#embed-preview img")?.complete`))
	code := eval[string](p, embedCode)
	version := readBuild(t).Version
	for _, want := range []string{
		`<script src="` + site.URL + "/v/" + version + `/burst-scope.js" defer></script>`, `scenario="vecadd"`, `workload.size=16384`,
		`knobs="B.memory.codec"`, `src="burstscope-vecadd.svg"`, p.state().ResultHashes["B"][:12],
	} {
		if !strings.Contains(code, want) {
			t.Errorf("the code lacks %s: %s", want, code)
		}
	}
	if strings.Contains(code, "cycle=") {
		t.Errorf("the code holds the cursor's cycle, which was not chosen: %s", code)
	}
	p.screenshot("embed-dialog.png")
	for name, value := range map[string]string{"form": "frame", "load": "visible", "height": "520", "theme": "dark", "sandbox": "yes", "cursor": "yes", "still": "yes", "tabs": "yes", "knob:seed": "fixed", "version": "newest"} {
		setChoice(p, name, value)
	}
	code = eval[string](p, embedCode)
	for _, want := range []string{
		`<iframe src="` + site.URL + `/embed.html#v=1&amp;s=vecadd&amp;`, "&amp;cycle=120", "&amp;theme=dark", "&amp;lock=seed", "embed.knobs=B.memory.codec,seed", "embed.load=visible",
		"embed.tabs=yes", "embed.autoplay=no", `height="520"`, `sandbox="allow-scripts allow-popups allow-downloads"`,
	} {
		if !strings.Contains(code, want) && !strings.Contains(code, strings.ReplaceAll(want, "B.memory.codec,seed", "seed,B.memory.codec")) {
			t.Errorf("the code lacks %s: %s", want, code)
		}
	}

	// The code works in somebody's page.
	host := hostOf(t, site.URL, "", map[string]string{"/": hostPage(code)})
	h := openWatched(t, host.URL)
	eval[bool](h, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	s := untilDone(h, `document.querySelector("iframe")`)
	if s.Phase != "done" || s.Cycle != 120 || s.Theme != "dark" || s.Playing || s.ResultHashes["B"] != p.state().ResultHashes["B"] {
		t.Errorf("the frame has the state %+v", s)
	}

	// As shipped, the element shows the poster that the build made.
	p = openWatched(t, site.URL+"/#v=1&s=tp")
	p.finish()
	eval[bool](p, within(`window.burstscopePanels`))
	eval[bool](p, `document.getElementById("embed").click(), true`)
	eval[bool](p, within(`document.getElementById("embed-code")`))
	code = eval[string](p, embedCode)
	alt := regexp.MustCompile(` alt="([^"]*)"`).FindStringSubmatch(code)
	if alt == nil || !strings.Contains(alt[1], "result hashes A "+p.state().ResultHashes["A"][:12]) {
		t.Errorf("the alternative text of the poster: %v", alt)
	}
	host = hostOf(t, site.URL, "", map[string]string{"/": hostPage(code)})
	h = openWatched(t, host.URL)
	eval[bool](h, `until(() => [...document.images].every((i) => i.complete && i.naturalWidth > 0))`)
	eval[bool](h, `document.querySelector("burst-scope").shadowRoot.querySelector("button").click(), true`)
	eval[bool](h, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	if s := untilDone(h, frameIn); s.ResultHashes["A"] != p.state().ResultHashes["A"] {
		t.Errorf("the element has the state %+v", s)
	}
}

// TestEmbedDialogPhone: the dialog on a phone.
func TestEmbedDialogPhone(t *testing.T) {
	t.Parallel()
	site := serve(t)
	size := command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 390, Height: 844, DeviceScaleFactor: 1, Mobile: true})
	p := open(t, site.URL+small, size)
	eval[bool](p, within(`window.burstscopePanels`))
	eval[bool](p, `document.getElementById("embed").click(), true`)
	eval[bool](p, within(`document.querySelector("#embed-preview img")?.complete`))
	p.screenshot("embed-dialog-phone.png")
	if wide := eval[float64](p, `((d) => d.scrollWidth - d.clientWidth)(document.getElementById("dialog"))`); wide > 0 {
		t.Errorf("%g pixels sideways", wide)
	}
}

// TestCite: the papers of the schemes that ran, and the simulator.
func TestCite(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=tp&workload.size=256&machine.preset=mini")
	p.finish()
	eval[bool](p, within(`window.burstscopePanels`))
	eval[bool](p, `document.getElementById("cite").click(), true`)
	p.wait(`document.getElementById("dialog").open`)
	blocks := eval[[]string](p, `[...document.querySelectorAll("#dialog-body pre")].map((e) => e.textContent)`)
	if len(blocks) != 4 {
		t.Fatalf("%d blocks: %v", len(blocks), blocks)
	}
	s := p.state()
	for i, wants := range [][]string{1: {"@misc{burstscope-", "Burstscope " + readBuild(t).Version, s.ResultHashes["A"], s.ResultHashes["B"]}, 2: {"@inproceedings{lal2019slc", "@inproceedings{lal2017e2mc"}, 3: {"@article{yazdanbakhsh2016rfvp"}} {
		for _, want := range wants {
			if !strings.Contains(blocks[i], want) {
				t.Errorf("block %d lacks %s: %s", i, want, blocks[i])
			}
		}
	}
	// Braces are balanced and keys differ, or BibTeX reads nothing.
	all := strings.Join(blocks[1:], "\n")
	if strings.Count(all, "{") != strings.Count(all, "}") {
		t.Error("braces do not match")
	}
	seen := map[string]bool{}
	for _, key := range regexp.MustCompile(`@\w+\{([^,]+),`).FindAllStringSubmatch(all, -1) {
		if seen[key[1]] {
			t.Errorf("key %s twice", key[1])
		}
		seen[key[1]] = true
	}
	if len(seen) != 6 {
		t.Errorf("%d entries", len(seen))
	}
	p.screenshot("cite.png")
}
