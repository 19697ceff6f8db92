package e2e

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// look is a state of a page: what brings it about, and when it has come.
type look struct {
	name, do, until string
	within          string // what of the page is new in it; "" for all
}

// seed sets that of the runs.
func seed(n string) string {
	return `(e => { e.value = ` + quote(n) + `; e.dispatchEvent(new Event("change")); })(document.getElementById("knob-seed"));`
}

// audited is every page of the site with its states. A new page is a line here:
// it is then held, light on a desktop and dark on a phone, to axe-core's rules, to
// text of 12 px, to targets of 44 px and to a quiet console; whole pages on a desktop are held
// to contrast in dark colours too. Of the source and
// of the machine the first rows stand for all: a thousand of them take axe-core minutes.
var audited = []struct {
	name  string
	link  string
	ready string // S is window.burstscope.state
	looks []look
}{
	{"simulator", small, "S.phase === 'done'", []look{
		{"bursts", looked + press("tab-bursts"), "S.picture === 'moving' && S.view.tick > 1 && document.querySelector('iframe').contentDocument.querySelector('canvas[aria-label]').tabIndex === 0", ""},
		{"bursts plain", press("plain-switch"), "S.picture === 'plain'", "#centre"},
		{"address map", press("tab-address"), "S.tab === 'address'", "#centre"},
		{"above MAG", press("tab-mag"), "S.tab === 'mag'", "#centre"},
		{"DRAM", press("tab-dram"), "S.tab === 'dram'", "#centre"},
		{"DRAM bandwidth", `(e => { e.value = "bandwidth"; e.dispatchEvent(new Event("change", {bubbles: true})); })(document.querySelector("#dram-tools select"))`, "true", "#centre"},
		{"output", press("tab-output"), "S.tab === 'output'", "#centre"},
		{"source", press("tab-source"), `document.querySelectorAll("#panel-source tbody td.on").length > 100 && (document.querySelectorAll("#panel-source tr:nth-child(n+40)").forEach(e => e.remove()), true)`, "#centre"},
		{"block", `(e => { e.value = "0xc0000000"; e.form.requestSubmit(); })(document.getElementById("inspect-addr"))`, `document.querySelector("#inspect-body .bytes")`, "#inspector"},
		{"folds open", `for (const d of document.querySelectorAll("#result details")) d.open = true`, "true", "#result"},
		{"settings changed", seed("7"), `document.querySelector("#result.stale")`, "main"},
		{"answer", seed("1") + `document.querySelector("#results [data-row=compressionRatioEffective] [data-side=B] button").click()`, `!document.getElementById("answer").hidden`, "#answer"},
		{"menu", `document.body.click(); if (document.getElementById("menu-open").checkVisibility()) document.getElementById("menu-open").click()`, "true", "header"},
		{"help", press("help"), dialogOpen, "#dialog"},
		{"glossary", closeDialog + press("open-glossary"), dialogOpen, "#dialog"},
		{"cite", closeDialog + press("cite"), dialogOpen, "#dialog"},
		{"export", closeDialog + press("export"), `document.getElementById("export-csv")`, "#dialog"},
		{"embed", closeDialog + press("embed"), `document.querySelector("#embed-preview img")?.complete`, "#dialog"},
		{"machine", closeDialog + press("machine-values"), `document.querySelectorAll("#dialog .machine tr").length > 20 && (document.querySelectorAll("#dialog .machine tr:nth-child(n+12)").forEach(e => e.remove()), true)`, "#dialog"},
		{"trace", closeDialog + press("tab-dram") + `document.querySelector("#dram-tools button").click()`, dialogOpen, "#dialog"},
		{"estimate", closeDialog + `(e => { e.value = 2; e.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelector("#drag-mag input"))`, "burstscopeControl.page.estimate", "#estimate"},
		{"message", closeDialog + `location.hash = "#v=9&s=dct&workload.size=128&tab=moon"`, "S.messages.length > 0", "#messages"},
	}},
	{"inspector", small + "&addr=0xc0000000", `S.phase === 'done' && document.getElementById("explain-open")`, []look{
		{"every bit", `document.getElementById("explain-open").click()`, `document.querySelector("#explain .flow")`, "#explain"},
	}},
	{"reproduction", "/#v=1&repro=ledger&repro.paper=SLC&repro.tier=T1", "S.repro.rows > 10", []look{
		{"ledger", "", "true", ""},
		{"row open", `for (const d of [...document.querySelectorAll(".claims details")].slice(0, 4)) d.open = true`, `document.querySelector(".claims .runs a")`, ".claims"},
		{"figure", press("repro-tab-figures"), `document.querySelectorAll(".figpanel:not([hidden])").length === 3`, "#repro"},
		{"paper", press("figure-paper"), `document.querySelectorAll("#paper-headlines tr").length > 10`, "#repro"},
		{"map", `document.querySelector('[data-figure="SLC-2"]').click()`, `document.querySelectorAll(".figpanel:not([hidden])").length === 1`, "#repro"},
		{"silicon", press("repro-tab-silicon"), `document.querySelectorAll("#silicon-table tbody tr").length > 10`, "#repro"},
		{"formats", press("repro-tab-formats"), `document.querySelectorAll("#formats-table tbody tr").length === 12`, "#repro"},
		{"own sweep", press("to-sweep"), `document.querySelectorAll("#sweep-table tbody tr").length === 4`, "#repro"},
	}},
	{"embed, poster", "/embed.html#v=1&s=tp", "true", []look{{"poster", "", "true", ""}}},
	{"embed", "/embed.html#v=1&s=vecadd&" + quick + "&embed.load=visible&embed.tabs=yes&embed.knobs=B.memory.codec,seed&embed.size=1", "S.phase === 'done'", []look{
		{"not entered", "", "true", ""},
		{"entered", looked + press("embed-enter"), "S.picture === 'moving'", ""},
		{"plain", press("plain-switch"), "S.picture === 'plain'", "#centre"},
		{"cite", press("embed-cite"), dialogOpen, "#dialog"},
	}},
	{"L1", "/#v=1&s=dct&workload.size=128&B.l1.store=latte&B.l1.phase=16&tab=l1&phase=B.1.1", "document.querySelector('.l1why h2') !== null", []look{
		{"modes", "document.querySelector('#panel-l1 details').open = true", "document.querySelector('#panel-l1 td') !== null", "#centre"},
	}},
	{"capacity", "/#v=1&s=vecadd&machine.preset=mini&workload.name=hpcproxy&workload.data=hpgmg&workload.size=1&B.memory.codec=bpc&B.backing.kind=buddy&A.memory.codec=none&tab=buddy", "document.querySelector('.heldtable') !== null", []look{
		{"gauge", "", "document.querySelectorAll('svg.capacity .area').length === 3", "#centre"},
	}},
	{"lesson", "/#v=1&lesson=burst&step=1", "S.lesson?.veiled || S.phase === 'done'", []look{
		{"question", "", "true", ""},
		{"all lessons", press("lessons"), dialogOpen, "#dialog"},
	}},
	{"your kernel", "/#v=1&kernel=edit", "S.kernel.ready", []look{
		{"faults", `(e => { e.value = e.value.replace("add.u64", "add.u65"); e.dispatchEvent(new Event("input")); })(document.getElementById("kernel-source"))`, `S.kernel.ready && S.kernel.marks.length === 1`, ""},
	}},
	{"companion", "/companion/", "true", []look{{"page", "", "true", ""}}},
	{"data lab", "/#v=1&lab=dct", "S.lab.phase === 'done'", []look{
		{"numbers", "", "true", ""},
		{"fit", press("lab-to-fit") + dropped, `document.querySelector(".fitmaplist canvas")`, "#lab"},
	}},
}

