package claim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
)

// missing is the reason why a value cannot be computed.
type missing struct{ what string }

func (m missing) Error() string { return m.what }

// session is the evaluation of one expression; it records the runs used and everything
// missing.
type session struct {
	*Ledger
	paper   string   // whose programs are meant
	under   draw     // of all runs; the zero value is the draw of the rows
	moves   bool     // time or energy was asked for
	timed   []string // programs whose time or energy was asked for
	used    []string // keys of runs, in order of use
	missing []string // names of missing things, without repeats
	jobs    []*Job   // every run that was asked for
	lacking int      // how many of the jobs have no result
	lacked  int      // how often something was missing, repeats included
	within  *request // whose formula is evaluated; nil if none is
	partial bool     // sets contain only the programs that exist
	notes   []string
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
	if mhz, ok := j.Scenario.Machine.Overrides["dramMHz"]; ok {
		name += fmt.Sprintf(", DRAM at %v MHz", mhz)
	}
	if n, ok := j.Scenario.Machine.Overrides["channels"]; ok {
		name += fmt.Sprintf(", %v channels a controller", n)
	}
	if n, ok := j.Scenario.Machine.Overrides["placement"]; ok {
		name += fmt.Sprintf(", placement %v", n)
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
	return 0, missing{"metric " + metric + " is not measured"}
}

// ofRun is the value of a metric that takes a run of the point.
func (s *session) ofRun(name string, p *point) (float64, *Formula, error) {
	if own := shipped(s.paper); name == "err" && own != nil && own.loss {
		return s.lossOf(p)
	}
	m := metric.OfClaim(name)
	if m == nil {
		return 0, nil, missing{"metric " + name + " is not measured"}
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

func (s *session) lackError(err error) {
	if err != nil {
		s.lack(err.Error())
	}
}
