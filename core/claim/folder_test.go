package claim

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/burstscope/burstscope/core/experiment"
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

// A user's folder defines metrics, words and lists of its own. What only a shipped paper can say, and names that have a
// meaning already, are faults.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	folder := func(yaml string) (*Paper, error) {
		files := fstest.MapFS{}
		for name, text := range map[string]string{
			paperFile: "paper: MINE\ntitle: A paper\n" + yaml, textFile: "<p>text",
			claimsFile: strings.Join(columns, ",") + "\nMINE-01,MINE,T1,k,f,It is twice as fast,m,b,c,w,2,x," +
				"\"twice(v('gain', 'BDI', 'TP')) > 4 and all([n > 0 for n in POINTS])\",,,\n",
		} {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return ReadPaper(files, "mine", nil)
	}
	const words = "lists: {POINTS: [1, 2]}\nwords: {twice: \"lambda x: 2 * x\"}\n"
	p, err := folder(words + "metrics: {gain: \"v('seconds', 'NONE', w) / v('seconds', SYSTEM, w)\"}\n")
	if err != nil {
		t.Fatal(err)
	}
	if o, err := p.Ledger(halved{}).Evaluate(p.Claims[0]); err != nil || o.Verdict != DoesNotHold || len(o.Runs) < 2 {
		t.Errorf("%+v %v", o, err)
	}
	for yaml, want := range map[string]string{
		words + "metrics: {cap: \"1\"}\n":             "cap",
		words + "metrics: {gain: \"1 +\"}\n":          "got end of file",
		"words: {gm: \"lambda x: x\"}\n":              "gm",
		"settings: {bt: {to: [backing.threshold]}}\n": "only a paper in assets/papers",
		"systems: {TSLC-OPT: {memory.codec: bdi}}\n":  "TSLC-OPT",
		"programs: {TP: {study: 256}}\n":              "only a paper in assets/papers",
		"systems: {MY: {memory.codec: moon}}\n":       "moon",
	} {
		if _, err := folder(yaml); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", yaml, err)
		}
	}
}

// halved: a run without compression takes two seconds, every other one second.
type halved struct{ none }

func (halved) Run(j *Job) *experiment.Result {
	if j.Scenario.Memory.Codec() == "none" {
		return &experiment.Result{Seconds: 2}
	}
	return &experiment.Result{Seconds: 1}
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
