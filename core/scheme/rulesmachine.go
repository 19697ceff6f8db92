package scheme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/system"
)

// magRules are about the MAG and the machine.
var magRules = []Rule{
	{
		OfMachine: true, Groups: []string{"memory"}, Path: "memory.mag", Choice: "a MAG of 16 B", Not: "a DRAM that moves more bytes a clock",
		Why: "a burst takes whole clocks", Sample: set("memory.mag", "16"), Broken: magOfAnotherDRAM,
	},
}

// machineRules are about other schemes and machines.
var machineRules = []Rule{
	{
		OfMachine: true, Groups: []string{"backing"}, Path: "backing.kind", Choice: backingTitles(linkedBackings), Not: "controllers with one queue for reads and writes",
		Why: "that queue has no link; HBM2 presets such as " + linkPreset + " have two", Sample: set("backing.kind", linkedBackings[0]), Broken: linkWithOneQueue,
	},
}

// linkPreset is a preset whose controllers have a link.
const linkPreset = "p100"

func backingTitles(kinds []string) string {
	var list []string
	for _, kind := range kinds {
		list = append(list, TitleOf("backing", kind))
	}
	return strings.Join(list, ", ")
}

func magOfAnotherDRAM(s *Scheme, g *parameter.GPU) (b Breach) {
	if !slices.Contains(mags, s.Memory.MAG()) {
		return b
	}
	f := g.CheckMAG(s.Memory.MAG())
	if f == nil {
		return b
	}
	b = Breach{Message: f.Message, Mend: f.Mend}
	for _, mag := range mags {
		if g.CheckMAG(mag) == nil {
			b.Fixes = append(b.Fixes, set("memory.mag", fmt.Sprint(mag))...)
		}
	}
	return b
}

func linkWithOneQueue(s *Scheme, g *parameter.GPU) (b Breach) {
	kind := s.Backing.Choice(Find("backing"))
	if !slices.Contains(linkedBackings, kind) || g.Controller.Schedule != memctrl.ScheduleJoint {
		return b
	}
	return Breach{
		Message: fmt.Sprintf("backing %s needs an HBM2 preset such as %s: the controllers of %s serve reads and writes from one queue, which has no link", kind, linkPreset, g.Name),
		Fixes:   set("machine.preset", linkPreset, "machine.overrides.controller.schedule", "drain", "backing.kind", system.None),
	}
}
