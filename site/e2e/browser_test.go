// Package e2e opens the built page in a headless Chromium and does what a person
// would do. It waits on what the page says of itself (window.burstscope.state)
// and never for an amount of time. The folder dist must be built; ./build.sh test
// does that first. Tests run beside each other, but for those that hold the page to a
// time. Times that are only reported are read from a test that runs alone (-run).
//
// Why not TypeScript with puppeteer-core, whose calls are checked against the page's own types: ten of these tests
// (exclusions, headline, interval, walk, visit, empty panels, lesson, figure, two of estimates) took 371 lines so,
// 541 here. Their time is the browser's: 18.5 and 20.2 s instead of 19.5 and 21.3, three at a time, with 4 s more CPU
// time of the driver.
package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/tools/serve/static"
)

const (
	root = "../.."
	dist = root + "/dist"
	// patience is how long a test waits for a state that should come; it bounds a
	// failure and times nothing.
	patience = 4 * time.Minute
)

// skipVariable leaves all of this out, for machines without a browser.
const skipVariable = "BURSTSCOPE_SKIP_BROWSER"

// names are what Chromium is called; build.sh looks for the same.
var names = []string{
	"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
}

// findBrowser fails where there is no browser: a test that was not made must not
// look like one that passed.
func findBrowser(t *testing.T) string {
	t.Helper()
	if os.Getenv(skipVariable) == "1" {
		t.Skip("SKIPPED: no test in a browser was made, because " + skipVariable + "=1")
	}
	if chrome := os.Getenv("CHROME"); chrome != "" {
		path, err := exec.LookPath(chrome)
		if err != nil {
			t.Fatalf("CHROME=%s cannot be run: %v", chrome, err)
		}
		return path
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("Chromium is missing. Install it (apt install chromium), or set CHROME to a Chrome or Chromium; %s=1 leaves these tests out", skipVariable)
	return ""
}

// browser is a running Chromium with a profile of its own.
type browser struct {
	ctx context.Context
	// seen are the addresses, without paths, that a tab was opened at. Only tests that share the browser keep them.
	mu   sync.Mutex
	seen map[string]bool
}

// first reports whether no tab was opened at the address's scheme, host and port before.
func (b *browser) first(address string) bool {
	u, err := url.Parse(address)
	if err != nil || b.seen == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	origin := u.Scheme + "://" + u.Host
	if b.seen[origin] {
		return false
	}
	b.seen[origin] = true
	return true
}

// Flags that every browser here gets: software rendering that works without a
// GPU, and nothing that talks to the network by itself.
var commonFlags = []chromedp.ExecAllocatorOption{
	chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox,
	chromedp.WindowSize(1280, 900),
	chromedp.Flag("disable-quic", true),
	chromedp.Flag("disable-background-networking", true),
	chromedp.Flag("disable-component-update", true),
	chromedp.Flag("disable-sync", true),
	chromedp.Flag("disable-dev-shm-usage", true),
	// A tab in the background is under test as much as one in front.
	chromedp.Flag("disable-background-timer-throttling", true),
	chromedp.Flag("disable-renderer-backgrounding", true),
	chromedp.Flag("disable-backgrounding-occluded-windows", true),
	// A tab here has a window of its own, and each window loads two hidden pages for the list under
	// its address bar: a quarter of the CPU time of opening a page, and nobody types an address. A renderer
	// kept ready for the next address starts with each page, and ends unused with its tab. Tabs at two ports of a host
	// may share a process (common).
	without(),
	chromedp.Flag("disable-extensions", true),
	// Memory that a compiler frees is given back to the system at once, and asked for again: a third of what the threads
	// do that compile the engine, and a tenth of a test's CPU time. With more empty spans it is kept.
	chromedp.Flag("enable-features", "PartitionAllocLargeEmptySlotSpanRing,BlinkUseLargeEmptySlotSpanRingForBufferRoot"),
}

// without leaves parts of Chromium out, beside those that no test here needs.
func without(features ...string) chromedp.ExecAllocatorOption {
	never := []string{"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
		"SpareRendererForSitePerProcess", "OriginKeyedProcessesByDefault"}
	return chromedp.Flag("disable-features", strings.Join(append(never, features...), ","))
}

// rarelyOptimized lets V8 compile a function of the engine a second time, with optimizations, only after 30 times as
// much work as by itself: in the short runs of most tests that takes longer than it saves, a fifth of their CPU
// time. What a browser does by itself is under test in TestSameBitsEverywhere.
var rarelyOptimized = chromedp.Flag("js-flags", "--wasm-tiering-budget=400000000")

// Where there is no GPU, only the moving picture is drawn by the software renderer of
// WebGL. Everything else of the page is drawn as on a machine without a GPU, which takes a
// fifth of a test's CPU time less than through that renderer.
var (
	withGraphics = []chromedp.ExecAllocatorOption{
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-gpu-compositing", true), chromedp.Flag("disable-gpu-rasterization", true), chromedp.Flag("disable-accelerated-2d-canvas", true),
	}
	withoutGraphics = []chromedp.ExecAllocatorOption{chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-3d-apis", true)}
)

// start runs a Chromium; stop ends it and removes its profile.
func start(path string, flags []chromedp.ExecAllocatorOption) (b *browser, stop func(), err error) {
	profile, err := os.MkdirTemp("", "burstscope-chromium")
	if err != nil {
		return nil, nil, err
	}
	options := append([]chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(profile)}, commonFlags...)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), append(options, flags...)...)
	ctx, stopBrowser := chromedp.NewContext(allocator)
	stop = func() {
		stopBrowser()
		stopAllocator()
		// Its helpers may write for another moment; what stays is in the folder for
		// temporary files.
		_ = os.RemoveAll(profile)
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, fmt.Errorf("Chromium does not start: %w", err)
	}
	return &browser{ctx: ctx}, stop, nil
}

