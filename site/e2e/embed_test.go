package e2e

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// quick is the state of a run that takes a moment.
const quick = "machine.preset=mini&workload.size=16384"

func poster(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dist, "posters", "vecadd.svg"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const tall = `<div><svg width="10" height="1500"></svg></div>`

// TestEmbedForeignStrict: the element in a page of another origin, under a strict
// policy and in a sandbox without an origin. Before the press it costs little and
// gets in nobody's way; after it the run is the engine's own.
func TestEmbedForeignStrict(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, false)
	host := hostOf(t, site.URL, strictPolicy, map[string]string{"/poster.svg": poster(t), "/": hostPage(
		`<input id="before"><script src="SITE/burst-scope.js" defer></script>` +
			`<burst-scope scenario="vecadd" state="` + quick + `" sandbox="allow-scripts" knobs="B.memory.codec">` +
			`<a href="SITE/#v=1&amp;s=vecadd"><img src="/poster.svg" width="960" height="600" alt="The run in numbers"></a></burst-scope>` + tall)})
	p := openWatched(t, host.URL)
	p.screenshot("embed-foreign-before.png")
	if n, paths := site.total("/"); n > 10_000 || len(paths) != 1 {
		t.Errorf("before the press the page fetched %d bytes of the site: %v", n, paths)
	}

	// The wheel over the poster is the page's.
	x, y := box(p, "burst-scope").middle()
	p.do(wheel(x, y, 240))
	eval[bool](p, `until(() => scrollY > 100)`)
	eval[bool](p, `scrollTo(0, 0), until(() => scrollY === 0)`)

	p.do(chromedp.MouseClickXY(x, y))
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	state := untilDone(p, frameIn)
	if state.Phase != "done" || state.Scenario != "vecadd" || !strings.Contains(state.Fragment, "machine.preset=mini") || state.ResultHashes["A"] == "" {
		t.Fatalf("state %+v", state)
	}
	for _, m := range eval[[]string](p, `heard.filter((m) => m.origin !== "null").map((m) => m.origin)`) {
		t.Errorf("a message from %s: the sandbox has an origin", m)
	}
	// The moving picture is a frame of an origin of its own there.
	eval[bool](p, `until(async () => (await ask(`+frameIn+`, {type: "getState"})).state.picture === "moving")`)
	p.screenshot("embed-foreign-live.png")

	// The same run outside, to the bit.
	other := open(t, site.URL+"/#v=1&s=vecadd&"+quick)
	if want := other.finish().ResultHashes; want["A"] != state.ResultHashes["A"] || want["B"] != state.ResultHashes["B"] {
		t.Errorf("the embed has the results %v, the site %v", state.ResultHashes, want)
	}
}

// within is a promise for the moment an expression holds, in pages without helpers.
func within(expression string) string {
	return "new Promise((r) => { const look = () => (" + expression + ") ? r(true) : setTimeout(look, 50); look(); })"
}

const frameIn = `document.querySelector("burst-scope").shadowRoot.querySelector("iframe")`

// TestEmbedBareHost: in a sandbox on a host that lets nobody read its files, the
// engine comes as a script and the picture is the plain one.
func TestEmbedBareHost(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, true)
	host := hostOf(t, site.URL, "", map[string]string{"/": hostPage(
		`<iframe src="SITE/embed.html#v=1&amp;s=vecadd&amp;` + quick + `&amp;embed.load=now" sandbox="allow-scripts" width="900" height="600" title="run"></iframe>`)})
	p := openWatched(t, host.URL, "CORS policy", "net::ERR_FAILED")
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	if state := untilDone(p, `document.querySelector("iframe")`); state.Phase != "done" || state.Scenario != "vecadd" {
		t.Errorf("state %+v", state)
	}
	if n, _ := site.total("engine.wasm-"); n == 0 {
		t.Error("the engine did not come as a script")
	}
}

