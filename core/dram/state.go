package dram

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing state of a channel.
func (c *Channel) State(t *tape.Tape) { tape.Value(t, &c.channelState) }
