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
	// Run is the place of the run among the figure's runs.
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

// Metric says what a metric of runs is. Results have its value under Name.
type Metric struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Unit    string `json:"unit"`
	Formula string `json:"formula"`
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

// isCall reports whether an expression is one call of the functions that record a
// formula, or a choice between such calls and absent().
func isCall(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return isCall(e.X)
	case *syntax.CondExpr:
		return isCall(e.True) && isCall(e.False)
	case *syntax.CallExpr:
		name, ok := e.Fn.(*syntax.Ident)
		return ok && slices.Contains([]string{"v", "gm", "am", "absent"}, name.Name)
	}
	return false
}
