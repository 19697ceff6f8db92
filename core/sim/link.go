package sim

import "math"

// Link is a bounded FIFO between two components: an item sent at cycle t can be
// received at t+latency, and the slot of an item received at t can be used again
// at t+1. Items are small values. The link wakes both ends when necessary.
type Link[T any] struct {
	// What sending and looking need is a line of the host's caches.
	first      Cycle      // when the oldest item arrives, Never if there is none
	place      []place[T] // power-of-two ring
	head, tail uint32
	latency    uint32
	consumer   uint16
	bit        uint8 // see Mark
	marks      *uint64
	engine     *Engine

	freed    Cycle // first cycle at which the place of the last item taken may be used again
	capacity uint32
	arrived  uint32 // bound of the items that have arrived, 0 = none
	watch    uint32 // with fewer items, no bound is reached
	producer ID
	stalled  bool            // producer was refused and can send only when an item has been taken
	unmarked uint64          // marks, if nobody looks at them
	source   *Engine         // of the producer
	behind   func(now Cycle) // see Behind
	past     uint32          // see present
	history  uint32          // capacity if the ring remembers as many places, otherwise greater than any number of items
}

// place is a slot of the ring.
type place[T any] struct {
	ready Cycle // when the item arrives
	freed Cycle // first cycle at which the place may be used again
	item  T
}

// Connect makes a link of the given capacity (items) and latency (base cycles,
// at least 1) from producer to consumer.
func Connect[T any](e *Engine, producer, consumer ID, capacity int, latency Cycle) *Link[T] {
	return ConnectApart[T](e, producer, e, consumer, capacity, latency)
}

// ConnectApart makes a link between components of two engines, one of which may be ahead of the other.
//
// If the consumer's engine is ahead, by at most the latency, it has taken items in cycles that the producer has not come to;
// the link knows when, and refuses what it would have refused. If the producer's engine is ahead, the consumer's must catch
// up before the link can refuse an item: see Behind.
func ConnectApart[T any](source *Engine, producer ID, e *Engine, consumer ID, capacity int, latency Cycle) *Link[T] {
	if latency < 1 || capacity < 1 {
		panic("sim: a link needs a latency and a capacity of at least 1")
	}
	if consumer > math.MaxUint16 || latency > math.MaxUint32 {
		panic("sim: a link's consumer or latency is out of range")
	}
	size := 1
	for size < min(capacity, placesAtFirst) {
		size *= 2
	}
	l := &Link[T]{
		engine: e, source: source, producer: producer, consumer: uint16(consumer), latency: uint32(latency), capacity: uint32(capacity), watch: uint32(capacity),
		place: make([]place[T], size), first: Never,
	}
	l.remember()
	l.marks = &l.unmarked
	return l
}

// placesAtFirst is how many places a link has before it needs more [ours]. Most links never hold as many items as they may, and
// the places of a small ring are still in the host's caches when they are used again.
const placesAtFirst = 8

// remember notes whether the ring is large enough to know when each of capacity places was freed.
func (l *Link[T]) remember() {
	l.history = math.MaxUint32
	if len(l.place) >= int(l.capacity) {
		l.history = l.capacity
	}
}

// Fill gives a new link all the places that it may need.
func (l *Link[T]) Fill() {
	for l.history != l.capacity {
		l.grow()
	}
}

// grow doubles the ring.
func (l *Link[T]) grow() {
	before, larger := l.place, make([]place[T], 2*len(l.place))
	for k := range uint32(len(before)) {
		i := l.tail - 1 - k
		larger[i&uint32(len(larger)-1)] = before[i&uint32(len(before)-1)]
	}
	l.place = larger
	l.remember()
}

// Mark makes the link keep bit of a set in place while it holds items, so that a consumer of many links
// looks at those alone.
func (l *Link[T]) Mark(set *uint64, bit int) {
	l.marks, l.bit = set, uint8(bit)
	l.mark()
}

// mark makes the bit say whether there are items.
func (l *Link[T]) mark() {
	*l.marks &^= 1 << (l.bit & 63)
	if l.head != l.tail {
		*l.marks |= 1 << (l.bit & 63)
	}
}

// Bound makes the link refuse items while n of its items have arrived and are not taken:
// a queue of n places after a pipeline that stalls only at its entrance.
func (l *Link[T]) Bound(n int) {
	if l.arrived = uint32(n); n != 0 {
		l.watch = 0 // items taken in this cycle count too, so the number says nothing
	}
}