// TestEmbedMessages: the message API, with what is wrong answered and nothing changed.
func TestEmbedMessages(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, false)
	host := hostOf(t, site.URL, "", map[string]string{
		"/":         hostPage(`<iframe src="SITE/embed.html#v=1&amp;s=vecadd&amp;` + quick + `&amp;lock=memory.mag" width="900" height="600" title="run"></iframe><iframe id="other" src="/stranger" title="other"></iframe>`),
		"/stranger": hostPage(`Stranger`),
		"/listed":   hostPage(`<iframe src="SITE/embed.html#v=1&amp;s=vecadd&amp;embed.origins=https%3A%2F%2Fexample.org" width="900" height="600" title="run"></iframe>`),
	})
	p := openWatched(t, host.URL)
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready"))`)

	// Before the simulator: the state is the poster's, and nothing heavy is fetched.
	if a := ask(p, `{type: "getState"}`); a.Type != "state" || a.State.Phase != "poster" {
		t.Errorf("before: %+v", a)
	}
	if a := ask(p, `{type: "setState", state: {theme: "dark"}}`); a.Type != "state" || a.State.Theme != "dark" {
		t.Errorf("theme: %+v", a)
	}
	if n, paths := site.total("shell", "engine", "panels", "embed-"); n > 16_000 { // the embed itself
		t.Errorf("messages that need no simulator made the embed load %v", paths)
	}
	if n, paths := site.total("/"); n > 42_000 {
		t.Errorf("before a press the frame takes %d bytes: %v", n, paths)
	}

	// run loads and runs.
	if a := ask(p, `{type: "run"}`); a.Type != "state" {
		t.Fatalf("run: %+v", a)
	}
	state := untilDone(p, `document.querySelector("iframe")`)
	if state.Phase != "done" || state.Theme != "dark" || state.Entered {
		t.Errorf("after run: %+v", state)
	}

	before := ask(p, `{type: "getState"}`).State.Fragment
	for _, c := range []struct{ message, where, what string }{
		{`{burstscope: 7, type: "getState"}`, "burstscope", "Version 7"},
		{`{type: "explode"}`, "type", "explode"},
		{`{type: "constructor"}`, "type", "constructor"},
		{`{type: "seek"}`, "seek.cycle", "missing"},
		{`{type: "seek", cycle: "1"}`, "seek.cycle", "“1”"},
		{`{type: "seek", cycle: -1}`, "seek.cycle", "-1"},
		{`{type: "seek", cycle: NaN}`, "seek.cycle", "NaN"},
		{`{type: "seek", cycle: 10n}`, "seek.cycle", "seek.cycle is the BigInt 10n."},
		{`{type: "seek", cycle: 10n ** 100000n}`, "seek.cycle", "seek.cycle is a BigInt of many digits."},
		{`{type: "setState", state: {tab: "dram", cycle: 10n}}`, "setState.state", "setState.state.cycle is the BigInt 10n."},
		{`{type: "a\u202egnp"}`, "type", "“a\ufffdgnp”"},
		{`{type: "seek", cycle: 1, html: "<b>"}`, "seek.“html”", "no field"},
		{`{type: "setState", state: {tab: ["dram"]}}`, "message", "only texts"},
		{`{type: "setState", state: {tab: {deep: 1}}}`, "setState.state", "setState.state.tab is an object"},
		{`{type: "setState", state: null}`, "setState.state", "null"},
		{`{type: "setState", state: {tab: "nowhere"}}`, "setState.state", "tab=nowhere"},
		{`{type: "setState", state: {scenario: "none such", tab: "dram"}}`, "setState.state", "none such"},
		{`{type: "setState", state: {lab: "http://evil.example/x"}}`, "setState.state", "there is no such data set"},
		{`{type: "setState", state: "#v=1&tab=dram&lab=nothing"}`, "setState.state", "there is no such data set"},
		{`{type: "setState", state: {lesson: "nothing", step: 2}}`, "setState.state", "“lesson” opens another part of the page"},
		{`{type: "setState", state: {"repro.figure": "SLC-99"}}`, "setState.state", "“repro.figure” opens another part of the page"},
		{`{type: "setState", state: {"lab.codec": "no codec"}}`, "setState.state", "lab.codec=no codec"},
		{`{type: "setState", state: {"B.memory.mag": 64}}`, "setState.state", "memory.mag"},
		{`{type: "setState", state: {"<img src=x onerror=alert(1)>": 1}}`, "setState.state", "is not a key"},
		{`{type: "setState", state: "#v=1&cycle=%zz&tab=dram"}`, "setState.state", "cut off"},
		{`{type: "setState", state: "x".repeat(100000)}`, "message", "texts are too long"},
		{`{type: "setState", state: Object.fromEntries(Array.from({length: 1000}, (_, i) => ["k" + i, i]))}`, "message", "too many values"},
		{`{type: "setState", state: {buffer: new ArrayBuffer(8)}}`, "message", "only texts"},
		{`{type: "export", format: "exe"}`, "export.format", "exe"},
	} {
		a := ask(p, c.message)
		if a.Type != "error" || a.Where != c.where || !strings.Contains(a.What, c.what) || a.Mend == "" {
			t.Errorf("%s: %s %q at %q, mend %q", c.message, a.Type, a.What, a.Where, a.Mend)
		}
	}
	if after := ask(p, `{type: "getState"}`).State.Fragment; after != before {
		t.Errorf("refused messages changed %s to %s", before, after)
	}
	// Messages that are not ours are none of the embed's business.
	eval[bool](p, `heard.length = 0, document.querySelector("iframe").contentWindow.postMessage("hello", "*"), document.querySelector("iframe").contentWindow.postMessage({type: "run"}, "*"), true`)

	// Shapes nobody thought of: each is answered, and none changes a thing.
	if odd := eval[int](p, hostileMessages); odd < 200 {
		t.Errorf("only %d hostile messages were refused", odd)
	}
	if after := ask(p, `{type: "getState"}`).State.Fragment; after != before {
		t.Errorf("hostile messages changed %s to %s", before, after)
	}

	eval[bool](p, `(heard.length = 0, true)`)

	// The working ones.
	a := ask(p, `{type: "setState", state: {tab: "dram", side: "A", "B.memory.codec": "bdi", cycle: 100, playing: false}}`)
	if a.Type != "state" || a.State.Tab != "dram" || a.State.Side != "A" || a.State.Cycle != 100 || !strings.Contains(a.State.Fragment, "B.memory.codec=bdi") {
		t.Errorf("setState: %+v", a)
	}
	if a := ask(p, `{type: "seek", cycle: 200}`); a.State.Cycle != 200 || a.State.Playing {
		t.Errorf("seek: %+v", a)
	}
	if a := ask(p, `{type: "pause", paused: false}`); !a.State.Playing {
		t.Errorf("pause false: %+v", a)
	}
	if a := ask(p, `{type: "pause"}`); a.State.Playing {
		t.Errorf("pause: %+v", a)
	}
	ask(p, `{type: "run"}`)
	state = untilDone(p, `document.querySelector("iframe")`)
	if a := ask(p, `{type: "export", format: "csv"}`); a.Mime != "text/csv" || !strings.Contains(a.Data, state.ResultHashes["B"]) || !strings.Contains(a.Data, "B.memory.codec=bdi") {
		t.Errorf("csv: %+v", a)
	}
	if a := ask(p, `{type: "export", format: "json"}`); !strings.Contains(a.Data, state.ResultHashes["A"]) {
		t.Errorf("json: %.200s", a.Data)
	}
	if a := ask(p, `{type: "export", format: "svg"}`); a.Mime != "image/svg+xml" || !strings.Contains(a.Data, state.ResultHashes["B"][:12]) || !strings.Contains(a.Data, state.Headline[:12]) {
		t.Errorf("svg: %.300s", a.Data)
	}
	for _, m := range eval[[]string](p, `heard.map((m) => m.type).filter((x) => !["ready", "state", "export", "resize"].includes(x))`) {
		t.Errorf("a message that answers nothing: %s", m)
	}

	// A frame of the page that is not around the embed, from the same origin even.
	stranger := eval[string](p, `(async () => {
		const other = document.getElementById("other").contentWindow;
		const answer = new Promise((r) => other.addEventListener("message", (e) => r(JSON.stringify(e.data)), {once: true}));
		other.eval('parent.frames[0].postMessage({burstscope: 1, type: "setState", state: {tab: "output"}}, "*")');
		return answer;
	})()`)
	if !strings.Contains(stranger, `"type":"error"`) || !strings.Contains(stranger, "may not send messages") {
		t.Errorf("a stranger is told %s", stranger)
	}
	if a := ask(p, `{type: "getState"}`); a.State.Tab != "dram" {
		t.Errorf("a stranger set the tab to %s", a.State.Tab)
	}

	// A page that the author did not list, also if no page is listed that exists, or the list stands after a long module.
	for _, origins := range []string{
		"https%3A%2F%2Fexample.org", "*", "", "%zz", "http%3A%2F%2Fx%3A8197.evil.example", "https%3A%2F%2Fexample.org%2F", "null%20", "%2C", "https%3A%2F%2Fexample.org&x=" + strings.Repeat("a", 20_000),
	} {
		frame := `{const f = document.createElement("iframe"); f.src = "` + site.URL + `/embed.html#v=1&s=vecadd&embed.origins=` + origins + `"; document.body.replaceChildren(f);}`
		if long := strings.SplitN(origins, "&x=", 2); len(long) == 2 {
			frame = strings.Replace(frame, "&embed.origins="+origins, "&B.memory.module="+long[1]+"&embed.origins="+long[0], 1)
		}
		p = openWatched(t, host.URL+"/listed")
		eval[any](p, `heard.length = 0; `+frame+` 0`)
		eval[bool](p, `until(() => heard.some((m) => m.type === "ready"))`)
		if a := ask2(p); a.Type != "error" || !strings.Contains(a.Where, host.URL) {
			t.Errorf("embed.origins=%.60s: a page that is not listed is told %+v", origins, a)
		}
	}
}

