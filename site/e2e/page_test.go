package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// small is a link to a run that takes a moment: most tests are not about speed.
const small = "/#v=1&s=dct&workload.size=128"

// bursting is the small run at a cycle at which approximated bursts are on their way.
const bursting = small + "&cycle=1484"

// nobody keeps signs of a reader from a page: a page scrolls when other tabs open, or for a screenshot.
var nobody = command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: `
	for (const sign of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"])
		addEventListener(sign, e => e.stopImmediatePropagation(), true)`})

// TestStartsByItself: the page runs its default scenario without a click. The moving picture
// starts without a sign of a reader too, after a while, and its canvas shows bursts.
func TestStartsByItself(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=1&speed=500", nobody)
	p.wait("S.phase === 'done' || S.progress.phase === 'simulate' && S.progress.fraction > 0.1")
	p.screenshot("running.png")
	s := p.finish()
	if len(s.Messages) > 0 {
		t.Errorf("messages on an ordinary start: %v", s.Messages)
	}
	if s.Run != 1 || len(s.Results) != 2 || s.ResultHashes["A"] == "" || s.ResultHashes["A"] == s.ResultHashes["B"] {
		t.Errorf("run %d, %d results, hashes %v", s.Run, len(s.Results), s.ResultHashes)
	}
	if s.Picture != "page" {
		t.Errorf("before the time is over the picture is the %s one", s.Picture)
	}
	poll(p, `window.patience !== undefined`)
	eval[any](p, `void patience()`)
	p.wait("S.view.ready && S.picture === 'moving'")
	// Approximated bursts are those of side B: both sides have reached the view.
	p.wait("S.view.burstsDrawn > 0 && S.view.approximatedDrawn > 0")
	before := p.state().View.Tick
	p.wait(fmt.Sprintf("S.view.tick > %g", before+2))
	holder := eval[rectangle](p, `(({x, y, width, height}) => ({x, y, width, height}))(document.getElementById("view-holder").getBoundingClientRect())`)
	checkDrawn(t, p.screenshot("finished.png"), holder)
}

type rectangle struct{ X, Y, Width, Height float64 }

// checkDrawn fails if a part of a screenshot has one colour, or hardly another.
func checkDrawn(t *testing.T, screenshot []byte, r rectangle) {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(screenshot))
	if err != nil {
		t.Fatal(err)
	}
	area := image.Rect(int(r.X), int(r.Y), int(r.X+r.Width), int(r.Y+r.Height)).Intersect(picture.Bounds())
	if area.Dx() < 200 || area.Dy() < 100 {
		t.Fatalf("the picture takes only %v of the page", area)
	}
	seen := map[color.Color]int{}
	most := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := picture.At(x, y)
			seen[c]++
			most = max(most, seen[c])
		}
	}
	drawn := area.Dx()*area.Dy() - most
	if len(seen) < 8 || drawn < area.Dx()*area.Dy()/200 {
		t.Errorf("blank picture: %d colours, %d of %d pixels differ from the ground", len(seen), drawn, area.Dx()*area.Dy())
	}
}

// TestNumbersOfAnotherScenario: beside a scenario that is refused before any run, no number
// stands that the page was built with.
func TestNumbersOfAnotherScenario(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=vecadd&B.backing.kind=buddy")
	p.wait("S.phase === 'error'")
	poll(p, `document.getElementById("status-text").textContent === "The run ended with an error."`)
	shown := func(id string) string {
		return eval[string](p, `(e => e.checkVisibility() ? e.textContent : "")(document.getElementById("`+id+`"))`)
	}
	if words := shown("stale"); words != "not run yet" {
		t.Errorf("the numbers are %q", words)
	}
	if words := eval[string](p, numbers); words != "–" {
		t.Errorf("the table and the chart have the numbers %s", words)
	}
	if words := shown("headline"); words == "" || strings.Contains(words, "%") {
		t.Errorf("the headline of another scenario: %q", words)
	}
	p.screenshot("other-scenario.png")
}

// numbers lists what the table and the memory chart show, each once.
const numbers = `[...new Set([...document.querySelectorAll("#results tr:not([hidden]) button.num, #chart [data-metric]:is(text), #chart-numbers button")].map(e => e.textContent))].join(" ")`

