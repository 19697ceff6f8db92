package claim

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload/programs"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A name in a paper's file that nothing defines is a fault of the file, with its place and the nearest right name. A
// row that needs something that does not exist here says so with absent(), so that a misspelling cannot look like it.

// unknown is such a name, and how to mend it.
type unknown struct{ what, mend string }

func (u unknown) Error() string { return u.what }

// fault is the error of a file.
func (u unknown) fault() error { return fmt.Errorf("%s: %s", u.what, u.mend) }

// likely asks whether a wrong name means the right one that is like it; "" if none is.
func likely(got string, right []string) string {
	if near := fault.Nearest(got, right); near != "" && near != got {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// nearest says which of the right names a wrong one most likely means, or names all.
func nearest(got string, right []string) string {
	if question := likely(got, right); question != "" {
		return question
	}
	right = slices.Compact(slices.Sorted(slices.Values(right)))
	if len(right) == 0 || len(right) > fault.ListedMost {
		return "no name is like it; core/claim/README.md lists them"
	}
	return "use one of " + strings.Join(right, ", ")
}

// The names of each kind. The Paper of those with one may be nil.

// namesOf are the names that one kind of definition has in some papers.
func namesOf[T any](papers []*Paper, of func(p *Paper) []T, name func(one *T) string) (names []string) {
	for _, p := range papers {
		list := of(p)
		for i := range list {
			names = append(names, name(&list[i]))
		}
	}
	return names
}

func (p *Paper) systemNames() []string {
	return namesOf(p.vocabulary(), systemsOf, func(y *System) string { return y.Name })
}

func (p *Paper) setNames() []string {
	return namesOf(p.vocabulary(), func(p *Paper) []Set { return p.Sets }, func(s *Set) string { return s.Name })
}

// relatives are metrics of a system over a base.
var relatives = []string{"speedup", "energy_x", "bw_x"}

// ofTraffic are metrics of the blocks that cross the controllers, and the bounds that they take.
var ofTraffic = map[string][]string{
	"cr_entropy16": nil, "escape_prefix_bits": nil, "frac_blocks_1_16_above_mag": nil,
	"frac_blocks_in": {"lo", "hi"}, "frac_blocks_at_above_mag": {"lo"},
}

func (p *Paper) metricNames() []string {
	names := slices.Concat(relatives, slices.Sorted(maps.Keys(ofTraffic)))
	for i := range metric.Table {
		if name := metric.Table[i].Claim; name != "" {
			names = append(names, name)
		}
		names = append(names, metric.Table[i].Name)
	}
	return append(names, namesOf(p.vocabulary(), metricsOf, func(d *definition) string { return d.name })...)
}

// ownKeys are the words of calls that no paper defines.
var ownKeys = []string{
	"mag", "thr", "pdw", "mfv", "bw", "channels", "clock", "sample", "comp", "decomp", "q", "machine", "header", "prob",
	"lat",
}

// keyNames are the words that a call of v, gm or am takes.
func keyNames() []string {
	own := namesOf(heads(), func(p *Paper) []keyword { return p.keywords }, func(k *keyword) string { return k.name })
	return slices.Concat([]string{"over", "lo", "hi", "top"}, ownKeys, own)
}

func (p *Paper) constantNames() []string {
	constants := func(p *Paper) []definition { return p.constants }
	names := namesOf(p.vocabulary(), constants, func(d *definition) string { return d.name })
	for _, w := range systemWords() {
		for _, c := range w.Constants {
			names = append(names, c.Name)
		}
	}
	return names
}

func (p *Paper) testNames() []string {
	return namesOf(p.vocabulary(), func(p *Paper) []test { return p.tests }, func(t *test) string { return t.name })
}

func measureNames() (names []string) {
	for _, w := range systemWords() {
		for _, m := range w.Measures {
			names = append(names, m.Name)
		}
	}
	return names
}

// partNames are the parts of accounts of energy.
func partNames() []string {
	names := account.Parts()
	for _, c := range scheme.Charges {
		names = append(names, c.Part)
	}
	return names
}

// overridePaths are the paths of values of machines in scenarios.
func overridePaths() (paths []string) {
	spec, err := preset.GPU(DefaultMachine)
	if err != nil {
		panic(err) // it is part of the program
	}
	for _, e := range spec.Values().Entries() {
		paths = append(paths, overridePrefix+e.Path)
	}
	return paths
}

// noPath says that no scenario has a path; "" if scenarios have it.
func noPath(path string) string {
	known := scenario.Paths()
	if strings.HasPrefix(path, overridePrefix) {
		known = overridePaths()
	}
	if slices.Contains(known, path) {
		return ""
	}
	return "no such path: " + fault.Quote(path) + ": " + nearest(path, known)
}

// noProgram says that there is no such program; "" if it can run.
func (p *Paper) noProgram(id string) string {
	if _, err := programs.Describe(either(p.program(id).Workload, id)); err == nil {
		return ""
	}
	var known []string
	if p != nil {
		known = namesOf([]*Paper{p}, programsOf, func(one *Program) string { return one.ID })
	}
	known = slices.Concat(known, programs.Aliases(), programs.Names())
	return "unknown program " + fault.Quote(id) + ": " + either(likely(id, known), "burstscope workloads lists them")
}

// valuesOf says which values a word of a call takes, or which word is meant.
func valuesOf(key string) string {
	k := keywordOf(key)
	switch {
	case k == nil && slices.Contains(ownKeys, key):
		return "core/claim/README.md lists the values of " + key
	case k == nil:
		return nearest(key, keyNames())
	}
	var values []string
	for _, word := range slices.Sorted(maps.Keys(k.words)) {
		values = append(values, fmt.Sprintf("%q", word))
	}
	switch {
	case k.share:
		values = append(values, "a share above 0 and up to 1")
	case len(k.to) > 0 && k.until > 0:
		values = append(values, fmt.Sprintf("a whole number from %d to %d", k.from, k.until))
	case len(k.to) > 0:
		values = append(values, fmt.Sprintf("a whole number from %d", k.from))
	}
	return "use " + strings.Join(values, ", or ")
}

// keysOf are the keys that a structure of a file has; nil if it takes any.
func keysOf(of reflect.Type) (keys []string) {
	for i := range of.NumField() {
		key, _, _ := strings.Cut(of.Field(i).Tag.Get(keyTag), ",")
		if key == restKey {
			return nil
		}
		if key != "" && key != nameKey && key != wholeKey && key != whereKey {
			keys = append(keys, key)
		}
	}
	return keys
}

// unknownNames finds the names of an expression that nothing defines, each with its place in it, whether or not an
// evaluation comes to them: names, and literal arguments of functions over results. Further names are those of the
// place where the expression stands. An expression with a fault of another kind has none.
func (p *Paper) unknownNames(title, text string, further ...string) []error {
	if p == nil {
		p = &Paper{}
	}
	e, err := predicate.Parse(title, text)
	if err != nil {
		return nil
	}
	calls := &literals{paper: p}
	syntax.Walk(e, func(n syntax.Node) bool {
		if c, is := n.(*syntax.CallExpr); is {
			calls.call(c)
		}
		return true
	})
	s := &session{Ledger: p.Ledger(nil), paper: p.Name}
	known := slices.Concat(slices.Sorted(maps.Keys(s.names())), further)
	words := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return strings.HasPrefix(name, "_") })
	for _, one := range predicate.Undefined(e, func(name string) bool { return slices.Contains(known, name) }) {
		what := unknown{one.Place + ": undefined: " + one.Name, nearest(one.Name, words)}
		calls.faults = append(calls.faults, what.fault())
	}
	return calls.faults
}

