package e2e

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/setting"
)

// TestEveryNumberBelongsToTheNamedResult walks every way into a result. From the first paint on, with every frame that
// changed something and every 100 ms, each visible number must be one of the result whose name stands above it. What
// the results are is computed natively.
func TestEveryNumberBelongsToTheNamedResult(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	ws := &walks{known: map[string]*made{}, report: &findings{said: map[string][]string{}}}
	var another bool
	ws.folder, another = folderOfNumbers(t)
	for name, s := range shippedScenarios(t) {
		ws.known[name] = nativeMade(t, name, s)
		ws.known[name].shipped = true
	}
	t.Run("ways", func(t *testing.T) {
		for name, walk := range map[string]func(*testing.T){
			"page": ws.page, "output": ws.output,
			"settings": ws.settings, "links": ws.links, "kernel": ws.kernel, "codec": ws.codec,
			"lesson": ws.lesson, "frames": ws.frames, "element": ws.element, "sandbox": ws.sandbox,
			"compare": ws.compare,
			"unknown": ws.unknown, "next visit": ws.nextVisit, "one file": ws.oneFile, "offline": ws.offline,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				walk(t)
			})
		}
	})
	if faults := ws.report.print(t); faults > 0 && !another {
		t.Error("numbers stand under names of other results")
	}
}

// lean leaves out of a walk what takes CPU time: page has the second engine, and offline and sandbox have both.
var lean = []chromedp.Action[chromedp.Void]{withoutServiceWorker, cores(1)}

// of is a shipped scenario with other settings.
func (ws *walks) of(t *testing.T, name string, change func(s *scenario.Scenario)) *made {
	t.Helper()
	s := shippedScenarios(t)[name]
	change(s)
	return nativeMade(t, name, s)
}

// none is a run that has no result.
func none(title string) *made { return &made{title: title} }

// page: a fresh page, the list of scenarios, the inspector, Back and Forward, Cancel, and the runs of the visit.
func (ws *walks) page(t *testing.T) {
	tp, vecadd, dct := ws.known["tp"], ws.known["vecadd"], ws.known["dct"]
	w := ws.begin(t, shared(t), withoutServiceWorker)
	w.step("fresh page", tp)
	w.do(chromedp.Navigate(w.site.URL + "/"))
	w.soonBuilt(tp)
	w.site.letEngine()
	w.ran(0)
	// A block of this program is inspected.
	w.wait(`document.getElementById("kept") !== null`)
	eval[any](w.tab, `(e => { e.value = "0xc0000a80"; e.form.requestSubmit(); })(document.getElementById("inspect-addr"))`)
	w.wait(`document.querySelector("#inspect-body .bytes")`)
	w.does("scenario list", turned("scenario", "vecadd"), vecadd)
	w.ran(1)
	w.does("Back", `history.back()`, tp)
	w.ran(2)
	w.does("Forward", `history.forward()`, vecadd)
	w.ran(3)
	// The page presses Cancel itself: messages of the test may come before the button is enabled, when the state still
	// has the cycles of the run before, or after the end.
	w.does("scenario list, while it runs", turned("scenario", "dct")+`; const press = () => {
		const cancel = document.getElementById("cancel");
		if (!cancel.disabled && window.burstscope.state.cycles > 0) cancel.click();
		else setTimeout(press, 5);
	}; press()`, dct)
	w.doesUntil("Cancel", "", `S.phase === "cancelled"`, dct)
	w.settle()
	time.Sleep(300 * time.Millisecond)
	w.does("runs of the visit", `[...document.querySelectorAll("#kept .keptrun")].pop().click()`, tp)
	w.ran(5)
	w.judge()
}