// hostileMessages sends three hundred random ones and counts the refused; every one
// must be answered by an error or by the state.
const hostileMessages = `(async () => {
	const frame = document.querySelector("iframe");
	let seed = 1;
	const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
	const pick = (list) => list[random(list.length)];
	const value = (depth) => pick([
		() => null, () => random(1000) - 500, () => 1e308 * 10, () => "", () => "<script>alert(1)</scr" + "ipt>", () => "x".repeat(random(40000)), () => true,
		() => [], () => new Date(0), () => new Map([["a", 1]]), () => new Uint8Array(10), () => "__proto__", () => "%00%zz",
		() => depth > 5 ? 0 : Object.fromEntries([["a", value(depth + 1)], [pick(["b", "__proto__", "cycle", "tab", "s"]), value(depth + 1)]]),
	])();
	let refused = 0;
	for (let i = 0; i < 300; i++) {
		const m = {type: pick(["ready", "getState", "setState", "seek", "export", "pause", "x", value(0)])};
		for (let k = random(4); k > 0; k--) m[pick(["state", "cycle", "format", "paused", "html", "toString"])] = value(0);
		if (m.type === "pause" || m.type === "seek") m.extra = 1;
		const a = await ask(frame, m);
		if (a.type === "error") {
			refused++;
			if (!a.what || !a.where || !a.mend || JSON.stringify(a).length > 2000) throw new Error("a refusal says " + JSON.stringify(a));
		} else if (!["ready", "state"].includes(a.type)) throw new Error(JSON.stringify(m).slice(0, 200) + " is answered by " + a.type);
	}
	return refused;
})()`

