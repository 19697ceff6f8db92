package claim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/rfvp"

	"go.starlark.net/starlark"
)

// rfvpPaper is the paper's name in the table of claims.
const rfvpPaper = "RFVP"

// rfvpReading returns how RFVP's rows are evaluated where the reading leaves sizes and inputs open: with the
// sizes of rfvpSizes and the programs' own inputs.
func rfvpReading(r Reading) Reading {
	if r.Sizes == "" {
		r.Sizes = ClaimSizes
	}
	if r.Data == "" || r.Data == Suite {
		r.Data = Natural
	}
	return r
}

// rfvpLoads are the approximate loads of programs whose marked loads do not say it all: s.reduce runs
// the kernel that s.srad2 marks too, and the marked loads of the others reach an address
// (core/system/rfvp/README.md).
var rfvpLoads = map[string][]string{
	"sradreduce":  {"which", "srad1_reduce:marked"},
	"heartwall":   {"force", "on"},
	"stringmatch": {"force", "on"},
}

// rfvpSettings are settings of predicates about predicted loads.
type rfvpSettings struct {
	drop      int     // in thousandths; 0 = that of the scheme
	loss      float64 // the drop rate is the highest whose loss is at most this; 0 = drop says it
	sent      bool    // the requests of predicted lines are sent
	predictor string  // "" = that of the scheme
	gaps      string  // "" = that of the scheme
	entries   int     // 0 = those of the scheme
	groups    int     // 0 = those of the scheme
	half      bool    // half the bandwidth of DRAM
	top       int     // how many loads the metric miss_cdf counts
}

// predictors and gaps are the words of predicates.
var (
	rfvpPredictors = map[string]string{"2D": "two-delta", "LV": "last-value", "ZV": "zero"}
	rfvpGaps       = map[string]string{"random": "random"}
)

// set gives a setting its value; ok is false if there is none of that name and value.
func (p *rfvpSettings) set(key string, value any) (ok bool) {
	f, isShare := value.(float64)
	n, isNumber := value.(int)
	word, _ := value.(string)
	switch {
	case key == "drop" && isShare && f > 0 && f <= 1:
		p.drop = int(math.Round(1000 * f))
	case key == "q" && isShare && f > 0 && f <= 1:
		p.loss = f
	case key == "nodrop" && isNumber && (n == 0 || n == 1):
		p.sent = n == 1
	case key == "pred" && rfvpPredictors[word] != "":
		p.predictor = rfvpPredictors[word]
	case key == "gap" && rfvpGaps[word] != "":
		p.gaps = rfvpGaps[word]
	case key == "entries" && isNumber && n > 0:
		p.entries = n
	case key == "groups" && isNumber && n > 0:
		p.groups = n
	case key == "top" && isNumber && n > 0:
		p.top = n
	case key == "bw" && f == 0.5:
		p.half = true
	default:
		return false
	}
	return true
}

// rfvpSystem is a system that predicts loads, or one that RFVP is compared with.
type rfvpSystem struct {
	name       string
	predicts   bool
	perforates bool
	overrides  []override
}

type override struct {
	path  string
	value any
}

// rfvpSystems are those of RFVP's rows. The caches have the area of the predictors: 14 KB more
// in each L1, 210 KB in L2 (section 6.1). Sets are powers of two, so L1 has 16 sets of 15
// ways, and L2 has 20 ways, which are 192 KB more [ours]. All loads hit with perfect memory
// (figure 1); here an L1 holds all data, and behind it are the fastest L2, crossbars and DRAM
// that a scenario can have [ours], so that values stay those of the program.
var rfvpSystems = []rfvpSystem{
	{name: rfvpPaper, predicts: true},
	{name: perforatedSystem, perforates: true},
	{name: "L1PLUS", overrides: []override{{"sm.l1.sets", int64(16)}, {"sm.l1.ways", int64(15)}}},
	{name: "L2PLUS", overrides: []override{{"l2.ways", int64(20)}}},
	{name: "PERFECT", overrides: []override{
		{"sm.l1.sets", int64(4096)}, {"sm.l1.mshrs", int64(1024)}, {"sm.l1.merges", int64(16)}, {"sm.flitBytes", int64(1024)},
		{"requestLatencyCycles", int64(2)}, {"replyLatencyCycles", int64(2)}, {"xbar.inputQueues", "voq"}, {"l2LatencyCycles", int64(0)},
		{"l2.mshrs", int64(256)}, {"l2.flitBytes", int64(1024)}, {"l2.requestQueuePackets", int64(64)}, {"l2.replyQueuePackets", int64(64)},
		{"controller.fixedLatencyCycles", int64(0)}, {"dramMHz", int64(10000)},
	}},
}