// output: the values of outputs, before and after the engine is there, of one program and the next, and of other
// settings.
func (ws *walks) output(t *testing.T) {
	tp, vecadd := ws.known["tp"], ws.known["vecadd"]
	other := ws.of(t, "tp", func(s *scenario.Scenario) { s.Scheme.Memory.Put("threshold", 8) })
	w := ws.begin(t, shared(t), lean...)
	w.step("a link to the output", vecadd)
	w.do(chromedp.Navigate(w.site.URL + "/#v=1&s=vecadd&tab=output&picture=plain"))
	w.soonBuilt(vecadd)
	w.site.letEngine()
	w.ran(0)
	w.wait(valuesShown)
	w.does("the output of another program", turned("scenario", "tp"), tp)
	w.ran(1)
	eval[any](w.tab, `document.querySelector("[data-tab=output]").click()`)
	w.wait(valuesShown)
	w.does("a setting, with the output on show", turned("knob-B-memory-threshold", "8"), other)
	time.Sleep(600 * time.Millisecond)
	w.does("its run", `document.getElementById("run").click()`, other)
	w.ran(2)
	w.wait(valuesShown)
	w.judge()
}

// valuesShown is true when the tab Output shows elements.
const valuesShown = `document.querySelector("#values .values tbody tr")?.checkVisibility()`

// settings: a setting that changed, Run, Reset, a setting that fails, and a scenario from a file.
func (ws *walks) settings(t *testing.T) {
	tp := ws.known["tp"]
	other := ws.of(t, "tp", func(s *scenario.Scenario) { s.Scheme.Memory.Put("threshold", 8) })
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	w.step("fresh page with the engine", tp)
	w.do(chromedp.Navigate(w.site.URL + "/"))
	w.ran(0)
	w.does("a setting, before Run", turned("knob-B-memory-threshold", "8"), other)
	w.settle()
	time.Sleep(600 * time.Millisecond)
	w.does("Run", `document.getElementById("run").click()`, other)
	w.ran(1)
	w.does("Reset", `document.getElementById("reset").click()`, tp)
	w.settle()
	time.Sleep(600 * time.Millisecond)
	w.does("Run after Reset", `document.getElementById("run").click()`, tp)
	w.ran(2)
	w.doesUntil("failure of a setting", `location.hash = "#v=1&s=tp&B.backing.kind=buddy"`, "S.run > 3", none(tp.title))
	if s := w.ran(3); s.Phase != "error" {
		t.Fatalf("Buddy on this machine ends as %s", s.Phase)
	}
	time.Sleep(600 * time.Millisecond)
	w.does("another program, before Run", turned("knob-workload", "vecadd"), none(tp.title))
	time.Sleep(600 * time.Millisecond)
	dropped := &scenario.Scenario{}
	*dropped = *shippedScenarios(t)["vecadd"]
	dropped.Workload.Size = 4096
	m := nativeMade(t, "vecadd", dropped)
	w.does("a scenario from a file", droppedScenario(`{"version": 1, "machine": {"preset": "gtx580b"}, "workload": {"name": "vecadd", "size": 4096, "data": "grid"}, "memory": {"codec": "e2mc16"}, "compare": {"memory": {"codec": "none"}}, "seed": 1}`), m)
	w.ran(4)
	w.judge()
}

// links: a link to a shipped scenario and one to other settings, in a fresh page and in one that is open.
func (ws *walks) links(t *testing.T) {
	vecadd, matmul, tp := ws.known["vecadd"], ws.known["matmul"], ws.known["tp"]
	small := ws.of(t, "dct", func(s *scenario.Scenario) { s.Workload.Size = 128 })
	w := ws.begin(t, shared(t), lean...)
	w.step("link", vecadd)
	w.do(chromedp.Navigate(w.site.URL + "/#v=1&s=vecadd"))
	w.soonBuilt(vecadd)
	w.does("link in an open page, without the engine", `location.hash = "#v=1&s=matmul"`, matmul)
	w.settle()
	time.Sleep(300 * time.Millisecond)
	w.site.letEngine()
	w.ran(0)
	w.does("link in an open page", `location.hash = "#v=1&s=tp"`, tp)
	w.ran(1)
	w.judge()

	w = ws.begin(t, shared(t), lean...)
	w.step("link to other settings", small)
	w.do(chromedp.Navigate(w.site.URL + "/#v=1&s=dct&workload.size=128"))
	w.wait(`document.getElementById("status-text").textContent.includes("scenario of the link")`)
	time.Sleep(300 * time.Millisecond)
	w.site.letEngine()
	w.ran(0)
	w.judge()
}

