package experiment

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/testdata/mirror"
)

// TestABackingIsAFolderAndARow: with one more row in the table of systems a backing has settings, a run before its
// machine, storage, timing, events, a counter, a part of the energy, a report and an input of metrics. Its folder is
// all that it needs.
func TestABackingIsAFolderAndARow(t *testing.T) {
	files, err := os.ReadDir("../system/testdata/mirror")
	if err != nil || len(files) != 1 {
		t.Errorf("the toy has %d files (%v), want one", len(files), err)
	}
	addSystem(t, mirror.System)

	run := func(set ...string) (*Run, *Result, *probe.Tap) {
		s := smallScenario(t, "vecadd", 4096, "p100", "none", set...)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		p, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		p.Paranoid, p.CheckDRAM = true, true
		tap := probe.NewTap(1 << 20)
		r, err := New(p, Options{Tap: tap})
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Finish()
		if err != nil {
			t.Fatal(err)
		}
		return r, res, tap
	}
	_, plain, _ := run()
	r, res, tap := run("backing.kind=mirror", "backing.cycles=500")
	checkExact(t, r, res)
	if res.Cycles < plain.Cycles+500 {
		t.Errorf("%d cycles, without the mirror %d", res.Cycles, plain.Cycles)
	}
	report := Reported[mirror.Report](res)
	if report == nil || report.Launches != 1 || report.Mirrored == 0 ||
		res.Stats["mirrorBlocks"] != report.Mirrored {
		t.Fatalf("report %+v, %d blocks counted", report, res.Stats["mirrorBlocks"])
	}
	if got, ok := res.Value("deviceBytes"); !ok || got != float64(report.Mirrored) {
		t.Errorf("the input of metrics is %v, %t", got, ok)
	}
	parts := res.Energy.Parts
	if i := slices.IndexFunc(parts, func(p energy.Part) bool { return p.Name == "mirror" }); i < 0 ||
		parts[i].Femtojoules != 1000*report.Mirrored || parts[i].Title != "Mirror" {
		t.Errorf("its energy: %+v", parts)
	}
	if after := plain.Energy.Parts; len(after) != len(parts)-1 || plain.Stats["mirrorBlocks"] != 0 {
		t.Errorf("without the mirror: %d blocks in it, and the parts %+v", plain.Stats["mirrorBlocks"], after)
	}
	var placed, moved uint64
	tap.Take(func(events []probe.Event) {
		for i := range events {
			switch e := &events[i]; {
			case e.Kind == probe.KindEntry && e.A == 1:
				placed++
			case e.Kind == probe.KindLink && e.A == 7 && e.B > 0:
				moved++
			}
		}
	})
	if placed != report.Mirrored || moved != report.Mirrored {
		t.Errorf("%d and %d events for %d blocks", placed, moved, report.Mirrored)
	}
	if text, err := json.Marshal(res); err != nil || !strings.Contains(string(text), `"mirrored":`) {
		t.Errorf("the report is not in the result's JSON: %v", err)
	}
	described := slices.ContainsFunc(scheme.Describe(), func(d system.Description) bool {
		return slices.ContainsFunc(d.Entries, func(e system.EntryDescription) bool {
			return e.Name == "mirror" &&
				len(e.Settings) == 1
		})
	})
	if !described {
		t.Error("the list of schemes does not have it")
	}
}