// launch runs a Chromium for one test.
func launch(t *testing.T, flags []chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	b, stop, err := start(findBrowser(t), flags)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return b
}

// common is a browser that tests share. A page keeps what it stores by its address, and every test has servers at new
// ones, so the first tab at an address finds nothing stored; a later one there has a profile of its own. Tabs of one
// profile share a process, in which V8 compiles the engine once for all of them: a quarter of a test's CPU time.
type common struct {
	flags []chromedp.ExecAllocatorOption
	sync.Mutex
	*browser
	stop func()
}

var oneProcess = chromedp.Flag("process-per-site", true)

// Most tests share ordinary. Those with long runs share optimizing, which compiles as a browser does by itself. So does
// one that makes many instances of modules: each reserves 8 GB of a process's addresses.
var (
	ordinary   = common{flags: append(slices.Clone(withGraphics), rarelyOptimized, oneProcess)}
	optimizing = common{flags: append(slices.Clone(withGraphics), oneProcess)}
)

// started returns the browser, which the first test starts.
func (c *common) started(t *testing.T) *browser {
	t.Helper()
	path := findBrowser(t)
	c.Lock()
	defer c.Unlock()
	if c.browser == nil {
		b, stop, err := start(path, c.flags)
		if err != nil {
			t.Fatal(err)
		}
		b.seen = map[string]bool{}
		c.browser, c.stop = b, stop
	}
	return c.browser
}

func shared(t *testing.T) *browser {
	t.Helper()
	return ordinary.started(t)
}

// withoutServiceWorker makes a page as in a browser that has no service workers. To keep the
// whole page for later visits, which a test makes none of, takes a fifth of the CPU time of
// opening it.
var withoutServiceWorker = command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete Navigator.prototype.serviceWorker"})

// patient keeps the page from starting the moving picture by itself 8 s after its run
// (site/src/page/watched.ts), which takes most of a core while a test looks at other things. A test
// starts it by tab.look, or by calling patience() in the page as the time would.
var patient = command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `(() => {
	const later = window.setTimeout.bind(window);
	window.setTimeout = (f, ms, ...of) => (ms === 8000 ? ((window.patience = f), 0) : later(f, ms, ...of));
})()`})

// rareFrames lets a page draw only once in so many milliseconds: where its drawing is not under test, it takes a sixth
// of the CPU time of a short run, a quarter of that of a long one, and more with a moving picture.
func rareFrames(milliseconds int) chromedp.Action[chromedp.Void] {
	return command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(`
		window.requestAnimationFrame = f => setTimeout(() => f(performance.now()), %d);
		window.cancelAnimationFrame = clearTimeout;`, milliseconds)})
}

