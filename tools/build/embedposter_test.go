package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/sim"
)

// TestTypicalBlocks: among a beginning that saves nothing and an end that saves
// everything, the blocks shown are those that save as much as the run does.
func TestTypicalBlocks(t *testing.T) {
	var a, b []blockRead
	for i := range 3 * posterBlocks {
		fetched := 4 - i/posterBlocks // 4, 3, 2: the mean is 3
		a = append(a, blockRead{sim.Cycle(i), uint64(128 * i), 4, false})
		b = append(b, blockRead{sim.Cycle(i), uint64(128 * i), fetched, fetched < 4})
	}
	got := typicalBlocks(a, b)
	if len(got) != posterBlocks {
		t.Fatalf("%d blocks", len(got))
	}
	total := 0
	for _, p := range got {
		if p.a.addr != p.b.addr {
			t.Fatalf("block %#x beside %#x", p.a.addr, p.b.addr)
		}
		total += p.b.fetched
	}
	if total != 3*posterBlocks {
		t.Errorf("side B fetches %d bursts for %d blocks, the run 3 for each", total, len(got))
	}
	if n := len(typicalBlocks(a[:5], b[:5])); n != 5 {
		t.Errorf("%d blocks of 5", n)
	}
}

// TestBurstWatch counts the bursts of a stream of events by hand.
func TestBurstWatch(t *testing.T) {
	burst := func(cycle sim.Cycle, kind probe.Kind, index, fetched uint32, mode probe.Mode, metadata uint32) probe.Event {
		return probe.Event{Cycle: cycle, Addr: 0x80, Kind: kind, A: index<<8 | fetched<<16 | uint32(mode)<<24, B: 2<<16 | metadata}
	}
	w := &burstWatch{}
	w.take([]probe.Event{
		burst(1, probe.KindRead, 0, 2, probe.ModeLossy, 0),
		burst(3, probe.KindRead, 1, 2, probe.ModeLossy, 0),
		burst(5, probe.KindRead, 0, 1, probe.ModeRaw, 1),
		burst(binCycles, probe.KindWrite, 0, 4, probe.ModeRaw, 0),
		{Cycle: 7, Kind: probe.KindActivate},
	})
	if len(w.reads) != 1 || w.reads[0] != (blockRead{1, 0x80, 2, true}) {
		t.Errorf("blocks read: %v", w.reads)
	}
	if c := w.curve(); len(c) != 2 || c[0] != 3.0/binCycles || c[1] != 1.0/binCycles {
		t.Errorf("bursts a cycle: %v", c)
	}
}

// TestEmbedPoster makes the poster of a small scenario: its pictures stand alone, and
// its words hold the numbers and the hashes.
func TestEmbedPoster(t *testing.T) {
	s, err := smallScenario()
	if err != nil {
		t.Fatal(err)
	}
	p, err := makeEmbedPoster("small", s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{p.Headline, "Cycles: A " + p.Rows[0].A, p.Rows[1].B, scenario.ShortHash(p.Hashes["A"]), scenario.ShortHash(p.Hashes["B"])} {
		if !strings.Contains(p.Alt, want) {
			t.Errorf("the alternative text lacks %q: %s", want, p.Alt)
		}
	}
	for name, svg := range map[string]string{"wide": p.drawWide(), "narrow": p.drawNarrow()} {
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if start.Name.Local == "script" {
				t.Errorf("%s holds a script", name)
			}
			for _, a := range start.Attr {
				if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "data:image/png;base64,") {
					t.Errorf("%s fetches %.60s", name, a.Value)
				}
			}
		}
		if !strings.Contains(svg, "&lt;b&gt;") || strings.Contains(svg, "<b>") {
			t.Errorf("%s: the title is not plain text", name)
		}
		if len(svg) > 24_000 {
			t.Errorf("%s weighs %d bytes; with the element's script it must stay below 40 kB", name, len(svg))
		}
	}
	got, err := fillCompanion(`x <!--embed small knobs="seed"--> y`, []*embedPoster{p})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`x <burst-scope scenario="small" knobs="seed">`, `<a href="../#v=1&amp;s=small">`, `src="../posters/small.svg"`, "&lt;b&gt;", "</burst-scope> y"} {
		if !strings.Contains(got, want) {
			t.Errorf("the snippet lacks %s: %s", want, got)
		}
	}
	if _, err := fillCompanion("<!--embed other-->", []*embedPoster{p}); err == nil {
		t.Error("an embed of a scenario that does not exist passes")
	}
}

func smallScenario() (*scenario.Scenario, error) {
	return authoring.ParseYAML("small.yaml", []byte(`
version: 1
title: "Sums <b>"
machine: {preset: mini}
workload: {name: vecadd, size: 4096, data: grid}
memory: {codec: e2mc16}
compare: {memory: {codec: none}}
seed: 1
`))
}
