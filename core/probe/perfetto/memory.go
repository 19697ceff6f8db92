package perfetto

import (
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
)

// channelTracks is the state of the tracks of one channel.
type channelTracks struct {
	banks    []bankTrack
	busFree  uint64 // picoseconds at which the last burst has left the bus
	queued   [2]uint32
	counted  bool
	moving   []moving
	allBanks track
	metadata bool // the track has a name
	codec    bool
}

// track is a thread whose slices do not overlap.
type track struct {
	named bool
	free  uint64 // picoseconds at which its last slice ends
}

type bankTrack struct {
	track
	open bool
	row  uint32
}

// moving is a block with some of its bursts already on the bus.
type moving struct {
	addr  uint64
	cause uint32
	write bool
	seen  uint32
}

var modes = [...]string{"raw", "lossless", "lossy"}

func modeOf(m uint32) string {
	if int(m) < len(modes) {
		return modes[m]
	}
	return "unknown"
}

// slice writes a complete slice that begins not before the end of the last slice of its
// track.
func (w *Writer) slice(name string, t *track, at, duration uint64, pid, tid int) {
	at = max(at, t.free)
	t.free = at + duration
	w.begin(name, 'X', at, pid, tid)
	w.duration(duration)
}

// activate opens a row: it writes a slice within the span in which the row is open.
func (w *Writer) activate(at uint64, e *probe.Event) {
	pid, bank := pidChannel+int(e.Unit), int(e.A)
	t := &w.channels[e.Unit].banks[bank]
	w.closeRow(t, at, pid, tidBank+bank)
	at = max(at, t.free)
	t.open, t.row = true, e.B
	w.span(rowName(t.row), 'B', at, pid, tidBank+bank)
	w.finish()
	w.slice("activate", &t.track, at, w.machine.dram(w.machine.Activate), pid, tidBank+bank)
	w.number(`,"args":{"row":`, uint64(e.B))
	w.address(`,"address":`, e.Addr)
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}

func rowName(row uint32) string { return "row " + strconv.FormatUint(uint64(row), 10) }

func (w *Writer) closeRow(t *bankTrack, at uint64, pid, tid int) {
	if t.open {
		t.open = false
		t.free = max(at, t.free)
		w.end(rowName(t.row), t.free, pid, tid)
	}
}

func (w *Writer) precharge(at uint64, e *probe.Event) {
	pid, bank := pidChannel+int(e.Unit), int(e.A)
	t := &w.channels[e.Unit].banks[bank]
	w.closeRow(t, at, pid, tidBank+bank)
	w.slice("precharge", &t.track, at, w.machine.dram(w.machine.Precharge), pid, tidBank+bank)
	w.number(`,"args":{"row":`, uint64(e.B))
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}

func (w *Writer) refresh(at uint64, e *probe.Event) {
	c, pid := &w.channels[e.Unit], pidChannel+int(e.Unit)
	t, tid := &c.allBanks, tidAllBanks
	if bank := int(e.A); bank < len(c.banks) {
		w.closeRow(&c.banks[bank], at, pid, tidBank+bank)
		t, tid = &c.banks[bank].track, tidBank+bank
	} else if !t.named {
		t.named = true
		w.thread(pid, tid, "all banks")
	}
	w.slice("refresh", t, at, w.machine.core(uint64(e.B)), pid, tid)
	w.finish()
}

var burstNames = [...][2]string{{"read", "write"}, {"read metadata", "write metadata"}}

func burstName(e *probe.Event) string {
	kind := 0
	if e.Kind == probe.KindWrite {
		kind = 1
	}
	return burstNames[e.B&1][kind]
}

// column writes the command of a burst on its bank.
func (w *Writer) column(at uint64, e *probe.Event) {
	bank := int(e.A & 0xff)
	t := &w.channels[e.Unit].banks[bank]
	w.slice(burstName(e), &t.track, at, w.machine.dram(w.machine.Bursts), pidChannel+int(e.Unit), tidBank+bank)
	w.address(`,"args":{"address":`, e.Addr)
	w.number(`,"burst":`, uint64(e.A>>8&0xff))
	w.number(`,"of":`, uint64(e.A>>16&0xff))
	w.text(`,"mode":`, modeOf(e.A>>24))
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}

// burst writes a burst on the data bus. Events carry whole core cycles, rounded up. If a
// burst begins in the cycle in which the last one ended, it followed at once.
func (w *Writer) burst(at uint64, e *probe.Event) {
	c := &w.channels[e.Unit]
	begin := at
	if begin < c.busFree+w.machine.core(1) {
		begin = c.busFree
	}
	duration := w.machine.dram(w.machine.Bursts)
	c.busFree = begin + duration
	w.begin(burstName(e), 'X', begin, pidChannel+int(e.Unit), tidBus)
	w.duration(duration)
	w.number(`,"args":{"bank":`, uint64(e.A&0xff))
	w.address(`,"address":`, e.Addr)
	w.text(`,"mode":`, modeOf(e.A>>24))
	w.buf = append(w.buf, '}')
	w.finish()
	w.bandwidth.add(e, w.machine.MAGBytes)
	if e.B&1 == 0 && c.moved(e) {
		w.countQueue(at, int(e.Unit))
	}
}

