package memctrl

// entry is a transfer in the queues of a bank. Its index is the transfer's number;
// entries are linked by index.
type entry struct {
	Transfer        // Bursts are the bursts still to move, 0 if the entry is free
	seq      uint64 // order of acceptance
	row      uint32

	prev, next int16 // in the bank's list
	bank       uint8
	begun      bool // a column command has been given

	// DRAM cycles of its first command and of its first column command; 0 = not yet.
	first, column uint64
}

// list is a doubly linked list of entries.
type list struct{ head, tail int16 }

// entries are the entries of a channel.
type entries []entry

func (es entries) append(l *list, i int16) {
	e := &es[i]
	e.prev, e.next = l.tail, none
	if l.tail == none {
		l.head = i
	} else {
		es[l.tail].next = i
	}
	l.tail = i
}

func (es entries) remove(l *list, i int16) {
	e := &es[i]
	if e.prev == none {
		l.head = e.next
	} else {
		es[e.prev].next = e.next
	}
	if e.next == none {
		l.tail = e.prev
	} else {
		es[e.next].prev = e.prev
	}
}
