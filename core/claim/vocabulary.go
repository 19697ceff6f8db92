package claim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/claim/predicate"
)

// names returns the names that predicates may use.
func (s *session) names() starlark.StringDict {
	d := predicate.Functions()
	for _, set := range s.folderOf(s.paper).sets() {
		if d[set.Name] != nil {
			continue // the folder's own came first
		}
		members := set.Programs
		if s.partial {
			members, _ = s.members(set.Name)
		}
		d[set.Name] = predicate.Strings(members)
	}
	put := func(name string, f predicate.Builtin) { d[name] = starlark.NewBuiltin(name, f) }
	put("v", s.value)
	put("gm", s.mean(true))
	put("am", s.mean(false))
	put("argmax_level", s.bestLevel)
	put("n_regions", s.regions)
	put("measure", s.measure)
	put("joules", s.joules)
	put("geomean", s.geomean)
	put("absent", s.absentWord)
	put("cfg", s.constant)
	put("unit", s.test)
	s.addWords(d)
	return d
}

// nothing stands for a missing value. Its row is not measured, whatever the predicate
// makes of it.
var nothing = starlark.Float(math.NaN())

// absent is a function of the vocabulary that cannot be computed, for a reason.
func (s *session) absent(why string) predicate.Builtin {
	return func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		s.lack(why)
		return nothing, nil
	}
}

// request is a call of v, gm or am.
type request struct {
	metric, system, base string
	on, of               settings // of the system and of the base
	x                    extras
	lacks                []string
}

// sharedKeys apply to a system and its base alike.
var sharedKeys = []string{"mag", "l1", "clock", "machine"}

func (s *session) readRequest(args starlark.Tuple, kwargs []starlark.Tuple) (*request, error) {
	metric, ok := starlark.AsString(args[0])
	system, ok2 := starlark.AsString(args[1])
	if !ok || !ok2 {
		return nil, fmt.Errorf("give a metric, a system and programs, such as v('cr_raw', 'BDI', 'TP')")
	}
	r := &request{metric: metric, system: system, on: s.settings(), of: defaultSettings()}
	var given []string // words with other values than the usual ones
	for _, kw := range kwargs {
		key, value := string(kw[0].(starlark.String)), predicate.Plain(kw[1])
		var errs []error
		switch {
		case key == "over":
			r.base, _ = value.(string)
		case key == "lo" || key == "hi":
			n, ok := value.(int)
			if !ok {
				return nil, fmt.Errorf("%s: want a number of bytes", key)
			}
			if key == "lo" {
				r.x.lo = float64(n)
			} else {
				r.x.hi = float64(n)
			}
		case key == "top":
			n, ok := value.(int)
			if r.x.top = n; !ok || n < 1 {
				errs = append(errs, fmt.Errorf("setting top=%v does not exist here", value))
			}
		case strings.HasPrefix(key, "over_"):
			errs = append(errs, r.of.set(strings.TrimPrefix(key, "over_"), value))
		case slices.Contains(sharedKeys, key):
			errs = append(errs, r.on.set(key, value), r.of.set(key, value))
		default:
			own := r.on.own
			errs = append(errs, r.on.set(key, value))
			if r.on.own != own {
				given = append(given, key)
			}
		}
		for _, err := range errs {
			if err != nil && !slices.Contains(r.lacks, err.Error()) {
				r.lacks = append(r.lacks, err.Error())
			}
		}
	}
	r.replace(given)
	return r, nil
}

// replace puts another system in the place of one that a word changes into it, and of a base that is the same.
func (r *request) replace(words []string) {
	y := systemOf(r.system)
	for _, word := range words {
		if y == nil || y.with[word] == "" {
			continue
		}
		if r.on.instead = y.with[word]; r.base == r.system {
			r.of.instead = r.on.instead
		}
	}
}

// of is the value of a request for one program, with its formula. A missing value is NaN
// and recorded.
func (s *session) of(r *request, id string) (float64, *Formula, error) {
	for _, what := range r.lacks {
		s.lack(what)
	}
	text := s.folderOf(s.paper).defined(r.metric, metricsOf)
	if text != "" && len(r.lacks) == 0 && (s.within == nil || s.within.metric != r.metric) {
		value, f, err := s.derived(text, r, id)
		value, err = s.caught(value, err)
		return value, f, err
	}
	p, err := s.point(r.system, id, r.on)
	s.lackError(err)
	var base *point
	if r.base != "" {
		b, errBase := s.point(r.base, id, r.of)
		s.lackError(errBase)
		base = b
	}
	if p == nil || r.base != "" && base == nil || len(r.lacks) > 0 {
		return math.NaN(), nil, nil
	}
	s.moves = s.moves || slices.Contains(timeMetrics, r.metric)
	// Which programs wait for DRAM is known of the reading's machine alone.
	if r.on.machine == "" && slices.Contains(timeMetrics, r.metric) && !slices.Contains(s.timed, id) && (shipped(s.paper) == nil || !shipped(s.paper).unbound) {
		s.timed = append(s.timed, id)
	}
	var value float64
	var f *Formula
	if r.base != "" {
		value, f, err = s.relative(r.metric, p, base)
	} else {
		value, f, err = s.absolute(r.metric, p, r.x)
	}
	value, err = s.caught(value, err)
	return value, f, err
}

// caught records a missing value and passes other errors on.
func (s *session) caught(value float64, err error) (float64, error) {
	if m, ok := err.(missing); ok {
		s.lack(m.what)
		return math.NaN(), nil
	}
	return value, err
}

func (s *session) value(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 3 {
		return nil, fmt.Errorf("%s: give a metric, a system and a program", b.Name())
	}
	r, err := s.readRequest(args, kwargs)
	if err != nil {
		return nil, err
	}
	id, _ := starlark.AsString(args[2])
	value, f, err := s.of(r, id)
	s.formula, s.zeros = f, nil
	return starlark.Float(value), err
}

func (s *session) mean(isGeometric bool) predicate.Builtin {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 3 {
			return nil, fmt.Errorf("%s: give a metric, a system and a set of programs", b.Name())
		}
		r, err := s.readRequest(args, kwargs)
		if err != nil {
			return nil, err
		}
		ids, err := predicate.Elements(args[2])
		if err == nil && len(ids) == 0 && s.partial {
			s.lack("no program of the set exists here")
			return nothing, nil
		}
		if err != nil || len(ids) == 0 {
			return nil, fmt.Errorf("%s: the set has no programs", b.Name())
		}
		var list []float64
		var of []*Formula
		for _, id := range ids {
			name, _ := starlark.AsString(id)
			value, f, err := s.of(r, name)
			if err != nil {
				return nil, err
			}
			list, of = append(list, value), append(of, f)
		}
		s.formula, s.zeros = combined(meanOps[isGeometric], of...), nil
		if !isGeometric {
			return starlark.Float(predicate.Mean(list, false)), nil
		}
		mean, zeros := geometric(list, r.metric)
		if math.IsNaN(mean) && slices.ContainsFunc(list, func(f float64) bool { return f < 0 }) {
			return nil, missing{noMean(list)}
		}
		if s.zeros = zeros; zeros != nil {
			s.note(fmt.Sprintf("geometric mean of %s under %s: %s", r.metric, r.system, zeros))
		}
		return starlark.Float(mean), nil
	}
}

// meanOps are the operations of formulas for means; true is geometric.
var meanOps = map[bool]string{true: "geomean", false: "mean"}