// TestFirstPictureOfALink: until the engine is there, a page with a link to a shipped scenario shows
// the picture and the numbers that the build made of that scenario, and a page with a link to other settings
// neither. A document shows no number before its first script has read the link.
func TestFirstPictureOfALink(t *testing.T) {
	t.Parallel()
	server := serve(t)
	defer server.hold(t, "engine.wasm")()
	let := server.hold(t, "shell.js")
	q := open(t, "about:blank")
	q.leaveFor(server.URL + "/#v=1&s=dct")
	poll(q, `performance.getEntriesByName("first-contentful-paint").length > 0 && document.getElementById("headline") !== null`)
	if words := eval[string](q, `document.getElementById("centre").innerText + document.getElementById("result").innerText`); strings.ContainsAny(strings.NewReplacer("L1", "", "L2", "").Replace(words), "0123456789") {
		t.Errorf("before its script the page shows %s", words)
	}
	let()
	for _, c := range []struct{ link, name, starts string }{
		{"/#v=1&s=dct", "dct", "The same run starts here"},
		{"/#v=1&s=matmul&tab=bursts", "matmul", "The same run starts here"},
		{"/#v=1&s=dct&workload.size=256", "", "The scenario of the link starts here"},
		{"/#v=1&seed=7", "", "The scenario of the link starts here"},
		{"/", "tp", "The same run starts here"},
	} {
		p := open(t, server.URL+c.link)
		poll(p, `document.getElementById("status-text").textContent.includes(`+quote(c.starts)+`)`)
		if c.name == "" {
			poll(p, `document.getElementById("poster-figures").textContent.includes("when the run begins")`)
		} else {
			poll(p, `(i => i && i.complete && i.naturalWidth > 0 && i.currentSrc.includes(`+quote("/built/"+c.name+"-")+`))(document.querySelector("#poster-figures img"))`)
		}
		poll(p, fmt.Sprintf(`document.getElementById("headline").textContent.includes("%%") === %t`, c.name != ""))
		poll(p, fmt.Sprintf(`(%s === "–") === %t`, numbers, c.name == ""))
		if c.name != "" {
			poll(p, fmt.Sprintf(`document.getElementById("scenario").value === %q`, c.name))
		}
	}
}

// TestNothingJumps: the results that came with the page are those that its own runs come to, in the same words.
func TestNothingJumps(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(shippedScenarios(t))) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testNothingJumps(t, name)
		})
	}
}

func testNothingJumps(t *testing.T, name string) {
	server := serve(t)
	let := server.hold(t, "engine.wasm")
	defer let()
	letScript := server.hold(t, "shell.js")
	defer letScript()
	p := open(t, "about:blank")
	link := "/"
	if name != "tp" {
		link = "/#v=1&s=" + name
	}
	p.leaveFor(server.URL + link)
	// The settings stand there before any script. A size needs the engine's words for it.
	knobs := `Object.fromEntries([...document.querySelectorAll("#knob-form fieldset :is(select, input[type=number])")].filter(e => e.id !== "knob-size").map(e => [e.id, (e.disabled ? "off " : "") + (e.selectedOptions ? e.selectedOptions[0]?.text : e.value)]))`
	poll(p, `performance.getEntriesByName("first-contentful-paint").length > 0 && document.getElementById("print-foot") !== null`)
	plain := eval[map[string]string](p, knobs)
	letScript()
	texts := `(() => {
		const found = {};
		const take = (key, e) => { found[key] = e.textContent; };
		take("headline", document.getElementById("headline"));
		for (const row of document.querySelectorAll("#results tr[data-row]:not([hidden])"))
			for (const cell of row.querySelectorAll("td")) take(row.dataset.row + "." + cell.dataset.side, cell);
		for (const e of document.querySelectorAll("#results thead small, #chart text[id], #chart .node text:last-child"))
			take(e.id || e.parentElement.id, e);
		return found;
	})()`
	poll(p, `document.getElementById("headline").textContent.includes("%")`)
	p.wait("S.phase === 'loading'")
	p.settle()
	built := eval[map[string]string](p, texts)
	if name == "tp" {
		p.screenshot("idle.png")
	}
	hashes := eval[map[string]string](p, fmt.Sprintf(`Object.fromEntries(Object.entries(burstscopeBuilt[%q].results).map(([side, r]) => [side, r.resultHash]))`, name))
	let()
	s := p.finish()
	for side, hash := range s.ResultHashes {
		if hashes[side] != hash {
			t.Errorf("side %s: the build has the result %s, the page %s", side, hashes[side], hash)
		}
	}
	p.wait(`document.getElementById("status-text").textContent.startsWith("Done")`)
	p.settle()
	for id, text := range eval[map[string]string](p, knobs) {
		if was, ok := plain[id]; name == "tp" && ok && was != text {
			t.Errorf("%s is built as %q and becomes %q", id, was, text)
		}
	}
	if len(plain) < 15 {
		t.Errorf("only %d settings are built: %v", len(plain), plain)
	}
	live := eval[map[string]string](p, texts)
	for key, text := range live {
		if built[key] != text {
			t.Errorf("%s was %q and became %q", key, built[key], text)
		}
	}
	if len(live) < 30 || !strings.Contains(built["headline"], "%") {
		t.Errorf("only %d texts, headline %q", len(live), built["headline"])
	}
}