// literals are the calls of an expression whose arguments stand in it.
type literals struct {
	paper  *Paper
	faults []error
}

// is checks a text of a kind.
func (l *literals) is(kind string, e syntax.Expr, known []string) {
	literal, is := e.(*syntax.Literal)
	if !is {
		return
	}
	name, isText := literal.Value.(string)
	if !isText || slices.Contains(known, name) {
		return
	}
	l.add(literal.TokenPos, "unknown "+kind+" "+fault.Quote(name), nearest(name, known))
}

func (l *literals) add(at syntax.Position, what, mend string) {
	l.faults = append(l.faults, unknown{at.String() + ": " + what, mend}.fault())
}

// system checks a system, or the parts of a combination.
func (l *literals) system(e syntax.Expr) {
	if literal, is := e.(*syntax.Literal); is {
		name, isText := literal.Value.(string)
		if !isText {
			return
		}
		for _, part := range strings.Split(name, "+") {
			l.is("system", &syntax.Literal{TokenPos: literal.TokenPos, Value: part}, l.paper.systemNames())
		}
	}
}

// program checks a program, or each of a list.
func (l *literals) program(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ListExpr:
		for _, one := range e.List {
			l.program(one)
		}
	case *syntax.Literal:
		name, isText := e.Value.(string)
		if what := l.paper.noProgram(name); isText && what != "" {
			l.faults = append(l.faults, fmt.Errorf("%s: %s", e.TokenPos, what))
		}
	}
}

