package perfetto

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/burstscope/burstscope/core/jsontext"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// DefaultMaxBytes is the default bound of a trace: the viewers open files of this size
// without trouble.
const DefaultMaxBytes = 64_000_000

// MinMaxBytes is the smallest bound: it has room for the names of the tracks.
const MinMaxBytes = 1_000_000

// holdCycles is the time for which an event is held back, because others are reported
// late: DRAM commands come up to a few hundred cycles after their time.
const holdCycles = 4096

// part says which part of an event to write.
type part uint8

const (
	whole   part = iota
	command      // of a burst: its command on the bank
)

// pending is an event part to write at a time.
type pending struct {
	at    uint64 // picoseconds
	event probe.Event
	part  part
}

// Writer turns events into a trace.
type Writer struct {
	machine Machine
	write   func([]byte)
	limit   int

	buf     []byte
	written int // bytes passed on
	events  int
	pending []pending

	full    bool
	until   uint64 // picoseconds; the trace holds everything before
	leftOut uint64

	sms       []smTracks
	channels  []channelTracks
	bandwidth window
	link      []track // by thread of the link
	linkNamed bool
	// Entries that were met, and those of them with sectors behind the link.
	met, overflowed uint64
	open            int // spans to close at the end
}

// Summary describes a finished trace.
type Summary struct {
	Bytes   int
	Events  int    // trace events written
	LeftOut uint64 // events of the run that did not fit
	// Microseconds is the time up to which the trace is complete.
	Microseconds float64
}

// New starts a trace. write gets its bytes in order and must not keep them;
// maxBytes bounds them, 0 for the default.
func New(m Machine, s Stamp, maxBytes int, write func([]byte)) *Writer {
	if maxBytes == 0 {
		maxBytes = DefaultMaxBytes
	}
	if maxBytes < MinMaxBytes {
		panic("perfetto: a bound below MinMaxBytes")
	}
	w := &Writer{machine: m, write: write, limit: maxBytes, sms: make([]smTracks, m.SMs), channels: make([]channelTracks, m.Channels)}
	for i := range w.channels {
		w.channels[i].banks = make([]bankTrack, m.Banks)
	}
	w.bandwidth.length = m.core(bandwidthCycles)
	w.head(s)
	return w
}

// head writes what the trace is of, and the names of its tracks.
func (w *Writer) head(s Stamp) {
	w.buf = append(w.buf, `{"displayTimeUnit":"ns","otherData":{"program":"Burstscope"`...)
	for _, v := range [...][2]string{
		{"version", s.Version}, {"scenarioHash", s.ScenarioHash}, {"workload", s.Workload}, {"scheme", s.Scheme}, {"preset", w.machine.Name},
	} {
		w.buf = append(w.buf, ',')
		w.buf = jsontext.AppendQuote(w.buf, v[0])
		w.buf = append(w.buf, ':')
		w.buf = jsontext.AppendQuote(w.buf, v[1])
	}
	w.buf = append(w.buf, `},"traceEvents":[`...)
	w.process(pidGPU, "GPU: "+w.machine.Name, 0)
	w.thread(pidGPU, 1, "launches")
	w.thread(pidGPU, tidLaunch, "figures of launches")
	for i := range w.channels {
		pid := pidChannel + i
		w.process(pid, "DRAM channel "+strconv.Itoa(i), 1)
		w.thread(pid, tidBus, "data bus")
		for b := range w.machine.Banks {
			w.thread(pid, tidBank+b, "bank "+strconv.Itoa(b))
		}
	}
	for c := range w.machine.Controllers {
		w.process(pidController+c, "memory controller "+strconv.Itoa(c), 2)
	}
	w.process(pidL2, "L2", 3)
	for i := range w.machine.Slices {
		w.thread(pidL2, i+1, "slice "+strconv.Itoa(i))
	}
	for i := range w.sms {
		w.process(pidSM+i, "SM "+strconv.Itoa(i), 4)
	}
}