// TestWithoutScript: a page that runs no scripts says in words what the build computed, and of which scenario,
// version and hashes that is; the places of live numbers are not on show.
func TestWithoutScript(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL, command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	text, err := chromedp.Run(p.ctx, chromedp.Text(chromedp.CSS("main")))
	if err != nil {
		t.Fatal(err)
	}
	s := shippedScenarios(t)["tp"]
	hashes := native(t, s)
	for _, want := range []string{s.Title, experiment.Version, hashes["A"][:12], hashes["B"][:12], "bytes than", "9,354"} {
		if !strings.Contains(text, want) {
			t.Errorf("without scripts the page does not say %q: %s", want, text)
		}
	}
	if strings.Contains(text, "Memory chart") {
		t.Errorf("places of live numbers are on show: %s", text)
	}
	p.screenshot("without-script.png")
}

// TestPermalink: a link brings back knobs, results, tab and block.
func TestPermalink(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	p.finish()
	eval[any](p, `(() => {
		const set = (id, value) => {
			const e = document.getElementById(id);
			e.value = value;
			e.dispatchEvent(new Event("input", {bubbles: true}));
			e.dispatchEvent(new Event("change", {bubbles: true}));
		};
		set("knob-B-memory-threshold", "8");
		set("knob-seed", "7");
		document.getElementById("run").click();
		document.getElementById("tab-address").click();
	})()`)
	p.wait("S.run >= 2 && S.phase === 'done' && S.tab === 'address'")
	first := p.finish()
	p.wait(`location.hash.includes("seed=7") && location.hash.includes("tab=address")`)
	link := eval[string](p, "location.href")
	for _, want := range []string{"s=dct", "B.memory.threshold=8", "workload.size=128"} {
		if !strings.Contains(link, want) {
			t.Errorf("%s is not in the link %s", want, link)
		}
	}

	q := open(t, link)
	second := q.finish()
	if len(second.Messages) > 0 {
		t.Errorf("the page cannot read its own link: %v", second.Messages)
	}
	for _, side := range []string{"A", "B"} {
		if first.ResultHashes[side] == "" || first.ResultHashes[side] != second.ResultHashes[side] {
			t.Errorf("side %s: %q by hand, %q by link", side, first.ResultHashes[side], second.ResultHashes[side])
		}
	}
	q.wait("S.tab === 'address'")
	q.wait(`document.getElementById("knob-B-memory-threshold").value === "8"`)
	q.wait("location.hash === " + quote(link[strings.IndexByte(link, '#'):]))

	// A link into an open tab sets all that a link sets; a cycle beyond the end becomes the end.
	eval[any](q, `void (location.hash = "#v=1&s=dct&workload.size=128&seed=7&cycle=99999999")`)
	q.wait("S.run === 2 && S.phase === 'done' && S.tab === 'bursts' && S.messages.length === 1 && S.cycle === S.cycles")
	if words := q.state().Messages[0].String(); !strings.Contains(words, "99,999,999") || !strings.Contains(words, "beyond the end") {
		t.Errorf("a cycle beyond the end: %s", words)
	}
	// Back goes through parts and scenarios, and no result is lost.
	second = q.finish()
	q.wait(`!location.hash.includes("99999999")`)
	eval[any](q, `document.getElementById("to-repro").click()`)
	q.wait(`S.repro.open && location.hash.includes("repro")`)
	eval[any](q, `history.back()`)
	q.wait(`!S.repro.open && S.run === 2 && S.phase === "done" && S.cycle === S.cycles`)
	eval[any](q, `(e => { e.value = "vecadd"; e.dispatchEvent(new Event("change")); })(document.getElementById("scenario"))`)
	q.wait(`S.run === 3 && S.phase === "done" && location.hash.includes("s=vecadd")`)
	q.wait(`location.hash === burstscopeControl.fragment()`) // an address that is written late would cancel the way back
	eval[any](q, `history.back()`)
	q.wait(`S.run === 4`)
	q.settle()
	if eval[bool](q, `document.getElementById("stale").checkVisibility()`) || len(q.state().Results) != 2 {
		t.Error("while the run that Back leads to repeats, its results are dimmed")
	}
	if s := q.finish(); s.ResultHashes["B"] != second.ResultHashes["B"] {
		t.Errorf("Back leads to %v, want %v", s.ResultHashes, second.ResultHashes)
	}
	q.wait(`location.hash === burstscopeControl.fragment()`) // as above
	eval[any](q, `history.forward()`)
	q.wait(`location.hash.includes("s=vecadd") && S.run === 5`)
}

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestLinkBeforeTheEngine: a link that is followed while the engine is still on its way
// names programs only the engine knows. The name that a machine had before keeps its machine.
func TestLinkBeforeTheEngine(t *testing.T) {
	t.Parallel()
	server := serve(t)
	let := server.hold(t, "engine.wasm")
	p := open(t, server.URL+small)
	p.wait("S.phase === 'loading'")
	eval[any](p, `void (location.hash = "#v=1&s=dct&workload.name=vecadd&workload.size=16384&machine.preset=gtx580&tab=address")`)
	p.wait("S.tab === 'address' && !S.engineReady")
	let()
	p.finish()
	p.wait(`document.getElementById("knob-workload").value === "vecadd" && location.hash.includes("workload.name=vecadd")`)
	p.wait(`document.getElementById("knob-preset").value === "gtx580v4"`)
	if said := p.state().Messages; len(said) > 0 {
		t.Errorf("the page says %v", said)
	}
}

