package e2e

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/serve/static"
)

// numbersVariable names the folder of another build of the page. The walk then reports what it finds there and fails
// nothing: that is how it is shown to find the faults of an older page.
const numbersVariable = "BURSTSCOPE_NUMBERS_OF"

//go:embed testdata/numbers.js
var noteNumbers string

// outcome is a side's result, as JSON has it.
type outcome struct {
	ResultHash, Version, ErrorMetric string
	Cycles                           float64
	Error                            *float64
	Stats, Metrics                   map[string]float64
}

// made is a pair of results and the name that stands above it on the page.
type made struct {
	title, name string
	shipped     bool // as the site ships it, so pictures that the build made show it
	a, b        *outcome
	allocations []string            // of the program; none if it is not known
	differ      map[string][]uint64 // of each output: elements that differ from the exact ones, on side A and B
	compared    *compared           // in place of a and b
}

// nativeMade computes both sides of a scenario outside of the browser.
func nativeMade(t *testing.T, name string, s *scenario.Scenario) *made {
	t.Helper()
	m := &made{title: s.Title, name: name, differ: map[string][]uint64{}}
	a, b := s.Sides()
	for i, side := range []*scenario.Scenario{a, b} {
		plan, err := experiment.PlanOf(side)
		if err != nil {
			t.Fatal(err)
		}
		run, err := experiment.New(plan, experiment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := run.Finish()
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		m.take(t, i, data)
		for k, at := range plan.Program.Outputs() {
			b := &plan.Program.Buffers[at]
			m.differ[b.Name] = append(m.differ[b.Name], workload.Compare(b, result.Exact[k], result.Outputs[k]).Different)
		}
		for _, buffer := range plan.Program.Buffers {
			m.allocations = append(m.allocations, buffer.Name)
		}
	}
	return m
}

func (m *made) take(t *testing.T, side int, data []byte) {
	t.Helper()
	o := &outcome{}
	if err := json.Unmarshal(data, o); err != nil {
		t.Fatal(err)
	}
	if side == 0 {
		m.a = o
	} else {
		m.b = o
	}
}

// ofPage fills in the results that the page came to, for programs that only it has. Other tests hold such results to
// those of the native program.
func (m *made) ofPage(p *tab) *made {
	p.t.Helper()
	s := p.state()
	for i, side := range []string{"A", "B"} {
		if s.Results[side] == nil {
			p.t.Fatalf("%s has no result of side %s", m.title, side)
		}
		m.take(p.t, i, s.Results[side])
	}
	return m
}

// sight is what a frame shows at a moment.
type sight struct {
	At    float64 // milliseconds since 1970
	Frame string
	Name  string // that stands above the numbers
	Parts [][3]string
}

// step is a part of a walk, which begins with what somebody does.
type step struct {
	way   string
	began float64
	moved float64 // when the page had learned of it
	now   []*made // what the page may show under their names from then on
}

// walk is one way through the page. It keeps what all frames showed, and judges it at its end.
type walk struct {
	t      *testing.T
	site   *walkSite
	known  map[string]*made // the shipped scenarios
	report *findings
	*tab

	mu     sync.Mutex
	steps  []step
	sights []sight
	asked  []string // requests that found nothing
}

// findings are the faults of all walks, by way.
type findings struct {
	mu   sync.Mutex
	ways []string
	said map[string][]string
}

func (f *findings) add(way string, faults ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.said[way]; !ok {
		f.ways = append(f.ways, way)
		f.said[way] = []string{}
	}
	for _, fault := range faults {
		if !slices.Contains(f.said[way], fault) {
			f.said[way] = append(f.said[way], fault)
		}
	}
}

// walkSite serves a build. The engine is kept back while the gate is closed.
type walkSite struct {
	*httptest.Server
	mu     sync.Mutex
	gate   chan struct{}
	opened func()
}

var enginePath = regexp.MustCompile(`/engine-[0-9a-f]+\.wasm$`)

func serveWalk(t *testing.T, folder string) *walkSite {
	t.Helper()
	files, err := static.Handler(folder)
	if err != nil {
		t.Fatal(err)
	}
	s := &walkSite{gate: make(chan struct{})}
	s.opened = sync.OnceFunc(func() { close(s.gate) })
	s.Server = newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if enginePath.MatchString(r.URL.Path) {
			select {
			case <-s.gate:
			case <-r.Context().Done():
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.opened()
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// letEngine lets the engine load.
func (s *walkSite) letEngine() { s.opened() }

// walks are the ways into a result.
type walks struct {
	folder string
	known  map[string]*made
	report *findings
}

// begin opens an empty tab that notes what it will show.
func (ws *walks) begin(t *testing.T, b *browser, setup ...chromedp.Action[chromedp.Void]) *walk {
	t.Helper()
	w := &walk{t: t, site: serveWalk(t, ws.folder), known: ws.known, report: ws.report}
	w.tab = b.open(t, "about:blank", append([]chromedp.Action[chromedp.Void]{patient,
		command(runtime.AddBinding, runtime.AddBindingParams{Name: "noteNumbers"}),
		command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: noteNumbers}),
		rareFrames(150), // what the page draws with its next frame comes late, as on a slow machine
	}, setup...)...)
	if err := chromedp.Listen(w.ctx, w.note); err != nil {
		t.Fatal(err)
	}
	w.do(command(network.Enable, network.EnableParams{}))
	return w
}

func (w *walk) note(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventBindingCalled:
		var s sight
		if e.Name == "noteNumbers" && json.Unmarshal([]byte(e.Payload), &s) == nil {
			w.sights = append(w.sights, s)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			w.asked = append(w.asked, fmt.Sprintf("the request of %s ends in %d", regexp.MustCompile(`^https?://[^/]*`).ReplaceAllString(e.Response.URL, ""), e.Response.Status))
		}
	}
}

// step begins a part of the walk. now are the results whose numbers may be shown under their names from here on, without
// a word that they are of another run.
func (w *walk) step(way string, now ...*made) {
	w.report.add(way)
	at := float64(time.Now().UnixMicro()) / 1000
	w.steps = append(w.steps, step{way, at, at, now})
}

// does begins a part of the walk with what JavaScript does in the page, at that very moment.
func (w *walk) does(way, script string, now ...*made) { w.doesUntil(way, script, "true", now...) }

// doesUntil is does where the page learns of it later, when a condition holds.
func (w *walk) doesUntil(way, script, learned string, now ...*made) {
	w.t.Helper()
	w.step(way, now...)
	times := eval[[]float64](w.tab, fmt.Sprintf(`new Promise(done => {
		const at = performance.timeOrigin + performance.now();
		{ %s }
		const look = () => (S => %s)(window.burstscope?.state) ? done([at, performance.timeOrigin + performance.now()]) : setTimeout(look, 5);
		look();
	})`, script, learned))
	last := &w.steps[len(w.steps)-1]
	last.began, last.moved = times[0], times[1]
}

// fault is one that the walk itself finds.
func (w *walk) fault(said string) { w.report.add(w.steps[len(w.steps)-1].way, said) }

// soonBuilt waits until the page shows a result although the engine is not there.
func (w *walk) soonBuilt(m *made) {
	w.t.Helper()
	poll := fmt.Sprintf(`document.getElementById("headline")?.checkVisibility({visibilityProperty: true}) && document.querySelector("[data-row=cycles] [data-side=B]").textContent === %q`, grouped(int(m.b.Cycles)))
	if becomes(w.tab, poll) != nil { // the engine is kept back
		w.fault("before the engine is there, " + m.title + " has no numbers")
	}
}

// shows waits until some frame shows the cycles of a result that it has run.
func (w *walk) shows(m *made) {
	w.t.Helper()
	shown := func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return slices.ContainsFunc(w.sights, func(s sight) bool {
			return s.Name == m.title && slices.ContainsFunc(s.Parts, func(part [3]string) bool {
				return part[0] == "#status" && strings.HasPrefix(part[2], "Done")
			})
		})
	}
	for end := time.Now().Add(patience); !shown(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s was not run", m.title)
		}
	}
	time.Sleep(300 * time.Millisecond)
}