func press(id string) string { return fmt.Sprintf("document.getElementById(%q).click();", id) }

const (
	looked      = looks + ";"
	dialogOpen  = `document.getElementById("dialog").open`
	closeDialog = `document.getElementById("dialog").close();`
)

// dropped gives the lab a model of one tensor, whose entries are of every size.
const dropped = `(() => {
	const header = '{"w":{"dtype":"U8","shape":[12800],"data_offsets":[0,12800]}}';
	const data = Uint8Array.from({length: 12800}, (_, i) => i % 128 < i / 128 ? (i * 2654435761) >>> 13 : 0);
	const carried = new DataTransfer();
	carried.items.add(new File([new Uint8Array([header.length, 0, 0, 0, 0, 0, 0, 0]), header, data], "model.safetensors"));
	document.getElementById("lab").dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}));
})();`

//go:embed testdata/audit.js
var auditScript string

// watchCanvasText remembers the smallest text that a canvas was given, in CSS pixels.
const watchCanvasText = `(() => {
	window.smallCanvasText = {};
	for (const kind of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
		const draw = kind.prototype.fillText;
		kind.prototype.fillText = function (text, ...rest) {
			const m = this.getTransform();
			const px = parseFloat(/([\d.]+)px/.exec(this.font)[1]) * Math.hypot(m.c, m.d) / Math.min(2, devicePixelRatio || 1);
			if (px < 11.95) window.smallCanvasText[this.font + " " + text] = px;
			return draw.call(this, text, ...rest);
		};
	}
})()`

