package claim

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/system/rfvp/study"
)

// atLoss returns the point of a system with the highest share of its search whose loss is at most the target of q=: the
// memory scheme alone if no share keeps it. All shares must have been run.
func (s *session) atLoss(name, id string, set settings) (*point, error) {
	target := set.loss
	set.loss = 0
	list, err := s.folderOf(s.paper).partsOf(name)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(y *System) bool { return y.search != nil })
	if at < 0 {
		return nil, missing{"the loss of " + name + " has no setting to search"}
	}
	how := list[at].search
	if how.otherwise != "" && !slices.Contains(how.programs, id) {
		s.note(id + ": " + how.otherwise)
		return s.point("NONE", id, set)
	}
	drawn, once := s.under, draw{reading: s.under.reading} // found once for all inputs and places of buffers
	s.under = once
	losses := map[int]float64{}
	for _, share := range study.DropRates()[1:] {
		losses[share] = math.Inf(1)
	}
	var lacking error
	for _, share := range how.shares {
		set.give("drop", float64(share)/1000)
		p, err := s.point(name, id, set)
		if err != nil {
			s.under = drawn
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
			losses[share] = *r.Loss
		}
	}
	s.under = drawn
	if lacking != nil && drawn != once { // any of the shares may turn out to be the one
		for _, share := range how.shares {
			set.give("drop", float64(share)/1000)
			if p, err := s.point(name, id, set); err == nil {
				s.resultOf(p)
			}
		}
	}
	if lacking != nil {
		return nil, lacking
	}
	share, err := study.HighestRate(target, func(share int) (float64, error) { return losses[share], nil })
	if err != nil {
		return nil, err
	}
	if share == 0 {
		s.note(fmt.Sprintf("%s: no %s keeps the loss within %g %%", id, how.of, 100*target))
		memory := "NONE"
		for _, y := range list {
			if y.codes() {
				memory = y.Name
			}
		}
		set.own = ""
		return s.point(memory, id, set)
	}
	set.give("drop", float64(share)/1000)
	return s.point(name, id, set)
}

// lossOf is the loss of a run by its paper's metric; a run that approximates nothing is exact.
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
