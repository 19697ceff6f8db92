// Package series sums the events of a run over time: the work of each DRAM channel
// and bank in each interval. Its memory does not grow with the run: if there are too
// many intervals, neighbours are joined.
package series

import "github.com/burstscope/burstscope/core/probe"

// MostPoints bounds the number of intervals. FirstInterval is their initial length in base
// cycles.
const (
	MostPoints    = 256
	FirstInterval = 64
)

// Series holds sums over time. Columns of channels are indexed by
// point*Channels+channel, columns of banks by (point*Channels+channel)*Banks+bank.
type Series struct {
	Channels, Banks int
	IntervalCycles  uint64
	Points          int

	Read, Written, Metadata, Saved []uint32 // bursts
	Refreshes                      []uint32
	// Block cycles from entering a queue to the block's last burst on the bus. Divided by
	// the length of the interval they give the mean length of the queue.
	ReadQueue, WriteQueue []uint64
	BankBursts            []uint32
	BankActivates         []uint32
	// LinkIn and LinkOut are the base cycles of the packets that begin in an interval, over all
	// channels of a link: data that are read, and data that are written. One value a point.
	LinkIn, LinkOut []uint32

	// Columns of allocations are indexed by point*Allocations+allocation and hold how many entries
	// were met by the end of the interval, and how many of them need the memory behind the link then. Both
	// are empty without entries.
	Allocations     int
	Met, Overflowed []uint32

	burstsPerBlock uint32
	queued         map[block]waiting
}

// block is a block in a queue.
type block struct {
	addr  uint64
	cause uint32
	write bool
}

type waiting struct {
	since uint64
	seen  uint32 // bursts
}

// New returns an empty series of a machine and of the allocations whose entries it follows.
func New(channels, banks, burstsPerBlock, allocations int) *Series {
	return &Series{Channels: channels, Banks: banks, Allocations: allocations, IntervalCycles: FirstInterval, burstsPerBlock: uint32(burstsPerBlock), queued: make(map[block]waiting)}
}

// Add takes events in any order.
func (s *Series) Add(events []probe.Event) {
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case probe.KindQueue:
			if e.A < 2 {
				s.queued[block{e.Addr, e.Req, e.A == 1}] = waiting{since: uint64(e.Cycle)}
			}
		case probe.KindRead, probe.KindWrite:
			s.burst(e)
		case probe.KindActivate:
			k := s.at(uint64(e.Cycle), e.Unit)
			s.BankActivates[k*s.Banks+int(e.A)]++
		case probe.KindRefresh:
			k := s.at(uint64(e.Cycle), e.Unit)
			s.Refreshes[k]++
		case probe.KindLink:
			k := s.at(uint64(e.Cycle), e.Unit) / s.Channels
			if e.A&1 == 0 {
				s.LinkIn[k] += e.B
			} else {
				s.LinkOut[k] += e.B
			}
		case probe.KindEntry:
			s.entry(e)
		}
	}
}

// entry changes the counts of an allocation from the interval of an event on.
func (s *Series) entry(e *probe.Event) {
	if int(e.B) >= s.Allocations {
		return
	}
	met, more, less := e.A>>8&0xff == probe.EntryUnknown, e.A>>16&0xff > 0, e.A>>24 > 0
	for k := s.at(uint64(e.Cycle), e.Unit) / s.Channels; k < s.Points; k++ {
		i := k*s.Allocations + int(e.B)
		if met {
			s.Met[i]++
		}
		if more && !less {
			s.Overflowed[i]++
		} else if less && !more {
			s.Overflowed[i]--
		}
	}
}

