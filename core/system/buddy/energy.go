package buddy

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

// The energy of a link to a slower memory, as the paper counts it (section IV-B, on its figure 13): 11 pJ a bit, twice
// for the way into and out of a switch, on data and headers. The memory behind the link costs as much as HBM2: 1.51 +
// 1.97 pJ a bit, and half an activation of 909 pJ for each access, as if every second one found its row open [ours].
const (
	linkPicojoules = 11 // a bit that passes the link once
	linkPasses     = 2

	linkFemtojoules     = linkPasses * linkPicojoules * 1000 * 8
	memoryFemtojoules   = (1_510 + 1_970) * 8
	activateFemtojoules = 909_000 / 2

	figure       = "Buddy Compression on its figure 13, from "
	linkSource   = figure + "Beck et al., Zeppelin, ISSCC 2018: 11 pJ a bit, doubled for a switch"
	memorySource = figure + "O'Connor et al., Fine-Grained DRAM, MICRO 2017: "
	bitSource    = memorySource + "1.51 + 1.97 pJ a bit"
	rowSource    = memorySource + "909 pJ an activation, one for two accesses [ours]"
)

// charges returns the energy of a link and the memory behind it.
func charges() (list []energy.Charge) {
	for _, c := range []energy.Charge{
		{Counter: stat.LinkOutBytes, Path: "backing.link", Source: linkSource, Femtojoules: linkFemtojoules},
		{Counter: stat.LinkInBytes, Path: "backing.link", Source: linkSource, Femtojoules: linkFemtojoules},
		{Counter: storage.LinkReadBytes, Path: "backing.memory", Source: bitSource, Femtojoules: memoryFemtojoules},
		{Counter: storage.LinkWriteBytes, Path: "backing.memory", Source: bitSource, Femtojoules: memoryFemtojoules},
		{Counter: storage.LinkReads, Path: "backing.rows", Source: rowSource, Femtojoules: activateFemtojoules},
		{Counter: storage.LinkWrites, Path: "backing.rows", Source: rowSource, Femtojoules: activateFemtojoules},
	} {
		c.Part, c.Title, c.If = "link", "Link", stat.LinkCycles
		list = append(list, c)
	}
	return list
}

func counters() []stat.Group { return storage.Counters }
