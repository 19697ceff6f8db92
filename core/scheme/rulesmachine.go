package scheme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/policy"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

const l1Loads = "machine.overrides.sm.l1Loads"

// machineRules are about schemes and machines.
var machineRules = []Rule{
	{
		OfMachine: true, Groups: []string{"memory"}, Path: "memory.mag", Choice: "a MAG of 16 B", Not: "a DRAM that moves more bytes a clock",
		Why: "a burst takes whole clocks", Sample: set("memory.mag", "16"), Broken: magOfAnotherDRAM,
	},
	{
		OfMachine: true, Groups: []string{"l1"}, Path: "l1.store", Choice: "every scheme of L1", Not: "global loads that bypass L1",
		Why: "it would do nothing", Sample: set("l1.store", "latte"), Broken: storeWithoutLoads,
	},
	{
		OfMachine: true, Groups: []string{"l1"}, Path: "l1.store", Choice: "every compressed L1", Not: "local memory that L1 writes back (sm.l1.local back)",
		Why: "it keeps no stores", Sample: set("l1.store", "latte"), Broken: storeWithLocalBack,
	},
	{
		OfMachine: true, Groups: []string{"l1"}, Path: "l1.tags", Choice: "every compressed L1", Not: fmt.Sprintf("more than %d tags a set", MaxTags),
		Why: "one access compares them all", Sample: set("l1.store", "latte"), Broken: tooManyTags,
	},
	{
		OfMachine: true, Groups: []string{"l1"}, Path: "l1.store", Choice: learning(), Not: fmt.Sprintf("an L1 of fewer than %d sets", policy.NumModes),
		Why: "it learns from a set for each mode", Sample: set("l1.store", "latte"), Broken: tooFewSets,
	},
	{
		OfMachine: true, Groups: []string{"l1"}, Path: "l1.dedicated", Choice: learning(), Not: "more dedicated sets than an L1 has room for",
		Why: "some sets must follow", Sample: set("l1.store", "latte"), Broken: tooManyDedicated,
	},
	{
		OfMachine: true, Groups: []string{"loads"}, Path: "loads.policy", Choice: rfvp.Entry.Title, Not: "global loads that bypass L1",
		Why: "it would do nothing", Sample: set("loads.policy", rfvp.Entry.Name), Broken: predictionWithoutLoads,
	},
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
	if !slices.Contains(mags, s.Memory.MAG) {
		return b
	}
	f := g.CheckMAG(s.Memory.MAG)
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

// storeOf is the entry of L1, "" for none, and its policy, nil for one without.
func storeOf(s *Scheme) (name string, row *policy.Row) {
	if name = s.L1.Choice(Find("l1")); name == system.None {
		return "", nil
	}
	return name, policy.Find(name)
}

func storeWithoutLoads(s *Scheme, g *parameter.GPU) (b Breach) {
	name, _ := storeOf(s)
	if name == "" || g.SM.L1Loads {
		return b
	}
	return Breach{Message: fmt.Sprintf("global loads of %s bypass L1, so %s would do nothing", g.Name, name), Fixes: set(l1Loads, "on", "l1.store", system.None)}
}

func storeWithLocalBack(s *Scheme, g *parameter.GPU) (b Breach) {
	if _, row := storeOf(s); row == nil || g.SM.L1.Local != cache.LocalBack {
		return b
	}
	return Breach{Message: "a compressed L1 keeps no stores to local memory", Fixes: set("machine.overrides.sm.l1.local", "through", "l1.store", system.None)}
}

func tooManyTags(s *Scheme, g *parameter.GPU) (b Breach) {
	tags := s.L1.Int("tags")
	n := tags * g.SM.L1.Ways
	if _, row := storeOf(s); row == nil || n <= MaxTags {
		return b
	}
	b = Breach{
		Message: fmt.Sprintf("%d tags for each of the %d ways make %d tags a set", tags, g.SM.L1.Ways, n),
		Mend:    fmt.Sprintf("use at most %d tags a set: fewer machine.overrides.sm.l1.ways with more sm.l1.sets, or a smaller {}l1.tags", MaxTags),
	}
	if most := MaxTags / g.SM.L1.Ways; most > 0 {
		b.Fixes = set("l1.tags", fmt.Sprint(most))
	}
	b.Fixes = append(b.Fixes, set("l1.store", system.None)...)
	return b
}

// learning names the policies that learn from dedicated sets.
func learning() string {
	var list []string
	for i := range policy.Table {
		if policy.Table[i].Sampled {
			list = append(list, policy.Table[i].Title)
		}
	}
	return strings.Join(list, "; ")
}

func tooFewSets(s *Scheme, g *parameter.GPU) (b Breach) {
	_, row := storeOf(s)
	if row == nil || !row.Sampled || g.SM.L1.Sets >= int(policy.NumModes) {
		return b
	}
	return Breach{
		Message: fmt.Sprintf("%s learns from one set for each of %d modes at least, and an L1 has %d sets", row.Name, policy.NumModes, g.SM.L1.Sets),
		Mend:    "set machine.overrides.sm.l1.sets to 4 or more", Fixes: set("machine.overrides.sm.l1.sets", "4", "l1.store", system.None),
	}
}

func tooManyDedicated(s *Scheme, g *parameter.GPU) (b Breach) {
	_, row := storeOf(s)
	d, sets := s.L1.Int("dedicated"), g.SM.L1.Sets
	if row == nil || !row.Sampled || sets < int(policy.NumModes) || !slices.Contains(dedicatedSets, d) || policy.Room(sets, d) {
		return b
	}
	b = Breach{
		Message: fmt.Sprintf("%d sets for each of %d modes do not fit an L1 of %d sets", d, policy.NumModes, sets),
		Mend:    fmt.Sprintf("use at most %d, or set machine.overrides.sm.l1.sets to %d or more", sets/int(policy.NumModes), d*4),
	}
	for _, n := range slices.Backward(dedicatedSets) {
		if policy.Room(sets, n) {
			b.Fixes = set("l1.dedicated", fmt.Sprint(n))
			break
		}
	}
	b.Fixes = append(b.Fixes, set("l1.store", system.None)...)
	return b
}

func predictionWithoutLoads(s *Scheme, g *parameter.GPU) (b Breach) {
	if s.Loads.Choice(Find("loads")) != rfvp.Entry.Name || g.SM.L1Loads {
		return b
	}
	return Breach{Message: fmt.Sprintf("global loads of %s bypass L1, so rfvp would do nothing", g.Name), Fixes: set(l1Loads, "on", "loads.policy", system.None)}
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
