package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/estimate"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/core/workload"
)

// Recorded is the traffic of a run, from which other memory schemes can be estimated. It keeps
// nothing of the machine but its memory.
type Recorded struct {
	profile *estimate.Profile
	buffers []workload.Buffer
	memory  scheme.Memory              // of the run
	counts  []*codecs.Trainer          // offline probabilities: first for runs without compression
	early   *codecs.Trainer            // online probabilities
	study   *Study                     // has more counts at the end of the run; nil afterwards
	coders  map[string]*codecs.Trainer // made from the profile, by codec
}

// earlyDistinct bounds the distinct symbols of 32 bits that a recording counts, to 8 MB [ours].
const earlyDistinct = 1 << 18

// TrafficKey names everything that the traffic of a scenario depends on if its memory scheme does
// not change it: the hash of the scenario without that scheme.
func TrafficKey(s *scenario.Scenario) string {
	t := *s
	t.Memory = scheme.DefaultMemory()
	return t.Hash()
}

// startRecording begins a recording of the machine that has been built.
func (r *Run) startRecording(l *loaded) error {
	if !r.record || len(r.plan.Backing) > 0 {
		return nil // an entry behind a link moves in sectors, which estimates do not know
	}
	m := &r.plan.Memory
	counts, err := codecs.NewTrainer(append(codecs.All(), codecs.Plugin)...)
	if err != nil {
		return err
	}
	counts.Bound(earlyDistinct)
	if m.CountsCopies() {
		l.observeCopies(r.plan.Program, &counter{counts})
	}
	machine, sample, sampling := r.machine, e2mc.SampleInstructions(m.Sample(), r.study.threadInstructions), true
	early := func(line *mem.Line) bool {
		if sampling {
			counts.Count(line)
		}
		return sampling
	}
	rec := &Recorded{
		profile: estimate.NewProfile(l.image, machine.Spec().L2.WriteMiss == cache.WriteFetch, early),
		buffers: r.plan.Program.Buffers, memory: *m, early: counts, study: r.study,
	}
	// The machine looks as rarely whether its own sample is complete.
	machine.SetRecorder(rec.profile, func() { sampling = sampling && machine.ThreadInstructions() < sample })
	r.recorded = rec
	return nil
}

// Recorded returns the traffic of a finished run, or nil: Options.Record was not set, the run has not
// ended, or its memory is behind a link.
func (r *Run) Recorded() *Recorded {
	rec := r.recorded
	if rec == nil || r.phase != PhaseDone || r.cancelled || r.err != nil {
		return nil
	}
	if rec.study != nil {
		for _, p := range rec.study.profiles {
			if p.complete {
				rec.counts = append(rec.counts, p.counts)
			}
		}
		rec.study = nil
	}
	return rec
}

// Compressed reports whether the recorded run compressed its blocks.
func (r *Recorded) Compressed() bool { return codingOf(&r.memory) != "none" }

// Start begins the estimate of another memory scheme on the recorded traffic.
func (r *Recorded) Start(m scheme.Memory) (*estimate.Work, error) {
	counts, err := r.countsFor(&m)
	if err != nil {
		return nil, err
	}
	s, err := schemeOf(&m, counts)
	if err != nil {
		return nil, err
	}
	return r.profile.Start(estimate.Setting{Scheme: s, Online: needsStatistics(&m) && m.Online(), Buffers: r.buffers})
}

// countsFor returns the symbol counts for a scheme. Offline probabilities are those of the study if it
// has any for the codec, at whatever MAG; otherwise they are counted in the recorded contents.
func (r *Recorded) countsFor(m *scheme.Memory) (*codecs.Trainer, error) {
	name := codingOf(m)
	if !needsStatistics(m) {
		return nil, nil
	}
	if m.Online() {
		if a, b := m.Effective(), r.memory; a.Sample() != b.Sample() && (a.Sample() != 0 || b.Sample() != e2mc.DefaultSample) || m.CountsCopies() != r.memory.CountsCopies() {
			return nil, fmt.Errorf("the recorded run has no sample for these probabilities: run it once with them")
		}
		return r.early, nil
	}
	for _, c := range r.counts {
		if c.Serves(name) {
			return c, nil
		}
	}
	if c := r.coders[name]; c != nil {
		return c, nil
	}
	c, err := codecs.NewTrainer(name)
	if err != nil {
		return nil, err
	}
	r.profile.Count(c.Count)
	if r.coders == nil {
		r.coders = map[string]*codecs.Trainer{}
	}
	r.coders[name] = c
	return c, nil
}
