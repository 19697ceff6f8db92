package sim

// Stage is the producer's end of a link between two engines while both are at work on threads of their own (Begin to
// End). The consumer's engine is ahead of the producer's or beside it, and what is sent arrives after the work of both.
// So items can wait in the stage until End, and the consumer sees nothing of them before.
//
// The producer is answered as by the link after all work of the consumer: places that it frees meanwhile become free in
// cycles that the producer does not come to. The results are those of a link whose consumer works first:
// TestApartIsTogether.
type Stage[T any] struct {
	link    *Link[T]
	head    uint32 // of the link at Begin
	freed   Cycle  // likewise
	past    uint32 // see Link.present
	stalled bool   // nothing is sent before End
	sent    []staged[T]
	still   Engine  // tells the consumer in which cycle the producer was at Begin
	source  *Engine // of the producer
}

// staged is an item that was sent.
type staged[T any] struct {
	now, extra Cycle
	item       T
}

// Begin puts the stage before a link. Both engines are between two calls of Advance.
func (s *Stage[T]) Begin(l *Link[T]) {
	s.link, s.head, s.freed, s.past, s.stalled, s.source = l, l.head, l.freed, l.past, l.stalled, l.source
	// The consumer must not wake the producer, and sees it as it was.
	s.still.now = l.source.now
	l.stalled, l.source = false, &s.still
}

// CanSend is Link.CanSend.
func (s *Stage[T]) CanSend(now Cycle) bool {
	l := s.link
	tail, mask := l.tail+uint32(len(s.sent)), uint32(len(l.place)-1)
	if s.stalled {
		return false
	}
	if tail-s.head >= l.capacity {
		s.stalled = true
		return false
	}
	if l.arrived != 0 {
		first := s.present(now)
		last := first + l.arrived - 1 // what has been sent since Begin has not arrived
		if l.tail-first >= l.arrived && l.place[last&mask].ready <= now {
			if s.stalled = first == s.head; !s.stalled {
				s.source.Wake(l.producer, l.place[first&mask].freed)
			}
			return false
		}
	}
	// Of a place that the ring no longer remembers another item has been taken since.
	if before := tail - l.capacity; s.freed > now && tail >= l.capacity && l.tail-before <= mask+1 {
		if at := l.place[before&mask].freed; at > now {
			s.source.Wake(l.producer, at)
			return false
		}
	}
	return true
}

// present is Link.present.
func (s *Stage[T]) present(now Cycle) uint32 {
	if s.freed <= now {
		return s.head
	}
	s.past = s.link.untaken(s.past, s.head, now)
	return s.past
}

// Put is Link.Put.
func (s *Stage[T]) Put(now, extra Cycle) *T {
	s.sent = append(s.sent, staged[T]{now: now, extra: extra})
	return &s.sent[len(s.sent)-1].item
}

// End sends what has been sent. Both engines are between two calls of Advance again.
func (s *Stage[T]) End() {
	l := s.link
	l.source = s.source
	if s.stalled {
		if l.head == s.head {
			l.stalled = true
		} else { // an item has been taken, and the producer was not there to hear of it
			l.source.Wake(l.producer, l.place[s.head&uint32(len(l.place)-1)].freed)
		}
	}
	for i := range s.sent {
		x := &s.sent[i]
		*l.Put(x.now, x.extra) = x.item
	}
	s.sent = s.sent[:0]
}
