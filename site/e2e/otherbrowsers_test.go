package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/serve/static"
)

// window is one window of Firefox or WebKit.
type window struct {
	driver
	t *testing.T
}

// value is the value of an expression in a window.
func value[T any](w window, expression string) T {
	w.t.Helper()
	data, err := w.eval(expression)
	var v T
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func (w window) visit(url string) {
	w.t.Helper()
	if err := w.open(url); err != nil {
		w.t.Fatalf("%s: %v", url, err)
	}
}

// until waits until an expression is true; S is the state of the page in it.
func (w window) until(expression string) {
	w.t.Helper()
	full := fmt.Sprintf("(S => !!(%s))(window.burstscope?.state ?? {})", expression)
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		data, err := w.eval(full)
		if err == nil && string(data) == "true" {
			return
		}
		if time.Since(begin) > patience {
			w.shot("failed")
			w.t.Fatalf("waiting for %s: %v; the page is %s and says %s", expression, err, value[string](w, `JSON.stringify(window.burstscope?.state?.phase ?? null)`),
				value[string](w, `document.body.innerText.slice(0, 2000)`))
		}
	}
}

// finished waits for the end of a run and gives its hashes; anything that the page says is a fault.
func (w window) finished() map[string]string {
	w.t.Helper()
	w.until(`["done", "error", "cancelled"].includes(S.phase) || S.messages.length > 0`)
	if said := value[string](w, `JSON.stringify(window.burstscope.state.messages)`); said != "[]" {
		w.t.Errorf("the page says %s", said)
	}
	return value[map[string]string](w, `window.burstscope.state.resultHashes ?? {}`)
}

func (w window) shot(name string) {
	w.t.Helper()
	folder := filepath.Join(dist, "screenshots")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		w.t.Fatal(err)
	}
	file := filepath.Join(folder, strings.NewReplacer("/", "-", " ", "-").Replace(w.t.Name())+"-"+name+".png")
	if err := w.picture(file); err != nil {
		w.t.Errorf("%s: %v", file, err)
	}
}

// same compares hashes by side.
func same(t *testing.T, want, got map[string]string) {
	t.Helper()
	for side, hash := range want {
		if hash == "" || got[side] != hash {
			t.Errorf("side %s: natively %s, here %s", side, hash, got[side])
		}
	}
}

// known are the native hashes of scenarios, which both browsers are compared with.
var known struct {
	sync.Mutex
	hashes map[string]map[string]string
}

// nativeHashes are those of both sides of a shipped scenario.
func nativeHashes(t *testing.T, name string) map[string]string {
	t.Helper()
	known.Lock()
	defer known.Unlock()
	if hashes := known.hashes[name]; hashes != nil {
		return hashes
	}
	s := *shippedScenarios(t)[name]
	if size := sizeElsewhere(name, &s); size > 0 {
		s.Workload.Size = size
	}
	hashes := map[string]string{}
	for side, memory := range sides(&s) {
		hashes[side] = nativeHash(t, &s, memory)
	}
	if known.hashes == nil {
		known.hashes = map[string]map[string]string{}
	}
	known.hashes[name] = hashes
	return hashes
}

// sizeElsewhere is the input of a scenario in browsers other than Chromium: WebKitGTK runs the engine ten times slower.
// The page's first scenario has its own, 0.
func sizeElsewhere(name string, s *scenario.Scenario) int {
	if name == "tp" {
		return 0
	}
	return sizeUnderNode[s.Workload.Name]
}

func TestFirefox(t *testing.T) { testBrowser(t, startFirefox) }
func TestWebKit(t *testing.T)  { testBrowser(t, startWebKit) }

// testBrowser is what a reader does in each browser.
func testBrowser(t *testing.T, start func(*testing.T) driver) {
	t.Parallel()
	d := start(t)
	for _, c := range []struct {
		name  string
		check func(window)
	}{
		{"hashes", checkFiveHashes},
		{"own kernel", checkOwnKernel},
		{"one file", checkOneFile},
		{"sandbox", checkSandbox},
		{"offline", checkOffline},
		{"marks", checkMarks},
		{"film", checkFilm},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(window{d, t}) })
	}
}

