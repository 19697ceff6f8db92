package claim

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"go.starlark.net/starlark"
)

// Paper is a folder: what a paper states, as claims, figures and scenarios, and a text about it.
// assets/papers/README.md describes the files.
type Paper struct {
	Name      string    `key:"paper"` // ids of claims and names of figures begin with it
	Title     string    `key:"title"`
	Authors   string    `key:"authors"`
	Venue     string    `key:"venue"`
	Link      string    `key:"link"`
	Machine   string    `key:"machine"` // the preset of the runs; "": the reading's
	Sets      []Set     `key:"sets"`
	Programs  []Program `key:"programs"`
	Systems   []System  `key:"systems"`
	Claims    []Claim
	Figures   []*Figure
	Scenarios []PaperScenario
	Text      string // HTML with marks

	// What a paper may leave open, and a shipped one says.
	words     pairs        `key:"reading"` // of reading
	reading   Reading      // sizes and inputs of its rows, where the reading leaves them open
	suite     bool         `key:"inputs,suite"`     // programs run on the data of their suites
	loss      bool         `key:"errors,loss"`      // err is the loss by the paper's own metric
	unbound   bool         `key:"notBound,unasked"` // its rows do not name programs that are not bound by memory
	remark    string       `key:"remark"`           // on rows that runs decide
	noise     []string     `key:"noise"`            // rows whose intervals are measured
	open      []*openPart  `key:"readings"`         // what the text leaves open
	lists     []list       `key:"lists"`
	keywords  []keyword    `key:"settings"`
	metrics   []definition `key:"metrics"`
	constants []definition `key:"constants"`
	functions []definition `key:"words"`
	absent    []definition `key:"absent"` // functions that cannot be computed, and why
	tests     []test       `key:"tests"`
	listed    []string     `key:"figures"` // in figureFolder
	remarks

	setter Setter
	folder fs.FS
	dir    string // its name in messages
	lines  map[string]int
	faults []error
}

// PaperScenario is a scenario of a folder.
type PaperScenario struct {
	Name     string
	Scenario *scenario.Scenario
}

// Setter changes a setting of a scenario. The command line's also reads modules of codecs.
type Setter func(s *scenario.Scenario, path, value string) error

// The files of a folder.
const (
	paperFile     = "paper.yaml"
	claimsFile    = "claims.csv"
	textFile      = "text.html"
	remarksFile   = "analyses.yaml"
	figureFolder  = "figures"
	scenarioPlace = "scenarios"
)

// ReadPaper reads a folder; dir is its name in messages. The error has a line for each fault.
func ReadPaper(folder fs.FS, dir string, setter Setter) (*Paper, error) {
	p := &Paper{setter: setter, folder: folder, dir: dir, lines: map[string]int{}}
	p.readHead()
	if p.Name != "" { // without it, every row would be wrong
		p.checkNames()
		p.readRemarks()
		p.readScenarios()
		p.readFigures()
		p.readClaims()
	}
	if p.Name != "" && len(p.faults) == 0 { // its marks name what the other files hold
		p.readText()
	}
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults...)
	}
	return p, nil
}

func (p *Paper) place(name string) string { return path.Join(p.dir, name) }

func (p *Paper) fault(where, format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
}

// read returns a file, or nil with a fault.
func (p *Paper) read(name string) []byte {
	var b []byte
	info, err := fs.Stat(p.folder, name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // a pipe would wait for its writer
		err = errors.New("it is a folder, a pipe or a device, and not a file")
	case info.Size() <= maxTableBytes:
		b, err = fs.ReadFile(p.folder, name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.fault(p.place(name), "the file is missing: burstscope paper new writes one of each kind")
	case err != nil:
		p.fault(p.place(name), "the file cannot be read: %v", err)
	case max(info.Size(), int64(len(b))) > maxTableBytes:
		p.fault(p.place(name), "the file has %d bytes; at most %d are read: shorten it", info.Size(), maxTableBytes)
	default:
		if b, err = fault.Strict(p.place(name), b); err == nil {
			return b
		}
		p.faults = append(p.faults, err)
	}
	return nil
}

// tree returns the tree of a YAML file, or nil with a fault.
func (p *Paper) tree(name string) *scenario.Value {
	b := p.read(name)
	if b == nil {
		return nil
	}
	v, err := authoring.ParseTree(p.place(name), b)
	if err != nil {
		p.faults = append(p.faults, err)
		return nil
	}
	return v
}

var (
	paperName = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,15}$`)
	setName   = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,31}$`) // a word of predicates
	ownName   = regexp.MustCompile(`^[A-Z][A-Z0-9-]{0,31}$`)
)