// kernel: a program of the reader's own that fails, and one that runs, after another scenario.
func (ws *walks) kernel(t *testing.T) {
	tp := ws.known["tp"]
	own := none("Your kernel")
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	w.step("fresh page, then the editor", tp)
	w.do(chromedp.Navigate(w.site.URL + "/"))
	w.ran(0)
	eval[any](w.tab, `document.getElementById("to-kernel").click()`)
	w.wait(`S.kernel.ready`)
	source := eval[string](w.tab, `document.getElementById("kernel-source").value`)
	// Nothing stops at the end of the data any more, and there is a jump over it.
	w.write(strings.Replace(source, "mul.wide.u32 %d3, %r2, 4;", "mul.wide.u32 %d3, %r2, 4096;", 1))
	w.does("own kernel that fails", `document.getElementById("kernel-run").click()`, none("Your kernel"))
	if s := w.ran(1); s.Phase != "error" {
		t.Fatalf("the kernel ends as %s", s.Phase)
	}
	if becomes(w.tab, `document.getElementById("stage").innerText.includes("outside of every allocation")`) != nil {
		words := eval[string](w.tab, `document.getElementById("stage").innerText`)
		w.fault(fmt.Sprintf("the stage of a run that failed says %q", words))
	}
	time.Sleep(600 * time.Millisecond)
	w.screenshot("kernel-failed.png")
	eval[any](w.tab, `document.getElementById("to-kernel").click()`)
	w.write(source)
	w.does("own kernel", `document.getElementById("kernel-run").click()`, own)
	w.ran(2)
	own.ofPage(w.tab)
	w.does("scenario list after an own kernel", turned("scenario", "tp"), tp)
	w.ran(3)
	w.judge()
}

// codec: a codec of the reader's own, dropped on the page and in a link.
func (ws *walks) codec(t *testing.T) {
	tp := ws.known["tp"]
	mine := ws.of(t, "tp", func(s *scenario.Scenario) {
		s.Scheme.Memory = scheme.DefaultMemory()
		s.Scheme.Memory.Put("codec", "plugin", "module", setting.Binary(bdiModule(t)))
	})
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	w.step("fresh page, then a file", tp)
	w.do(chromedp.Navigate(w.site.URL + "/"))
	w.ran(0)
	w.wait(`document.getElementById("kept") !== null`)
	w.doesUntil("own codec", fmt.Sprintf(`const carried = new DataTransfer();
		carried.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], "mine.wasm"));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}))`, base64.StdEncoding.EncodeToString(bdiModule(t))), "S.run > 1", mine)
	w.ran(1)
	link := eval[string](w.tab, `new Promise(done => { const look = () => location.hash.includes("module=") ? done(location.hash) : setTimeout(look, 50); look(); })`)
	w.step("own codec in a link", mine)
	w.do(chromedp.Navigate("about:blank"))
	w.do(chromedp.Navigate(w.site.URL + "/" + link))
	w.ran(0)
	w.judge()
}

// lesson: a link to a step, an answer, the next step, and the way out.
func (ws *walks) lesson(t *testing.T) {
	tp := ws.known["tp"]
	title := "What a burst is, and why MAG hurts"
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	w.step("link to a lesson", none(title))
	w.do(chromedp.Navigate(w.site.URL + "/#v=1&lesson=burst&step=1"))
	w.wait(`S.lesson?.veiled`)
	time.Sleep(300 * time.Millisecond)
	first := none(title)
	w.step("answer of a lesson", first)
	w.answerLesson(shippedQuestion(t, "burst", 0), "3")
	w.ran(0)
	first.ofPage(w.tab)
	w.does("lesson step", `document.getElementById("lesson-next").click()`, none(title))
	w.wait(`S.lesson?.step === 2`)
	time.Sleep(600 * time.Millisecond)
	w.does("leaving a lesson", `document.getElementById("lesson-leave").click()`, tp)
	w.ran(1)
	w.does("lesson step from the page", `location.hash = "#v=1&lesson=burst&step=1"`, first)
	w.wait(`S.lesson?.step === 1`)
	w.ran(2)
	w.judge()
}

