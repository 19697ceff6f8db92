package latte

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// rules are about the group l1 and machines.
var rules = []system.Rule{
	{
		OfMachine: true, Group: "l1", Path: "l1.store", Choice: "every scheme of L1",
		Not: "global loads that bypass L1",
		Why: "it would do nothing", Sample: fault.Fixes("l1.store", "latte"), Broken: storeWithoutLoads,
	},
	{
		OfMachine: true, Group: "l1", Path: "l1.store", Choice: "every compressed L1",
		Not: "local memory that L1 writes back (sm.l1.local back)",
		Why: "it keeps no stores", Sample: fault.Fixes("l1.store", "latte"), Broken: storeWithLocalBack,
	},
	{
		OfMachine: true, Group: "l1", Path: "l1.tags", Choice: "every compressed L1",
		Not: fmt.Sprintf("more than %d tags a set", MaxTags),
		Why: "one access compares them all", Sample: fault.Fixes("l1.store", "latte"), Broken: tooManyTags,
	},
	{
		OfMachine: true, Group: "l1", Path: "l1.store", Choice: learning(),
		Not: fmt.Sprintf("an L1 of fewer than %d sets", policy.NumModes),
		Why: "it learns from a set for each mode", Sample: fault.Fixes("l1.store", "latte"), Broken: tooFewSets,
	},
	{
		OfMachine: true, Group: "l1", Path: "l1.dedicated", Choice: learning(),
		Not: "more dedicated sets than an L1 has room for",
		Why: "some sets must follow", Sample: fault.Fixes("l1.store", "latte"), Broken: tooManyDedicated,
	},
}

// storeOf is the entry of L1, "" for none, and its policy, nil for one without.
func storeOf(p system.Part) (name string, row *policy.Row) {
	if name = p.Word("store"); name == system.None {
		return "", nil
	}
	return name, policy.Find(name)
}

func storeWithoutLoads(p system.Part, g *parameter.GPU) (b system.Breach) {
	name, _ := storeOf(p)
	if name == "" || g.SM.L1Loads {
		return b
	}
	return system.Breach{Message: fmt.Sprintf("global loads of %s bypass L1, so %s would do nothing", g.Name, name), Fixes: fault.Fixes(system.L1Loads, "on", "l1.store", system.None)}
}

func storeWithLocalBack(p system.Part, g *parameter.GPU) (b system.Breach) {
	if _, row := storeOf(p); row == nil || g.SM.L1.Local != cache.LocalBack {
		return b
	}
	return system.Breach{Message: "a compressed L1 keeps no stores to local memory", Fixes: fault.Fixes("machine.overrides.sm.l1.local", "through", "l1.store", system.None)}
}

func tooManyTags(p system.Part, g *parameter.GPU) (b system.Breach) {
	tags := p.Int("tags")
	n := tags * g.SM.L1.Ways
	if _, row := storeOf(p); row == nil || n <= MaxTags {
		return b
	}
	b = system.Breach{
		Message: fmt.Sprintf("%d tags for each of the %d ways make %d tags a set", tags, g.SM.L1.Ways, n),
		Mend:    fmt.Sprintf("use at most %d tags a set: fewer machine.overrides.sm.l1.ways with more sm.l1.sets, or a smaller {}l1.tags", MaxTags),
	}
	if most := MaxTags / g.SM.L1.Ways; most > 0 {
		b.Fixes = fault.Fixes("l1.tags", fmt.Sprint(most))
	}
	b.Fixes = append(b.Fixes, fault.Fixes("l1.store", system.None)...)
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

func tooFewSets(p system.Part, g *parameter.GPU) (b system.Breach) {
	_, row := storeOf(p)
	if row == nil || !row.Sampled || g.SM.L1.Sets >= int(policy.NumModes) {
		return b
	}
	return system.Breach{
		Message: fmt.Sprintf("%s learns from one set for each of %d modes at least, and an L1 has %d sets", row.Name, policy.NumModes, g.SM.L1.Sets),
		Mend:    "set machine.overrides.sm.l1.sets to 4 or more", Fixes: fault.Fixes("machine.overrides.sm.l1.sets", "4", "l1.store", system.None),
	}
}

func tooManyDedicated(p system.Part, g *parameter.GPU) (b system.Breach) {
	_, row := storeOf(p)
	d, sets := p.Int("dedicated"), g.SM.L1.Sets
	if row == nil || !row.Sampled || sets < int(policy.NumModes) || !slices.Contains(dedicatedSets, d) || policy.Room(sets, d) {
		return b
	}
	b = system.Breach{
		Message: fmt.Sprintf("%d sets for each of %d modes do not fit an L1 of %d sets", d, policy.NumModes, sets),
		Mend:    fmt.Sprintf("use at most %d, or set machine.overrides.sm.l1.sets to %d or more", sets/int(policy.NumModes), d*4),
	}
	for _, n := range slices.Backward(dedicatedSets) {
		if policy.Room(sets, n) {
			b.Fixes = fault.Fixes("l1.dedicated", fmt.Sprint(n))
			break
		}
	}
	b.Fixes = append(b.Fixes, fault.Fixes("l1.store", system.None)...)
	return b
}
