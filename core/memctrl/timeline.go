package memctrl

// eventKind is the kind of an event of a channel.
type eventKind uint8

const (
	eventReady eventKind = iota // an entry may be scheduled
	eventFill                   // a metadata line has arrived
)

// event is a future event of a channel.
type event struct {
	index int32 // entry, or line of the metadata cache
	kind  eventKind
}

// timeline holds values in the order in which they are due; values due at the same time
// stay in the order in which they were added. Almost all are added in order, so adding
// searches from the end. Storage is a power-of-two ring.
type timeline[T any] struct {
	due        uint64 // when the first value is due, or never
	slot       []slot[T]
	head, tail uint32
}

type slot[T any] struct {
	at    uint64
	value T
}

func newTimeline[T any](capacity int) timeline[T] {
	size := 1
	for size < capacity {
		size *= 2
	}
	return timeline[T]{slot: make([]slot[T], size), due: never}
}

func (l *timeline[T]) len() int { return int(l.tail - l.head) }

// first returns the value due first; there must be one.
func (l *timeline[T]) first() *T { return &l.slot[l.head&uint32(len(l.slot)-1)].value }

// dueAt returns when the first value is due, or never.
func (l *timeline[T]) dueAt() uint64 { return l.due }

func (l *timeline[T]) add(at uint64, v T) {
	if l.len() == len(l.slot) {
		panic("memctrl: more events in progress than the queues allow")
	}
	mask := uint32(len(l.slot) - 1)
	i := l.tail
	l.tail++
	for i != l.head && l.slot[(i-1)&mask].at > at {
		l.slot[i&mask] = l.slot[(i-1)&mask]
		i--
	}
	l.slot[i&mask] = slot[T]{at, v}
	l.due = min(l.due, at)
}

// drop removes the first value.
func (l *timeline[T]) drop() {
	l.head++
	l.due = l.firstDue()
}

func (l *timeline[T]) firstDue() uint64 {
	if l.head == l.tail {
		return never
	}
	return l.slot[l.head&uint32(len(l.slot)-1)].at
}