// checkFiveHashes: every first scenario has the result of the native program.
func checkFiveHashes(w window) {
	w.visit(serve(w.t).URL + "/?five#v=1&picture=plain")
	for i, name := range []string{"tp", "vecadd", "bs", "dct", "matmul"} {
		if i > 0 { // in the open page: a browser without its code compiles the engine for half a minute
			link := "#v=1&picture=plain&s=" + name
			if size := sizeElsewhere(name, shippedScenarios(w.t)[name]); size > 0 {
				link += fmt.Sprintf("&workload.size=%d", size)
			}
			value[any](w, fmt.Sprintf("(location.hash = %s, null)", quote(link)))
			w.until(fmt.Sprintf("S.run > %d", i))
		}
		same(w.t, nativeHashes(w.t, name), w.finished())
		if i == 0 {
			w.shot("page")
		}
	}
}

// checkOwnKernel: a kernel of the reader's own shows its faults, runs, and has the native result.
func checkOwnKernel(w window) {
	w.visit(serve(w.t).URL + "/?kernel#v=1&kernel=edit&picture=plain")
	w.until(`S.kernel.ready`)
	value[any](w, keepDownloads+`, null`)
	write := func(source string) {
		value[any](w, fmt.Sprintf(`(e => { e.value = %s; e.dispatchEvent(new Event("input")); return null; })(document.getElementById("kernel-source"))`, quote(source)))
		w.until(`S.kernel.ready`)
	}
	write(strings.NewReplacer("add.u64 %d4", "add.u65 %d4", "ret;", "bra NOWHERE;").Replace(kernelText("")))
	w.until(`S.kernel.marks.length === 2 && document.querySelectorAll("#kernel .kunder mark").length === 2`)
	if style := value[string](w, `(s => s.textDecorationLine + " " + s.textDecorationStyle)(getComputedStyle(document.querySelector("#kernel .kunder mark")))`); style != "underline wavy" {
		w.t.Errorf("a fault is marked by %q", style)
	}
	w.shot("faults")
	write(kernelText(""))
	value[any](w, `(() => {
		const set = (e, v) => { e.value = v; e.dispatchEvent(new Event(e.localName === "select" ? "change" : "input")); };
		for (const [label, v] of [["argument 0, contents", "smooth values"], ["argument 0, elements", "2048"], ["argument 1, elements", "2048"]]) set(document.querySelector('#kernel [aria-label="' + label + '"]'), v);
		set(document.getElementById("kernel-grid"), "8");
		set(document.getElementById("kernel-block"), "256");
		document.getElementById("kernel-run").click();
		return null;
	})()`)
	w.until(`S.run > 0`)
	got := w.finished()
	value[any](w, `(document.getElementById("export").click(), null)`)
	w.until(`document.getElementById("export-scenario-json")`)
	value[any](w, `(document.getElementById("export-scenario-json").click(), null)`)
	w.until(`saved["burstscope-own.scenario.json"]`)
	data, err := base64.StdEncoding.DecodeString(value[string](w, `saved["burstscope-own.scenario.json"]`))
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := scenario.ParseJSON("saved", data)
	if err != nil {
		w.t.Fatal(err)
	}
	want := map[string]string{}
	for side, memory := range sides(s) {
		want[side] = nativeHash(w.t, s, memory)
	}
	same(w.t, want, got)
}

// checkOneFile: the one-file form does from a disk what it does from a server: it runs programs, has the
// moving picture and the later parts, and reads files of the reader.
func checkOneFile(w window) {
	data, err := os.ReadFile(filepath.Join(dist, "burstscope.html"))
	if err != nil {
		w.t.Fatal(err)
	}
	file := filepath.Join(w.t.TempDir(), "on a stick.html")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		w.t.Fatal(err)
	}
	want := smallDCT(w.t)
	w.visit(serve(w.t).URL + "/burstscope.html" + small[1:] + "&picture=plain")
	same(w.t, want, w.finished())
	w.visit("file://" + strings.ReplaceAll(filepath.ToSlash(file), " ", "%20") + bursting[1:])
	same(w.t, want, w.finished())
	value[any](w, "void "+looks)
	w.until("S.view.ready && S.picture === 'moving' && S.view.burstsDrawn > 0")
	w.shot("moving")
	// A program whose kernels are loaded later.
	value[any](w, `(location.hash = "#v=1&picture=plain&s=vecadd&`+quick+`", null)`)
	w.until(`S.run === 2`)
	if got := w.finished(); len(got) != 2 || got["A"] == want["A"] {
		w.t.Errorf("vecadd: %v", got)
	}
	// A file of the reader, in the data lab and of a model.
	value[any](w, `(document.getElementById("to-lab").click(), null)`)
	w.until(`S.lab.open && document.getElementById("lab-choose")`)
	drop := func(name string, data []byte) {
		value[any](w, fmt.Sprintf(`(() => {
			const carried = new DataTransfer();
			carried.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], %q));
			for (const type of ["dragenter", "dragover", "drop"])
				document.getElementById("lab").dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}));
			return null;
		})()`, base64.StdEncoding.EncodeToString(data), name))
	}
	drop("field.npy", npyOf(labData(50)))
	w.until(surveyEnded + ` && S.lab.blocks === 50`)
	w.shot("lab")
	for _, e := range value[[]fault](w, `window.burstscope.state.messages`) {
		w.t.Errorf("the page says %s", e)
	}
}

