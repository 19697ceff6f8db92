package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// mostControls is how many controls a stranger meets.
const mostControls = 12

// controls are the controls in view. The numbers of a result control nothing: they open their explanation.
const controls = `[...document.querySelectorAll("button, select, input, textarea, summary, a[href]")].filter(e => {
	const r = e.getBoundingClientRect();
	if (!e.checkVisibility({visibilityProperty: true}) || e.matches(".num, .skip")) return false;
	return r.width > 1 && r.bottom > 0 && r.top < innerHeight;
}).map(e => e.id || e.textContent.trim())`

// remembered makes a page open as after a visit that left it so deep.
func remembered(depth string) chromedp.Action[chromedp.Void] {
	source := fmt.Sprintf(`try { localStorage.setItem("burstscope.depth", %q) } catch {}`, depth)
	return command(cdpage.AddScriptToEvaluateOnNewDocument,
		cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: source})
}

// TestFirstVisitIsSimple: a first visit shows a sentence, a scenario, two schemes, Run, the picture and five results.
// The rest comes with one press, and is there on the next visit.
func TestFirstVisitIsSimple(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL, chromedp.EmulateViewport(1440, 900))
	p.finish()
	poll(p, `document.getElementById("why")?.checkVisibility()`)
	p.screenshot("simple.png")
	seen := eval[[]string](p, controls)
	t.Logf("%d controls: %v", len(seen), seen)
	if len(seen) > mostControls {
		t.Errorf("%d controls are in view, at most %d may be", len(seen), mostControls)
	}
	for _, want := range []string{"scenario", "scheme-A", "scheme-B", "run", "play", "depth", "menu-open"} {
		if !slices.Contains(seen, want) {
			t.Errorf("%s is not in view", want)
		}
	}
	const shown = `[...document.querySelectorAll("#results tr[data-row]")].filter(e => e.checkVisibility())`
	if rows := eval[[]string](p, shown+`.map(e => e.dataset.row)`); len(rows) != 5 {
		t.Errorf("results: %v", rows)
	}
	larger := eval[[]string](p, `(size => [...document.querySelectorAll("main :not(#headline *)")]
		.filter(e => e.checkVisibility() &&
		[...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && size(e) > size(document.getElementById("intro")))
		.map(e => e.id || e.textContent))(e => parseFloat(getComputedStyle(e).fontSize))`)
	if len(larger) != 1 || larger[0] != "headline" {
		t.Errorf("larger than the sentence: %v", larger)
	}
	// On a phone the picture, Play and Run are in the first window, and nothing covers their middle or lower end.
	p.do(chromedp.EmulateViewport(390, 844))
	const unseen = `["stage", "play", "run"].filter(id => {
		const e = document.getElementById(id), r = e.getBoundingClientRect(), x = r.left + r.width / 2;
		return [(r.top + r.bottom) / 2, r.bottom - 2].some(y => !e.contains(document.elementFromPoint(x, y)));
	}).map(id => id + " to " + document.getElementById(id).getBoundingClientRect().bottom)`
	if faults := eval[[]string](p, unseen); len(faults) > 0 {
		t.Errorf("not in the first window of a phone: %v", faults)
	}
	p.screenshot("simple-phone.png")
	p.do(chromedp.EmulateViewport(1440, 900))
	eval[any](p, `document.getElementById("menu-open").click()`)
	for _, id := range strings.Fields("export share embed cite lessons help to-kernel to-lab to-sweep to-repro") {
		if !eval[bool](p, fmt.Sprintf(`document.querySelector("#menu #%s")?.checkVisibility() ?? false`, id)) {
			t.Errorf("%s is not in the menu", id)
		}
	}
	// The lab has the parts in the head of the page, and the way back leads to the simple page.
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.wait(`S.lab.open && document.querySelector("header > #part").checkVisibility()`)
	eval[any](p, `document.getElementById("to-simulator").click()`)
	p.wait(`!S.lab.open && !document.querySelector("header > #part")`)
	eval[any](p, `document.getElementById("depth").click()`)
	if n := eval[int](p, controls+".length"); n < 3*mostControls {
		t.Errorf("%d controls with all settings", n)
	}
	p.do(chromedp.Navigate(server.URL))
	p.finish()
	if !eval[bool](p, `document.getElementById("knob-seed").checkVisibility()`) {
		t.Error("the next visit does not remember all settings")
	}
}

// TestRunByKeyboard: the keyboard alone reaches Run in few presses, and it runs.
func TestRunByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL)
	p.finish()
	presses := 0
	press := func(key string) { p.do(chromedp.KeyEvent(key)); presses++ }
	for range 3 { // to the skip link of the settings
		press(kb.Tab)
	}
	press(kb.Enter)
	for eval[string](p, "document.activeElement.id") != "run" && presses < 20 {
		press(kb.Tab)
	}
	if presses > 12 {
		t.Errorf("%d presses to Run", presses)
	}
	press(kb.Enter)
	p.wait("S.run === 2")
}

