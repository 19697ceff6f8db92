package claims

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
	"github.com/burstscope/burstscope/tools/burstscope/chart"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// pageOptions are the flags of paper page.
type pageOptions struct {
	out, store, site string
	jobs             int
	asIs             bool // make no runs
}

// pageStyle is that of a plain page of prose. On a wide screen figures are as wide as their drawings; on a narrow one they
// scroll, so that their words stay as large as the text.
const pageStyle = `:root { color-scheme: light dark; --paper: #fff; --ink: #1d1d1f; --muted: #5d6166; --rule: #dcdcdc; --link: #0b6e99; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e8e8e8; --muted: #a0a6ac; --rule: #30363c; --link: #56b4dc; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 Georgia, "DejaVu Serif", serif; }
main { max-width: 48rem; margin: 0 auto; padding: 32px 20px 64px; }
h1 { line-height: 1.2; overflow-wrap: anywhere; } h2 { margin-top: 40px; } a { color: var(--link); }
.cited, figcaption, .hashes { color: var(--muted); font-size: 15px; }
figure { margin: 24px 0; } figure img { display: block; width: 960px; max-width: none; height: auto; background: #fff; }
@media (min-width: 1040px) { figure { margin-inline: -116px; } figcaption, details { margin-inline: 116px; } }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 15px; line-height: 1.4; }
th, td { text-align: left; vertical-align: top; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--rule); }
tbody th { font-weight: normal; }
@media (max-width: 600px) { table { font-size: 13px; } th, td { padding-right: 8px; } }
.claims tr > :first-child { white-space: nowrap; }
@media (min-width: 600px) { .claims tr > :nth-child(2) { min-width: 15rem; } .claims tr > :nth-child(n+4) { min-width: 6rem; } }
.sides { width: 100%; table-layout: fixed; overflow-wrap: anywhere; }
summary { padding: 10px 0; min-height: 44px; cursor: pointer; font-size: 15px; }
.claim { padding-left: 12px; border-left: 3px solid var(--rule); }
burst-scope { display: block; margin: 24px 0; border: 1px solid var(--rule); } burst-scope > * { margin: 12px; }
@media (min-width: 1040px) { burst-scope { margin-inline: -116px; } }
`

// paperPage is a page in the making.
type paperPage struct {
	*claim.Paper
	store    *sweep.Store
	site     string
	outcomes []*claim.Outcome
	drawings map[string]string // SVG by the name of its file
	shipped  map[string]*scenario.Scenario
}

// write makes the missing runs and writes the page.
func (o *pageOptions) write(out io.Writer, dir string) error {
	p, err := ReadPaper(dir)
	if err != nil {
		return err
	}
	page := &paperPage{Paper: p, store: sweep.OpenStore(o.store), site: o.site, drawings: map[string]string{}, shipped: map[string]*scenario.Scenario{}}
	if page.site != "" && !strings.HasSuffix(page.site, "/") {
		page.site += "/"
	}
	jobs, err := page.jobs()
	if err != nil {
		return err
	}
	var failed error
	if !o.asIs {
		runs := sweep.NewSweep(page.store)
		runs.Jobs = o.jobs
		if failed = runs.Run(jobs, io.Discard); !sweep.GoesOn(failed) {
			return failed
		}
	}
	text, err := page.render()
	if err != nil {
		return err
	}
	if err := page.store.Check(); err != nil {
		return err
	}
	if o.out == "" {
		o.out = filepath.Join(dir, "page")
	}
	for _, name := range cli.SortedKeys(page.drawings) {
		if err := disk.WriteStored(filepath.Join(o.out, name), []byte(page.drawings[name])); err != nil {
			return err
		}
	}
	index := filepath.Join(o.out, "index.html")
	if err := disk.WriteStored(index, []byte(text)); err != nil {
		return err
	}
	made := len(jobs)
	for _, j := range jobs {
		if there, _ := page.store.Has(j.Key); !there {
			made--
		}
	}
	fmt.Fprintf(out, "%s: written, from %s\n", index, cli.Counted(made, "run"))
	if made < len(jobs) {
		fmt.Fprintf(out, "%d of %d runs were not made: the values that need them are empty\n", len(jobs)-made, len(jobs))
	}
	return failed
}

// Jobs returns all runs of the page. Embeds of shipped scenarios are runs too, for readers without scripts.
func (p *paperPage) jobs() ([]*claim.Job, error) {
	jobs := paperJobs(p.Paper)
	for _, m := range claim.Mark.FindAllStringSubmatch(p.Text, -1) {
		if m[1] != "embed" || p.shipped[m[2]] != nil {
			continue
		}
		s, err := scenario.ParseMsgpack(scenarios.Packed(m[2]))
		if err != nil {
			return nil, err
		}
		p.shipped[m[2]] = s
		for _, side := range SidesOf(s) {
			jobs = append(jobs, side.Job)
		}
	}
	return sweep.Distinct(jobs), nil
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

// policy lets the page show its own drawings and, from the site of its embeds, their posters, frames and script. Nothing else runs or is
// requested, whatever the text holds. A page on a disk has no origin, so that its files need a name of their own.
func (p *paperPage) policy() string {
	script, images, frames := "'none'", "'self' file: data:", "'none'"
	if p.site != "" {
		site := "'self'"
		if strings.Contains(p.site, ":") || strings.HasPrefix(p.site, "//") {
			site = p.site
		}
		script, images, frames = site, images+" "+site, site
	}
	return fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s; img-src %s; frame-src %s; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
		html.EscapeString(script), html.EscapeString(images), html.EscapeString(frames))
}