// frames: embed.html in each of its modes.
func (ws *walks) frames(t *testing.T) {
	dct, matmul, vecadd := ws.known["dct"], ws.known["matmul"], ws.known["vecadd"]
	for _, c := range []struct {
		mode string
		of   *made
	}{{"click", matmul}, {"visible", vecadd}, {"now", dct}} {
		w := ws.begin(t, shared(t), lean...)
		w.step("frame, embed.load="+c.mode, c.of)
		w.do(chromedp.Navigate(w.site.URL + "/embed.html#v=1&s=" + c.of.name + "&embed.load=" + c.mode))
		if c.mode == "click" {
			time.Sleep(300 * time.Millisecond)
			w.does("frame, a press on Run it here", `document.getElementById("embed-run").click()`, c.of)
		}
		w.wait(`S.phase === "loading"`)
		w.site.letEngine()
		w.ran(0)
		w.screenshot("numbers-embed-" + c.mode + ".png")
		w.judge()
	}
}

// element: <burst-scope> on another host, and messages of that page.
func (ws *walks) element(t *testing.T) {
	tp, matmul, vecadd := ws.known["tp"], ws.known["matmul"], ws.known["vecadd"]
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	host := hostOf(t, w.site.URL, "", map[string]string{"/": hostPage(
		`<script src="SITE/burst-scope.js" defer></script><burst-scope id="seen" scenario="matmul" load="visible"></burst-scope><burst-scope id="pressed" scenario="vecadd"></burst-scope>`)})
	done := func(id string) {
		t.Helper()
		eval[bool](w.tab, fmt.Sprintf(`until(async () => ["done", "error"].includes((await document.getElementById(%q).getState()).phase))`, id))
		time.Sleep(300 * time.Millisecond)
	}
	w.step("element, load=visible", matmul, vecadd)
	w.do(chromedp.Navigate(host.URL + "/"))
	done("seen")
	w.does("element, a press", `document.getElementById("pressed").shadowRoot.querySelector("button").click()`, matmul, vecadd)
	done("pressed")
	w.does("message of the host page, a setting", `void document.getElementById("pressed").setState({scenario: "tp"})`, matmul, tp)
	time.Sleep(800 * time.Millisecond)
	w.does("message of the host page, run", `void document.getElementById("pressed").run()`, matmul, tp)
	done("pressed")
	w.judge()
}

// sandbox: the element and a frame in a sandbox without an origin. Such a frame has a process of its own, into which the
// script that notes does not come; this browser gives it none.
func (ws *walks) sandbox(t *testing.T) {
	vecadd, matmul := ws.known["vecadd"], ws.known["matmul"]
	w := ws.begin(t, launch(t, append(slices.Clone(withGraphics), rarelyOptimized, without("IsolateSandboxedIframes"))))
	w.site.letEngine()
	host := hostOf(t, w.site.URL, "", map[string]string{
		"/": hostPage(`<script src="SITE/burst-scope.js" defer></script>
			<burst-scope scenario="vecadd" load="visible" sandbox="allow-scripts"></burst-scope>`),
		"/frame": hostPage(`<iframe src="SITE/embed.html#v=1&amp;s=matmul&amp;embed.load=now"
			sandbox="allow-scripts" width="900" height="600" title="run"></iframe>`),
	})
	w.step("element in a sandbox", vecadd)
	w.do(chromedp.Navigate(host.URL + "/"))
	w.shows(vecadd)
	w.step("frame in a sandbox", matmul)
	w.do(chromedp.Navigate(host.URL + "/frame"))
	w.shows(matmul)
	w.judge()
}

