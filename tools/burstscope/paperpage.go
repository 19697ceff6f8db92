package main

import (
	"fmt"
	"html"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/assets/scenarios"
	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
)

// pageOptions are the flags of paper page.
type pageOptions struct {
	out, store, site string
	jobs             int
	asIs             bool // make no runs
}

// pageStyle is that of a plain page of prose.
const pageStyle = `:root { color-scheme: light dark; --paper: #fff; --ink: #1d1d1f; --muted: #5d6166; --rule: #dcdcdc; --link: #0b6e99; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e8e8e8; --muted: #a0a6ac; --rule: #30363c; --link: #56b4dc; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 Georgia, "DejaVu Serif", serif; }
main { max-width: 46rem; margin: 0 auto; padding: 32px 20px 64px; }
h1 { line-height: 1.2; } a { color: var(--link); }
.cited, figcaption, .hashes { color: var(--muted); font-size: 15px; }
figure { margin: 24px 0; } figure img { max-width: 100%; height: auto; background: #fff; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 15px; }
th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--rule); }
.claim { padding-left: 12px; border-left: 3px solid var(--rule); }
burst-scope { display: block; margin: 24px 0; border: 1px solid var(--rule); }
`

// paperPage is a page in the making.
type paperPage struct {
	*claim.Paper
	store    *store
	site     string
	outcomes []*claim.Outcome
	drawings map[string]string // SVG by the name of its file
	shipped  map[string]*scenario.Scenario
}

