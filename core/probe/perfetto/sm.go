package perfetto

import (
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
)

// smTracks is the state of the tracks of one SM.
type smTracks struct {
	ctas     []uint32 // by lane: CTA number + 1, 0 = free
	warps    []warpTrack
	requests []request // in flight, in no order
}

type warpTrack struct {
	named, live, barrier bool
}

// request is a packet between an SM and L2, known by its cause and line.
type request struct {
	cause uint32
	addr  uint64
	id    uint64
}

// span opens or closes (phase B or E) a span of a thread.
func (w *Writer) span(name string, phase byte, at uint64, pid, tid int) {
	w.begin(name, phase, at, pid, tid)
	if phase == 'B' {
		w.open++
	} else {
		w.open--
	}
}

func (w *Writer) end(name string, at uint64, pid, tid int) {
	w.span(name, 'E', at, pid, tid)
	w.finish()
}

func (w *Writer) cta(at uint64, e *probe.Event) {
	t, pid := &w.sms[e.Unit], pidSM+int(e.Unit)
	name := "CTA " + strconv.FormatUint(uint64(e.A), 10)
	if e.B == 0 {
		for lane, n := range t.ctas {
			if n == e.A+1 {
				t.ctas[lane] = 0
				w.end(name, at, pid, tidCTA+lane)
				return
			}
		}
		return
	}
	lane := 0
	for lane < len(t.ctas) && t.ctas[lane] != 0 {
		lane++
	}
	if lane == len(t.ctas) {
		t.ctas = append(t.ctas, 0)
		w.thread(pid, tidCTA+lane, "CTAs, "+strconv.Itoa(lane))
	}
	t.ctas[lane] = e.A + 1
	w.span(name, 'B', at, pid, tidCTA+lane)
	w.finish()
}

// warp writes an event of a warp: it starts, issues, waits at a barrier or ends.
func (w *Writer) warp(at uint64, e *probe.Event) {
	slot := int(e.A >> 16)
	pid, tid := pidSM+int(e.Unit), tidWarp+slot
	t := w.warpTrack(int(e.Unit), slot)
	switch e.Kind {
	case probe.KindWarp:
		w.endWarp(t, at, pid, tid)
		w.span("warp", 'B', at, pid, tid)
		w.number(`,"args":{"cta":`, uint64(e.B))
		w.buf = append(w.buf, '}')
		w.finish()
		t.live = true
	case probe.KindExit:
		w.endWarp(t, at, pid, tid)
	case probe.KindBarrier:
		if waits := e.B == 0; waits != t.barrier && t.live {
			t.barrier = waits
			if waits {
				w.span("barrier", 'B', at, pid, tid)
				w.finish()
			} else {
				w.end("barrier", at, pid, tid)
			}
		}
	case probe.KindIssue:
		w.begin("memory instruction", 'i', at, pid, tid)
		w.number(`,"s":"t","args":{"pc":`, uint64(e.B))
		w.number(`,"lines":`, uint64(e.A&0xff))
		w.address(`,"address":`, e.Addr)
		w.number(`,"cause":`, uint64(e.Req))
		w.buf = append(w.buf, '}')
		w.finish()
	}
}

func (w *Writer) warpTrack(sm, slot int) *warpTrack {
	t := &w.sms[sm]
	for len(t.warps) <= slot {
		t.warps = append(t.warps, warpTrack{})
	}
	if !t.warps[slot].named {
		t.warps[slot].named = true
		w.thread(pidSM+sm, tidWarp+slot, "warp slot "+strconv.Itoa(slot))
	}
	return &t.warps[slot]
}

func (w *Writer) endWarp(t *warpTrack, at uint64, pid, tid int) {
	if t.barrier {
		t.barrier = false
		w.end("barrier", at, pid, tid)
	}
	if t.live {
		t.live = false
		w.end("warp", at, pid, tid)
	}
}

// departs and arrives write the time of a request from its SM to L2 or memory and back.
// It is a span beside the threads, because many requests are in flight at once.
func (w *Writer) departs(at uint64, e *probe.Event) {
	sm, slice := int(e.Unit>>8), uint64(e.Unit&0xff)
	if sm >= len(w.sms) {
		return
	}
	t := &w.sms[sm]
	r := request{cause: e.Req, addr: e.Addr, id: uint64(w.events)}
	t.requests = append(t.requests, r)
	w.open++
	w.async('b', at, pidSM+sm, r.id)
	w.address(`,"args":{"address":`, e.Addr)
	w.number(`,"slice":`, slice)
	w.number(`,"flits":`, uint64(e.A))
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}

func (w *Writer) arrives(at uint64, e *probe.Event) {
	t := &w.sms[e.Unit]
	for i := range t.requests {
		r := t.requests[i]
		if r.cause != e.Req || r.addr != e.Addr {
			continue
		}
		last := len(t.requests) - 1
		t.requests[i] = t.requests[last]
		t.requests = t.requests[:last]
		w.arrived(at, pidSM+int(e.Unit), r.id)
		return
	}
}

func (w *Writer) arrived(at uint64, pid int, id uint64) {
	w.open--
	w.async('e', at, pid, id)
	w.finish()
}

func (w *Writer) async(phase byte, at uint64, pid int, id uint64) {
	w.begin("request", phase, at, pid, 0)
	w.number(`,"cat":"memory","id":`, id)
}

var lookups = [...]string{probe.ResultHit: "hit", probe.ResultMiss: "miss", probe.ResultMerged: "joins a miss", probe.ResultWrite: "write"}

var writeLookups = [...]string{probe.ResultHit: "write, hit", probe.ResultMiss: "write, miss", probe.ResultMerged: "write, joins a miss", probe.ResultWrite: "write"}

// lookup writes an L2 lookup. Blocked lookups are repeated, so they are not written.
func (w *Writer) lookup(at uint64, e *probe.Event) {
	names := &lookups
	if e.A>>8 == probe.ResultWrite {
		names = &writeLookups
	}
	result := int(e.A & 0xff)
	if result >= len(names) {
		return
	}
	w.begin(names[result], 'i', at, pidL2, int(e.Unit)+1)
	w.address(`,"s":"t","args":{"address":`, e.Addr)
	w.number(`,"cause":`, uint64(e.Req))
	w.buf = append(w.buf, '}')
	w.finish()
}
