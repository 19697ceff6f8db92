package claim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"go.starlark.net/starlark"
)

// System is a scheme that a paper's folder names: settings of a scenario without compression.
type System struct {
	Name     string `key:"*"`
	Settings pairs  `key:"..."` // path and value, in the order of the file
	// programs have settings of their own, by ID. If others is not empty, the rest cannot run it, and lacks what it says.
	programs map[string]pairs `key:"programs"`
	others   string           `key:"others"`
	// with names the system that this one is when a word of predicates is given.
	with   map[string]string `key:"with"`
	search *search           `key:"search"`
	where  string            `key:"@"` // in paper.yaml
}

// search says how q= finds the highest share whose loss is at most the target.
type search struct {
	of        string   `key:"of"`     // the share in words
	shares    []int    `key:"shares"` // in thousandths, ascending
	programs  []string `key:"programs"`
	otherwise string   `key:"otherwise"` // why the other programs run without it; empty: all programs
}

func (s *search) check(r *reader, v *scenario.Value) {
	if s.of == "" || len(s.shares) == 0 || !slices.IsSorted(s.shares) {
		r.fault(v, "a search needs of and ascending shares")
	}
}

// keyword is a word of predicates that changes a system.
type keyword struct {
	name string `key:"*"`
	// to are the paths that get its number; it takes those that the scenario's entries have. words are values with
	// settings of their own.
	to     []string         `key:"to"`
	words  map[string]pairs `key:"words"`
	only   string           `key:"if"`        // the path that the system sets, if the word is for such systems alone
	share  bool             `key:"share,yes"` // the number is a share above 0, and the settings get it in thousandths
	from   int              `key:"from"`
	until  int              `key:"until"` // 0 = no bound
	usual  int              `key:"usual"` // 0 = none
	rest   int              `key:"rest"`  // the settings get this number less the given one; 0 = the given one
	factor number           `key:"times"` // "" = 1
}

const overridePrefix = "machine.overrides."

// vocabulary are the papers whose words a folder may use: the shipped ones, and itself.
func (p *Paper) vocabulary() []*Paper {
	list := heads()
	if p != nil && !slices.Contains(list, p) {
		list = append(slices.Clip(list), p)
	}
	return list
}

// found returns what the first paper has that fits; nil if none has.
func found[T any](papers []*Paper, of func(p *Paper) []T, fits func(one *T) bool) *T {
	for _, p := range papers {
		list := of(p)
		for i := range list {
			if fits(&list[i]) {
				return &list[i]
			}
		}
	}
	return nil
}

// keywordOf returns a word of predicates; nil if there is none.
func keywordOf(name string) *keyword {
	return found(heads(), func(p *Paper) []keyword { return p.keywords }, func(k *keyword) bool { return k.name == name })
}

func systemsOf(p *Paper) []System { return p.Systems }

// systemOf returns a system of the shipped papers; nil if there is none.
func systemOf(name string) *System {
	return found(heads(), systemsOf, func(y *System) bool { return y.Name == name })
}

// system returns a system of the folder. The Paper may be nil.
func (p *Paper) system(name string) *System {
	if p == nil {
		return nil
	}
	return found([]*Paper{p}, systemsOf, func(y *System) bool { return y.Name == name })
}

// taken returns the settings that a value gives; ok is false if the word takes no such value. No settings stand for
// the usual value.
func (k *keyword) taken(value any) (settings [][2]string, ok bool) {
	text := fmt.Sprint(value)
	if list, isWord := k.words[text]; isWord {
		return list, true
	}
	if k.usual != 0 && value == k.usual {
		return nil, true
	}
	f, isNumber := value.(float64)
	n, whole := value.(int)
	switch {
	case k.share && isNumber && f > 0 && f <= 1:
		n = int(math.Round(1000 * f))
	case k.share || !whole || len(k.to) == 0 || n < k.from || k.until > 0 && n > k.until:
		return nil, false
	case k.rest > 0:
		n = k.rest - n
	case k.factor != "":
		factor, _ := strconv.ParseFloat(string(k.factor), 64)
		n = int(float64(n) * factor)
	}
	for _, path := range k.to {
		settings = append(settings, [2]string{path, strconv.Itoa(n)})
	}
	return settings, true
}

// give records the value of a word. Values that a word does not take are not recorded.
func (s *settings) give(key string, value any) (ok bool) {
	k := keywordOf(key)
	if k == nil {
		return false
	}
	list, ok := k.taken(value)
	if ok {
		s.own = withoutWord(s.own, key)
		for _, one := range list {
			s.own += key + "\t" + one[0] + "\t" + one[1] + "\n"
		}
	}
	return ok
}

