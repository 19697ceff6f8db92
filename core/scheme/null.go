package scheme

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/system"
)

// Null returns a scheme with the parts of s that take time, metadata and codecs' units, and with none that saves
// anything: the codec is null at the latencies of s, a compressed L1 holds raw lines, loads are not predicted, and
// every entry lies in device memory. What a run under it gains or loses is noise for s.
func (s Scheme) Null() Scheme {
	n := s.Plainly()
	if s.Memory.Codec() != system.None {
		n.Memory.Put("codec", codecs.Null, "latency", s.Memory.timing())
	}
	for i := range Table {
		g := &Table[i]
		was := *s.Part(g.Name)
		e := g.Entry(was.Choice(g))
		if g.Whole() || e == nil || e.Null == "" {
			continue
		}
		p := n.Part(g.Name)
		p.Put(g, g.Key, e.Null)
		for _, f := range g.Entry(e.Null).Settings {
			if v, given := was[f.Name]; given {
				(*p)[f.Name] = v
			}
		}
	}
	return n
}

// Plainly returns a scheme without any system, at the granularity of s.
func (s Scheme) Plainly() Scheme {
	n := Default()
	n.Memory.Put("mag", s.Memory.MAG(), "threshold", s.Memory.MAG()/2)
	return n
}

// timing are the latencies of the codec in the clock of null's.
func (m *Memory) timing() string {
	var t codec.Timing
	if info, err := codecs.InfoOf(m.Codec(), m.Options()); err == nil {
		t = info.Timing
	}
	if m.Codec() != codecs.Plugin {
		t.CompressCycles, t.DecompressCycles = StatedLatencies(m)
	}
	if c, d, err := m.Latencies(); err == nil && c != nil {
		t.CompressCycles, t.DecompressCycles = *c, *d
	}
	mhz := max(1, t.MHz)
	cycles := func(n int) int { return min((n*codec.MemoryMHz+mhz-1)/mhz, codecs.MaxLatencyCycles) }
	return fmt.Sprintf("%d/%d", cycles(t.CompressCycles), cycles(t.DecompressCycles))
}