func (p *paperPage) whole(body string) string {
	var b strings.Builder
	title := html.EscapeString(p.Title)
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n%s\n<title>%s</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n", p.policy(), title)
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
	text := fmt.Sprintf("<p class=\"claim\">%s <strong>%s</strong>", html.EscapeString(o.Statement+"."), strings.ToUpper(string(o.Verdict[:1]))+string(o.Verdict[1:]))
	var numbers []string
	if o.Measured != nil {
		numbers = append(numbers, "here "+chart.ShortNumber(o.Measured)+" "+o.Unit)
	}
	if o.Under != "" {
		numbers = append(numbers, "under "+o.Under)
	}
	if o.PaperValue != "" {
		numbers = append(numbers, "paper "+o.PaperValue+" "+o.Unit)
	}
	if o.Grade != "" {
		numbers = append(numbers, string(o.Grade))
	}
	if len(o.Missing) > 0 {
		numbers = append(numbers, "missing: "+shortList(o.Missing, "; "))
	}
	if len(numbers) > 0 {
		text += ": " + html.EscapeString(strings.Join(numbers, ", "))
	}
	return text + fmt.Sprintf(" (%s, %s)</p>", html.EscapeString(o.ID), html.EscapeString(o.Figure))
}

// Table lists all claims.
func (p *paperPage) table() string {
	rows := [][]string{{"claim", "statement", "verdict", "here", "paper", "grade"}}
	for _, o := range p.outcomes {
		here, paper := chart.ShortNumber(o.Measured), orDash(o.PaperValue)
		if o.Unit != "" {
			if o.Measured != nil {
				here += " " + o.Unit
			}
			if o.PaperValue != "" {
				paper += " " + o.Unit
			}
		}
		rows = append(rows, []string{o.ID, o.Statement, string(o.Verdict), here, paper, orDash(string(o.Grade))})
	}
	return tableHTML("claims", "Every claim: its verdict, the number here and the paper's", rows)
}

// tableHTML is a table with a name, in a box that scrolls if the screen is narrower. The first row and the first
// column are heads.
func tableHTML(class, name string, rows [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table class=\"%s\">\n", html.EscapeString(name), class)
	for i, row := range rows {
		switch i {
		case 0:
			b.WriteString("<thead>")
		case 1:
			b.WriteString("<tbody>\n")
		}
		b.WriteString("<tr>")
		for k, text := range row {
			switch {
			case i == 0:
				fmt.Fprintf(&b, "<th scope=\"col\">%s</th>", html.EscapeString(text))
			case k == 0:
				fmt.Fprintf(&b, "<th scope=\"row\">%s</th>", html.EscapeString(text))
			default:
				fmt.Fprintf(&b, "<td>%s</td>", html.EscapeString(text))
			}
		}
		b.WriteString("</tr>")
		if i == 0 {
			b.WriteString("</thead>")
		}
		b.WriteString("\n")
	}
	return b.String() + "</tbody></table></div>"
}

// figure refers to the drawing of a figure in a file beside the page: a page may have several, and each
// uses the same ids. Its values follow as tables.
func (p *paperPage) figure(d *claim.Drawing) string {
	name := strings.ToLower(d.Name) + ".svg"
	p.drawings[name] = chart.Draw(d)
	title := html.EscapeString(d.Title)
	var b strings.Builder
	fmt.Fprintf(&b, "<figure><div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s: the drawing\"><img src=\"%s\" alt=\"%[1]s: the tables below have its values\"></div>", title, name)
	fmt.Fprintf(&b, "<figcaption>%s. %s</figcaption>\n<details><summary>Values of %s</summary>\n", title, html.EscapeString(d.Notes), html.EscapeString(d.Name))
	for _, panel := range d.Panels {
		b.WriteString(panelTable(d.Name, panel) + "\n")
	}
	return b.String() + "</details></figure>"
}

// panelTable holds the values of a panel, one column for each series, with the paper's in brackets.
func panelTable(figure string, panel *claim.DrawnPanel) string {
	name := fmt.Sprintf("%s (%s)", panel.Title, panel.Unit)
	head := []string{name}
	for _, s := range panel.Series {
		head = append(head, s.Label)
	}
	rows := [][]string{head}
	for i, c := range panel.Categories {
		row := []string{c}
		for _, s := range panel.Series {
			text := chart.ShortNumber(s.Values[i])
			if s.Paper[i] != nil {
				text += " (paper " + chart.ShortNumber(s.Paper[i]) + ")"
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return tableHTML("values", figure+", "+name, rows)
}

// sides is the table of a scenario's results, one column for each side.
func (p *paperPage) sides(s *scenario.Scenario) string {
	head, hashes := []string{s.Title}, []string{"result"}
	var results []*experiment.Result
	for _, side := range SidesOf(s) {
		of := side.Job.Scenario
		head = append(head, side.name+": "+cli.DescribeMemory(&of.Memory)+of.Label())
		hash := "not made"
		r := p.store.Run(side.Job)
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
					text, any = cli.MetricText(m, v), true
				}
			}
			row = append(row, text)
		}
		if any {
			rows = append(rows, row)
		}
	}
	return tableHTML("sides", s.Title+": both sides", append(rows, hashes))
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
	return "<burst-scope scenario=" + strconv.Quote(name) + attributes + ">\n" + table + "\n<p><a href=\"" + link + "\">Open this run in the simulator</a></p>\n</burst-scope>"
}
