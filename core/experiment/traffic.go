package experiment

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/mem"
)

// Traffic holds the sizes, under every codec, of the blocks that cross the memory
// controllers in a run without compression: compression ratios independent of timing.
// E2MC's codes are made from the same blocks (offline probabilities).
type Traffic struct {
	Version      string `json:"version"`
	ScenarioHash string `json:"scenarioHash"` // of the run without compression
	Workload     string `json:"workload"`
	Blocks       uint64 `json:"blocks"`
	// EntropyRatio16 is the bound of codes for 16-bit symbols: 16 over their entropy.
	EntropyRatio16 float64        `json:"entropyRatio16"`
	Codecs         []TrafficCodec `json:"codecs"`
}

// TrafficCodec is the measurement of one setting of a codec.
type TrafficCodec struct {
	Codec string `json:"codec"`
	Ways  int    `json:"ways,omitempty"` // decoding ways, 0 = the codec has none
	// MaxValues is the number of codewords without the escape; 0 = the codec has no limit.
	MaxValues int `json:"maxValues,omitempty"`
	// EscapeBits is the length of the escape; 0 = there is no escape. It follows from the
	// counts and is not part of the hash.
	EscapeBits int    `json:"escapeBits,omitempty"`
	Bits       uint64 `json:"bits"` // at most 1024 a block
	// Bytes counts blocks by their size in bytes, rounded up.
	Bytes []uint64 `json:"bytes"`
}

// trafficWays and trafficValues are the points of E2MC's figures 10 and 4.
var (
	trafficWays   = []int{1, 2, 4, 8}
	trafficValues = []int{512, 1024, 2048, 4096, 8192}
)

// trafficCodecs are those that counts of traffic measure, in the order of their table.
func trafficCodecs() []string { return codecs.Where((*codecs.Row).InTraffic) }

// maxTrafficBlocks bounds the distinct blocks: 512 MB [ours].
const maxTrafficBlocks = 4 << 20

// tape keeps every distinct block that crosses a controller, and counts the symbols of all.
type tape struct {
	distinct
	counts *codecs.Trainer
	full   bool
}

func newTape(counts *codecs.Trainer) *tape { return &tape{counts: counts} }

func (t *tape) Observe(line *mem.Line) {
	t.counts.Count(line)
	if t.add(line, maxTrafficBlocks) {
		t.full = true
	}
}

// Find returns the measurement of a codec's setting, or nil. Ways and values of 0 mean
// E2MC's defaults; they are ignored for codecs without them.
func (t *Traffic) Find(name string, ways, values int) *TrafficCodec {
	for i := range t.Codecs {
		c := &t.Codecs[i]
		if c.Codec != name {
			continue
		}
		wantWays, wantValues := ways, values
		if wantWays == 0 {
			wantWays = e2mc.DefaultWays
		}
		if wantValues == 0 {
			wantValues = e2mc.DefaultMaxValues
		}
		if c.Ways == 0 || c.Ways == wantWays && c.MaxValues == wantValues {
			return c
		}
	}
	return nil
}

// sizes returns c in the form of package survey, which derives the other figures.
func (c *TrafficCodec) sizes() *survey.Sizes {
	s := &survey.Sizes{Name: c.Codec, Bits: c.Bits}
	for i, n := range c.Bytes {
		if i < len(s.Bytes) {
			s.Bytes[i] = n
			s.Blocks += n
		}
	}
	return s
}

// Ratio is the raw compression ratio.
func (c *TrafficCodec) Ratio() float64 { return c.sizes().Ratio() }

// EffectiveRatio is the compression ratio in bursts.
func (c *TrafficCodec) EffectiveRatio(magBytes int) float64 {
	return c.sizes().EffectiveRatio(magBytes)
}

// ShareWithin is the share of blocks of more than low and at most high bytes; raw blocks
// have 128 bytes.
func (c *TrafficCodec) ShareWithin(low, high float64) float64 {
	s := c.sizes()
	n := uint64(0)
	for bytes, blocks := range s.Bytes {
		if float64(bytes) > low && float64(bytes) <= high {
			n += blocks
		}
	}
	return Ratio(float64(n), float64(s.Blocks))
}

// AboveMAG counts blocks by how far they end above a multiple of the granularity,
// as in SLC's figure 2.
func (c *TrafficCodec) AboveMAG(magBytes int) []uint64 { return c.sizes().AboveMAG(magBytes) }

// ShareAboveMAG is the share of blocks that end 1 to bytes above a multiple.
func (c *TrafficCodec) ShareAboveMAG(magBytes, bytes int) float64 {
	s := c.sizes()
	return Ratio(float64(s.WithinThreshold(magBytes, bytes)), float64(s.Blocks))
}
