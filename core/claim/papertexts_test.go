package claim

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/burstscope/burstscope/assets/papers"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// A geometric mean of a negative value does not exist: the bar is empty and the drawing says why. The arithmetic mean does exist.
func TestMeansOfNegativeValues(t *testing.T) {
	for mean, want := range map[string]bool{"geometric": false, "arithmetic": true} {
		v, err := authoring.ParseTree("f.yaml", []byte("{figure: SLC-99, title: t, panels: [{title: p, unit: x, points: [1, 4], axis: n, mean: "+mean+", series: [{label: s, value: \"x - 2\"}]}]}"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := ParseFigure(v, shipped("SLC"))
		if err != nil {
			t.Fatal(err)
		}
		d, _, err := NewLedger(nil, Suite).Draw(f)
		if err != nil {
			t.Fatal(err)
		}
		values := d.Panels[0].Series[0].Values
		if has := values[len(values)-1] != nil; has != want || !want && !strings.Contains(strings.Join(d.Missing, " "), "p, s: a geometric mean of -1 does not exist") {
			t.Errorf("%s: %v, missing %v", mean, values, d.Missing)
		}
	}
}

// Whatever lies in a folder, it is a paper or is refused, and nothing that its page would obey is in a paper.
func FuzzPaper(f *testing.F) {
	template := papers.Template()
	read := func(name string) string {
		b, err := fs.ReadFile(template, name)
		if err != nil {
			f.Fatal(err)
		}
		return strings.ReplaceAll(string(b), "NAME", "MINE")
	}
	head, claims, figure, text := read(paperFile), read(claimsFile), read("figures/name-1.yaml"), read(textFile)
	f.Add(head, claims, figure, text)
	f.Add(strings.Replace(head, "https:", "javascript:", 1), "\xef\xbb\xbf"+claims, figure, "<a href=data:x>")
	f.Add(head+"\ntitle: again\n", claims, figure+"\n# end", "<script>")
	f.Fuzz(func(t *testing.T, head, claims, figure, text string) {
		folder := fstest.MapFS{}
		for name, content := range map[string]string{paperFile: head, claimsFile: claims, "figures/mine-1.yaml": figure, textFile: text} {
			folder[name] = &fstest.MapFile{Data: []byte(content)}
		}
		p, err := ReadPaper(folder, "mine", func(s *scenario.Scenario, path, value string) error { return s.Set(path, value) })
		if (p == nil) == (err == nil) {
			t.Fatal(p, err)
		}
		if p == nil {
			return
		}
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(p.Link)), "javascript:") || strings.Contains(strings.ToLower(p.Text), "<script") {
			t.Errorf("%q %q", p.Link, p.Text)
		}
		seen := map[string]bool{}
		for _, c := range p.Claims {
			if seen[c.ID] || !claimID.MatchString(c.ID) {
				t.Errorf("the id %q", c.ID)
			}
			seen[c.ID] = true
		}
	})
}
