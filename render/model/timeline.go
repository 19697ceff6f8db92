package model

import (
	"math"

	"github.com/burstscope/burstscope/core/probe"
)

// MaxRecords is how many records a Timeline keeps: with its indexes that is
// about 150 MB, which leaves room for two sides within the page's 512 MB.
const MaxRecords = 3_000_000

// Timeline holds the events of one side of a comparison, indexed so that any cycle
// can be asked for at once and in any order.
type Timeline struct {
	Topology Topology

	channels []channel
	sms      []multiprocessor
	slices   []slice
	link     link
	requests []Request
	byReq    map[requestKey]int32
	longest  uint32 // the longest time any request took
	answered bool   // a request was dropped

	records  int
	rejected int
	before   Totals // of cycles before the records
	partial  bool   // there are such cycles
	last     uint32
	finished uint32
	done     bool
}

// NewTimeline returns an empty timeline of a machine.
func NewTimeline(t Topology) *Timeline {
	t = t.Normalized()
	line := &Timeline{
		Topology: t,
		channels: make([]channel, t.Channels),
		sms:      newMultiprocessors(t),
		slices:   make([]slice, t.Slices),
		byReq:    make(map[requestKey]int32),
	}
	for i := range line.channels {
		line.channels[i].length = t.BurstCycles()
	}
	return line
}

// Add reads all whole records of a buffer and returns how many it kept. Records
// that name a part the machine does not have are counted and ignored.
func (t *Timeline) Add(buffer []byte) int {
	kept := 0
	for len(buffer) >= probe.RecordBytes {
		if t.records >= MaxRecords {
			break
		}
		e := probe.DecodeEvent(buffer)
		buffer = buffer[probe.RecordBytes:]
		if e.Cycle > math.MaxUint32 || !t.add(&e) {
			t.rejected++
			continue
		}
		t.records++
		kept++
		t.last = max(t.last, uint32(e.Cycle))
	}
	return kept
}

func (t *Timeline) add(e *probe.Event) bool {
	at, unit := uint32(e.Cycle), int(e.Unit)
	switch e.Kind {
	case probe.KindLaunch, probe.KindEntry:
		return true
	case probe.KindIssue, probe.KindL1, probe.KindReply, probe.KindBarrier, probe.KindExit, probe.KindCTA, probe.KindWarp:
		if unit >= len(t.sms) {
			return false
		}
		t.sms[unit].add(at, e)
		t.stampSM(at, e)
	case probe.KindXbarRequest, probe.KindXbarReply:
		sm, sl := unit>>8, unit&0xff
		if sm >= len(t.sms) || sl >= len(t.slices) {
			return false
		}
		t.stampCrossbar(at, e, sm, sl)
	case probe.KindL2:
		if unit >= len(t.slices) {
			return false
		}
		t.slices[unit].add(at, e)
		t.stamp(e, stageL2, at)
	case probe.KindQueue, probe.KindMetadata, probe.KindActivate, probe.KindPrecharge, probe.KindRefresh,
		probe.KindRead, probe.KindWrite, probe.KindCompress, probe.KindDecompress:
		if unit >= len(t.channels) {
			return false
		}
		t.channels[unit].add(at, e, t.Topology.BurstsPerBlock())
		t.stampChannel(at, e)
	case probe.KindLink:
		if unit >= len(t.channels) {
			return false
		}
		t.link.add(at, e)
	default:
		return false
	}
	return true
}

// Refreshed reports whether any DRAM bank is known to have been refreshed.
func (t *Timeline) Refreshed() bool {
	for i := range t.channels {
		if len(t.channels[i].refreshes) > 0 {
			return true
		}
	}
	return false
}

// LastCycle is the latest cycle any record speaks of.
func (t *Timeline) LastCycle() float64 { return float64(t.last) }

// Finish says that the run ended at cycle; later records may still arrive.
func (t *Timeline) Finish(cycle float64) {
	if cycle >= 0 && cycle <= math.MaxUint32 {
		t.finished, t.done = uint32(cycle), true
	}
}

// Finished returns the cycle at which the run ended, if it is known to have ended.
func (t *Timeline) Finished() (cycle float64, ok bool) { return float64(t.finished), t.done }

// Kept and Rejected count records indexed and records that made no sense.
func (t *Timeline) Kept() int     { return t.records }
func (t *Timeline) Rejected() int { return t.rejected }

// Anchor gives the totals up to a cycle, for a timeline whose records begin in the middle
// of a run. The approximated share of the totals is then unknown.
func (t *Timeline) Anchor(cycle float64, all Totals) {
	t.partial, t.before = false, Totals{}
	own := t.Totals(cycle)
	t.partial, t.before = true, Totals{Data: all.Data - own.Data, Metadata: all.Metadata - own.Metadata, Saved: all.Saved - own.Saved}
}
