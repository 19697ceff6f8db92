package claims

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/burstscope/burstscope/assets/papers"
	"github.com/burstscope/burstscope/core/claim"
)

// changed returns a copy of a paper's folder in which one text of a file is another one.
func changed(t *testing.T, folder fs.FS, file, old, now string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		if name == file {
			if !strings.Contains(string(b), old) {
				t.Fatalf("%s has no %q", file, old)
			}
			b = []byte(strings.Replace(string(b), old, now, 1))
		}
		files[name] = &fstest.MapFile{Data: b}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Files of a folder, and an expression of the template's.
const (
	rows    = "claims.csv"
	yaml    = "paper.yaml"
	figure  = "figures/name-1.yaml"
	speedup = "gm('speedup', 'NAMESCHEME', NAMESET, over='NONE')"
)

// wrongNames are the places of a paper's files where a name can stand, with a wrong one.
var wrongNames = []struct{ paper, file, old, now, place, want string }{
	// In a predicate: the names that stand in it.
	{"template", rows, "gm('speedup'", "gm('speedupp'",
		"claims.csv:3: ", `unknown metric "speedupp": did you mean "speedup"?`},
	{"template", rows, "'NAMESCHEME'", "'NAMESCHEM'",
		"claims.csv:3: ", `unknown system "NAMESCHEM": did you mean "NAMESCHEME"?`},
	{"template", rows, "over='NONE'", "over='NON'", "claims.csv:3: ", `unknown system "NON": did you mean "NONE"?`},
	{"template", rows, "over='NONE'", "over='NONE', magg=64",
		"claims.csv:3: ", `unknown word "magg": did you mean "mag"?`},
	{"template", rows, "over='NONE'", "over='NONE', over_magg=64",
		"claims.csv:3: ", `unknown word "over_magg": did you mean "mag"?`},
	{"template", rows, "NAMESET,", "NAMESTE,", "claims.csv:3: ", `undefined: NAMESTE: did you mean "NAMESET"?`},
	{"template", rows, "gm('speedup'", "gmm('speedup'", "claims.csv:3: ", `undefined: gmm: did you mean "gm"?`},
	{"template", rows, "'BDI', 'TP'", "'BDI', 'TPP'",
		"claims.csv:4: ", `unknown program "TPP": did you mean "TP"?`},
	{"template", rows, "'BDI', 'TP'", "'BDI+LATE', 'TP'",
		"claims.csv:4: ", `unknown system "LATE": did you mean "LATTE"?`},
	{"template", rows, "ceildiv(36, 32) == 2", "cfg('mem.burstlen') == 8",
		"claims.csv:2: ", `unknown constant "mem.burstlen": did you mean "mem.burst_len"?`},
	{"template", rows, "ceildiv(36, 32) == 2", "unit('slc.mode_rul')",
		"claims.csv:2: ", `unknown test "slc.mode_rul": did you mean "slc.mode_rule"?`},
	{"template", rows, "ceildiv(36, 32) == 2", "joules('NONE', 'TP', 'dramRaed') > 0",
		"claims.csv:2: ", `unknown part of the energy "dramRaed": did you mean "dramRead"?`},
	{"template", rows, "ceildiv(36, 32) == 2", "joules('NON', 'TP') > 0", "claims.csv:2: ", `unknown system "NON"`},
	{"template", rows, "ceildiv(36, 32) == 2", "measure('ratioo', 'TP', ['BDI']) > 0",
		"claims.csv:2: ", `unknown measure "ratioo": did you mean "ratio"?`},
	{"template", rows, "ceildiv(36, 32) == 2", "measure('ratio', 'TP', ['BDII']) > 0",
		"claims.csv:2: ", `unknown system "BDII"`},
	{"template", rows, "ceildiv(36, 32) == 2", "n_regions('TPP') > 0", "claims.csv:2: ", `unknown program "TPP"`},
	// In a part that no evaluation comes to.
	{"template", rows, "ceildiv(36, 32) == 2", "1 < 2 if 1 < 3 else v('speedup', 'BDII', 'TP', over='NONE') > 1",
		"claims.csv:2: ", `unknown system "BDII"`},
	// In a predicate: names that it makes, which only an evaluation knows.
	{"template", rows, speedup, "[gm('speedup', s, NAMESET, over='NONE') for s in ['NAMESCHEM']][0]",
		"claims.csv:3: ", `system NAMESCHEM does not exist here: did you mean "NAMESCHEME"?`},
	{"template", rows, speedup, "[v(m, 'BDI', 'TP') for m in ['miss_rat']][0]",
		"claims.csv:3: ", `metric miss_rat is not measured: did you mean "miss_rate"?`},
	{"template", rows, speedup, "max_w(['TPP'], lambda w: v('seconds', 'BDI', w))",
		"claims.csv:3: ", "program TPP does not exist here: burstscope workloads lists them"},
	// Words without effect, and with wrong values.
	{"template", rows, "over='NONE'", "over='NONE', drop=0.5", "claims.csv:3: ", "the word drop= changes nothing"},
	{"template", rows, "over='NONE'", "over='NONE', over_pdw=8",
		"claims.csv:3: ", "the word over_pdw= changes nothing"},
	{"template", rows, "'BDI', 'TP'", "'BDI', 'TP', thr=8", "claims.csv:4: ", "the word thr= changes nothing"},
	{"template", rows, "'BDI', 'TP'", "'BDI', 'TP', lo=3", "claims.csv:4: ", "takes no word lo: remove it"},
	{"template", rows, "over='NONE'", "over='NONE', lat='two'",
		"claims.csv:3: ", "setting lat='two' does not exist here"},
	{"template", rows, "over='NONE'", "over='NONE', pred='DFCM'",
		"claims.csv:3: ", `setting pred='DFCM' does not exist here: use "2D", or "LV", or "ZV"`},
	{"template", rows, "over='NONE'", "over='NONE', machine='gtx580'",
		"claims.csv:3: ", `machine "gtx580" does not exist here`},
	{"template", rows, "over='NONE'", "over=NONE", "claims.csv:3: ", "undefined: NONE"},
	{"template", rows, "over='NONE'", "over=5",
		"claims.csv:3: ", "the base over=5 is not a system: give its name in quotes"},
	{"template", rows, ", over='NONE'", "", "claims.csv:3: ", "metric speedup is not measured: give a base"},
	{"template", rows, "over='NONE'", "over='NONE', mag=48", "claims.csv:3: ", "48"},
	{"template", rows, "ceildiv(36, 32) == 2", "sum([1], start=2) == 1", "claims.csv:2: ", "unexpected keyword"},
	{"template", rows, "ceildiv(36, 32) == 2", "geomean([1], of='x') == 1",
		"claims.csv:2: ", "no words such as x=1"},
	// In the column value, and in other columns.
	{"template", rows, "needs no run,,", "needs no run,\"v('speedup', 'BDII', 'TP', over='NONE')\",",
		"claims.csv:2: ", `unknown system "BDII"`},
	{"template", rows, "NAME-01,NAME,T1", "NAME-01,NAME,T4", "claims.csv:2: ", `unknown tier "T4"`},
	// In paper.yaml.
	{"template", yaml, "venue:", "venu:", "paper.yaml:5:", `unknown key "venu": did you mean "venue"?`},
	{"template", yaml, "gtx580b", "gtx580bb",
		"paper.yaml:9:", `unknown machine "gtx580bb": did you mean "gtx580b"?`},
	{"template", yaml, "FWT: {", "FWTT: {", "paper.yaml:14:", `unknown program "FWTT": did you mean "fwt"?`},
	{"template", yaml, "size: 256", "sise: 256", "paper.yaml:13:", `unknown key "sise": did you mean "size"?`},
	{"template", yaml, "data: ramp", "data: rampp", "paper.yaml:13:", `TP has no input "rampp": use one of`},
	{"template", yaml, "[TP, FWT]", "[TP, FWTT]", "paper.yaml:18:", `unknown program "FWTT": did you mean "FWT"?`},
	{"template", yaml, "memory.mag", "memory.magg",
		"paper.yaml:23:", `no such path: "memory.magg": did you mean "memory.mag"?`},
	{"template", yaml, "memory.mag: 32", "machine.overrides.l2.wayss: 8",
		"paper.yaml:23:", `did you mean "machine.overrides.l2.ways"?`},
	{"template", yaml, "codec: bdi", "codec: bdii", "paper.yaml:23:", `"bdii"`},
	{"template", yaml, "figures:", "noise: [NAME-3]\nfigures:",
		"paper.yaml", `claims.csv has no row "NAME-3": did you mean "NAME-03"?`},
	{"template", yaml, "figures:", "metrics: {gain: \"v('secondss', SYSTEM, w)\"}\nfigures:",
		"paper.yaml:26:", `unknown metric "secondss": did you mean "seconds"?`},
	{"template", yaml, "figures:", "metrics: {gain: \"v('seconds', SYSTM, w)\"}\nfigures:",
		"paper.yaml:26:", `undefined: SYSTM: did you mean "SYSTEM"?`},
	{"template", yaml, "figures:", "words: {gain: \"lambda w: v('seconds', 'BDII', w)\"}\nfigures:",
		"paper.yaml:26:", `unknown system "BDII"`},
	{"template", yaml, "figures:", "constants: {gain: \"machin('sms')\"}\nfigures:",
		"paper.yaml:26:", `undefined: machin: did you mean "machine"?`},
	{"template", yaml, "figures:", reading("{set: {memory.codecc: bdi}}", "NAME-02"),
		"paper.yaml:30:", `no such path: "memory.codecc": did you mean "memory.codec"?`},
	{"template", yaml, "figures:", reading("{set: {machine.overrides.l2.wayss: 8}}", "NAME-02"),
		"paper.yaml:30:", `did you mean "machine.overrides.l2.ways"?`},
	{"template", yaml, "figures:", reading("{set: {memory.codec: bdii}}", "NAME-02"),
		"paper.yaml:27:", `NAME-02 cannot be measured under the reading "other"`},
	{"template", yaml, "figures:", reading("{sets: {NAMESET: NAMESTE}}", "NAME-02"),
		"paper.yaml:27:", `unknown set "NAMESTE": did you mean "NAMESET"?`},
	{"template", yaml, "figures:", reading("{set: {memory.codec: fpc}}", "NAME-2"),
		"paper.yaml:27:", `claims.csv has no row "NAME-2": did you mean "NAME-02"?`},
	// In a figure.
	{"template", figure, "set: NAMESET", "set: NAMESTE",
		"name-1.yaml:", `unknown set "NAMESTE": did you mean "NAMESET"?`},
	{"template", figure, "paper: {", "paper: {TPP: \"1\", ",
		"name-1.yaml:", `the panel has no category "TPP": did you mean "TP"?`},
	{"template", figure, "series:", "serie:", "name-1.yaml:", `unknown key "serie": did you mean "series"?`},
	{"template", figure, "'NAMESCHEME'", "'NAMESCHEM'",
		"name-1.yaml:", `unknown system "NAMESCHEM": did you mean "NAMESCHEME"?`},
	{"template", figure, "'speedup'", "'speedupp'", "name-1.yaml:", `unknown metric "speedupp"`},
	{"template", figure, ", w, over", ", ww, over", "name-1.yaml:", "undefined: ww"},
	{"template", figure, "over='NONE'", "over='NONE', drop=0.5", "name-1.yaml:", "the word drop= changes nothing"},
	// In the files of shipped papers, and what only these have.
	{"latte", rows, "'L1-BDI'", "'L1-BDII'", "claims.csv:3: ", `unknown system "L1-BDII": did you mean "L1-BDI"?`},
	{"latte", rows, "wpol='through'", "wpol='trough'",
		"claims.csv:44: ", `setting wpol='trough' does not exist here: use "evict", or "through"`},
	{"latte", yaml, "to: [l1.extraLatency]", "to: [l1.extraLatenc]",
		"paper.yaml:", `no such path: "l1.extraLatenc": did you mean "l1.extraLatency"?`},
	{"latte", yaml, "if: l1.store, words: {evict", "if: l1.stor, words: {evict",
		"paper.yaml:", `no such path: "l1.stor": did you mean "l1.store"?`},
	{"latte", yaml, "STC: {study: 4096}", "STC: {study: 1073741824}", "paper.yaml:", "1073741824"},
	{"latte", yaml, "LALL: [LSENS", "LALL: [LSEN", "paper.yaml:", `unknown program "LSEN"`},
	{"latte", "analyses.yaml", "[LATTE-12]", "[LATTE-112]",
		"analyses.yaml:", `claims.csv has no row "LATTE-112": did you mean "LATTE-11"?`},
	{"rfvp", yaml, "programs: [FWT, GS", "programs: [FWTT, GS",
		"paper.yaml:", `unknown program "FWTT": did you mean "FWT"?`},
	{"rfvp", yaml, "'err', 'RFVP', w, drop=0.5, entries", "'err', 'RFVP', w, dropp=0.5, entries",
		"paper.yaml:", `unknown word "dropp": did you mean "drop"?`},
	{"buddy", yaml, "with: {link: COPIES}", "with: {link: COPYS}",
		"paper.yaml:", `unknown system "COPYS": did you mean "COPIES"?`},
	{"buddy", yaml, "with: {link: COPIES}", "with: {linc: COPIES}", "paper.yaml:", `settings have no word "linc"`},
}

// A name that nothing defines is a fault of its file, wherever it stands, in a shipped paper and in a user's own. The
// fault has the file, the line and the nearest right name. Before, most of these rows were "not yet measured" or had
// the number without the word, and the check of the folder passed.
func TestUnknownNamesAreFaults(t *testing.T) {
	t.Parallel()
	for _, c := range wrongNames {
		folder := papers.Template()
		if c.paper != "template" {
			folder = papers.Folder(c.paper)
		}
		_, err := claim.ReadPaper(changed(t, folder, c.file, c.old, c.now), "here", nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.place) ||
			!strings.HasPrefix(err.Error(), "here/") {
			t.Errorf("%s, %s with %s: %v\nwant %s %s", c.paper, c.file, c.now, err, c.place, c.want)
		}
	}
}

// reading is a reading of a row in front of the figures.
func reading(other, id string) string {
	return "readings:\n  - part: a\n    own: b\n    why: c\n    others: {other: " + other + "}\n    claims: [" + id +
		"]\nfigures:"
}

// What a row needs and this program does not have is told with absent(): a note, and not a fault. A word counts if a
// system of its call takes it in one of several evaluations.
func TestAbsentIsANote(t *testing.T) {
	t.Parallel()
	for _, now := range []string{
		"absent('no run has LZ4') > 1",
		"max([v('seconds', s, 'TP', drop=0.5) for s in ['NONE', 'RFVP']]) > 0",
		"v('speedup', 'TSLC-OPT', 'TP', over='NONE', thr=8, header='fixed32') > 0",
		"v('speedup', 'RFVP', 'TP', over='NONE', drop=0.5, pred='2D') > 0",
		"v('frac_blocks_in', 'BDI', 'TP', lo=1, hi=32) > 0",
	} {
		folder := changed(t, papers.Template(), "claims.csv", "ceildiv(36, 32) == 2", now)
		p, err := claim.ReadPaper(folder, "here", nil)
		if err != nil {
			t.Errorf("%s: %v", now, err)
		} else if notes := p.Notes(); strings.Contains(now, "absent") != (len(notes) == 1) {
			t.Errorf("%s: notes %q", now, notes)
		}
	}
}