// readHead reads paper.yaml.
func (p *Paper) readHead() {
	if v := p.tree(paperFile); v != nil {
		r := &reader{}
		r.read(v, p)
		p.faults = append(p.faults, r.faults...)
	}
}

func (p *Paper) check(r *reader, v *scenario.Value) {
	if what := fault.Link(p.Link); p.Link != "" && what != "" {
		r.fault(under(v, "link"), what)
	}
	if p.Machine != "" && !slices.Contains(preset.Names(), p.Machine) {
		r.fault(under(v, "machine"), "unknown machine "+fault.Quote(p.Machine)+": "+nearest(p.Machine, preset.Names()))
	}
	for i, word := range p.words {
		if err := p.reading.Set(word[0], word[1]); err != nil {
			r.fault(&under(v, "reading").Items[i], err.Error())
		}
	}
	for i, name := range p.listed {
		if slices.ContainsFunc(p.listed[:i], func(other string) bool { return strings.EqualFold(other, name) }) {
			r.fault(&under(v, "figures").Items[i], "the figure "+fault.Quote(name)+" is listed twice: remove one of them")
		}
		p.Figures = append(p.Figures, &Figure{Name: name})
	}
	for _, part := range p.open {
		part.paper = p
	}
	p.checkSets(r, under(v, "sets"))
	p.checkPaths(r, v)
	for _, d := range slices.Concat(p.metrics, p.functions, p.constants) {
		if _, err := predicate.Read(d.name, d.text); err != nil {
			r.faults = append(r.faults, fmt.Errorf("%s: %w. Correct the line", d.where, err))
		}
	}
	if len(r.faults) == 0 && (p.Name == "" || p.Title == "") {
		r.fault(v, "a paper needs the keys paper and title")
	}
	if p.Name != "" && !paperName.MatchString(p.Name) {
		r.fault(under(v, "paper"), "the name of a paper has 2 to 16 capital letters and digits, such as MINE")
		p.Name = ""
	}
}

// checkSets puts the programs of earlier sets in the place of their names.
func (p *Paper) checkSets(r *reader, v *scenario.Value) {
	for i := range p.Sets {
		set := &p.Sets[i]
		listed := set.Programs
		set.Programs = nil
		for k, id := range listed {
			if slices.Contains(listed[:k], id) {
				r.fault(&v.Items[i].Items[k], fmt.Sprintf("the program %s is in the set %s twice: remove one of them",
					fault.Quote(id), fault.Quote(set.Name)))
			}
			if of := slices.IndexFunc(p.Sets[:i], func(s Set) bool { return s.Name == id }); of >= 0 {
				set.Programs = append(set.Programs, p.Sets[of].Programs...)
			} else if what := p.noProgram(id); id != "" && what != "" {
				r.fault(&v.Items[i].Items[k], what)
			} else if id != "" {
				set.Programs = append(set.Programs, id)
			}
		}
	}
}

// checkNames finds names that are no words, or that have a meaning in predicates.
func (p *Paper) checkNames() {
	taken := (&session{Ledger: Reading{}.Ledger(nil)}).names()
	head := shipped(p.Name)
	for _, s := range p.Sets {
		_, there := taken[s.Name]
		mine := head != nil && slices.ContainsFunc(head.Sets, func(own Set) bool { return own.Name == s.Name })
		if there && !mine || !setName.MatchString(s.Name) {
			p.fault(s.where, "a set cannot be called %s: use another word of capital letters and digits", fault.Quote(s.Name))
		}
	}
	for i := range p.Systems {
		y := &p.Systems[i]
		known := systemOf(y.Name) != nil && head.system(y.Name) == nil
		if known || !ownName.MatchString(y.Name) {
			p.fault(y.where, "a system cannot be called %s: use another word of capital letters, digits and -. Correct the line", fault.Quote(y.Name))
		}
		if err := y.check(p); err != nil {
			p.fault(y.where, "system %s: %v. Correct the line", y.Name, err)
		}
	}
	for _, part := range p.open {
		part.checkSets()
	}
	p.checkWords()
	if head == nil {
		p.checkOwn(taken)
	}
}

