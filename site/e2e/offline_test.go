package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/tools/serve/static"
)

// deployed is a host whose files are replaced as a whole.
type deployed struct{ files atomic.Pointer[http.Handler] }

func (d *deployed) deploy(t *testing.T, folder string) {
	t.Helper()
	files, err := static.Handler(folder)
	if err != nil {
		t.Fatal(err)
	}
	d.files.Store(&files)
}

func (d *deployed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*d.files.Load()).ServeHTTP(w, r)
}

// newer is a copy of dist as another build would have made it: the scripts shell
// and lab say of which build they are, which gives them other names, and the old
// names are gone.
func newer(t *testing.T, name string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	build := readBuild(t)
	changes := []string{build.Build, name}
	for _, script := range []string{"shell.js", "lab.js"} {
		at := build.Files[script]
		data, err := os.ReadFile(filepath.Join(dist, at))
		if err != nil {
			t.Fatal(err)
		}
		changed := append(bytes.Clone(data), "\n(window.builds ??= {})["+quote(script)+"]="+quote(name)+";"...)
		to := strings.TrimSuffix(at, path.Ext(at)) + name + path.Ext(at)
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, to)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, to), changed, 0o644); err != nil {
			t.Fatal(err)
		}
		changes = append(changes, path.Base(at), path.Base(to), integrity(data), integrity(changed))
	}
	replacer := strings.NewReplacer(changes...)
	gone := map[string]bool{build.Files["shell.js"]: true, build.Files["lab.js"]: true}
	files := os.DirFS(dist)
	err := fs.WalkDir(files, ".", func(file string, e fs.DirEntry, err error) error {
		to := filepath.Join(folder, filepath.FromSlash(file))
		switch {
		case err != nil:
			return err
		case e.IsDir() && (file == "screenshots" || path.Dir(file) == "v" && path.Base(file) != build.Version):
			return fs.SkipDir
		case e.IsDir():
			return os.MkdirAll(to, 0o755)
		case gone[file] || file == "burstscope.html" || strings.HasSuffix(file, ".br") || strings.HasSuffix(file, ".gz"):
			return nil
		}
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		switch path.Ext(file) {
		case ".html", ".json":
			data = []byte(replacer.Replace(string(data)))
		case ".js":
			if path.Base(file) == "sw.js" {
				data = []byte(replacer.Replace(string(data)))
			}
		}
		return os.WriteFile(to, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func integrity(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// buildShown is the build of the document a tab shows.
const buildShown = `JSON.parse(document.getElementById("assets").textContent).build`

// TestOffline: after one visit the page needs no server: it opens, runs a scenario
// to the native result, and has its pictures and its parts.
func TestOffline(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	want := smallDCT(t)
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	server := host(t, static.Under("/class/room/", files))
	p := shared(t).open(t, server.URL+"/class/room/"+small[1:])
	p.wait("S.offline.kept")
	if s := p.state(); len(s.Messages) > 0 {
		t.Errorf("messages: %v", s.Messages)
	}
	// The help says so, and offers the page as one file.
	eval[any](p, `document.getElementById("help").click()`)
	if said := eval[string](p, `document.getElementById("dialog-body").innerText`); !strings.Contains(said, "stored on this machine") {
		t.Errorf("the help says %q", said)
	}
	p.screenshot("help.png")
	if status := eval[int](p, `fetch(document.querySelector("#dialog-body a[download]").href, {method: "HEAD"}).then(a => a.status)`); status != http.StatusOK {
		t.Errorf("the one file: %d", status)
	}
	server.CloseClientConnections()
	server.Close()
	p.do(chromedp.Navigate("about:blank"))
	p.do(chromedp.Navigate(server.URL + "/class/room/" + small[1:]))
	p.checkHashes(t, want)
	p.look()
	p.wait("S.view.ready && S.picture === 'moving' && S.view.burstsDrawn > 0")
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.wait(`S.lab.open && document.querySelector("#lab .labdrop") !== null`)
	// What is not kept is said to be so.
	p.do(chromedp.Navigate(server.URL + "/class/room/v/0.0.7/#v=1"))
	if said := eval[string](p, "document.body.innerText"); !strings.Contains(said, "Version 0.0.7") || !strings.Contains(said, "is here") {
		t.Errorf("page of a version that is not stored: %q", said)
	}
	p.screenshot("nonetwork.png")
}

// TestActivationDoesNotWaitForPages: a page's requests wait until the service worker is active, and Firefox claims an
// engine only when it waits for none. So what activation waits for must not contain that all are claimed.
func TestActivationDoesNotWaitForPages(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(dist, "sw.js"))
	if err != nil {
		t.Fatal(err)
	}
	p := shared(t).open(t, "about:blank")
	got := eval[string](p, fmt.Sprintf(`(async () => {
		const on = {}, said = [];
		const self = {
			location: {href: "https://burstscope.example/sw.js"},
			addEventListener: (type, f) => { on[type] = f; },
			clients: {claim: () => { said.push("claims"); return new Promise(() => {}); }, matchAll: async () => []},
		};
		new Function("self", "caches", %s)(self, {keys: async () => [], delete: async () => true});
		const active = new Promise((resolve) => on.activate({waitUntil: (p) => resolve(p)})).then(() => "is active");
		const late = new Promise((resolve) => setTimeout(() => resolve("waits"), 5000));
		said.push(await Promise.race([active, late]));
		return said.join(", ");
	})()`, quote(string(data))))
	if got != "claims, is active" {
		t.Errorf("the service worker %s", got)
	}
}

// TestUpdate: a newer build is offered once it is whole; until the reader agrees,
// and in other tabs even afterwards, every file is of the build of the document.
func TestUpdate(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	site := &deployed{}
	site.deploy(t, dist)
	server := host(t, site)
	link := server.URL + small
	p := shared(t).open(t, link)
	p.finish()
	p.wait("S.offline.kept")
	old := eval[string](p, buildShown)
	second := p.another(t, link)
	second.finish()

	const next = "feedfacecafe"
	site.deploy(t, newer(t, next))
	p.do(chromedp.Reload())
	p.finish()
	p.wait("S.offline.update")
	s := p.state()
	if len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "newer version") {
		t.Errorf("messages: %v", s.Messages)
	}
	p.screenshot("update.png")
	if got := eval[string](p, buildShown); got != old || eval[bool](p, "window.builds !== undefined") {
		t.Errorf("the page is of %s before anybody agreed", got)
	}
	eval[any](p, `(() => { const e = document.getElementById("knob-seed"); e.value = "7"; e.dispatchEvent(new Event("change", {bubbles: true})); })()`)
	eval[any](p, `document.querySelector('#messages [data-key=update] button:not(.plain)').click()`)
	poll(p, "document.readyState === 'complete' && window.builds?.['shell.js'] === "+quote(next))
	p.finish()
	if got := eval[string](p, buildShown); got != next {
		t.Errorf("after reloading the document is of %s", got)
	}
	if here := eval[string](p, "location.hash"); !strings.Contains(here, "seed=7") || !strings.Contains(here, "workload.size=128") {
		t.Errorf("reloading lost the settings: %s", here)
	}
	if s := p.state(); len(s.Messages) > 0 {
		t.Errorf("messages after the update: %v", s.Messages)
	}
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.wait("S.lab.open && window.builds['lab.js'] === " + quote(next))

	// The other tab still shows the old build, of which the host has no files left.
	eval[any](second, `document.getElementById("to-lab").click()`)
	second.wait(`S.lab.open && document.querySelector("#lab .labdrop") !== null`)
	if got := eval[string](second, buildShown); got != old || eval[bool](second, "window.builds !== undefined") {
		t.Errorf("the other tab mixes builds: document of %s", got)
	}
}

// another opens a tab that shares the profile of this one.
func (p *tab) another(t *testing.T, url string) *tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(p.ctx)
	t.Cleanup(stop)
	q := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, q.hear); err != nil {
		t.Fatal(err)
	}
	q.do(chromedp.Navigate(url))
	return q
}