func (w *Writer) process(pid int, name string, order int) {
	w.begin("process_name", 'M', 0, pid, 0)
	w.buf = append(w.buf, `,"args":{"name":`...)
	w.buf = append(jsontext.AppendQuote(w.buf, name), '}')
	w.finish()
	w.begin("process_sort_index", 'M', 0, pid, 0)
	w.number(`,"args":{"sort_index":`, uint64(order))
	w.buf = append(w.buf, '}')
	w.finish()
}

func (w *Writer) thread(pid, tid int, name string) {
	w.begin("thread_name", 'M', 0, pid, tid)
	w.buf = append(w.buf, `,"args":{"name":`...)
	w.buf = append(jsontext.AppendQuote(w.buf, name), '}')
	w.finish()
}

// Add takes events in the order they were reported.
func (w *Writer) Add(events []probe.Event) {
	for i := range events {
		e := &events[i]
		if w.full {
			w.leftOut++
			continue
		}
		at := w.machine.core(uint64(e.Cycle))
		w.pending = append(w.pending, pending{at: at, event: *e})
		if lead := w.lead(e); lead > 0 {
			w.pending = append(w.pending, pending{at: at - min(at, lead), event: *e, part: command})
		}
	}
}

// lead is the time from a burst's command to its data, 0 for other events.
func (w *Writer) lead(e *probe.Event) uint64 {
	switch e.Kind {
	case probe.KindRead:
		return w.machine.dram(w.machine.ReadLatency)
	case probe.KindWrite:
		return w.machine.dram(w.machine.WriteLatency)
	}
	return 0
}

// Flush writes what can no longer be preceded by anything, at cycle now.
func (w *Writer) Flush(now sim.Cycle) {
	if now > holdCycles {
		w.writeBefore(w.machine.core(uint64(now - holdCycles)))
	}
}

func (w *Writer) writeBefore(limit uint64) {
	slices.SortStableFunc(w.pending, func(a, b pending) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.event.Kind, b.event.Kind))
	})
	n := 0
	for ; n < len(w.pending) && w.pending[n].at < limit; n++ {
		p := &w.pending[n]
		if !w.full && w.size() > w.limit-w.reserve() {
			w.stop(p.at)
		}
		if w.full {
			if p.part == whole {
				w.leftOut++
			}
			continue
		}
		w.bandwidthUntil(p.at)
		w.put(p)
	}
	w.pending = append(w.pending[:0], w.pending[n:]...)
}

func (w *Writer) size() int { return w.written + len(w.buf) }

const (
	closingBytes = 120  // no end of a span takes more
	tailBytes    = 4096 // one more event, and what is left out
)

// reserve is the room that closing the trace takes.
func (w *Writer) reserve() int { return tailBytes + w.open*closingBytes + w.launchRoom() }

// stop ends the trace before time at: its bound is reached.
func (w *Writer) stop(at uint64) {
	w.closeAll(at)
	w.full, w.until = true, at
}

// Close writes the rest and returns what the trace holds. end is the cycle the run
// ended at, and the launches are those of the run.
func (w *Writer) Close(end sim.Cycle, launches []Launch) Summary {
	w.writeBefore(^uint64(0))
	if !w.full {
		w.until = w.machine.core(uint64(end))
		w.bandwidthUntil(w.until)
		w.closeAll(w.until)
	}
	w.launches(launches)
	w.begin("end of the trace", 'i', w.until, pidGPU, 1)
	w.number(`,"s":"g","args":{"leftOut":`, w.leftOut)
	w.buf = append(w.buf, '}')
	w.finish()
	w.number("\n],\"leftOut\":{\"events\":", w.leftOut)
	w.buf = append(w.buf, `,"fromMicroseconds":`...)
	w.buf = microseconds(w.buf, w.until)
	w.buf = append(w.buf, "}}\n"...)
	w.handOn()
	return Summary{w.written, w.events, w.leftOut, float64(w.until) / psPerMicrosecond}
}
