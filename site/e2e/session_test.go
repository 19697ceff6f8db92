package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// visit opens the page anew, as a visit on another day does.
func (p *tab) visit(url string) state {
	p.t.Helper()
	p.do(chromedp.Navigate("about:blank"))
	p.do(chromedp.Navigate(url))
	return p.finish()
}

// stored waits until the browser keeps a session that holds a text.
func (p *tab) stored(part string) {
	p.t.Helper()
	p.wait(`localStorage.getItem("burstscope.session")?.includes("` + part + `")`)
}

// TestNextVisitRestoresTheSession: scenario, settings, the part of the picture, the cursor and the reader's own kernel
// come back without a link; a link is stronger; an embed neither takes the session nor changes it; and Start fresh
// forgets it.
func TestNextVisitRestoresTheSession(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=1&s=vecadd&"+quick+"&B.memory.threshold=8&tab=dram&picture=plain")
	first := p.finish()
	eval[any](p, `window.burstscopeControl.seek(3000)`)
	p.stored("cycle=3000")
	s := p.visit(server.URL + "/")
	if s.ResultHashes["B"] != first.ResultHashes["B"] || s.ResultHashes["A"] != first.ResultHashes["A"] {
		t.Errorf("the next visit runs %v, the one before %v", s.ResultHashes, first.ResultHashes)
	}
	if s.Cycle != 3000 || len(s.Messages) > 0 ||
		!eval[bool](p, `window.burstscope.state.tab === "dram"`) {
		t.Errorf("cycle %v, messages %v, address %s", s.Cycle, s.Messages, eval[string](p, "location.hash"))
	}

	// A link is the stronger one.
	s = p.visit(server.URL + "/#v=1&s=dct&workload.size=128&picture=plain")
	if s.ResultHashes["B"] == first.ResultHashes["B"] {
		t.Error("the session is stronger than a link")
	}
	p.stored("s=dct")
	before := eval[string](p, `localStorage.getItem("burstscope.session")`)
	p.do(chromedp.Navigate("about:blank"))
	p.do(chromedp.Navigate(server.URL + "/embed.html#v=1&s=matmul&embed.load=click"))
	poll(p, `document.getElementById("embed-run") !== null`)
	p.do(chromedp.Navigate(server.URL + "/embed.html"))
	if after := eval[string](p, `localStorage.getItem("burstscope.session")`); after != before ||
		strings.Contains(eval[string](p, "location.hash"), "dct") {
		t.Errorf("an embed: kept %q, before %q, at %s", after, before, eval[string](p, "location.hash"))
	}

	// A kernel of the reader's own.
	p.do(chromedp.Navigate("about:blank"))
	p.do(chromedp.Navigate(server.URL + "/#v=1&kernel=edit"))
	p.wait(`S.kernel.ready`)
	p.write(kernelText(""))
	p.wait(`S.kernel.ready`)
	p.look()
	own := p.runKernel()
	if own.Phase != "done" {
		t.Fatalf("the kernel: %s %v", own.Phase, own.Messages)
	}
	p.wait(`S.playing`)
	p.stored("workload.ptx")
	if !eval[bool](p, `window.burstscopeControl.page.settings.playing`) {
		t.Error("the session was kept only when the picture stood still")
	}
	if s = p.visit(server.URL + "/"); s.ResultHashes["B"] != own.ResultHashes["B"] {
		t.Errorf("the own kernel comes to %v in the next visit, before %v", s.ResultHashes, own.ResultHashes)
	}
	eval[any](p, `document.getElementById("to-kernel").click()`)
	p.wait(`S.kernel.ready`)
	if got := eval[string](p, `document.getElementById("kernel-source").value`); got != kernelText("") {
		t.Errorf("the editor has %q", got)
	}

	// Start fresh asks, forgets, and begins with the first scenario.
	p.wait(`window.burstscopeLater !== undefined`)
	eval[any](p, `document.getElementById("fresh").click()`)
	p.wait(`document.getElementById("forget") !== null`)
	eval[any](p, `window.before = 1, void setTimeout(() => document.getElementById("forget").click())`)
	poll(p, `!window.before && window.burstscope?.state?.phase === "done"`)
	p.finish()
	if got := eval[string](p, `location.hash`); strings.Contains(got, "ptx") || strings.Contains(got, "dct") {
		t.Errorf("after Start fresh the address is %q", got)
	}
	if eval[bool](p, `localStorage.getItem("burstscope.kernel") !== null`) {
		t.Error("after Start fresh the browser keeps the kernel")
	}
}

// TestDamagedSession: what is no session is as none, and names that no longer exist are said.
func TestDamagedSession(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=1&s=vecadd&"+quick+"&picture=plain")
	p.finish()
	eval[any](p, `localStorage.setItem("burstscope.session", "javascript:alert(1)"), 0`)
	eval[any](p, `Storage.prototype.setItem = () => {}`) // the visit that ends keeps nothing more
	s := p.visit(server.URL + "/")
	if len(s.Messages) > 0 || strings.Contains(eval[string](p, "location.href"), "alert") {
		t.Errorf("messages %v", s.Messages)
	}
	eval[any](p, `localStorage.setItem("burstscope.session", "#v=1&s=nosuch")`)
	eval[any](p, `Storage.prototype.setItem = () => {}`)
	if s := p.visit(server.URL + "/"); len(s.Messages) != 1 || !strings.Contains(s.Messages[0].Where, "nosuch") {
		t.Errorf("messages %v", s.Messages)
	}
}
