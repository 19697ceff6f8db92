package claim

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"go.starlark.net/starlark"
)

// Figure is a figure of a paper: expressions over results in the vocabulary of the claims.
// The expressions determine its runs.
type Figure struct {
	Name  string `key:"figure"` // SLC-7
	Title string `key:"title"`
	Notes string `key:"notes"`
	// Inputs is the number of inputs that each value is measured on, with seeds one above the other from the run's own;
	// 0 = on its own alone.
	Inputs int     `key:"inputs"`
	Panels []Panel `key:"panels"`
}

// InputsMax bounds the inputs of a figure [ours]: twice those of the papers' figures.
const InputsMax = 20

// Paper returns the figure's paper by the name that claims use.
func (f *Figure) Paper() string {
	paper, _, _ := strings.Cut(f.Name, "-")
	return paper
}

// Panel is one chart: a value for each series and category.
type Panel struct {
	Title string `key:"title"`
	Unit  string `key:"unit"`
	Kind  string `key:"kind"` // "bars", or "map" for one row of cells for each series
	// Set and Points are the categories: the programs of a set, called w in the
	// expressions, or points, called x.
	Set    string   `key:"set"`
	Points []int    `key:"points"`
	Axis   string   `key:"axis"` // what the points are
	Mean   string   `key:"mean"` // "geometric", "arithmetic" or none
	Series []Series `key:"series"`
}

// Series is one row of bars or cells.
type Series struct {
	Label string `key:"label"`
	Value string `key:"value"`
	// Each is a set: the series is repeated for each of its programs, w.
	Each string `key:"each"`
	// Paper holds the paper's values by category; "mean" is a category too.
	Paper map[string]number `key:"paper"`
	where string            `key:"@"` // in its file
}

// meanCategory names the mean among the categories.
const meanCategory = "mean"

// Drawing is a figure with its values.
type Drawing struct {
	Name   string        `json:"figure"`
	Paper  string        `json:"paper"`
	Title  string        `json:"title"`
	Notes  string        `json:"notes,omitempty"`
	Data   Data          `json:"data"`
	Panels []*DrawnPanel `json:"panels"`
	// Metrics are those that the formulas name.
	Metrics map[string]Metric `json:"metrics"`
	Missing []string          `json:"missing,omitempty"`
	// Runs are the keys of runs; formulas name them by their places.
	Runs []string `json:"runs"`
	// Inputs is the number of inputs of the spreads of its series; 0 if they have none.
	Inputs int `json:"inputs,omitempty"`
	// Machines are the presets of the runs, if some differ from the reading's machine.
	Machines []string `json:"machines,omitempty"`
	// Reading and NotBound have the meaning that they have in an Outcome.
	Reading  string     `json:"reading,omitempty"`
	NotBound []NotBound `json:"notBoundByMemory,omitempty"`
}

// DrawnPanel is a panel with its values.
type DrawnPanel struct {
	Title      string        `json:"title"`
	Unit       string        `json:"unit"`
	Kind       string        `json:"kind"`
	Axis       string        `json:"axis"`
	Categories []string      `json:"categories"` // the mean is the last, where there is one
	Series     []DrawnSeries `json:"series"`
	// Absent are the programs of the set that do not exist here.
	Absent []string `json:"absent,omitempty"`
}

// DrawnSeries holds for each category our value, the paper's, and the formula of ours over
// runs; a missing one is nil.
type DrawnSeries struct {
	Label    string     `json:"label"`
	Values   []*float64 `json:"values"`
	Paper    []*float64 `json:"paper"`
	Formulas []*Formula `json:"formulas"`
	// Zeros belong to values that are geometric means of errors. The list is empty if the
	// series has no such value.
	Zeros []*Zeros `json:"zeros,omitempty"`
	// Spreads are over all inputs of the figure; the list is empty if it has one.
	Spreads []*Spread `json:"spreads,omitempty"`
}

// Spread is what a value is over several inputs: its arithmetic mean, the least and the greatest.
type Spread struct {
	experiment.Interval
	Mean float64 `json:"mean"`
}

// ParseFigure reads a figure from the tree of its file. It may use the sets of its paper's folder, if there is one.
func ParseFigure(v *scenario.Value, p *Paper) (*Figure, error) {
	f, r := &Figure{}, &reader{setOf: p.setOf, setNames: p.setNames()}
	r.read(v, f)
	if len(r.faults) > 0 {
		return nil, errors.Join(r.faults...)
	}
	return f, nil
}

