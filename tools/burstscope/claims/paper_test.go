package claims

import (
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// newPaperFolder writes the template and returns its folder.
func newPaperFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mine")
	mustCall(t, "paper", "new", "MINE", "--dir", dir)
	return dir
}

// The commands of the template's README, and nothing else, lead from nothing to a page.
func TestPaperFromNothingToAPage(t *testing.T) {
	t.Parallel()
	dir := newPaperFolder(t)
	readme := clitest.ReadText(t, dir, "README.md")
	commands := regexp.MustCompile(`(?m)^burstscope (.*?)(?:  +#.*)?$`).FindAllStringSubmatch(readme, -1)
	if len(commands) != 3 || commands[0][1] != "paper new MINE" {
		t.Fatalf("the README lists %q", commands)
	}
	if out := mustCall(t, strings.Fields(commands[1][1])...); !strings.HasSuffix(out, "MINE has 3 claims, 1 figure and 1 scenario; they need 9 runs\n") {
		t.Error(out)
	}
	store := t.TempDir()
	page := append(strings.Fields(commands[2][1]), "--store", store)
	mustCall(t, page...)
	index := clitest.ReadText(t, dir, "page", "index.html")
	for _, want := range []string{
		"<h1>The paper&#39;s title</h1>",
		"The scheme makes the programs of the set faster. <strong>Holds</strong>: here 1.0",
		"paper 1.05 x, within 2x (MINE-02, Fig. 1)",
		`<img src="mine-1.svg"`, `<th scope="row">MINE-01</th>`, "<td>1.032 (paper 1.05)</td>",
		"<td>1.032 x</td><td>1.05 x</td><td>within 2x</td>", "<td>arithmetic only</td>", "tslc-opt on e2mc16",
	} {
		if !strings.Contains(index, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	x := xml.NewDecoder(strings.NewReader(clitest.ReadText(t, dir, "page", "mine-1.svg")))
	var err error
	for err == nil {
		_, err = x.Token()
	}
	if !errors.Is(err, io.EOF) || strings.Contains(index, "<!--") {
		t.Errorf("a drawing or a mark is broken: %v", err)
	}
	// A side of the page is the run of the command line.
	result := regexp.MustCompile(`result ([0-9a-f]{12})`).FindStringSubmatch(mustCall(t, "run", "tp"))
	if result == nil || !strings.Contains(index, "<td>"+result[1]+"</td>") {
		t.Errorf("the page lacks the result %v of tp", result)
	}
	// From the same store the same bytes; with a site the embed runs there.
	mustCall(t, page...)
	if again := clitest.ReadText(t, dir, "page", "index.html"); again != index {
		t.Error("a second page has other bytes")
	}
	mustCall(t, append(page, "--site", "https://example.org/b", "--out", filepath.Join(dir, "live"))...)
	live := clitest.ReadText(t, dir, "live", "index.html")
	if !strings.Contains(live, `<script src="https://example.org/b/burst-scope.js" defer></script>`) || !strings.Contains(live, `<burst-scope scenario="tp" knobs="B.memory.threshold">`) {
		t.Error("the page has no embed")
	}
	// Only the site's script runs.
	for text, want := range map[string]string{index: "default-src 'none'; script-src 'none';", live: "default-src 'none'; script-src https://example.org/b/;"} {
		if !strings.Contains(html.UnescapeString(text), want) {
			t.Errorf("the page has no policy with %s", want)
		}
	}
	for _, site := range []string{"javascript:alert(1)//", "https://example.org/;script-src *", "data:text/html,x"} {
		if status, _, errs := call(append(page, "--site", site)...); status != cli.ExitUsage || !strings.Contains(errs, "--site") {
			t.Errorf("--site %s: status %d, %s", site, status, errs)
		}
	}
}

// A wrong folder is refused with the file, the line and what is wrong.
func TestPaperFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, old, new, want string }{
		{"claims.csv", "gm('speedup', 'NAMESCHEME'", "gm('speedup' 'NAMESCHEME'", "claims.csv:3: MINE-02: MINE-02:1:26: got string literal"},
		{"claims.csv", "gm('speedup'", "gmm('speedup'", "claims.csv:3: the predicate of MINE-02 is wrong: MINE-02:1:1: undefined: gmm"},
		{"claims.csv", "NAMESET, over", "OTHERSET, over", "claims.csv:3: the predicate of MINE-02 is wrong: MINE-02:1:29: undefined: OTHERSET"},
		{"claims.csv", "ceildiv(36, 32)", "ceildiv(36)", "claims.csv:2: the predicate of MINE-01 is wrong: "},
		{"claims.csv", "ceildiv(36, 32) == 2", "open('x')", "claims.csv:2: the predicate of MINE-01 is wrong: "},
		{"claims.csv", "NAME-03,NAME", "NAME-02,NAME", `claims.csv:4: "MINE-02" appears twice`},
		{"claims.csv", "NAME-01,NAME,T1", "NAME-01,SLC,T1", `claims.csv:2: unknown paper "SLC"`},
		{"claims.csv", "id,paper", "name,paper", "claims.csv: the table of claims has the wrong columns"},
		{"claims.csv", "1.05,x", "about 1,x", `claims.csv:3: MINE-02 has the paper's value "about 1", which is not a number`},
		{"claims.csv", "1.05,x", "1e999,x", "claims.csv:3: MINE-02 has the paper's value"},
		{"claims.csv", "> 1\",,,", "> 1\",,,never", `claims.csv:3: MINE-02 has the inputs "never"`},
		{"paper.yaml", "venue:", "title:", `paper.yaml:5:8: the key "title" is given twice`},
		{"paper.yaml", "link: https:", "link: javascript:", `paper.yaml:6:7: the address "javascript://example.org/paper" may do more than open a page`},
		{"paper.yaml", "link: https://example.org/paper", "link: \" JaVa\\tScript:alert(1)\"", `has characters that no address has`},
		{"paper.yaml", "link: https:", "link: DATA:", `may do more than open a page`},
		{"paper.yaml", "memory.codec: bdi", "memory.codec: bdi, memory.codec: fpc", `the key "memory.codec" is given twice, first at`},
		{"paper.yaml", "sets:", "sets:\n  NAMESET: [TP]", `the key "MINESET" is given twice, first at`},
		{"paper.yaml", "[NAME-1]", "[NAME-1, NAME-1]", `the figure "MINE-1" is listed twice`},
		{"figures/mine-1.yaml", "paper: {", "paper: {TP: \"1\", TP: \"2\", ", `the key "TP" is given twice, first at`},
		{"figures/mine-1.yaml", "\"1.05\"", "\"NaN\"", "this must be a number in quotes"},
		{"claims.csv", "ceildiv(36, 32) == 2", "'ceildiv'", "claims.csv:2: the predicate of MINE-01 is wrong: it compares nothing"},
		{"claims.csv", "ceildiv(36, 32) == 2", "None", "claims.csv:2: the predicate of MINE-01 is wrong: it compares nothing"},
		{"claims.csv", "ceildiv(36, 32) == 2", "True", "claims.csv:2: the predicate of MINE-01 is wrong: it compares nothing"},
		{"claims.csv", "ceildiv(36, 32) == 2", "[1 < 2]", "the check gives a value of type list, not true or false"},
		{"claims.csv", "ceildiv(36, 32) == 2", "float('nan') == float('nan')", "float: nan is not a finite number"},
		{"claims.csv", "ceildiv(36, 32) == 2", "1e308 - -1e308 > 0", "the result is infinite"},
		{"claims.csv", "ceildiv(36, 32) == 2", "1e300 / 1e-300 > 0", "the result is infinite"},
		{"claims.csv", "ceildiv(36, 32) == 2", "pow(-1, 0.5) != 0", "is not a finite number"},
		{"claims.csv", "ceildiv(36, 32) == 2", "1 \x00< 2", "claims.csv:2: the character U+0000 is invisible"},
		{"claims.csv", "NAME-01,NAME,T1", "NAME-<b>01</b>,NAME,T1", "is not an id of MINE"},
		{"claims.csv", "NAME-01,NAME,T1", "NAME-0\u202e1,NAME,T1", "claims.csv:2: the character U+202E is invisible"},
		{"claims.csv", "NAME-01,NAME,T1", "NAME-" + strings.Repeat("1", 100_000) + ",NAME,T1", "is not an id of MINE"},
		{"claims.csv", "NAME-01,NAME,T1,", "NAME-01,NAME,T1," + strings.Repeat("k", 100_000), "claims.csv:2: MINE-01: kind: 10000"},
		{"claims.csv", "id,paper", "\xff\xfei\x00d\x00", "claims.csv: the text is UTF-16"},
		{"claims.csv", "id,paper", "i\x00d\x00,\x00", "claims.csv: the text is UTF-16"},
		{"claims.csv", "NAME-01,NAME,T1,", "NAME-01,NAME,T1,\xb5", "claims.csv:2: the byte 0xb5 is not UTF-8"},
		{"text.html", "<!--claims-->", "<script>x</script>", `text.html:16: the element <script> does nothing in the page of a paper`},
		{"text.html", "<!--claims-->", "<p\n  OnClick = x>", `the attribute onclick does nothing in the page of a paper`},
		{"text.html", "<!--claims-->", "<a href='java&#115;cript:alert(1)'>x</a>", `text.html:16: the address "javascript:alert(1)" may do more`},
		{"text.html", "<!--claims-->", "<a HREF=\"vbscript:x\">x</a>", `may do more`},
		{"text.html", "<!--claims-->", "<iframe src=https://example.org></iframe>", `the element <iframe> does nothing`},
		{"paper.yaml", "gtx580b", "gtx999", `paper.yaml:9:10: unknown machine "gtx999"`},
		{"paper.yaml", "size: 256", "size: 257", "paper.yaml:13:14: TP has no size of the number 257"},
		{"paper.yaml", "memory.codec: bdi", "memory.codec: zip", `unknown codec "zip"`},
		{"paper.yaml", "memory.codec: bdi", "memory.codec: none.wasm", "none.wasm"},
		{"paper.yaml", "NAMESCHEME:", "BDI:", `paper.yaml:23:8: a system cannot be called "BDI"`},
		{"paper.yaml", "NAMESET:", "sum:", `a set cannot be called "sum"`},
		{"paper.yaml", "[NAME-1]", "[NAME-2]", "figures/mine-2.yaml: the file is missing"},
		{"paper.yaml", "[NAME-1]", "[]", "figures/mine-1.yaml: paper.yaml does not list this figure"},
		{"paper.yaml", "title:", "titel:", `paper.yaml:3:8: unknown key "titel"`},
		{"figures/mine-1.yaml", "w, over='NONE')\", paper", "q, over='NONE')\", paper", "figure MINE-1, Speedup: value:1:28: undefined: q"},
		{"figures/mine-1.yaml", "set: NAMESET", "set: OTHERSET", `unknown set "OTHERSET": use one of`},
		{"scenarios/first.yaml", "codec: bdi", "codec: zip", "scenarios/first.yaml:5:"},
		{"text.html", "claim NAME-02", "claim NAME-09", `text.html:3: this folder has no claim "MINE-09"`},
		{"text.html", "<!--claims-->", "<!--claimz-->", `text.html:16: "<!--claimz" begins no mark`},
		{"text.html", "<!--claims-->", "<!--claims", `text.html:16: "<!--claims" begins no mark`},
		{"text.html", "embed tp", "embed nothing", `text.html:13: there is no shipped scenario "nothing"`},
		{"text.html", "run first", "run second", `text.html:11: this folder has no run "second"`},
	} {
		dir := newPaperFolder(t)
		file := filepath.Join(dir, filepath.FromSlash(c.file))
		mine := func(text string) string { return strings.ReplaceAll(text, "NAME", "MINE") }
		text := clitest.ReadText(t, file)
		if !strings.Contains(text, mine(c.old)) {
			t.Fatalf("%s has no %q", c.file, mine(c.old))
		}
		if err := os.WriteFile(file, []byte(strings.Replace(text, mine(c.old), mine(c.new), 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		status, out, errs := call("paper", "check", dir)
		if c.file != "text.html" && strings.Contains(errs, "this folder has no") {
			t.Errorf("%s with %q: a fault of another file counts as one of the text\n%s", c.file, c.new, errs)
		}
		if status != cli.ExitFault || out != "" || !strings.Contains(errs, c.want) || !strings.HasPrefix(errs, filepath.ToSlash(dir)+"/") {
			t.Errorf("%s with %q: status %d\n%s%swant %s", c.file, c.new, status, out, errs, c.want)
		}
	}
}

// A byte order mark before a file changes nothing.
func TestPaperWithByteOrderMarks(t *testing.T) {
	t.Parallel()
	dir := newPaperFolder(t)
	want := mustCall(t, "paper", "check", dir)
	for _, name := range []string{"claims.csv", "paper.yaml", "text.html", "figures/mine-1.yaml", "scenarios/first.yaml"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(file, []byte("\xef\xbb\xbf"+clitest.ReadText(t, file)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := mustCall(t, "paper", "check", dir); got != want {
		t.Errorf("%s, without the marks %s", got, want)
	}
}

// What a paper states and nothing here measures is a note, not a fault.
func TestPaperNotes(t *testing.T) {
	t.Parallel()
	dir := newPaperFolder(t)
	file := filepath.Join(dir, "claims.csv")
	with := func(old, now string) {
		text := strings.Replace(clitest.ReadText(t, file), old, now, 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	with("v('cr_raw', 'BDI', 'TP')", "absent('LZ4 does not exist here')")
	if out := mustCall(t, "paper", "check", dir); !strings.Contains(out, "claims.csv:4: MINE-03 cannot be measured: LZ4 does not exist here\n") {
		t.Error(out)
	}
	with("absent('LZ4 does not exist here')", "v('cr_raw', 'LZ4', 'TP')")
	if status, out, errs := call("paper", "check", dir); status != cli.ExitFault || out != "" || !strings.Contains(errs, `unknown system "LZ4"`) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	with("'LZ4'", "'BDI'")
	for _, args := range [][]string{{"new", "MINE", "--dir", dir}, {"new", "a paper"}, {"check", "nowhere"}, {"check", file}, {"check"}, {"page", dir, "--jobs", "0"}, {"read", dir}} {
		if status, out, errs := call(append([]string{"paper"}, args...)...); status == 0 || out != "" || errs == "" {
			t.Errorf("%v: status %d, %q", args, status, out)
		}
	}
}

// A scheme may be a codec of one's own, a module in the folder.
func TestPaperTakesAModule(t *testing.T) {
	t.Parallel()
	dir := newPaperFolder(t)
	module := clitest.ReadText(t, "..", "..", "plugin", "testdata", "bdi.wasm")
	if err := os.WriteFile(filepath.Join(dir, "mine.wasm"), []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "paper.yaml")
	if err := os.WriteFile(file, []byte(strings.Replace(clitest.ReadText(t, file), "memory.codec: bdi", "memory.codec: mine.wasm", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(dir, "claims.csv")
	row := "MINE-04,MINE,T1,number,Fig. 2,The ratios are BDI's,ratio,-,-,TP,,x,\"v('cr_mag', 'MINESCHEME', 'TP') / v('cr_mag', 'BDI', 'TP') > 0.99\",,,\n"
	shares := "MINE-05,MINE,T2,number,Fig. 2,No block is at a multiple of MAG,share,-,-,TP,,%,\"v('frac_blocks_1_16_above_mag', 'MINESCHEME', 'TP') < 1\",,,\n"
	if err := os.WriteFile(table, []byte(clitest.ReadText(t, table)+row+shares), 0o600); err != nil {
		t.Fatal(err)
	}
	mustCall(t, "paper", "page", dir, "--store", t.TempDir())
	// The module is BDI.
	index := clitest.ReadText(t, dir, "page", "index.html")
	for _, want := range []string{"<strong>Holds</strong>: here 1.032 x", "<td>The ratios are BDI&#39;s</td><td>holds</td>", "is at a multiple of MAG</td><td>not yet measured</td>"} {
		if !strings.Contains(index, want) {
			t.Errorf("the page lacks %s\n%s", want, index)
		}
	}
	if out := mustCall(t, "paper", "check", dir); !strings.Contains(out, "claims.csv:6: MINE-05 cannot be measured: metric frac_blocks_1_16_above_mag is not measured for a codec that is a module") {
		t.Error(out)
	}
}
