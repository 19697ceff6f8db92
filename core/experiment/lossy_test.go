package experiment_test

import (
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
)

// The account of lossy blocks adds up to the counters and agrees with SLC: cuts of at
// most 16 symbols, blocks within their budget. This also holds if the header is not
// counted (literal), because the account covers only counted bits.
func TestLossyAccount(t *testing.T) {
	for _, header := range []string{"", "variable", "literal"} {
		s := scenario.Default("nn")
		s.Machine.Preset, s.Workload.Size, s.Workload.Data = "mini", s.Workload.Size/50, "hundredths"
		s.Memory.Put("codec", "e2mc16", "approximation", "tslc-opt", "header", header)
		r := finished(t, s)
		l := r.Lossy
		if l == nil {
			t.Fatalf("%q: no lossy blocks", header)
		}
		var blocks, bits uint64
		for i := range l.Blocks {
			blocks += l.Blocks[i]
			bits += l.ExcessBits[i]
		}
		if blocks != r.Stats["blocksReadLossy"]+r.Stats["blocksWrittenLossy"] || bits != r.Stats["excessBits"] {
			t.Errorf("%q: %d blocks and %d bits, counters %v", header, blocks, bits, r.Stats)
		}
		if l.MostSymbols < 1 || l.MostSymbols > 16 || l.MostBytesOver > 0 {
			t.Errorf("%q: %+v", header, l)
		}
	}
	checkPredictions(t)
	s := scenario.Default("nn")
	s.Machine.Preset, s.Workload.Size = "mini", s.Workload.Size/50
	if r := finished(t, s); r.Lossy != nil {
		t.Errorf("lossy blocks without approximation: %+v", r.Lossy)
	}
}

// The longer the sample, the more blocks stay raw. Shorter samples would make poor codes,
// so they are not compared.
func TestSampleSetsWhenCompressionBegins(t *testing.T) {
	var before uint64
	for _, sample := range []int{20, 200, 400} {
		s := scenario.Default("vecadd")
		s.Machine.Preset = "mini"
		s.Memory.Put("codec", "e2mc16", "probabilities", "online", "sample", sample)
		r := finished(t, s)
		raw := r.Stats["blocksReadRaw"] + r.Stats["blocksWrittenRaw"]
		if raw <= before {
			t.Errorf("a sample of %d leaves %d blocks raw, a shorter one %d", sample, raw, before)
		}
		before = raw
	}
}

func finished(t *testing.T, s *scenario.Scenario) *experiment.Result {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := experiment.New(p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// checkPredictions: of the two readings of what takes the place of cut symbols, both cut the same blocks to the same
// bits, and a program of floats loses more where a low half comes into the place of a high one.
func checkPredictions(t *testing.T) {
	t.Helper()
	var results []*experiment.Result
	for _, word := range []string{"", "parity", "literal"} {
		s := scenario.Default("nn")
		s.Machine.Preset, s.Workload.Size, s.Workload.Data = "mini", s.Workload.Size/50, "hundredths"
		s.Memory.Put("codec", "e2mc16", "approximation", "tslc-pred", "prediction", word)
		results = append(results, finished(t, s))
	}
	none, parity, literal := results[0], results[1], results[2]
	if parity.ScenarioHash != none.ScenarioHash || parity.ResultHash != none.ResultHash {
		t.Error("the default prediction is another scenario if it is written")
	}
	if literal.ScenarioHash == parity.ScenarioHash || literal.Error <= parity.Error {
		t.Errorf("literal: an error of %g, parity %g", literal.Error, parity.Error)
	}
	if a, b := literal.Stats["blocksReadLossy"], parity.Stats["blocksReadLossy"]; a != b {
		t.Errorf("%d lossy blocks are read, %d under parity", a, b)
	}
	// With the sets of the c-LUT fewer values have codewords, so codes are longer; full is the default.
	results = nil
	for _, word := range []string{"", "full", "sets"} {
		s := scenario.Default("nn")
		s.Machine.Preset, s.Workload.Size, s.Workload.Data = "mini", s.Workload.Size/50, "hundredths"
		s.Memory.Put("codec", "e2mc16", "clut", word)
		results = append(results, finished(t, s))
	}
	none, full, sets := results[0], results[1], results[2]
	if full.ScenarioHash != none.ScenarioHash || sets.ScenarioHash == none.ScenarioHash {
		t.Error("the full c-LUT is another scenario if it is written, or its sets are none")
	}
	if a, b := sets.Stats["blockReadBits"], full.Stats["blockReadBits"]; a <= b {
		t.Errorf("the codes read have %d bits with sets, %d without", a, b)
	}
}
