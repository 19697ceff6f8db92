package dram

import "github.com/burstscope/burstscope/core/tape"

// State lists what changes in a channel.
func (c *Channel) State(t *tape.Tape) { tape.Value(t, &c.channelState) }