// ask2 sends a message and waits for whatever comes back: a stranger's id is not
// repeated to it.
func ask2(p *tab) answerOf {
	p.t.Helper()
	return eval[answerOf](p, `(document.querySelector("iframe").contentWindow.postMessage({burstscope: 1, type: "run"}, "*"), until(() => heard.find((m) => m.type === "error")))`)
}

// TestEmbedOutsideADocument: an element that is not in the page, not yet or no more,
// refuses every call with a promise, and works once it is there.
func TestEmbedOutsideADocument(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, false)
	host := hostOf(t, site.URL, "", map[string]string{"/": hostPage(`<script src="SITE/burst-scope.js"></script>`)})
	p := openWatched(t, host.URL)
	const calls = `["getState", "run", "pause"].map((name) => { try { return e[name]().then(() => "answered", (x) => x.message + ". " + x.mend); } catch (x) { return "threw " + x; } })`
	for _, state := range []string{
		`window.e = document.createElement("burst-scope")`,
		`document.body.append(e), e.remove()`,
	} {
		for i, said := range eval[[]string](p, state+`, Promise.all(`+calls+`)`) {
			want := []string{"getState", "run", "pause"}[i] + ": this <burst-scope> is in no document. Add the element to the page first."
			if said != want {
				t.Errorf("%s: %s, want %s", state, said, want)
			}
		}
	}
	if phase := eval[string](p, `e.setAttribute("scenario", "vecadd"), document.body.append(e), e.getState().then((s) => s.phase)`); phase == "" {
		t.Error("in the page the element has no state")
	}
}

