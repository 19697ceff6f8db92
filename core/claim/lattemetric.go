package claim

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/latte"
)

// derivedMetric is the value of a metric that takes another run beside that of the system.
type derivedMetric = func(s *session, r *request, id string) (float64, *Formula, error)

// derivedMetrics are those of LATTE-CC's rows.
var derivedMetrics = map[string]derivedMetric{
	"cr_l1":          ratioInL1,
	"eff_cap":        effectiveCapacity,
	"kopt_agree":     agreement,
	"esave_datamove": saving(dataMovement),
	"esave_static":   saving(overTime),
	"esave_codec":    saving(codecPart),
	"esave_total":    saving(nil),
	"e_codec_share":  codecShare,
}

// at returns a system on a program.
func (s *session) at(system, id string, set settings) (*point, error) {
	p, err := s.point(system, id, set)
	if err != nil {
		return nil, missing{err.Error()}
	}
	return p, nil
}

// ratioInL1 is what a codec makes of the lines that enter an L1 without compression.
func ratioInL1(s *session, r *request, id string) (float64, *Formula, error) {
	if !slices.Contains([]string{"BDI", "FPC", "CPACKZ", "BPC", "SC"}, r.system) {
		return 0, nil, missing{"lines of L1 are not measured under " + r.system}
	}
	p, err := s.at(l1Measured, id, r.on)
	if err != nil {
		return 0, nil, err
	}
	return s.ofRun("cr_l1_"+lowered(r.system), p)
}

// effectiveCapacity is the capacity over that of an L1 without compression, whose tags are
// not always all valid.
func effectiveCapacity(s *session, r *request, id string) (float64, *Formula, error) {
	p, err := s.at(r.system, id, r.on)
	base, errBase := s.at(l1Measured, id, r.on)
	if err != nil || errBase != nil {
		s.lackError(err)
		s.lackError(errBase)
		return math.NaN(), nil, nil
	}
	return s.relative("eff_cap", p, base)
}

// agreement is the share of phases in which a system had the mode that Kernel-OPT chose for the launch.
func agreement(s *session, r *request, id string) (float64, *Formula, error) {
	a, b := s.both(r.system, "KOPT", id, r.on)
	if a == nil || b == nil {
		return math.NaN(), nil, nil
	}
	phases, planned := experiment.Reported[latte.Phases](a), experiment.Reported[latte.Phases](b)
	if phases == nil || planned == nil {
		return 0, nil, missing{"phases of " + r.system}
	}
	share, ok := phases.Agreement(planned.Plan)
	if !ok {
		s.note(fmt.Sprintf("%s has no complete phase, and counts as 0", id))
	}
	return share, nil, nil
}

// both returns the results of two systems. One that is missing is nil, and recorded.
func (s *session) both(one, other, id string, set settings) (a, b *experiment.Result) {
	result := func(system string) *experiment.Result {
		p, err := s.at(system, id, set)
		if err == nil {
			var r *experiment.Result
			if r, err = s.resultOf(p); err == nil {
				return r
			}
		}
		s.lackError(err)
		return nil
	}
	return result(one), result(other)
}

// The parts of an account as LATTE-CC's figure 14 divides them [ours]: what moves data outside L1,
// what is spent with time, and the codecs. DRAM's background power counts with time.
var (
	dataMovement = []string{"crossbars", "l2", "dramActivate", "dramRead", "dramWrite", "dramIO"}
	overTime     = []string{"static", "dramBackground", "dramRefresh"}
	codecPart    = []string{"codec"}
)

// joulesOf adds up parts of a run's account; nil are all of them.
func joulesOf(r *experiment.Result, parts []string) float64 {
	total := uint64(0)
	for i := range r.Energy.Parts {
		if p := &r.Energy.Parts[i]; parts == nil || slices.Contains(parts, p.Name) {
			total += p.Femtojoules
		}
	}
	return float64(total) * 1e-15
}

// saving is the energy of parts that a system saves, over all energy without compression.
func saving(parts []string) derivedMetric {
	return func(s *session, r *request, id string) (float64, *Formula, error) {
		a, b := s.both(r.system, "L1-NONE", id, r.on)
		if a == nil || b == nil {
			return math.NaN(), nil, nil
		}
		if a.Energy == nil || b.Energy == nil {
			return 0, nil, missing{"energy of " + id}
		}
		return (joulesOf(b, parts) - joulesOf(a, parts)) / joulesOf(b, nil), nil, nil
	}
}

// codecShare is the energy of the codecs over all energy of the run.
func codecShare(s *session, r *request, id string) (float64, *Formula, error) {
	result, err := s.resultAt(r.system, id, r.on)
	if err != nil {
		return 0, nil, err
	}
	if result.Energy == nil {
		return 0, nil, missing{"energy of " + id}
	}
	return joulesOf(result, codecPart) / joulesOf(result, nil), nil, nil
}
