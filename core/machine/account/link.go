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
	linkFemtojoules           = 2 * 11_000 * 8
	buddyFemtojoules          = (1_510 + 1_970) * 8
	buddyActivateFemtojoules  = 909_000 / 2
	linkSource                = "Buddy Compression on its figure 13, from Beck et al., Zeppelin, ISSCC 2018: "
	buddySource               = "Buddy Compression on its figure 13, from O'Connor et al., Fine-Grained DRAM, MICRO 2017: "
	linkPart, linkPartHeading = "link", "Link"
)

// link adds the link and the memory behind it, if a run has one.
func (a *accounting) link(s *stat.Set) {
	if s[stat.LinkCycles] == 0 {
		return
	}
	a.parts = append(a.parts, energy.Part{Name: linkPart, Title: linkPartHeading})
	add := func(c stat.Counter, path string, femtojoules uint64, source string) {
		t := energy.Events(stat.Describe(c).Name, s[c], path, femtojoules)
		t.Source = source
		a.add(linkPart, t)
	}
	const bits = "backing.link"
	add(stat.LinkOutBytes, bits, linkFemtojoules, linkSource+"11 pJ a bit, doubled for a switch")
	add(stat.LinkInBytes, bits, linkFemtojoules, linkSource+"11 pJ a bit, doubled for a switch")
	for _, c := range []stat.Counter{stat.BuddyReadBytes, stat.BuddyWriteBytes} {
		add(c, "backing.memory", buddyFemtojoules, buddySource+"1.51 + 1.97 pJ a bit")
	}
	for _, c := range []stat.Counter{stat.BuddyReads, stat.BuddyWrites} {
		add(c, "backing.rows", buddyActivateFemtojoules, buddySource+"909 pJ an activation, one for two accesses [ours]")
	}
}