// TestEmbedTrapsNothing: an embed that loads when it comes into view takes no wheel,
// key or focus until it is pressed, and Escape gives them back.
func TestEmbedTrapsNothing(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, false)
	host := hostOf(t, site.URL, "", map[string]string{"/": hostPage(`<input id="before"><script src="SITE/burst-scope.js" defer></script>` +
		`<burst-scope scenario="vecadd" state="` + quick + `" load="visible"></burst-scope>` + tall)})
	p := openWatched(t, host.URL)
	eval[bool](p, `document.getElementById("before").focus(), true`)
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	if state := untilDone(p, frameIn); state.Phase != "done" || state.Entered {
		t.Fatalf("state %+v", state)
	}
	focused := `document.activeElement.id || document.activeElement.localName`
	x, y := box(p, "burst-scope").middle()
	for _, at := range []float64{y - 100, y, y + 150} {
		p.do(wheel(x, at, 100))
	}
	eval[bool](p, `until(() => scrollY > 200)`)
	eval[bool](p, `scrollTo(0, 0), until(() => scrollY === 0)`)
	before := askFrame(p, frameIn, `{type: "getState"}`).State
	p.do(chromedp.KeyEvent("r"))
	p.do(chromedp.KeyEvent("2"))
	if got := eval[string](p, focused); got != "before" {
		t.Errorf("the focus went to %s", got)
	}
	if keys := eval[[]string](p, "keys"); strings.Join(keys, "") != "r2" {
		t.Errorf("keys of the page: %v", keys)
	}
	if after := askFrame(p, frameIn, `{type: "getState"}`).State; after.Tab != before.Tab || after.Entered {
		t.Errorf("keys of the page reached the embed: %+v", after)
	}
	p.screenshot("embed-visible.png")

	// Pressed, it takes keys; Escape leaves.
	p.do(chromedp.MouseClickXY(x, y))
	eval[bool](p, `until(async () => (await ask(`+frameIn+`, {type: "getState"})).state.entered)`)
	p.do(chromedp.KeyEvent("2"))
	eval[bool](p, `until(async () => (await ask(`+frameIn+`, {type: "getState"})).state.tab === "address")`)
	p.do(chromedp.KeyEvent("\x1b"))
	eval[bool](p, `until(async () => !(await ask(`+frameIn+`, {type: "getState"})).state.entered)`)
	eval[bool](p, `until(() => document.activeElement === document.body)`)
	p.do(chromedp.KeyEvent("3"))
	eval[bool](p, `until(() => keys.includes("3"))`)
	p.do(wheel(x, y, 200))
	eval[bool](p, `until(() => scrollY > 100)`)
}

// TestEmbedPicturesAreOfTheirRun: an embed with settings of its own says that its picture has others,
// and one of a scenario without a picture shows none.
func TestEmbedPicturesAreOfTheirRun(t *testing.T) {
	t.Parallel()
	site := serve(t)
	for fragment, want := range map[string]string{
		"s=vecadd&tab=mag&theme=dark&lab.mag=64": "1 ",
		"s=vecadd&B.memory.mag=64":               "1 This picture is of “Vector addition: no compression against E2MC” as it ships. The run here has settings of its own.",
		"s=vecadd&seed=2":                        "1 This picture is of “Vector addition: no compression against E2MC” as it ships. The run here has settings of its own.",
		"id=" + strings.Repeat("0", 64):          "0 A run of Burstscope.",
		"z=abc":                                  "0 A run of Burstscope.",
		"lesson=burst&step=3":                    "0 A run of Burstscope.",
	} {
		p := open(t, site.URL+"/embed.html#v=1&"+fragment)
		eval[bool](p, within(`document.getElementById("embed-run")?.hidden === false`))
		if got := eval[string](p, `document.images.length + " " + document.getElementById("embed-said").textContent`); got != want {
			t.Errorf("%s: %q, want %q", fragment, got, want)
		}
	}
}

