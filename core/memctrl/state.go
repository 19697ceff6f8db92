package memctrl

import (
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// State lists what changes in a controller, in a section for each channel. The
// observer is not listed.
func (c *Controller) State(t *tape.Tape) {
	tape.Keep(t, &c.coding)
	tape.Value(t, &c.coding.switchAt)
	tape.Value(t, &c.coding.compressed)
	tape.Value(t, &c.lossy)
	tape.Value(t, &c.metadata.clock)
	tape.Values(t, c.metadata.line)
	if c.shadow != nil {
		c.paranoidState(t)
	}
	for i := range c.channels {
		t.Section()
		c.channels[i].state(t)
	}
}

// paranoidState lists what a paranoid controller compares with. It has no part in
// sums: a controller that is not paranoid does the same without it.
func (c *Controller) paranoidState(t *tape.Tape) {
	if t.Summing() {
		return
	}
	kept := paranoidState{shadow: new(mem.Image), encoded: make([]encoded, len(c.channels))}
	if !t.Loading() {
		kept.shadow.CopyFrom(c.shadow)
		for i := range c.channels {
			kept.encoded[i] = c.channels[i].encoded.clone()
		}
	}
	tape.Keep(t, &kept)
	if t.Loading() {
		c.shadow.CopyFrom(kept.shadow)
		for i := range c.channels {
			c.channels[i].encoded = kept.encoded[i].clone()
		}
	}
}

// paranoidState is a copy of what a paranoid controller compares with.
type paranoidState struct {
	shadow  *mem.Image
	encoded []encoded // by channel
}

func (ch *channel) state(t *tape.Tape) {
	tape.List(t, &ch.blocks.stored)
	ch.dram.State(t)
	if t.Summing() {
		// Plans follow from the rest, and may be made or not.
		s := ch.plainState
		s.planned, s.need, s.age, s.byAge, s.columns = 0, [4]uint32{}, [dram.MaxBanks]uint64{}, [dram.MaxBanks]uint8{}, 0
		s.decided, s.choice, s.blocked = false, choice{}, notBlocked
		tape.Value(t, &s)
		for i := range ch.pool.entry {
			e := ch.pool.entry[i]
			if e.bursts == 0 {
				e.arrived = 0 // counted whenever somebody has looked, while it waits
			}
			tape.Value(t, &e)
		}
	} else {
		tape.Value(t, &ch.plainState)
		tape.Values(t, ch.pool.entry)
	}
	tape.Value(t, &ch.pool.free)
	ch.events.state(t)
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
}

// OpenRow returns the row open in a bank of a channel (numbered within the
// controller). The controller must be settled.
func (c *Controller) OpenRow(channel, bank int) (row uint32, open bool) {
	return c.channels[channel].dram.OpenRow(bank)
}