// open makes a tab in the shared browser. Tests of what a service worker does begin with
// shared(t).open.
func open(t *testing.T, url string, setup ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	return shared(t).openLean(t, url, setup...)
}

// openLong is open for a test with long runs.
func openLong(t *testing.T, url string, setup ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	return optimizing.started(t).openLean(t, url, setup...)
}

// openLean makes a tab without what takes CPU time and most tests have no use for. One engine runs both sides of a
// scenario there: a second one starts and compiles the same again.
func (b *browser) openLean(t *testing.T, url string, setup ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	lean := []chromedp.Action[chromedp.Void]{withoutServiceWorker, patient, rareFrames(100), cores(1)}
	return b.open(t, url, append(lean, setup...)...)
}

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(programFolder)
	for _, c := range []*common{&ordinary, &optimizing} {
		if c.stop != nil {
			c.stop()
		}
	}
	os.Exit(code)
}

// site is a server of the built page. Files in held are kept back until let. A request for what is not there fails the
// test: no journey of a reader asks for such a thing.
type site struct {
	*httptest.Server
	mu     sync.Mutex
	held   map[string]chan struct{}
	absent []string // requests that were answered with 404
}

// noted is a response whose status is noted.
type noted struct {
	http.ResponseWriter
	status int
}

func (a *noted) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// ports are those of all servers of this process.
var ports sync.Map

// newServer is httptest.NewServer at a port that no server had before, so that no page finds what another test's page
// stored at its address.
func newServer(h http.Handler) *httptest.Server {
	for {
		s := httptest.NewUnstartedServer(h)
		if _, had := ports.LoadOrStore(s.Listener.Addr().String(), true); !had {
			s.Start()
			return s
		}
		_ = s.Listener.Close()
	}
}

func serve(t *testing.T) *site {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		t.Fatal("the page is not built: run ./build.sh build")
	}
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{held: map[string]chan struct{}{}}
	s.Server = newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		gate := s.held[r.URL.Path]
		s.mu.Unlock()
		if gate != nil {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		a := &noted{w, http.StatusOK}
		if files.ServeHTTP(a, r); a.status == http.StatusNotFound {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.absent = append(s.absent, r.URL.Path)
		}
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		if len(s.absent) > 0 {
			t.Errorf("requests ended in 404: %q", s.absent)
		}
	})
	return s
}

// published is dist/build.json: where the build put the files of the tree.
type published struct {
	Version, Build string
	Files          map[string]string
	Pages, Public  []string
}

func readBuild(t *testing.T) published {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dist, "build.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b published
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// hold keeps a file of the tree ("engine.wasm") back; the function it returns lets
// it go.
func (s *site) hold(t *testing.T, name string) (let func()) {
	t.Helper()
	path := "/" + name
	if hashed := readBuild(t).Files[name]; hashed != "" {
		path = "/" + hashed
	}
	gate := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[path] = gate
	return sync.OnceFunc(func() { close(gate) })
}

// tab is one open page with a profile of its own.
type tab struct {
	t   *testing.T
	ctx context.Context
	mu  sync.Mutex
	bad []string // uncaught exceptions
}

// open makes a tab; setup runs before the page is loaded.
func (b *browser) open(t *testing.T, address string, setup ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	var profile []chromedp.ContextOption
	if !b.first(address) {
		profile = append(profile, chromedp.WithNewBrowserContext())
	}
	ctx, stop := chromedp.NewContext(b.ctx, profile...)
	p := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		if t.Failed() {
			p.describe()
		}
		stop()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, e := range p.bad {
			t.Errorf("the page threw: %s", e)
		}
	})
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	// Every tab has the focus, as the one window that a person looks at.
	setup = append(setup, command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}), chromedp.Navigate(address))
	for _, action := range setup {
		p.do(action)
	}
	return p
}

// look moves a pointer over the page, as a person does: the moving picture waits for
// that (site/src/page/watched.ts), and costs what a test without it saves.
func (p *tab) look() {
	p.t.Helper()
	eval[any](p, "void "+looks)
}

// looks is a pointer that moves. One that rests is no reader.
const looks = `dispatchEvent(new PointerEvent("pointermove", {movementX: 1}))`