// TestEmbedTheme: the embed is as light or dark as the page it stands in, by the
// page's own scheme or by its word.
func TestEmbedTheme(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, false)
	host := hostOf(t, site.URL, "", map[string]string{"/": hostPage(`<style>iframe{color-scheme:dark}</style>` +
		`<iframe src="SITE/embed.html#v=1&amp;s=vecadd&amp;` + quick + `&amp;embed.load=now" width="900" height="600" title="run"></iframe>`)})
	p := openWatched(t, host.URL)
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	dark := func() bool {
		shot, err := png.Decode(bytes.NewReader(p.screenshot("embed-theme.png")))
		if err != nil {
			t.Fatal(err)
		}
		at := box(p, "iframe")
		r, _, _, _ := shot.At(int(at.X+at.Width/2), int(at.Y+5)).RGBA()
		return r < 0x8000
	}
	untilDone(p, `document.querySelector("iframe")`)
	for range 100 { // the frame's pixels come when its process has drawn them
		if dark() {
			break
		}
	}
	if !dark() {
		t.Error("the page's scheme for the frame is dark, the embed is light")
	}
	ask(p, `{type: "setState", state: {theme: "light"}}`)
	for range 100 {
		if !dark() {
			return
		}
	}
	t.Error("the embed is dark after setTheme light")
}

// TestCompanion: the sample page with three embeds, without and with scripts.
func TestCompanion(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, false)
	p := open(t, site.URL+"/companion/", command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	text, err := chromedp.Run(p.ctx, chromedp.OuterHTML(chromedp.CSS("main")))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text, "<img "); n != 3 {
		t.Errorf("%d posters without scripts", n)
	}
	if !regexp.MustCompile(`alt="[^"]*result hashes A [0-9a-f]{12}, B [0-9a-f]{12}`).MatchString(text) {
		t.Error("the alternative texts of the posters name no result")
	}
	p.screenshot("companion-no-script.png")

	p = openWatched(t, site.URL+"/companion/")
	eval[bool](p, within(`document.querySelector("burst-scope").shadowRoot && [...document.images].every((i) => i.complete && i.naturalWidth > 0)`))
	if n, paths := site.total("embed", "shell", "wasm"); n > 0 {
		t.Errorf("before anything was pressed or seen: %v", paths)
	}
	if n, paths := site.total("burst-scope.js", "posters/"); n > 3*40_000 {
		t.Errorf("three embeds weigh %d bytes: %v", n, paths)
	}
	p.screenshot("companion.png")

	// The third loads when it comes into view; the others by a press.
	frame := func(i int) string {
		return fmt.Sprintf(`document.querySelectorAll("burst-scope")[%d].shadowRoot.querySelector("iframe")`, i)
	}
	for _, i := range []int{0, 2} { // the second is as the first, and takes the longest
		eval[bool](p, fmt.Sprintf(`document.querySelectorAll("burst-scope")[%d].scrollIntoView({block: "center"}), true`, i))
		height := box(p, fmt.Sprintf("burst-scope:nth-of-type(%d)", i+1)).Height
		if i < 2 {
			p.do(chromedp.MouseClickXY(box(p, fmt.Sprintf("burst-scope:nth-of-type(%d)", i+1)).middle()))
		}
		eval[bool](p, within(frame(i)))
		state := eval[embedState](p, fmt.Sprintf(`(async () => {
			const e = document.querySelectorAll("burst-scope")[%d];
			for (;;) {
				const s = await e.getState();
				if (s.phase === "done") {
					await e.pause(); // several pictures in motion are too much for a machine without graphics
					return s;
				}
				await new Promise((r) => setTimeout(r, 100));
			}
		})()`, i))
		if want := []string{"vecadd", "tp", "dct"}[i]; state.Scenario != want || state.Entered != (i < 2) {
			t.Errorf("embed %d: %+v", i, state)
		}
		// The run is that of the poster.
		alt := eval[string](p, fmt.Sprintf(`document.querySelectorAll("burst-scope img")[%d].alt`, i))
		for side, hash := range state.ResultHashes {
			if !strings.Contains(alt, side+" "+hash[:12]) {
				t.Errorf("embed %d: side %s has the result %s, the poster says %s", i, side, hash[:12], alt)
			}
		}
		if !strings.HasPrefix(alt[strings.Index(alt, ". ")+2:], strings.TrimSuffix(state.Headline, ".")) {
			t.Errorf("embed %d: the headline is %q, the poster says %q", i, state.Headline, alt)
		}
		if now := box(p, fmt.Sprintf("burst-scope:nth-of-type(%d)", i+1)).Height; math.Abs(now-height) > 1 {
			t.Errorf("embed %d was %g pixels high and is %g", i, height, now)
		}
		p.screenshot(fmt.Sprintf("companion-%d.png", i+1))
	}
}

