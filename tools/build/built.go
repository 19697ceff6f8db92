package main

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
)

// builtFolder holds what this build computed of each shipped scenario, for the page: its result and its pictures.
// site/src/page/built.ts shows them until the page has a run of its own. No document has numbers of a result in its
// markup: it may be opened by a link to another scenario.
const builtFolder = "built"

// builtResult is the result of a scenario as it ships. Each side's result names the hash of its scenario and its own.
type builtResult struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Picture tells whether the output is a picture to people.
	Picture bool                          `json:"picture,omitempty"`
	Results map[string]*experiment.Result `json:"results"`
}

// withoutTerms leaves out the terms of the energy, a third of a result and 2 kB of the shell. The page has them when it has run the
// scenario itself.
func withoutTerms(r *experiment.Result) *experiment.Result {
	short, account := *r, *r.Energy
	account.Parts = slices.Clone(account.Parts)
	for i := range account.Parts {
		account.Parts[i].Terms = nil
	}
	short.Energy = &account
	return &short
}

// script is the result as a script, which a page in a sandbox and one on a disk may load too. The JSON package escapes
// < as \u003c, so the data can stand in a document.
func (p *embedPoster) script() string {
	return fmt.Sprintf("(self.burstscopeBuilt??={})[%q]=%s;\n", p.Name, p.Built)
}

// addNoise puts the interval of a scenario's speedup beside its result, so that the first paint has it.
func addNoise(root string, posters []*embedPoster) error {
	noise, err := readNoise(root)
	if err != nil {
		return err
	}
	for _, p := range posters {
		_, s, err := readScenario(filepath.Join(root, "assets", "scenarios", p.Name+".yaml"))
		if err != nil {
			return err
		}
		var built map[string]json.RawMessage
		if err := json.Unmarshal(p.Built, &built); err != nil {
			return err
		}
		if built["noise"], err = json.Marshal(noise[s.Hash()]); err != nil {
			return err
		}
		if p.Built, err = json.Marshal(built); err != nil {
			return err
		}
	}
	return nil
}

// writeBuilt writes the result of every shipped scenario.
func writeBuilt(dist string, posters []*embedPoster) error {
	for _, p := range posters {
		if err := writeFile(filepath.Join(dist, builtFolder, p.Name+".js"), []byte(p.script())); err != nil {
			return err
		}
	}
	return nil
}

// pagePictures are the pictures of a scenario that the page shows until its own run is there, for
// wide and for narrow places. Headline and numbers stand beside them.
func pagePictures(name string) [2]posterImage {
	return [2]posterImage{{path.Join(builtFolder, name+".svg"), 960, 480}, {path.Join(builtFolder, name+"-narrow.svg"), 440, 420}}
}

// writePage copies the pages of site/ and fills index.html: the rows of the result table, the result of the default
// scenario as data, and the same in words for browsers without scripts.
func writePage(root, dist string, posters []*embedPoster) error {
	if err := copyPages(root, dist); err != nil {
		return err
	}
	if err := addNoise(root, posters); err != nil {
		return err
	}
	if err := writeBuilt(dist, posters); err != nil {
		return err
	}
	index := filepath.Join(dist, "index.html")
	page, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	for _, p := range posters {
		if p.Name != defaultScenario {
			continue
		}
		_, s, err := readScenario(filepath.Join(root, "assets", "scenarios", defaultScenario+".yaml"))
		if err != nil {
			return err
		}
		filled, err := fillPage(string(page), p, s)
		if err != nil {
			return fmt.Errorf("index.html: %w", err)
		}
		return os.WriteFile(index, []byte(filled), 0o644)
	}
	return fmt.Errorf("assets/scenarios has no %s.yaml: the page starts with this scenario", defaultScenario)
}

const (
	builtMarker   = "<!--built-result-->"
	rowsMarker    = "<!--result-rows-->"
	withoutMarker = "<!--without-script-->"
	schemeMarker  = "<!--scheme-rows-->"
	schemeAMarker = "<!--scheme-a-->"
	schemeBMarker = "<!--scheme-b-->"
)

// fillPage puts the default scenario and its result into the page, each part at its marker.
func fillPage(page string, p *embedPoster, s *scenario.Scenario) (string, error) {
	rows, err := p.emptyRows()
	if err != nil {
		return "", err
	}
	a, b := s.Sides()
	for _, marker := range []struct{ mark, with string }{
		{builtMarker, `<script type="application/json" id="built">` + string(p.Built) + `</script>`},
		{rowsMarker, rows},
		{withoutMarker, p.withoutScript()},
		{schemeMarker, schemeCards(s)},
		{schemeAMarker, schemeName(a)},
		{schemeBMarker, schemeName(b)},
	} {
		if strings.Count(page, marker.mark) != 1 {
			return "", fmt.Errorf("the page must have the marker %s exactly once", marker.mark)
		}
		page = strings.Replace(page, marker.mark, marker.with, 1)
	}
	return page, nil
}

// othersRow discloses the rows of the metrics that measure the error in another way.
const othersRow = `<tr hidden><th colspan="4"><button type="button" id="others" class="plain" aria-expanded="false">by other measures</button></th></tr>` + "\n"

// emptyRows are the rows of the result table without a result. Rows in which the default scenario has no value are
// hidden, so that nothing moves when its numbers come.
func (p *embedPoster) emptyRows() (string, error) {
	var built struct {
		Results map[string]struct{ Metrics map[string]float64 }
	}
	if err := json.Unmarshal(p.Built, &built); err != nil {
		return "", err
	}
	var out strings.Builder
	for i := range metric.Table {
		m := &metric.Table[i]
		if m.Row == "" {
			continue
		}
		label := html.EscapeString(m.Row)
		if m.Term != "" {
			label = fmt.Sprintf(`<dfn data-term="%s">%s</dfn>`, html.EscapeString(m.Term), label)
		}
		hidden := " hidden"
		for _, r := range built.Results {
			if _, ok := r.Metrics[m.Name]; ok && m.Under == "" {
				hidden = ""
			}
		}
		fmt.Fprintf(&out, `<tr data-row="%s"%s><th scope="row">%s</th><td data-side="A">–</td><td data-side="B">–</td><td data-side="R"></td></tr>`+"\n", m.Name, hidden, label)
		if m.Name == "error" {
			out.WriteString(othersRow)
		}
	}
	return out.String(), nil
}

// withoutScript is the result in words, for browsers that run no scripts. It says of which scenario, version and
// hashes it is.
func (p *embedPoster) withoutScript() string {
	var out strings.Builder
	fmt.Fprintf(&out, `<p class="note">%s: a result that Burstscope %s computed when this page was built (results A %s, B %s).</p>`,
		html.EscapeString(strings.TrimSuffix(p.Title, ".")), p.Version, scenario.ShortHash(p.Hashes["A"]), scenario.ShortHash(p.Hashes["B"]))
	fmt.Fprintf(&out, "<h2>%s</h2>\n<table><tr><td></td><th>A: %s</th><th>B: %s</th><td></td></tr>\n", html.EscapeString(p.Headline), html.EscapeString(p.Names[0]), html.EscapeString(p.Names[1]))
	for _, row := range p.Rows {
		fmt.Fprintf(&out, "<tr><th>%s</th><td>%s</td><td>%s</td><td>%s</td></tr>\n", html.EscapeString(row.Name), html.EscapeString(row.A), html.EscapeString(row.B), html.EscapeString(row.Compared))
	}
	out.WriteString("</table>")
	return out.String()
}