func (s *Series) burst(e *probe.Event) {
	k := s.at(uint64(e.Cycle), e.Unit)
	s.BankBursts[k*s.Banks+int(e.A&0xff)]++
	if e.B&1 != 0 {
		s.Metadata[k]++
		return
	}
	write := e.Kind == probe.KindWrite
	column := s.Read
	if write {
		column = s.Written
	}
	column[k]++
	id := block{e.Addr, e.Req, write}
	w, known := s.queued[id]
	fetched := e.A >> 16 & 0xff
	if w.seen++; w.seen < fetched {
		if known {
			s.queued[id] = w
		}
		return
	}
	if mode := probe.Mode(e.A >> 24); mode != probe.ModeRaw && fetched < s.burstsPerBlock {
		s.Saved[k] += s.burstsPerBlock - fetched
	}
	if known {
		delete(s.queued, id)
		s.wait(w.since, uint64(e.Cycle), e.Unit, write)
	}
}

// wait adds the cycles in which a block waited to their intervals.
func (s *Series) wait(from, to uint64, channel uint16, write bool) {
	for from < to {
		k := s.at(from, channel)
		end := min(to, (from/s.IntervalCycles+1)*s.IntervalCycles)
		if write {
			s.WriteQueue[k] += end - from
		} else {
			s.ReadQueue[k] += end - from
		}
		from = end
	}
}

// at returns the index of a channel in the interval of a cycle, and adds the interval if
// necessary.
func (s *Series) at(cycle uint64, channel uint16) int {
	for cycle/s.IntervalCycles >= MostPoints {
		s.halve()
	}
	point := int(cycle / s.IntervalCycles)
	for s.Points <= point {
		s.Points++
		for _, c := range [...]*[]uint32{&s.Read, &s.Written, &s.Metadata, &s.Saved, &s.Refreshes} {
			*c = append(*c, make([]uint32, s.Channels)...)
		}
		s.ReadQueue = append(s.ReadQueue, make([]uint64, s.Channels)...)
		s.WriteQueue = append(s.WriteQueue, make([]uint64, s.Channels)...)
		s.BankBursts = append(s.BankBursts, make([]uint32, s.Channels*s.Banks)...)
		s.BankActivates = append(s.BankActivates, make([]uint32, s.Channels*s.Banks)...)
		s.LinkIn, s.LinkOut = append(s.LinkIn, 0), append(s.LinkOut, 0)
		for _, c := range [...]*[]uint32{&s.Met, &s.Overflowed} {
			if len(*c) == 0 {
				*c = make([]uint32, s.Allocations)
			} else {
				*c = append(*c, (*c)[len(*c)-s.Allocations:]...)
			}
		}
	}
	return point*s.Channels + int(channel)
}

// halve joins the intervals in pairs.
func (s *Series) halve() {
	for _, c := range [...]*[]uint32{&s.Read, &s.Written, &s.Metadata, &s.Saved, &s.Refreshes} {
		*c = join(*c, s.Channels)
	}
	s.ReadQueue, s.WriteQueue = join(s.ReadQueue, s.Channels), join(s.WriteQueue, s.Channels)
	s.BankBursts, s.BankActivates = join(s.BankBursts, s.Channels*s.Banks), join(s.BankActivates, s.Channels*s.Banks)
	s.LinkIn, s.LinkOut = join(s.LinkIn, 1), join(s.LinkOut, 1)
	s.Met, s.Overflowed = later(s.Met, s.Allocations), later(s.Overflowed, s.Allocations)
	s.Points = (s.Points + 1) / 2
	s.IntervalCycles *= 2
}

// join adds every second row of a column to the row before it.
func join[T uint32 | uint64](column []T, width int) []T {
	rows := len(column) / width
	for r := range rows {
		for i := range width {
			v := column[r*width+i]
			if r%2 == 0 {
				column[r/2*width+i] = v
			} else {
				column[r/2*width+i] += v
			}
		}
	}
	return column[:(rows+1)/2*width]
}

// later keeps the later row of each pair of a column.
func later(column []uint32, width int) []uint32 {
	if width == 0 {
		return column
	}
	rows := len(column) / width
	for r := range (rows + 1) / 2 {
		copy(column[r*width:(r+1)*width], column[min(2*r+1, rows-1)*width:])
	}
	return column[:(rows+1)/2*width]
}