// checkSandbox: embeds in a page of another origin work under the policy of the build, in a sandbox too:
// the element, a frame, and the whole page.
func checkSandbox(w window) {
	site := serveCounted(w.t, false)
	const run = `#v=1&amp;s=vecadd&amp;` + quick
	host := hostOf(w.t, site.URL, strictPolicy, map[string]string{
		"/element": hostPage(`<script src="SITE/burst-scope.js" defer></script><burst-scope scenario="vecadd" state="` + quick + `" sandbox="allow-scripts" load="visible"></burst-scope>`),
		"/plain":   hostPage(`<iframe src="SITE/embed.html` + run + `&amp;embed.load=now" width="900" height="600" title="run"></iframe>`),
		"/frame":   hostPage(`<iframe src="SITE/embed.html` + run + `&amp;embed.load=now" sandbox="allow-scripts" width="900" height="600" title="run"></iframe>`),
		"/poster":  hostPage(`<iframe src="SITE/embed.html` + run + `" sandbox="allow-scripts" width="900" height="600" title="run"></iframe>`),
		"/page":    hostPage(`<iframe src="SITE/index.html` + run + `" sandbox="allow-scripts" width="1200" height="800" title="run"></iframe>`),
	})
	want := map[string]string{}
	s := shippedScenarios(w.t)["vecadd"]
	for key, v := range map[string]string{"machine.preset": "mini", "workload.size": "16384"} {
		if err := s.Set(key, v); err != nil {
			w.t.Fatal(err)
		}
	}
	for side, memory := range sides(s) {
		want[side] = nativeHash(w.t, s, memory)
	}
	w.t.Run("policy", func(t *testing.T) {
		w := window{w.driver, t}
		other := serve(t)
		w.visit(site.URL + "/index.html#v=1&picture=plain")
		w.finished()
		for what, want := range map[string]string{
			`fetch("build.json").then(() => "came", () => "refused")`:                                                                                              "came",
			`fetch("` + other.URL + `/build.json").then(() => "came", () => "refused")`:                                                                            "refused",
			script(`s.src = "` + other.URL + `/burst-scope.js"`):                                                                                                   "refused",
			script(`s.textContent = "window.ran = true"; setTimeout(() => r(window.ran ? "came" : "refused"), 100)`):                                               "refused",
			`new Promise((r) => { const i = new Image(); i.onload = () => r("came"); i.onerror = () => r("refused"); i.src = "` + other.URL + `/icon-192.png"; })`: "refused",
		} {
			if got := value[string](w, what); got != want {
				t.Errorf("%s: %s", what, got)
			}
		}
	})
	const only = `document.querySelector("iframe")`
	for _, c := range []struct{ name, frame string }{{"plain", only}, {"frame", only}, {"element", frameIn}} {
		w.t.Run(c.name, func(t *testing.T) {
			w := window{w.driver, t}
			w.visit(host.URL + "/" + c.name)
			w.until(`window.heard?.some((m) => m.type === "ready" && m.live)`)
			state := func() embedState {
				var a answerOf
				data := value[string](w, fmt.Sprintf(`ask(%s, {type: "getState"}).then(JSON.stringify)`, c.frame))
				if err := json.Unmarshal([]byte(data), &a); err != nil {
					t.Fatal(err)
				}
				return a.State
			}
			value[bool](w, fmt.Sprintf(`until(async () => ["done", "error", "cancelled"].includes((await ask(%s, {type: "getState"})).state.phase))`, c.frame))
			got := state()
			if same(t, want, got.ResultHashes); t.Failed() {
				t.Logf("the embed is %+v; the host page heard %s", got, value[string](w, `JSON.stringify(window.heard)`))
			}
			w.shot("live")
		})
	}
}

