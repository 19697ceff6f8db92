package preset

import (
	"fmt"
	"slices"
	"strings"
)

// EnergySet is a set of energies of moving data in place of a preset's own. Its values for
// SRAM, wires and DRAM come from one source, so their proportions are those of that source.
// core/energy/README.md says why there are two.
type EnergySet struct {
	Name, Title string
	rows        func(nanometres int) []row
}

// EnergyValue is one value of a set.
type EnergyValue struct {
	Path   string `json:"path"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// sourceBudget is the table from which Dally's energies are read: it gives 64 pJ for 64 bits
// over 10 mm, 50 pJ for 256 bits of an 8 KB SRAM and 16,000 pJ for reading or writing a
// cache line in DRAM.
const sourceBudget = sourceDally

// EnergySets lists the sets.
func EnergySets() []EnergySet {
	return []EnergySet{{"budget28", "SRAM, wires and DRAM from one energy budget of a 28 nm GPU", budgetEnergy}}
}

// budgetEnergy is the set budget28 on a chip of the given process. Energies on the chip grow
// with the feature size, as in chipEnergy.
func budgetEnergy(nanometres int) []row {
	scale := ""
	if nanometres != baseNanometres {
		scale = fmt.Sprintf(", x %d/%d", nanometres, baseNanometres)
	}
	scaled := func(femtojoules int) uint64 { return uint64(femtojoules) * uint64(nanometres) / baseNanometres }
	const (
		flit     = flitBytes * 64_000 / 8 // 64 pJ for 8 bytes
		sram     = 50_000                 // 32 bytes
		warp     = 4 * sram               // 32 lanes of 4 bytes
		dramByte = 16_000_000 / 128       // a line of 128 bytes
	)
	const ofDRAM = sourceBudget + ": a line 16,000 pJ, over 128 bytes"
	return []row{
		{"energy.sharedFemtojoules", scaled(warp), sourceOurs + sourceBudget + ": 4 x 256 bits of an 8 KB SRAM 50 pJ" + scale},
		{"energy.l1Femtojoules", scaled(warp), sourceOurs + sourceBudget + ": 4 x 256 bits of an 8 KB SRAM 50 pJ" + scale},
		{"energy.flitFemtojoules", scaled(flit), sourceBudget + ": 64 bits over 10 mm 64 pJ" + scale},
		{"energy.l2SectorFemtojoules", scaled(sram), sourceBudget + ": 256 bits of an 8 KB SRAM 50 pJ" + scale},
		{"energy.metadataFemtojoules", scaled(sram), sourceBudget + ": 256 bits of an 8 KB SRAM 50 pJ" + scale},
		{"energy.dramReadFemtojoules", uint64(dramByte), ofDRAM},
		{"energy.dramWriteFemtojoules", uint64(dramByte), ofDRAM},
		{"energy.dramActivateFemtojoules", 0, sourceOurs + "part of the 16,000 pJ of a line"},
		{"energy.dramIOFemtojoules", 0, sourceOurs + "part of the 16,000 pJ of a line"},
	}
}

// EnergyValues returns the values of a set for a preset. The process of a preset follows
// from the energy of its registers.
func EnergyValues(set, gpu string) ([]EnergyValue, error) {
	var names []string
	for _, s := range EnergySets() {
		names = append(names, s.Name)
	}
	at := slices.Index(names, set)
	if at < 0 {
		return nil, fmt.Errorf("no energy set %q: use one of %v", set, names)
	}
	p := find(gpu)
	if p == nil {
		return nil, fmt.Errorf("no preset %q: use one of %v", gpu, Names())
	}
	if !strings.HasPrefix(p.sources["energy.dramReadFemtojoules"], gddr5Part) {
		return nil, fmt.Errorf("energy set %s has no values for the DRAM of %s: use a preset with GDDR5, such as gtx580b", set, gpu)
	}
	nanometres := int(p.gpu.Energy.RegisterFemtojoules*baseNanometres+500*registerPicojoules) / (1000 * registerPicojoules)
	var list []EnergyValue
	for _, r := range EnergySets()[at].rows(nanometres) {
		list = append(list, EnergyValue{r.path, textOf(r.value), r.source})
	}
	return list, nil
}