// Send puts v into the link. If there is no room it returns false, and the
// producer is woken when there is room.
func (l *Link[T]) Send(now Cycle, v T) bool {
	return l.SendAfter(now, 0, v)
}

// SendAfter is Send with extra cycles added to the latency, for messages that
// take several cycles to cross. An item never overtakes the one before it.
func (l *Link[T]) SendAfter(now, extra Cycle, v T) bool {
	if !l.CanSend(now) {
		return false
	}
	*l.Put(now, extra) = v
	return true
}

// Put is SendAfter after CanSend has returned true in this cycle. The caller fills the place that it
// returns, which may hold an earlier item, before anything else happens to the link.
func (l *Link[T]) Put(now, extra Cycle) *T {
	mask := uint32(len(l.place) - 1)
	at := now + Cycle(l.latency) + extra
	if l.tail == l.head {
		l.first = at
		if l.engine.beside() {
			setTogether(l.marks, 1<<(l.bit&63))
		} else {
			*l.marks |= 1 << (l.bit & 63)
		}
	} else {
		at = max(at, l.place[(l.tail-1)&mask].ready)
	}
	p := &l.place[l.tail&mask]
	if l.history != l.capacity && (l.tail-l.head > mask || l.freed > now && p.freed > now) {
		// The oldest place is in use, or counts for a producer that is behind.
		l.grow()
		p = &l.place[l.tail&uint32(len(l.place)-1)]
	}
	p.ready = at
	l.tail++
	if id := ID(l.consumer); l.engine.wakes(id, at) && !(l.engine.now > now && l.lost(now)) {
		l.engine.Wake(id, at)
	}
	return &p.item
}

// lost reports whether the wake for the newest item, sent in cycle now, is lost with a consumer that is ahead: another item
// was waiting, and the consumer has ticked since. It would have been lost if the engines were together, since an
// engine keeps one wake of a component.
func (l *Link[T]) lost(now Cycle) bool {
	return l.tail-l.head > 1 && l.engine.ticked[l.consumer] > now
}

// CanSend reports whether Send would succeed now. If not, the producer is woken
// when it may succeed.
func (l *Link[T]) CanSend(now Cycle) bool {
	if l.tail-l.head >= l.watch && l.refuses(now) {
		return false
	}
	// A place freed in this cycle may be used from the next one; otherwise the
	// answer would depend on which component ticks first. Places are freed in order,
	// so the place to check is capacity places after the tail.
	if l.freed > now && l.tail >= l.history {
		if at := l.place[(l.tail-l.capacity)&uint32(len(l.place)-1)].freed; at > now {
			l.source.Wake(l.producer, at)
			return false
		}
	}
	return true
}

// Refused reports whether CanSend has returned false and will until an item is taken, with which the
// producer is woken. It is for a producer that does not ask CanSendTwo.
func (l *Link[T]) Refused() bool { return l.stalled }

// Behind makes the link call catchUp before it refuses an item in cycle now: the consumer's engine is then to do the work of
// all cycles before. If the item is refused still, the producer's engine ends its Advance with that cycle, so that
// the consumer can say in time that it has taken an item.
func (l *Link[T]) Behind(catchUp func(now Cycle)) { l.behind = catchUp }

// refuses reports whether a bound is reached. The producer is woken when it may be different.
func (l *Link[T]) refuses(now Cycle) bool {
	if l.behind != nil {
		l.behind(now)
	}
	switch {
	case l.tail-l.head >= l.capacity:
	case l.arrived != 0:
		first := l.present(now)
		last := first + l.arrived - 1
		if l.tail-first < l.arrived || l.place[last&uint32(len(l.place)-1)].ready > now {
			return false
		}
		if first != l.head { // what was taken in this cycle makes room in the next one
			l.source.Wake(l.producer, l.place[first&uint32(len(l.place)-1)].freed)
			return true
		}
	default:
		return false
	}
	l.stalled = true
	if l.behind != nil {
		l.source.end()
	}
	return true
}

// present returns the oldest item that counts as not taken in cycle now. One that was taken in this cycle still
// does; otherwise the answer would depend on which component ticks first. So does one that a consumer ahead has taken in a
// later cycle.
func (l *Link[T]) present(now Cycle) uint32 {
	if l.freed <= now {
		return l.head
	}
	l.past = l.untaken(l.past, l.head, now)
	return l.past
}

