package memctrl

import (
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/tape"
)

// deviceMemory is the storage of a controller that keeps every block in device
// memory, under one scheme. The image holds the decompressed bytes of each block.
type deviceMemory struct {
	cfg      *Config
	image    *mem.Image
	scheme   codec.Scheme
	raw      bool   // the scheme stores every block raw
	rawBlock Placed // a raw block
	regions  []codec.Region
	channels []blocks
	observer Observer
	proof    *proof // nil unless paranoid
}

// blocks holds how each block of a channel is stored. A size is computed at the first
// access (the host's copy went through the compressor) and kept until the block is
// written.
type blocks struct {
	first  uint64         // number of the first block within the channel
	stored []codec.Stored // Bursts 0 = not known
	region []uint16       // index into the regions
}

var _ Storage = (*deviceMemory)(nil)

func newDeviceMemory(cfg *Config, image *mem.Image) *deviceMemory {
	m := &deviceMemory{cfg: cfg, image: image, scheme: cfg.Scheme, raw: !cfg.Scheme.Compressed(), channels: make([]blocks, cfg.Channels)}
	mag := cfg.Scheme.MAGBytes()
	m.rawBlock = placedInDevice(codec.Stored{Bits: codec.RawBits, LosslessBits: codec.RawBits, Bursts: uint8(mem.LineBytes / mag), Mode: probe.ModeRaw})
	m.Allocated()
	if cfg.Paranoid {
		m.proof = newProof(image, cfg.Channels)
	}
	return m
}

// blockOf returns a block's number within its channel.
func blockOf(local uint64) uint64 { return local / mem.LineBytes }

// at returns the entry of a block, and its number counted from the channel's first block.
func (m *deviceMemory) at(b Block) (s *codec.Stored, k int) {
	c := &m.channels[b.Channel]
	k = int(blockOf(b.Local) - c.first)
	return &c.stored[k], k
}

// Read fills line. The first Read decides from the host's bytes how the block is stored;
// a lossy scheme changes the bytes.
func (m *deviceMemory) Read(b Block, line *mem.Line) Placed {
	m.image.ReadLine(b.Addr, line)
	if m.observer != nil {
		m.observer.Observe(line)
	}
	if m.raw {
		if m.proof != nil {
			m.proof.checkShadow(b.Addr, line, m.rawBlock.Stored)
		}
		return m.rawBlock
	}
	s, k := m.at(b)
	if s.Bursts == 0 {
		*s = m.store(b, k, line)
		if s.Mode == probe.ModeLossy {
			m.image.WriteLine(b.Addr, line)
		}
	}
	if m.proof != nil {
		m.proof.checkShadow(b.Addr, line, *s)
		m.proof.decode(m.scheme, b, k, line, *s)
	}
	return placedInDevice(*s)
}

// Write stores a block. Under compression only whole blocks are written.
func (m *deviceMemory) Write(b Block, line *mem.Line, mask mem.ByteMask) Placed {
	if !mask.Full() {
		if !m.raw {
			panic("memctrl: a partial write reached a compressed block")
		}
		var old mem.Line
		m.image.ReadLine(b.Addr, &old)
		old.Merge(line, mask)
		*line = old
	}
	if m.observer != nil {
		m.observer.Observe(line)
	}
	if m.proof != nil {
		m.proof.shadow.WriteLine(b.Addr, line)
	}
	s, k := m.at(b)
	placed := m.rawBlock
	if !m.raw {
		placed = placedInDevice(m.store(b, k, line))
	}
	*s = placed.Stored
	m.image.WriteLine(b.Addr, line)
	return placed
}

// store runs the compressor over line, which becomes the output of the decompressor.
func (m *deviceMemory) store(b Block, k int, line *mem.Line) codec.Stored {
	region := m.regions[m.channels[b.Channel].region[k]]
	if m.proof == nil {
		return m.scheme.Store(line, region)
	}
	return m.proof.store(m.scheme, b, k, line, region)
}

// Use changes the scheme. Blocks stored before are encoded again on their next read; under
// StrictSwitch they stay raw until they are written.
func (m *deviceMemory) Use(s codec.Scheme) {
	m.scheme, m.raw = s, !s.Compressed()
	for i := range m.channels {
		stored := m.channels[i].stored
		clear(stored)
		if m.cfg.StrictSwitch {
			for k := range stored {
				stored[k] = m.rawBlock.Stored
			}
		}
	}
	if m.proof != nil {
		m.proof.shadow.CopyFrom(m.image)
	}
}

// ForgetAll forgets how blocks are stored.
func (m *deviceMemory) ForgetAll() {
	for i := range m.channels {
		clear(m.channels[i].stored)
	}
	if m.proof != nil {
		m.proof.shadow.CopyFrom(m.image)
	}
}

// Forget forgets how a block is stored.
func (m *deviceMemory) Forget(b Block) {
	s, _ := m.at(b)
	*s = codec.Stored{}
	if m.proof != nil {
		var line mem.Line
		m.image.ReadLine(b.Addr, &line)
		m.proof.shadow.WriteLine(b.Addr, &line)
	}
}

func (m *deviceMemory) Stored(b Block) (s codec.Stored, ok bool) {
	known, _ := m.at(b)
	return *known, known.Bursts != 0
}

func (m *deviceMemory) Observe(o Observer) { m.observer = o }

// Allocated makes room for blocks allocated since; entries of older blocks stay.
func (m *deviceMemory) Allocated() {
	allocs := m.image.Allocations()
	if len(allocs) >= math.MaxUint16 {
		panic(fmt.Sprintf("memctrl: %d allocations: a controller numbers at most %d", len(allocs), math.MaxUint16-1))
	}
	m.regions = append(m.regions[:0], codec.Region{})
	for i := range allocs {
		m.regions = append(m.regions, codec.Region{Safe: allocs[i].Safe, ThresholdBytes: allocs[i].ThresholdBytes})
	}
	_, low := m.cfg.Map.Split(m.image.Base())
	_, high := m.cfg.Map.Split(m.image.Top())
	// Base and Top may lie in different channels, and a piece of the map holds
	// several blocks: whole pieces on both sides are enough for every channel.
	piece := m.cfg.Map.PieceBytes() / mem.LineBytes
	first := blockOf(low) / piece * piece
	count := int(blockOf(high)/piece*piece + piece - first)
	for i := range m.channels {
		b := &m.channels[i]
		b.first = first
		if n := count - len(b.stored); n > 0 {
			b.stored = append(b.stored, make([]codec.Stored, n)...)
		}
		b.region = append(b.region[:0], make([]uint16, count)...)
	}
	for i := range allocs {
		m.markRegion(&allocs[i], uint16(i+1))
	}
}

func (m *deviceMemory) markRegion(a *mem.Allocation, region uint16) {
	for at := mem.LineAddr(a.Base); at < a.End(); at += mem.LineBytes {
		n, local := m.cfg.Map.Split(at)
		if n -= m.cfg.FirstChannel; n >= 0 && n < len(m.channels) {
			b := &m.channels[n]
			b.region[blockOf(local)-b.first] = region
		}
	}
}

// State lists how blocks are stored. The image is not listed: it belongs to the
// machine.
func (m *deviceMemory) State(t *tape.Tape) {
	tape.Keep(t, &m.scheme)
	m.raw = !m.scheme.Compressed()
	for i := range m.channels {
		tape.List(t, &m.channels[i].stored)
	}
	if m.proof != nil {
		m.proof.state(t)
	}
}
