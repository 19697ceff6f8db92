package claim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// systemWords are the words of the systems. The names of runs have them in this order.
var systemWords = sync.OnceValue(func() (list []system.Words) {
	for i := range scheme.Systems {
		if c := scheme.Systems[i].Claims; c != nil {
			list = append(list, c.Words())
		}
	}
	return list
})

// definition is a name with an expression, in the language of predicates.
type definition struct {
	name  string `key:"*"`
	text  string `key:"="`
	where string `key:"@"` // in paper.yaml
}

// test ties a name in predicates to the test function that asserts it.
type test struct {
	name     string `key:"*"`
	place    string `key:"="` // the other two, with a space
	folder   string
	function string
}

func (t *test) check(r *reader, v *scenario.Value) {
	var ok bool
	if t.folder, t.function, ok = strings.Cut(t.place, " "); !ok {
		r.fault(v, "this must be the folder of a test and its function")
	}
}

// defined returns the metric or word of a name; "" if there is none.
func (p *Paper) defined(name string, of func(p *Paper) []definition) string {
	if d := found(p.vocabulary(), of, func(d *definition) bool { return d.name == name }); d != nil {
		return d.text
	}
	return ""
}

func metricsOf(p *Paper) []definition { return p.metrics }
func wordsOf(p *Paper) []definition   { return p.functions }

// addWords adds the lists, functions and words of papers and systems that an expression names.
func (s *session) addWords(names starlark.StringDict) {
	folder := s.folderOf(s.paper)
	for _, p := range folder.vocabulary() {
		for _, l := range p.lists {
			names[l.name] = starlark.NewList(slices.Clone(l.values))
		}
		for _, d := range p.absent {
			why := func(starlark.Tuple) (any, error) { return s.absent(d.text), nil }
			names[d.name] = starlark.NewBuiltin(d.name, function("anything", 0, true, why))
		}
		for _, d := range p.functions {
			names[d.name] = starlark.NewBuiltin(d.name, s.word(d))
		}
	}
}

// word is a function that a folder defines.
func (s *session) word(d definition) predicate.Builtin {
	return func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		lacked := s.lacked
		if s.made[d.name] == nil {
			f, err := s.evaluate(d.name, d.text)
			if err != nil {
				return nil, err
			}
			if s.made == nil {
				s.made = map[string]starlark.Value{}
			}
			s.made[d.name] = f
		}
		v, err := starlark.Call(thread, s.made[d.name], args, kwargs)
		if _, isNumber := v.(starlark.Float); err == nil && isNumber && s.lacked > lacked {
			return nothing, nil
		}
		return v, err
	}
}

// function is one of Go. want says what it takes: at least so many arguments, or exactly, unless it takes more.
func function(want string, least int, more bool, f func(args starlark.Tuple) (any, error)) predicate.Builtin {
	return func(
		_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		if len(args) < least || len(args) > least && !more || len(kwargs) > 0 {
			return nil, fmt.Errorf("%s: give %s, and no words such as x=1", b.Name(), want)
		}
		v, err := f(args)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name(), err)
		}
		return valueOf(v), nil
	}
}

// plain are arguments as values of Go.
func plain(args starlark.Tuple) (list []any) {
	for _, v := range args {
		list = append(list, predicate.Plain(v))
	}
	return list
}

// derived is the value of a metric that a folder defines, for one program. In its formula, v and so on begin with the
// settings of the request.
func (s *session) derived(text string, r *request, id string) (float64, *Formula, error) {
	p, called, err := readCall(r.metric, text)
	if err != nil {
		return 0, nil, err
	}
	outer, lacked := s.within, s.lacked
	s.within = r
	defer func() { s.within = outer }()
	s.formula = nil
	v, err := s.expression(p, starlark.StringDict{
		"SYSTEM": starlark.String(r.system), "BASE": starlark.String(r.base), "w": starlark.String(id),
		"LO": starlark.MakeInt(int(r.x.lo)), "TOP": starlark.MakeInt(r.x.top),
	})
	if err != nil && strings.Contains(err.Error(), "division by zero") {
		return math.NaN(), nil, nil // of a run in which nothing happened: a property of the results, not of the formula
	}
	if err != nil || s.lacked > lacked {
		return math.NaN(), nil, err
	}
	f, ok := starlark.AsFloat(v)
	if !ok {
		return 0, nil, fmt.Errorf("the metric %s gives a value of type %s, not a number", r.metric, v.Type())
	}
	if called {
		return f, s.formula, nil
	}
	return f, nil, nil
}

// settings are those with which a request begins.
func (s *session) settings() settings {
	if s.within != nil {
		return s.within.on
	}
	return defaultSettings()
}