// untaken returns the oldest item before head, from first on, whose place is not free in cycle now, or head. What was
// sent in the places of items that the ring no longer remembers went there when they were free.
func (l *Link[T]) untaken(first, head uint32, now Cycle) uint32 {
	mask := uint32(len(l.place) - 1)
	if l.tail-first > mask+1 {
		first = l.tail - mask - 1
	}
	for first != head && l.place[first&mask].freed <= now {
		first++
	}
	return first
}

// Recv takes the oldest item if it has arrived.
func (l *Link[T]) Recv(now Cycle) (v T, ok bool) {
	if l.first > now {
		return v, false
	}
	v = l.place[l.head&uint32(len(l.place)-1)].item
	l.Drop(now)
	return v, true
}

// Drop takes the oldest item, which must have arrived.
func (l *Link[T]) Drop(now Cycle) {
	mask := uint32(len(l.place) - 1)
	l.freed = now + 1
	l.place[l.head&mask].freed = l.freed
	l.head++
	if l.head != l.tail {
		l.first = l.place[l.head&mask].ready
	} else {
		l.first = Never
		*l.marks &^= 1 << (l.bit & 63)
	}
	if l.stalled {
		l.stalled = false
		l.source.Wake(l.producer, now+1)
	}
}

// Peek returns the oldest item if it has arrived, without taking it.
func (l *Link[T]) Peek(now Cycle) (v *T, ok bool) {
	if l.first > now {
		return nil, false
	}
	return &l.place[l.head&uint32(len(l.place)-1)].item, true
}

// PeekAt returns the item that k others precede if it has arrived, without taking it.
func (l *Link[T]) PeekAt(now Cycle, k uint32) (v *T, ok bool) {
	if l.tail-l.head <= k {
		return nil, false
	}
	p := &l.place[(l.head+k)&uint32(len(l.place)-1)]
	if p.ready > now {
		return nil, false
	}
	return &p.item, true
}

// ReadyAt returns when the item that k others precede arrives, Never if there is none.
func (l *Link[T]) ReadyAt(k uint32) Cycle {
	if l.tail-l.head <= k {
		return Never
	}
	return l.place[(l.head+k)&uint32(len(l.place)-1)].ready
}

// ToFront lets the item that k others precede pass them. It must have arrived, and is taken
// next. The others keep their order.
func (l *Link[T]) ToFront(k uint32) {
	mask := uint32(len(l.place) - 1)
	passing := l.place[(l.head+k)&mask]
	for i := l.head + k; i != l.head; i-- {
		p, before := &l.place[i&mask], &l.place[(i-1)&mask]
		p.item, p.ready = before.item, before.ready
	}
	p := &l.place[l.head&mask]
	p.item, p.ready = passing.item, passing.ready
	l.first = p.ready
}

// CanSendTwo reports whether two items can be sent now. If not, the producer is woken when
// it may be different.
func (l *Link[T]) CanSendTwo(now Cycle) bool {
	if !l.CanSend(now) {
		return false
	}
	if l.tail+1-l.head >= l.capacity {
		l.stalled = true
		return false
	}
	if after := l.tail + 1; after >= l.history {
		if at := l.place[(after-l.capacity)&uint32(len(l.place)-1)].freed; at > now {
			l.source.Wake(l.producer, at)
			return false
		}
	}
	return true
}

// Rest gives back the memory of an empty link. Nothing may be sent afterwards.
func (l *Link[T]) Rest() {
	if l.head == l.tail {
		l.place = nil
	}
}

// Unknown returns the first cycle in which an item may arrive that is not in the link yet, for a
// consumer that ticks in cycle now before the producer, or whose producer's engine is ahead.
func (l *Link[T]) Unknown(now Cycle) Cycle {
	at := max(now, l.source.now) + Cycle(l.latency)
	if l.head != l.tail {
		at = max(at, l.place[(l.tail-1)&uint32(len(l.place)-1)].ready)
	}
	return at
}

// Room reports whether the link certainly takes n items in any cycle after the present one,
// whatever the consumer does until then. It is for a producer without Bound.
func (l *Link[T]) Room(n uint32) bool { return l.tail-l.head+n <= l.capacity }

// Free returns how many items the link certainly takes in the cycles after the present one, if none is taken. It is
// for a producer without Bound.
func (l *Link[T]) Free() int { return int(l.capacity) - l.Len() }

// Len returns how many items are in flight or waiting.
func (l *Link[T]) Len() int { return int(l.tail - l.head) }

// NextReady returns when the oldest item arrives, Never if there is none.
func (l *Link[T]) NextReady() Cycle { return l.first }
