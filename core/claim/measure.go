package claim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// missing is the reason why a value cannot be computed.
type missing struct{ what string }

func (m missing) Error() string { return m.what }

// session is the evaluation of one expression; it records the runs used and everything
// missing.
type session struct {
	*Ledger
	paper   string                    // whose programs are meant
	under   draw                      // of all runs; the zero value is the draw of the rows
	moves   bool                      // time or energy was asked for
	timed   []string                  // programs whose time or energy was asked for
	used    []string                  // keys of runs, in order of use
	missing []string                  // names of missing things, without repeats
	jobs    []*Job                    // every run that was asked for
	lacking int                       // how many of the jobs have no result
	lacked  int                       // how often something was missing, repeats included
	known   starlark.StringDict       // names of the vocabulary
	made    map[string]starlark.Value // words of folders
	within  *request                  // whose formula is evaluated; nil if none is
	partial bool                      // sets contain only the programs that exist
	notes   []string
	asked   []*point // every point, in order
	words   []use    // of calls
	faults  []error  // of the file that the expression stands in
	formula *Formula // of the last call of v, gm or am
	zeros   *Zeros   // of the last call of gm
}

func (s *session) lack(what string) {
	s.lacked++
	if !slices.Contains(s.missing, what) {
		s.missing = append(s.missing, what)
	}
}

