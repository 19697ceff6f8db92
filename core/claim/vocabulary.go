package claim

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// builtin is a function of the vocabulary.
type builtin = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// names returns the names that predicates may use.
func (s *session) names() starlark.StringDict {
	d := confinement()
	d["KiB"], d["MiB"], d["GiB"] = starlark.MakeInt(1<<10), starlark.MakeInt(1<<20), starlark.MakeInt(1<<30)
	for _, set := range s.folderOf(s.paper).sets() {
		if d[set.Name] != nil {
			continue // the folder's own came first
		}
		members := set.Programs
		if s.partial {
			members, _ = s.members(set.Name)
		}
		d[set.Name] = stringList(members)
	}
	put := func(name string, f builtin) { d[name] = starlark.NewBuiltin(name, f) }
	put("v", s.value)
	put("gm", s.mean(true))
	put("am", s.mean(false))
	put("all_w", s.over(func(list []starlark.Value) (int, starlark.Value) {
		return -1, starlark.Bool(!slices.ContainsFunc(list, func(v starlark.Value) bool { return !bool(v.Truth()) }))
	}))
	put("any_w", s.over(func(list []starlark.Value) (int, starlark.Value) {
		return -1, starlark.Bool(slices.ContainsFunc(list, func(v starlark.Value) bool { return bool(v.Truth()) }))
	}))
	put("max_w", s.over(func(list []starlark.Value) (int, starlark.Value) { return -1, list[largest(list, 1)] }))
	put("min_w", s.over(func(list []starlark.Value) (int, starlark.Value) { return -1, list[largest(list, -1)] }))
	put("argmax_w", s.over(func(list []starlark.Value) (int, starlark.Value) { return largest(list, 1), nil }))
	put("std_w", s.over(func(list []starlark.Value) (int, starlark.Value) { return -1, starlark.Float(deviation(floats(list))) }))
	put("corr_w", s.correlation)
	put("argmax_s", s.bestOf)
	put("argmax_level", s.bestLevel)
	put("n_regions", s.regions)
	put("measure", s.measure)
	put("joules", s.joules)
	put("geomean", s.geomean)
	put("undominated", s.undominated)
	put("absent", s.absentWord)
	put("cfg", s.constant)
	put("unit", s.test)
	put("fetch", integers(2, func(n []int) int { return min(128, (n[0]+n[1]-1)/n[1]*n[1]) }))
	put("ceildiv", integers(2, func(n []int) int { return (n[0] + n[1] - 1) / n[1] }))
	put("bits_for", integers(1, func(n []int) int { return bits.Len(uint(max(n[0]-1, 0))) }))
	put("pow", power)
	put("sum", sum)
	put("canonical", canonical)
	s.addWords(d)
	return d
}

func stringList(words []string) *starlark.List {
	l := make([]starlark.Value, len(words))
	for i, w := range words {
		l[i] = starlark.String(w)
	}
	return starlark.NewList(l)
}

// nothing stands for a missing value. Its row is not measured, whatever the predicate
// makes of it.
var nothing = starlark.Float(math.NaN())

// absent is a function of the vocabulary that cannot be computed, for a reason.
func (s *session) absent(why string) builtin {
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
		key, value := string(kw[0].(starlark.String)), plain(kw[1])
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

func plain(v starlark.Value) any {
	switch v := v.(type) {
	case starlark.String:
		return string(v)
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return int(n)
		}
	case starlark.Float:
		return float64(v)
	}
	return v.String()
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

func (s *session) mean(isGeometric bool) builtin {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 3 {
			return nil, fmt.Errorf("%s: give a metric, a system and a set of programs", b.Name())
		}
		r, err := s.readRequest(args, kwargs)
		if err != nil {
			return nil, err
		}
		ids, err := elements(args[2])
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
			return starlark.Float(Mean(list, false)), nil
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

// Mean is the geometric or arithmetic mean.
func Mean(list []float64, geometric bool) float64 {
	total := 0.0
	for _, f := range list {
		if geometric {
			f = math.Log(f)
		}
		total += f
	}
	total /= float64(len(list))
	if geometric {
		return math.Exp(total)
	}
	return total
}

func elements(v starlark.Value) ([]starlark.Value, error) {
	iterable, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("want a list, not %s", v.Type())
	}
	var list []starlark.Value
	it := iterable.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		list = append(list, x)
	}
	return list, nil
}

// over calls a function for each program of a set. reduce returns the place of a program in
// the set, or -1 and a value.
func (s *session) over(reduce func([]starlark.Value) (int, starlark.Value)) builtin {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 2 {
			return nil, fmt.Errorf("%s: want a set and a function", b.Name())
		}
		ids, values, err := apply(thread, args[0], args[1])
		if err != nil || len(ids) == 0 {
			return nil, fmt.Errorf("%s: %v", b.Name(), err)
		}
		at, value := reduce(values)
		if at >= 0 {
			return ids[at], nil
		}
		return value, nil
	}
}

func apply(thread *starlark.Thread, set, f starlark.Value) (ids, values []starlark.Value, err error) {
	if ids, err = elements(set); err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		v, err := starlark.Call(thread, f, starlark.Tuple{id}, nil)
		if err != nil {
			return nil, nil, err
		}
		values = append(values, v)
	}
	return ids, values, nil
}

func floats(list []starlark.Value) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		f, ok := starlark.AsFloat(v)
		if !ok {
			f = math.NaN()
		}
		out[i] = f
	}
	return out
}

// largest is the place of the first largest value; with sign -1 of the first smallest.
func largest(list []starlark.Value, sign float64) int {
	best := 0
	values := floats(list)
	for i, f := range values {
		if float64(sign*f) > float64(sign*values[best]) {
			best = i
		}
	}
	return best
}

// deviation is the standard deviation of the whole list.
func deviation(list []float64) float64 {
	mean, total := Mean(list, false), 0.0
	for _, f := range list {
		total += float64((f - mean) * (f - mean))
	}
	return math.Sqrt(total / float64(len(list)))
}

// correlation is Pearson's correlation of two functions of a program.
func (s *session) correlation(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 3 {
		return nil, fmt.Errorf("%s: want a set and two functions", b.Name())
	}
	_, first, err := apply(thread, args[0], args[1])
	if err != nil {
		return nil, err
	}
	_, second, err := apply(thread, args[0], args[2])
	if err != nil {
		return nil, err
	}
	x, y := floats(first), floats(second)
	mx, my, total := Mean(x, false), Mean(y, false), 0.0
	for i := range x {
		total += float64((x[i] - mx) * (y[i] - my))
	}
	return starlark.Float(total / float64(len(x)) / (deviation(x) * deviation(y))), nil
}

// bestOf is the element of a list at which a function is largest.
func (s *session) bestOf(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("%s: want a function and a list", b.Name())
	}
	points, values, err := apply(thread, args[1], args[0])
	if err != nil || len(points) == 0 {
		return nil, fmt.Errorf("%s: %v", b.Name(), err)
	}
	return points[largest(values, 1)], nil
}
