package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/tslc"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
)

// onlineSample is how many thread instructions online probabilities are sampled:
// E2MC's durations are millions of its nominal 400 (figure 4b); our programs are
// shorter, so the same share of a program takes their place (systems.md 2.4).
func onlineSample(m *scenario.Memory, threadInstructions uint64) uint64 {
	share := m.Sample
	if share == 0 {
		share = scenario.DefaultSample
	}
	return threadInstructions * uint64(share) / scenario.SampleUnit
}

// symbolBits returns the symbol width of an E2MC codec name.
func symbolBits(name string) (int, bool) {
	for _, n := range []int{4, 8, 16, 32} {
		if e2mc.Name(n) == name {
			return n, true
		}
	}
	return 0, false
}

// needsStatistics reports whether a scheme's codes are made from symbol counts.
func needsStatistics(m *scenario.Memory) bool {
	_, ok := symbolBits(m.Codec)
	return ok
}

// schemeOf builds the scheme of m from symbol counts (nil where none are needed).
func schemeOf(m *scenario.Memory, h *e2mc.Histogram) (codec.Scheme, error) {
	if m.Codec == "none" {
		return codec.NewRaw(m.MAG), nil
	}
	bits, ok := symbolBits(m.Codec)
	if !ok {
		c, err := codecs.ByName(m.Codec, nil)
		if err != nil {
			return nil, fmt.Errorf("memory.codec: %w", err)
		}
		return codec.NewLossless(c, m.MAG)
	}
	table, err := e2mc.Train(h, e2mc.TrainParams{})
	if err != nil {
		return nil, err
	}
	if m.Approximation == "none" {
		return e2mc.NewScheme(e2mc.Params{SymbolBits: bits, Ways: m.DecodingWays, MAGBytes: m.MAG}, table)
	}
	variant, err := tslc.ParseVariant(m.Approximation)
	if err != nil {
		return nil, err
	}
	header := tslc.HeaderFixed
	if m.Header != "" {
		if header, err = tslc.ParseHeader(m.Header); err != nil {
			return nil, err
		}
	}
	return tslc.NewScheme(tslc.Params{Variant: variant, Ways: m.DecodingWays, MAGBytes: m.MAG, ThresholdBytes: m.Threshold, Header: header}, table)
}

// hardware returns what a block costs the codec of m, from what its paper says.
func hardware(m *scenario.Memory) (energy.Codec, error) {
	if m.Codec == "none" {
		return energy.Codec{Name: "none"}, nil
	}
	name, cost := m.Codec, codec.Cost{}
	if bits, ok := symbolBits(m.Codec); !ok {
		c, err := codecs.ByName(m.Codec, nil)
		if err != nil {
			return energy.Codec{}, fmt.Errorf("memory.codec: %w", err)
		}
		cost = c.Info().Cost
	} else if cost = e2mc.UnitCost(bits); m.Approximation != "none" {
		name, cost = m.Approximation, tslc.Cost(cost)
	}
	return energy.NewCodec(name, cost.CompressPJ, cost.DecompressPJ, cost.EnergySource), nil
}

// counter collects symbol statistics of every block that crosses a controller.
type counter struct{ histogram *e2mc.Histogram }

func (c *counter) Observe(line *mem.Line) { c.histogram.Count(line) }

// sampler is the online estimation of probabilities.
type sampler struct {
	counter
	memory             *scenario.Memory
	threadInstructions uint64
}

func newSampler(m *scenario.Memory, threadInstructions uint64) (*sampler, error) {
	bits, _ := symbolBits(m.Codec)
	h, err := e2mc.NewHistogram(bits)
	if err != nil {
		return nil, err
	}
	return &sampler{counter{h}, m, threadInstructions}, nil
}

func (s *sampler) ThreadInstructions() uint64 { return s.threadInstructions }

func (s *sampler) Scheme() (codec.Scheme, error) {
	scheme, err := schemeOf(s.memory, s.histogram)
	if err != nil {
		return nil, err
	}
	return delayed(s.memory, scheme)
}

func (s *sampler) Clone() machine.Sampler {
	h, err := e2mc.NewHistogram(s.histogram.SymbolBits())
	if err != nil {
		panic(err) // the width was accepted before
	}
	h.CopyFrom(s.histogram)
	return &sampler{counter{h}, s.memory, s.threadInstructions}
}