func (p *tab) hear(event any) {
	if e, ok := event.(*runtime.EventExceptionThrown); ok {
		text := e.ExceptionDetails.Text
		if o := e.ExceptionDetails.Exception; o != nil && o.Description != "" {
			text = o.Description
		}
		p.mu.Lock()
		p.bad = append(p.bad, text)
		p.mu.Unlock()
	}
}

func (p *tab) do(action chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, action); err != nil {
		p.t.Fatal(err)
	}
}

// eval evaluates an expression, or waits for the promise it is.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// leaveFor goes to a page and does not wait until it is loaded: one whose script is held back never is.
func (p *tab) leaveFor(url string) {
	p.t.Helper()
	eval[any](p, "void setTimeout(() => { location.href = "+quote(url)+"; })")
}

// wait waits until an expression is true. The page's state is S in it, once there
// is one.
func (p *tab) wait(expression string) {
	p.t.Helper()
	full := fmt.Sprintf("(S => S !== undefined && (%s))(window.burstscope?.state)", expression)
	_, err := chromedp.Run(p.ctx, chromedp.Poll[chromedp.Void](full, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		p.t.Fatalf("waiting for %s: %v", expression, err)
	}
}

// state is what tests read of window.burstscope.state.
type state struct {
	Phase        string
	Run          int
	Engines      int
	ResultHashes map[string]string
	Results      map[string]json.RawMessage
	Progress     struct {
		Phase    string
		Fraction float64
	}
	Error    *fault
	Messages []fault
	View     struct {
		Ready, Failed                                                   bool
		Window, Cycle, Tick, BurstsDrawn, SavedDrawn, ApproximatedDrawn float64
	}
	Picture string
	Cycle   float64
	Cycles  float64
	Speed   float64
	Playing bool
	Outputs map[string]int
}

type fault struct{ What, Where, Mend string }

func (f fault) String() string { return strings.TrimSpace(f.What + " " + f.Where + " " + f.Mend) }

func (p *tab) state() state {
	p.t.Helper()
	var s state
	data := eval[string](p, "JSON.stringify(window.burstscope.state)")
	if err := json.Unmarshal([]byte(data), &s); err != nil {
		p.t.Fatalf("window.burstscope.state: %v", err)
	}
	return s
}

// settled is a promise of the page: it draws what it knows with the next frame, and what does not fit into
// that frame in turns after it (site/src/lib/turns.ts). While the run is played, every frame asks for more.
const settled = `new Promise(done => {
	const playing = () => window.burstscope?.state?.playing;
	const look = () => (t => t && t.due.length + (playing() ? 0 : t.asked.length) > 0 ? setTimeout(look) : done(0))(window.burstscopeTurns);
	requestAnimationFrame(() => requestAnimationFrame(look));
})`

// settle waits until the page shows what it knows.
func (p *tab) settle() {
	p.t.Helper()
	eval[any](p, settled)
}

// finish waits for the end of a run and fails unless it is a result.
func (p *tab) finish() state {
	p.t.Helper()
	p.wait(`["done","error","cancelled"].includes(S.phase)`)
	p.settle()
	s := p.state()
	if s.Phase != "done" {
		p.t.Fatalf("the run ended as %s: %v", s.Phase, s.Messages)
	}
	return s
}

// describe says what is on the page of a test that failed, and keeps a picture.
func (p *tab) describe() {
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	if data, err := chromedp.Run(ctx, chromedp.Evaluate[string]("JSON.stringify(window.burstscope?.state, (k, v) => k === 'results' ? undefined : v)")); err == nil {
		p.t.Logf("state of the page: %s", data)
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return
	}
	name := "failed-" + strings.ReplaceAll(p.t.Name(), "/", "-") + ".png"
	if keep(name, picture) == nil {
		p.t.Logf("picture of the page: dist/screenshots/%s", name)
	}
}

// screenshot keeps what the tab shows as dist/screenshots/NAME.
func (p *tab) screenshot(name string) []byte {
	p.t.Helper()
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = keep(name, picture)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return picture
}

func keep(name string, picture []byte) error {
	folder := filepath.Join(dist, "screenshots")
	return errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, name), picture, 0o644))
}

// command wraps a command of the protocol as an action.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}