// checkOwn finds what only the papers in assets/papers can say, and words that have a meaning already.
func (p *Paper) checkOwn(taken starlark.StringDict) {
	file := p.place(paperFile)
	special := p.reading != Reading{} || p.suite || p.loss || p.unbound || p.remark != "" || len(p.keywords) > 0
	for i := range p.Systems {
		y := &p.Systems[i]
		special = special || y.programs != nil || y.with != nil || y.others != "" || y.search != nil
	}
	for _, one := range p.Programs {
		special = special || one.Study != 0 || one.Claim != 0 || one.Natural != "" || one.Calibrated != ""
	}
	if special {
		p.fault(file, "only a paper in assets/papers can have reading, inputs, errors, notBound, remark, settings, "+
			"programs or searches of systems, and study, claim, natural or calibrated of programs: remove them")
	}
	var names []string
	for _, l := range p.lists {
		names = append(names, l.name)
	}
	for _, d := range slices.Concat(p.functions, p.absent) {
		names = append(names, d.name)
	}
	for _, name := range names {
		if taken[name] != nil {
			p.fault(file, "a word cannot be called %s, which has a meaning: use another word", fault.Quote(name))
		}
	}
	for _, d := range p.metrics {
		if metric.OfClaim(d.name) != nil || (*Paper)(nil).defined(d.name, metricsOf) != "" {
			p.fault(file, "a metric cannot be called %s, which is another one: use another word", fault.Quote(d.name))
		}
	}
}

// names returns the files of a folder with an ending, without it. A missing folder is an empty one.
func (p *Paper) names(dir, ending string) []string {
	entries, err := fs.ReadDir(p.folder, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.fault(p.place(dir), "the folder cannot be read: %v", err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ending); ok && !e.IsDir() {
			names = append(names, name)
		}
	}
	return names
}

func (p *Paper) readScenarios() {
	for _, name := range p.names(scenarioPlace, ".yaml") {
		file := path.Join(scenarioPlace, name+".yaml")
		b := p.read(file)
		if b == nil {
			continue
		}
		s, err := authoring.ParseYAML(p.place(file), b)
		if err != nil {
			p.faults = append(p.faults, err)
			continue
		}
		p.Scenarios = append(p.Scenarios, PaperScenario{name, s})
	}
}

// readFigures reads the figures that paper.yaml lists, in its order.
func (p *Paper) readFigures() {
	var listed []string
	for i, f := range p.Figures {
		name := strings.ToLower(f.Name)
		listed = append(listed, name)
		v := p.tree(path.Join(figureFolder, name+".yaml"))
		if v == nil {
			continue
		}
		read, err := ParseFigure(v, p)
		switch {
		case err != nil:
			p.faults = append(p.faults, err)
			continue
		case read.Name != f.Name || read.Paper() != p.Name:
			p.fault(v.Where, "the file holds figure %s; %s lists %s, and the names begin with %s-", read.Name, paperFile, f.Name, p.Name)
		}
		p.Figures[i] = read
		p.checkFigure(read, v.Where)
	}
	for _, name := range p.names(figureFolder, ".yaml") {
		if !slices.Contains(listed, name) {
			p.fault(p.place(path.Join(figureFolder, name+".yaml")), "%s does not list this figure under figures: add its name", paperFile)
		}
	}
}

// readClaims reads the rows, and evaluates each without results.
func (p *Paper) readClaims() {
	b := p.read(claimsFile)
	if b == nil {
		return
	}
	rows, err := readRows(string(b), []string{p.Name})
	if err != nil {
		p.fault(p.place(claimsFile), "%v", err)
		return
	}
	ledger := p.Ledger(nil)
	for _, r := range rows {
		place := fmt.Sprintf("%s:%d", p.place(claimsFile), r.line)
		if r.fault != "" {
			p.fault(place, "%s. Correct the row", r.fault)
		} else {
			_, faults := ledger.check(&r.Claim, draw{})
			for _, err := range faults {
				p.fault(place, "the predicate of %s is wrong: %v. Correct the row", r.ID, err)
			}
		}
		p.lines[r.ID] = r.line
		p.Claims = append(p.Claims, r.Claim)
	}
	p.checkIDs()
	if len(p.faults) == 0 {
		p.checkReadings(ledger)
	}
}

// Mark is a place in the text: <!--claim ID-->, <!--claims-->, <!--figure NAME-->, <!--run SCENARIO--> or
// <!--embed SCENARIO attributes-->, where SCENARIO of an embed is one that the page ships.
var Mark = regexp.MustCompile(`<!--(claims|claim|figure|run|embed)(?: ([\w.-]+))?((?: [^<>]*)?)-->`)

// likeMark is what a reader took for the beginning of a mark: a comment that begins with a letter.
var likeMark = regexp.MustCompile(`<!--[a-zA-Z]\w*`)