// TestBrokenPermalink: what can be used is used, the rest is named, and the page
// works.
func TestBrokenPermalink(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+"/#v=9&s=dct&workload.size=128&machine.preset=cray&seed=%E0%A4&tab=moon&B.memory.mag=33&%%%")
	s := p.finish()
	if len(s.Messages) != 1 {
		t.Fatalf("messages: %v", s.Messages)
	}
	for _, want := range []string{"version 9", "cray", "seed", "moon", "33"} {
		if !strings.Contains(s.Messages[0].String(), want) {
			t.Errorf("%q is not in %q", want, s.Messages[0])
		}
	}
	if visible := eval[string](p, `document.getElementById("messages").innerText`); !strings.Contains(visible, "cray") {
		t.Errorf("the visible message is %q", visible)
	}
	if size := eval[string](p, `document.getElementById("knob-size").value`); size != "128" {
		t.Errorf("the valid part of the link was dropped: size %s", size)
	}
	p2 := open(t, server.URL+"/#v=1&s=nosuchscenario&workload.size=128")
	if s := p2.finish(); len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "nosuchscenario") {
		t.Errorf("messages: %v", s.Messages)
	}
}

// drop drops a file on the page, as a person would.
func (p *tab) drop(name string, data []byte) {
	p.t.Helper()
	p.wait(`document.getElementById("kept") !== null`) // the script that takes files is there
	eval[any](p, fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%s), c => c.charCodeAt(0));
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File([bytes], %s));
		for (const type of ["dragenter", "dragover", "drop"])
			document.body.dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
	})()`, quote(base64.StdEncoding.EncodeToString(data)), quote(name)))
}

// TestDroppedFiles: a file that is no PNG is refused in words, one that only
// begins like one too, and a real one runs.
func TestDroppedFiles(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	before := p.finish()

	p.drop("holiday.png", []byte("this is a text"))
	p.wait("S.messages.length === 1")
	s := p.state()
	if !strings.Contains(s.Messages[0].String(), "holiday.png") || !strings.Contains(s.Messages[0].String(), "not a PNG") {
		t.Errorf("message: %v", s.Messages[0])
	}
	if s.Phase != "done" || s.Run != before.Run || s.ResultHashes["B"] != before.ResultHashes["B"] {
		t.Errorf("a refused file changed the page: %+v", s)
	}

	var good bytes.Buffer
	if err := png.Encode(&good, gradient(96, 64)); err != nil {
		t.Fatal(err)
	}
	p.drop("cut.png", good.Bytes()[:good.Len()/2])
	p.wait("S.run === 2 && S.phase !== 'running'")
	if s := p.state(); s.Phase != "error" || len(s.Messages) == 0 || !strings.Contains(fmt.Sprint(s.Messages), "PNG") {
		t.Errorf("half a PNG: %s, %v", s.Phase, s.Messages)
	}

	p.drop("own.png", good.Bytes())
	p.wait("S.run === 3 && S.phase !== 'running'")
	s = p.finish()
	if s.ResultHashes["B"] == before.ResultHashes["B"] || s.Outputs["B"] == 0 {
		t.Errorf("the own image did not reach the run: %v, outputs %v", s.ResultHashes, s.Outputs)
	}
	if len(s.Messages) > 0 {
		t.Errorf("messages after a good image: %v", s.Messages)
	}

	// Scenarios that Export wrote open: the same hashes as natively.
	exported := parsed(t, "machine: {preset: mini}\nworkload: {name: vecadd, size: 16384}\nmemory: {codec: bdi}\ncompare: {memory: {codec: none}}\n")
	p.drop("cut.msgpack", authoring.Marshal(exported)[:40])
	p.wait(`S.messages.length === 1 && S.messages[0].what.includes("is no scenario")`)
	for i, file := range []struct {
		name string
		data []byte
	}{{"mine.msgpack", authoring.Marshal(exported)}, {"mine.json", authoring.ToJSON(exported)}} {
		p.drop(file.name, file.data)
		p.wait(fmt.Sprintf("S.run === %d && S.phase !== 'running'", 4+i))
		if s, want := p.finish(), nativeHash(t, exported, exported.Memory); s.ResultHashes["B"] != want || want == "" || len(s.Messages) > 0 {
			t.Errorf("%s: result %v, natively %s; %v", file.name, s.ResultHashes, want, s.Messages)
		}
	}
}

// gradient is a picture that means nothing.
func gradient(width, height int) image.Image {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.Set(x, y, color.RGBA{uint8(x * 2), uint8(y * 3), uint8(x ^ y), 255})
		}
	}
	return picture
}

// TestCancel: wherever the run is, it ends within 100 ms of the click, and the
// page can run again.
func TestCancel(t *testing.T) {
	const limitMS = 100
	server := serve(t)
	p := open(t, server.URL+"/#v=1&s=dct&workload.size=1024&picture=plain")
	var slowest float64
	for _, when := range []string{"S.progress.phase === 'reference'", "S.progress.phase === 'simulate' && S.progress.fraction > 0", "S.progress.phase === 'simulate' && S.progress.fraction > 0.1"} {
		p.wait("S.phase === 'running'")
		p.wait("S.phase !== 'running' || " + when)
		if s := p.state(); s.Phase != "running" {
			t.Fatalf("the run was over before it could be cancelled: %s %v", s.Phase, s.Messages)
		}
		took := eval[float64](p, `new Promise(resolve => {
			const start = performance.now();
			const look = () => {
				if (window.burstscope.state.phase === "running") return channel.port2.postMessage(0);
				resolve(performance.now() - start);
			};
			const channel = new MessageChannel();
			channel.port1.onmessage = look;
			document.getElementById("cancel").click();
			look();
		})`)
		t.Logf("cancelled where %s: %.1f ms", when, took)
		slowest = max(slowest, took)
		if s := p.state(); s.Phase != "cancelled" {
			t.Fatalf("after the click: %s", s.Phase)
		}
		eval[any](p, `document.getElementById("run").click()`)
	}
	if slowest > limitMS {
		t.Errorf("cancelling took %.0f ms, more than %d", slowest, limitMS)
	}
	p.wait("S.phase === 'running'")
	eval[any](p, `document.getElementById("cancel").click()`)
	// The engine itself has stopped too: another run starts and ends as ever.
	eval[any](p, "location.hash = "+quote(small[1:]))
	p.wait("S.run === 5")
	s := p.finish()
	again := open(t, server.URL+small).finish()
	if s.ResultHashes["A"] != again.ResultHashes["A"] || s.ResultHashes["B"] != again.ResultHashes["B"] {
		t.Errorf("after cancelling %v, without %v", s.ResultHashes, again.ResultHashes)
	}
}

// TestNoWebGL: without 3D graphics the numbers and the plain picture are there.
func TestNoWebGL(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := launch(t, append(slices.Clone(withoutGraphics), rarelyOptimized)).open(t, server.URL+small)
	s := p.finish()
	p.look()
	p.wait("S.view.failed && S.picture === 'plain'")
	if s = p.state(); len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "WebGL") {
		t.Errorf("messages: %v", s.Messages)
	}
	if cell := eval[string](p, `document.querySelector("#results [data-row=cycles] [data-side=B]").textContent`); !strings.ContainsAny(cell, "123456789") {
		t.Errorf("cycles of B: %q", cell)
	}
	if eval[bool](p, `document.getElementById("panel-strips").hidden`) {
		t.Error("the plain picture is hidden")
	}
}

// TestLostContext: a browser that takes the graphics away takes nothing else.
func TestLostContext(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	before := p.finish()
	p.look()
	p.wait("S.view.ready && S.view.tick > 2")
	fragment := eval[string](p, "location.hash")
	lost := eval[bool](p, `(() => {
		const canvas = document.querySelector("iframe").contentDocument.querySelector("canvas");
		const gl = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
		gl.getExtension("WEBGL_lose_context").loseContext();
		return true;
	})()`)
	if !lost {
		t.Fatal("the context could not be taken")
	}
	p.look()
	p.wait("S.view.failed && S.picture === 'plain'")
	after := p.state()
	if after.Phase != "done" || after.Run != before.Run || after.ResultHashes["A"] != before.ResultHashes["A"] || after.ResultHashes["B"] != before.ResultHashes["B"] {
		t.Errorf("before: %+v\nafter: %+v", before, after)
	}
	if got := eval[string](p, "location.hash"); got != fragment {
		t.Errorf("the link was %s and is %s", fragment, got)
	}
	if len(after.Messages) != 1 || !strings.Contains(after.Messages[0].String(), "WebGL") {
		t.Errorf("messages: %v", after.Messages)
	}
	eval[any](p, `document.querySelector("#messages button:not(.plain)").click()`) // Try again
	p.look()
	p.wait("S.view.ready && S.picture === 'moving' && S.messages.length === 0")
	p.wait("S.view.burstsDrawn > 0")
}

// TestPhone: on a phone nothing scrolls sideways and everything can be hit.
func TestPhone(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+bursting, chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait))
	p.finish()
	p.look()
	p.wait("S.view.ready && S.view.approximatedDrawn > 0")
	p.screenshot("phone.png")
	if wide := eval[float64](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		t.Errorf("%.0f px too wide", wide)
	}
	tight := eval[[]string](p, `[...document.querySelectorAll("button, select, input:not([type=range]):not(.vh)")].flatMap(e => {
		const r = e.getBoundingClientRect();
		const shown = e.checkVisibility() && r.width > 0;
		// A figure of the table is a target as large as its row and column.
		const hit = e.closest("td")?.getBoundingClientRect() ?? r;
		return shown && hit.height < 43.5 ? [(e.id || e.className || e.textContent) + " " + Math.round(hit.width) + "x" + Math.round(hit.height)] : [];
	})`)
	if len(tight) > 0 {
		t.Errorf("smaller than a finger: %v", tight)
	}
}

// TestDark: who asked the system for dark gets the dark paper.
func TestDark(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+bursting, command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}))
	p.finish()
	p.look()
	p.wait("S.view.ready && S.view.approximatedDrawn > 0")
	picture, err := png.Decode(bytes.NewReader(p.screenshot("dark.png")))
	if err != nil {
		t.Fatal(err)
	}
	if mean := brightness(picture); mean > 80 {
		t.Errorf("mean brightness %.0f of 255", mean)
	}
}

func brightness(picture image.Image) float64 {
	sum, n := 0.0, 0
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 3 {
		for x := b.Min.X; x < b.Max.X; x += 3 {
			sum += float64(color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y)
			n++
		}
	}
	return math.Round(sum / float64(n))
}

// TestSource: the tab Source shows what each line came to, of either side, in PTX
// and CUDA, and finds the line where the machine waits most.
func TestSource(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for _, screen := range []struct {
		name  string
		setup []chromedp.Action[chromedp.Void]
		shown int // columns of counts
	}{
		{"source", nil, 5},
		{"source-dark", []chromedp.Action[chromedp.Void]{command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
		})}, 5},
		{"source-phone", []chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)}, 1},
	} {
		t.Run(screen.name, func(t *testing.T) {
			p := open(t, server.URL+small+"&tab=source", screen.setup...)
			s := p.finish()
			p.wait(`document.querySelectorAll("#panel-source tbody td.on").length > 100`)
			// The text opens at the line that moves most bytes; a line of one text marks those of the other.
			p.wait(`document.querySelectorAll("#panel-source .here").length === 1`)
			beside := screen.shown > 1
			if shown := eval[bool](p, `document.querySelector("#panel-source .beside").checkVisibility()`); shown != beside {
				t.Errorf("both texts are shown: %t", shown)
			}
			if beside {
				if n := eval[int](p, `document.querySelectorAll("#panel-source .beside .linked").length`); n != 1 {
					t.Errorf("%d lines of CUDA belong to a line of PTX", n)
				}
				p.screenshot(screen.name + "-beside.png")
				p.do(chromedp.Click("#panel-source .beside .linked .text"))
				if n := eval[int](p, `document.querySelectorAll("#panel-source .paired .linked").length`); n < 2 {
					t.Errorf("%d lines of PTX belong to a line of CUDA", n)
				}
				eval[any](p, `document.querySelector("#panel-source .tools button[aria-pressed]").click()`)
				p.wait(`!document.querySelector("#panel-source .beside").checkVisibility()`)
			}
			eval[bool](p, `(e => { e.value = "stallCycles"; return e.dispatchEvent(new Event("change")); })(document.querySelector("#panel-source select[aria-label^=Count]"))`)
			p.settle()
			var result struct {
				Stats map[string]float64
			}
			if err := json.Unmarshal(s.Results["B"], &result); err != nil {
				t.Fatal(err)
			}
			stalls := result.Stats["stallMemoryCycles"] + result.Stats["stallBarrierCycles"] + result.Stats["stallPipelineCycles"]
			words := eval[string](p, `document.querySelector("#panel-source .words").textContent`)
			if want := eval[string](p, fmt.Sprintf(`(%f).toLocaleString("en") + " stall cycles"`, stalls)); !strings.Contains(words, want) {
				t.Errorf("%q does not say %q", words, want)
			}
			if n := eval[int](p, `[...document.querySelectorAll("#panel-source thead th")].filter(e => e.checkVisibility()).length`); n != screen.shown+2 {
				t.Errorf("%d columns, want %d", n, screen.shown+2)
			}
			p.do(chromedp.Click("#panel-source .tools button"))
			p.wait(`document.querySelectorAll("#panel-source .here").length === 1`)
			p.screenshot(screen.name + ".png")
			if !eval[bool](p, `(() => {
				const row = document.querySelector(".here").getBoundingClientRect(), box = document.querySelector(".codebox").getBoundingClientRect();
				return row.top > box.top && row.bottom < box.bottom;
			})()`) {
				t.Error("the hottest line is not in view")
			}
			if wide := eval[float64](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("%.0f px too wide", wide)
			}
			// Text on a coloured cell has the contrast that WCAG 2.1 AA asks for.
			if worst := eval[float64](p, `Math.min(...[...document.querySelectorAll("#panel-source td[style]")].map(e => {
				const light = c => { const [r, g, b] = c.match(/\d+/g).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
				const s = getComputedStyle(e), [a, b] = [light(s.color), light(s.backgroundColor)].sort((a, b) => b - a);
				return (a + 0.05) / (b + 0.05);
			}))`); worst < 4.5 {
				t.Errorf("contrast %.2f", worst)
			}
			p.do(chromedp.Click(`#stage-side [data-pick=A]`))
			p.wait(`document.querySelector("#panel-source .words").textContent.includes("Side A:")`)
			eval[bool](p, `(e => { e.value = "dct.cu"; return e.dispatchEvent(new Event("change")); })(document.querySelector("#panel-source select[aria-label='File shown']"))`)
			p.wait(`document.querySelector("#panel-source .words").textContent.startsWith("dct.cu. Side A:")`)
			p.do(chromedp.Click("#panel-source .tools button"))
			p.screenshot(screen.name + "-cuda.png")
		})
	}
}
