package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// traffic is what a tab and its frames ask for, and what its console complains of.
type traffic struct {
	mu         sync.Mutex
	urls       []string
	complaints []string
}

// watch opens an empty tab whose traffic is kept.
func watch(t *testing.T) (*tab, *traffic) {
	t.Helper()
	p := open(t, "about:blank")
	return p, p.traffic()
}

// traffic keeps what the tab asks for from now on.
func (p *tab) traffic() *traffic {
	p.t.Helper()
	r := &traffic{}
	if err := chromedp.Listen(p.ctx, func(event any) {
		r.mu.Lock()
		defer r.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			r.urls = append(r.urls, e.Request.URL)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				r.complaints = append(r.complaints, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	}); err != nil {
		p.t.Fatal(err)
	}
	p.do(command(network.Enable, network.EnableParams{}))
	p.do(command(log.Enable, cdp.Empty{}))
	return r
}

// outside are the URLs asked for that do not stay inside the browser.
func (r *traffic) outside() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.urls), func(url string) bool {
		return strings.HasPrefix(url, "data:") || strings.HasPrefix(url, "blob:") || strings.HasPrefix(url, "about:")
	})
}

func (r *traffic) complained() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.complaints)
}

// TestOneFile: the one-file form runs from a disk, comes to the native result, has
// the moving picture, the parts that are loaded later and the scenarios, and asks
// nobody for anything.
func TestOneFile(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	// A folder of its own: nothing lies beside it.
	data, err := os.ReadFile(filepath.Join(dist, "burstscope.html"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "on a stick.html")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	const size = 128
	s := shippedScenarios(t)["dct"]
	s.Workload.Size = size
	p, asked := watch(t)
	p.do(chromedp.Navigate("file://" + strings.ReplaceAll(filepath.ToSlash(file), " ", "%20") + bursting[1:]))
	got := p.finish()
	if len(got.Messages) > 0 {
		t.Errorf("messages on an ordinary start: %v", got.Messages)
	}
	for side, memory := range sides(s) {
		if native := nativeHash(t, s, memory); native == "" || got.ResultHashes[side] != native {
			t.Errorf("side %s: natively %s, in the file %s", side, native, got.ResultHashes[side])
		}
	}
	p.look()
	p.wait("S.view.ready && S.picture === 'moving' && S.view.approximatedDrawn > 0")
	p.screenshot("onefile.png")
	if names := eval[int](p, `document.getElementById("scenario").options.length`); names < 4 {
		t.Errorf("only %d scenarios", names)
	}
	// The lab is a script and a style sheet of its own.
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.wait(`S.lab.open && document.querySelector("#lab .labdrop") !== null`)
	p.wait(`[...document.styleSheets].some(s => { try { return [...s.cssRules].some(r => r.selectorText?.includes(".labdrop")); } catch { return false; } })`)
	if urls := asked.outside(); len(urls) != 1 || !strings.HasPrefix(urls[0], "file:") {
		t.Errorf("asked for %v", urls)
	}
	// A request that the document's policy stops is a complaint.
	if faults := asked.complained(); len(faults) > 0 {
		t.Errorf("the console says %v", faults)
	}
}
