package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeyboard: every shortcut that the help lists does what it says, and no other
// is listed.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&picture=plain&cycle=1000&speed=64")
	p.finish()
	p.wait(`document.getElementById("accounts").hidden === false`)
	speed := `Number(new URLSearchParams(location.hash.slice(1)).get("speed") )`
	closed := `!document.getElementById("dialog").open`
	press := func(key string) { p.t.Helper(); p.do(chromedp.KeyEvent(key)) }
	tried := []string{"W A S D"} // TestPictureIsWalked
	for _, k := range []struct{ shown, key, want string }{
		{"← →", kb.ArrowRight, "S.cycle > 1000"},
		{"", kb.ArrowLeft, "S.cycle <= 1000"},
		{"Home", kb.Home, "S.cycle === 0"},
		{"space", " ", "S.playing"},
		{"", " ", "!S.playing"},
		{"[ ]", "]", speed + " === 96"},
		{"", "[", speed + " === 64"},
		{"1 … 9", "2", "S.tab === 'address'"},
		{"", "6", "S.tab === 'source'"},
		{"", "7", "S.tab === 'source'"}, // no L1 has a policy
		{"", "9", "S.tab === 'launches'"},
		{"", "1", "S.tab === 'bursts'"},
		{"a b", "a", `document.getElementById("side-a").ariaChecked === "true"`},
		{"", "b", `document.getElementById("side-b").ariaChecked === "true"`},
		{"r", "r", "S.run === 2 && S.phase === 'done'"},
		{"x", "x", `document.getElementById("export-csv")`},
		{"Esc", kb.Escape, closed},
		{"?", "?", `document.querySelector("#dialog .keys")`},
	} {
		if k.shown != "" {
			tried = append(tried, k.shown)
		}
		press(k.key)
		p.wait(k.want)
	}
	listed := eval[[]string](p, `[...document.querySelectorAll("#dialog .keys kbd")].map(e => e.textContent)`)
	press(kb.Escape)
	p.wait(closed)
	p.wait(`!document.getElementById("dialog").contains(document.activeElement)`)
	// Every bit of a block, where one is selected.
	tried = append(tried, "e")
	eval[any](p, `(e => { e.value = "0xc0000000"; e.form.requestSubmit(); })(document.getElementById("inspect-addr"))`)
	p.wait(`document.getElementById("explain-open") && !document.getElementById("explain-open").hidden`)
	eval[any](p, "document.activeElement.blur()")
	press("e")
	p.wait(`document.querySelector("#explain[open]")`)
	press(kb.Escape)
	p.wait(`!document.querySelector("#explain[open]")`)
	slices.Sort(listed)
	slices.Sort(tried)
	if !slices.Equal(listed, tried) {
		t.Errorf("the help lists %v, tried were %v", listed, tried)
	}
}

// TestTabOrder: the Tab key reaches the skip links first, then every part of the page
// in the order of the page, and what it reaches is seen.
func TestTabOrder(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&picture=plain", chromedp.EmulateViewport(1366, 900))
	p.finish()
	p.wait(`document.getElementById("accounts").hidden === false`)
	type stop struct {
		Name, Part string
		Seen       bool
	}
	var stops []stop
	for range 120 {
		p.do(chromedp.KeyEvent(kb.Tab))
		s := eval[stop](p, `(() => {
			const e = document.activeElement, r = e.getBoundingClientRect(), s = getComputedStyle(e);
			const part = e.closest("header, #centre, #time, #result, #knobs")?.id || e.closest("header")?.tagName || "";
			return {Name: e === document.body ? "BODY" : e.id || e.textContent.trim().slice(0, 24) || e.tagName, Part: part, Seen: r.width > 0 && parseFloat(s.outlineWidth) >= 2 && s.outlineStyle !== "none"};
		})()`)
		if s.Name == "BODY" {
			break
		}
		stops = append(stops, s)
	}
	if len(stops) < 40 || stops[0].Name != "Skip to the picture" {
		t.Fatalf("%d stops, the first %+v", len(stops), stops[0])
	}
	var parts []string
	for _, s := range stops {
		if !s.Seen {
			t.Errorf("the focus on %q of %s is not visible", s.Name, s.Part)
		}
		if s.Part != "" && (len(parts) == 0 || parts[len(parts)-1] != s.Part) {
			parts = append(parts, s.Part)
		}
	}
	if got := strings.Join(parts, " "); got != "HEADER centre time result knobs" {
		t.Errorf("order of the parts: %s", got)
	}
	// A skip link brings the focus where it says.
	eval[any](p, `document.querySelector("a[href='#result']").focus()`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.do(chromedp.KeyEvent(kb.Tab))
	p.wait(`document.activeElement.closest("#result") !== null`)
}

// TestCursorWords: what the picture shows at the cursor is said in words, to those who
// do not see it, and not while it flies by.
func TestCursorWords(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&picture=plain&cycle=1300")
	p.finish()
	p.wait(`/^Cycle 1,300\. A: channel \d+ reads (metadata|block 0x[0-9a-f]+, burst \d of \d.*)\. B: channel/.test(document.getElementById("now").textContent)`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.wait(`!document.getElementById("now").textContent.startsWith("Cycle 1,300.")`)
	if live := eval[string](p, `document.getElementById("now").ariaLive`); live != "polite" {
		t.Errorf("aria-live is %s", live)
	}
}

// TestOtherMedia: forced colours keep what is chosen visible; print holds the result
// with its hashes and link, on light paper.
func TestOtherMedia(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&picture=plain&theme=dark")
	s := p.finish()
	p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}}))
	p.settle()
	p.screenshot("forced-colors.png")
	if !eval[bool](p, `(() => {
		const [on, off] = ["#side-b", "#side-a"].map(s => getComputedStyle(document.querySelector(s)).backgroundColor);
		return on !== off;
	})()`) {
		t.Error("with forced colours the chosen side looks like the other one")
	}
	p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	eval[any](p, `dispatchEvent(new Event("beforeprint"))`)
	words := eval[string](p, "document.body.innerText")
	for _, want := range []string{s.ResultHashes["A"], s.ResultHashes["B"], server.URL + "/#v=1", "bytes moved", "Warp schedulers"} {
		if !strings.Contains(words, want) {
			t.Errorf("the printed page does not say %s", want)
		}
	}
	if ground := eval[string](p, "getComputedStyle(document.body).backgroundColor"); ground != "rgb(255, 255, 255)" {
		t.Errorf("printed on %s", ground)
	}
	if shown := eval[[]string](p, `["knobs", "time", "menu"].filter(id => document.getElementById(id).checkVisibility())`); len(shown) > 0 {
		t.Errorf("these parts must not be printed: %v", shown)
	}
	p.screenshot("print.png")
}
