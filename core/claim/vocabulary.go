package claim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"go.starlark.net/starlark"
)

// names returns the names that predicates may use. They stay the same in a session.
func (s *session) names() starlark.StringDict {
	if s.known != nil {
		return s.known
	}
	d := predicate.Functions()
	s.known = d
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
	if s.under.reading != nil {
		for _, one := range s.under.reading.sets {
			d[one[0]] = d[one[1]]
		}
	}
	put := func(name string, f predicate.Builtin) { d[name] = starlark.NewBuiltin(name, f) }
	put("v", s.value)
	put("gm", s.mean(true))
	put("am", s.mean(false))
	put("n_regions", function("a workload", 1, false, s.regions))
	put("measure", function("a measure, a program and a list of systems", 3, true, s.measure))
	put("joules", function("a system, a program and parts of the account", 2, true, s.joules))
	put("geomean", function("a list", 1, true, s.geomean))
	put("absent", function("a reason", 0, true, func(args starlark.Tuple) (any, error) {
		return s.absent(joinedWords(args)), nil
	}))
	put("cfg", function("the name of a constant", 1, false, s.constant))
	put("unit", function("the name of a test", 1, false, s.test))
	s.addWords(d)
	return d
}

// nothing stands for a missing value. Its row is not measured, whatever the predicate
// makes of it.
var nothing = starlark.Float(math.NaN())

// request is a call of v, gm or am.
type request struct {
	metric, system, base string
	on, of               settings // of the system and of the base
	x                    extras
	given                []string // words with other values than the usual ones
	lacks                []error
}

// sharedKeys apply to a system and its base alike.
var sharedKeys = []string{"mag", "l1", "clock", "machine"}

func (s *session) readRequest(name string, args starlark.Tuple, kwargs []starlark.Tuple) (*request, error) {
	var metric, system string
	var of starlark.Value
	if err := starlark.UnpackPositionalArgs(name, args, nil, 3, &metric, &system, &of); err != nil {
		return nil, fmt.Errorf("%w: give a metric, a system and programs, such as v('cr_raw', 'BDI', 'TP')", err)
	}
	r := &request{metric: metric, system: system, on: s.settings(), of: defaultSettings()}
	for _, kw := range kwargs {
		key, value := string(kw[0].(starlark.String)), predicate.Plain(kw[1])
		on, of := r.on, r.of
		var errs []error
		switch {
		case key == "over":
			var isText bool
			if r.base, isText = value.(string); !isText || r.base == "" {
				errs = append(errs, unknown{fmt.Sprintf("the base over=%v is not a system", value), "give its name in quotes"})
			}
		case key == "lo" || key == "hi":
			n, ok := value.(int)
			if !ok {
				return nil, fmt.Errorf("%s: want a number of bytes", key)
			}
			*map[string]*float64{"lo": &r.x.lo, "hi": &r.x.hi}[key] = float64(n)
		case key == "top":
			n, ok := value.(int)
			if r.x.top = n; !ok || n < 1 {
				errs = append(errs, unknown{fmt.Sprintf("setting top=%v does not exist here", value), "give a whole number above 0"})
			}
		case strings.HasPrefix(key, "over_"):
			errs = append(errs, r.of.set(strings.TrimPrefix(key, "over_"), value))
		case slices.Contains(sharedKeys, key):
			errs = append(errs, r.on.set(key, value), r.of.set(key, value))
		default:
			errs = append(errs, r.on.set(key, value))
		}
		if r.on != on || r.of != of {
			r.given = append(r.given, key)
		}
		for _, err := range errs {
			if err != nil {
				r.lacks = append(r.lacks, err)
			}
		}
	}
	r.replace(r.given)
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
	for _, err := range r.lacks {
		s.lackError(err)
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
	asked := shipped(s.paper) == nil || !shipped(s.paper).unbound
	if asked && r.on.machine == "" && slices.Contains(timeMetrics, r.metric) && !slices.Contains(s.timed, id) {
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
	switch err.(type) {
	case missing, unknown:
		s.lackError(err)
		return math.NaN(), nil
	}
	return value, err
}

func (s *session) value(
	thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	r, err := s.readRequest(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	from := len(s.asked)
	value, f, err := s.of(r, text(args[2]))
	s.uses(thread, r, from)
	s.formula, s.zeros = f, nil
	return starlark.Float(value), err
}

func (s *session) mean(isGeometric bool) predicate.Builtin {
	return func(
		thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		r, err := s.readRequest(b.Name(), args, kwargs)
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
		from := len(s.asked)
		var list []float64
		var of []*Formula
		for _, id := range ids {
			value, f, err := s.of(r, text(id))
			if err != nil {
				return nil, err
			}
			list, of = append(list, value), append(of, f)
		}
		s.uses(thread, r, from)
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

// noZero takes the place of exact zeros in geometric means.
const noZero = 1e-9

// Zeros counts the values of a geometric mean that are exactly 0. One zero pulls the mean
// far down, because it counts as 1e-9; the mean of the other values stands beside it.
type Zeros struct {
	Zeros int `json:"zeros"`
	Of    int `json:"of"`
	// Without is the geometric mean of the other values; nil if all are 0.
	Without *float64 `json:"without"`
}

// errorMetrics are the metrics that are exactly 0 where nothing was approximated. Their
// geometric means always come with a count of zeros.
var errorMetrics = []string{
	"err", "mre", "mre_capped", "mre_capped_nonzero", "mre_nonzero", "axbench_error", "miss_rate",
}

// geometric returns the geometric mean of a list, and its zeros if the metric is an
// error or there are any.
func geometric(list []float64, metric string) (float64, *Zeros) {
	z := &Zeros{Of: len(list)}
	var all, others []float64
	for _, f := range list {
		if f == 0 {
			z.Zeros++
			all = append(all, noZero)
			continue
		}
		all, others = append(all, f), append(others, f)
	}
	if len(others) > 0 {
		without := predicate.Mean(others, true)
		z.Without = &without
	}
	if z.Zeros == 0 && !slices.Contains(errorMetrics, metric) || slices.ContainsFunc(list, math.IsNaN) {
		z = nil
	}
	return predicate.Mean(all, true), z
}

// noMean says why values have no mean.
func noMean(list []float64) string {
	for _, f := range list {
		if f < 0 {
			return fmt.Sprintf("a geometric mean of %g does not exist: use the arithmetic one, or values of at least 0", f)
		}
	}
	return "the mean is not a finite number"
}

// String says it in words.
func (z *Zeros) String() string {
	switch z.Zeros {
	case 0:
		return fmt.Sprintf("none of %d values is exactly 0", z.Of)
	case z.Of:
		return fmt.Sprintf("all %d values are exactly 0 and count as %g", z.Of, noZero)
	}
	verb := "are exactly 0 and count"
	if z.Zeros == 1 {
		verb = "is exactly 0 and counts"
	}
	return fmt.Sprintf("%d of %d values %s as %g; the mean of the other %d is %.4g", z.Zeros, z.Of, verb, noZero, z.Of-z.Zeros, *z.Without)
}

// ZeroWords says of each geometric mean of errors in the panel how many zeros it holds.
func (p *DrawnPanel) ZeroWords() []string {
	var words []string
	for i := range p.Series {
		for c, z := range p.Series[i].Zeros {
			if z != nil {
				words = append(words, fmt.Sprintf("%s, %s: %s", p.Series[i].Label, p.Categories[c], z))
			}
		}
	}
	return words
}
