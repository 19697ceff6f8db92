package experiment

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/scenario"
)

// delayedScheme is a scheme with other latencies.
type delayedScheme struct {
	codec.Scheme
	compress, decompress int
}

func (s delayedScheme) Latencies() (int, int) { return s.compress, s.decompress }

// delayed gives a scheme the latencies of m, if m has any.
func delayed(m *scenario.Memory, s codec.Scheme) (codec.Scheme, error) {
	c, d, err := m.Latencies()
	if err != nil || c == nil || !s.Compressed() {
		return s, err
	}
	return delayedScheme{s, *c, *d}, nil
}
