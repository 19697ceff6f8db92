package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// meter measures how much latency the warps of an SM can hide: how many of them could
// issue, and how long a scheduler issues one of them. An SM
// without a store that asks is not measured.
type meter struct {
	schedulers uint64
	on         bool
	metering
}

type metering struct {
	since, last sim.Cycle // of the last Take and the last tick
	ready       uint64    // warps that can issue from the last tick until the next
	readyCycles uint64    // the same, added up over cycles
	issues      uint64
	runs        uint64
	running     [MaxSchedulers]int16 // slot of each scheduler's last issue
}

// Take returns the mean ready warps of a scheduler and the mean instructions that it
// issued of one warp in turn since the last call. The present tick does not count yet.
func (k *meter) Take(now sim.Cycle) (readyWarps, runCycles float64) {
	if cycles := uint64(k.last-k.since) * k.schedulers; k.last > k.since {
		readyWarps = float64(k.readyCycles) / float64(cycles)
	}
	if k.runs > 0 {
		runCycles = float64(k.issues) / float64(k.runs)
	}
	k.since, k.readyCycles, k.issues, k.runs = k.last, 0, 0, 0
	return readyWarps, runCycles
}

// metered is an SM that is measured.
type metered struct{ *SM }

// Metered returns the SM as a component that measures itself at every tick. It ticks in
// the same cycles as the SM.
func (m *SM) Metered() sim.Clocked {
	m.meter.on = true
	for s := range m.meter.running {
		m.meter.running[s] = -1
	}
	return metered{m}
}

func (m metered) Tick(now sim.Cycle) sim.Cycle {
	k := &m.meter
	k.readyCycles += k.ready * uint64(now-k.last)
	k.last = now
	next := m.SM.Tick(now)
	k.ready = 0
	for s := range m.config.Schedulers {
		k.ready += uint64(m.schedulers.readyWarps(now, s))
		if m.schedulers.doing[s] != reasonIssued {
			continue
		}
		k.ready++ // the one that was issued; the next tick is in the next cycle
		k.issues++
		if slot := m.schedulers.sets[s].greedy; slot != k.running[s] {
			k.running[s] = slot
			if slot >= 0 { // not the last instruction of a warp that has left
				k.runs++
			}
		}
	}
	return next
}

// readyWarps returns the number of warps of scheduler s that have their operands and were
// not issued in this cycle.
func (q *schedulers) readyWarps(now sim.Cycle, s int) int {
	if q.config.Policy == PolicyGreedy {
		return bits.OnesCount64(q.sets[s].ready)
	}
	n := 0
	for x := q.sets[s].timed; x != 0; x &= x - 1 {
		if q.slot[q.sets[s].order[bits.TrailingZeros64(x)]].readyAt <= now {
			n++
		}
	}
	return n
}

func (k *meter) state(t *tape.Tape) {
	if k.on {
		tape.Value(t, &k.metering)
	}
}
