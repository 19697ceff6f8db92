package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"

	"github.com/burstscope/burstscope/core/scenario"
)

// statement is what a file or a dialog says of the run it shows.
type statement struct{ link, a, b string }

var (
	linkIn   = regexp.MustCompile(`https?://[^\s"<>]*#v=1[!#-;=?-~]*`)
	viewOf   = regexp.MustCompile(`&(cycle|version|picture|tab)=[^&]*`)
	resultAs = regexp.MustCompile(`result(?: A)? ([0-9a-f]{64})[\s\S]*?result(?: B)? ([0-9a-f]{64})`)
)

// stated reads the link and the hashes out of a text.
func stated(t *testing.T, what, text string) statement {
	t.Helper()
	text = html.UnescapeString(text)
	link, hashes := linkIn.FindString(text), resultAs.FindStringSubmatch(text)
	if link == "" || hashes == nil {
		t.Fatalf("%s states no link or no hashes: %.400s", what, text)
	}
	return statement{strings.TrimRight(link, ".}"), hashes[1], hashes[2]}
}

// collect asks for every file that states a run, in the task in which the settings change (change
// is JavaScript), so that no run has ended in between. The dialog Export is open.
func (p *tab) collect(change string) map[string]statement {
	p.t.Helper()
	const files = `{"export-csv": "CSV", "export-svg": "SVG", "export-png": "PNG"}`
	cite := eval[string](p, fmt.Sprintf(`((change) => {
		window.saved = {};
		change();
		for (const id of Object.keys(%s)) document.getElementById(id).click();
		document.getElementById("cite").click();
		return document.querySelector("#dialog-body pre").textContent;
	})(() => { %s })`, files, change))
	p.wait(`Object.keys(window.saved).length === 3`)
	said := map[string]statement{"Cite": stated(p.t, "Cite", cite)}
	for _, end := range []string{"csv", "svg", "png"} {
		// In a PNG the text is a chunk: its length, its name, the text, and a checksum that may look like text.
		said[end] = stated(p.t, end, eval[string](p, fmt.Sprintf(`((file) => {
			const at = %q === "png" ? file.indexOf("iTXt") : 0;
			return at === 0 ? file : file.slice(at, at + 4 + [...file.slice(at - 4, at)].reduce((n, c) => 256 * n + c.charCodeAt(0), 0));
		})(atob(Object.entries(window.saved).find(([name]) => name.endsWith(%q))[1]))`, end, "."+end)))
	}
	// The code of an embed names short hashes, and a link.
	eval[any](p, `document.getElementById("embed").click()`)
	eval[bool](p, within(`document.getElementById("embed-code")?.textContent`))
	code := html.UnescapeString(eval[string](p, embedCode))
	if m := regexp.MustCompile(`(?i)result hashes A ([0-9a-f]{12}), B ([0-9a-f]{12})`).FindStringSubmatch(code); m != nil {
		said["Embed"] = statement{linkIn.FindString(code), m[1], m[2]}
	} else {
		p.t.Errorf("the code of the embed states no hashes: %s", code)
	}
	return said
}

