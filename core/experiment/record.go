package experiment

import "github.com/burstscope/burstscope/core/workload"

// Record is a finished run with what a table of claims wants beside its result.
type Record struct {
	Result *Result `json:"result"`
	// MRE is the mean relative error of the outputs, whatever the program's own
	// metric is: SLC averages it over all programs (section V-A).
	MRE float64 `json:"mre"`
}

// Record returns the record of a run that is over.
func (r *Run) Record() *Record {
	rec := &Record{Result: r.Result()}
	if r.phase == PhaseDone && !r.cancelled && r.machine != nil {
		rec.MRE = r.plan.Program.Measure(workload.MetricMRE, r.study.exact, rec.Result.Outputs)
	}
	return rec
}
