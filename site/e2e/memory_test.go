package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/preset"
)

// result is what tests read of a result object.
type result struct {
	Cycles  float64
	Seconds float64
	Stats   map[string]float64
	Energy  struct {
		TotalFemtojoules float64
		Parts            []struct{ Title string }
	}
}

func (s state) result(t *testing.T, side string) (r result) {
	t.Helper()
	if err := json.Unmarshal(s.Results[side], &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// numbersShown waits until the numbers of a finished run stand on the page.
func (p *tab) numbersShown() {
	p.t.Helper()
	p.wait(`S.results.B.cycles.toLocaleString("en") === document.querySelector("#results [data-row=cycles] [data-side=B]").textContent`)
}

// texts are the visible texts of elements.
func (p *tab) texts(selector string) []string {
	p.t.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%s)].map(e => e.textContent)`, quote(selector)))
}

// TestDRAMOverTime: the tab DRAM shows bandwidth, queues and row hits of both
// sides, in words, pictures and tables, of all channels or one.
func TestDRAMOverTime(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&tab=dram&dram=bandwidth")
	s := p.finish()
	p.wait(`S.dram.A && S.dram.B && document.querySelectorAll("#panel-dram .layer.read").length === 14`)
	r := s.result(t, "A")
	words := func() string { return p.texts("#panel-dram .words")[0] }
	want := r.Stats["burstsRead"] * 32 / r.Seconds / 1e9
	if text := words(); !strings.Contains(text, fmt.Sprintf("A: %.1f GB/s read", want)) {
		t.Errorf("%q, want %.1f GB/s read on side A", text, want)
	}
	p.do(chromedp.Click("#panel-dram summary"))
	p.wait(`document.querySelectorAll("#panel-dram tbody tr").length === 7`)
	p.screenshot("dram-bandwidth.png")

	choose := func(label, value string) {
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %s; return e.dispatchEvent(new Event("change")); })(document.querySelector("#dram-tools select[aria-label='%s']"))`, quote(value), label))
	}
	choose("Channel", "3")
	p.wait(`document.querySelector("#panel-dram tbody").textContent.startsWith("channel 3") && document.querySelectorAll("#panel-dram .layer.read").length === 2`)
	choose("Channel", "")
	choose("What the tab shows", "queues")
	p.wait(`document.querySelectorAll("#panel-dram .line.writes").length === 12`)
	p.wait("location.hash.includes('dram=queues')")
	if text := words(); !strings.Contains(text, "reads and") {
		t.Errorf("queues: %q", text)
	}
	p.screenshot("dram-queues.png")
	choose("What the tab shows", "row-hits")
	p.wait(`document.querySelectorAll("#panel-dram tbody tr").length === 16`)
	share := r.Stats["rowHits"] / (r.Stats["burstsRead"] + r.Stats["burstsWritten"] + r.Stats["burstsMetadata"])
	if text := words(); !strings.Contains(text, fmt.Sprintf("A: %.0f", share*100)) {
		t.Errorf("%q, want %.0f %% of A", text, share*100)
	}
	holder := eval[rectangle](p, `(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector("#panel-dram canvas").getBoundingClientRect())`)
	checkDrawn(t, p.screenshot("dram-row-hits.png"), holder)
	choose("What the tab shows", "banks")
	p.look()
	p.wait("S.picture === 'moving'")
	p.do(chromedp.Click("#plain-switch"))
	p.wait(`S.picture === 'plain' && !document.getElementById("panel-strips").hidden`)
	p.screenshot("dram-banks-plain.png")
}

// TestMachineValues: every value of the machine is listed with its source, can be
// searched and overridden, and the link carries what was changed.
func TestMachineValues(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	before := p.finish()
	spec, err := preset.GPU("gtx580b")
	if err != nil {
		t.Fatal(err)
	}
	fields := preset.Describe(spec)
	p.do(chromedp.Click("#machine-values"))
	p.wait(fmt.Sprintf(`document.querySelectorAll("#machine-table tbody tr").length === %d`, len(fields)))
	p.screenshot("machine.png")
	for _, row := range p.texts("#machine-table .source") {
		if strings.TrimSpace(row) == "" {
			t.Error("a value without a source")
			break
		}
	}
	eval[any](p, `(e => { e.value = "dram.cl"; e.dispatchEvent(new Event("input")); })(document.getElementById("machine-filter"))`)
	p.wait(`document.querySelectorAll("#machine-table tbody tr").length < 12`)
	set := func(value string) {
		eval[any](p, fmt.Sprintf(`(e => { e.value = %s; e.dispatchEvent(new Event("change")); })([...document.querySelectorAll("#machine-table tr")].find(e => e.querySelector("code")?.textContent === "dram.cl").querySelector("input"))`, quote(value)))
	}
	set("-3")
	p.wait(`document.getElementById("machine-said").textContent.includes("The value was not changed")`)
	set("30")
	p.wait(`document.querySelectorAll("#machine-table .overridden").length === 1`)
	p.wait(`location.hash.includes("machine.overrides.dram.cl=30")`)
	eval[any](p, `document.getElementById("dialog-close").click(), document.getElementById("run").click()`)
	p.wait("S.run === 2 && S.phase === 'done'")
	after := p.finish()
	if after.ResultHashes["A"] == before.ResultHashes["A"] {
		t.Error("the override did not reach the run")
	}
	q := open(t, eval[string](p, "location.href"))
	if again := q.finish(); again.ResultHashes["A"] != after.ResultHashes["A"] || len(again.Messages) > 0 {
		t.Errorf("by link %s, by hand %s: %v", again.ResultHashes["A"], after.ResultHashes["A"], again.Messages)
	}
}

