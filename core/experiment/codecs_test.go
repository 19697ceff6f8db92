package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// toyCodec stores blocks of one repeated byte in 8 bits and no others.
type toyCodec struct{}

func (toyCodec) Info() codec.Info {
	return codec.Info{Name: "toy", Source: "this test", Lossless: true, Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 1, DecompressCycles: 1}}
}

func (toyCodec) SizeBits(src *mem.Line) int {
	for _, b := range src {
		if b != src[0] {
			return codec.RawBits
		}
	}
	return 8
}

func (c toyCodec) RawBits(src *mem.Line) int { return c.SizeBits(src) }

func (c toyCodec) Encode(dst *codec.Block, src *mem.Line) int {
	dst[0] = src[0]
	return c.SizeBits(src)
}

func (toyCodec) Decode(dst *mem.Line, src *codec.Block, _ int) error {
	for i := range dst {
		dst[i] = src[0]
	}
	return nil
}

// A codec is one row: with the row in the table, a scenario that names it is valid, runs,
// and has a cost. Every other row runs too, with offline and online probabilities, and its
// memory reads back as written.
func TestEveryCodecOfTheTableRuns(t *testing.T) {
	old := codecs.Table
	defer func() { codecs.Table = old }()
	codecs.Table = append(old[:len(old):len(old)], codecs.Row{
		Name: "toy", Title: "Toy", Make: func(codecs.Options, *codecs.Trainer) (codecs.Coder, error) { return toyCodec{}, nil },
	})
	s := scenario.Default("vecadd")
	s.Machine.Preset, s.Workload.Size = "mini", 4096
	for _, row := range codecs.Table {
		ways := []string{"offline"}
		if row.Trained() {
			ways = append(ways, "online")
		}
		for _, probabilities := range ways {
			s.Memory = scheme.DefaultMemory()
			s.Memory.Put("codec", row.Name, "probabilities", probabilities)
			if row.Over != "" {
				s.Memory.Put("codec", row.Over, "approximation", row.Name)
			}
			if err := s.Validate(); err != nil {
				t.Fatalf("%s: %v", row.Name, err)
			}
			plan, err := PlanOf(s)
			if err != nil {
				t.Fatal(err)
			}
			plan.Paranoid = true
			run, err := New(plan, Options{})
			if err != nil {
				t.Fatal(err)
			}
			result, err := run.Finish()
			if err != nil {
				t.Errorf("%s %s: %v", row.Name, probabilities, err)
				continue
			}
			if result.Error != 0 && row.Over == "" {
				t.Errorf("%s %s: output error %g", row.Name, probabilities, result.Error)
			}
			if result.Stats["metadataAccesses"] == 0 {
				t.Errorf("%s %s: the memory was not compressed", row.Name, probabilities)
			}
			if _, err := hardware(&plan.Memory); err != nil {
				t.Error(err)
			}
		}
	}
}
