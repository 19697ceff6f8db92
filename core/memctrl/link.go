package memctrl

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// LinkConfig describes the link of a GPU to a slower memory. Its values, with their sources, are settings of systems.
type LinkConfig struct {
	// Channels of the link. The blocks are divided among them in turn [ours].
	Channels int
	// MBPerSecond is the bandwidth of all channels in one direction; the other has the same.
	MBPerSecond int
	// HeaderBytes precede every packet. A read request and
	// the data of a read or a write have one each.
	HeaderBytes int
	// LatencyFactor is the time of an unloaded read of one sector, in unloaded reads of
	// device memory whose row is closed.
	LatencyFactor int
	// Counters count the memory behind the link.
	Counters LinkCounters
}

// LinkCounters count the blocks that a link reads and writes, and their bytes without headers.
type LinkCounters struct{ Reads, Writes, ReadBytes, WriteBytes stat.Counter }

// maxLinkMBPerSecond and maxLinkChannels bound a link [ours].
const (
	maxLinkMBPerSecond = 4_000_000
	maxLinkChannels    = 64
)

// Validate reports the first illegal value.
func (c *LinkConfig) Validate() error {
	switch {
	case c.Channels < 1 || c.Channels > maxLinkChannels:
		return fmt.Errorf("memctrl: link of %d channels: want 1 to %d", c.Channels, maxLinkChannels)
	case c.MBPerSecond < 1 || c.MBPerSecond > maxLinkMBPerSecond:
		return fmt.Errorf("memctrl: link of %d MB/s: want 1 to %d", c.MBPerSecond, maxLinkMBPerSecond)
	case c.HeaderBytes < 0 || c.HeaderBytes > 1024 || c.LatencyFactor < 1 || c.LatencyFactor > 1000:
		return fmt.Errorf("memctrl: link with headers of %d bytes and a latency factor of %d: want 0 to 1024 and 1 to 1000",
			c.HeaderBytes, c.LatencyFactor)
	case min(c.Counters.Reads, c.Counters.Writes, c.Counters.ReadBytes, c.Counters.WriteBytes) == stat.Invalid:
		return errors.New("memctrl: a link counts with no counter: give it LinkConfig.Counters")
	}
	return nil
}

// Link is the link of a GPU. All memory channels share it; each has a port. A packet occupies
// one channel of the link in one direction, first come, first served. A read sends a header
// out, and after the transit time its data come in; a write sends its data out.
//
// Time is exact: a DRAM cycle has perCycle units, and a byte takes perByte of them.
type Link struct {
	cfg      LinkConfig
	perCycle uint64
	perByte  uint64
	transit  uint64      // units from the end of a request to the start of its data
	free     [2][]uint64 // of out and in: the unit from which each channel is free
	settled  uint64
	ports    int
}

// Directions of a link, as seen from the GPU.
const (
	LinkOut = iota
	LinkIn
)

// NewLink returns a link for controllers like cfg.
func NewLink(c LinkConfig, cfg *Config) (*Link, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	t, err := cfg.DRAM.Resolve(cfg.Scheme.MAGBytes())
	if err != nil {
		return nil, err
	}
	l := &Link{cfg: c, perCycle: uint64(c.MBPerSecond), perByte: uint64(cfg.CommandMHz * c.Channels)}
	for d := range l.free {
		l.free[d] = make([]uint64, c.Channels)
	}
	// A reply takes the fixed latency in any case, so only its further multiples are the link's.
	factor := uint64(c.LatencyFactor)
	local, fixed := t.RCD+t.CL+t.BurstCycles, cfg.Clock.Local(sim.Cycle(cfg.FixedLatencyCycles))
	lone := (factor*local + (factor-1)*fixed) * l.perCycle
	l.transit = lone - min(lone, uint64(2*c.HeaderBytes+mem.SectorBytes)*l.perByte)
	return l, nil
}

// Port returns the backing of a memory channel of a controller like cfg behind the link.
func (l *Link) Port(f Front, stats *stat.Set, cfg *Config) *LinkPort {
	transfers := cfg.transfers()
	p := &LinkPort{link: l, first: l.ports == 0, front: f, stats: stats, taken: make([]linkTransfer, transfers),
		done: newTimeline[int16](transfers)}
	l.ports++
	return p
}

// LinkPort is a memory channel's end of a link. A backing that moves something else than the parts of blocks
// embeds one and has a Start of its own.
type LinkPort struct {
	link  *Link
	first bool // its state includes the link's
	front Front
	stats *stat.Set
	taken []linkTransfer
	done  timeline[int16]
}

// linkTransfer is a transfer that was taken.
type linkTransfer struct {
	channel uint16 // of the link
	bytes   uint16 // of data
	write   bool
	moved   Moved
}

var _ Backing = (*LinkPort)(nil)

