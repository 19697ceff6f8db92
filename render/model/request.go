package model

import "github.com/burstscope/burstscope/core/probe"

// stage is a point of a request's path, in the order of the path.
type stage uint8

const (
	stageSM      stage = iota // looked up in L1
	stageRequest              // enters the crossbar
	stageL2                   // looked up in L2
	stageQueue                // enters the controller's queue
	stageBurst                // its first burst is on the bus
	stageBursted              // its last burst has left the bus
	stageDecoded              // leaves the decompressor
	stageReply                // enters the crossbar on the way back
	stageDone                 // data are at the SM
	stages
)

// Request is one line's way from an SM to memory and back.
type Request struct {
	Addr     uint64
	Req      uint32
	SM       uint16
	Slice    uint16
	Channel  uint16
	Mode     probe.Mode
	Write    bool
	answered bool // with a predicted line
	hasSM    bool
	hasSlice bool
	seen     uint16
	stamps   [stages]uint32
}

func (r *Request) mark(s stage, at uint32) {
	r.seen |= 1 << s
	r.stamps[s] = at
}

func (r *Request) has(s stage) bool { return r.seen>>s&1 != 0 }

// span returns the first and the last cycle a request is known to exist.
func (r *Request) span() (first, last uint32) {
	first = ^uint32(0)
	for s := range stages {
		if r.has(s) {
			first = min(first, r.stamps[s])
			last = max(last, r.stamps[s])
		}
	}
	return first, last
}

// requestKey names one line of one memory instruction: the lines of an
// instruction share its number.
type requestKey struct {
	req  uint32
	addr uint64
}

// request finds or starts the request a record belongs to.
func (t *Timeline) request(e *probe.Event) *Request {
	if e.Req == 0 {
		return nil
	}
	key := requestKey{e.Req, e.Addr}
	if i, ok := t.byReq[key]; ok {
		return &t.requests[i]
	}
	t.byReq[key] = int32(len(t.requests))
	t.requests = append(t.requests, Request{Addr: e.Addr, Req: e.Req})
	return &t.requests[len(t.requests)-1]
}

func (t *Timeline) stamp(e *probe.Event, s stage, at uint32) *Request {
	r := t.request(e)
	if r == nil {
		return nil
	}
	r.mark(s, at)
	if first, last := r.span(); last-first < maxFlight {
		t.longest = max(t.longest, last-first)
	}
	return r
}

// maxFlight is the longest a request may be under way and still be drawn. A
// request that waits longer is shown in its queue by its channel.
const maxFlight = 20_000

func (t *Timeline) stampSM(at uint32, e *probe.Event) {
	switch e.Kind {
	case probe.KindL1:
		if e.A == probe.ResultBlocked || e.A == probe.ResultHit {
			return
		}
		if r := t.stamp(e, stageSM, at); r != nil {
			r.SM, r.hasSM = e.Unit, true
			r.Write = e.A == probe.ResultWrite
			r.answered = e.A == probe.ResultAnswered
			t.answered = t.answered || r.answered
		}
	case probe.KindReply:
		if r := t.stamp(e, stageDone, at); r != nil {
			r.SM, r.hasSM = e.Unit, true
		}
	}
}

func (t *Timeline) stampCrossbar(at uint32, e *probe.Event, sm, sl int) {
	s := stageRequest
	if e.Kind == probe.KindXbarReply {
		s = stageReply
		t.slices[sl].addFlits(at, e.A)
	}
	if r := t.stamp(e, s, at); r != nil {
		r.SM, r.hasSM = uint16(sm), true
		r.Slice, r.hasSlice = uint16(sl), true
	}
}

func (t *Timeline) stampChannel(at uint32, e *probe.Event) {
	switch e.Kind {
	case probe.KindQueue:
		if e.A == 0 {
			if r := t.stamp(e, stageQueue, at); r != nil {
				r.Channel = e.Unit
			}
		}
	case probe.KindRead:
		if e.B&1 != 0 {
			return
		}
		r := t.request(e)
		if r == nil {
			return
		}
		r.Channel, r.Mode = e.Unit, probe.Mode(e.A>>24)
		if !r.has(stageBurst) || at < r.stamps[stageBurst] {
			t.stamp(e, stageBurst, at)
		}
		if end := at + max(e.B>>16, 1); end > r.stamps[stageBursted] {
			t.stamp(e, stageBursted, end)
		}
	case probe.KindDecompress:
		if r := t.stamp(e, stageDecoded, at); r != nil {
			r.Mode = probe.Mode(e.A >> 24)
		}
	}
}