// TestEmbedOpenFull: the site continues where the embed stands.
func TestEmbedOpenFull(t *testing.T) {
	t.Parallel()
	site := serve(t)
	p := openWatched(t, site.URL+"/embed.html#v=1&s=vecadd&"+quick+"&embed.autoplay=no&embed.load=now&embed.knobs=B.memory.codec,seed&hide=compare&embed.colour=red")
	eval[bool](p, within(`window.burstscope?.state.phase === "done"`))
	p.settle()
	s := p.state()
	if s.Playing || len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "embed.colour=red") {
		t.Errorf("playing %v, messages %v", s.Playing, s.Messages)
	}
	labels := eval[[]string](p, `[...document.querySelectorAll("#embed-knobs label")].map((l) => l.firstChild.textContent)`)
	if strings.Join(labels, "|") != "B: codec|seed" {
		t.Errorf("free knobs %v", labels)
	}
	// A change runs at once.
	eval[bool](p, `(e => { e.value = "bdi"; e.dispatchEvent(new Event("change", {bubbles: true})); return true; })(document.querySelector("#embed-knobs select"))`)
	p.wait("S.run === 2 && S.phase === 'done'")
	eval[bool](p, `burstscopeControl.seek(300), true`)
	p.wait("S.cycle === 300")
	want := p.state()
	eval[bool](p, `document.getElementById("embed-cite").click(), true`)
	p.wait(`document.getElementById("dialog").open`)
	p.screenshot("embed-cite.png")
	eval[bool](p, `document.getElementById("dialog-close").click(), true`)
	link := eval[string](p, `(() => { const a = document.getElementById("embed-open"); a.addEventListener("click", (e) => e.preventDefault()); a.click(); return a.href; })()`)
	full := openWatched(t, link)
	got := full.finish()
	if got.ResultHashes["B"] != want.ResultHashes["B"] || got.ResultHashes["A"] != want.ResultHashes["A"] || len(got.Messages) != 0 {
		t.Errorf("%s: results %v, want %v; messages %v", link, got.ResultHashes, want.ResultHashes, got.Messages)
	}
	full.wait("S.cycle === 300 && S.tab === 'bursts'")
	if v := eval[string](full, `document.getElementById("knob-B-memory-codec").value`); v != "bdi" {
		t.Errorf("codec %s", v)
	}
}

// TestEmbedLook keeps pictures of the embed for people, and checks what a small
// place needs: nothing sideways, no text below 12 pixels.
func TestEmbedLook(t *testing.T) {
	t.Parallel()
	site := serve(t)
	for _, place := range []struct {
		name          string
		width, height int64
		theme         string
	}{{"wide-dark", 800, 560, "dark"}, {"phone", 390, 844, "light"}} {
		size := command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: place.width, Height: place.height, DeviceScaleFactor: 1, Mobile: place.width < 500})
		p := open(t, site.URL+"/embed.html#v=1&s=vecadd&"+quick+"&theme="+place.theme, size)
		eval[bool](p, within(`document.images[0]?.complete`))
		p.screenshot("embed-" + place.name + "-poster.png")
		eval[bool](p, `document.getElementById("embed-run").click(), true`)
		eval[bool](p, within(`window.burstscope?.state.phase === "done"`))
		p.settle()
		p.look()
		p.wait("S.view.ready && S.picture === 'moving'")
		p.screenshot("embed-" + place.name + ".png")
		if wide := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%s: %g pixels sideways", place.name, wide)
		}
		small := eval[[]string](p, `[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility({visibilityProperty: true}) && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 12 && e.getBoundingClientRect().width > 1).map((e) => e.localName + "#" + e.id + " " + getComputedStyle(e).fontSize)`)
		if len(small) > 0 {
			t.Errorf("%s: small text %v", place.name, small)
		}
	}
}
