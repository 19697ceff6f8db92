package memctrl

import (
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/tape"
)

// DeviceMemory is the storage that a controller has by itself: it keeps every block in device
// memory, under one scheme. Storages that place blocks elsewhere build on it. The image holds the
// decompressed bytes of each block.
type DeviceMemory struct {
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
	first uint64 // number of the first block within the channel
	// stored has a page for each group of blocks; nil stands for blocks that nothing has
	// touched, of memory that may stay unused.
	stored []*storedPage
}

// storedPage says how consecutive blocks are stored: 32 kB of memory. Bursts 0 = not
// known.
type storedPage [256]codec.Stored

var _ Storage = (*DeviceMemory)(nil)

// NewDeviceMemory returns the storage of a controller like cfg for an image.
func NewDeviceMemory(cfg *Config, image *mem.Image) *DeviceMemory {
	m := &DeviceMemory{cfg: cfg, image: image, scheme: cfg.Scheme, raw: !cfg.Scheme.Compressed(),
		channels: make([]blocks, cfg.Channels)}
	mag := cfg.Scheme.MAGBytes()
	m.rawBlock = placedInDevice(codec.Stored{Bits: codec.RawBits, LosslessBits: codec.RawBits,
		Bursts: uint8(mem.LineBytes / mag), Mode: probe.ModeRaw})
	m.Allocated()
	if cfg.Paranoid {
		m.proof = newProof(image, cfg.Channels)
	}
	return m
}

// blockOf returns a block's number within its channel.
func blockOf(local uint64) uint64 { return local / mem.LineBytes }

// at returns the entry of a block, and its number counted from the channel's first block.
func (m *DeviceMemory) at(b Block) (s *codec.Stored, k int) {
	k = m.Number(b)
	return m.channels[b.Channel].page(k / len(storedPage{})).at(k), k
}

// Number returns a block's number, counted from the first block of its channel.
func (m *DeviceMemory) Number(b Block) int {
	return int(blockOf(b.Local) - m.channels[b.Channel].first)
}

// Blocks returns how many blocks a channel (numbered within the controller) has room for.
func (m *DeviceMemory) Blocks(channel int) int {
	return len(m.channels[channel].stored) * len(storedPage{})
}

// PlaceRaw says in which backings the bursts of raw blocks lie; without it they lie in device memory.
func (m *DeviceMemory) PlaceRaw(in ...int) {
	all := m.rawBlock.Parts[InDevice]
	m.rawBlock.Parts = [backings]uint8{}
	for _, k := range in {
		m.rawBlock.Parts[k] = all
	}
}

// Raw is a block that is stored uncompressed.
func (m *DeviceMemory) Raw() Placed { return m.rawBlock }

// page returns a page, which is made if there is none.
func (c *blocks) page(i int) *storedPage {
	if c.stored[i] == nil {
		c.stored[i] = new(storedPage)
	}
	return c.stored[i]
}

func (p *storedPage) at(k int) *codec.Stored { return &p[k%len(p)] }

// Read fills line. The first Read decides from the host's bytes how the block is stored;
// a lossy scheme changes the bytes.
func (m *DeviceMemory) Read(b Block, line *mem.Line) Placed {
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
func (m *DeviceMemory) Write(b Block, line *mem.Line, mask mem.ByteMask) Placed {
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
func (m *DeviceMemory) store(b Block, k int, line *mem.Line) codec.Stored {
	region := m.regions[m.image.Find(b.Addr)+1]
	if m.proof == nil {
		return m.scheme.Store(line, region)
	}
	return m.proof.store(m.scheme, b, k, line, region)
}

// Use changes the scheme. Blocks stored before are encoded again on their next read; under
// StrictSwitch they stay raw until they are written.
func (m *DeviceMemory) Use(s codec.Scheme) {
	m.scheme, m.raw = s, !s.Compressed()
	var all codec.Stored // not known
	if m.cfg.StrictSwitch {
		all = m.rawBlock.Stored
	}
	m.setAll(all)
	if m.proof != nil {
		m.proof.shadow.CopyFrom(m.image)
	}
}

// setAll says of every block that it is stored as s.
func (m *DeviceMemory) setAll(s codec.Stored) {
	for i := range m.channels {
		c := &m.channels[i]
		for n := range c.stored {
			if c.stored[n] == nil && s == (codec.Stored{}) {
				continue
			}
			p := c.page(n)
			for k := range p {
				p[k] = s
			}
		}
	}
}

// ForgetAll forgets how blocks are stored.
func (m *DeviceMemory) ForgetAll() {
	m.setAll(codec.Stored{})
	if m.proof != nil {
		m.proof.shadow.CopyFrom(m.image)
	}
}

// Forget forgets how a block is stored.
func (m *DeviceMemory) Forget(b Block) {
	s, _ := m.at(b)
	*s = codec.Stored{}
	if m.proof != nil {
		var line mem.Line
		m.image.ReadLine(b.Addr, &line)
		m.proof.shadow.WriteLine(b.Addr, &line)
	}
}

func (m *DeviceMemory) Stored(b Block) (s codec.Stored, ok bool) {
	known, _ := m.at(b)
	return *known, known.Bursts != 0
}

func (m *DeviceMemory) Observe(o Observer) { m.observer = o }

// Allocated makes room for blocks allocated since; entries of older blocks stay.
func (m *DeviceMemory) Allocated() {
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
		for len(b.stored)*len(storedPage{}) < count {
			b.stored = append(b.stored, nil)
		}
	}
	for i := range allocs {
		if !allocs[i].Sparse {
			m.makePages(&allocs[i])
		}
	}
}

// makePages makes the pages of an allocation's blocks, so that a run does not have to.
func (m *DeviceMemory) makePages(a *mem.Allocation) {
	// A piece of the address map lies in one channel as a whole.
	piece := mem.Addr(m.cfg.Map.PieceBytes())
	for at := a.Base &^ (piece - 1); at < a.End(); at += piece {
		n, local := m.cfg.Map.Split(max(at, m.image.Base()))
		if n -= m.cfg.FirstChannel; n >= 0 && n < len(m.channels) {
			b := &m.channels[n]
			k := int(blockOf(local) - b.first)
			b.page(k / len(storedPage{}))
			b.page((k + int(piece/mem.LineBytes) - 1) / len(storedPage{}))
		}
	}
}

// State lists how blocks are stored. The image is not listed: it belongs to the
// machine.
func (m *DeviceMemory) State(t *tape.Tape) {
	tape.Keep(t, &m.scheme)
	m.raw = !m.scheme.Compressed()
	for i := range m.channels {
		m.channels[i].state(t)
	}
	if m.proof != nil {
		m.proof.state(t)
	}
}

// state lists the pages that there are.
func (c *blocks) state(t *tape.Tape) {
	for i := range c.stored {
		there := c.stored[i] != nil
		tape.Value(t, &there)
		if !there {
			c.stored[i] = nil
			continue
		}
		tape.Values(t, c.page(i)[:])
	}
}
