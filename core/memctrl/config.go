package memctrl

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Config describes one controller. It is not changed after New.
type Config struct {
	FirstChannel int // number of the controller's first channel among all
	Channels     int // channels of this controller
	Map          dram.AddressMap
	DRAM         dram.Spec
	Clock        sim.ClockRatio // DRAM command clock over the engine's base clock
	CommandMHz   int            // DRAM command clock, to convert latencies given as times
	Scheme       codec.Scheme
	// Coding replaces the latencies of a scheme's compressor and decompressor, for studies
	// of their cost; nil = the latencies of its codec.
	Coding *Coding

	// Schedule is the order of reads and writes.
	Schedule Schedule
	// Queue is the number of requests of the joint schedule that no bank has taken.
	Queue int

	ReadQueue   int // blocks waiting for DRAM, per channel
	WriteQueue  int // blocks waiting to be written, per channel
	ReturnQueue int // further blocks read that have not reached L2
	// MetadataQueue bounds the metadata lines in progress, for reads and writes each.
	MetadataQueue int
	// Writes are served if there are no reads. When WriteHigh writes wait, they go before
	// reads until WriteLow are left.
	WriteHigh, WriteLow int
	// RowPolicy says when to close a row that no block waits for. RowTimeoutCycles is the
	// time of RowTimeout and the first time of RowAdaptive, in DRAM cycles.
	RowPolicy        RowPolicy
	RowTimeoutCycles int
	// RowHitCap is the number of younger row hits that may pass the oldest block of a bank.
	RowHitCap int

	// FixedLatencyCycles is added to every reply, in base cycles: the way between
	// DRAM and L2 that is not modelled otherwise.
	FixedLatencyCycles int

	// SectorFill makes reads of raw blocks fetch only the bursts with wanted bytes;
	// otherwise whole lines are fetched.
	SectorFill bool

	Metadata MetadataConfig

	// StrictSwitch says what SetScheme does with blocks already in DRAM: true keeps them
	// raw until they are rewritten, false (lazy oracle) encodes them again on their next
	// read.
	StrictSwitch bool

	// Paranoid keeps an exact shadow of memory and the encoded bits of every block, and
	// decodes the bits at every read. It panics if compression changes a byte that must not
	// change.
	Paranoid bool
}

// Coding is the latency of compressor and decompressor for a block, in cycles of the
// clock that the scheme names.
type Coding struct{ CompressCycles, DecompressCycles int }

// MetadataConfig describes the metadata cache of one controller.
type MetadataConfig struct {
	Bytes int // capacity, 0 = every lookup hits (perfect)
	Ways  int
	// BitsPerBlock is the size of a burst count: 2 at a MAG of 32 bytes, 3 at 16,
	// 1 at 64. SLC section III-A states the first; the others follow from it.
	BitsPerBlock int
	// LookupCycles is the latency of a lookup in DRAM cycles.
	LookupCycles int
	// LineSectors is the number of 32-byte sectors that share a tag; 0 is 1.
	LineSectors int
	// Consecutive puts blocks that follow each other in memory into a line; otherwise those of a channel. Any channel may
	// need any line then, so the controller must have all channels.
	Consecutive bool
}

// metadataLineBytes is the line of the metadata cache: one burst of MAG 32, 128
// blocks at 2 bits [ours: E2MC does not state it].
const metadataLineBytes = 32

// Queue constants of the presets.
const (
	// QueueBlocks is gpgpu_frfcfs_dram_sched_queue_size of GPGPU-Sim 3.2.1's GTX480.
	QueueBlocks = 16
	// ReadQueueBlocks and ReturnQueueBlocks: gpgpu_frfcfs_dram_sched_queue_size
	// and gpgpu_dram_return_queue_size of GPGPU-Sim's SM2_GTX480.
	ReadQueueBlocks   = 64
	ReturnQueueBlocks = 116
	// WriteQueueBlocks, WriteHighBlocks, WriteLowBlocks: the Write_Queue_Size
	// 64:56:32 in the same file.
	WriteQueueBlocks = 64
	WriteHighBlocks  = 56
	WriteLowBlocks   = 32
	// MetadataQueueLines is enough if a quarter of the reads of a full queue wait for
	// different lines [ours].
	MetadataQueueLines = 16
	// RowHitCapBlocks is the number of blocks of a 2 KB row: a stream may finish a row, but
	// then another waiting block of the bank goes first [ours]. FR-FCFS without a cap can
	// starve a block (Mutlu, Moscibroda, MICRO 2007).
	RowHitCapBlocks = 16
	// DRAMFixedLatencyCycles is GPGPU-Sim's -dram_latency, in core cycles.
	DRAMFixedLatencyCycles = 100
	// MetadataCacheBytes and MetadataCacheWays: E2MC III-D, per controller [A9].
	MetadataCacheBytes = 8192
	MetadataCacheWays  = 4
)

