package layout

import (
	"fmt"
	"strings"
)

// Rule gives targets to allocations by name.
type Rule struct {
	list []namedTarget
}

type namedTarget struct {
	name   string // "*" = every other allocation
	target Target
}

// MendTargets says how to write a rule.
const MendTargets = "write one target for all (2), or NAME=TARGET with commas (in=4,out=4/3,*=1); targets are plain, " +
	"1, 4/3, 2, 4, 16"

// maxTargets bounds a rule [ours].
const maxTargets = 1024

// ParseTargets reads a rule: a target for every allocation, or NAME=TARGET pairs, in which *
// stands for all other allocations.
func ParseTargets(text string) (Rule, error) {
	var r Rule
	if strings.Count(text, ",") >= maxTargets {
		return r, fmt.Errorf("a list of targets can have %d at most", maxTargets)
	}
	for _, item := range strings.Split(text, ",") {
		name, word, paired := strings.Cut(strings.TrimSpace(item), "=")
		if !paired {
			name, word = "*", name
		}
		name = strings.TrimSpace(name)
		t, err := ParseTarget(strings.TrimSpace(word))
		if err != nil {
			return Rule{}, err
		}
		if name == "" {
			return Rule{}, fmt.Errorf("target %s has no allocation", t)
		}
		if _, found := r.find(name); found {
			return Rule{}, fmt.Errorf("allocation %q has two targets", name)
		}
		r.list = append(r.list, namedTarget{name, t})
	}
	return r, nil
}

func (r *Rule) find(name string) (Target, bool) {
	for _, n := range r.list {
		if n.name == name {
			return n.target, true
		}
	}
	return Plain, false
}

// Of returns the target of an allocation, and whether the rule names it. An allocation that
// the rule does not cover is plain.
func (r *Rule) Of(name string) (t Target, named bool) {
	if t, named = r.find(name); named {
		return t, true
	}
	t, _ = r.find("*")
	return t, false
}

// Names lists the allocations that the rule names.
func (r *Rule) Names() []string {
	var names []string
	for _, n := range r.list {
		if n.name != "*" {
			names = append(names, n.name)
		}
	}
	return names
}

// FormatTargets is the inverse of ParseTargets for named allocations.
func FormatTargets(allocs []Allocation) string {
	items := make([]string, len(allocs))
	for i := range allocs {
		items[i] = allocs[i].Name + "=" + allocs[i].Target.String()
	}
	return strings.Join(items, ",")
}
