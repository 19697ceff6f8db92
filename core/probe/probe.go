// Package probe defines the event stream of a run: fixed-size records in
// batches. The simulator writes it; pictures, traces and explanations read it. A
// nil *Tap is off and costs one comparison.
package probe

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/sim"
)

// Kind says what an Event records. The comments name the meaning of Unit, Addr,
// A and B for each kind.
type Kind uint8

const (
	// KindLaunch: a kernel starts. A = launch number.
	KindLaunch Kind = iota + 1
	// KindIssue: a warp issues a global memory instruction. Unit = SM, Addr =
	// line of the first lane, A = warp slot<<16 | lanes<<8 | lines touched, B = PC (index
	// into the kernel's code). The Req numbers of its lines follow this event's.
	KindIssue
	// KindL1: an L1 lookup of one line. Unit = SM, A = ResultHit.., B = PC.
	KindL1
	// KindXbarRequest, KindXbarReply: a packet enters the crossbar. Unit = SM<<8 |
	// slice, A = flits.
	KindXbarRequest
	KindXbarReply
	// KindL2: an L2 lookup. Unit = slice, A = ResultHit.. and for stores
	// ResultWrite<<8.
	KindL2
	// KindQueue: a block request enters a controller queue. Unit = channel, A = 0
	// read, 1 write, 2 read answered from a queued write, B = queue length.
	KindQueue
	// KindMetadata: a metadata cache lookup. Unit = channel, A = ResultHit, ResultMiss, or
	// ResultMerged if the line was already requested.
	KindMetadata
	// KindActivate, KindPrecharge: DRAM row commands. Unit = channel, A = bank, B
	// = row.
	KindActivate
	KindPrecharge
	// KindRead, KindWrite: one burst of one MAG on a channel's data bus. Cycle is
	// when the first beat is on the bus. Unit = channel, A = bank | index of the
	// burst in its block<<8 | bursts fetched<<16 | Mode<<24, B = Duration in base
	// cycles<<16 | 1 if metadata.
	KindRead
	KindWrite
	// KindCompress, KindDecompress: a block leaves the (de)compressor. Unit =
	// channel, A = stored size in bits | Mode<<24, B = first truncated symbol<<8 |
	// truncated symbols<<16 | bursts.
	KindCompress
	KindDecompress
	// KindReply: a packet from L2 arrives at an SM. Unit = SM, A = mem.PacketKind.
	KindReply
	// KindBarrier: a warp waits at a barrier (B = 0) or continues (B = 1). KindExit: it
	// ends. Unit = SM, A = warp slot<<16.
	KindBarrier
	KindExit
	// KindCTA: a CTA starts (B = 1) or ends (B = 0). Unit = SM, A = CTA number.
	KindCTA
	// KindRefresh: a refresh command. Unit = channel, A = bank or AllBanks, B =
	// base cycles until the banks may be used again. Cycle is the cycle of the command.
	KindRefresh
	// KindWarp: a warp of a CTA takes its slot. Unit = SM, A = warp slot<<16, B =
	// CTA number.
	KindWarp
	// KindLink: a packet of what lies behind a link. Cycle is when its
	// first byte is on the link. Unit = channel, A = 0 read, 1 write | channels of the link<<8, B =
	// base cycles on the link.
	KindLink
	// KindEntry: a compressed entry is met for the first time, or a write gives it another
	// number of sectors. Unit = channel, A = sectors | sectors before<<8 (EntryUnknown at the first
	// time) | sectors of them behind the link<<16 | the same before<<24, B = allocation in the order
	// of the image.
	KindEntry
)

// EntryUnknown in A of a KindEntry stands for the sectors of an entry that nobody has read or
// written.
const EntryUnknown = 0xff

// AllBanks in A of a KindRefresh says that every bank of the channel is refreshed.
const AllBanks = 0xffff

// Results of a lookup in KindL1, KindL2 and KindMetadata.
const (
	ResultHit = iota
	ResultMiss
	ResultMerged   // miss that joined an outstanding one
	ResultWrite    // store passing through
	ResultBlocked  // no MSHR or queue entry; repeated later
	ResultAnswered // load miss whose values were predicted; nothing was fetched
)

// Mode says how a block is stored in DRAM.
type Mode uint8

const (
	ModeRaw Mode = iota
	ModeLossless
	ModeLossy
)

// RecordBytes is the size of one encoded Event.
const RecordBytes = 32

// Event is one record of the event stream.
type Event struct {
	Cycle sim.Cycle
	Addr  uint64 // line address
	Req   uint32 // request that caused it; 0 = none
	A, B  uint32
	Unit  uint16
	Kind  Kind
	_     uint8
}

// Append encodes e little-endian in RecordBytes bytes: cycle u64, addr u64, req
// u32, a u32, b u32, unit u16, kind u8, zero u8.
func (e *Event) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(e.Cycle))
	b = binary.LittleEndian.AppendUint64(b, e.Addr)
	b = binary.LittleEndian.AppendUint32(b, e.Req)
	b = binary.LittleEndian.AppendUint32(b, e.A)
	b = binary.LittleEndian.AppendUint32(b, e.B)
	b = binary.LittleEndian.AppendUint16(b, e.Unit)
	return append(b, byte(e.Kind), 0)
}

// DecodeEvent reads the record at the start of b, which holds at least RecordBytes.
func DecodeEvent(b []byte) Event {
	return Event{
		Cycle: sim.Cycle(binary.LittleEndian.Uint64(b)),
		Addr:  binary.LittleEndian.Uint64(b[8:]),
		Req:   binary.LittleEndian.Uint32(b[16:]),
		A:     binary.LittleEndian.Uint32(b[20:]),
		B:     binary.LittleEndian.Uint32(b[24:]),
		Unit:  binary.LittleEndian.Uint16(b[28:]),
		Kind:  Kind(b[30]),
	}
}

// Tap collects events. Components emit in tick order. Bursts are announced ahead of
// time, so Cycle is not sorted.
type Tap struct {
	events  []Event
	limit   int
	dropped uint64
	paused  bool
	strand

	strands []*Tap // in the order of their components; nil: the components emit to t itself
	begins  []uint32
}

// NewTap returns a tap that keeps at most limit events until Take. It counts and drops
// further events, so a run cannot grow without bound.
func NewTap(limit int) *Tap { return &Tap{limit: limit} }

// Emit records e. It is a no-op on a nil tap.
func (t *Tap) Emit(e Event) {
	if t == nil || t.paused {
		return
	}
	if len(t.events) >= t.limit {
		t.dropped++
		return
	}
	t.events = append(t.events, e)
	if t.isStrand {
		t.note(e.Cycle)
	}
}

// On reports whether events are collected. Callers that must compute something for an
// event ask first.
func (t *Tap) On() bool { return t != nil && !t.paused }

// Pause turns the tap off, or on again.
func (t *Tap) Pause(paused bool) {
	t.paused = paused
	for _, s := range t.strands {
		s.paused = paused
	}
}

// Take passes the collected events to f in order and forgets them.
func (t *Tap) Take(f func([]Event)) {
	t.Gather()
	f(t.events)
	t.events = t.events[:0]
}

// Dropped returns how many events did not fit.
func (t *Tap) Dropped() uint64 {
	t.Gather()
	return t.dropped
}
