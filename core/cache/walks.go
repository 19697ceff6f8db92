package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// Walks is the TLB that all SMs share, with the walkers of the page table. SMs send it pages over links, and it sends
// the same pages back.
type Walks struct {
	config *TLBConfig
	tags   Tags
	asks   []*sim.Link[mem.Addr] // from each SM
	out    []*sim.Link[mem.Addr]
	page   mem.Addr // mask of the address of an entry's pages
	walksState
	walks []walk      // in the order in which they were asked for; the first Walkers are under way
	waits []walkAsker // for one of them, in their order
	Stats stat.Set
}

type walksState struct{ next int } // SM that is looked at first

// walk brings the translation of an entry's pages.
type walk struct {
	entry mem.Addr
	since sim.Cycle
	done  sim.Cycle // 0: no walker has it yet
}

type walkAsker struct {
	page mem.Addr
	sm   int32
}

// NewWalks returns an empty shared TLB.
func NewWalks(c *TLBConfig, sms int) *Walks {
	sets, entry := mem.Addr(c.L2.Entries/c.L2.Ways), mem.Addr(c.L2.PageBytes)
	w := &Walks{config: c, page: ^(entry - 1)}
	w.tags = newTags(Geometry{Sets: int(sets), Ways: c.L2.Ways}, func(a mem.Addr) int { return int(a / entry % sets) })
	w.walks = make([]walk, 0, sms*c.L1.Misses)
	w.waits = make([]walkAsker, 0, sms*c.L1.Misses)
	return w
}

// AskCycles and AnswerCycles divide the latency of a hit between the two links of an SM.
func (c *L2TLBConfig) AskCycles() int    { return c.LatencyCycles / 2 }
func (c *L2TLBConfig) AnswerCycles() int { return c.LatencyCycles - c.AskCycles() }

// Attach connects the next SM.
func (w *Walks) Attach(asks, out *sim.Link[mem.Addr]) {
	w.asks, w.out = append(w.asks, asks), append(w.out, out)
}

// Tick ends the walks that are due, and looks up one page.
func (w *Walks) Tick(now sim.Cycle) sim.Cycle {
	for len(w.walks) > 0 && w.walks[0].done != 0 && w.walks[0].done <= now {
		w.end(now, w.walks[0].entry)
		w.walks = append(w.walks[:0], w.walks[1:]...)
	}
	for k := range w.asks {
		i := (w.next + k) % len(w.asks)
		if page, ok := w.asks[i].Recv(now); ok {
			w.look(now, i, page)
			w.next = (i + 1) % len(w.asks)
			break
		}
	}
	next := sim.Never
	for i := range w.walks[:min(len(w.walks), w.config.Walkers)] {
		k := &w.walks[i]
		if k.done == 0 {
			k.done = now + sim.Cycle(w.config.WalkCycles)
			w.Stats[stat.PageWalks]++
			w.Stats[stat.PageWalkCycles] += uint64(w.config.WalkCycles)
			w.Stats[stat.PageWalkQueueCycles] += uint64(now - k.since)
		}
		next = min(next, k.done)
	}
	for _, l := range w.asks {
		next = sim.Min(next, max(now+1, l.NextReady()))
	}
	return next
}

// look looks up a page for an SM.
func (w *Walks) look(now sim.Cycle, sm int, page mem.Addr) {
	s := &w.Stats
	s[stat.L2TLBAccesses]++
	entry := page & w.page
	if way := w.tags.Find(entry); way >= 0 {
		s[stat.L2TLBHits]++
		w.tags.Touch(way)
		*w.out[sm].Put(now, 0) = page // there is room for all that the SM has on order
		return
	}
	w.waits = append(w.waits, walkAsker{page, int32(sm)})
	for i := range w.walks {
		if w.walks[i].entry == entry {
			s[stat.L2TLBMerged]++
			return
		}
	}
	s[stat.L2TLBMisses]++
	w.walks = append(w.walks, walk{entry: entry, since: now})
}

// end takes the translation of an entry and answers the SMs that wait for it.
func (w *Walks) end(now sim.Cycle, entry mem.Addr) {
	w.tags.take(entry)
	left := w.waits[:0]
	for _, a := range w.waits {
		if a.page&w.page == entry {
			*w.out[a.sm].Put(now, 0) = a.page
		} else {
			left = append(left, a)
		}
	}
	w.waits = left
}

// State lists the changing state.
func (w *Walks) State(t *tape.Tape) {
	w.tags.State(t)
	tape.Value(t, &w.walksState)
	tape.List(t, &w.walks)
	tape.List(t, &w.waits)
	tape.Value(t, &w.Stats)
}
