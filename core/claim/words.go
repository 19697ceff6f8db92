package claim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
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
type definition struct{ name, text string }

// defined returns the metric or word of a name; "" if there is none.
func (p *Paper) defined(name string, of func(p *Paper) []definition) string {
	for _, paper := range p.vocabulary() {
		for _, d := range of(paper) {
			if d.name == name {
				return d.text
			}
		}
	}
	return ""
}

func metricsOf(p *Paper) []definition { return p.metrics }
func wordsOf(p *Paper) []definition   { return p.words }

// addWords adds the lists, functions and words of papers and systems that an expression names.
func (s *session) addWords(names starlark.StringDict) {
	folder := s.folderOf(s.paper)
	for _, p := range folder.vocabulary() {
		for _, l := range p.lists {
			names[l.name] = starlark.NewList(slices.Clone(l.values))
		}
		for _, d := range p.absent {
			names[d.name] = starlark.NewBuiltin(d.name, s.absent(d.text))
		}
		for _, d := range p.words {
			names[d.name] = starlark.NewBuiltin(d.name, s.word(d))
		}
	}
	for _, w := range systemWords() {
		for _, f := range w.Functions {
			names[f.Name] = starlark.NewBuiltin(f.Name, function(f))
		}
	}
}

// word is a function that a folder defines.
func (s *session) word(d definition) predicate.Builtin {
	return func(
		thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		lacked := s.lacked
		f, err := s.evaluate(d.name, d.text)
		if err != nil {
			return nil, err
		}
		v, err := starlark.Call(thread, f, args, kwargs)
		if _, isNumber := v.(starlark.Float); err == nil && isNumber && s.lacked > lacked {
			return nothing, nil
		}
		return v, err
	}
}

// function is one of a system.
func function(f system.Function) predicate.Builtin {
	return func(
		_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		given := make([]starlark.Value, len(f.Parameters))
		var pairs []any
		for i, name := range f.Parameters {
			pairs = append(pairs, name, &given[i])
		}
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, pairs...); err != nil {
			return nil, err
		}
		values := make([]any, len(given))
		for i, v := range given {
			if v != nil {
				values[i] = predicate.Plain(v)
			}
		}
		v, err := f.Call(values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name(), err)
		}
		return valueOf(v), nil
	}
}

// derived is the value of a metric that a folder defines, for one program. In its formula, v and so on begin with the
// settings of the request.
func (s *session) derived(text string, r *request, id string) (float64, *Formula, error) {
	e, err := predicate.Parse(r.metric, text)
	if err != nil {
		return 0, nil, err
	}
	called := isCall(e)
	p, err := predicate.Confine(e)
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

// at returns a system on a program.
func (s *session) at(system, id string, set settings) (*point, error) {
	p, err := s.point(system, id, set)
	if err != nil {
		return nil, missing{err.Error()}
	}
	return p, nil
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
		p, err := s.at(name, id, s.settings())
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
func (s *session) measure(
	_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) < 3 {
		return nil, fmt.Errorf("%s: give a measure, a program and a list of systems", b.Name())
	}
	name, _ := starlark.AsString(args[0])
	id, _ := starlark.AsString(args[1])
	list, err := predicate.Elements(args[2])
	if err != nil {
		return nil, err
	}
	var systems []string
	for _, v := range list {
		system, ok := starlark.AsString(v)
		if !ok {
			return nothing, nil // it is absent
		}
		systems = append(systems, system)
	}
	var more []any
	for _, v := range args[3:] {
		more = append(more, predicate.Plain(v))
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
			value, err := m.Value(runs, more)
			var lack system.Lack
			var note system.Note
			switch {
			case errors.As(err, &lack):
				s.lack(err.Error())
				return nothing, nil
			case errors.As(err, &note):
				s.note(id + " " + err.Error())
				return starlark.Float(0), nil
			}
			return starlark.Float(value), err
		}
	}
	s.lack("measure " + name + " does not exist")
	return nothing, nil
}

// joules is joules(system, program, parts ...): the energy of parts of a run's account; without parts all of it.
func (s *session) joules(
	_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) < 2 {
		return nil, fmt.Errorf("%s: give a system, a program and parts of the account", b.Name())
	}
	words := make([]string, len(args))
	for i, v := range args {
		words[i], _ = starlark.AsString(v)
	}
	runs := s.runsOf(words[1], words[0])
	if len(runs) == 0 {
		return nothing, nil
	}
	account := runs[0].(measuredRun).Energy
	if account == nil {
		s.lack("energy of " + words[1])
		return nothing, nil
	}
	total := uint64(0)
	for i := range account.Parts {
		if p := &account.Parts[i]; len(words) == 2 || slices.Contains(words[2:], p.Name) {
			total += p.Femtojoules
		}
	}
	return starlark.Float(float64(total) * 1e-15), nil
}

// absentWord is absent(words ...): a value that cannot be measured, for a reason.
func (s *session) absentWord(
	_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	s.lack(joinedWords(args))
	return nothing, nil
}

func joinedWords(args starlark.Tuple) string {
	var words []string
	for _, v := range args {
		words = append(words, fmt.Sprint(predicate.Plain(v)))
	}
	return strings.Join(words, " ")
}

// geomean is geomean(list, words ...): the geometric mean of errors, with a note on its zeros.
func (s *session) geomean(
	_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("%s: give a list", b.Name())
	}
	list, err := predicate.Elements(args[0])
	if err != nil || len(list) == 0 {
		return nil, fmt.Errorf("%s: give a list of numbers", b.Name())
	}
	mean, zeros := geometric(predicate.Floats(list), "err")
	if zeros != nil {
		s.note(joinedWords(args[1:]) + ": " + zeros.String())
	}
	return starlark.Float(mean), nil
}

// valueOf is a value of Go in predicates.
func valueOf(v any) starlark.Value {
	switch v := v.(type) {
	case int:
		return starlark.MakeInt(v)
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

// constant is cfg(name): one of the simulator's own, read from the package that uses it. Values of the
// machine come from the reading's machine.
func (s *session) constant(
	_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want the name of a constant", b.Name())
	}
	key, _ := starlark.AsString(args[0])
	for _, w := range systemWords() {
		for _, c := range w.Constants {
			if c.Name != key {
				continue
			}
			spec, err := preset.GPU(s.reading.Of(s.paper).Word("machine"))
			if err != nil {
				return nil, err
			}
			value := c.Read(spec)
			if why, other := value.(error); other {
				s.lack(why.Error())
				return nothing, nil
			}
			return valueOf(value), nil
		}
	}
	s.lack("the simulator has no constant " + key)
	return nothing, nil
}