// axeRun runs axe-core on the page as it stands, without the iframe of the moving
// picture, which holds one labelled canvas.
const axeRun = `axe.run({include: [%s]}, {iframes: false, preload: false, resultTypes: ["violations"], %s}).then(r => r.violations.map(v =>
	v.id + ": " + v.help + " at " + v.nodes.slice(0, 4).map(n => n.target.join(" ") + (v.id.includes("contrast") ? " (" + n.any.map(a => a.message).join("; ") + ")" : "")).join(", ") + (v.nodes.length > 4 ? ", …" : "")))`

// The rules of axe-core. Those for a phone are what its size and colours change: a desktop has had the names and roles.
const (
	everyRule    = `rules: {}`
	phoneRules   = `runOnly: {type: "rule", values: [` + sizeRules + `]}`
	sizeRules    = `"color-contrast", "scrollable-region-focusable", "meta-viewport"` // and audit.js, for targets
	contrastOnly = `runOnly: {type: "rule", values: ["color-contrast"]}`
)

// tool reads a program of site/e2e/node_modules, and skips where it is not installed.
func tool(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile("node_modules/" + path)
	if err != nil {
		t.Skipf("SKIPPED: %s is not there (npm ci --prefix site/e2e --ignore-scripts): %v", path, err)
	}
	return string(data)
}

func colourScheme(name string) chromedp.Action[chromedp.Void] {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

var phone = chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)

// TestEveryPage holds each page in each state to what everyone can read, reach and hit. A
// phone is dark only: a desktop has had the light colours. On a desktop only whole pages are dark
// too: a phone has had each part of them, in the same colours. Contrast takes axe-core most of
// the time.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	axe := tool(t, "axe-core/axe.min.js")
	for _, screen := range []struct {
		name    string
		size    chromedp.Action[chromedp.Void]
		colours []string // those of the first are held to every rule, those of the second to contrast
	}{
		{"desktop", chromedp.EmulateViewport(1366, 900), []string{"light", "dark"}},
		{"phone", phone, []string{"dark"}},
	} {
		for _, page := range audited {
			t.Run(page.name+" on "+screen.name, func(t *testing.T) {
				t.Parallel()
				server := serve(t)
				heard := &quiet{home: server.URL}
				p := open(t, server.URL+page.link, heard.listen(), screen.size, colourScheme(screen.colours[0]),
					command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: watchCanvasText}))
				if page.ready != "true" {
					p.wait(page.ready)
				}
				eval[any](p, axe+"; 0")
				said := map[string]bool{}
				for _, l := range page.looks {
					if l.do != "" {
						eval[any](p, "(() => { "+l.do+" })()")
					}
					if l.until != "true" {
						p.wait(l.until)
					}
					colours := screen.colours
					if l.within != "" {
						colours = colours[:1]
					}
					p.audit(said, page.name+", "+l.name+", "+screen.name, l.within, colours, screen.name == "phone")
				}
				for _, f := range heard.faults() {
					t.Errorf("the page %s", f)
				}
			})
		}
	}
}

// audit checks the page as it stands in its colours: all rules in the first, contrast again in
// the second. A fault that stays from one state to the next is said once.
func (p *tab) audit(said map[string]bool, name, within string, colours []string, fingers bool) {
	p.t.Helper()
	include := "document"
	if within != "" {
		include = quote(within)
	}
	for i, colour := range colours {
		rules := everyRule
		if fingers {
			rules = phoneRules
		}
		if i > 0 {
			p.do(colourScheme(colour))
			rules = contrastOnly
		}
		p.settle()
		faults := eval[[]string](p, fmt.Sprintf(axeRun, include, rules))
		if i == 0 {
			faults = append(faults, eval[[]string](p, fmt.Sprintf("(%s)(%t)", strings.TrimSpace(auditScript), fingers))...)
		}
		for _, f := range faults {
			if f = colour + ": " + f; !said[f] {
				said[f] = true
				p.t.Errorf("%s: %s", name, f)
			}
		}
		if keepPictures {
			p.screenshot(pictureName(name + " " + colour))
		}
	}
	if len(colours) > 1 {
		p.do(colourScheme(colours[0]))
	}
}

// keepPictures keeps a picture of every state, for people to look at.
var keepPictures = os.Getenv("BURSTSCOPE_PICTURES") == "1"

func pictureName(name string) string {
	return strings.NewReplacer(" ", "-", ",", "", ":", "").Replace(name) + ".png"
}