func (f *Figure) check(r *reader, v *scenario.Value) {
	if f.Name == "" || f.Title == "" || len(f.Panels) == 0 {
		r.fault(v, "a figure needs the keys figure, title and panels")
	}
	if f.Inputs != 0 && (f.Inputs < 2 || f.Inputs > InputsMax) {
		what := fmt.Sprintf("a figure has %d inputs: write 2 to %d, or leave the key out", f.Inputs, InputsMax)
		r.fault(under(v, "inputs"), what)
	}
}

func (p *Panel) check(r *reader, v *scenario.Value) {
	p.Kind = either(p.Kind, "bars")
	for i, n := range p.Points {
		if slices.Contains(p.Points[:i], n) {
			r.fault(&under(v, "points").Items[i], fmt.Sprintf("the point %d is listed twice: remove one of them", n))
		}
	}
	switch {
	case (p.Set == "") == (len(p.Points) == 0):
		r.fault(v, "a panel needs either a set or points")
	case p.Set != "" && r.setOf(p.Set) == nil:
		r.fault(under(v, "set"), "unknown set "+fault.Quote(p.Set)+": "+nearest(p.Set, r.setNames))
	case !slices.Contains([]string{"bars", "map"}, p.Kind) ||
		!slices.Contains([]string{"", "geometric", "arithmetic"}, p.Mean):
		r.fault(v, "kind must be bars or map, and mean geometric or arithmetic")
	case len(p.Series) == 0:
		r.fault(v, "a panel needs series")
	}
	categories := r.setOf(p.Set)
	for _, n := range p.Points {
		categories = append(categories, strconv.Itoa(n))
	}
	if p.Mean != "" {
		categories = append(categories, meanCategory)
	}
	for i := range p.Series {
		for _, name := range slices.Sorted(maps.Keys(p.Series[i].Paper)) {
			if !slices.Contains(categories, name) {
				r.fault(&under(v, "series").Items[i], "the panel has no category "+fault.Quote(name)+": "+nearest(name, categories))
			}
		}
	}
}

func (s *Series) check(r *reader, v *scenario.Value) {
	if s.Each != "" && r.setOf(s.Each) == nil {
		r.fault(under(v, "each"), "unknown set "+fault.Quote(s.Each)+": "+nearest(s.Each, r.setNames))
	} else if s.Label == "" && s.Each == "" || s.Value == "" {
		r.fault(v, "a series needs a value, and either a label or a set in each")
	}
	if _, err := predicate.Read("value", s.Value); err != nil {
		r.fault(v, err.Error())
	}
}

// Draw evaluates a figure. A missing value stays empty, and what it needs is named. Sets
// and means cover the programs that exist.
func (l *Ledger) Draw(f *Figure) (*Drawing, []*Job, error) {
	d, s, err := l.draw(f)
	if err != nil {
		return nil, nil, err
	}
	bound, asked := l.notBound(s.paper, s.timed)
	d.NotBound = bound
	further, err := l.spread(f, d)
	if err != nil {
		return nil, nil, err
	}
	return d, joined(joined(s.jobs, asked.jobs), further), nil
}

// draw evaluates a figure, and returns the session that did.
func (l *Ledger) draw(f *Figure) (*Drawing, *session, error) {
	d := &Drawing{Name: f.Name, Title: f.Title, Notes: f.Notes, Paper: f.Paper(), Metrics: map[string]Metric{}, Runs: []string{}}
	reading := l.reading.Of(d.Paper)
	d.Data = Data(reading.Word("data"))
	s := &session{Ledger: l, paper: d.Paper, partial: true}
	for i := range f.Panels {
		p, err := s.draw(&f.Panels[i])
		if err != nil {
			return nil, nil, fmt.Errorf("figure %s, %s: %w", f.Name, f.Panels[i].Title, err)
		}
		d.Panels = append(d.Panels, p)
	}
	d.Missing, d.Runs = s.missing, append(d.Runs, s.used...)
	d.Machines = machinesOf(s.jobs, reading.Word("machine"))
	for _, p := range d.Panels {
		for i := range p.Series {
			for _, f := range p.Series[i].Formulas {
				d.name(f)
			}
		}
	}
	if !reading.IsDefault() {
		d.Reading = reading.Label()
	}
	return d, s, nil
}

