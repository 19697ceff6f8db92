package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// postersMarker is the place in embed.html for the list of posters.
const postersMarker = "<!--embed-posters-->"

// writeEmbed makes the embed's files on the stage: the list of posters in embed.html, and embed-page.js, which contains the simulator's markup and the list of
// scenarios as a script. Pages in a sandbox have no origin: they may load scripts from any
// host but read files only from hosts that allow it.
func writeEmbed(root, stage string, posters []*embedPoster) error {
	name := filepath.Join(stage, "embed.html")
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if strings.Count(string(page), postersMarker) != 1 {
		return fmt.Errorf("embed.html must have the marker %s exactly once", postersMarker)
	}
	type entry struct {
		Name  string `json:"name"`
		Title string `json:"title"`
		Alt   string `json:"alt"`
	}
	var known []entry
	for _, p := range posters {
		known = append(known, entry{p.Name, p.Title, p.Alt})
	}
	list, err := json.Marshal(known)
	if err != nil {
		return err
	}
	element := `<script type="application/json" id="posters">` + string(list) + `</script>`
	if err := os.WriteFile(name, []byte(strings.Replace(string(page), postersMarker, element, 1)), 0o644); err != nil {
		return err
	}
	index, err := os.ReadFile(filepath.Join(stage, "index.html"))
	if err != nil {
		return err
	}
	script, err := embedPage(string(index), filepath.Join(stage, "scenarios", "index.json"))
	if err != nil {
		return fmt.Errorf("index.html: %w", err)
	}
	if err := writeEngineScript(root, stage); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stage, "embed-page.js"), []byte(script), 0o644)
}

// writeEngineScript makes engine.wasm.js, the engine as a script; site/src/engine/worker.ts
// says when it is used.
func writeEngineScript(root, stage string) error {
	program, err := os.ReadFile(filepath.Join(stage, "engine.wasm"))
	if err != nil {
		return err
	}
	packed, err := cached(filepath.Join(root, ".cache"), "gz", program, gzipped)
	if err != nil {
		return err
	}
	script := `self.burstscopeProgram="` + base64.StdEncoding.EncodeToString(packed) + `";`
	return os.WriteFile(filepath.Join(stage, "engine.wasm.js"), []byte(script), 0o644)
}

var (
	pageBody = regexp.MustCompile(`(?s)<body>(.*)</body>`)
	// The parts that an embed leaves out: those for pages without scripts, and scripts.
	leftOut = regexp.MustCompile(`(?s)<noscript>.*?</noscript>|<script.*?</script>`)
)

// embedPage is the script with the markup of index.html.
func embedPage(index, scenarios string) (string, error) {
	found := pageBody.FindStringSubmatch(index)
	if found == nil {
		return "", errors.New("it has no body")
	}
	list, err := os.ReadFile(scenarios)
	if err != nil {
		return "", err
	}
	markup, err := json.Marshal(leftOut.ReplaceAllString(found[1], ""))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("window.burstscopeMarkup=%s;window.burstscopeShipped=%s;\n", markup, list), nil
}

// embedMarker marks the place of an embed in the companion page. It holds the scenario and
// further attributes of the element.
var embedMarker = regexp.MustCompile(`<!--embed (\w[\w-]*)(.*?)-->`)

// writeCompanion makes the sample companion page. It stands for a page of another site, so
// it names files as such pages do.
func writeCompanion(root, dist string, posters []*embedPoster) error {
	from := filepath.Join(root, "site", "companion")
	to := filepath.Join(dist, "companion")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		if filepath.Ext(e.Name()) == ".html" {
			page, err := fillCompanion(string(data), posters)
			if err != nil {
				return fmt.Errorf("%s: %w", e.Name(), err)
			}
			data = []byte(page)
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// fillCompanion puts the snippet of an embed at every marker.
func fillCompanion(page string, posters []*embedPoster) (string, error) {
	var faults []error
	page = embedMarker.ReplaceAllStringFunc(page, func(found string) string {
		part := embedMarker.FindStringSubmatch(found)
		i := slices.IndexFunc(posters, func(p *embedPoster) bool { return p.Name == part[1] })
		if i < 0 {
			faults = append(faults, fmt.Errorf("there is no scenario %s", part[1]))
			return ""
		}
		return posters[i].snippet("../", strings.TrimSpace(part[2]))
	})
	return page, errors.Join(faults...)
}

// snippet is the code that an author copies into a page; site/src/embed/dialog.ts writes
// the same.
func (p *embedPoster) snippet(home, attributes string) string {
	if attributes != "" {
		attributes = " " + attributes
	}
	return fmt.Sprintf(`<burst-scope scenario="%s"%s>
<a href="%s#v=1&amp;s=%s"><picture><source media="(max-width: 639.9px)" srcset="%s%s" width="%d" height="%d"><img src="%s%s" width="%d" height="%d" alt="%s"></picture></a>
</burst-scope>`, p.Name, attributes, home, p.Name, home, p.Narrow.File, p.Narrow.Width, p.Narrow.Height,
		home, p.Wide.File, p.Wide.Width, p.Wide.Height, escapedASCII(p.Alt))
}

// escapedASCII escapes a text for HTML, and the letters that a page without a charset reads wrongly.
func escapedASCII(text string) string {
	var b strings.Builder
	for _, c := range html.EscapeString(text) {
		if c > unicode.MaxASCII {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}
