package claim

import (
	"slices"

	"go.starlark.net/syntax"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine"
)

// Formula says how a value of a figure follows from its runs. It is simple enough for the
// page to compute the value again from fresh results.
type Formula struct {
	// Op is "run": the metric of a run; "traffic": a value of a measurement of
	// traffic; "ratio": the first of Of over the second; "geomean" (exact zeros count
	// as 1e-9) and "mean": of all of Of.
	Op string `json:"op"`
	// Run is the place of the run among those of the figure.
	Run    *int   `json:"run,omitempty"`
	Metric string `json:"metric,omitempty"`
	// The other fields belong to traffic: the codec, its settings, and the range of sizes.
	Codec  string     `json:"codec,omitempty"`
	Ways   int        `json:"ways,omitempty"`
	Values int        `json:"values,omitempty"`
	MAG    int        `json:"mag,omitempty"`
	Low    float64    `json:"lo,omitempty"`
	High   float64    `json:"hi,omitempty"`
	Of     []*Formula `json:"of,omitempty"`
}

// Metric defines a metric of runs by fields of a result's JSON: the sum of Sum over the sum
// of Over, or over 1. Dots lead into objects.
type Metric struct {
	Title string   `json:"title"`
	Unit  string   `json:"unit"`
	Sum   []string `json:"sum"`
	Over  []string `json:"over,omitempty"`
}

// runMetrics are the metrics of runs. A test compares their fields with the values that
// predicates see.
var runMetrics = []struct {
	name string
	Metric
	value func(*experiment.Result) float64
}{
	{"seconds", Metric{"simulated time", "s", []string{"seconds"}, nil}, func(r *experiment.Result) float64 { return r.Seconds }},
	{"cr_raw", Metric{"compression ratio", "x", []string{"compressionRatioRaw"}, nil}, func(r *experiment.Result) float64 { return r.CompressionRatioRaw }},
	{"cr_mag", Metric{"compression ratio in bursts", "x", []string{"compressionRatioEffective"}, nil}, func(r *experiment.Result) float64 { return r.CompressionRatioEffective }},
	{"dram_bytes", Metric{"DRAM bytes", "B", []string{"dramReadBytes", "dramWriteBytes"}, nil}, func(r *experiment.Result) float64 { return float64(r.DRAMReadBytes + r.DRAMWriteBytes) }},
	{"err", Metric{"error by the program's metric", "share", []string{"error"}, nil}, func(r *experiment.Result) float64 { return r.Error }},
	{"mre", Metric{"mean relative error", "share", []string{"mre"}, nil}, func(r *experiment.Result) float64 { return r.MRE }},
	{"excess_bits", Metric{"bits lost beyond need, a lossy block", "bit", []string{"stats.excessBits"}, []string{"stats.blocksReadLossy", "stats.blocksWrittenLossy"}}, (*experiment.Result).ExcessBitsPerBlock},
	{"max_approx_symbols", Metric{"most symbols cut from a block", "symbols", []string{"lossy.mostSymbols"}, nil}, func(r *experiment.Result) float64 { return float64(lossyOf(r).MostSymbols) }},
	{"max_lossy_bytes_over_budget", Metric{"bytes of the largest lossy block above its budget", "B", []string{"lossy.mostBytesOverBudget"}, nil}, func(r *experiment.Result) float64 { return float64(lossyOf(r).MostBytesOver) }},
	{"energy", Metric{"energy", "J", []string{"energy.joules"}, nil}, func(r *experiment.Result) float64 { return r.Energy.Joules }},
	{"edp", Metric{"energy times time", "J s", []string{"energy.edpJouleSeconds"}, nil}, func(r *experiment.Result) float64 { return r.Energy.EDP }},
}

// lossyOf is the account of lossy blocks; it is empty if there are none.
func lossyOf(r *experiment.Result) *machine.Lossy {
	if r.Lossy == nil {
		return &machine.Lossy{}
	}
	return r.Lossy
}

// leaf is a metric of a run that was used.
func (s *session) leaf(op, metric string, j *Job) *Formula {
	at := slices.Index(s.used, j.Key)
	if at < 0 {
		return nil
	}
	return &Formula{Op: op, Run: &at, Metric: metric}
}

// combined is a formula of formulas; nil if one of them is missing.
func combined(op string, of ...*Formula) *Formula {
	if slices.Contains(of, nil) {
		return nil
	}
	return &Formula{Op: op, Of: of}
}

// isCall reports whether an expression is one call of the functions that leave a
// formula behind.
func isCall(e syntax.Expr) bool {
	for {
		paren, ok := e.(*syntax.ParenExpr)
		if !ok {
			break
		}
		e = paren.X
	}
	call, ok := e.(*syntax.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fn.(*syntax.Ident)
	return ok && slices.Contains([]string{"v", "gm", "am"}, name.Name)
}