// TestOldServiceWorker: a worker of an older version, which serves an old document
// and knows nothing of this one, gives way, and its store goes.
func TestOldServiceWorker(t *testing.T) {
	findBrowser(t)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"index.html": `<title>old</title><script>navigator.serviceWorker.register("sw.js")</script>`,
		"sw.js": `addEventListener("install", e => e.waitUntil(caches.open("burstscope " + new URL("./", location).href + " 00000000").then(c => c.add("index.html"))));
			addEventListener("activate", e => e.waitUntil(clients.claim()));
			addEventListener("fetch", e => { if (e.request.mode === "navigate") e.respondWith(caches.match("index.html")); });`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	site := &deployed{}
	site.deploy(t, folder)
	server := host(t, site)
	p := shared(t).open(t, server.URL)
	poll(p, "navigator.serviceWorker.controller !== null")
	site.deploy(t, dist)
	// The old document registers again, as it does on every visit; the newer worker
	// waits, as the old page may be in use.
	p.do(chromedp.Reload())
	poll(p, "document.title === 'old' && navigator.serviceWorker.getRegistration().then(r => r?.waiting != null)")
	// Leaving the page is enough, or a click where the old page offers one. The browser
	// puts the newer worker in place some time after that, so a visit that is quicker
	// still gets the old page, and the next visit the new one.
	for range 20 {
		p.do(chromedp.Navigate("about:blank"))
		time.Sleep(100 * time.Millisecond)
		p.do(chromedp.Navigate(server.URL + small))
		if eval[string](p, "document.title") != "old" {
			break
		}
	}
	// The page may load once more when the newer worker takes over.
	poll(p, `window.burstscope?.state?.offline?.kept && burstscope.state.phase === "done"`)
	p.finish()
	// The old page may still be closing when the new one asks for its files to go; then they go when a reader comes back
	// to the tab.
	poll(p, `(document.dispatchEvent(new Event("visibilitychange")),
		caches.keys().then(keys => keys.length === 1 && keys[0].endsWith(`+quote(readBuild(t).Build)+`)))`)
}