// ofRuns reports whether a metric is not a formula, which may have a meaning of its own for a system.
func (l *literals) ofRuns(e syntax.Expr) bool {
	literal, is := e.(*syntax.Literal)
	if !is {
		return false
	}
	name, _ := literal.Value.(string)
	return l.paper.defined(name, metricsOf) == ""
}

// call checks one call.
func (l *literals) call(c *syntax.CallExpr) {
	name, is := c.Fn.(*syntax.Ident)
	if !is {
		return
	}
	var args []syntax.Expr
	var keys []*syntax.BinaryExpr
	for _, a := range c.Args {
		if b, is := a.(*syntax.BinaryExpr); is && b.Op == syntax.EQ {
			keys = append(keys, b)
			continue
		}
		args = append(args, a)
	}
	arg := func(i int) syntax.Expr {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	switch name.Name {
	case "v", "gm", "am":
		l.is("metric", arg(0), l.paper.metricNames())
		if l.ofRuns(arg(0)) {
			l.system(arg(1))
		}
		l.program(arg(2))
		for _, k := range keys {
			l.key(k, arg(0))
		}
	case "joules":
		l.system(arg(0))
		l.program(arg(1))
		for i := 2; i < len(args); i++ {
			l.is("part of the energy", args[i], partNames())
		}
	case "measure":
		l.is("measure", arg(0), measureNames())
		l.program(arg(1))
		if list, is := arg(2).(*syntax.ListExpr); is {
			for _, e := range list.List {
				l.system(e)
			}
		}
	case "n_regions":
		l.program(arg(0))
	case "cfg":
		l.is("constant", arg(0), l.paper.constantNames())
	case "unit":
		l.is("test", arg(0), l.paper.testNames())
	}
}

// key checks a word of a call, and that the metric takes it.
func (l *literals) key(k *syntax.BinaryExpr, of syntax.Expr) {
	word, is := k.X.(*syntax.Ident)
	if !is {
		return
	}
	own := strings.TrimPrefix(word.Name, "over_")
	switch {
	case !slices.Contains(keyNames(), own):
		l.add(word.NamePos, "unknown word "+fault.Quote(word.Name), nearest(own, keyNames()))
	case word.Name == "over":
		l.system(k.Y)
	case slices.Contains([]string{"lo", "hi", "top"}, word.Name):
		if literal, is := of.(*syntax.Literal); is {
			name, _ := literal.Value.(string)
			formula := l.paper.defined(name, metricsOf)
			inFormula := word.Name != "hi" && strings.Contains(formula, strings.ToUpper(word.Name))
			if !inFormula && !slices.Contains(ofTraffic[name], word.Name) {
				l.add(word.NamePos, "the metric "+fault.Quote(name)+" takes no word "+word.Name, "remove it")
			}
		}
	}
}

// use is a word in one call of v, gm or am, at its place in an expression.
type use struct {
	place, word string
	effect      bool // a system of the call took it
}

// uses notes which words of a call had an effect on one of the points that were asked for since.
func (s *session) uses(thread *starlark.Thread, r *request, from int) {
	if len(s.asked) == from {
		return // a name is unknown
	}
	place := thread.CallFrame(1).Pos.String()
	for _, key := range r.given {
		word := strings.TrimPrefix(key, "over_")
		effect := slices.ContainsFunc(s.asked[from:], func(p *point) bool { return slices.Contains(p.words, word) })
		at := slices.IndexFunc(s.words, func(u use) bool { return u.place == place && u.word == key })
		if at < 0 {
			at = len(s.words)
			s.words = append(s.words, use{place: place, word: key})
		}
		s.words[at].effect = s.words[at].effect || effect
	}
}

// wrong records a fault of the file that the expression stands in.
func (s *session) wrong(err error) {
	known := func(old error) bool { return old.Error() == err.Error() }
	if !slices.ContainsFunc(s.faults, known) {
		s.faults = append(s.faults, err)
	}
}

// lackError records why a value cannot be computed. If no run could bring it, the file is wrong.
func (s *session) lackError(err error) {
	if err == nil {
		return
	}
	s.lack(err.Error())
	var name unknown
	switch {
	case errors.As(err, &name):
		s.wrong(name.fault())
	case !errors.As(err, new(missing)):
		s.wrong(err)
	}
}

// allFaults are those that the evaluation came to, with the words that had no effect.
func (s *session) allFaults() []error {
	list := slices.Clone(s.faults)
	for _, u := range s.words {
		if !u.effect {
			list = append(list, fmt.Errorf("%s: the word %s= changes nothing: no system of this call has such a "+
				"setting: remove it, or name another system", u.place, u.word))
		}
	}
	return list
}
