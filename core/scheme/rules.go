package scheme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// Rule refuses a combination of choices.
type Rule struct {
	// Groups are those that the rule is about, Path the value that has the fault.
	Groups []string
	Path   string
	// Choice cannot stand beside Not; Why says why. A rule about the machine leaves the
	// machines that break it to Exclusions, and Not says what they have in common.
	Choice, Not, Why string
	// Sample are settings that break the rule, beside the defaults.
	Sample []fault.Fix
	// OfMachine says that the rule needs a machine. The others are checked without one too.
	OfMachine bool
	// Broken says why s cannot be on a machine and what to change; no message if it can.
	Broken func(s *Scheme, g *parameter.GPU) Breach
}

// Breach says how a rule is broken.
type Breach = system.Breach

// ofSystems are the rules of the rooms.
func ofSystems() (list []Rule) {
	for i := range Systems {
		for _, r := range Systems[i].Rules {
			list = append(list, Rule{
				Groups: []string{r.Group}, Path: r.Path, Choice: r.Choice, Not: r.Not, Why: r.Why, Sample: r.Sample,
				OfMachine: r.OfMachine,
				Broken:    func(s *Scheme, g *parameter.GPU) Breach { return r.Broken(*s.Part(r.Group), g) },
			})
		}
	}
	return list
}

// Rules is THE table of combinations that cannot be. A value that is not legal by
// itself breaks no rule: it is refused before.
var Rules = slices.Concat(memoryRules, backingRules, magRules, machineRules, ofSystems())

// memoryRules are about the values of a memory scheme.
var memoryRules = []Rule{
	{
		Groups: []string{"memory"}, Path: "memory.approximation", Choice: lossyTitles(), Not: "a codec other than " + overTitle(),
		Why: "it cuts symbols of that codec", Sample: set("memory.codec", "bdi", "memory.approximation", "tslc-opt"), Broken: approximationWithoutItsCodec,
	},
	{
		Groups: []string{"memory"}, Path: "memory.module", Choice: "codec plugin", Not: "no module",
		Why: "the module is the codec", Sample: set("memory.codec", "plugin"), Broken: pluginWithoutModule,
	},
	{
		Groups: []string{"memory"}, Path: "memory.threshold", Choice: "threshold", Not: "a MAG below it",
		Why: "no code ends so far above a burst", Sample: set("memory.mag", "16", "memory.threshold", "17"), Broken: thresholdAboveTheMAG,
	},
	{
		Groups: []string{"memory"}, Path: "memory.threshold", Choice: lossyTitles(), Not: "a threshold of 0 bytes",
		Why: "nothing could be cut", Sample: set("memory.codec", "e2mc16", "memory.approximation", "tslc-opt", "memory.threshold", "0"), Broken: thresholdOfNothing,
	},
}

// set lists values for paths.
func set(pairs ...string) []fault.Fix { return fault.Fixes(pairs...) }

// check adds the faults of the rules that hold with or without a machine.
func (s *Scheme) check(ofMachine bool, g *parameter.GPU, e *fault.Errors, prefix string) {
	for i := range Rules {
		r := &Rules[i]
		if r.OfMachine != ofMachine {
			continue
		}
		b := r.Broken(s, g)
		if b.Message == "" {
			continue
		}
		f := fault.Fault{Path: prefix + r.Path, Message: b.Message, Mend: strings.ReplaceAll(b.Mend, "{}", prefix)}
		var words []string
		for _, x := range b.Fixes {
			if !strings.HasPrefix(x.Path, "machine.") {
				x.Path = prefix + x.Path
			}
			f.Fixes = append(f.Fixes, x)
			words = append(words, x.Path+" to "+x.Value)
		}
		if f.Mend == "" {
			f.Mend = "set " + strings.Join(words, " or ")
		}
		e.List = append(e.List, f)
	}
}

// Exclusion is a line of a table: a choice and all that cannot stand beside it.
type Exclusion struct {
	Choice string    `json:"choice"`
	Not    []Exclude `json:"not"`
}

// Exclude is one such thing, and why.
type Exclude struct {
	What string `json:"what"`
	Why  string `json:"why"`
	// Machines are those of a list that are so with the defaults of the choice.
	Machines []string `json:"machines,omitempty"`
}

// Exclusions lists what excludes what on some machines. Rules with one choice are one line.
func Exclusions(machines []*parameter.GPU) []Exclusion {
	var list []Exclusion
	for i := range Rules {
		r := &Rules[i]
		x := Exclude{What: r.Not, Why: r.Why}
		for _, g := range machines {
			if r.OfMachine && r.Broken(r.sample(), g).Message != "" {
				x.Machines = append(x.Machines, g.Name)
			}
		}
		at := slices.IndexFunc(list, func(l Exclusion) bool { return l.Choice == r.Choice })
		if at < 0 {
			at, list = len(list), append(list, Exclusion{Choice: r.Choice})
		}
		list[at].Not = append(list[at].Not, x)
	}
	return list
}

// Text is the thing in words, with its machines.
func (x *Exclude) Text() string {
	if len(x.Machines) == 0 {
		return x.What
	}
	return fmt.Sprintf("%s (%s)", x.What, strings.Join(x.Machines, ", "))
}

// sample is a scheme that breaks the rule.
func (r *Rule) sample() *Scheme {
	s := Default()
	for _, x := range r.Sample {
		if err := s.set(x.Path, x.Value); err != nil {
			panic(err) // the table names settings
		}
	}
	return &s
}

// lossyTitles names the approximations, overTitle the codec whose symbols they cut.
func lossyTitles() string {
	var titles []string
	for _, name := range codecs.Lossy() {
		titles = append(titles, codecs.Find(name).Title)
	}
	return strings.Join(titles, ", ")
}

func overTitle() string { return codecs.Find(codecs.Find(codecs.Lossy()[0]).Over).Title }

func approximationWithoutItsCodec(s *Scheme, _ *parameter.GPU) (b Breach) {
	row := codecs.Find(s.Memory.Approximation())
	if row == nil || row.Over == "" || row.Over == s.Memory.Codec() || s.Memory.Codec() != codecs.Plugin && !slices.Contains(Codecs(), s.Memory.Codec()) {
		return b
	}
	return Breach{
		Message: fmt.Sprintf("%s works on the symbols of codec %s, not of %s", row.Name, row.Over, s.Memory.Codec()),
		Fixes:   set("memory.codec", row.Over, "memory.approximation", system.None),
	}
}

func thresholdAboveTheMAG(s *Scheme, _ *parameter.GPU) (b Breach) {
	m := &s.Memory
	if !slices.Contains(mags, m.MAG()) || m.Threshold() >= 0 && m.Threshold() <= m.MAG() {
		return b
	}
	return Breach{
		Message: fmt.Sprintf("%d bytes is not between 0 and the MAG", m.Threshold()), Mend: fmt.Sprintf("use 0 to %d, or a larger {}memory.mag", m.MAG()),
		Fixes: set("memory.threshold", fmt.Sprint(m.MAG()/2)),
	}
}

func thresholdOfNothing(s *Scheme, _ *parameter.GPU) (b Breach) {
	m := &s.Memory
	if !slices.Contains(mags, m.MAG()) || m.Threshold() != 0 || m.Approximation() == system.None {
		return b
	}
	return Breach{
		Message: "a threshold of 0 bytes approximates nothing", Mend: fmt.Sprintf("use 1 to %d, or set {}memory.approximation to none", m.MAG()),
		Fixes: set("memory.threshold", fmt.Sprint(m.MAG()/2), "memory.approximation", system.None),
	}
}