// measuredRun is a run, for the measures of systems.
type measuredRun struct {
	*experiment.Result
	job *Job
	id  string
}

func (m measuredRun) String() string           { return m.job.String() }
func (m measuredRun) Program() string          { return m.id }
func (m measuredRun) WarpInstructions() uint64 { return m.Result.WarpInstructions }
func (m measuredRun) ExcessBits() []uint64     { return lossyOf(m.Result).ExcessBits[:] }
func (m measuredRun) Linked() (list []float64) {
	for i := range m.Launches {
		if l := &m.Launches[i]; l.Blocks > 0 {
			list = append(list, float64(l.Linked)/float64(l.Blocks))
		}
	}
	return list
}

// runsOf returns the runs of systems on a program; one that is missing is recorded.
func (s *session) runsOf(id string, systems ...string) (list []system.Measured) {
	for _, name := range systems {
		p, err := s.point(name, id, s.settings())
		if err == nil {
			var r *experiment.Result
			if r, err = s.resultOf(p); err == nil {
				list = append(list, measuredRun{r, p.run, id})
				continue
			}
		}
		s.lackError(err)
	}
	return list
}

// measure is measure(name, program, systems, further arguments ...): a value that a system's package takes from runs.
func (s *session) measure(args starlark.Tuple) (any, error) {
	list, err := predicate.Elements(args[2])
	if err != nil {
		return nil, err
	}
	name, id := text(args[0]), text(args[1])
	var systems []string
	for _, v := range list {
		if _, isText := v.(starlark.String); !isText {
			return nothing, nil // it is absent
		}
		systems = append(systems, text(v))
	}
	for _, w := range systemWords() {
		for _, m := range w.Measures {
			if m.Name != name {
				continue
			}
			runs := s.runsOf(id, systems...)
			if len(runs) < len(systems) {
				return nothing, nil
			}
			value, err := m.Value(runs, plain(args[3:]))
			var lack system.Lack
			var note system.Note
			switch {
			case errors.As(err, &lack):
				return s.absent(err.Error()), nil
			case errors.As(err, &note):
				s.note(id + " " + err.Error())
				return 0., nil
			}
			return value, err
		}
	}
	s.lackError(unknown{"measure " + name + " does not exist", nearest(name, measureNames())})
	return nothing, nil
}

// joules is joules(system, program, parts ...): the energy of parts of a run's account; without parts all of it.
func (s *session) joules(args starlark.Tuple) (any, error) {
	parts := plain(args[2:])
	for _, part := range parts {
		if name := fmt.Sprint(part); !slices.Contains(partNames(), name) {
			s.lackError(unknown{"part " + name + " of the energy does not exist", nearest(name, partNames())})
		}
	}
	runs := s.runsOf(text(args[1]), text(args[0]))
	if len(runs) == 0 {
		return nothing, nil
	}
	account := runs[0].(measuredRun).Energy
	if account == nil {
		return s.absent("energy of " + text(args[1])), nil
	}
	total := uint64(0)
	for i := range account.Parts {
		if p := &account.Parts[i]; len(parts) == 0 || slices.Contains(parts, any(p.Name)) {
			total += p.Femtojoules
		}
	}
	return float64(total) * 1e-15, nil
}

// absent records why a value cannot be measured, and stands for it.
func (s *session) absent(why string) starlark.Value {
	s.lack(why)
	return nothing
}

func joinedWords(args starlark.Tuple) string { return strings.Trim(fmt.Sprintln(plain(args)...), "\n") }

// text is an argument as a text; "" if it is none.
func text(v starlark.Value) string {
	t, _ := starlark.AsString(v)
	return t
}

// geomean is geomean(list, words ...): the geometric mean of errors, with a note on its zeros.
func (s *session) geomean(args starlark.Tuple) (any, error) {
	list, err := predicate.Elements(args[0])
	if err != nil || len(list) == 0 {
		return nil, errors.New("give a list of numbers")
	}
	mean, zeros := geometric(predicate.Floats(list), "err")
	if zeros != nil {
		s.note(joinedWords(args[1:]) + ": " + zeros.String())
	}
	return mean, nil
}

