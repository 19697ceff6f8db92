package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// firstBlock is a block of the input image that side B approximates.
const firstBlock = "0xc0000000"

// openInspector selects a block of a finished run by its address, waits for it and
// opens the dialog of its bits.
func (p *tab) openInspector(address string) {
	p.t.Helper()
	p.finish()
	p.wait(`document.getElementById("explain-open") !== null && S.blocks.B > 0`)
	eval[any](p, fmt.Sprintf(`(() => {
		document.getElementById("inspect-addr").value = %q;
		document.getElementById("inspect-form").requestSubmit();
	})()`, address))
	p.wait(fmt.Sprintf(`!document.getElementById("explain-open").hidden && document.getElementById("inspect-body").textContent.includes(%q)`, address+" in"))
	p.do(chromedp.Click("#explain-open"))
	p.wait(`document.querySelector("#explain .flow .f") !== null`)
}

// set gives a control of the dialog a value and waits for what follows from it.
func (p *tab) set(id, value string) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(() => {
		const e = document.getElementById(%q);
		e.value = %q;
		e.dispatchEvent(new Event("change", {bubbles: true}));
	})()`, id, value))
	p.wait(`!document.getElementById("explain-body").hasAttribute("aria-busy")`)
}

// bitsShown counts the bits that the fields on the page hold.
func (p *tab) bitsShown() int {
	p.t.Helper()
	return eval[int](p, `[...document.querySelectorAll("#explain .flow .f")].flatMap(e => [...e.childNodes]).filter(n => n.nodeType === 3).reduce((n, t) => n + t.length, 0)`)
}

func (p *tab) textOf(id string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`document.getElementById(%q).textContent`, id))
}

// TestBlockInspector: from a finished run to every bit of a block, under every codec
// that is offered.
func TestBlockInspector(t *testing.T) {
	t.Parallel()
	server := serve(t)
	// On this machine the first block is one that was cut.
	p := open(t, server.URL+"/#v=1&s=dct&workload.size=256&machine.preset=gtx580v4")
	p.openInspector(firstBlock)
	p.screenshot("inspector.png")

	// The panel and the dialog say the same of the block as it is stored.
	panel := p.textOf("inspect-body")
	size := p.textOf("explain-size")
	if !strings.Contains(panel, "32 B, fetched as 1 burst (32 B), approximated") || !strings.HasPrefix(size, "32 B (256 bits), fetched as 1 burst (32 B) at MAG 32, approximated") {
		t.Errorf("panel %q, dialog %q", panel, size)
	}
	if words := p.textOf("explain-body"); !strings.Contains(words, "before symbols were cut") || !strings.Contains(words, "Adder tree") || !strings.Contains(words, "left out") {
		t.Errorf("the dialog does not name the lost symbols: %q", words)
	}
	if loss := p.textOf("explain-error"); !strings.Contains(loss, "of 32 values change as f32") {
		t.Errorf("error: %q", loss)
	}
	p.set("explain-threshold", "1")
	if words := p.textOf("explain-body"); !strings.Contains(words, "above a burst by more than the threshold") || !strings.Contains(words, "Lossless: a reader gets the same bytes") {
		t.Errorf("with a threshold of 1 B: %q", words)
	}
	p.set("explain-threshold", "16")
	p.set("explain-accounting", "literal")
	if words := p.textOf("explain-body"); !strings.Contains(words, "This accounting counts") {
		t.Errorf("header not counted: %q", words)
	}
	p.set("explain-accounting", "fixed32")

	for _, name := range eval[[]string](p, `[...document.querySelectorAll("#explain-codec option")].map(e => e.value)`) {
		p.set("explain-codec", name)
		if bad := eval[string](p, `document.querySelector("#explain-body .bad")?.textContent ?? ""`); bad != "" {
			t.Errorf("%s: %s", name, bad)
			continue
		}
		size, want := p.textOf("explain-size"), 1024
		if !strings.HasPrefix(size, "No code is shorter") {
			var bytes int
			if _, err := fmt.Sscanf(size, "%d B (%d bits)", &bytes, &want); err != nil {
				t.Errorf("%s: %q", name, size)
			}
		}
		if got := p.bitsShown(); got != want {
			t.Errorf("%s: %d bits on the page, %q", name, got, size)
		}
		if n := eval[int](p, `[...document.querySelectorAll("#explain [role=option]")].filter(e => !e.getAttribute("aria-label")).length`); n > 0 {
			t.Errorf("%s: %d options without words", name, n)
		}
		switch name {
		case "bdi", "cpack", "bpc", "mpc", "e2mc8", "hycomp", "fibonacci":
			p.screenshot("inspector-" + name + ".png")
		}
	}
	for _, kind := range []struct {
		name   string
		values int
	}{{"u8", 128}, {"u16", 64}, {"i32", 32}, {"u32", 32}, {"f16", 64}, {"f32", 32}, {"f64", 16}} {
		p.set("explain-type", kind.name)
		if n := eval[int](p, `document.querySelectorAll("#explain .values > span").length`); n != kind.values {
			t.Errorf("%d values of %s", n, kind.name)
		}
	}
}

// TestInspectorByKeyboard: fields, values and rows are each one stop of Tab, arrows
// move inside, what is pointed at lights up everywhere and is said, and Escape leads
// back.
func TestInspectorByKeyboard(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	p.openInspector(firstBlock)
	before := p.state()
	p.set("explain-codec", "cpack")
	stops := eval[map[string]int](p, `Object.fromEntries([".flow .f", ".values > span", ".structure tbody tr"].map(s => [s, [...document.querySelectorAll("#explain " + s)].filter(e => e.tabIndex === 0).length]))`)
	for name, n := range stops {
		if n != 1 {
			t.Errorf("%s: %d stops of Tab", name, n)
		}
	}
	focused := func() string {
		return eval[string](p, `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`)
	}
	eval[any](p, `document.querySelector("#explain .flow .f").focus()`)
	said := p.textOf("explain-said")
	if !strings.Contains(said, "word 0, code: 01") {
		t.Errorf("first field: %q", said)
	}
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	if said = p.textOf("explain-said"); !strings.Contains(said, "word 0, literal") || !strings.Contains(said, "bits 2 to 33") || said != focused() {
		t.Errorf("second field: %q, focus on %q", said, focused())
	}
	if n := eval[int](p, `document.querySelectorAll("#explain .values .on").length`); n != 1 {
		t.Errorf("%d values light up for a word", n)
	}
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	if said = p.textOf("explain-said"); !strings.HasPrefix(said, "word 1, code") {
		t.Errorf("field of the next word: %q", said)
	}
	p.do(chromedp.KeyEvent(kb.End))
	if said = p.textOf("explain-said"); !strings.HasPrefix(said, "word 31") {
		t.Errorf("last field: %q", said)
	}
	if n := eval[int](p, `document.querySelectorAll("#explain .entries .on").length`); n != 1 {
		t.Errorf("%d entries of the dictionary light up for a match", n)
	}
	p.screenshot("inspector-keyboard.png")
	eval[any](p, `document.querySelector("#explain .values > span").focus()`)
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	if got := focused(); !strings.HasPrefix(got, "value 4,") {
		t.Errorf("below value 0: %q", got)
	}
	if fields := eval[int](p, `document.querySelectorAll("#explain .flow .on").length`); fields == 0 {
		t.Error("no field lights up for a value")
	}
	p.do(chromedp.KeyEvent(kb.Escape))
	p.wait(`!document.getElementById("explain").open && document.activeElement.id === "explain-open"`)
	// From a burst of the moving picture.
	p.look()
	p.wait(`S.view.ready && S.picture === "moving"`)
	eval[any](p, `document.querySelector("#view-holder iframe").contentWindow.eval("parent.postMessage({type: 'pick', side: 'A', addr: 0xc0001000}, '*')")`)
	p.wait(`document.getElementById("inspect-addr").value === "0xc0001000"`)
	p.do(chromedp.Click("#explain-open"))
	p.wait(`document.getElementById("explain").open && document.getElementById("explain-title").textContent === "Block 0xc0001000 of image, side A" && document.querySelector("#explain .flow .f") !== null`)
	if got := eval[string](p, `document.getElementById("explain-codec").value`); got != "e2mc16" {
		t.Errorf("side A's codec: %q", got)
	}
	p.do(chromedp.KeyEvent(kb.Escape))
	// The page's own shortcuts did not act on the keys pressed in the dialog.
	if s := p.state(); s.Run != before.Run {
		t.Errorf("before %+v, after %+v", before, s)
	}
}

// TestInspectorFromTheMap: from a cell of the address map, with keys alone.
func TestInspectorFromTheMap(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&picture=plain&tab=address")
	p.finish()
	p.wait(`S.blocks.B > 0 && document.querySelector("#panel-address .detail")?.checkVisibility()`)
	eval[any](p, `document.querySelector("#panel-address .detail").focus()`)
	for _, key := range []string{kb.ArrowRight, kb.ArrowRight} {
		p.do(chromedp.KeyEvent(key))
	}
	p.wait(`document.getElementById("inspect-addr").value === "0xc0000080" && !document.getElementById("explain-open").hidden`)
	p.do(chromedp.KeyEvent("e"))
	p.wait(`document.getElementById("explain")?.open && document.querySelector("#explain .flow .f") !== null`)
	if got := p.textOf("explain-title"); got != "Block 0xc0000080 of image, side B" {
		t.Errorf("from the map: %q", got)
	}
}

// TestInspectorOfStored: of a block whose contents before the loss nobody knows, the
// code is shown as it is stored.
func TestInspectorOfStored(t *testing.T) {
	t.Parallel()
	server := serve(t)
	// Larger than the L2 of this small machine, so that the output has been in DRAM.
	p := open(t, server.URL+"/#v=1&s=dct&workload.size=256&machine.preset=mini&picture=plain")
	p.finish()
	address := eval[string](p, `(async () => {
		for (let a = 0xc0000000; a < 0xc0200000; a += 640) {
			const x = await window.burstscopeAsk({codec: "tslc-opt", side: "B", addr: String(a)});
			if (x.basis === "stored") return "0x" + a.toString(16);
		}
		return "";
	})()`)
	if address == "" {
		t.Fatal("no such block in the run")
	}
	p.openInspector(address)
	if words := p.textOf("explain-body"); !strings.Contains(words, "Cut symbols are lost") || !strings.Contains(words, "left out") {
		t.Errorf("%s: %q", address, words)
	}
	if bits := p.bitsShown(); bits == 0 || bits > 768 {
		t.Errorf("%s: %d bits", address, bits)
	}
}

// TestInspectorOfGivenBlocks: blocks that belong to no run, as the data lab gives them.
func TestInspectorOfGivenBlocks(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	p.openInspector(firstBlock)
	word := func(v uint32) string {
		return fmt.Sprintf("%02x%02x%02x%02x", byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	pointers, distinct := "", ""
	for i := range uint32(16) {
		pointers += word(0x7f001000+8*(i%5)) + word(0x7f)
		distinct += word(0x1000*i+0x12345678) + word(0x01010101*i)
	}
	for _, c := range []struct {
		codec, block, values string
		want                 []string
	}{
		{"bdi", pointers, "i32", []string{"24 B (192 bits), fetched as 1 burst (32 B)", "Encoding b8d1", "Beside the block, not counted", "mask, 16 bits"}},
		{"cpack", distinct, "u8", []string{"Dictionary", "Words in the order they entered"}},
		{"zvc", strings.Repeat(word(0)+word(7), 16), "i32", []string{"68 B (544 bits)", "Mask"}},
		{"fpc", strings.Repeat(word(0)+word(0xfffffff9), 16), "i32", []string{"26 B (208 bits)", "run of zero words"}},
		{"e2mc16", strings.Repeat(word(0), 28) + strings.Repeat(word(0xdeadbeef), 4), "u8", []string{"Codewords used", "escape"}},
		{"cpackz", strings.Repeat("00", 128), "i32", []string{"0 B (0 bits), fetched as 1 burst", "The block takes no bits at all"}},
		{"bdi", distinct, "u8", []string{"No code is shorter than the block", "Stored raw, fetched as 4 bursts (128 B)"}},
	} {
		eval[any](p, fmt.Sprintf(`window.burstscopeExplain({codec: %q, blockHex: %q, side: "B", origin: {what: "lab", file: "values.bin", offset: 4096}})`, c.codec, c.block))
		p.wait(fmt.Sprintf(`document.getElementById("explain-size") !== null && document.getElementById("explain-codec").value === %q`, c.codec))
		words := p.textOf("explain")
		for _, want := range append(c.want, "Block at byte 4,096 of values.bin") {
			if !strings.Contains(words, want) {
				t.Errorf("%s: %q is not in %q", c.codec, want, words)
			}
		}
		if got := eval[string](p, `document.getElementById("explain-type").value`); got != c.values {
			t.Errorf("%s: values as %s", c.codec, got)
		}
		eval[any](p, `document.querySelectorAll("#explain .values > span")[5].focus()`)
		p.screenshot("inspector-given-" + c.codec + ".png")
	}
	// Bytes that are none, names that are none, addresses outside: words, and the run lives on.
	for _, question := range []string{`{codec: "bdi", block: "zz"}`, `{codec: "", side: "B", addr: "0xc0000000"}`, `{codec: "bdi", side: "B", addr: "0x10"}`, `{codec: "tslc-opt", side: "B", addr: "0xc0000000", lossy: {mag: 33}}`, `{codec: "tslc-opt", side: "B", addr: "0xc0000000", lossy: {threshold: -4}}`, `{codec: "tslc-opt", side: "B", addr: "0xc0000000", lossy: {accounting: "free"}}`, `{codec: "fpc"}`} {
		if bad := eval[string](p, `(async () => { const x = await window.burstscopeAsk(`+question+`); return x.ok ? "" : x.what; })()`); bad == "" || strings.Contains(bad, "internal") {
			t.Errorf("%s: %q", question, bad)
		}
	}
	if s := p.state(); s.Phase != "done" || len(s.Messages) > 0 {
		t.Errorf("after bad questions: %s, %v", s.Phase, s.Messages)
	}
	if bad := eval[string](p, `(async () => (await window.burstscopeAsk({codec: "bdi", block: "00"})).what)()`); !strings.Contains(bad, "give 256") {
		t.Errorf("half a byte: %q", bad)
	}
	if bad := eval[string](p, `(async () => (await window.burstscopeAsk({codec: "zip", side: "B", addr: "0xc0000000"})).what)()`); !strings.Contains(bad, "unknown codec") {
		t.Errorf("no codec: %q", bad)
	}
}

// TestInspectorScreens: the dialog in the dark and on a phone.
func TestInspectorScreens(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for _, screen := range []struct {
		name  string
		setup []chromedp.Action[chromedp.Void]
	}{
		{"inspector-dark", []chromedp.Action[chromedp.Void]{command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
		})}},
		{"inspector-phone", []chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)}},
	} {
		t.Run(screen.name, func(t *testing.T) {
			p := open(t, server.URL+small, screen.setup...)
			p.openInspector(firstBlock)
			for i, name := range []string{"tslc-opt", "bpc", "cpack"} {
				p.set("explain-codec", name)
				p.screenshot(fmt.Sprintf("%s-%d.png", screen.name, i))
				if wide := eval[float64](p, `(e => e.scrollWidth - e.clientWidth)(document.getElementById("explain"))`); wide > 0 {
					t.Errorf("%s: %.0f px too wide", name, wide)
				}
				if tiny := eval[[]string](p, `[...document.querySelectorAll("#explain *")].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) * (e.ownerSVGElement ? e.getScreenCTM().a : 1) < 11.95).map(e => e.className + " " + e.textContent).slice(0, 5)`); len(tiny) > 0 {
					t.Errorf("%s: text below 12 px: %v", name, tiny)
				}
			}
			if strings.HasSuffix(screen.name, "phone") {
				p.set("explain-codec", "tslc-opt")
				if tight := eval[[]string](p, `[...document.querySelectorAll("#explain :is(button, select, input, .values > span)")].flatMap(e => {
					const r = e.getBoundingClientRect();
					return e.checkVisibility() && r.height < 43.5 ? [e.id + " " + r.height] : [];
				}).slice(0, 5)`); len(tight) > 0 {
					t.Errorf("smaller than a finger: %v", tight)
				}
				eval[any](p, `(e => e.scrollTo(0, e.scrollHeight / 2))(document.getElementById("explain"))`)
				p.screenshot(screen.name + "-middle.png")
			}
		})
	}
}
