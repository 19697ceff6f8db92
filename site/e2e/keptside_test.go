package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// again runs the scenario of the fragment, in which values have changed, in this page.
func (p *tab) again(change string) (s state, kept []string) {
	p.t.Helper()
	before := p.state().Run
	eval[any](p, fmt.Sprintf(`void ((s, run) => { %s; burstscopeControl.page.emit("scenario"); run(); })(burstscopeControl.page.settings.scenario, () => burstscopeControl.run())`, change))
	p.wait(fmt.Sprintf("S.run === %d", before+1))
	s = p.finish()
	return s, eval[[]string](p, "burstscope.state.kept")
}

// cores lets a page believe in a number of cores: with one it has one engine.
func cores(n int) chromedp.Action[chromedp.Void] {
	return command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: fmt.Sprintf(`Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {get: () => %d, configurable: true});
			Object.defineProperty(Navigator.prototype, "deviceMemory", {get: () => 8, configurable: true})`, n),
	})
}

// everything hashes all that the page holds of a run and draws its pictures from: results, counts of
// events, blocks, traffic over time, outputs, errors, lines. Of the events themselves it takes every burst.
const everything = `(async () => {
	const {data, results} = burstscopeControl.page;
	const plain = (key, v) => ArrayBuffer.isView(v) ? Array.from(v) : key === "run" || key === "id" ? undefined :
		v && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v;
	const said = {};
	for (const side of ["A", "B"]) {
		const log = data.events[side];
		const bursts = [];
		for (let c = log.nextBurst(-1); c !== undefined; c = log.nextBurst(c)) bursts.push(c);
		for (const [name, v] of Object.entries({
			result: results[side], topology: data.topology[side], series: data.series[side], blocks: data.blocks[side], outputs: data.outputs[side],
			errors: data.errors[side], lines: data.lines[side], dram: data.dram[side], bursts, count: [log.count, log.dropped, log.until, log.keptUntil],
		})) {
			const bytes = new TextEncoder().encode(JSON.stringify(v ?? null, plain));
			said[side + " " + name] = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))).join(" ");
		}
	}
	return said;
})()`

// TestAKeptSideIsTheSame: a side that did not change is not run again, whatever changes beside it, and
// what the page has of it is what a page has that ran it: results, events, what pictures are drawn from, and
// any cycle of its past. Where anything changes that both sides depend on, nothing is kept, and Run with
// nothing changed runs both. All this with one engine for both sides, and with one for each.
func TestAKeptSideIsTheSame(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const at = "/#v=1&s=vecadd&" + quick + "&picture=plain"
	one, two := open(t, server.URL+at, cores(1)), open(t, server.URL+at, cores(2))
	for i, p := range []*tab{one, two} {
		if p.finish(); eval[int](p, "burstscope.state.engines") != i+1 {
			t.Fatalf("the page with %d engines has another number", i+1)
		}
	}
	for _, step := range []struct {
		change string
		kept   []string
		fresh  bool // compare with a new page, too
	}{
		{`s.memory.codec = "bdi"; s.memory.approximation = "none"`, []string{"A"}, true},
		{`s.compare.memory.codec = "e2mc16"`, []string{"B"}, false},
		{`[s.memory, s.compare.memory] = [s.compare.memory, s.memory]`, []string{"A", "B"}, true},
		{`s.memory.codec = "bpc"`, []string{"A"}, false},
		{``, nil, false},
		{`s.seed = 7`, nil, false},
		{`s.machine.overrides = {dramMHz: 900}`, nil, false},
		{`s.memory.codec = s.compare.memory.codec = "e2mc16"; s.memory.mag = s.compare.memory.mag = 64`, nil, false},
		{`s.memory.codec = "fpc"`, []string{"A"}, true},
	} {
		s, kept := one.again(step.change)
		if slices.Sort(kept); !slices.Equal(kept, step.kept) {
			t.Fatalf("%q: kept %v, want %v", step.change, kept, step.kept)
		}
		pages := map[string]*tab{"two engines": two}
		// A side that goes to the other engine runs again there.
		if _, kept := two.again(step.change); !slices.Equal(kept, step.kept) && len(step.kept) < 2 {
			t.Fatalf("%q: kept %v with two engines, want %v", step.change, kept, step.kept)
		}
		if step.fresh {
			pages["a new page"] = open(t, server.URL+"/"+eval[string](one, "burstscopeControl.fragment()"))
			pages["a new page"].finish()
		}
		cycle := int(s.Cycles) / 3
		want, past := eval[map[string]string](one, everything), one.seek(cycle, 500, false, true)
		for name, p := range pages {
			if own := p.state(); !maps.Equal(s.ResultHashes, own.ResultHashes) {
				t.Errorf("%q: %v, in %s %v", step.change, s.ResultHashes, name, own.ResultHashes)
			}
			for what, hash := range eval[map[string]string](p, everything) {
				if want[what] != hash {
					t.Errorf("%q: %s differs in %s", step.change, what, name)
				}
			}
			for side, b := range p.seek(cycle, 500, step.fresh, true) {
				if a := past[side]; a.Digest != b.Digest || a.Count != b.Count {
					t.Errorf("%q: side %s at cycle %d: %s with %d events, in %s %s with %d", step.change, side, cycle, a.Digest, a.Count, name, b.Digest, b.Count)
				}
			}
		}
	}
}