func rfvpSystemOf(name string) *rfvpSystem {
	for i := range rfvpSystems {
		if rfvpSystems[i].name == name {
			return &rfvpSystems[i]
		}
	}
	return nil
}

// perforatedSystem skips every k-th iteration of loops; drop= is the share, and q chooses it from those shares of the
// grid of drop rates that are 1/k: 1/20, 1/8, 1/4 and 1/2 [ours: the paper names loop perforation and gives no rule].
const perforatedSystem = "PERF"

// everyKth reports whether a share in thousandths is 1/k.
func everyKth(share int) bool { return 1000%share == 0 }

// perforable are the programs with a loop around an approximate load that can skip iterations (approximate.Perforate).
// The marked loads of the others are not in loops, or the loop moves on by what it loads.
var perforable = []string{"FWT", "GS", "HW", "MM", "PF", "SS"}

// parts splits the name of a combination, such as RFVP+E2MC16+LATTE. Its memory scheme is the
// last of the parts that is one: TSLC works on E2MC's symbols.
func parts(system string) (list []string, memory string) {
	list, memory = strings.Split(system, "+"), "NONE"
	for i := range systems {
		if slices.Contains(list, systems[i].name) {
			memory = systems[i].name
		}
	}
	return list, memory
}

// apply gives a scenario the system and its settings; what belongs to the machine goes to its
// overrides.
func (y *rfvpSystem) apply(s *scenario.Scenario, set *rfvpSettings, overrides scenario.Overrides) error {
	for _, o := range y.overrides {
		overrides[o.path] = o.value
	}
	if y.perforates {
		if err := s.Set("loads.policy", rfvp.Perforation); err != nil || set.drop == 0 {
			return err
		}
		return s.Set("loads.skip", strconv.Itoa(set.drop))
	}
	if !y.predicts {
		return nil
	}
	changes := []string{"policy", "rfvp"}
	put := func(name string, value any) { changes = append(changes, name, fmt.Sprint(value)) }
	if set.drop > 0 {
		put("drop", set.drop)
	}
	if set.sent {
		put("requests", "sent")
	}
	if set.predictor != "" {
		put("predictor", set.predictor)
	}
	if set.gaps != "" {
		put("gaps", set.gaps)
	}
	if set.entries > 0 {
		put("entries", set.entries)
	}
	if set.groups > 0 {
		put("groups", set.groups)
	}
	changes = append(changes, rfvpLoads[s.Workload.Name]...)
	for i := 0; i < len(changes); i += 2 {
		if err := s.Set("loads."+changes[i], changes[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// halved halves the clock of DRAM for bw=0.5, which has only whole factors otherwise.
func (p *rfvpSettings) halved(m *parameter.GPU, overrides scenario.Overrides) {
	if p.half {
		overrides["dramMHz"] = int64(m.DRAMMHz) / 2
	}
}

// loadsWords describes the load policy of a job, and what RFVP is compared with.
func loadsWords(s *scenario.Scenario) string {
	text := ""
	switch s.Loads.Choice(scheme.Find("loads")) {
	case rfvp.Perforation:
		text = fmt.Sprintf(", loops skip %g %%", float64(s.Loads.Int("skip"))/10)
	case "rfvp":
		text = fmt.Sprintf(", RFVP drop %g %%", float64(s.Loads.Int("drop"))/10)
		if w := s.Loads.Word("predictor"); w != "two-delta" {
			text += " " + w
		}
		if s.Loads.Word("requests") == "sent" {
			text += " requests sent"
		}
		if s.Loads.Word("gaps") == "random" {
			text += " random gaps"
		}
		if n := s.Loads.Int("entries"); n != settingOf("loads", "rfvp", "entries") {
			text += " " + strconv.Itoa(n) + " entries"
		}
		if n := s.Loads.Int("groups"); n != settingOf("loads", "rfvp", "groups") {
			text += " " + strconv.Itoa(n) + " groups"
		}
	}
	for _, y := range rfvpSystems {
		matches := len(y.overrides) > 0
		for _, o := range y.overrides {
			matches = matches && s.Machine.Overrides[o.path] == o.value
		}
		if matches {
			text += ", " + y.name
		}
	}
	return text
}

// atRate returns the point of RFVP with the drop rate for its target of loss: the plain machine
// if no rate keeps it. All rates must have been run.
func (s *session) atRate(system, id string, set settings) (*point, error) {
	target := set.rfvp.loss
	set.rfvp.loss = 0
	if system == perforatedSystem && !slices.Contains(perforable, id) {
		s.note(id + ": no loop around an approximate load can skip iterations")
		return s.point("NONE", id, set)
	}
	losses := map[int]float64{}
	var lacking error
	for _, rate := range experiment.DropRates()[1:] {
		if losses[rate] = math.Inf(1); system == perforatedSystem && !everyKth(rate) {
			continue
		}
		set.rfvp.drop = rate
		p, err := s.point(system, id, set)
		if err != nil {
			return nil, err
		}
		r, err := s.resultOf(p)
		switch {
		case err != nil:
			s.lackError(err)
			lacking = err
		case r.Loss == nil:
			lacking = missing{"loss of " + p.run.String()}
		default:
			losses[rate] = *r.Loss
		}
	}
	if lacking != nil {
		return nil, lacking
	}
	rate, err := experiment.HighestRate(target, func(rate int) (float64, error) { return losses[rate], nil })
	if err != nil {
		return nil, err
	}
	if set.rfvp.drop = rate; rate == 0 {
		what := "drop rate"
		if system == perforatedSystem {
			what = "share of skipped iterations"
		}
		s.note(fmt.Sprintf("%s: no %s keeps the loss within %g %%", id, what, 100*target))
		_, memory := parts(system)
		plain := set
		plain.rfvp = rfvpSettings{}
		return s.point(memory, id, plain)
	}
	return s.point(system, id, set)
}

// missShare is the share of the L1 misses that the loads with the most misses cause (figure 3, which
// counts those of the last-level cache). A run in which every load is approximate and none
// is dropped counts them; its values and times are those of the machine.
func (s *session) missShare(p *point) (float64, *Formula, error) {
	sc := *p.run.Scenario
	sc.Scheme = sc.Scheme.Clone()
	for _, set := range [][2]string{{"policy", "rfvp"}, {"drop", "0"}, {"which", "all"}, {"force", "on"}} {
		if err := sc.Set("loads."+set[0], set[1]); err != nil {
			return 0, nil, err
		}
	}
	j := NewJob(&sc, false)
	r := s.results.Run(j)
	if err := s.ask(j, r != nil); err != nil {
		return 0, nil, err
	}
	predicted := experiment.Reported[rfvp.Report](r)
	if predicted == nil {
		return 0, nil, missing{"misses of " + j.String()}
	}
	var misses []float64
	total := 0.0
	for i := range predicted.Loads {
		n := float64(predicted.Loads[i].Misses)
		misses, total = append(misses, n), total+n
	}
	slices.Sort(misses)
	sum := 0.0
	for _, n := range misses[max(len(misses)-p.settings.rfvp.top, 0):] {
		sum += n
	}
	return sum / max(total, 1), nil, nil
}

// lossOf is the loss of a run by RFVP's table I; a run that approximates nothing is exact.
func (s *session) lossOf(p *point) (float64, *Formula, error) {
	r, err := s.resultOf(p)
	if err != nil {
		return 0, nil, err
	}
	if r.Loss == nil {
		return 0, s.leaf("run", "err", p.run), nil
	}
	return *r.Loss, nil, nil
}

// product is ned(entries, groups): the geometric mean over the programs of energy x delay x
// error, each normalised to the run without prediction (figure 12), at a drop rate of 50 %.
func (s *session) product(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	var entries, groups int
	if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 2, &entries, &groups); err != nil {
		return nil, err
	}
	set := defaultSettings()
	set.rfvp = rfvpSettings{drop: experiment.DropStart, entries: entries, groups: groups}
	var list []float64
	for _, id := range SetOf("RFVP10") {
		p, err := s.point(rfvpPaper, id, set)
		base, errBase := s.point("NONE", id, defaultSettings())
		if err != nil || errBase != nil {
			s.lackError(err)
			s.lackError(errBase)
			continue
		}
		energy, _, err := s.relative("energy", p, base)
		if err != nil {
			return nil, err
		}
		delay, _, err := s.relative("seconds", p, base)
		if err != nil {
			return nil, err
		}
		loss, _, err := s.lossOf(p)
		if err != nil {
			s.lackError(err)
			continue
		}
		list = append(list, float64(energy*delay)*loss)
	}
	if len(s.missing) > 0 {
		return nothing, nil
	}
	mean, zeros := geometric(list, "err")
	if zeros != nil {
		s.note(fmt.Sprintf("energy x delay x error of %d entries and %d groups: %s", entries, groups, zeros))
	}
	return starlark.Float(mean), nil
}
