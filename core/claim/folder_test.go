package claim

import (
	"slices"
	"strings"
	"testing"
)

// Every shipped paper is a folder without faults, whose name and rows are those of Papers. Its machine is that of its
// rows.
func TestShippedPapers(t *testing.T) {
	t.Parallel()
	rows, figures := 0, 0
	for _, name := range Papers {
		p, err := ReadPaper(shippedFolder(name).folder, strings.ToLower(name), nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if p.Name != name || p.Venue == "" || len(p.Scenarios) == 0 || len(p.Claims) == 0 || !strings.Contains(p.Text, "<!--claims-->") {
			t.Errorf("%s holds %s, with %d claims and %d scenarios", name, p.Name, len(p.Claims), len(p.Scenarios))
		}
		if p.Machine != "" && (Reading{}).Of(name).Machine != p.Machine {
			t.Errorf("%s runs on %q, its folder says %q", name, Reading{}.Of(name).Machine, p.Machine)
		}
		rows, figures = rows+len(p.Claims), figures+len(p.Figures)
	}
	if rows != len(All()) || figures != len(FigureNames()) || slices.Index(Papers, "SLC") != 0 {
		t.Errorf("%d rows of %d, %d figures of %d, %v", rows, len(All()), figures, len(FigureNames()), Papers)
	}
}

// A system of a folder is the scenario without compression with its settings; the keywords of a predicate come
// before them.
func TestOwnSystems(t *testing.T) {
	t.Parallel()
	p := &Paper{Name: "MINE", Systems: []System{{Name: "MINE", Settings: [][2]string{{"memory.codec", "bdi"}}}, {Name: "MINE64", Settings: [][2]string{{"memory.codec", "bdi"}, {"memory.mag", "64"}}}},
		Programs: []Program{{ID: "TP", Size: 256, Data: "ramp"}}}
	l := p.Ledger(nil)
	s := &session{Ledger: l, paper: "MINE"}
	at := func(system string, mag int) *point {
		set := defaultSettings()
		set.mag = mag
		point, err := s.point(system, "TP", set)
		if err != nil {
			t.Fatal(err)
		}
		return point
	}
	if own, ours := at("MINE", 32), at("BDI", 32); own.run.Key != ours.run.Key || own.run.Scenario.Workload.Size != 256 {
		t.Errorf("%s is not %s", own.run, ours.run)
	}
	if at("MINE", 64).run.Key != at("MINE64", 32).run.Key || at("MINE", 64).run.Key == at("MINE", 32).run.Key {
		t.Error("mag= does not come before the settings")
	}
}
