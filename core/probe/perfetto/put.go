package perfetto

import "github.com/burstscope/burstscope/core/probe"

// put writes one event. If the event names a part that the machine does not have, the
// Machine was described wrongly.
func (w *Writer) put(p *pending) {
	at, e := p.at, &p.event
	if p.part == command {
		w.column(at, e)
		return
	}
	switch e.Kind {
	case probe.KindLaunch:
		w.begin("launch", 'i', at, pidGPU, 1)
		w.number(`,"s":"g","args":{"number":`, uint64(e.A))
		w.buf = append(w.buf, '}')
		w.finish()
	case probe.KindCTA:
		w.cta(at, e)
	case probe.KindWarp, probe.KindExit, probe.KindBarrier, probe.KindIssue:
		w.warp(at, e)
	case probe.KindXbarRequest:
		w.departs(at, e)
	case probe.KindReply:
		w.arrives(at, e)
	case probe.KindL2:
		w.lookup(at, e)
	case probe.KindQueue:
		w.queue(at, e)
	case probe.KindMetadata:
		w.metadata(at, e)
	case probe.KindActivate:
		w.activate(at, e)
	case probe.KindPrecharge:
		w.precharge(at, e)
	case probe.KindRefresh:
		w.refresh(at, e)
	case probe.KindRead, probe.KindWrite:
		w.burst(at, e)
	case probe.KindCompress, probe.KindDecompress:
		w.coded(at, e)
	case probe.KindLink:
		w.packet(at, e)
	case probe.KindEntry:
		w.entry(at, e)
	}
}

// closeAll ends every span that is open.
func (w *Writer) closeAll(at uint64) {
	for i := range w.sms {
		t, pid := &w.sms[i], pidSM+i
		for slot := range t.warps {
			w.endWarp(&t.warps[slot], at, pid, tidWarp+slot)
		}
		for lane, n := range t.ctas {
			if n != 0 {
				t.ctas[lane] = 0
				w.end("CTA", at, pid, tidCTA+lane)
			}
		}
		for _, r := range t.requests {
			w.arrived(at, pid, r.id)
		}
		t.requests = nil
	}
	for i := range w.channels {
		for b := range w.channels[i].banks {
			w.closeRow(&w.channels[i].banks[b], at, pidChannel+i, tidBank+b)
		}
	}
}
