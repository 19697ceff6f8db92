package memctrl

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// rig is a controller with a scripted L2 slice on each channel.
type rig struct {
	tb      testing.TB
	engine  sim.Engine
	image   *mem.Image
	arena   *mem.Arena
	stats   stat.Set
	tap     *probe.Tap
	control *Controller
	slice   []*slice
}

// slice sends requests in order, as early as it may, and collects replies.
type slice struct {
	rig     *rig
	out     *sim.Link[Request]
	in      *sim.Link[Reply]
	script  []scripted
	next    int
	window  int // largest number of outstanding reads, 0 = no limit
	pending int
	deaf    sim.Cycle // replies stay in the link for so many cycles, and are then taken for as many; 0 = always taken
	replies []received
	acks    []received // of writes, without data
	onReply func(now sim.Cycle, r *Reply)
}

type scripted struct {
	at   sim.Cycle
	req  Request
	line *mem.Line // data of a write
}

type received struct {
	at   sim.Cycle
	tag  uint32
	data mem.Line
}

func (s *slice) Tick(now sim.Cycle) sim.Cycle {
	if s.deaf > 0 && now/s.deaf%2 == 0 {
		return sim.Min(s.send(now), (now/s.deaf+1)*s.deaf)
	}
	s.receive(now)
	return s.send(now)
}

func (s *slice) receive(now sim.Cycle) {
	for {
		r, ok := s.in.Recv(now)
		if !ok {
			return
		}
		if r.Ack {
			s.acks = append(s.acks, received{at: now, tag: r.Tag})
			continue
		}
		s.pending--
		if s.onReply != nil {
			s.onReply(now, &r)
		} else {
			s.replies = append(s.replies, received{now, r.Tag, *s.rig.arena.Line(r.Data)})
		}
		s.rig.arena.Free(r.Data)
	}
}

// send sends what is due, and returns when more is due.
func (s *slice) send(now sim.Cycle) sim.Cycle {
	for s.next < len(s.script) {
		q := &s.script[s.next]
		if q.at > now {
			return q.at
		}
		if !q.req.Write && s.window > 0 && s.pending >= s.window || !s.out.CanSend(now) {
			return sim.Never
		}
		r := q.req
		if r.Write {
			r.Data = s.rig.arena.New()
			*s.rig.arena.Line(r.Data) = *q.line
		} else {
			s.pending++
		}
		s.out.Send(now, r)
		s.next++
	}
	return sim.Never
}

const rigBytes = 1 << 20

// coreOverDRAM is the GTX580's memory clock over its core clock in MHz.
var coreOverDRAM = sim.ClockRatio{Num: 1002, Den: 822}

// sameClock makes base cycles equal to DRAM cycles, for sums by hand.
var sameClock = sim.ClockRatio{Num: 1, Den: 1}

