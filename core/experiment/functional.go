package experiment

import "github.com/burstscope/burstscope/core/stat"

// Functional runs a plan's program without a machine. It gives the same outputs as a
// lossless run, much faster, without timing. The result holds instruction counts and
// outputs; the counters of a machine are 0. watch receives the progress from time to
// time.
func Functional(p *Plan, watch func(Progress)) (*Result, error) {
	s, err := newStudy(p)
	if err != nil {
		return nil, err
	}
	for done := false; !done; {
		if done, err = s.stepReference(stepCycles); err != nil {
			return nil, err
		}
		watch(s.progress())
	}
	res := &Result{
		Version: Version, ScenarioHash: p.ScenarioHash, Workload: p.Program.Name, Preset: p.Preset, Scheme: p.Scheme,
		Functional: true, HashVersion: stat.HashVersion, ErrorMetric: p.Program.Metric.String(), Stats: map[string]uint64{}, Outputs: s.exact, Exact: s.exact,
		WarpInstructions: s.warpInstructions, ThreadInstructions: s.threadInstructions,
	}
	res.Printed = printedOf(&s.printed)
	res.ResultHash = hash(0, nil, s.exact)
	return res, nil
}

// RunFunctional runs the study's program without a machine, unless an earlier run has
// already done so.
func (s *Study) RunFunctional() error {
	for {
		if done, err := s.stepReference(stepCycles); done || err != nil {
			return err
		}
	}
}

// WarpInstructions returns the number of warp instructions of the program, or 0 before
// a functional run.
func (s *Study) WarpInstructions() uint64 {
	_ = s.settle()
	return s.warpInstructions
}
