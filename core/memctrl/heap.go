package memctrl

// eventKind says what happens when an event of a channel is due.
type eventKind uint8

const (
	eventReady eventKind = iota // an entry may be scheduled
	eventFill                   // a metadata line has arrived
)

// event is something that will happen in a channel at a DRAM cycle.
type event struct {
	at, seq uint64
	index   int16 // entry, or line of the metadata cache
	kind    eventKind
}

func (a *event) before(b *event) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

// answer is a block on its way back to L2.
type answer struct {
	at, seq uint64 // at is a base cycle
	reply   Reply
}

func (a *answer) before(b *answer) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

// heap is a binary min-heap of values; its storage grows to its bound once.
type heap[T any, P interface {
	*T
	before(*T) bool
}] struct{ item []T }

func (h *heap[T, P]) push(v T) {
	h.item = append(h.item, v)
	i := len(h.item) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !P(&h.item[i]).before(&h.item[up]) {
			return
		}
		h.item[i], h.item[up] = h.item[up], h.item[i]
		i = up
	}
}

func (h *heap[T, P]) pop() T {
	top := h.item[0]
	n := len(h.item) - 1
	h.item[0] = h.item[n]
	h.item = h.item[:n]
	i := 0
	for {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < n; k++ {
			if P(&h.item[k]).before(&h.item[least]) {
				least = k
			}
		}
		if least == i {
			return top
		}
		h.item[i], h.item[least] = h.item[least], h.item[i]
		i = least
	}
}

func (h *heap[T, P]) copyFrom(src *heap[T, P]) { h.item = append(h.item[:0], src.item...) }
