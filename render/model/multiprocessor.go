package model

import "github.com/burstscope/burstscope/core/probe"

// WarpState is what a resident warp does.
type WarpState uint8

const (
	WarpAbsent  WarpState = iota // never seen, or ended
	WarpReady                    // may issue
	WarpWaiting                  // waits for memory
	WarpBarrier                  // waits at a barrier
)

type warpChange struct {
	cycle uint32
	state WarpState
}

func (w warpChange) at() uint32 { return w.cycle }

// issued is a memory instruction whose lines are still being looked up.
type issued struct {
	pc    uint32
	lines int
	slot  uint16
}

// awaited is a line a warp waits for.
type awaited struct {
	addr uint64
	slot uint16
}

type multiprocessor struct {
	warps   [][]warpChange // by warp slot
	issues  []issued
	awaits  []awaited
	waiting []uint16 // lines each warp waits for
	used    int      // highest slot seen, plus one
}

func newMultiprocessors(t Topology) []multiprocessor {
	list := make([]multiprocessor, t.SMs)
	for i := range list {
		list[i].warps = make([][]warpChange, t.WarpsPerSM)
		list[i].waiting = make([]uint16, t.WarpsPerSM)
	}
	return list
}

// maxPending bounds the lists of instructions and lines under way in one SM; a
// record that never comes must not make them grow without end.
const maxPending = 4096

func (m *multiprocessor) add(at uint32, e *probe.Event) {
	slot := int(e.A >> 16)
	switch e.Kind {
	case probe.KindIssue:
		if slot >= len(m.warps) {
			return
		}
		m.used = max(m.used, slot+1)
		m.change(slot, at, WarpReady)
		if len(m.issues) < maxPending {
			m.issues = append(m.issues, issued{pc: e.B, lines: int(e.A & 0xff), slot: uint16(slot)})
		}
	case probe.KindL1:
		m.lookup(at, e)
	case probe.KindReply:
		m.reply(at, e.Addr)
	case probe.KindBarrier:
		if slot < len(m.warps) {
			m.used = max(m.used, slot+1)
			state := WarpBarrier
			if e.B != 0 {
				state = WarpReady
			}
			m.change(slot, at, state)
		}
	case probe.KindWarp:
		if slot < len(m.warps) {
			m.used = max(m.used, slot+1)
			m.change(slot, at, WarpReady)
		}
	case probe.KindExit:
		if slot < len(m.warps) {
			m.used = max(m.used, slot+1)
			m.change(slot, at, WarpAbsent)
			m.waiting[slot] = 0
			m.forget(func(a awaited) bool { return int(a.slot) == slot })
		}
	}
}

// lookup takes one line of the oldest instruction with the same PC. A warp waits
// for lines that missed; stores go on without it.
func (m *multiprocessor) lookup(at uint32, e *probe.Event) {
	if e.A == probe.ResultBlocked {
		return
	}
	for i := range m.issues {
		is := &m.issues[i]
		if is.pc != e.B {
			continue
		}
		slot := int(is.slot)
		if is.lines--; is.lines <= 0 {
			m.issues = append(m.issues[:i], m.issues[i+1:]...)
		}
		if (e.A == probe.ResultMiss || e.A == probe.ResultMerged) && len(m.awaits) < maxPending {
			m.awaits = append(m.awaits, awaited{e.Addr, uint16(slot)})
			m.waiting[slot]++
			m.change(slot, at, WarpWaiting)
		}
		return
	}
}

func (m *multiprocessor) reply(at uint32, addr uint64) {
	m.forget(func(a awaited) bool {
		if a.addr != addr {
			return false
		}
		if m.waiting[a.slot] > 0 {
			if m.waiting[a.slot]--; m.waiting[a.slot] == 0 {
				m.change(int(a.slot), at, WarpReady)
			}
		}
		return true
	})
}

func (m *multiprocessor) forget(over func(awaited) bool) {
	kept := m.awaits[:0]
	for _, a := range m.awaits {
		if !over(a) {
			kept = append(kept, a)
		}
	}
	m.awaits = kept
}

func (m *multiprocessor) change(slot int, at uint32, s WarpState) {
	list := m.warps[slot]
	if n := len(list); n > 0 && list[n-1].state == s {
		return
	}
	m.warps[slot], _ = insert(list, warpChange{at, s})
}

// Warp returns the state of a warp slot at cycle.
func (t *Timeline) Warp(sm, slot int, cycle float64) WarpState {
	list := t.sms[sm].warps[slot]
	n := after(list, cycle)
	if n == 0 {
		return WarpAbsent
	}
	return list[n-1].state
}

// WarpSlots is how many warp slots were ever used in one SM.
func (t *Timeline) WarpSlots() int {
	n := 0
	for i := range t.sms {
		n = max(n, t.sms[i].used)
	}
	return n
}

// access is a lookup in an L2 slice.
type access struct {
	cycle  uint32
	result uint8
}

func (a access) at() uint32 { return a.cycle }

type slice struct {
	accesses []access
	flits    []flitTotal
}

// flitTotal is the number of reply flits of a slice up to a cycle.
type flitTotal struct{ cycle, flits uint32 }

func (f flitTotal) at() uint32 { return f.cycle }

func (s *slice) add(at uint32, e *probe.Event) {
	if uint8(e.A) == probe.ResultBlocked {
		return
	}
	s.accesses, _ = insert(s.accesses, access{cycle: at, result: uint8(e.A)})
}

func (s *slice) addFlits(at, flits uint32) {
	f := flitTotal{at, flits}
	if n := len(s.flits); n > 0 {
		f.flits += s.flits[n-1].flits
		f.cycle = max(at, s.flits[n-1].cycle)
	}
	s.flits = append(s.flits, f)
}

// flitsPerCycle is the mean load of a slice's reply port over (from, to].
func (s *slice) flitsPerCycle(from, to float64) float64 {
	a, b := after(s.flits, from), after(s.flits, to)
	if b == 0 || to <= from {
		return 0
	}
	n := s.flits[b-1].flits
	if a > 0 {
		n -= s.flits[a-1].flits
	}
	return float64(n) / (to - from)
}
