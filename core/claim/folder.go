package claim

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

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
	Name                        string // ids of claims and names of figures begin with it
	Title, Authors, Venue, Link string
	Machine                     string // the preset of the runs; "": the reading's
	Sets                        []Set
	Programs                    []Program
	Systems                     []System
	Claims                      []Claim
	Figures                     []*Figure
	Scenarios                   []PaperScenario
	Text                        string // HTML with marks

	// What a paper may leave open, and a shipped one says.
	reading     Reading     // sizes and inputs of its rows, where the reading leaves them open
	suite       bool        // programs run on the data of their suites
	loss        bool        // err is the loss by the paper's own metric
	unbound     bool        // its rows do not name programs that are not bound by memory
	remark      string      // on rows that runs decide
	noise       []string    // rows whose intervals are measured
	open        []*openPart // what the text leaves open
	lists       []list
	keywords    []keyword
	metrics     []definition
	words       []definition
	absent      []definition // functions that cannot be computed, and why
	tests       []test
	differences []remark // why core claims do not hold
	made        []remark // what was made so that rows hold

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
	case info.Size() > maxTableBytes:
		p.fault(p.place(name), "the file has %d bytes; at most %d are read: shorten it", info.Size(), maxTableBytes)
		return nil
	default:
		b, err = fs.ReadFile(p.folder, name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.fault(p.place(name), "the file is missing: burstscope paper new writes one of each kind")
	case err != nil:
		p.fault(p.place(name), "the file cannot be read: %v", err)
	case len(b) > maxTableBytes:
		p.fault(p.place(name), "the file has %d bytes; at most %d are read: shorten it", len(b), maxTableBytes)
		return nil
	default:
		if b, err = fault.Strict(p.place(name), b); err != nil {
			p.faults = append(p.faults, err)
			return nil
		}
		return b
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
	v := p.tree(paperFile)
	if v == nil {
		return
	}
	r := &figureReader{}
	r.repeated(v)
	known := p.vocabularyKeys(r)
	maps.Copy(known, map[string]func(*scenario.Value){
		"paper": func(v *scenario.Value) {
			if r.text(&p.Name)(v); !paperName.MatchString(p.Name) {
				r.fault(v, "the name of a paper has 2 to 16 capital letters and digits, such as MINE")
				p.Name = ""
			}
		},
		"title": r.text(&p.Title), "authors": r.text(&p.Authors), "venue": r.text(&p.Venue),
		"link": func(v *scenario.Value) {
			r.text(&p.Link)(v)
			if what := fault.Link(p.Link); what != "" {
				r.fault(v, what)
			}
		},
		"machine": func(v *scenario.Value) {
			if r.text(&p.Machine)(v); !slices.Contains(preset.Names(), p.Machine) {
				r.fault(v, "unknown machine "+fault.Quote(p.Machine)+": use one of "+strings.Join(preset.Names(), ", "))
			}
		},
		"programs": func(v *scenario.Value) { p.readPrograms(r, v) },
		"sets":     func(v *scenario.Value) { p.readSets(r, v) },
		"systems":  func(v *scenario.Value) { p.readSystems(r, v) },
		"figures": func(v *scenario.Value) {
			r.list(v, "figures", func(item *scenario.Value) {
				f := &Figure{}
				r.text(&f.Name)(item)
				if slices.ContainsFunc(p.Figures, func(g *Figure) bool { return strings.EqualFold(g.Name, f.Name) }) {
					r.fault(item, "the figure "+fault.Quote(f.Name)+" is listed twice: remove one of them")
				}
				p.Figures = append(p.Figures, f)
			})
		},
	})
	r.fields(v, "", known)
	if len(r.faults) == 0 && (p.Name == "" || p.Title == "") {
		r.fault(v, "a paper needs the keys paper and title")
	}
	p.faults = append(p.faults, r.faults...)
}

func (p *Paper) readSets(r *figureReader, v *scenario.Value) {
	eachKey(r, v, func(name string, list *scenario.Value) {
		set := Set{Name: name, where: list.Where}
		r.list(list, "a set", func(item *scenario.Value) {
			var id string
			if r.text(&id)(item); slices.Contains(set.Programs, id) {
				r.fault(item, "the program "+fault.Quote(id)+" is in the set "+fault.Quote(name)+" twice: remove one of them")
			}
			if of := slices.IndexFunc(p.Sets, func(s Set) bool { return s.Name == id }); of >= 0 {
				set.Programs = append(set.Programs, p.Sets[of].Programs...)
			} else if id != "" {
				set.Programs = append(set.Programs, id)
			}
		})
		p.Sets = append(p.Sets, set)
	})
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
	for _, d := range slices.Concat(p.words, p.absent) {
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

// eachKey visits the entries of a map.
func eachKey(r *figureReader, v *scenario.Value, visit func(key string, item *scenario.Value)) {
	if v.Kind != scenario.IsMap {
		r.fault(v, "this must be a map, not "+v.Describe())
		return
	}
	for i, key := range v.Keys {
		visit(key, &v.Items[i])
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
		if _, _, err := p.Ledger(nil).Draw(read); err != nil {
			p.fault(v.Where, "%v", err)
		}
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
		what := r.fault
		if what == "" {
			if _, err := ledger.Check(&r.Claim); err != nil {
				what = fmt.Sprintf("the predicate of %s is wrong: %v", r.ID, err)
			}
		}
		if what != "" {
			p.fault(fmt.Sprintf("%s:%d", p.place(claimsFile), r.line), "%s. Correct the row", what)
		}
		p.lines[r.ID] = r.line
		p.Claims = append(p.Claims, r.Claim)
	}
	ids := p.noise
	for _, part := range p.open {
		ids = slices.Concat(ids, part.ids)
	}
	for _, id := range ids {
		if p.lines[id] == 0 {
			p.fault(p.place(paperFile), "noise or readings list %s, and %s has no such row: correct the id",
				fault.Quote(id), claimsFile)
		}
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
		known := true
		switch kind {
		case "claim":
			known = slices.ContainsFunc(p.Claims, func(c Claim) bool { return c.ID == name })
		case "figure":
			known = slices.ContainsFunc(p.Figures, func(f *Figure) bool { return f.Name == name })
		case "run":
			known = slices.ContainsFunc(p.Scenarios, func(s PaperScenario) bool { return s.Name == name })
		}
		if !known {
			p.fault(line(at[0]), "this folder has no %s %s: correct the name, or add it", kind, fault.Quote(name))
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