// firstWorker is a service worker that is in charge of the page before it says that it is installed, as a busy WebKit
// has it. first.becomes is its next state.
const firstWorker = `{
	const first = window.first = Object.assign(new EventTarget(), {state: "installing", postMessage() {}});
	first.becomes = state => { first.state = state; first.dispatchEvent(new Event("statechange")); };
	Object.defineProperty(navigator.serviceWorker, "controller", {get: () => first});
	navigator.serviceWorker.register = async () => (first.asked = true,
		Object.assign(new EventTarget(), {installing: first, waiting: null, active: null, async update() {}}));
}`

// TestFirstWorkerIsNoUpdate: nothing is newer where nothing was before.
func TestFirstWorkerIsNoUpdate(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := shared(t).open(t, serve(t).URL+small, command(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: firstWorker}))
	p.finish()
	poll(p, "first.asked === true")
	eval[bool](p, `(first.becomes("installed"), first.becomes("activated"), true)`)
	p.wait("S.offline.kept")
	if s := p.state(); len(s.Messages) > 0 {
		t.Errorf("the page says %v", s.Messages)
	}
}

// TestFullStorage: a browser that has no room says so once, keeps no half, and the
// page works on.
func TestFullStorage(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	room := 3e6 // bytes; the page takes about 24 million
	p := shared(t).open(t, server.URL+small, command(storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: server.URL, QuotaSize: &room}))
	before := p.finish()
	p.wait("S.messages.length > 0")
	s := p.state()
	if len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "storage is full") {
		t.Errorf("messages: %v", s.Messages)
	}
	p.screenshot("fullstorage.png")
	poll(p, "caches.keys().then(keys => keys.length === 0)")
	eval[any](p, `document.getElementById("run").click()`)
	p.wait("S.run === 2")
	if again := p.finish(); again.ResultHashes["B"] != before.ResultHashes["B"] {
		t.Errorf("%v, then %v", before.ResultHashes, again.ResultHashes)
	}
}

// TestStoringWaitsForARun: while something runs, at most the file under way is stored; the rest follows.
func TestStoringWaitsForARun(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	p := shared(t).open(t, serve(t).URL+small, cores(1))
	p.finish()
	const stored = `caches.keys().then(async keys => {
		const all = await Promise.all(keys.map(async key => (await (await caches.open(key)).keys()).length));
		return all.reduce((sum, n) => sum + n, 0);
	})`
	poll(p, stored+".then(n => n > 3)")
	counts := eval[[]int](p, `(async () => {
		const {page, run} = window.burstscopeControl;
		page.settings.scenario.workload.size = 1024;
		page.emit("scenario");
		run();
		const rest = ms => new Promise(done => setTimeout(done, ms));
		await rest(1000);
		const before = await `+stored+`;
		await rest(2000);
		return [before, await `+stored+`];
	})()`)
	if phase := p.state().Phase; phase != "running" {
		t.Fatalf("the run is %s already", phase)
	}
	if counts[1] > counts[0]+1 {
		t.Errorf("%d files were stored, then %d, during a run", counts[0], counts[1])
	}
	eval[any](p, `document.getElementById("cancel").click()`)
	p.wait("S.offline.kept")
}

// TestNoServiceWorker: in a frame the page keeps nothing and says nothing of it,
// with an origin and without one.
func TestNoServiceWorker(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	server := host(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/sw.js":
			asked.Add(1)
		case "/host.html":
			_, _ = fmt.Fprintf(w, `<!doctype html><script>addEventListener("message", e => (window.said ??= []).push(e.data))</script>
				<iframe src="/%s" width=1200 height=800></iframe><iframe sandbox="allow-scripts" src="/%s" width=1200 height=800></iframe>`, small[1:], small[1:])
			return
		}
		files.ServeHTTP(w, r)
	}))
	p := shared(t).open(t, server.URL+"/host.html")
	const inside = "document.querySelector('iframe').contentWindow"
	poll(p, inside+".burstscope?.state.phase === 'done'")
	if said := eval[json.RawMessage](p, inside+".burstscope.state.messages"); string(said) != "[]" {
		t.Errorf("the page in a frame says %s", said)
	}
	if n := eval[int](p, "navigator.serviceWorker.getRegistrations().then(r => r.length)"); n != 0 || asked.Load() != 0 {
		t.Errorf("%d registered, asked for %d times", n, asked.Load())
	}
}