// write makes the missing runs and writes the page.
func (o *pageOptions) write(out io.Writer, dir string) error {
	p, err := readPaper(dir)
	if err != nil {
		return err
	}
	page := &paperPage{Paper: p, store: openStore(o.store), site: o.site, drawings: map[string]string{}, shipped: map[string]*scenario.Scenario{}}
	if page.site != "" && !strings.HasSuffix(page.site, "/") {
		page.site += "/"
	}
	jobs, err := page.jobs()
	if err != nil {
		return err
	}
	if !o.asIs {
		sweep := newSweep(page.store)
		sweep.jobs = o.jobs
		if err := sweep.run(jobs, io.Discard); err != nil {
			return err
		}
	}
	text, err := page.render()
	if err != nil {
		return err
	}
	if err := page.store.check(); err != nil {
		return err
	}
	if o.out == "" {
		o.out = filepath.Join(dir, "page")
	}
	for _, name := range sortedKeys(page.drawings) {
		if err := writeStored(filepath.Join(o.out, name), []byte(page.drawings[name])); err != nil {
			return err
		}
	}
	index := filepath.Join(o.out, "index.html")
	if err := writeStored(index, []byte(text)); err != nil {
		return err
	}
	made := len(jobs)
	for _, j := range jobs {
		if there, _ := page.store.has(j.Key); !there {
			made--
		}
	}
	fmt.Fprintf(out, "%s: written, from %s\n", index, counted(made, "run"))
	if made < len(jobs) {
		fmt.Fprintf(out, "%d of %d runs were not made: the values that need them are empty\n", len(jobs)-made, len(jobs))
	}
	return nil
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// jobs returns all runs of the page. Embeds of shipped scenarios are runs too, for readers without scripts.
func (p *paperPage) jobs() ([]*claim.Job, error) {
	jobs := paperJobs(p.Paper)
	for _, m := range claim.Mark.FindAllStringSubmatch(p.Text, -1) {
		if m[1] != "embed" || p.shipped[m[2]] != nil {
			continue
		}
		packed := scenarios.Packed(m[2])
		if packed == nil {
			return nil, fmt.Errorf("text.html: there is no shipped scenario %s to embed: name one of %s, or use <!--run %s-->", m[2], strings.Join(scenarios.Names(), ", "), m[2])
		}
		s, err := scenario.ParseMsgpack(packed)
		if err != nil {
			return nil, err
		}
		p.shipped[m[2]] = s
		for _, side := range sidesOf(s) {
			jobs = append(jobs, side.job)
		}
	}
	return distinct(jobs), nil
}

// render returns the page, and keeps its drawings.
func (p *paperPage) render() (string, error) {
	ledger := p.Ledger(p.store)
	for _, c := range p.Claims {
		o, err := ledger.Evaluate(c)
		if err != nil {
			return "", err
		}
		p.outcomes = append(p.outcomes, o)
	}
	figures := map[string]*claim.Drawing{}
	for _, f := range p.Figures {
		d, _, err := ledger.Draw(f)
		if err != nil {
			return "", err
		}
		figures[f.Name] = d
	}
	body := claim.Mark.ReplaceAllStringFunc(p.Text, func(mark string) string {
		m := claim.Mark.FindStringSubmatch(mark)
		switch m[1] {
		case "claims":
			return p.table()
		case "claim":
			i := slices.IndexFunc(p.outcomes, func(o *claim.Outcome) bool { return o.ID == m[2] })
			return claimText(p.outcomes[i])
		case "figure":
			return p.figure(figures[m[2]])
		case "run":
			i := slices.IndexFunc(p.Scenarios, func(s claim.PaperScenario) bool { return s.Name == m[2] })
			return p.sides(p.Scenarios[i].Scenario)
		}
		return p.embed(m[2], strings.TrimSpace(m[3]))
	})
	return p.whole(body), nil
}

func (p *paperPage) whole(body string) string {
	var b strings.Builder
	title := html.EscapeString(p.Title)
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", title)
	if p.site != "" {
		fmt.Fprintf(&b, "<script src=\"%sburst-scope.js\" defer></script>\n", html.EscapeString(p.site))
	}
	fmt.Fprintf(&b, "<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n", pageStyle, title)
	var cited []string
	for _, part := range []string{p.Authors, p.Venue} {
		if part != "" {
			cited = append(cited, html.EscapeString(part))
		}
	}
	if p.Link != "" {
		cited = append(cited, fmt.Sprintf(`<a href="%s">%[1]s</a>`, html.EscapeString(p.Link)))
	}
	if len(cited) > 0 {
		fmt.Fprintf(&b, "<p class=\"cited\">About: %s</p>\n", strings.Join(cited, ". "))
	}
	fmt.Fprintf(&b, "%s\n<p class=\"hashes\">Drawings, tables of runs and numbers under “here” are from Burstscope %s; numbers under “paper” are the paper's.</p>\n</main>\n</body>\n</html>\n", strings.TrimSpace(body), experiment.Version)
	return b.String()
}

// claimText is a claim as a paragraph.
func claimText(o *claim.Outcome) string {
	text := fmt.Sprintf("<p class=\"claim\">%s <strong>%s</strong>", html.EscapeString(o.Statement+"."), o.Verdict)
	if o.Measured != nil {
		text += fmt.Sprintf(", here %s %s", shortNumber(o.Measured), html.EscapeString(o.Unit))
	}
	if o.PaperValue != "" {
		text += fmt.Sprintf(", paper %s %s", html.EscapeString(o.PaperValue), html.EscapeString(o.Unit))
	}
	if len(o.Missing) > 0 {
		text += "; missing: " + html.EscapeString(shortList(o.Missing, "; "))
	}
	return text + fmt.Sprintf(" (%s, %s)</p>", html.EscapeString(o.ID), html.EscapeString(o.Figure))
}

// table lists all claims.
func (p *paperPage) table() string {
	rows := [][]string{{"claim", "statement", "verdict", "here", "paper", "unit"}}
	for _, o := range p.outcomes {
		rows = append(rows, []string{o.ID, o.Statement, string(o.Verdict), shortNumber(o.Measured), orDash(o.PaperValue), orDash(o.Unit)})
	}
	return tableHTML(rows)
}

func tableHTML(rows [][]string) string {
	var b strings.Builder
	b.WriteString("<div class=\"wide\"><table>\n")
	for i, row := range rows {
		cell := "td"
		if i == 0 {
			cell = "th"
		}
		b.WriteString("<tr>")
		for _, text := range row {
			fmt.Fprintf(&b, "<%s>%s</%[1]s>", cell, html.EscapeString(text))
		}
		b.WriteString("</tr>\n")
	}
	return b.String() + "</table></div>"
}

// figure refers to the drawing of a figure in a file beside the page: a page may have several, and each
// uses the same ids.
func (p *paperPage) figure(d *claim.Drawing) string {
	name := strings.ToLower(d.Name) + ".svg"
	p.drawings[name] = drawSVG(d)
	return fmt.Sprintf("<figure><img src=\"%s\" alt=\"%s: the values are in the description of the drawing\"><figcaption>%s. %s</figcaption></figure>",
		name, html.EscapeString(d.Title), html.EscapeString(d.Title), html.EscapeString(d.Notes))
}

// sides is the table of a scenario's results, one column for each side.
func (p *paperPage) sides(s *scenario.Scenario) string {
	head, hashes := []string{s.Title}, []string{"result"}
	var results []*experiment.Result
	for _, side := range sidesOf(s) {
		head = append(head, side.name+": "+describeMemory(&side.job.Scenario.Memory))
		hash := "not made"
		r := p.store.Run(side.job)
		if r != nil {
			hash = scenario.ShortHash(r.ResultHash)
		}
		results, hashes = append(results, r), append(hashes, hash)
	}
	rows := [][]string{head}
	for i := range metric.Table {
		m := &metric.Table[i]
		if !m.Poster {
			continue
		}
		row, any := []string{m.Title}, false
		for _, r := range results {
			text := "-"
			if r != nil {
				if v, ok := r.Value(m.Name); ok {
					text, any = metricText(m, v), true
				}
			}
			row = append(row, text)
		}
		if any {
			rows = append(rows, row)
		}
	}
	return tableHTML(append(rows, hashes))
}

// embed is a shipped scenario that runs in the page, around its table.
func (p *paperPage) embed(name, attributes string) string {
	table := p.sides(p.shipped[name])
	if p.site == "" {
		return table
	}
	if attributes != "" {
		attributes = " " + attributes
	}
	link := html.EscapeString(p.site + "#v=1&s=" + name)
	return "<burst-scope scenario=" + strconv.Quote(name) + attributes + ">\n" + table + "\n<a href=\"" + link + "\">Open this run in the simulator</a>\n</burst-scope>"
}