// CatchUp does nothing: a port without transfers has no work.
func (p *LinkPort) CatchUp(uint64) {}

func (p *LinkPort) Take(i int16, t *Transfer, _ uint64) {
	p.taken[i] = linkTransfer{
		channel: uint16(t.Addr / mem.LineBytes % uint64(p.link.cfg.Channels)),
		bytes:   uint16(bits.OnesCount8(t.Bursts)) * mem.SectorBytes,
		write:   t.Class == WriteBlock,
	}
}

// Start computes all times of a transfer: nothing that comes later changes them.
func (p *LinkPort) Start(i int16, from uint64) {
	l, t, s := p.link, &p.taken[i], p.stats
	counters := &l.cfg.Counters
	data := uint64(t.bytes)
	if t.write {
		s[counters.Writes]++
		s[counters.WriteBytes] += data
		begin, end := l.pass(LinkOut, t.channel, from*l.perCycle, 1, data, s)
		t.moved = Moved{First: begin / l.perCycle, Column: begin / l.perCycle}
		p.moved(i, end)
		return
	}
	s[counters.Reads]++
	s[counters.ReadBytes] += data
	begin, end := l.pass(LinkOut, t.channel, from*l.perCycle, 1, 0, s)
	t.moved.First = begin / l.perCycle
	begin, end = l.pass(LinkIn, t.channel, end+l.transit, 1, data, s)
	t.moved.Column = begin / l.perCycle
	p.moved(i, end)
}

// linkBytes counts the bytes of each direction.
var linkBytes = [...]stat.Counter{LinkOut: stat.LinkOutBytes, LinkIn: stat.LinkInBytes}

// Send passes packets, one after the other, through a channel of the link in a direction from a cycle on; data are
// their bytes together, without headers. It returns the cycle in which the first byte goes, and the one by which the
// last has arrived.
func (l *Link) Send(direction int, channel uint16, from, packets, data uint64, s *stat.Set) (begin, end uint64) {
	begin, end = l.pass(direction, channel, from*l.perCycle, packets, data, s)
	return begin / l.perCycle, (end + l.perCycle - 1) / l.perCycle
}

// pass is Send in units.
func (l *Link) pass(direction int, channel uint16, ready, packets, data uint64, s *stat.Set) (begin, end uint64) {
	headers := packets * uint64(l.cfg.HeaderBytes)
	bytes := headers + data
	free := &l.free[direction][channel]
	begin = max(ready, *free)
	end = begin + bytes*l.perByte
	*free = end
	s[linkBytes[direction]] += bytes
	s[stat.LinkHeaderBytes] += headers
	s[stat.LinkBusyCycles] += end/l.perCycle - begin/l.perCycle
	s[stat.LinkWaitCycles] += (begin - ready) / l.perCycle
	return begin, end
}

// moved notes when a transfer will be complete.
func (p *LinkPort) moved(i int16, end uint64) {
	m := &p.taken[i].moved
	m.End = (end + p.link.perCycle - 1) / p.link.perCycle
	m.Last = m.End
	p.done.add(m.End, i)
}

// Transfers is the number of transfers that may be in progress.
func (p *LinkPort) Transfers() int { return len(p.taken) }

// Taken returns the channel of the link of a transfer, and whether it writes.
func (p *LinkPort) Taken(i int16) (channel uint16, write bool) {
	return p.taken[i].channel, p.taken[i].write
}

// Complete says when a transfer that was taken is complete.
func (p *LinkPort) Complete(i int16, m Moved) {
	p.taken[i].moved = m
	p.done.add(m.End, i)
}

// Describe calls a transfer a packet of the link.
func (p *LinkPort) Describe(c Class) Happening {
	return Happening{Kind: probe.KindLink, A: uint32(p.link.cfg.Channels)<<8 | uint32(c.writes())}
}

func (p *LinkPort) Due(bool) uint64    { return p.done.dueAt() }
func (p *LinkPort) LeadCycles() uint64 { return 0 }

func (p *LinkPort) Run(before uint64) (stopped bool) {
	for p.done.dueAt() < before {
		i := *p.done.first()
		p.done.drop()
		if p.front.Moved(InLink, i, p.taken[i].moved) {
			return true
		}
	}
	return false
}

func (p *LinkPort) Settle(now uint64) {
	if l := p.link; p.first {
		p.stats[stat.LinkCycles] += (now - l.settled) * uint64(2*l.cfg.Channels)
		l.settled = now
	}
}

func (p *LinkPort) State(t *tape.Tape) {
	if l := p.link; p.first {
		tape.Values(t, l.free[LinkOut])
		tape.Values(t, l.free[LinkIn])
		tape.Value(t, &l.settled)
	}
	tape.Values(t, p.taken)
	p.done.state(t)
}