// watchGuide keeps the words of all marks, which come and go by the clock, here four times as fast, and skips the first
// one if asked.
const watchGuide = `window.marks = [];
const later = window.setTimeout.bind(window);
window.setTimeout = (f, ms, ...of) => later(f, ms > 6000 && ms < 7000 ? ms / 4 : ms, ...of);
new MutationObserver(() => {
	const words = document.querySelector("#guide p")?.textContent;
	if (!words) return;
	if (words !== marks.at(-1)) marks.push(words);
	if (document.documentElement.scrollWidth > innerWidth) {
		const wide = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth);
		window.wide = words + ": " + wide.map(e => e.outerHTML.slice(0, 200)).join("; ");
	}
	if (sessionStorage.getItem("skip")) document.getElementById("guide-skip").click();
}).observe(document, {subtree: true, childList: true, characterData: true})`

// TestGuide: three marks explain the first run, with numbers of that run; they can be skipped, and never come again. On
// a phone none makes the page wider than its window.
func TestGuide(t *testing.T) {
	t.Parallel()
	watch := cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: watchGuide}
	phone := chromedp.EmulateViewport(390, 844)
	p := open(t, serve(t).URL, phone, command(cdpage.AddScriptToEvaluateOnNewDocument, watch))
	p.look()
	const over = ` && document.getElementById("guide") === null`
	poll(p, `marks.length === 3`+over)
	marks := eval[[]string](p, "marks")
	if wide := eval[string](p, `window.wide ?? ""`); wide != "" {
		t.Errorf("a mark makes the page too wide: %s", wide)
	}
	if !strings.HasPrefix(marks[0], "16 SMs run the program.") {
		t.Errorf("first mark: %s", marks[0])
	}
	var size, into, mag, bursts, whole int
	_, rest, _ := strings.Cut(marks[1], "one of ")
	const form = "%d bytes into %d. Memory moves whole bursts of %d bytes, so %d of %d are moved."
	if _, err := fmt.Sscanf(rest, form, &size, &into, &mag, &bursts, &whole); err != nil ||
		size != 128 || mag != 32 || whole != 4 || bursts != (into+mag-1)/mag {
		t.Errorf("second mark: %s (%v)", marks[1], err)
	}
	again := func(first string) {
		t.Helper()
		eval[any](p, first)
		p.do(chromedp.Reload())
		p.look()
	}
	again(`sessionStorage.setItem("skip", "1"), localStorage.removeItem("burstscope.guided")`)
	poll(p, `marks.length === 1`+over)
	again("0")
	p.wait(`S.phase === "done" && S.picture === "moving" && S.view.run === S.run`)
	p.settle()
	if n := eval[int](p, "marks.length"); n != 0 {
		t.Errorf("the guide comes again with %d marks", n)
	}
}

// partOf is an element of the card of a system.
func partOf(card, part string) string {
	return fmt.Sprintf("document.querySelector(%q)", "[data-card="+card+"] "+part)
}

// TestCardsOfSystems: a scheme is chosen by its name; the card of each system says what it excludes, its settings in a
// line, and what it did in the run of these settings only.
func TestCardsOfSystems(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+small+"&picture=plain")
	p.finish()
	poll(p, `document.querySelectorAll(".card ul:not(:empty)").length === 5`)
	did := func(card string) string {
		return eval[string](p, `(e => e.checkVisibility() ? e.textContent : "")(`+partOf(card, ".did")+`)`)
	}
	titles := eval[[]string](p, `[...document.querySelectorAll("#scheme-B option")].map(e => e.text)`)
	for _, want := range []string{"TSLC-OPT", "LATTE-CC in L1", "RFVP on load misses", "Buddy Compression behind a link"} {
		if !slices.Contains(titles, want) {
			t.Errorf("no scheme %s: %v", want, titles)
		}
	}
	poll(p, `/^A: [\d,]+ of [\d,]+ blocks coded/.test(`+partOf("memory", ".did")+`.textContent)`)
	eval[any](p, `(`+setField+`)("scheme-B", "l1.latte")`)
	for id, is := range map[string]string{"l1-store": "latte", "memory-codec": "none", "memory-approximation": "none"} {
		poll(p, `document.getElementById("knob-B-`+id+`").value === "`+is+`"`)
	}
	poll(p, `document.querySelector("[data-card=memory] .did").textContent === ""`) // the settings have not run
	eval[any](p, `(`+setField+`)("knob-B-memory-codec", "bdi")`)
	poll(p, `document.getElementById("scheme-B").selectedOptions[0].text === "BDI + LATTE-CC"`)
	textOf := func(card, part string) string { return eval[string](p, partOf(card, part)+".textContent") }
	if got := textOf("l1", "summary"); !strings.Contains(got, "phase, accesses 256") {
		t.Errorf("settings of LATTE-CC in a line: %s", got)
	}
	if got := textOf("backing", "ul"); !strings.Contains(got, "it stores entries exactly") {
		t.Errorf("what Buddy excludes: %s", got)
	}
	eval[any](p, `document.getElementById("run").click()`)
	p.wait("S.run === 2")
	p.finish()
	poll(p, `document.querySelector("[data-card=l1] .did").textContent !== ""`)
	stats := eval[map[string]float64](p, `burstscope.state.results.B.stats`)
	want := fmt.Sprintf("%.0f hits", stats["l1Hits"])
	got := strings.ReplaceAll(did("l1"), ",", "")
	if stats["l1Hits"] > 0 && !strings.Contains(got, want) || !strings.HasPrefix(got, "B: ") {
		t.Errorf("what LATTE-CC did: %q, the result has %s", got, want)
	}
	p.screenshot("cards.png")
}