// machinesOf lists the presets of runs in the order of their first; nil if there is only the one given.
func machinesOf(jobs []*Job, only string) []string {
	var list []string
	for _, j := range jobs {
		if p := j.Scenario.Machine.Preset; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	if len(list) == 0 || len(list) == 1 && list[0] == only {
		return nil
	}
	return list
}

// name adds the metrics of a formula to those that the drawing explains.
func (d *Drawing) name(f *Formula) {
	if f == nil {
		return
	}
	if m := metric.OfClaim(f.Metric); m != nil && f.Op == "run" {
		d.Metrics[f.Metric] = Metric{m.Name, m.Title, m.Unit, m.Formula}
	}
	for _, of := range f.Of {
		d.name(of)
	}
}

// members returns the programs of a set that exist, and those that do not.
func (s *session) members(set string) (there, absent []string) {
	for _, id := range s.folderOf(s.paper).setOf(set) {
		if _, err := s.workloadOf(s.paper, id); err != nil {
			absent = append(absent, id)
		} else {
			there = append(there, id)
		}
	}
	return there, absent
}

func (s *session) draw(p *Panel) (*DrawnPanel, error) {
	d := &DrawnPanel{Title: p.Title, Unit: p.Unit, Kind: p.Kind, Axis: p.Axis}
	var names []starlark.StringDict
	if p.Set != "" {
		var ids []string
		ids, d.Absent = s.members(p.Set)
		for _, id := range ids {
			d.Categories = append(d.Categories, id)
			names = append(names, starlark.StringDict{"w": starlark.String(id)})
		}
	}
	for _, x := range p.Points {
		d.Categories = append(d.Categories, strconv.Itoa(x))
		names = append(names, starlark.StringDict{"x": starlark.MakeInt(x)})
	}
	if p.Mean != "" {
		d.Categories = append(d.Categories, meanCategory)
	}
	for _, series := range p.Series {
		each := []starlark.StringDict{nil}
		if series.Each != "" {
			var ids []string
			ids, d.Absent = s.members(series.Each)
			each = nil
			for _, id := range ids {
				each = append(each, starlark.StringDict{"w": starlark.String(id)})
			}
		}
		for _, more := range each {
			if more != nil {
				series.Label = text(more["w"])
			}
			if err := s.drawSeries(p, d, &series, names, more); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// cell is one value of a series, with its formula and zeros; all of it is empty where something is missing.
func (s *session) cell(e predicate.Confined, called bool, names starlark.StringDict) (*float64, *Formula, *Zeros, error) {
	lacking := len(s.missing)
	v, err := s.expression(e, names)
	if err != nil {
		if len(s.missing) > lacking {
			err = nil
		}
		return nil, nil, nil, err
	}
	f, ok := starlark.AsFloat(v)
	switch {
	case !ok || math.IsNaN(f) || math.IsInf(f, 0):
		return nil, nil, nil, nil
	case called:
		return &f, s.formula, s.zeros, nil
	}
	return &f, nil, nil, nil
}

func (s *session) drawSeries(p *Panel, d *DrawnPanel, series *Series, names []starlark.StringDict, more starlark.StringDict) error {
	confined, called, err := readCall(series.Label, series.Value)
	if err != nil {
		return err
	}
	row := DrawnSeries{Label: series.Label}
	var known []float64
	for _, n := range names {
		maps.Copy(n, more)
		value, formula, zeros, err := s.cell(confined, called, n)
		if err != nil {
			return err
		}
		if value != nil {
			known = append(known, *value)
		}
		row.add(value, formula, zeros)
	}
	if p.Mean != "" {
		var mean *float64
		var formula *Formula
		var zeros *Zeros
		if len(known) == len(names) && len(known) > 0 {
			m := predicate.Mean(known, false)
			if p.Mean == "geometric" {
				m, zeros = geometric(known, metricOf(row.Formulas))
			}
			if math.IsNaN(m) || math.IsInf(m, 0) {
				s.lack(fmt.Sprintf("%s, %s: %s", p.Title, series.Label, noMean(known)))
			} else {
				mean = &m
			}
			formula = combined(meanOps[p.Mean == "geometric"], row.Formulas...)
		}
		row.add(mean, formula, zeros)
	}
	if !slices.ContainsFunc(row.Zeros, func(z *Zeros) bool { return z != nil }) {
		row.Zeros = nil
	}
	for _, c := range d.Categories {
		var paper *float64
		if f, err := strconv.ParseFloat(string(series.Paper[c]), 64); err == nil {
			paper = &f
		}
		row.Paper = append(row.Paper, paper)
	}
	d.Series = append(d.Series, row)
	return nil
}

func (r *DrawnSeries) add(value *float64, f *Formula, z *Zeros) {
	r.Values, r.Formulas, r.Zeros = append(r.Values, value), append(r.Formulas, f), append(r.Zeros, z)
}

// metricOf is the metric that all values of a series share; "" if they share none.
func metricOf(formulas []*Formula) string {
	metric := ""
	for i, f := range formulas {
		if f == nil || f.Op != "run" || i > 0 && f.Metric != metric {
			return ""
		}
		metric = f.Metric
	}
	return metric
}