// valueOf is a value of Go in predicates.
func valueOf(v any) starlark.Value {
	switch v := v.(type) {
	case starlark.Value:
		return v
	case int:
		return starlark.MakeInt(v)
	case bool:
		return starlark.Bool(v)
	case float64:
		return starlark.Float(v)
	case string:
		return starlark.String(v)
	case []any:
		t := starlark.Tuple{}
		for _, one := range v {
			t = append(t, valueOf(one))
		}
		return t
	case []int:
		t := starlark.Tuple{}
		for _, n := range v {
			t = append(t, starlark.MakeInt(n))
		}
		return t
	case system.Pairs:
		d := starlark.NewDict(len(v))
		for _, one := range v {
			if err := d.SetKey(valueOf(one[0]), valueOf(one[1])); err != nil {
				panic(err) // keys are words and numbers
			}
		}
		return d
	}
	panic(fmt.Sprintf("claim: a value of type %T", v))
}

// constant is cfg(name): one of the simulator's own, as a folder says it, or read from the package that uses it.
// Values of the machine come from the reading's machine.
func (s *session) constant(args starlark.Tuple) (any, error) {
	spec, err := preset.GPU(s.reading.Of(s.paper).Word("machine"))
	if err != nil {
		return nil, err
	}
	if e := s.folderOf(s.paper).defined(text(args[0]), func(p *Paper) []definition { return p.constants }); e != "" {
		p, err := predicate.Read(text(args[0]), e)
		if err != nil {
			return nil, err
		}
		return s.expression(p, ofSimulator(spec))
	}
	for _, w := range systemWords() {
		for _, c := range w.Constants {
			if c.Name == text(args[0]) {
				return c.Read(spec), nil
			}
		}
	}
	name := text(args[0])
	s.lackError(unknown{"the simulator has no constant " + name, nearest(name, s.folderOf(s.paper).constantNames())})
	return nothing, nil
}

// ofSimulator are the functions of constants: setting(group, entry, name) is the default of a setting, machine(path) a
// value of the machine, and codec(name) the latencies and energies of a codec without a code of its own.
func ofSimulator(spec *parameter.GPU) starlark.StringDict {
	names := starlark.StringDict{}
	put := func(name, want string, count int, f func(args starlark.Tuple) (any, error)) {
		names[name] = starlark.NewBuiltin(name, function(want, count, false, f))
	}
	put("setting", "a group, an entry and a setting", 3, func(args starlark.Tuple) (any, error) {
		if g := scheme.Find(text(args[0])); g != nil {
			if f := g.Setting(text(args[1]), text(args[2])); f != nil {
				return f.Default, nil
			}
		}
		return nil, fmt.Errorf("no setting %s", args)
	})
	put("machine", "a path", 1, func(args starlark.Tuple) (any, error) {
		e := spec.Values().Find(text(args[0]))
		switch {
		case args[0] == starlark.String("name"):
			return spec.Name, nil
		case e == nil:
			return nil, fmt.Errorf("no value %s", args)
		}
		if n, err := strconv.Atoi(e.Text()); err == nil {
			return n, nil
		}
		return e.Text(), nil
	})
	put("codec", "a codec", 1, func(args starlark.Tuple) (any, error) {
		c, err := codecs.ByName(text(args[0]), nil)
		if err != nil {
			return nil, err
		}
		i := c.Info()
		return system.Pairs{
			{"compress", i.Timing.CompressCycles}, {"decompress", i.Timing.DecompressCycles},
			{"l1Compress", i.Cost.L1CompressCycles}, {"l1Decompress", i.Cost.L1DecompressCycles},
			{"compressPJ", i.Cost.CompressPJ}, {"decompressPJ", i.Cost.DecompressPJ},
		}, nil
	})
	return names
}

// test is unit(name): it ties a name to the test function that asserts it. A test of this package checks that the
// function exists.
func (s *session) test(args starlark.Tuple) (any, error) {
	papers, testsOf := s.folderOf(s.paper).vocabulary(), func(p *Paper) []test { return p.tests }
	if t := found(papers, testsOf, func(t *test) bool { return t.name == text(args[0]) }); t != nil {
		s.note("asserted by " + t.function + " of " + t.folder)
		return true, nil
	}
	name := text(args[0])
	s.lackError(unknown{"test " + name + " does not exist", nearest(name, s.folderOf(s.paper).testNames())})
	return false, nil
}

// regions is n_regions(program): the number of buffers that a program marks as safe to approximate.
func (s *session) regions(args starlark.Tuple) (any, error) {
	id := text(args[0])
	if n, known := s.safe[id]; known {
		return n, nil
	}
	w, err := s.reading.Workload(s.paper, id)
	if err != nil {
		s.lackError(err)
		return nothing, nil
	}
	info, err := programs.Describe(w.Name)
	if err != nil {
		return nil, err
	}
	p, err := programs.Build(w.Name, programs.Params{Size: info.Sizes[0], Data: w.Data})
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range p.Buffers {
		if p.Buffers[i].Safe {
			n++
		}
	}
	s.safe[id] = n
	return n, nil
}
