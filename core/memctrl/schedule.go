package memctrl

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// schedule decides when a channel takes requests from L2, has their bursts moved, and sends answers. The channel does
// what is the same under every schedule: it looks up metadata, asks the storage, counts, and makes the answers. Clocks
// are DRAM cycles.
type schedule interface {
	// tick does a base cycle of a channel that shares nothing with others, and returns by when the next one is due.
	// local is the last clock that has begun in the cycle, first the first one of those in which messages pass.
	tick(now sim.Cycle, first, local uint64) sim.Cycle

	// For channels that share something tick is divided, and each part is called for all of them in turn: begin once,
	// before a new scheme counts; step and accept for each clock from first to local; then next, which returns by when
	// a tick is due. exact asks for every step in its cycle.
	begin(now sim.Cycle, first, local uint64)
	step(now sim.Cycle, clock uint64)
	accept(now sim.Cycle, clock uint64)
	next(now sim.Cycle, local uint64, exact bool) sim.Cycle

	// take queues transfer i, of which t has the part in device memory. It waits for start.
	take(i int16, p *pending, t *Transfer, from uint64)
	// start lets transfer i begin at a clock, startLater at one that is still to come.
	start(i int16, p *pending, at uint64)
	startLater(i int16, at uint64)
	// filled is called when a metadata line has been read. It reports whether the device must stop.
	filled(line int32, at uint64) (stop bool)
	// answerAt returns when the answer of a block is due that is ready at a clock: the time of channel.answers.
	answerAt(at uint64) uint64

	// catchUp does what fell due up to a clock while there was no transfer.
	catchUp(clock uint64)
	// settle brings statistics up to base cycle now, in which clock local has begun.
	settle(now sim.Cycle, local uint64)
	// explain says what the schedule waits for.
	explain(w *Waiting, now sim.Cycle)
	// idle reports whether nothing is in progress that the channel does not count.
	idle() bool
	port() *dramPort
	state(t *tape.Tape)
}