// TestResultsAreKeptForLaterVisits: a page that is loaded again shows the result of the visit before at
// once, says so, runs, and comes to the same. Its second run finds exact output and statistics. A
// damaged entry, and one of another build, are as none.
func TestResultsAreKeptForLaterVisits(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const at = "/#v=1&s=vecadd&" + quick + "&picture=plain"
	// The page notes what it is told, and when.
	spied := command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.heard = [];
		window.Worker = class extends Worker {
			constructor(...of) { super(...of); this.addEventListener("message", ({data: m}) => {
				heard.push(m.type === "begun" ? "found " + m.found : m.type === "remembered" ? "remembered " + m.side + " " + m.result.resultHash : m.type);
			}); }
		};`})
	p := open(t, server.URL+at, cores(1), spied)
	first := p.finish()
	own := eval[map[string]string](p, everything)
	reload := func() []string {
		// What is kept is written after the run is done.
		eval[any](p, `new Promise((done, failed) => {
			const look = () => { const r = indexedDB.open("burstscope-kept"); r.onerror = failed; r.onsuccess = () => {
				const all = r.result.transaction("bytes").objectStore("bytes").getAllKeys();
				all.onsuccess = () => { r.result.close(); const kinds = all.result.map(k => k.split(" ")[1]); kinds.filter(k => k === "side").length >= 2 && kinds.includes("exact") && kinds.includes("tables") ? done() : setTimeout(look, 20); };
			}; };
			look();
		})`)
		p.do(chromedp.Reload())
		s := p.finish()
		if !maps.Equal(s.ResultHashes, first.ResultHashes) {
			t.Errorf("%v, before %v", s.ResultHashes, first.ResultHashes)
		}
		for what, hash := range eval[map[string]string](p, everything) {
			if own[what] != hash {
				t.Errorf("%s differs after a reload", what)
			}
		}
		return eval[[]string](p, "window.heard")
	}
	said := reload()
	for _, side := range []string{"A", "B"} {
		if !slices.Contains(said, "remembered "+side+" "+first.ResultHashes[side]) {
			t.Errorf("the result of side %s was not shown before it was computed: %v", side, said)
		}
	}
	if !slices.Contains(said, "found 4") {
		t.Errorf("two results, exact output and statistics were not all found: %v", said)
	}
	// Run with nothing changed uses nothing kept.
	if _, kept := p.again(""); len(kept) > 0 {
		t.Errorf("Run kept %v", kept)
	}
	for what, change := range map[string]string{
		"damaged":       `new Uint8Array(bytes).map((b, i) => i === bytes.length >> 1 ? b ^ 1 : b)`,
		"cut":           `bytes.slice(0, 40)`,
		"no bytes":      `"text"`,
		"another entry": `other`,
	} {
		eval[any](p, `new Promise((done, failed) => { const r = indexedDB.open("burstscope-kept"); r.onerror = failed; r.onsuccess = () => {
			const tx = r.result.transaction("bytes", "readwrite");
			let other = new Uint8Array(9);
			tx.objectStore("bytes").openCursor().onsuccess = ({target: {result: at}}) => {
				if (!at) return;
				const bytes = at.value;
				at.update(`+change+`);
				if (bytes instanceof Uint8Array) other = bytes;
				at.continue();
			};
			tx.oncomplete = () => { r.result.close(); done(); };
		}; })`)
		if said := reload(); !slices.Contains(said, "found 0") || slices.ContainsFunc(said, func(m string) bool { return strings.HasPrefix(m, "remembered") }) {
			t.Errorf("%s: something was used: %v", what, said)
		}
	}
}
