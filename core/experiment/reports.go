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

// visit calls f for each group that can have a report, with its place and the chosen entry, until f returns false.
func (r *Result) visit(f func(at *any, e *system.Entry, p system.Part) bool) {
	for i := range scheme.Table {
		g := &scheme.Table[i]
		if at := r.place(g.Name); at != nil {
			p := *r.Part(g.Name)
			if !f(at, g.Entry(p.Choice(g)), p) {
				return
			}
		}
	}
}

// fillReports puts what the entries report of a run into their places.
func (r *Result) fillReports(m *machine.Machine) {
	r.visit(func(at *any, e *system.Entry, p system.Part) bool {
		if e != nil && e.Report != nil {
			if report := e.Report(); report.Fill(&system.Ran{Part: p, Machine: m}) {
				*at = report
			}
		}
		return true
	})
}

// reported answers the inputs of metrics that reports have.
func (r *Result) reported(name string) (v float64, ok bool) {
	r.visit(func(at *any, _ *system.Entry, _ system.Part) bool {
		if report, is := (*at).(system.Report); is {
			v, ok = report.Given(name)
		}
		return !ok
	})
	return v, ok
}

// Reported returns the report of type T in a result, nil if it has none.
func Reported[T any](r *Result) (report *T) {
	r.visit(func(at *any, _ *system.Entry, _ system.Part) bool {
		report, _ = (*at).(*T)
		return report == nil
	})
	return report
}

// Retype gives the reports of a result that was read from a file the types of their entries. convert fills a value from
// another with the same fields in JSON.
func (r *Result) Retype(convert func(from, to any) error) (err error) {
	r.visit(func(at *any, e *system.Entry, _ system.Part) bool {
		switch {
		case *at == nil:
		case e == nil || e.Report == nil:
			err = fmt.Errorf("the result has a report of an entry that reports nothing")
		default:
			report := e.Report()
			err = convert(*at, report)
			*at = report
		}
		return err == nil
	})
	return err
}
