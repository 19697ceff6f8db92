package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/scheme"
)

// codingOf names the row in the table of codecs that stores blocks under m, or "none"
// without compression. An approximation replaces the codec below it.
func codingOf(m *scheme.Memory) string {
	if m.Approximation() != "none" {
		return m.Approximation()
	}
	return m.Codec()
}

// needsStatistics reports whether the codes of a scheme need symbol counts.
func needsStatistics(m *scheme.Memory) bool {
	return codecs.Trained(codingOf(m)) || codecs.TrainedModule(codingOf(m), string(m.Module()))
}

// schemeOf builds the scheme of m from symbol counts (nil if it needs none).
func schemeOf(m *scheme.Memory, t *codecs.Trainer) (codec.Scheme, error) {
	name := codingOf(m)
	if name == "none" {
		return codec.NewRaw(m.MAG()), nil
	}
	o := m.Options()
	var err error
	if m.Header() != "" {
		if o.Header, err = codecs.ParseHeader(m.Header()); err != nil {
			return nil, err
		}
	}
	if t == nil {
		t = &codecs.Trainer{}
	}
	s, err := t.Scheme(name, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place(m), err)
	}
	return s, nil
}

// lossyModule reports whether a scheme is a lossy module.
func lossyModule(s codec.Scheme) bool {
	_, lossy := s.(*plugin.Scheme)
	return lossy
}

// place is the path of what a fault of m's codec is about.
func place(m *scheme.Memory) string {
	if m.Codec() == codecs.Plugin {
		return "memory.module"
	}
	return "memory.codec"
}

// faultOf returns what ended the codec of m, nil if nothing did.
func faultOf(m *scheme.Memory, s codec.Scheme) error {
	if err := codecs.FaultOf(s); err != nil {
		return fmt.Errorf("%s: %s: %w", place(m), s.Name(), err)
	}
	return nil
}

// coding returns the latencies that m sets for its codec, or nil for the paper's.
func coding(m *scheme.Memory) (*memctrl.Coding, error) {
	c, d, err := m.Latencies()
	if err != nil || c == nil {
		return nil, err
	}
	return &memctrl.Coding{CompressCycles: *c, DecompressCycles: *d}, nil
}

// hardware returns the energy that the codec of m takes for a block, from its paper.
func hardware(m *scheme.Memory) (energy.Codec, error) {
	name := codingOf(m)
	if name == "none" {
		return energy.Codec{Name: "none"}, nil
	}
	info, err := infoOf(m)
	if err != nil {
		return energy.Codec{}, fmt.Errorf("%s: %w", place(m), err)
	}
	cost := info.Cost
	return energy.NewCodec(name, cost.CompressPJ, cost.DecompressPJ, cost.EnergySource), nil
}

// infoOf describes the codec of m, which has one.
func infoOf(m *scheme.Memory) (codec.Info, error) {
	return codecs.InfoOf(codingOf(m), codecs.Options{Module: string(m.Module()), Settings: *m})
}

// counter collects symbol statistics of every block that crosses a controller.
type counter struct{ counts *codecs.Trainer }

func (c *counter) Observe(line *mem.Line) { c.counts.Count(line) }

// sampler estimates probabilities online.
type sampler struct {
	counter
	memory             *scheme.Memory
	threadInstructions uint64
}

func newSampler(m *scheme.Memory, threadInstructions uint64) (*sampler, error) {
	t, err := codecs.NewTrainer(codingOf(m))
	if err != nil {
		return nil, err
	}
	return &sampler{counter{t}, m, threadInstructions}, nil
}

func (s *sampler) ThreadInstructions() uint64 { return s.threadInstructions }

func (s *sampler) Scheme() (codec.Scheme, error) { return schemeOf(s.memory, s.counts) }

func (s *sampler) Clone() machine.Sampler { return s.with(s.counts.Clone()) }

func (s *sampler) AppendBinary(b []byte) []byte { return s.counts.AppendBinary(b) }

func (s *sampler) Parse(b []byte) (machine.Sampler, error) {
	counts, err := codecs.ParseTrainer(b)
	if err != nil || !counts.Serves(codingOf(s.memory)) {
		return nil, fmt.Errorf("the stored sample has no counts for the codes of %s (%v)", codingOf(s.memory), err)
	}
	return s.with(counts), nil
}

func (s *sampler) with(counts *codecs.Trainer) *sampler {
	return &sampler{counter{counts}, s.memory, s.threadInstructions}
}