// readText reads the text and checks its marks.
func (p *Paper) readText() {
	b := p.read(textFile)
	if b == nil {
		return
	}
	p.Text = string(b)
	line := func(at int) string {
		return fmt.Sprintf("%s:%d", p.place(textFile), 1+strings.Count(p.Text[:at], "\n"))
	}
	for _, at := range likeMark.FindAllStringIndex(p.Text, -1) {
		if m := Mark.FindStringIndex(p.Text[at[0]:]); m == nil || m[0] != 0 {
			p.fault(line(at[0]), "%s begins no mark: write <!--claim ID-->, <!--claims-->, <!--figure NAME-->, <!--run SCENARIO--> or <!--embed SCENARIO-->; begin a comment with a space", fault.Quote(p.Text[at[0]:at[1]]))
		}
	}
	for _, f := range activeParts(p.Text) {
		p.fault(line(f.at), "%s", f.what)
	}
	for _, at := range Mark.FindAllStringSubmatchIndex(p.Text, -1) {
		kind, name := p.Text[at[2]:at[3]], ""
		if at[4] >= 0 {
			name = p.Text[at[4]:at[5]]
		}
		var known []string
		switch kind {
		case "claim":
			for i := range p.Claims {
				known = append(known, p.Claims[i].ID)
			}
		case "figure":
			for _, f := range p.Figures {
				known = append(known, f.Name)
			}
		case "run":
			for _, s := range p.Scenarios {
				known = append(known, s.Name)
			}
		default:
			continue
		}
		if !slices.Contains(known, name) {
			p.fault(line(at[0]), "this folder has no %s %s: %s", kind, fault.Quote(name), nearest(name, known))
		}
	}
}

// Notes says which rows and figures cannot be measured, with their places and why.
func (p *Paper) Notes() []string {
	var notes []string
	ledger := p.Ledger(nil)
	for i := range p.Claims {
		c := &p.Claims[i]
		if absent, _ := ledger.Check(c); len(absent) > 0 {
			notes = append(notes, fmt.Sprintf("%s:%d: %s cannot be measured: %s", p.place(claimsFile), p.lines[c.ID], c.ID, strings.Join(absent, "; ")))
		}
	}
	for _, f := range p.Figures {
		d, _, err := ledger.Draw(f)
		if err != nil {
			continue // a fault of the folder, which ReadPaper reported
		}
		if absent := withoutRuns(d.Missing); len(absent) > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s has gaps: %s", p.place(path.Join(figureFolder, strings.ToLower(f.Name)+".yaml")), f.Name, strings.Join(absent, "; ")))
		}
	}
	return notes
}

// Jobs returns the runs of all claims and figures, without repeats.
func (p *Paper) Jobs() []*Job {
	ledger := p.Ledger(nil)
	var jobs []*Job
	for _, c := range p.Claims {
		jobs = joined(jobs, ledger.Jobs(c))
	}
	for _, f := range p.Figures {
		if _, list, err := ledger.Draw(f); err == nil {
			jobs = joined(jobs, list)
		}
	}
	return jobs
}

// The text of a paper is HTML that its page holds as it is. The page's policy lets nothing run in it and nothing be
// requested from elsewhere (tools/burstscope/claims/paperpage.go); so what would do that is a fault of the text.

var (
	// activeTag begins an element that runs a program, holds another page, sends something, or changes what the page is.
	activeTag = regexp.MustCompile(`(?i)<(script|iframe|frame|object|embed|applet|base|meta|link|form|portal)\b`)
	// handler is an attribute with a program.
	handler = regexp.MustCompile(`(?i)<[a-z][^<>]*[\s/"'](on[a-z]+)\s*=`)
	// address is an attribute with an address.
	address = regexp.MustCompile(`(?i)[\s/"'](href|src|action|formaction|data|poster|background|ping|xlink:href)` +
		`\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)`)
)

// activePart is a place of a text that its page does not let act.
type activePart struct {
	at   int
	what string
}

func activeParts(text string) (list []activePart) {
	for _, at := range activeTag.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, activePart{at[0], "the element <" + strings.ToLower(text[at[2]:at[3]]) + "> does nothing in " +
			"the page of a paper, which runs no scripts and holds no other pages: remove it"})
	}
	for _, at := range handler.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, activePart{at[2], "the attribute " + strings.ToLower(text[at[2]:at[3]]) + " does nothing in " +
			"the page of a paper, which runs no scripts: remove it"})
	}
	for _, at := range address.FindAllStringSubmatchIndex(text, -1) {
		value := strings.Trim(html.UnescapeString(strings.Trim(text[at[4]:at[5]], `"'`)), " ")
		image := strings.EqualFold(text[at[2]:at[3]], "src") && strings.HasPrefix(value, "data:image/")
		if what := fault.Link(value); what != "" && !image {
			list = append(list, activePart{at[0], what})
		}
	}
	return list
}
