package e2e

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"
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
		said[end] = stated(p.t, end, eval[string](p, fmt.Sprintf(`atob(Object.entries(window.saved).find(([name]) => name.endsWith(%q))[1])`, "."+end)))
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
	again := open(t, site.URL+"/#v=1&s=vecadd&"+quick+"&seed=99")
	p.finish()
	again.finish()
	eval[bool](p, within(`window.burstscopePanels`))
	export := func() {
		eval[any](p, `document.getElementById("export").click()`)
		eval[bool](p, within(`document.getElementById("export-csv")`))
	}
	ran := map[string]map[string]string{} // hashes by the fragment of a link
	rerun := func(link string) map[string]string {
		if ran[link] == nil {
			before := again.state().Run
			eval[any](again, fmt.Sprintf(`location.hash = %s`, quote(link)))
			again.wait(fmt.Sprintf(`S.run > %d && S.phase === "done"`, before))
			ran[link] = again.state().ResultHashes
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
		if got := eval[bool](p, `["results", "headline"].every(id => document.getElementById(id).classList.contains("stale"))`); got != want {
			t.Errorf("%s: the results are dimmed: %t", way, got)
		}
	}

	export()
	dimmed("the first run", false)
	check("knob", p.collect(set("knob-B-mag", "32")))
	dimmed("knob", true)
	if words := p.textOf("stale"); words != "settings changed, press Run" {
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
	eval[any](p, `location.hash = "#v=1&lesson=burst&step=3"`)
	p.wait(`S.lesson?.step === 3 && S.lesson.veiled`)
	export()
	check("lesson step", p.collect(""))
}

// TestAnEmbedsResultOwnsItsSettings: a message that changes the settings of an embed leaves what it
// exports to the run on show.
func TestAnEmbedsResultOwnsItsSettings(t *testing.T) {
	t.Parallel()
	site := serve(t)
	host := hostOf(t, site.URL, "", map[string]string{
		"/": hostPage(`<iframe src="SITE/embed.html#v=1&amp;s=vecadd&amp;` + quick + `&amp;embed.load=now" width="900" height="600" title="run"></iframe>`),
	})
	p := openWatched(t, host.URL)
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	state := untilDone(p, `document.querySelector("iframe")`)
	if a := ask(p, `{type: "setState", state: {"B.memory.codec": "bdi"}}`); a.Type != "state" {
		t.Fatalf("%+v", a)
	}
	ask(p, `{type: "pause"}`) // the link holds the cursor
	exported := func(format string) string {
		return eval[string](p, fmt.Sprintf(`ask(document.querySelector("iframe"), {type: "export", format: %q}).then((m) => m.data)`, format))
	}
	said := stated(t, "CSV", exported("csv"))
	if said.a != state.ResultHashes["A"] || said.b != state.ResultHashes["B"] {
		t.Errorf("the CSV states %+v, the run was %v", said, state.ResultHashes)
	}
	if strings.Contains(said.link, "bdi") {
		t.Errorf("the CSV of a run before links to the settings after it: %s", said.link)
	}
	if link := exported("link"); link != said.link {
		t.Errorf("the link is %s, that of the CSV %s", link, said.link)
	}
	q := open(t, said.link)
	if got := q.finish().ResultHashes; got["A"] != said.a || got["B"] != said.b {
		t.Errorf("the link of the CSV runs to %v, it states %+v", got, said)
	}
}