// script is a promise that tells whether a script that is put into the page was let run. WebKit says of one that
// it refuses nothing but to the console.
func script(setup string) string {
	return `new Promise((r) => { const s = document.createElement("script"); s.onload = () => r("came"); s.onerror = () => r("refused"); setTimeout(() => r("refused"), 2000); ` + setup + `; document.head.append(s); })`
}

// checkOffline: after one visit the page opens and runs without a server, with the pictures of every scenario.
func checkOffline(w window) {
	files, err := static.Handler(dist)
	if err != nil {
		w.t.Fatal(err)
	}
	server := host(w.t, files)
	w.visit(server.URL + small + "&picture=plain")
	w.until("S.offline.kept")
	server.CloseClientConnections()
	server.Close()
	w.visit(server.URL + "/?again" + small[1:] + "&picture=plain")
	same(w.t, smallDCT(w.t), w.finished())
	posters, err := os.ReadDir(filepath.Join(dist, "posters"))
	if err != nil || len(posters) < 5 {
		w.t.Fatalf("%d posters, %v", len(posters), err)
	}
	for _, poster := range posters {
		if ext := filepath.Ext(poster.Name()); ext == ".br" || ext == ".gz" {
			continue // for hosts, beside the file itself
		}
		if status := value[int](w, `fetch("posters/`+poster.Name()+`").then((r) => r.status, () => 0)`); status != http.StatusOK {
			w.t.Errorf("without a server %s is answered by %d", poster.Name(), status)
		}
	}
}

// checkMarks: a term of the glossary is underlined.
func checkMarks(w window) {
	w.visit(serve(w.t).URL + "/?marks" + small[1:] + "&picture=plain")
	w.finished() // Firefox starts no worker in a page after one that was left while its worker compiled
	if style := value[string](w, `(s => s.textDecorationLine + " " + s.textDecorationStyle)(getComputedStyle(document.querySelector("#knobs dfn")))`); style != "underline dotted" {
		w.t.Errorf("a term is marked by %q", style)
	}
}

// checkFilm: films are offered where the browser can make them, and none is empty. WebKitGTK without
// GStreamer's plugins can make none, and ends when it is asked for a frame.
func checkFilm(w window) {
	w.visit(serve(w.t).URL + "/?film" + bursting[1:])
	w.finished()
	value[any](w, keepDownloads+", "+looks+", null")
	w.until("S.view.ready && S.picture === 'moving'")
	value[any](w, `(document.getElementById("export").click(), null)`)
	w.until(`document.getElementById("export-webm")`)
	types := value[[]string](w, `["video/webm", "video/mp4"].filter((t) => MediaRecorder.isTypeSupported(t))`)
	offered := value[[]string](w, `[...document.getElementById("export-picture").options].map((o) => o.value)`)
	if slices.Contains(offered, "moving") != (len(types) > 0) {
		w.t.Errorf("the browser records %v, the page offers %v", types, offered)
	}
	w.shot("export")
	if len(types) == 0 {
		return
	}
	ending := strings.TrimPrefix(types[0], "video/")
	value[any](w, `(() => {
		const which = document.getElementById("export-picture");
		which.value = "moving";
		which.dispatchEvent(new Event("change"));
		document.getElementById("export-seconds").value = 1;
		document.getElementById("export-webm").click();
		return null;
	})()`)
	w.until(`/^(Saved|The file)/.test(document.getElementById("export-said").textContent)`)
	said := value[string](w, `document.getElementById("export-said").textContent`)
	if strings.HasPrefix(said, "The file could not be made: the browser's recorder gave no frames.") {
		// WebKitGTK with some of GStreamer's plugins promises a film and records nothing. Then nothing may be saved.
		if _, webkit := w.driver.(*webkit); !webkit || value[bool](w, `Object.keys(saved).length > 0`) {
			w.t.Error(said)
		}
		return
	}
	if said != "Saved burstscope-dct."+ending+", 1 s." {
		w.t.Error(said)
	}
	w.until(`saved["burstscope-dct.` + ending + `"] !== undefined`)
	if n := value[int](w, `saved["burstscope-dct.`+ending+`"].length`); n < 1000 {
		w.t.Errorf("a film of %d characters of base64", n)
	}
}