// TestBreakdowns: stalls, bus cycles, latency and energy are bars of both sides
// whose parts sum to the total, and every number opens.
func TestBreakdowns(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	s := p.finish()
	r := s.result(t, "B")
	p.numbersShown()
	p.wait(`document.querySelectorAll("[data-breakdown]").length === 4`)
	want := eval[string](p, fmt.Sprintf(`(%f).toLocaleString("en")`, r.Stats["schedulerCycles"]))
	p.wait(`document.querySelector("[data-breakdown=slots] .bar-of[data-side=B] button").textContent === ` + quote(want))
	for _, b := range []struct {
		name  string
		total float64
	}{
		{"slots", r.Stats["schedulerCycles"]},
		{"bus", r.Stats["dramCycles"] + r.Stats["busAheadCycles"]},
		{"latency", r.Stats["readLatencyCycles"] / r.Stats["readBlocksServed"]},
		{"energy", r.Energy.TotalFemtojoules},
	} {
		// Widths are parts of the longer bar; the sum of B's to its whole is 1.
		widths := eval[[]float64](p, fmt.Sprintf(`["A", "B"].map(side => [...document.querySelectorAll("[data-breakdown=%s] .bar-of[data-side=" + side + "] rect")].reduce((x, e) => x + e.width.baseVal.value, 0))`, b.name))
		if longest := max(widths[0], widths[1]); longest < 299 || longest > 306 {
			t.Errorf("%s: the longer bar is %g of 300", b.name, longest)
		}
		if b.total == 0 {
			t.Errorf("%s: no total", b.name)
		}
		shares := eval[float64](p, fmt.Sprintf(`[...document.querySelectorAll("[data-breakdown=%s] [data-share=B]")].reduce((x, e) => x + (parseFloat(e.textContent) || 0), 0)`, b.name))
		if shares < 97 || shares > 103 { // each is rounded
			t.Errorf("%s: the shares add up to %g %%", b.name, shares)
		}
	}
	eval[any](p, `document.querySelector("[data-breakdown=energy] details").open = true, document.querySelector("[data-breakdown=energy] .bar-of button").click()`)
	p.wait(`!document.getElementById("answer").hidden`)
	answer := p.texts("#answer")[0]
	for _, part := range r.Energy.Parts {
		if !strings.Contains(answer, part.Title) {
			t.Errorf("the answer to the energy lacks %s: %q", part.Title, answer)
		}
	}
	p.screenshot("breakdowns.png")
}

// TestMemoryChart: every number of the chart is in the table beside it, of both
// sides, and the switch changes the chart alone.
func TestMemoryChart(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small)
	p.finish()
	p.numbersShown()
	p.wait(`document.querySelector("#chart-numbers tr[data-row=dramBytes] [data-side=B]").textContent === document.querySelector("#results tr[data-row=dramBytes] [data-side=B]").textContent`)
	figures := eval[[]string](p, `[...document.querySelectorAll("#chart [data-metric]")].map(e => e.dataset.metric)`)
	for _, f := range figures {
		cells := p.texts(fmt.Sprintf("#chart-numbers tr[data-row=%q] button", f))
		if len(cells) != 2 || cells[0] == "–" && f != "metadataHitRate" {
			t.Errorf("%s in the table: %q", f, cells)
		}
	}
	if len(figures) < 12 {
		t.Errorf("only %d figures on the chart: %v", len(figures), figures)
	}
	shown := strings.Join(p.texts("#chart text"), " ")
	table := strings.Join(p.texts("#chart-numbers td"), " ")
	p.do(chromedp.Click("#side-a"))
	p.wait(`document.getElementById("chart-title").textContent.startsWith("Memory chart, A")`)
	if now := strings.Join(p.texts("#chart text"), " "); now == shown {
		t.Error("the switch changes nothing")
	}
	if now := strings.Join(p.texts("#chart-numbers td"), " "); now != table {
		t.Errorf("the table was %s and is %s", table, now)
	}
}

// TestTrace: the page's trace of a side is byte for byte what a native program
// writes.
func TestTrace(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&tab=dram&picture=plain")
	p.finish()
	p.wait(`!document.getElementById("save-trace").disabled`)
	eval[any](p, `(() => {
		HTMLAnchorElement.prototype.click = () => {}; // no file
		const make = URL.createObjectURL;
		URL.createObjectURL = blob => { window.savedTrace = blob; return make.call(URL, blob); };
		document.getElementById("save-trace").click();
		document.querySelector("#dialog button[data-side=B]").click();
	})()`)
	p.wait(`document.getElementById("trace-said").textContent.startsWith("Saved dct-B.trace.json")`)
	p.screenshot("trace.png")
	text := eval[string](p, `window.savedTrace.text()`)

	s := shippedScenarios(t)["dct"]
	s.Workload.Size = 128
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	// The page's trace is the native one, with the link back as its first key.
	link := regexp.MustCompile(`^\{"link":"(http[^"]*#[^"]*)",`).FindStringSubmatch(text)
	if link == nil {
		t.Fatalf("the trace begins with %.200q, and not with the link back", text)
	}
	text = "{" + text[len(link[0]):]
	if native := nativeTrace(t, plan); !bytes.Equal(native, []byte(text)) {
		t.Errorf("%d bytes in the page, %d natively", len(text), len(native))
	}
}

func nativeTrace(t *testing.T, plan *experiment.Plan) (out []byte) {
	t.Helper()
	study, err := experiment.NewStudy(plan)
	if err != nil {
		t.Fatal(err)
	}
	trace := study.Trace(plan, 0, func(b []byte) { out = append(out, b...) })
	for done := false; !done; {
		if done, err = trace.Step(); err != nil {
			t.Fatal(err)
		}
	}
	trace.Close()
	return out
}