// unknown: an embed of a scenario that does not exist says so, and requests nothing for it.
func (ws *walks) unknown(t *testing.T) {
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	broken := `[...(document.querySelector("burst-scope")?.shadowRoot ?? document).querySelectorAll("img")].some(i => i.complete && i.naturalWidth === 0)`
	says := `((document.querySelector("burst-scope")?.shadowRoot ?? document.body).textContent.match(/No scenario “nosuch”\. Use one of bs, dct, matmul, tp, vecadd\./) ?? [""])[0]`
	check := func() {
		t.Helper()
		if becomes(w.tab, says+` !== ""`) != nil {
			w.fault("nothing says that there is no such scenario")
		}
		time.Sleep(500 * time.Millisecond)
		if eval[bool](w.tab, broken) {
			w.fault("a broken image")
		}
	}
	w.step("frame of an unknown scenario")
	w.do(chromedp.Navigate(w.site.URL + "/embed.html#v=1&s=nosuch&embed.load=now"))
	check()
	w.screenshot("unknown-frame.png")
	host := hostOf(t, w.site.URL, "", map[string]string{"/": hostPage(`<script src="SITE/burst-scope.js" defer></script><burst-scope scenario="nosuch"></burst-scope>`)})
	w.step("element of an unknown scenario")
	w.do(chromedp.Navigate(host.URL + "/"))
	check()
	w.screenshot("unknown-element.png")
	w.judge()
}

// nextVisit: a page whose address names nothing, after a visit with other settings and one of another scenario, and a
// link, which is the stronger one.
func (ws *walks) nextVisit(t *testing.T) {
	tp, vecadd := ws.known["tp"], ws.known["vecadd"]
	other := ws.of(t, "tp", func(s *scenario.Scenario) { s.Scheme.Memory.Put("threshold", 8) })
	w := ws.begin(t, shared(t), lean...)
	w.site.letEngine()
	again := func(way, address, stored string, m *made) {
		t.Helper()
		w.wait(fmt.Sprintf(`localStorage.getItem("burstscope.session")?.includes(%q)`, stored))
		w.step(way, m)
		w.do(chromedp.Navigate("about:blank"))
		w.do(chromedp.Navigate(w.site.URL + "/" + address))
		w.ran(0)
	}
	w.step("first visit", tp)
	w.do(chromedp.Navigate(w.site.URL + "/"))
	w.ran(0)
	w.does("a setting of the first visit", turned("knob-B-memory-threshold", "8"), other)
	w.settle()
	again("next visit, with settings", "", "threshold=8", other)
	w.does("another scenario", turned("scenario", "vecadd"), vecadd)
	w.ran(1)
	again("next visit, with a scenario", "", "s=vecadd", vecadd)
	again("next visit by a link", "#v=1&s=tp", "s=vecadd", tp)
	w.judge()
}

// oneFile: a link to a scenario in the page that is one file on a disk.
func (ws *walks) oneFile(t *testing.T) {
	matmul := ws.known["matmul"]
	data, err := os.ReadFile(filepath.Join(ws.folder, "burstscope.html"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "burstscope.html")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	w := ws.begin(t, shared(t), lean...)
	w.step("link to the page in one file", matmul)
	w.do(chromedp.Navigate("file://" + filepath.ToSlash(file) + "#v=1&s=matmul"))
	w.ran(0)
	w.cameBuilt(matmul)
	w.does("scenario list in one file", turned("scenario", "tp"), ws.known["tp"])
	w.ran(1)
	w.judge()
}

// offline: a link to a scenario that was never opened, without a network.
func (ws *walks) offline(t *testing.T) {
	tp, matmul := ws.known["tp"], ws.known["matmul"]
	w := ws.begin(t, shared(t))
	w.site.letEngine()
	w.step("visit that keeps the page", tp)
	w.do(chromedp.Navigate(w.site.URL + "/"))
	w.ran(0)
	w.wait("S.offline.kept")
	url := w.site.URL
	w.do(chromedp.Navigate("about:blank"))
	w.site.CloseClientConnections()
	w.site.Close()
	w.step("link without a network", matmul)
	w.do(chromedp.Navigate(url + "/#v=1&s=matmul"))
	w.ran(0)
	w.cameBuilt(matmul)
	w.judge()
}
