package account

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// The energy of a link to a slower memory, as Buddy Compression counts it (section IV-B, on
// its figure 13): 11 pJ a bit, twice for the way into and out of a switch, on data and headers.
// The memory behind the link costs as much as HBM2: 1.51 + 1.97 pJ a bit, and half an
// activation of 909 pJ for each access, as if every second one found its row open [ours].
const (
	// LinkPicojoules are those of a bit that passes the link once; it passes LinkPasses times.
	LinkPicojoules = 11
	LinkPasses     = 2

	linkFemtojoules          = LinkPasses * LinkPicojoules * 1000 * 8
	buddyFemtojoules         = (1_510 + 1_970) * 8
	buddyActivateFemtojoules = 909_000 / 2

	linkSource  = "Buddy Compression on its figure 13, from Beck et al., Zeppelin, ISSCC 2018: 11 pJ a bit, doubled for a switch"
	buddySource = "Buddy Compression on its figure 13, from O'Connor et al., Fine-Grained DRAM, MICRO 2017: "
)

// linkEvents are the counters of the part, with the energy of an event.
var linkEvents = []struct {
	counter      stat.Counter
	path, source string
	femtojoules  uint64
}{
	{stat.LinkOutBytes, "backing.link", linkSource, linkFemtojoules},
	{stat.LinkInBytes, "backing.link", linkSource, linkFemtojoules},
	{stat.LinkReadBytes, "backing.memory", buddySource + "1.51 + 1.97 pJ a bit", buddyFemtojoules},
	{stat.LinkWriteBytes, "backing.memory", buddySource + "1.51 + 1.97 pJ a bit", buddyFemtojoules},
	{stat.LinkReads, "backing.rows", buddySource + "909 pJ an activation, one for two accesses [ours]", buddyActivateFemtojoules},
	{stat.LinkWrites, "backing.rows", buddySource + "909 pJ an activation, one for two accesses [ours]", buddyActivateFemtojoules},
}

// link adds the link and the memory behind it, if a run has one.
func (a *accounting) link(s *stat.Set) {
	if s[stat.LinkCycles] == 0 {
		return
	}
	a.parts = append(a.parts, energy.Part{Name: "link", Title: "Link"})
	for i := range linkEvents {
		e := &linkEvents[i]
		t := energy.Events(stat.Describe(e.counter).Name, s[e.counter], e.path, e.femtojoules)
		t.Source = e.source
		a.add("link", t)
	}
}
