package memctrl

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing parts of a controller, in sections for the storage and for each
// channel. It leaves the observer out.
func (c *Controller) State(t *tape.Tape) {
	tape.Keep(t, &c.coding)
	tape.Value(t, &c.coding.switchAt)
	tape.Value(t, &c.coding.compressed)
	tape.Value(t, &c.lossy)
	tape.Value(t, &c.metadata.clock)
	tape.Values(t, c.metadata.line)
	t.Section()
	c.storage.State(t)
	for i := range c.channels {
		t.Section()
		c.channels[i].state(t)
	}
}

func (ch *channel) state(t *tape.Tape) {
	ch.schedule.state(t)
	if ch.link != nil {
		ch.link.State(t)
	}
	if t.Summing() {
		s := ch.channelState
		s.blocked = notBlocked // depends on the last look
		tape.Value(t, &s)
		for i := range ch.pool.pending {
			p := ch.pool.pending[i]
			if p.parts == 0 {
				p.arrived = 0 // depends on looks while the request waits
			}
			tape.Value(t, &p)
		}
	} else {
		tape.Value(t, &ch.channelState)
		tape.Values(t, ch.pool.pending)
	}
	ch.compressors.state(t)
	ch.decompressors.state(t)
	tape.Value(t, &ch.pool.free)
	ch.answers.state(t)
}

// state of a timeline: what is due.
func (l *timeline[T]) state(t *tape.Tape) {
	tape.Value(t, &l.head)
	tape.Value(t, &l.tail)
	mask := uint32(len(l.slot) - 1)
	for i := l.head; i != l.tail; i++ {
		tape.Value(t, &l.slot[i&mask])
	}
	if t.Loading() {
		l.due = l.firstDue()
	}
}

// OpenRow returns the row open in a bank of a channel (numbered within the
// controller). The controller must be settled.
func (c *Controller) OpenRow(channel, bank int) (row uint32, open bool) {
	return c.channels[channel].schedule.port().dram.OpenRow(bank)
}
