package sweep

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/run"
)

// batch is a list of jobs that share one simulation without compression: program, machine,
// seed and MAG are the same.
type batch struct {
	jobs     []*claim.Job
	exactKey string // of the exact output, which batches share; empty if it cannot be named
	seconds  float64
}

// batches groups the jobs. Batches are in the order of their first jobs.
func batches(jobs []*claim.Job) []*batch {
	var list []*batch
	at := map[string]*batch{}
	for _, j := range jobs {
		key := experiment.UncompressedKey(j.Scenario)
		if at[key] == nil {
			at[key] = &batch{}
			at[key].exactKey, _ = experiment.ExactKey(j.Scenario) // a run reports the fault
			list = append(list, at[key])
		}
		at[key].jobs = append(at[key].jobs, j)
	}
	for _, b := range list { // measurements of traffic first: they free the kept blocks
		slices.SortStableFunc(b.jobs, func(x, y *claim.Job) int {
			switch {
			case x.Traffic == y.Traffic:
				return 0
			case x.Traffic:
				return -1
			}
			return 1
		})
	}
	return list
}

// exactOutputs keeps exact outputs until the last batch that needs them has begun.
type exactOutputs struct {
	mu   sync.Mutex
	kept map[string]*keptOutput
}

type keptOutput struct {
	mu    sync.Mutex
	users int // batches that have not begun
	exact *experiment.Exact
}

func newExactOutputs(list []*batch) *exactOutputs {
	x := &exactOutputs{kept: map[string]*keptOutput{}}
	for _, b := range list {
		if x.kept[b.exactKey] == nil {
			x.kept[b.exactKey] = &keptOutput{}
		}
		x.kept[b.exactKey].users++
	}
	return x
}

// give gives a family the exact output of its program: from another batch, or computed
// here for the others. Of two batches that need it at once, one waits for the other.
func (x *exactOutputs) give(b *batch, f *experiment.Family) error {
	x.mu.Lock()
	k := x.kept[b.exactKey]
	if k.users--; k.users == 0 {
		delete(x.kept, b.exactKey)
	}
	x.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.exact != nil {
		return f.UseExact(k.exact)
	}
	var err error
	k.exact, err = f.Exact()
	return err
}

// runBatch makes the runs of a batch one after the other.
func (o *sweepOptions) runBatch(b *batch, x *exactOutputs, p *progress) {
	if o.stopped() {
		for range b.jobs {
			p.leave()
		}
		return
	}
	var family *experiment.Family
	err := o.guarded(b.jobs[0], func() (err error) {
		if family, err = experiment.NewFamily(b.jobs[0].Scenario); err == nil {
			err = x.give(b, family)
		}
		return err
	})
	if err != nil { // of the program: it ends every run
		for _, j := range b.jobs {
			p.report(j, err)
		}
		return
	}
	var shared *experiment.Uncompressed
	err = fault.Guard(func() error { shared = b.uncompressed(family); return nil })
	for _, j := range b.jobs {
		if o.stopped() {
			p.leave()
			continue
		}
		if errors.As(err, new(*fault.Panic)) {
			family = nil // a panic may have left it half changed
		}
		err = o.guarded(j, func() (err error) {
			if family == nil {
				if family, err = experiment.NewFamily(j.Scenario); err != nil {
					return err
				}
			}
			return o.runJob(j, family, shared)
		})
		if errors.Is(err, run.ErrStopped) {
			p.leave()
		} else {
			p.report(j, err)
		}
	}
}

// uncompressed makes the shared simulation. It is nil if no job needs one, or if it failed;
// then each job runs alone and reports its own error.
func (b *batch) uncompressed(f *experiment.Family) *experiment.Uncompressed {
	var users []*scenario.Scenario
	traffic, needed := false, false
	for _, j := range b.jobs {
		traffic = traffic || j.Traffic
		if needsUncompressed(j) {
			needed = true
		}
		if !j.Traffic {
			users = append(users, j.Scenario)
		}
	}
	if !needed {
		return nil
	}
	u, err := f.Uncompressed(users, traffic)
	if err != nil {
		return nil
	}
	return u
}

// needsUncompressed reports whether a job takes something from a simulation without
// compression: all of it, its traffic, or the statistics for offline probabilities.
func needsUncompressed(j *claim.Job) bool {
	return j.Traffic || isUncompressed(j) || experiment.NeedsStatistics(j.Scenario)
}

func isUncompressed(j *claim.Job) bool {
	return !j.Traffic && j.Key == experiment.UncompressedKey(j.Scenario)
}

// Finish makes a run to its end. With --checkpoint it continues from the run's state, if there is
// one, and stores its state now and then; a run whose state cannot be used begins anew.
func (o *sweepOptions) finish(j *claim.Job, family *experiment.Family, r *experiment.Run) (*experiment.Result, error) {
	if o.stop == nil {
		return r.Finish()
	}
	k := run.NewKeeper(o.Store.statePath(j.Key), o.stop)
	k.Status = o.Status
	again, err := k.Resume(func(build string, from io.Reader) (*experiment.Run, error) {
		return family.Resume(j.Scenario, build, from)
	})
	if err != nil {
		fmt.Fprintf(o.Status, "%v: this run begins anew\n", err)
	}
	if again != nil {
		r = again
	}
	return k.Finish(r, nil)
}

// runJob makes one run and stores its result.
func (o *sweepOptions) runJob(j *claim.Job, family *experiment.Family, shared *experiment.Uncompressed) error {
	e := &Entry{Key: j.Key}
	var err error
	switch {
	case j.Traffic && shared != nil:
		e.Traffic, err = shared.Traffic()
	case j.Traffic:
		var plan *experiment.Plan
		if plan, err = experiment.PlanOf(j.Scenario); err == nil {
			e.Traffic, err = experiment.MeasureTraffic(plan)
		}
	case isUncompressed(j) && shared != nil:
		e.Result = shared.Result
	default:
		var r *experiment.Run
		if r, err = family.Run(j.Scenario); err == nil {
			e.Result, err = o.finish(j, family, r)
		}
	}
	if err != nil {
		return err
	}
	return o.Store.put(j.Scenario, e)
}
