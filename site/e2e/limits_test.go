package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// before runs a script in every document of a tab, before the page's own.
func before(script string) chromedp.Action[chromedp.Void] {
	return command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// TestNoWebGL2: a browser with WebGL 1 alone does not load the program of the moving picture, and says why it is off.
func TestNoWebGL2(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, "about:blank", before(`(() => {
		const get = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (kind, ...of) { return kind === "webgl2" ? null : get.call(this, kind, ...of); };
	})()`))
	asked := p.traffic()
	p.do(chromedp.Navigate(server.URL + small))
	p.finish()
	p.look()
	p.wait("S.messages.length > 0")
	if s := p.state(); s.Picture != "plain" || !strings.Contains(s.Messages[0].String(), "The moving picture is off: this browser has no WebGL 2.") {
		t.Errorf("%s, %v", s.Picture, s.Messages)
	}
	for _, url := range asked.outside() {
		if strings.Contains(url, "view-") && strings.HasSuffix(url, ".wasm") {
			t.Errorf("asked for %s", url)
		}
	}
}

// TestOutOfMemory: an engine that gets no more memory says so, with a way out, and not that its program ended.
func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const pages = "256" // of 64 KiB
	b := launch(t, append([]chromedp.ExecAllocatorOption{chromedp.Flag("js-flags", "--wasm-max-mem-pages="+pages)}, withoutGraphics...))
	p := b.openLean(t, server.URL+"/#v=1&picture=plain")
	p.wait("S.phase === 'error'")
	s := p.state()
	if len(s.Messages) != 1 || !strings.HasPrefix(s.Messages[0].String(), "The engine ran out of memory. Close other tabs, or choose a smaller size or less data.") {
		t.Errorf("%v", s.Messages)
	}
}

// TestSweepIsModest: a browser that does not say its memory gets two engines for a sweep, whatever its cores.
func TestSweepIsModest(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for memory, want := range map[string]string{"undefined": "2 engines", "4": "4 engines"} {
		p := open(t, server.URL+"/#v=1&repro=figures&repro.figure=SLC-7", before(`
			Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {get: () => 12});
			Object.defineProperty(Navigator.prototype, "deviceMemory", {get: () => `+memory+`})`))
		p.wait(`S.engineReady && document.querySelector(".sweep-run") !== null`)
		eval[any](p, `(window.words = [], new MutationObserver(() => words.push(document.getElementById("live").textContent)).observe(document.getElementById("live"), {subtree: true, childList: true, characterData: true}), document.querySelector(".sweep-run").click())`)
		p.wait(`S.repro.sweep === "running"`)
		poll(p, `words.some((w) => w.includes("`+want+`"))`)
	}
}

// TestWithoutJavaScript: one sentence says what is lacking, and nothing is there that does nothing.
func TestWithoutJavaScript(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for _, page := range []string{"/", "/burstscope.html", "/embed.html"} {
		p := open(t, "about:blank", command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
		p.do(chromedp.Navigate(server.URL + page))
		for _, width := range []int64{1440, 390} {
			p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500}))
			if dead := eval[string](p, `[...document.querySelectorAll("button, input, select, textarea, [role=tab], [tabindex='0']")].filter((e) => e.checkVisibility()).map((e) => e.id || e.outerHTML.slice(0, 80)).join()`); dead != "" {
				t.Errorf("%s, %d px: there are %s", page, width, dead)
			}
			said := eval[string](p, `document.body.innerText + [...document.images].map((e) => e.alt).join(" ")`)
			if n := strings.Count(said, "JavaScript"); n != 1 || strings.Contains(said, "as soon as") {
				t.Errorf("%s, %d px: JavaScript is named %d times: %s", page, width, n, said)
			}
			p.screenshot("noscript" + strings.NewReplacer("/", "-", ".", "-").Replace(page) + map[bool]string{true: "-wide", false: "-narrow"}[width > 500] + ".png")
		}
	}
}