// TestAResultOwnsItsSettings: however the settings change, what the page says of a result re-runs
// to the hash that it states.
func TestAResultOwnsItsSettings(t *testing.T) {
	t.Parallel()
	site := serve(t)
	p := open(t, site.URL+"/#v=1&s=vecadd&"+quick+"&B.memory.mag=64&picture=plain",
		command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	again := open(t, site.URL+"/#v=1&s=vecadd&"+quick+"&seed=99&picture=plain",
		command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.finish()
	again.finish()
	eval[bool](p, within(`window.burstscopePanels`))
	export := func() {
		eval[any](p, `document.getElementById("export").click()`)
		eval[bool](p, within(`document.getElementById("export-csv")`))
	}
	// A link runs in a fresh tab, and what that tab ran runs natively: both come to the same.
	scenarioOf := func() *scenario.Scenario {
		eval[bool](again, within(`window.burstscopePanels`))
		eval[any](again, `(window.saved = {}, document.getElementById("export").click())`)
		eval[bool](again, within(`document.getElementById("export-scenario-json")`))
		eval[any](again, `document.getElementById("export-scenario-json").click()`)
		again.wait(`Object.keys(window.saved).length === 1`)
		s, err := scenario.ParseJSON("saved", []byte(eval[string](again, `atob(Object.values(window.saved)[0])`)))
		if err != nil {
			t.Fatal(err)
		}
		eval[any](again, `document.getElementById("dialog").close()`)
		return s
	}
	ran := map[string]map[string]string{} // hashes by the fragment of a link
	rerun := func(link string) map[string]string {
		if ran[link] == nil {
			before := again.state().Run
			eval[any](again, fmt.Sprintf(`location.hash = %s`, quote(link)))
			again.wait(fmt.Sprintf(`S.run > %d && S.phase === "done"`, before))
			ran[link] = again.state().ResultHashes
			if got := native(t, scenarioOf()); got["A"] != ran[link]["A"] || got["B"] != ran[link]["B"] {
				t.Errorf("%s runs to %v natively, to %v in the page", link, got, ran[link])
			}
		}
		return ran[link]
	}
	check := func(way string, said map[string]statement) {
		t.Helper()
		for what, s := range said {
			got := rerun(viewOf.ReplaceAllString(s.link[strings.Index(s.link, "#"):], ""))
			if !strings.HasPrefix(got["A"], s.a) || !strings.HasPrefix(got["B"], s.b) {
				t.Errorf("%s: %s states %s, %s with a link that runs to %v: %s", way, what, s.a, s.b, got, s.link)
			}
		}
	}
	set := func(id, value string) string {
		return fmt.Sprintf(`const e = document.getElementById(%s); e.value = %s; e.dispatchEvent(new Event("change"))`, quote(id), quote(value))
	}
	dimmed := func(way string, want bool) {
		t.Helper()
		p.settle()
		if got := eval[bool](p, `["result", "headline"].every(id => document.getElementById(id).classList.contains("stale"))`); got != want {
			t.Errorf("%s: the results are dimmed: %t", way, got)
		}
	}

	export()
	dimmed("the first run", false)
	check("knob", p.collect(set("knob-B-memory-mag", "32")))
	dimmed("knob", true)
	// On a slow machine the estimate of the next run follows.
	if words, _, _ := strings.Cut(p.textOf("stale"), ":"); words != "settings changed, press Run" {
		t.Errorf("beside dimmed results: %q", words)
	}
	export()
	check("Reset", p.collect(`document.getElementById("reset").click()`))
	export()
	check("scenario", p.collect(set("scenario", "tp"))) // its run goes on; the next link ends it
	export()
	// The link is followed in a later task; its run and the one before are both consistent.
	next := "#v=1&s=vecadd&" + quick + "&B.memory.codec=bdi"
	check("link", p.collect(`location.hash = `+quote(next)))
	p.wait(`S.phase === "done" && location.hash.includes("bdi")`)
	dimmed("link", false)
	export()
	check("after the link", p.collect(""))
	eval[any](p, `location.hash = `+quote(next+"&seed=2"))
	p.wait(`S.phase === "done" && location.hash.includes("seed=2")`)
	export()
	check("Back", p.collect(`history.back()`))
	p.wait(`S.phase === "done" && !location.hash.includes("seed=2")`)
	p.settle()
	export()
	check("after Back", p.collect(""))
	export()
	check("Forward", p.collect(`history.forward()`))
	p.wait(`S.phase === "done" && location.hash.includes("seed=2")`)
	p.settle()
	export()
	check("after Forward", p.collect(""))
	// Runs of the visit, of which the last two are the ones before: a click restores one, another
	// takes its side B as side A.
	p.wait(`document.querySelectorAll("#kept .keptrun").length > 2`)
	export()
	check("kept run", p.collect(`document.querySelectorAll("#kept .keptrun")[2].click()`))
	p.wait(`S.phase === "done"`)
	p.settle()
	dimmed("kept run", false)
	export()
	check("after the kept run", p.collect(""))
	export()
	check("a kept run's B as A", p.collect(`document.querySelectorAll("#kept li button:last-child")[0].click()`))
	p.wait(`S.phase === "done"`)
	p.settle()
	dimmed("a kept run's B as A", false)
	// A value of the machine is a setting as a knob is.
	export()
	check("a dropped scenario", p.collect(droppedScenario(`{"version": 1, "machine": {"preset": "mini", "overrides": {"l2LatencyCycles": 40}}, "workload": {"name": "vecadd", "size": 4096, "data": "grid"}, "memory": {"codec": "fpc"}, "compare": {"memory": {"codec": "none"}}}`)))
	p.wait(`S.phase === "done" && document.getElementById("knob-B-memory-codec").value === "fpc"`)
	p.settle()
	dimmed("a dropped scenario", false)
	export()
	check("after the dropped scenario", p.collect(""))
	export()
	check("a setting after the dropped scenario", p.collect(set("knob-seed", "7")))
	dimmed("a setting after the dropped scenario", true)
	eval[any](p, `location.hash = "#v=1&lesson=burst&step=3"`)
	p.wait(`S.lesson?.step === 3 && S.lesson.veiled`)
	// Before it is answered the step has no result, and shows none of another program.
	p.settle()
	if words := p.textOf("headline"); strings.Contains(words, "%") {
		t.Errorf("a step without a result has the headline %q", words)
	}
	p.answerLesson(shippedQuestion(t, "burst", 2), "3")
	p.wait(`S.phase === "done" && !S.lesson.veiled`)
	p.settle()
	export()
	check("after a lesson's answer", p.collect(""))
	// Share copies the way to the step, and offers that to the run beside it.
	eval[any](p, `(document.getElementById("dialog").close(), Object.defineProperty(navigator, "clipboard", {value: {writeText: (x) => (window.copied = x, Promise.resolve())}}), document.getElementById("share").click())`)
	p.wait(`window.copied && document.getElementById("dialog").open`)
	if got := eval[string](p, `window.copied.replace(/^.*#/, "").replace(/&version=.*$/, "")`); got != "v=1&lesson=burst&step=3" {
		t.Errorf("Share in a lesson copies %s", got)
	}
	shared := p.state().ResultHashes
	check("Share in a lesson", map[string]statement{"the run's link": {eval[string](p, `document.querySelector("#dialog-body pre").textContent`), shared["A"], shared["B"]}})
}

// droppedScenario is JavaScript that drops a scenario file on the page.
func droppedScenario(text string) string {
	return fmt.Sprintf(`const carried = new DataTransfer();
		carried.items.add(new File([%s], "mine.scenario.json", {type: "application/json"}));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}))`, quote(text))
}

// TestAnEmbedsResultOwnsItsSettings: an embed exports what it shows. A message that changes a setting leaves that to the
// run on show, one that chooses a shipped scenario to what the build computed of it, and one that asks for
// settings of another program to nothing; the next run's exports are of that run.
func TestAnEmbedsResultOwnsItsSettings(t *testing.T) {
	t.Parallel()
	site := serve(t)
	host := hostOf(t, site.URL, "", map[string]string{
		"/": hostPage(`<iframe src="SITE/embed.html#v=1&amp;s=vecadd&amp;` + quick + `&amp;embed.load=now" width="900" height="600" title="run"></iframe>`),
	})
	p := openWatched(t, host.URL)
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	const frame = `document.querySelector("iframe")`
	var q *tab // opens the links
	check := func(way string, ran embedState) {
		t.Helper()
		ask(p, `{type: "pause"}`) // the link holds the cursor
		exported := func(format string) string {
			return eval[string](p, fmt.Sprintf(`ask(%s, {type: "export", format: %q}).then((m) => m.data)`, frame, format))
		}
		link := exported("link")
		if said := stated(t, "CSV", exported("csv")); said != (statement{link, ran.ResultHashes["A"], ran.ResultHashes["B"]}) {
			t.Errorf("%s: the CSV states %+v, the link is %s, the run was %v", way, said, link, ran.ResultHashes)
		}
		var whole struct {
			Link string
			A, B struct{ ResultHash string }
		}
		if err := json.Unmarshal([]byte(exported("json")), &whole); err != nil || whole.Link != link || whole.A.ResultHash != ran.ResultHashes["A"] || whole.B.ResultHash != ran.ResultHashes["B"] {
			t.Errorf("%s: the JSON states %+v, %v; the link is %s, the run was %v", way, whole, err, link, ran.ResultHashes)
		}
		if picture, want := exported("svg"), fmt.Sprintf("results A %.12s, B %.12s", ran.ResultHashes["A"], ran.ResultHashes["B"]); !strings.Contains(picture, want) {
			t.Errorf("%s: the picture does not state %s: %s", way, want, picture)
		}
		if q == nil {
			q = open(t, link)
		} else {
			eval[any](q, `location.hash = `+quote(link[strings.Index(link, "#"):]))
		}
		q.wait(fmt.Sprintf(`S.phase === "done" && S.resultHashes.A === %q && S.resultHashes.B === %q`, ran.ResultHashes["A"], ran.ResultHashes["B"]))
	}
	ran := untilDone(p, frame)
	check("the first run", ran)
	for _, c := range []struct {
		message string
		hashes  map[string]string
	}{
		{`{type: "setState", state: {"B.memory.codec": "bdi"}}`, ran.ResultHashes},
		{`{type: "setState", state: {scenario: "tp"}}`, native(t, shippedScenarios(t)["tp"])},
		{`{type: "setState", state: "#v=1&s=vecadd&` + quick + `&machine.overrides.l2LatencyCycles=40&B.memory.codec=fpc"}`, nil},
	} {
		if a := ask(p, c.message); a.Type != "state" {
			t.Fatalf("%s: %+v", c.message, a)
		}
		if c.hashes == nil {
			if a := ask(p, `{type: "export", format: "csv"}`); a.Type != "error" || !strings.Contains(a.Mend, "run first") {
				t.Errorf("%s: an export without a result on show: %+v", c.message, a)
			}
			continue
		}
		eval[bool](p, fmt.Sprintf(`until(async () => (await ask(%s, {type: "export", format: "json"})).data?.includes(%q))`, frame, c.hashes["B"]))
		check(c.message, embedState{ResultHashes: c.hashes})
	}
	if a := ask(p, `{type: "run"}`); a.Type != "state" {
		t.Fatalf("%+v", a)
	}
	before := ran.ResultHashes["B"]
	if ran = untilDone(p, frame); ran.ResultHashes["B"] == before {
		t.Error("the new settings give the hash of the old")
	}
	check("the run after the messages", ran)
}
