package lessons

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/lesson"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// tinyLesson is a lesson that does not ship.
const tinyLesson = `
machine: {preset: mini}
workload: {name: vecadd, size: 1024, data: grid}
memory: {codec: e2mc16, mag: 32, threshold: 8}
compare: {memory: {codec: none, mag: 32, threshold: 8}}
lesson:
  title: Tiny
  minutes: 1
  steps:
    - title: one
      text: Words.
      question: {kind: number, prompt: "How many?", answer: ceil(71 / 32)}
    - title: two
      text: Words.
      question: {kind: text, ask: observe, prompt: "Why?"}
`

// submissionOf is a file for tinyLesson; the digest is right.
func submissionOf(t *testing.T, s *scenario.Scenario, student, answer string) []byte {
	t.Helper()
	type side struct {
		Scenario string `json:"scenario"`
		Result   string `json:"result"`
	}
	var r lesson.Runner
	var done []map[string]any
	for i, text := range []string{answer, "Because."} {
		run, err := steps.Of(s, i)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Pair(run)
		if err != nil {
			t.Fatal(err)
		}
		answered, ran := 1, 2
		if i == 1 {
			answered, ran = 4, 3
		}
		done = append(done, map[string]any{"step": i + 1, "answer": text, "answered": answered, "ran": ran, "settings": map[string]string{},
			"a": side{p.A.ScenarioHash, p.A.ResultHash}, "b": side{p.B.ScenarioHash, p.B.ResultHash}})
	}
	all := map[string]any{"schema": lesson.Schema, "version": lesson.SchemaVersion, "program": experiment.Version,
		"lesson": map[string]string{"name": "tiny", "hash": s.LessonHash()}, "student": student, "steps": done, "digest": strings.Repeat("0", 64)}
	for range 2 {
		b, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		read, err := lesson.Read("made", b)
		if err != nil {
			t.Fatal(err)
		}
		if read.Digest == read.Written {
			return b
		}
		all["digest"] = read.Digest
	}
	t.Fatal("the digest does not settle")
	return nil
}

// TestGradeFolder: each entry, of any kind, has one clear row, in the order of names,
// the same in every format and in every call.
func TestGradeFolder(t *testing.T) {
	home := t.TempDir()
	own := filepath.Join(home, "tiny.yaml")
	put := func(path string, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(own, []byte(tinyLesson))
	s, err := cli.LoadScenario(own)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(home, "in")
	if err := os.MkdirAll(filepath.Join(folder, "h-folder.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	good := submissionOf(t, s, `=HYPERLINK("http://x")`, "3")
	put(filepath.Join(folder, "a.json"), good)
	put(filepath.Join(folder, "b.json"), submissionOf(t, s, "Second", "4"))
	put(filepath.Join(folder, "c.json"), []byte(strings.Replace(string(good), `"answer":"3"`, `"answer":"+3"`, 1)))
	put(filepath.Join(folder, "d.json"), []byte("{\"schema\": tru"))
	put(filepath.Join(folder, "e.json"), make([]byte, lesson.MaxBytes+1))
	put(filepath.Join(folder, "f.json"), nil)
	put(filepath.Join(folder, "g \x1b[31m.json"), []byte("[]"))
	if err := os.Symlink(own, filepath.Join(folder, "i-link.json")); err != nil {
		t.Log("no links here:", err)
	}
	status, out, errs := call("grade", folder, "--lesson", own, "--format", "csv")
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"a.json", `'=HYPERLINK("http://x")`, "tiny", experiment.Version, "ok", "1", "1", "2", "2", "right", "3", "given", "Because.", ""},
		{"b.json", "Second", "tiny", experiment.Version, "ok", "0", "1", "2", "2", "wrong", "4", "given", "Because.", ""},
		{"c.json", `'=HYPERLINK("http://x")`, "tiny", experiment.Version, "flagged", "1", "1", "2", "2", "right", "+3", "given", "Because.", "digest: the file was changed after it was written"},
		{"d.json", "", "", "", "unreadable"}, {"e.json", "", "", "", "unreadable"}, {"f.json", "", "", "", "unreadable"},
		{"g \ufffd[31m.json", "", "", "", "unreadable"}, {"h-folder.json", "", "", "", "unreadable"}, {"i-link.json", "", "", "", "unreadable"},
	}
	if len(rows) != len(want)+1 {
		t.Fatalf("%d rows: %q", len(rows), rows)
	}
	for i, w := range want {
		row := rows[i+1]
		if strings.Join(row[:len(w)], "|") != strings.Join(w, "|") || row[4] == "unreadable" && row[len(row)-1] == "" {
			t.Errorf("got  %q\nwant %q", row, w)
		}
	}
	if _, again, _ := call("grade", folder, "--lesson", own, "--format", "csv"); again != out {
		t.Error("a second call gives another table")
	}
	_, text, _ := call("grade", folder, "--lesson", own)
	if strings.Contains(text, "\x1b") || !strings.Contains(text, "9 submissions: 2 ok, 1 flagged, 6 unreadable") {
		t.Errorf("%q", text)
	}
	// Without the lecturer's file the lesson is unknown.
	if _, out, _ := call("grade", folder, "--format", "json"); !strings.Contains(out, `there is no lesson \"tiny\"`) {
		t.Errorf("%.400s", out)
	}
	// One submission is graded by its name.
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		status, one, errs := call("grade", filepath.Join(folder, e.Name()), "--lesson", own, "--format", "csv")
		if lines := strings.Split(strings.TrimSpace(one), "\n"); e.Type().IsRegular() && (status != 0 || len(lines) != 2 || !strings.HasPrefix(strings.Trim(lines[1], `"`), e.Name()[:1])) {
			t.Errorf("grade of %s: %d %q %q", e.Name(), status, one, errs)
		}
	}
	for _, args := range [][]string{{"grade"}, {"grade", filepath.Join(home, "nowhere")}, {"grade", folder, "--format", "xml"}, {"grade", folder, "--lesson", "nothing.yaml"}, {"lesson"}, {"lesson", "sing"}, {"lesson", "key"}, {"lesson", "check", "vecadd"}} {
		if status, _, errs := call(args...); status == 0 || errs == "" {
			t.Errorf("%v: status %d, %q", args, status, errs)
		}
	}
	if status, out, _ := call("lesson", "check", own); status != 0 || !strings.Contains(out, "ok, 2 steps, 1 minutes") {
		t.Errorf("%d %s", status, out)
	}
	if status, out, _ := call("lesson", "key", own); status != 0 || !strings.Contains(out, "answer: 3") {
		t.Errorf("%d %s", status, out)
	}
}

// A spreadsheet reads no cell as a formula, whatever characters stand before the first
// sign; other texts stay unchanged.
func TestCellsAreNoFormulas(t *testing.T) {
	for _, sign := range []string{"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"} {
		for _, before := range []string{"", " ", "\t", "\r\n", " \t ", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u202e", "\x00"} {
			if text := before + sign + `cmd|'/c calc'!A1`; cell(text) != "'"+text {
				t.Errorf("%q becomes %q", text, cell(text))
			}
		}
	}
	for _, text := range []string{"", "3", "+3", "-1.5", " -3 ", "-1,5", "+1e-3", "a=b", "because", "'=x", "3 - 4", "\t"} {
		if cell(text) != text {
			t.Errorf("%q becomes %q", text, cell(text))
		}
	}
	for _, text := range []string{"-inf", "+0x10", "-3+4", "\uff0d3", "+1_000"} {
		if cell(text) == text {
			t.Errorf("%q is taken for a number", text)
		}
	}
}