// Station is a place a request can be at.
type Station uint8

const (
	AtSM Station = iota
	AtCrossbar
	AtSlice
	AtController
	AtBank
)

// stationOf says where each stage happens.
var stationOf = [stages]Station{AtSM, AtCrossbar, AtSlice, AtController, AtBank, AtBank, AtController, AtSlice, AtSM}

// Flight is where a request is at a cycle: Along of the way from From to To.
type Flight struct {
	Request  *Request
	From, To Station
	Along    float64 // 0..1
	Back     bool    // carries data back to the SM
}

// approach is how many cycles a request is shown to move between two stages when
// the records only say that it took longer: it waits before or after.
const approach = 12

// Flights calls f for every request under way at cycle.
func (t *Timeline) Flights(cycle float64, f func(Flight)) {
	if cycle < 0 {
		return
	}
	low := t.requestsFrom(cycle - float64(t.longest) - 1)
	for i := low; i < len(t.requests); i++ {
		r := &t.requests[i]
		first, last := r.span()
		if float64(first) > cycle+maxSkew {
			break
		}
		if float64(first) > cycle || float64(last) <= cycle || !r.has(stageRequest) {
			continue
		}
		if v, ok := r.flight(cycle); ok {
			f(v)
		}
	}
}

// dropShown is for how many cycles a dropped request is shown after its look-up in L1.
const dropShown = 40

// Drops calls f for every request that L1 answered with a predicted line in the last cycles, and that never left the
// SM. along is the part of the time in which it is shown that has passed.
func (t *Timeline) Drops(cycle float64, f func(r *Request, along float64)) {
	if cycle < 0 || !t.answered {
		return
	}
	for i := t.requestsFrom(cycle - dropShown); i < len(t.requests); i++ {
		r := &t.requests[i]
		first, _ := r.span()
		if float64(first) > cycle+maxSkew {
			break
		}
		if r.answered && !r.has(stageRequest) && float64(first) <= cycle && float64(first)+dropShown > cycle {
			f(r, (cycle-float64(first))/dropShown)
		}
	}
}

// maxSkew is how far a request's first record may lie behind that of a request
// announced later.
const maxSkew = 64

// requestsFrom returns the index of the first request that may be alive at cycle.
func (t *Timeline) requestsFrom(cycle float64) int {
	low, high := 0, len(t.requests)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if first, _ := t.requests[mid].span(); float64(first)+maxSkew < cycle {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// flight finds the two stages cycle lies between.
func (r *Request) flight(cycle float64) (Flight, bool) {
	from, to := stages, stages
	for s := range stages {
		if !r.has(s) {
			continue
		}
		if float64(r.stamps[s]) <= cycle {
			from = s
		} else if from != stages {
			to = s
			break
		}
	}
	if from == stages || to == stages {
		return Flight{}, false
	}
	begin, end := float64(r.stamps[from]), float64(r.stamps[to])
	switch {
	case end-begin <= approach:
	case waits(from):
		begin = end - approach
	case from == stageRequest: // it is there soon, and stands in a queue
		end = begin + approach
	}
	along := 0.0
	if cycle > begin && end > begin {
		along = min((cycle-begin)/(end-begin), 1)
	}
	return Flight{
		Request: r, From: stationOf[from], To: stationOf[to], Along: along,
		Back: from >= stageBursted,
	}, true
}

// waits says after which stages a request stands in a queue.
func waits(s stage) bool {
	return s == stageSM || s == stageL2 || s == stageQueue || s == stageBursted || s == stageDecoded
}

// find returns the latest request for a block that had begun by cycle: with a
// number that one, without one the latest that moved it. nil if there is none.
func (t *Timeline) find(addr uint64, req uint32, cycle float64) *Request {
	if req == 0 {
		latest := uint32(0)
		for c := range t.channels {
			list := t.channels[c].transfers
			last := t.channels[c].transferAt(cycle)
			for i := last; i >= 0 && i > last-searchBack; i-- {
				if list[i].Addr == addr && list[i].Start >= latest {
					req, latest = list[i].Req, list[i].Start
					break
				}
			}
		}
	}
	if i, ok := t.byReq[requestKey{req, addr}]; ok {
		return &t.requests[i]
	}
	return nil
}
