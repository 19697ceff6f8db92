package perfetto

import (
	"strconv"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

var packetNames = [...]string{"data in", "data out"}

// packet writes a packet of data on its channel of the link. Events carry whole core cycles, so
// a packet may seem to begin before the end of the last one.
func (w *Writer) packet(at uint64, e *probe.Event) {
	out, channels := int(e.A&1), max(1, int(e.A>>8))
	channel := int(e.Addr / mem.LineBytes % uint64(channels))
	for len(w.link) < 2*channels {
		w.link = append(w.link, track{})
	}
	tid := tidLink + 2*channel + out
	t := &w.link[2*channel+out]
	if !t.named {
		w.nameLink()
		t.named = true
		w.thread(pidLink, tid, "channel "+strconv.Itoa(channel)+", "+packetNames[out])
	}
	w.slice(packetNames[out], t, at, w.machine.core(uint64(e.B)), pidLink, tid)
	w.address(`,"args":{"address":`, e.Addr)
	w.number(`,"memoryChannel":`, uint64(e.Unit))
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}

// nameLink names the process of the link at its first event.
func (w *Writer) nameLink() {
	if !w.linkNamed {
		w.linkNamed = true
		w.process(pidLink, "link to buddy memory", 5)
	}
}

// entry counts entries and those that need the memory behind the link. The counter is written when one of
// these comes or goes.
func (w *Writer) entry(at uint64, e *probe.Event) {
	if e.A>>8&0xff == probe.EntryUnknown {
		w.met++
	}
	before := w.overflowed
	if e.A>>16&0xff > 0 {
		w.overflowed++
	}
	if e.A>>24 > 0 {
		w.overflowed--
	}
	if w.overflowed == before {
		return
	}
	w.nameLink()
	w.begin("entries in buddy memory", 'C', at, pidLink, 0)
	w.number(`,"args":{"overflowed":`, w.overflowed)
	w.number(`,"within their targets":`, w.met-w.overflowed)
	w.buf = append(w.buf, '}')
	w.finish()
}
