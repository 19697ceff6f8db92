package claim

// AsRun is what a row comes to under the reading of the rows themselves, where its paper's text states another one.
type AsRun struct {
	Word            string   `json:"word"` // the row's own reading
	Verdict         Verdict  `json:"verdict"`
	Measured        *float64 `json:"measured,omitempty"`
	RatioDeviation  *float64 `json:"ratioDeviation,omitempty"`
	EffectDeviation *float64 `json:"effectDeviation,omitempty"`
	Grade           Grade    `json:"grade,omitempty"`
	Noise           *Noise   `json:"noise,omitempty"` // of Measured
	Analysis        string   `json:"analysis,omitempty"`
}

// stand gives the row the number, grade and verdict of the reading that the paper's text states, if it was measured.
// Which reading that is stands in paper.yaml before any run. What the row came to under its own reading is kept aside.
func (o *Outcome) stand() {
	if o.AsRun != nil || !o.Verdict.ByRuns() {
		return
	}
	for _, r := range o.Readings {
		if !r.Stated || r.Measured == nil || !r.Verdict.ByRuns() {
			continue
		}
		o.AsRun = &AsRun{
			r.Own, o.Verdict, o.Measured, o.RatioDeviation, o.EffectDeviation, o.Grade, o.Noise, o.Analysis,
		}
		o.Verdict, o.Noise, o.Under = r.Verdict, nil, r.Word
		if o.Verdict == HoldsInOrder {
			o.Verdict = Holds // judge decides about the size
		}
		o.judge(*r.Measured)
		if o.Verdict == DoesNotHold {
			o.Analysis = analysisOf(o.ID)
		} else {
			o.Analysis = ""
		}
		return
	}
}

// Own returns a row under its own reading again, as its runs left it.
func (o *Outcome) Own() *Outcome {
	if o.AsRun == nil {
		return o
	}
	a, row := o.AsRun, *o
	row.AsRun, row.Under = nil, ""
	row.Verdict, row.Measured, row.Grade, row.Noise, row.Analysis = a.Verdict, a.Measured, a.Grade, a.Noise, a.Analysis
	row.RatioDeviation, row.EffectDeviation = a.RatioDeviation, a.EffectDeviation
	return &row
}
