package system

// Metric is a row of the table of metrics (core/metric).
type Metric struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Unit  string `json:"unit"`
	// Formula is arithmetic over counters, inputs and other metrics. A metric whose
	// formula is its own name is measured, not derived.
	Formula string `json:"formula"`
	About   string `json:"about"`
	Source  string `json:"source"`
	// Needs is an input that only runs have in which the metric means something; the other
	// runs have no value. Empty if all have one.
	Needs string `json:"needs,omitempty"`
	// Format is how people read a value: a kind in braces, and words around it. The
	// kinds are count, short, bytes, ratio, share, percent, tenths, seconds and joules.
	Format string `json:"format"`
	// Better is "lower", "higher" or empty for neither.
	Better string `json:"better,omitempty"`
	// Compare says what stands beside the values of two runs: "speedup" for the first
	// over the second, "change" in per cent, "mag" and "measure" for what a value depends
	// on; empty for nothing.
	Compare string `json:"compare,omitempty"`
	// Also are counters that help to read the value and are not in the formula.
	Also []string `json:"also,omitempty"`
	// Row is the label of the metric in the result table of the page, and Term the word
	// of the glossary that explains the label; a metric without a label is not in that
	// table. Poster puts the row on posters too.
	Row    string `json:"row,omitempty"`
	Term   string `json:"term,omitempty"`
	Poster bool   `json:"poster,omitempty"`
	// Under is the metric that this one measures in another way. Its row stands after a
	// disclosure, and only where it says something (OtherErrors).
	Under string `json:"under,omitempty"`
	// Claim is the metric's name in the predicates of claims, if it has one of its own.
	Claim string `json:"claim,omitempty"`
}

// Input is a number of a result that formulas may name beside counters.
type Input struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// Whether less or more of a metric is better.
const (
	Lower  = "lower"
	Higher = "higher"
)
