package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// place is where a result holds the report of a group's entry, nil for a group without one. The keys in JSON are older
// than the groups.
func (r *Result) place(group string) *any {
	switch group {
	case "l1":
		return &r.L1Report
	case "loads":
		return &r.LoadsReport
	case "backing":
		return &r.BackingReport
	}
	return nil
}

// places are the places of all groups.
func (r *Result) places() [3]*any { return [3]*any{&r.L1Report, &r.LoadsReport, &r.BackingReport} }

// fillReports puts what the entries report of a run into their places.
func (r *Result) fillReports(m *machine.Machine) {
	_ = r.Each(func(g *system.Group, e *system.Entry, p system.Part) error {
		if e.Report != nil {
			if report := e.Report(); report.Fill(&system.Ran{Part: p, Machine: m}) {
				*r.place(g.Name) = report
			}
		}
		return nil
	})
}

// reported answers the inputs of metrics that reports have.
func (r *Result) reported(name string) (float64, bool) {
	for _, at := range r.places() {
		if report, is := (*at).(system.Report); is {
			if v, ok := report.Given(name); ok {
				return v, true
			}
		}
	}
	return 0, false
}

// Reports returns the reports of all entries.
func (r *Result) Reports() (list []system.Report) {
	for _, at := range r.places() {
		if report, is := (*at).(system.Report); is {
			list = append(list, report)
		}
	}
	return list
}

// Reported returns the report of type T in a result, nil if it has none.
func Reported[T any](r *Result) *T {
	for _, at := range r.places() {
		if report, is := (*at).(*T); is {
			return report
		}
	}
	return nil
}

// Retype gives the reports of a result that was read from a file the types of their entries. convert fills a value from
// another with the same fields in JSON. The numbers of the scheme get their type too.
func (r *Result) Retype(convert func(from, to any) error) error {
	for i := range scheme.Table {
		r.Part(scheme.Table[i].Name).Numbers()
	}
	return r.Each(func(g *system.Group, e *system.Entry, _ system.Part) error {
		at := r.place(g.Name)
		if at == nil || *at == nil {
			return nil
		}
		if e.Report == nil {
			return fmt.Errorf("%s.%s: %s reports nothing, and the result has a report", g.Name, g.Key, e.Name)
		}
		report := e.Report()
		err := convert(*at, report)
		*at = report
		return err
	})
}
