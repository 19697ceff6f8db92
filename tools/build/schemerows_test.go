package main

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// TestSchemeRows: the page's document has a control of each side for every setting that every scheme has, with the
// values of the scenario, and those without an effect are disabled.
func TestSchemeRows(t *testing.T) {
	s := scenario.Default("vecadd")
	s.Memory.Put("codec", "e2mc16", "approximation", "tslc-opt", "threshold", 9, "latency", "1/2")
	other := scheme.Default()
	other.Memory.Put("codec", "bdi", "mag", 64)
	s.Compare = &scenario.Compare{Scheme: other}
	rows := schemeCards(s)
	for _, want := range []string{
		`<dfn data-term="MAG">bytes fetched at a time (MAG)</dfn></span><select id="knob-A-memory-mag"`,
		`<dfn data-term="decoding way">ways</dfn>`,
		`<option>BDI</option>`, `<option>E2MC-16</option>`, `<option>TSLC-OPT</option>`, `<option>64</option>`,
		`id="knob-B-memory-threshold" type="number" min="0" max="64" step="1" value="9" aria-label="B: threshold, bytes. `,
	} {
		if !strings.Contains(rows, want) {
			t.Errorf("the rows lack %s:\n%s", want, rows)
		}
	}
	latency := `id="knob-B-memory-latency" placeholder="own" spellcheck="false" autocomplete="off" value="1/2"`
	for _, want := range []string{
		latency, "<h3>LATTE-CC in L1</h3>", "<h3>RFVP on load misses</h3>",
		"<h3>Buddy Compression behind a link</h3>", `id="knob-B-l1-store"`,
	} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %s:\n%s", want, rows)
		}
	}
	var disabled []string
	for _, control := range strings.Split(rows, "<") {
		if id, rest, ok := strings.Cut(control, `id="`); ok && strings.Contains(rest, " disabled>") {
			id, _, _ = strings.Cut(rest, `"`)
			disabled = append(disabled, strings.TrimPrefix(id, "knob-"))
		}
	}
	want := "A-memory-decodingWays A-memory-probabilities A-memory-clut A-memory-sample B-memory-sample " +
		"A-memory-threshold A-memory-header A-memory-prediction"
	if got := strings.Join(disabled, " "); got != want {
		t.Errorf("disabled are %s, want %s", got, want)
	}
	group := scheme.Find("memory")
	for i := range group.Settings {
		f := &group.Settings[i]
		if has := strings.Count(rows, "-memory-"+f.Name+`"`); has != 2 && !f.Binary || f.Binary && has != 0 {
			t.Errorf("%s has %d controls", f.Name, has)
		}
	}
}