// withoutWord takes the settings of a word away.
func withoutWord(own, key string) string {
	var kept strings.Builder
	for line := range strings.Lines(own) {
		if !strings.HasPrefix(line, key+"\t") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// partsOf splits the name of a combination of shipped systems, such as A+B. The Paper may be nil.
func (p *Paper) partsOf(name string) (list []*System, err error) {
	for _, part := range strings.Split(name, "+") {
		y := systemOf(part)
		if y == nil {
			return nil, unknown{"system " + part + " does not exist here", nearest(part, p.systemNames())}
		}
		list = append(list, y)
	}
	return list, nil
}

// codes reports whether a system is a memory scheme and nothing else.
func (y *System) codes() bool {
	return !slices.ContainsFunc(y.Settings, func(s [2]string) bool { return !strings.HasPrefix(s[0], "memory.") })
}

// sets reports whether a system sets a path.
func (y *System) sets(path string) bool {
	return slices.ContainsFunc(y.Settings, func(s [2]string) bool { return s[0] == path })
}

// apply gives a scenario the settings of a system for a program.
func (y *System) apply(s *scenario.Scenario, m *parameter.GPU, id string) error {
	own, there := y.programs[id]
	if !there && y.others != "" {
		return missing{y.others + " of " + s.Workload.Data}
	}
	for _, list := range [][][2]string{y.Settings, own} {
		for _, one := range list {
			if err := put(s, m, one[0], one[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// put changes a setting of a scenario. A value of the machine may be a multiple, such as 4x.
func put(s *scenario.Scenario, m *parameter.GPU, path, value string) error {
	key, ofMachine := strings.CutPrefix(path, overridePrefix)
	if !ofMachine {
		return s.Set(path, value)
	}
	if s.Machine.Overrides == nil {
		s.Machine.Overrides = scenario.Overrides{}
	}
	times := int64(1)
	if text, multiple := strings.CutSuffix(value, "x"); multiple {
		if e := m.Values().Find(key); e != nil {
			if own, err := strconv.ParseInt(e.Text(), 10, 64); err == nil {
				value, times = text, own
			}
		}
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		s.Machine.Overrides[key] = n * times
	} else {
		s.Machine.Overrides[key] = value
	}
	return nil
}

// applyWords gives a scenario of some systems what the words of a predicate say, and returns the words that these
// systems have.
func (s *settings) applyWords(sc *scenario.Scenario, m *parameter.GPU, list []*System) (words []string, err error) {
	for line := range strings.Lines(s.own) {
		word := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		path, value := word[1], word[2]
		only := keywordOf(word[0]).only
		if only != "" && !slices.ContainsFunc(list, func(y *System) bool { return y.sets(only) }) {
			continue
		}
		if group, setting, _ := strings.Cut(path, "."); only == "" && !has(sc, group, setting) {
			continue
		}
		if err := put(sc, m, path, value); err != nil {
			return nil, err
		}
		words = append(words, word[0])
	}
	return words, nil
}

// has reports whether the entry of a scenario's group has a setting.
func has(s *scenario.Scenario, group, setting string) bool {
	g := scheme.Find(group)
	if g == nil || s.Part(group) == nil {
		return false
	}
	e := g.Entry(s.Part(group).Choice(g))
	return e != nil && slices.ContainsFunc(e.Settings, func(f system.Setting) bool { return f.Name == setting })
}

// nameOf describes what the systems of a job are beside its memory scheme.
func nameOf(s *scenario.Scenario) string {
	text := ""
	for _, w := range systemWords() {
		if w.Group == "" {
			continue
		}
		text += w.Run(*s.Part(w.Group))
		switch w.Group {
		case "loads":
			for _, p := range heads() {
				for i := range p.Systems {
					if y := &p.Systems[i]; y.isMachine(s.Machine.Overrides) {
						text += ", " + y.Name
					}
				}
			}
		case "l1":
			if _, sets := s.Machine.Overrides["sm.l1.sets"]; sets {
				if spec, err := s.Machine.Spec(); err == nil {
					text += fmt.Sprintf(", L1 of %d KB", spec.SM.L1.Bytes()>>10)
				}
			}
		}
	}
	return text
}

// isMachine reports whether a system is a machine with other values, and these are among the given ones.
func (y *System) isMachine(values scenario.Overrides) bool {
	for _, one := range y.Settings {
		key, ofMachine := strings.CutPrefix(one[0], overridePrefix)
		if !ofMachine || fmt.Sprint(values[key]) != one[1] {
			return false
		}
	}
	return len(y.Settings) > 0
}

// Set is a set of programs that a paper's folder names.
type Set struct {
	Name     string   `key:"*"`
	Programs []string `key:"="`
	where    string   `key:"@"` // in paper.yaml
}

// list is a list of texts and numbers that a paper's folder names.
type list struct {
	name   string           `key:"*"`
	values []starlark.Value `key:"="`
}

// Of returns how the rows of a paper are evaluated in a reading: where the reading leaves something open, it
// the paper's folder decides.
func (r Reading) Of(paper string) Reading {
	p := shipped(paper)
	if p == nil {
		return r
	}
	r.Machine = either(r.Machine, p.Machine)
	r.Sizes = either(r.Sizes, p.reading.Sizes)
	if p.reading.Data != "" && r.Data == Suite {
		r.Data = ""
	}
	r.Data = either(r.Data, p.reading.Data)
	return r
}

// SetOf returns the programs of a set of the shipped papers; nil if no set has that name.
func SetOf(name string) []string { return (*Paper)(nil).setOf(name) }

// setOf returns the programs of a set of the folder or of the shipped papers. The Paper may be nil.
func (p *Paper) setOf(name string) []string {
	for _, set := range p.sets() {
		if set.Name == name {
			return slices.Clone(set.Programs)
		}
	}
	return nil
}

// sets are the folder's sets and the sets of the shipped papers.
func (p *Paper) sets() (sets []Set) {
	papers := p.vocabulary()
	if p != nil { // its own come first
		papers = append([]*Paper{p}, papers...)
	}
	for _, p := range papers {
		sets = append(sets, p.Sets...)
	}
	return sets
}

// set changes a setting of a scenario, through the caller's setter if there is one.
func (p *Paper) set(s *scenario.Scenario, path, value string) error {
	if p.setter != nil && !strings.HasPrefix(path, overridePrefix) {
		return p.setter(s, path, value)
	}
	spec, err := s.Machine.Spec()
	if err != nil {
		return err
	}
	return put(s, spec, path, value)
}

// check reports a setting that no scenario takes.
func (y *System) check(p *Paper) error {
	s := scenario.Default("vecadd")
	s.Memory.Put("codec", system.None, "approximation", system.None)
	s.Machine.Preset = either(p.Machine, s.Machine.Preset)
	for _, a := range y.Settings {
		if what := noPath(a[0]); what != "" {
			return errors.New(what)
		}
		if err := p.set(s, a[0], a[1]); err != nil {
			return err
		}
	}
	return s.Validate()
}

// Ledger returns a ledger over results with the words of the folder. The folder of a shipped paper has the
// reading of its rows.
func (p *Paper) Ledger(results Results) *Ledger {
	l := Reading{Machine: p.Machine}.Of(p.Name).Ledger(results)
	l.own = p
	return l
}

// Check evaluates a claim without results. It returns the things that the claim needs and that do not exist
// here, and an error if its predicate can have no value whatever the results are: for each name that nothing defines,
// and each word that no system takes.
func (l *Ledger) Check(c *Claim) (absent []string, err error) {
	absent, faults := l.check(c, draw{})
	return absent, errors.Join(faults...)
}

// check is Check of a draw, with the single faults.
func (l *Ledger) check(c *Claim, under draw) (absent []string, faults []error) {
	if c.Tier == "T3" {
		return nil, nil
	}
	folder := l.folderOf(c.Paper)
	for _, text := range []string{c.Check, c.Value} {
		faults = append(faults, folder.unknownNames(c.ID, text)...)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	s := &session{Ledger: l, paper: c.Paper, under: under}
	_, err := s.truth(c)
	if c.Value != "" && err == nil {
		_, err = s.evaluate(c.ID, c.Value)
	}
	if faults = s.allFaults(); len(faults) == 0 && err != nil {
		faults = append(faults, err)
	}
	return withoutRuns(s.missing), faults
}

// runWords begins the name of a missing run.
const runWords = "run of "

// withoutRuns returns the missing things that no run brings.
func withoutRuns(missing []string) []string {
	return slices.DeleteFunc(slices.Clone(missing), func(what string) bool { return strings.HasPrefix(what, runWords) })
}