// MetadataBits returns the size of a burst count at a MAG: counts 1 to 128/MAG.
func MetadataBits(magBytes int) int {
	bits := 0
	for 1<<bits < mem.LineBytes/magBytes {
		bits++
	}
	return bits
}

// Preset returns the configuration of one controller of a GTX480/580-class board. The
// caller may adjust it.
func Preset(spec dram.Spec, addressMap dram.AddressMap, firstChannel, channels int, clock sim.ClockRatio, commandMHz int, scheme codec.Scheme) Config {
	return Config{
		FirstChannel: firstChannel, Channels: channels, Map: addressMap, DRAM: spec,
		Clock: clock, CommandMHz: commandMHz, Scheme: scheme,
		Queue: QueueBlocks, ReadQueue: ReadQueueBlocks, WriteQueue: WriteQueueBlocks, ReturnQueue: ReturnQueueBlocks,
		MetadataQueue: MetadataQueueLines, WriteHigh: WriteHighBlocks, WriteLow: WriteLowBlocks,
		RowHitCap: RowHitCapBlocks, FixedLatencyCycles: DRAMFixedLatencyCycles,
		Metadata: MetadataConfig{Bytes: MetadataCacheBytes, Ways: MetadataCacheWays, BitsPerBlock: MetadataBits(scheme.MAGBytes())},
	}
}

// maxJointQueue bounds the joint queue, of which a bank may hold all.
const maxJointQueue = 1024

// maxQueue bounds every queue, so that entries are numbered in 16 bits.
const maxQueue = 4096

// transfers bounds the transfers in progress of a channel of the drain schedule. One more
// is for a read that is answered from a queued write.
func (c *Config) transfers() int { return c.ReadQueue + c.WriteQueue + 2*c.MetadataQueue + 1 }

