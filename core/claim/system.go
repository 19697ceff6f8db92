package claim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// System is a scheme that a paper's folder names: settings of a scenario without compression.
type System struct {
	Name     string
	Settings [][2]string // path and value, in the order of the file
	// programs have settings of their own, by ID. If others is not empty, the rest cannot run it, and lacks what it says.
	programs map[string][][2]string
	others   string
	// with names the system that this one is when a word of predicates is given.
	with   map[string]string
	search *search
	where  string // in paper.yaml
}

// search says how q= finds the highest share whose loss is at most the target.
type search struct {
	of        string // the share in words
	shares    []int  // in thousandths, ascending
	programs  []string
	otherwise string // why the other programs run without it; empty: all programs
}

// keyword is a word of predicates that changes a system.
type keyword struct {
	name string
	// to are the paths that get its number; it takes those that the scenario's entries have. words are values with
	// settings of their own.
	to     []string
	words  map[string][][2]string
	only   string // the path that the system sets, if the word is for such systems alone
	share  bool   // the number is a share above 0, and the settings get it in thousandths
	from   int
	until  int // 0 = no bound
	usual  string
	rest   int     // the settings get this number less the given one; 0 = the given one
	factor float64 // 0 = 1
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

// keywordOf returns a word of predicates; nil if there is none.
func keywordOf(name string) *keyword {
	for _, p := range heads() {
		for i := range p.keywords {
			if p.keywords[i].name == name {
				return &p.keywords[i]
			}
		}
	}
	return nil
}

// systemOf returns a system of the shipped papers; nil if there is none.
func systemOf(name string) *System {
	for _, p := range heads() {
		if y := p.system(name); y != nil {
			return y
		}
	}
	return nil
}

// system returns a system of the folder. The Paper may be nil.
func (p *Paper) system(name string) *System {
	if p == nil {
		return nil
	}
	for i := range p.Systems {
		if p.Systems[i].Name == name {
			return &p.Systems[i]
		}
	}
	return nil
}

// taken returns the settings that a value gives; ok is false if the word takes no such value. No settings stand for
// the usual value.
func (k *keyword) taken(value any) (settings [][2]string, ok bool) {
	text := fmt.Sprint(value)
	if list, isWord := k.words[text]; isWord {
		return list, true
	}
	if text == k.usual {
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
	case k.factor > 0:
		n = int(float64(n) * k.factor)
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

// partsOf splits the name of a combination, such as A+B.
func partsOf(name string) (list []*System, err error) {
	for _, part := range strings.Split(name, "+") {
		y := systemOf(part)
		if y == nil {
			return nil, missing{"system " + part + " does not exist here"}
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

// applyWords gives a scenario of some systems what the words of a predicate say.
func (s *settings) applyWords(sc *scenario.Scenario, m *parameter.GPU, list []*System) error {
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
			return err
		}
	}
	return nil
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