func (s *session) note(text string) {
	if !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

// ask records a job and whether it has a result.
func (s *session) ask(j *Job, found bool) error {
	if !slices.ContainsFunc(s.jobs, func(o *Job) bool { return o.Key == j.Key }) {
		s.jobs = append(s.jobs, j)
		if !found {
			s.lacking++
		}
	}
	if !found {
		return missing{runWords + j.String()}
	}
	if !slices.Contains(s.used, j.Key) {
		s.used = append(s.used, j.Key)
	}
	return nil
}

// String describes the job in words.
func (j *Job) String() string {
	w := j.Scenario.Workload
	name := fmt.Sprintf("%s %d %s", w.Name, w.Size, w.Data)
	m := j.Scenario.Memory
	switch {
	case j.Traffic:
		return name + ", traffic"
	case m.Codec() == "none":
		name += ", no compression"
	case m.Approximation() != "none":
		name += fmt.Sprintf(", %s threshold %d B", m.Approximation(), m.Threshold())
	default:
		name += ", " + m.Named().Codec()
	}
	if m.Online() {
		name += " " + m.Probabilities()
	}
	if m.Latency() != "" {
		name += " latencies " + m.Latency()
	}
	for _, own := range m.OwnSettings() {
		name += ", " + own
	}
	if m.DecodingWays() != 4 {
		name += fmt.Sprintf(" %d ways", m.DecodingWays())
	}
	if m.MAG() != 32 {
		name += fmt.Sprintf(" MAG %d B", m.MAG())
	}
	for _, value := range [][2]string{
		{"dramMHz", ", DRAM at %v MHz"}, {"channels", ", %v channels a controller"}, {"placement", ", placement %v"},
	} {
		if n, ok := j.Scenario.Machine.Overrides[value[0]]; ok {
			name += fmt.Sprintf(value[1], n)
		}
	}
	if seed := j.Scenario.Seed; seed != 1 {
		name += fmt.Sprintf(", seed %d", seed)
	}
	name += nameOf(j.Scenario)
	if p := j.Scenario.Machine.Preset; p != DefaultMachine {
		name += " on " + p
	}
	return name
}

// resultOf returns the result of a point, or an error that names the missing run.
func (s *session) resultOf(p *point) (*experiment.Result, error) {
	if p.settings.mfv != 0 {
		return nil, missing{"setting mfv of a run does not exist here"}
	}
	r := s.results.Run(p.run)
	return r, s.ask(p.run, r != nil)
}

func (s *session) trafficOf(p *point) (*experiment.Traffic, error) {
	t := s.results.Traffic(p.traffic)
	return t, s.ask(p.traffic, t != nil)
}

// codecTraffic returns the sizes that a point's codec reaches on its program's traffic.
func (s *session) codecTraffic(p *point) (*experiment.TrafficCodec, error) {
	t, err := s.trafficOf(p)
	if err != nil {
		return nil, err
	}
	c := t.Find(p.memory.Codec(), p.memory.DecodingWays(), p.settings.mfv)
	if c == nil {
		return nil, missing{fmt.Sprintf("traffic under %s with %d ways and %d values was not measured", p.memory.Codec(), p.memory.DecodingWays(), p.settings.mfv)}
	}
	return c, nil
}

// extras are the arguments of a metric that do not belong to a point's settings.
type extras struct {
	lo, hi float64
	top    int
}

// absolute is the value of a metric at a point, with its formula.
func (s *session) absolute(metric string, p *point, x extras) (float64, *Formula, error) {
	traffic := strings.HasPrefix(metric, "frac_blocks_") || metric == "cr_entropy16" || metric == "escape_prefix_bits"
	module := p.memory.Codec() == codecs.Plugin // the traffic of a program is measured under built-in codecs
	if !traffic && (module || !p.lossless() || metric != "cr_raw" && metric != "cr_mag") {
		return s.ofRun(metric, p)
	}
	if module && metric != "cr_entropy16" {
		return 0, nil, missing{fmt.Sprintf("metric %s is not measured for a codec that is a module", metric)}
	}
	value, err := s.ofTraffic(metric, p, x)
	if err != nil {
		return 0, nil, err
	}
	f := s.leaf("traffic", metric, p.traffic)
	if metric != "cr_entropy16" {
		f.Codec, f.MAG, f.Low, f.High = p.memory.Codec(), p.memory.MAG(), x.lo, x.hi
		if scheme.HasWays(p.memory.Codec()) {
			f.Ways, f.Values = p.memory.DecodingWays(), p.settings.mfv
		}
	}
	return value, f, nil
}

// ofTraffic is the value of a metric of the blocks that cross the controllers in a
// run without compression.
func (s *session) ofTraffic(metric string, p *point, x extras) (float64, error) {
	if metric == "cr_entropy16" {
		t, err := s.trafficOf(p)
		if err != nil {
			return 0, err
		}
		return t.EntropyRatio16, nil
	}
	c, err := s.codecTraffic(p)
	if err != nil {
		return 0, err
	}
	switch metric {
	case "escape_prefix_bits":
		return float64(c.EscapeBits), nil
	case "cr_raw":
		return c.Ratio(), nil
	case "cr_mag":
		return c.EffectiveRatio(p.memory.MAG()), nil
	case "frac_blocks_in":
		return c.ShareWithin(x.lo, x.hi), nil
	case "frac_blocks_1_16_above_mag":
		return c.ShareAboveMAG(p.memory.MAG(), 16), nil
	case "frac_blocks_at_above_mag":
		bins := c.AboveMAG(p.memory.MAG())
		if x.lo >= float64(len(bins)) {
			return 0, fmt.Errorf("no block ends %g bytes above a multiple of %d", x.lo, p.memory.MAG())
		}
		blocks := uint64(0)
		for _, n := range bins {
			blocks += n
		}
		return float64(bins[int(x.lo)]) / float64(max(blocks, 1)), nil
	}
	return 0, s.noMetric(metric)
}

// noMetric is the error of a metric that there is not.
func (s *session) noMetric(name string) error {
	mend := nearest(name, s.folderOf(s.paper).metricNames())
	if slices.Contains(relatives, name) {
		mend = "give a base, such as over='NONE'"
	}
	return unknown{"metric " + name + " is not measured", mend}
}

// ofRun is the value of a metric that takes a run of the point.
func (s *session) ofRun(name string, p *point) (float64, *Formula, error) {
	if own := shipped(s.paper); name == "err" && own != nil && own.loss {
		return s.lossOf(p)
	}
	m := metric.OfClaim(name)
	if m == nil {
		return 0, nil, s.noMetric(name)
	}
	r, err := s.resultOf(p)
	if err != nil {
		return 0, nil, err
	}
	if s.reading.Word("error") == string(ErrorCapped) && (name == "mre" || name == "err" && r.ErrorMetric == workload.MetricMRE.String()) {
		name = "mre_capped"
		m = metric.OfClaim(name)
	}
	value, ok := r.Value(m.Name)
	switch {
	case !ok && math.IsNaN(value):
		s.note(fmt.Sprintf("%s counts as 0 for %s, which had no event to divide by", name, p.run.Scenario.Workload.Name))
		value = 0
	case !ok:
		return 0, nil, missing{name + " of " + p.run.String()}
	}
	return value, s.leaf("run", name, p.run), nil
}

// relative is the value of a metric at p over that at base.
func (s *session) relative(metric string, p, base *point) (float64, *Formula, error) {
	inverse := false
	switch metric {
	case "speedup":
		metric, inverse = "seconds", true
	case "energy_x":
		metric, inverse = "energy", true
	case "bw_x":
		metric, inverse = "dram_bytes", true
	}
	p, base, err := s.under.sides(p, base)
	if err != nil {
		return 0, nil, err
	}
	// Both sides are evaluated, so that a row names everything it lacks.
	a, ofA, errA := s.ofRun(metric, p)
	b, ofB, errB := s.ofRun(metric, base)
	if errA != nil || errB != nil {
		s.lackError(errA)
		s.lackError(errB)
		return math.NaN(), nil, nil
	}
	if inverse {
		a, b, ofA, ofB = b, a, ofB, ofA
	}
	if b == 0 {
		return 0, nil, fmt.Errorf("%s of %s is 0: a ratio to it does not exist", metric, base.run.String())
	}
	return a / b, combined("ratio", ofA, ofB), nil
}

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

// readCall reads an expression, and reports whether its value has a formula.
func readCall(name, text string) (p predicate.Confined, called bool, err error) {
	e, err := predicate.Parse(name, text)
	if err != nil {
		return p, false, err
	}
	called = isCall(e)
	p, err = predicate.Confine(e)
	return p, called, err
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

// Results are stored runs. Both methods return nil for a missing one.
type Results interface {
	Run(j *Job) *experiment.Result
	Traffic(j *Job) *experiment.Traffic
}

// Job is a run, or a measurement of traffic, that the predicates ask for.
type Job struct {
	Scenario *scenario.Scenario
	Traffic  bool
	Key      string // in a store
}

// TrafficSuffix is what the key of a measurement of traffic ends with.
const TrafficSuffix = ".traffic"

// NewJob returns the run of a scenario, or the measurement of its traffic, which is
// the same for every memory scheme.
func NewJob(s *scenario.Scenario, traffic bool) *Job {
	if !traffic {
		return &Job{s, false, s.Hash()}
	}
	plain := *s
	plain.Scheme = scheme.Default()
	return &Job{&plain, true, plain.Hash() + TrafficSuffix}
}

// Ledger evaluates claims over results in one reading.
type Ledger struct {
	results Results
	reading Reading
	sizes   map[string]int      // of programs, in place of the reading's
	points  map[pointKey]*point // by their components; claims ask for the same points often
	safe    map[string]int      // buffers marked safe, by program
	own     *Paper              // the folder whose words rows may use; nil: the row's shipped paper
}

// Reading returns how the ledger evaluates claims.
func (l *Ledger) Reading() Reading { return l.reading }

// AtSizes makes the ledger ask for runs at other sizes than its reading's, by the papers'
// names of programs. The sets hold only the programs with a size.
func (l *Ledger) AtSizes(sizes map[string]int) *Ledger {
	l.sizes = sizes
	return l
}

type pointKey struct {
	paper, system, id string
	settings          settings
	draw              draw
}

// NewLedger returns a ledger over results on the default machine; nil means no results.
func NewLedger(results Results, data Data) *Ledger { return Reading{Data: data}.Ledger(results) }

// point returns a system on a program of the session's paper.
func (s *session) point(system, id string, set settings) (*point, error) {
	if set.loss > 0 {
		return s.atLoss(system, id, set)
	}
	key := pointKey{s.paper, system, id, set, s.under}
	if p := s.points[key]; p != nil {
		s.asked = append(s.asked, p)
		return p, nil
	}
	w, err := s.workloadOf(s.paper, id)
	if err != nil {
		return nil, err
	}
	p, err := s.folderOf(s.paper).pointOf(s.reading.Of(s.paper), system, id, w, set)
	if err == nil {
		p, err = s.under.of(p)
	}
	if err == nil {
		s.points[key], s.asked = p, append(s.asked, p)
	}
	return p, err
}