// turned is JavaScript that sets a field as a person does.
func turned(id, value string) string {
	return fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("change", {bubbles: true})); })(document.getElementById(%q))`, value, id)
}

// cameBuilt finds a fault unless the page has shown a result before it had run it.
func (w *walk) cameBuilt(m *made) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sights {
		built, numbers := false, false
		for _, part := range s.Parts {
			built = built || part[0] == "#status" && strings.Contains(part[2], "made when this page was built")
			numbers = numbers || part[1] == "cycles/B" && w.judgePart(m, part) == ""
		}
		if built && numbers && s.Name == m.title {
			return
		}
	}
	w.report.add(w.steps[len(w.steps)-1].way, "before the engine is there, "+m.title+" has no numbers")
}

// ran waits for the end of a run after run number n.
func (w *walk) ran(n int) state {
	w.t.Helper()
	w.wait(fmt.Sprintf(`S.run > %d && ["done", "error", "cancelled"].includes(S.phase)`, n))
	w.settle()
	time.Sleep(200 * time.Millisecond) // two looks at what stays
	return w.state()
}

// graceMS is how long a slow machine may take to paint that numbers are of other settings of the same program.
const graceMS = 10_000

// judge goes through all that was shown.
func (w *walk) judge() {
	time.Sleep(200 * time.Millisecond)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.add(w.steps[0].way, w.asked...)
	frames := map[string][]sight{}
	for _, s := range w.sights {
		frames[s.Frame] = append(frames[s.Frame], s)
	}
	for _, list := range frames {
		for i, s := range list {
			until := math.Inf(1)
			if i+1 < len(list) {
				until = list[i+1].At
			}
			for k := range w.steps {
				began, ends := w.steps[k].began, math.Inf(1)
				if k+1 < len(w.steps) {
					ends = w.steps[k+1].began
				}
				if k == 0 {
					began = 0
				}
				if s.At >= ends || until <= began {
					continue
				}
				settled := s.At > w.steps[k].moved || min(until, ends) > w.steps[k].moved+graceMS
				w.judgeSight(k, s, settled)
			}
		}
	}
	if len(w.sights) == 0 {
		w.report.add(w.steps[0].way, "nothing was noted")
	}
}

// markOf tells whether the page says that its numbers are of another run.
var markOf = regexp.MustCompile(`run before|settings changed`)

func (w *walk) judgeSight(k int, s sight, settled bool) {
	mark := slices.ContainsFunc(s.Parts, func(p [3]string) bool { return p[0] == "#stale" && markOf.MatchString(p[2]) })
	titled := func(list []*made) (found []*made) {
		for _, m := range list {
			if m.title == s.Name {
				found = append(found, m)
			}
		}
		return found
	}
	candidates := titled(w.steps[k].now)
	if len(candidates) == 0 || mark || !settled {
		for _, before := range w.steps[:k] {
			candidates = append(candidates, titled(before.now)...)
		}
	}
	if len(candidates) == 0 {
		for _, m := range w.known {
			if m.title == s.Name {
				candidates = append(candidates, m)
			}
		}
	}
	for _, part := range s.Parts {
		if part[0] == "moving" {
			if part[2] != s.Name {
				w.report.add(w.steps[k].way, fmt.Sprintf("under “%s” stands the moving picture of “%s”", s.Name, part[2]))
			}
			continue
		}
		of := candidates
		if part[0] == "img" && part[1] != "" { // a picture outside of the frame, of the element's scenario
			of = nil
			if m := w.known[part[1]]; m != nil {
				of = append(of, m)
			}
		}
		why := ""
		for _, m := range of {
			if why = w.judgePart(m, part); why == "" {
				break
			}
		}
		if len(of) == 0 {
			why = w.judgePart(nil, part)
		}
		if why != "" {
			w.report.add(w.steps[k].way, fmt.Sprintf("%s: under “%s” %s shows %s", strings.Fields(s.Frame)[0], s.Name, strings.TrimSpace(part[0]+" "+part[1]), why))
		}
	}
}

// digits are those of a result: names of units of the machine and axes have none.
func digits(s string) bool {
	return regexp.MustCompile(`\d`).MatchString(regexp.MustCompile(`\bL[12]\b|E2MC-\d+|\b100\b|\b0\b`).ReplaceAllString(s, ""))
}

var (
	number     = regexp.MustCompile(`([−+×-]?)(\d[\d,]*(?:\.\d+)?)(?:e([−-]?\d+))?(?:[\x{202f} ](GB|MB|kB|B|G|M|k|J|mJ|µJ|nJ|pJ|fJ|s|ms|µs|%)(?:\b|$|[^\w]))?`)
	wholes     = regexp.MustCompile(`\b\d{1,3}(?:,\d{3})+\b|\b\d{4,}\b`)
	hashes     = regexp.MustCompile(`\b[0-9a-f]{12}\b`)
	units      = map[string]float64{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "k": 1e3, "M": 1e6, "G": 1e9, "%": 0.01, "J": 1, "mJ": 1e-3, "µJ": 1e-6, "nJ": 1e-9, "pJ": 1e-12, "fJ": 1e-15, "s": 1, "ms": 1e-3, "µs": 1e-6}
	chartOf    = map[string]string{"t-l1": "lines", "t-xbar": "requests", "t-l2": "xbarBytes", "t-mc": "blockBytes", "t-dram": "dramBytes", "node-sm": "ipc", "node-l1": "l1HitRate", "node-xbar": "xbarBusy", "node-l2": "l2HitRate", "node-mc": "readQueue", "node-dram": "busBusy", "node-meta": "metadataHitRate", "node-saved": "savedBytes"}
	allocation = regexp.MustCompile(`0x[0-9a-f]+ in (\w+)`)
)

// isFigure tells whether a text is a value, as exactly as it is written.
func isFigure(text string, v float64) bool {
	m := number.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64)
	if err != nil {
		return false
	}
	scale := units[m[4]]
	if m[3] != "" {
		e, _ := strconv.Atoi(strings.ReplaceAll(m[3], "−", "-"))
		scale *= math.Pow(10, float64(e))
	}
	decimals := 0
	if _, after, ok := strings.Cut(m[2], "."); ok {
		decimals = len(after)
	}
	if m[1] == "−" || m[1] == "-" {
		x = -x
	}
	return math.Abs(x*scale-v) <= 0.5001*scale*math.Pow(10, -float64(decimals))+1e-9*math.Abs(v)
}

// judgePart says what is wrong with a part of the page under the name of a result; without a result every number is.
func (w *walk) judgePart(m *made, part [3]string) string {
	region, slot, text := part[0], part[1], part[2]
	if region == "#stale" || region == "other" && !wholes.MatchString(text) {
		return ""
	}
	quoted := fmt.Sprintf("%.120q", text)
	if region == "#stage" && strings.Contains(text, "in a few seconds") && m != nil && m.a == nil {
		return quoted + ", which never comes"
	}
	if region == "img" {
		if m == nil || !m.shipped || m.name != text {
			return "the picture of " + text
		}
		return ""
	}
	if region == "#sweep-table" {
		if m == nil {
			return judgeCompared(nil, slot, text)
		}
		return judgeCompared(m.compared, slot, text)
	}
	if m == nil || m.a == nil {
		if region == "#results" && slot == "" || region == "#time" || region == "#inspector" || region == "#stage" {
			return w.foreign(m, region, text)
		}
		if region == "#status" && strings.HasPrefix(text, "Running") || !digits(text) {
			return ""
		}
		return quoted + " without a result"
	}
	switch region {
	case "#headline":
		return judgeHeadline(m, text)
	case "#results":
		return judgeRow(m, slot, text)
	case "#chart":
		name := chartOf[slot]
		if name == "" || !number.MatchString(strings.TrimPrefix(strings.TrimPrefix(text, "L1"), "L2")) {
			return ""
		}
		for _, o := range []*outcome{m.a, m.b} {
			if v, ok := o.Metrics[name]; ok && isFigure(text, v) {
				return ""
			}
		}
		return quoted
	case "#why":
		return judgeWhy(m, text)
	case "#values":
		return judgeValues(m, text)
	case "#status", "#answer":
		for _, hash := range hashes.FindAllString(text, -1) {
			if !strings.HasPrefix(m.a.ResultHash, hash) && !strings.HasPrefix(m.b.ResultHash, hash) {
				return "the hash " + hash
			}
		}
		if region == "#status" {
			return ""
		}
	}
	return w.foreign(m, region, text)
}

// foreign finds whole numbers and allocations that belong to another result, in parts that hold more than figures.
func (w *walk) foreign(m *made, region, text string) string {
	if region == "#inspector" && m != nil && m.allocations != nil {
		for _, found := range allocation.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(m.allocations, found[1]) {
				return fmt.Sprintf("a block of %s: %.200q", found[1], text)
			}
		}
	}
	if region == "#inspector" && m != nil && m.a == nil && allocation.MatchString(text) {
		return "a block of another program"
	}
	for _, n := range wholes.FindAllString(text, -1) {
		v, err := strconv.ParseFloat(strings.ReplaceAll(n, ",", ""), 64)
		if err != nil || has(m, v) {
			continue
		}
		for _, other := range w.known {
			if other != m && (v == other.a.Cycles || v == other.b.Cycles) {
				return n + ", the cycles of " + other.title
			}
		}
	}
	return ""
}

func has(m *made, v float64) bool {
	if m == nil || m.a == nil {
		return false
	}
	for _, o := range []*outcome{m.a, m.b} {
		for _, values := range []map[string]float64{o.Stats, o.Metrics, {"cycles": o.Cycles}} {
			for _, x := range values {
				if x == v {
					return true
				}
			}
		}
	}
	return false
}

func judgeRow(m *made, slot, text string) string {
	name, side, _ := strings.Cut(slot, "/")
	row := metric.Find(name)
	if row == nil || side == "" || !number.MatchString(text) {
		return ""
	}
	a, b := m.a.Metrics[name], m.b.Metrics[name]
	fits := false
	switch {
	case side == "A":
		fits = isFigure(text, a)
	case side == "B":
		fits = isFigure(text, b)
	case row.Compare == "speedup":
		fits = isFigure(text, a/b)
	case row.Compare == "change":
		fits = isFigure(text, b/a-1)
	default:
		fits = true // words, and settings
	}
	if fits {
		return ""
	}
	return fmt.Sprintf("%q", text)
}

func judgeHeadline(m *made, text string) string {
	was := func(pattern string, v float64) bool {
		found := regexp.MustCompile(pattern).FindStringSubmatch(text)
		return found == nil || isFigure(found[1], math.Abs(v))
	}
	const figure = `(\S+\x{202f}%)`
	fits := was(`moves `+figure, 1-m.b.Metrics["dramBytes"]/m.a.Metrics["dramBytes"]) && was(`finishes `+figure, 1-m.b.Cycles/m.a.Cycles)
	if m.b.Error != nil {
		fits = fits && was(`changes by `+figure, *m.b.Error)
	}
	if m.a.Error != nil {
		fits = fits && was(`against `+figure, *m.a.Error)
	}
	if fits {
		return ""
	}
	return fmt.Sprintf("%q", text)
}

var (
	outputShown    = regexp.MustCompile(`^(\w+): ([\d,]+) elements of type`)
	elementsDiffer = regexp.MustCompile(`([AB]): (?:([\d,]+) of [\d,]+ elements differ|every element is exact)`)
)

// judgeValues finds values of another output, and a number of wrong elements that is not of the side.
func judgeValues(m *made, text string) string {
	shown := outputShown.FindStringSubmatch(text)
	if m.differ == nil || shown == nil {
		return ""
	}
	want := m.differ[shown[1]]
	if len(want) != 2 {
		return "the output " + shown[1]
	}
	for _, found := range elementsDiffer.FindAllStringSubmatch(text, -1) {
		n := strings.ReplaceAll(found[2], ",", "")
		if is := strconv.FormatUint(want[found[1][0]-'A'], 10); n != is && (n != "" || is != "0") {
			return fmt.Sprintf("%q, where %s elements differ", found[0], is)
		}
	}
	return ""
}

// causes are the numbers of the sentence why, by their last word.
var causes = map[string]func(o *outcome) float64{
	"waiting": func(o *outcome) float64 { return o.Stats["stallMemoryCycles"] },
	"bytes":   func(o *outcome) float64 { return o.Metrics["dramBytes"] },
	"L2":      func(o *outcome) float64 { return o.Stats["l2Misses"] },
	"time": func(o *outcome) float64 {
		return o.Stats["readLatencyCycles"] / o.Stats["readBlocksServed"]
	},
	"row": func(o *outcome) float64 { return o.Metrics["rowHitRate"] }, "metadata": func(o *outcome) float64 { return o.Metrics["metadataHitRate"] }, "L1": func(o *outcome) float64 { return o.Metrics["l1HitRate"] },
}

func judgeWhy(m *made, text string) string {
	for _, found := range regexp.MustCompile(`([\d.]+\x{202f}%) (?:more|fewer|less) (?:cycles )?(\w+)`).FindAllStringSubmatch(text, -1) {
		if of := causes[found[2]]; of != nil && !isFigure(found[1], math.Abs(of(m.b)/of(m.a)-1)) {
			return fmt.Sprintf("%q", found[0])
		}
	}
	for _, found := range regexp.MustCompile(`([\d.]+) points (?:more|fewer) (\w+)`).FindAllStringSubmatch(text, -1) {
		if of := causes[found[2]]; of != nil && !isFigure(found[1], 100*math.Abs(of(m.b)-of(m.a))) {
			return fmt.Sprintf("%q", found[0])
		}
	}
	if found := regexp.MustCompile(`finishes ([\d.]+\x{202f}%)`).FindStringSubmatch(text); found != nil && !isFigure(found[1], math.Abs(1-m.b.Cycles/m.a.Cycles)) {
		return fmt.Sprintf("%q", found[0])
	}
	return ""
}

// print lists the ways and what was found; ways with faults come last, where a log that is cut still has them.
func (f *findings) print(t *testing.T) (faults int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	slices.SortStableFunc(f.ways, func(a, b string) int { return cmp.Compare(len(f.said[a]), len(f.said[b])) })
	for _, way := range f.ways {
		fmt.Fprintf(&b, "%-58s %d\n", way, len(f.said[way]))
		for _, fault := range f.said[way] {
			fmt.Fprintf(&b, "    %s\n", fault)
			faults++
		}
	}
	t.Logf("%d ways, %d faults\n%s", len(f.ways), faults, b.String())
	return faults
}

// folderOfNumbers is the build under test.
func folderOfNumbers(t *testing.T) (folder string, another bool) {
	t.Helper()
	if other := os.Getenv(numbersVariable); other != "" {
		return other, true
	}
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		t.Fatal("the page is not built: run ./build.sh build")
	}
	return dist, false
}
