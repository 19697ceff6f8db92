package experiment

import (
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/stat"
)

// MachineSizes are the sizes of a run's machine that metrics need.
type MachineSizes struct {
	SMs              int `json:"sms"`
	Slices           int `json:"slices"`
	Channels         int `json:"channels"`
	RequestFlitBytes int `json:"requestFlitBytes"`
	ReplyFlitBytes   int `json:"replyFlitBytes"`
	// XbarClocks are crossbar clocks in a cycle of the SMs.
	XbarClocks         float64 `json:"xbarClocks,omitempty"`
	PeakBytesPerSecond uint64  `json:"peakBytesPerSecond"`
}

// Value returns a counter, an input or a metric of the result by its name. There is no
// value if the result does not hold what the metric needs, or if nothing happened that
// the metric could divide by.
func (r *Result) Value(name string) (float64, bool) {
	return metric.Value(name, r.given)
}

// Count returns a counter, and false if the result was made without it.
func (r *Result) Count(c stat.Counter) (uint64, bool) {
	n, ok := r.Stats[stat.Describe(c).Name]
	return n, ok
}

// Figure is Value for formulas that compare runs: a metric without a value counts as 0.
func (r *Result) Figure(name string) (float64, bool) {
	v, ok := r.Value(name)
	if !ok && metric.Find(name) != nil {
		return 0, true
	}
	return v, ok
}

// given answers counters and the inputs of metrics.
func (r *Result) given(name string) (float64, bool) {
	if v, ok := r.Stats[name]; ok {
		return float64(v), true
	}
	switch name {
	case "cycles":
		return float64(r.Cycles), true
	case "seconds":
		return r.Seconds, true
	case "error":
		return r.Error, !r.Cancelled // a run that was cancelled has no output
	case "mre":
		return r.MRE, !r.Cancelled
	case "mag":
		return float64(r.Memory.MAG()), true
	case "threshold":
		return float64(r.Memory.Threshold()), true
	case "decodingWays":
		return float64(r.Memory.DecodingWays()), true
	case "mostSymbols", "mostBytesOverBudget":
		switch {
		case r.Lossy == nil:
			return 0, true // there are no lossy blocks
		case name == "mostSymbols":
			return float64(r.Lossy.MostSymbols), true
		}
		return float64(r.Lossy.MostBytesOver), true
	}
	if v, ok := r.reported(name); ok {
		return v, true
	}
	if e := r.Elements; e != nil {
		switch name {
		case "outputElements":
			return float64(e.Outputs), true
		case "outputZeros":
			return float64(e.Zeros), true
		case "outputNonzeros":
			return float64(e.Outputs - e.Zeros), true
		case "outputZerosWrong":
			return float64(e.WrongZeros), true
		case "relativeErrorSum":
			return e.Relative, true
		case "cappedErrorSum":
			return e.Capped, true
		case "decisions":
			return float64(e.Decisions), true
		case "decisionsWrong":
			return float64(e.WrongDecisions), true
		}
	}
	if e := r.Energy; e != nil {
		switch name {
		case "joules":
			return e.Joules, true
		case "edpJouleSeconds":
			return e.EDP, true
		}
	}
	if m := r.Machine; m != nil {
		switch name {
		case "sms":
			return float64(m.SMs), true
		case "slices":
			return float64(m.Slices), true
		case "channels":
			return float64(m.Channels), true
		case "requestFlitBytes":
			return float64(m.RequestFlitBytes), true
		case "replyFlitBytes":
			return float64(m.ReplyFlitBytes), true
		case "xbarClocks":
			if m.XbarClocks == 0 { // results of versions before 0.4.0
				return 1, true
			}
			return m.XbarClocks, true
		case "peakBytesPerSecond":
			return float64(m.PeakBytesPerSecond), true
		}
	}
	return 0, false
}

// metrics returns every metric and input that has a value.
func (r *Result) metrics() map[string]float64 {
	all := map[string]float64{}
	for _, name := range metric.Names() {
		if v, ok := r.Value(name); ok {
			all[name] = v
		}
	}
	return all
}
