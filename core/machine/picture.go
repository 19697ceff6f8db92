package machine

import (
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// Opening describes the present as events, for readers of the later events only: the
// launch, the warps in their slots and at barriers, and the open rows of DRAM.
func (m *Machine) Opening() []probe.Event {
	var list []probe.Event
	now := m.Now()
	if launch, _ := m.dispatcher.Launch(); !m.dispatcher.Finished() {
		list = append(list, probe.Event{Cycle: now, A: uint32(launch), Kind: probe.KindLaunch})
	}
	for i, s := range m.sms {
		list = s.Opening(list, now, uint16(i))
	}
	for i, c := range m.memory {
		for k := range m.spec.Channels {
			for b := range m.spec.DRAM.Banks {
				if row, open := c.OpenRow(k, b); open {
					list = append(list, openRow(now, i*m.spec.Channels+k, b, row))
				}
			}
		}
	}
	return list
}

func openRow(now sim.Cycle, channel, bank int, row uint32) probe.Event {
	return probe.Event{Cycle: now, A: uint32(bank), B: row, Unit: uint16(channel), Kind: probe.KindActivate}
}