// mostMoving is far more than the blocks that a channel moves at a time. It bounds the
// list if the last burst of a block never comes.
const mostMoving = 1024

// moved takes a block off its queue with its last burst, and reports whether it did.
func (c *channelTracks) moved(e *probe.Event) bool {
	write := e.Kind == probe.KindWrite
	i := 0
	for i < len(c.moving) && (c.moving[i].addr != e.Addr || c.moving[i].cause != e.Req || c.moving[i].write != write) {
		i++
	}
	if i == len(c.moving) {
		if i == mostMoving {
			c.moving, i = append(c.moving[:0], c.moving[1:]...), i-1
		}
		c.moving = append(c.moving, moving{addr: e.Addr, cause: e.Req, write: write})
	}
	if c.moving[i].seen++; c.moving[i].seen < e.A>>16&0xff {
		return false
	}
	c.moving = append(c.moving[:i], c.moving[i+1:]...)
	queue := 0
	if write {
		queue = 1
	}
	if c.queued[queue] > 0 {
		c.queued[queue]--
	}
	return true
}

// queue writes the length of a queue when a request enters it.
func (w *Writer) queue(at uint64, e *probe.Event) {
	if e.A < 2 {
		w.channels[e.Unit].queued[e.A] = e.B
		w.countQueue(at, int(e.Unit))
	}
}

func (w *Writer) countQueue(at uint64, channel int) {
	c := &w.channels[channel]
	w.begin("queue of channel "+strconv.Itoa(channel), 'C', at, pidController+w.machine.controllerOf(channel), 0)
	w.number(`,"args":{"reads":`, uint64(c.queued[0]))
	w.number(`,"writes":`, uint64(c.queued[1]))
	w.buf = append(w.buf, '}')
	w.finish()
}

// controllerTrack names a track of a channel at its controller at the first use.
func (w *Writer) controllerTrack(channel, tid int, what string, named *bool) (pid, place int) {
	ctl := w.machine.controllerOf(channel)
	pid = pidController + ctl
	place = tid + 2*(channel-ctl*w.machine.Channels/w.machine.Controllers)
	if !*named {
		*named = true
		w.thread(pid, place, what+" of channel "+strconv.Itoa(channel))
	}
	return pid, place
}

func (w *Writer) metadata(at uint64, e *probe.Event) {
	if int(e.A) >= len(lookups) {
		return
	}
	pid, tid := w.controllerTrack(int(e.Unit), tidMetadata, "metadata cache", &w.channels[e.Unit].metadata)
	w.begin(lookups[e.A], 'i', at, pid, tid)
	w.address(`,"s":"t","args":{"address":`, e.Addr)
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}

// coded writes a block that leaves the compressor or the decompressor.
func (w *Writer) coded(at uint64, e *probe.Event) {
	name := "compressed"
	if e.Kind == probe.KindDecompress {
		name = "decompressed"
	}
	pid, tid := w.controllerTrack(int(e.Unit), tidCodec, "codec", &w.channels[e.Unit].codec)
	w.begin(name, 'i', at, pid, tid)
	w.address(`,"s":"t","args":{"address":`, e.Addr)
	w.number(`,"bits":`, uint64(e.A&0xffffff))
	w.number(`,"bursts":`, uint64(e.B&0xff))
	w.text(`,"mode":`, modeOf(e.A>>24))
	if cut := e.B >> 16 & 0xff; cut > 0 {
		w.number(`,"firstCutSymbol":`, uint64(e.B>>8&0xff))
		w.number(`,"cutSymbols":`, uint64(cut))
	}
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}

// bandwidthCycles is the interval of the bandwidth counter, in core cycles.
const bandwidthCycles = 256

// window adds up the bytes of one interval.
type window struct {
	length, begin uint64 // picoseconds
	bytes         [3]uint64
	any           bool // a value other than zero was written
}

const (
	bytesRead = iota
	bytesWritten
	bytesMetadata
)

func (b *window) add(e *probe.Event, magBytes int) {
	kind := bytesRead
	switch {
	case e.B&1 != 0:
		kind = bytesMetadata
	case e.Kind == probe.KindWrite:
		kind = bytesWritten
	}
	b.bytes[kind] += uint64(magBytes)
}

// bandwidthUntil writes the intervals that end by time at. Of successive intervals
// without traffic only the first is written.
func (w *Writer) bandwidthUntil(at uint64) {
	b := &w.bandwidth
	for b.begin+b.length <= at {
		some := b.bytes != [3]uint64{}
		if some || b.any {
			w.begin("DRAM bandwidth, MB/s", 'C', b.begin, pidGPU, 0)
			for i, name := range [...]string{`,"args":{"read":`, `,"written":`, `,"metadata":`} {
				w.number(name, b.bytes[i]*psPerMicrosecond/b.length) // bytes a microsecond
			}
			w.buf = append(w.buf, '}')
			w.finish()
		}
		b.any, b.bytes = some, [3]uint64{}
		b.begin += b.length
		if !some {
			b.begin = max(b.begin, at/b.length*b.length)
		}
	}
}