func mapOf(tb testing.TB, channels int, hash dram.Hash) dram.AddressMap {
	m, err := dram.ParseAddressMap(dram.MapGTX480, channels, hash)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func testConfig(tb testing.TB, channels int, clock sim.ClockRatio, scheme codec.Scheme) Config {
	cfg := Preset(dram.GTX480(), mapOf(tb, channels, dram.HashNone), 0, channels, clock, codec.MemoryMHz, scheme)
	cfg.FixedLatencyCycles = 0
	return cfg
}

func newRig(tb testing.TB, cfg Config, size uint64) *rig {
	return newRigIn(tb, cfg, size, func(*Env) {})
}

// newRigIn is newRig with a changed environment of the controller.
func newRigIn(tb testing.TB, cfg Config, size uint64, change func(*Env)) *rig {
	r := &rig{tb: tb, arena: mem.NewArena(4096), tap: nil}
	var err error
	if r.image, err = mem.NewImage(mem.DefaultBase, 1<<30); err != nil {
		tb.Fatal(err)
	}
	if _, err = r.image.Alloc("all", size); err != nil {
		tb.Fatal(err)
	}
	r.image.Allocations()[0].Safe = true
	env := Env{Image: r.image, Arena: r.arena, Stats: &r.stats}
	change(&env)
	if r.control, err = New(cfg, env); err != nil {
		tb.Fatal(err)
	}
	id := r.engine.Add(r.control)
	for i := range cfg.Channels {
		s := &slice{rig: r}
		sid := r.engine.Add(s)
		s.out = sim.Connect[Request](&r.engine, sid, id, 16, 1)
		s.in = sim.Connect[Reply](&r.engine, id, sid, 16, 1)
		r.control.Attach(i, s.out, s.in)
		r.slice = append(r.slice, s)
	}
	return r
}

func (r *rig) run(until sim.Cycle) {
	r.engine.Seal()
	r.engine.Advance(until)
	r.control.Settle(until)
}

func readOf(a mem.Addr, tag int) scripted {
	return scripted{req: Request{Addr: a, Mask: mem.FullMask, Tag: uint32(tag)}}
}

func writeOf(a mem.Addr, line *mem.Line) scripted {
	return scripted{req: Request{Addr: a, Mask: mem.FullMask, Write: true}, line: line}
}

// check puts a legality checker on every channel.
func (r *rig) check(cfg Config) {
	for i := range cfg.Channels {
		k := dram.NewChecker(cfg.DRAM, cfg.Scheme.MAGBytes())
		r.control.Watch(i, k)
		r.tb.Cleanup(func() {
			k.End(cfg.Clock.Local(r.engine.Now()))
			if k.Err() != nil {
				r.tb.Error(k.Err())
			}
			if k.Count() == 0 {
				r.tb.Errorf("the checker of channel %d saw no command", i)
			}
		})
	}
}

// laws checks the laws of the counters after a run that ended idle.
func (r *rig) laws(cfg Config) {
	r.tb.Helper()
	s, mag := &r.stats, uint64(cfg.Scheme.MAGBytes())
	equal := func(law string, a, b uint64) {
		r.tb.Helper()
		if a != b {
			r.tb.Errorf("%s: %d is not %d", law, a, b)
		}
	}
	if !r.control.Idle() {
		r.tb.Errorf("not idle: %+v", r.control.Waiting(0, r.engine.Now()))
	}
	equal("lines in flight", uint64(r.arena.Live()), 0)
	read := s[stat.BlocksReadRaw] + s[stat.BlocksReadLossless] + s[stat.BlocksReadLossy]
	written := s[stat.BlocksWrittenRaw] + s[stat.BlocksWrittenLossless] + s[stat.BlocksWrittenLossy]
	equal("reads = DRAM reads + forwards", s[stat.ControllerReads], read+s[stat.ControllerForwards])
	equal("writes = DRAM writes", s[stat.ControllerWrites], written)
	equal("metadata accesses = hits + misses", s[stat.MetadataAccesses], s[stat.MetadataHits]+s[stat.MetadataMisses])
	perLine := max(1, metadataLineBytes/mag)
	equal("metadata bursts", s[stat.BurstsMetadata], perLine*(s[stat.MetadataReads]+s[stat.MetadataWritebacks]))
	equal("bytes read", s[stat.DRAMReadBytes], mag*(s[stat.BurstsRead]+perLine*s[stat.MetadataReads]))
	equal("bytes written", s[stat.DRAMWriteBytes], mag*(s[stat.BurstsWritten]+perLine*s[stat.MetadataWritebacks]))
	bursts := s[stat.BurstsRead] + s[stat.BurstsWritten] + s[stat.BurstsMetadata]
	equal("bus time", s[stat.DataBusBusyCycles], bursts*mag/uint64(cfg.DRAM.BytesPerCommandClock))
	if cfg.DRAM.REFI == 0 {
		equal("row hits + activates = bursts", s[stat.RowHits]+s[stat.Activates], bursts)
	}
	equal("DRAM cycles", s[stat.DRAMCycles], uint64(cfg.Channels)*cfg.Clock.Local(r.engine.Now()))
	equal("bus time by cause", s[stat.BusReadCycles]+s[stat.BusWriteCycles]+s[stat.BusTurnaroundCycles]+
		s[stat.BusRefreshCycles]+s[stat.BusBankCycles]+s[stat.BusIdleCycles]+s[stat.BusPendingCycles], s[stat.DRAMCycles]+s[stat.BusAheadCycles])
	equal("bus busy", s[stat.BusReadCycles]+s[stat.BusWriteCycles], s[stat.DataBusBusyCycles])
	equal("nothing pending or ahead at the end", s[stat.BusPendingCycles]+s[stat.BusAheadCycles], 0)
	equal("blocks served", s[stat.ReadBlocksServed], read)
	equal("latency by part", s[stat.ReadMetadataCycles]+s[stat.ReadQueueCycles]+s[stat.ReadBankCycles]+
		s[stat.ReadBusCycles]+s[stat.ReadDecompressCycles], s[stat.ReadLatencyCycles])
	if cfg.Scheme.Compressed() {
		equal("bursts + saved = blocks x 128 / MAG", s[stat.BurstsRead]+s[stat.BurstsWritten]+s[stat.BurstsSaved], (read+written)*128/mag)
		equal("metadata accesses = blocks", s[stat.MetadataAccesses], read+written)
	} else {
		equal("raw blocks save nothing", s[stat.BurstsSaved], 0)
	}
}

// byFirstByte is a scheme for tests: byte 0 of a block says how it is stored, by
// its low bits the bursts (0 = raw), by bit 7 whether it would be lossy.
type byFirstByte struct {
	mag                  int
	compress, decompress int
}

func (s byFirstByte) Name() string     { return "test" }
func (s byFirstByte) MAGBytes() int    { return s.mag }
func (s byFirstByte) Compressed() bool { return true }
func (s byFirstByte) Timing() codec.Timing {
	return codec.Timing{MHz: codec.MemoryMHz, CompressCycles: s.compress, DecompressCycles: s.decompress}
}

// Encode copies the rest of a block; the first byte gives its size.
func (s byFirstByte) Encode(dst *codec.Block, src *mem.Line, region codec.Region) codec.Stored {
	line := *src
	stored := s.Store(&line, region)
	copy(dst[:], line[:])
	return stored
}

func (s byFirstByte) Decode(dst *mem.Line, src *codec.Block, _ int) error {
	copy(dst[:], src[:])
	return nil
}

func (s byFirstByte) Store(line *mem.Line, region codec.Region) codec.Stored {
	n := int(line[0]&0x7f) % (128 / s.mag)
	if n == 0 {
		return codec.Stored{Bits: codec.RawBits, LosslessBits: codec.RawBits, Bursts: uint8(128 / s.mag), Mode: probe.ModeRaw}
	}
	k := codec.Stored{Bits: uint16(n * s.mag * 8), Bursts: uint8(n), Mode: probe.ModeLossless}
	if line[0]&0x80 != 0 && region.Safe {
		k.Mode, k.FirstSymbol, k.TruncatedSymbols, k.ExcessBits = probe.ModeLossy, 4, 3, 5
		clear(line[8:14])
	}
	return k
}

// patternOf is the pattern of block i of the image.
func patternOf(i int, first byte) *mem.Line {
	var l mem.Line
	for k := 0; k < len(l); k += 8 {
		binary.LittleEndian.PutUint64(l[k:], uint64(i)*0x9e3779b97f4a7c15+uint64(k))
	}
	l[0] = first
	return &l
}