// Validate reports the first illegal value.
func (c *Config) Validate() error {
	if c.Scheme == nil {
		return fmt.Errorf("memctrl: no scheme: use codec.NewRaw(32) for none")
	}
	if _, err := c.DRAM.Resolve(c.Scheme.MAGBytes()); err != nil {
		return err
	}
	if c.Paranoid && !checkable(c.Scheme) {
		return fmt.Errorf("memctrl: scheme %s has no Encode and Decode, so a paranoid controller cannot check it", c.Scheme.Name())
	}
	if mhz := c.Scheme.Timing().MHz; mhz < 1 {
		return fmt.Errorf("memctrl: scheme %s states its latencies at %d MHz: want at least 1", c.Scheme.Name(), mhz)
	}
	if k := c.Coding; k != nil && (k.CompressCycles < 0 || k.DecompressCycles < 0) {
		return fmt.Errorf("memctrl: compressor and decompressor of %d and %d cycles: want 0 or more", k.CompressCycles, k.DecompressCycles)
	}
	switch {
	case c.Schedule > ScheduleJoint:
		return fmt.Errorf("memctrl: schedule %d: want drain (0) or joint (1)", c.Schedule)
	case c.Schedule == ScheduleJoint && c.RowPolicy != RowOpen:
		return fmt.Errorf("memctrl: row policy %d with the joint schedule: want open (0)", c.RowPolicy)
	case c.Queue < 1 || c.Queue > maxJointQueue:
		return fmt.Errorf("memctrl: joint queue of %d requests: want 1 to %d", c.Queue, maxJointQueue)
	case c.Channels < 1 || c.FirstChannel < 0 || c.FirstChannel+c.Channels > c.Map.Channels():
		return fmt.Errorf("memctrl: channels %d to %d of an address map with %d", c.FirstChannel, c.FirstChannel+c.Channels-1, c.Map.Channels())
	case c.Map.Banks() != c.DRAM.Banks || c.Map.RowBytes() != c.DRAM.RowBytes:
		return fmt.Errorf("memctrl: the address map has %d banks with rows of %d bytes, %s has %d of %d", c.Map.Banks(), c.Map.RowBytes(), c.DRAM.Name, c.DRAM.Banks, c.DRAM.RowBytes)
	case c.CommandMHz < 1:
		return fmt.Errorf("memctrl: DRAM command clock of %d MHz: want at least 1", c.CommandMHz)
	case c.Clock.Num == 0 || c.Clock.Den == 0:
		return fmt.Errorf("memctrl: clock ratio %d:%d: want positive numbers", c.Clock.Num, c.Clock.Den)
	case c.ReadQueue < 1 || c.WriteQueue < 1 || c.ReturnQueue < 1 || c.MetadataQueue < 1 || c.ReadQueue+c.WriteQueue+2*c.MetadataQueue > maxQueue || c.ReturnQueue > maxQueue:
		return fmt.Errorf("memctrl: queues of %d reads, %d writes, %d returns, %d metadata lines: want at least 1 each and at most %d in all", c.ReadQueue, c.WriteQueue, c.ReturnQueue, c.MetadataQueue, maxQueue)
	case c.WriteHigh < 1 || c.WriteHigh > c.WriteQueue || c.WriteLow < 0 || c.WriteLow >= c.WriteHigh:
		return fmt.Errorf("memctrl: write drain from %d to %d of %d: want 0 <= low < high <= queue", c.WriteHigh, c.WriteLow, c.WriteQueue)
	case c.RowPolicy > RowAdaptive || c.RowTimeoutCycles < 0 || c.RowTimeoutCycles > rowTimeoutMax || c.RowPolicy >= RowTimeout && c.RowTimeoutCycles == 0:
		return fmt.Errorf("memctrl: row policy %d with a timeout of %d cycles: want open (0) or close (1), or timeout (2) or adaptive (3) after 1 to %d cycles", c.RowPolicy, c.RowTimeoutCycles, rowTimeoutMax)
	case c.RowHitCap < 1 || c.FixedLatencyCycles < 0:
		return fmt.Errorf("memctrl: row hit cap %d, fixed latency %d: want at least 1 and 0", c.RowHitCap, c.FixedLatencyCycles)
	case c.Schedule == ScheduleJoint && c.jointTransfers() > maxQueue:
		return fmt.Errorf("memctrl: joint queue of %d, %d metadata lines and a latency of %d cycles: %d requests are too many, want at most %d", c.Queue, c.MetadataQueue, c.FixedLatencyCycles, c.jointTransfers(), maxQueue)
	case c.Metadata.LineSectors > c.MetadataQueue:
		return fmt.Errorf("memctrl: a line of the metadata cache with %d sectors and room for %d lines to write back: want room for all sectors", c.Metadata.LineSectors, c.MetadataQueue)
	case c.Metadata.Consecutive && c.Channels != c.Map.Channels():
		return fmt.Errorf("memctrl: metadata of consecutive blocks and %d of %d channels: want a controller with all",
			c.Channels, c.Map.Channels())
	}
	return c.Metadata.validate()
}

func (m *MetadataConfig) validate() error {
	if m.Bytes == 0 {
		return nil
	}
	if line := metadataLineBytes * max(1, m.LineSectors); m.LineSectors < 0 || m.Ways < 1 || m.Bytes%(m.Ways*line) != 0 || m.LookupCycles < 0 {
		return fmt.Errorf("memctrl: metadata cache of %d bytes in %d ways: want whole sets of %d-byte lines", m.Bytes, m.Ways, line)
	}
	if m.BitsPerBlock < 1 || m.BitsPerBlock > 8 {
		return fmt.Errorf("memctrl: %d metadata bits a block: want 1 to 8", m.BitsPerBlock)
	}
	return nil
}

// Env is what a controller shares with the machine around it. Tap may be nil.
type Env struct {
	Image *mem.Image
	Arena *mem.Arena
	Tap   *probe.Tap
	Stats *stat.Set

	// Storage decides how and where blocks are stored; nil = all in device memory.
	Storage Storage
	// Link returns the backing behind the link of a channel (numbered within the
	// controller), with f as its front and s for its counters; nil = no link.
	Link func(channel int, f Front, s *stat.Set) Backing
}
