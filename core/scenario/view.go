package scenario

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scheme"
)

// View says what a page shows first, and which controls a reader may use. It changes no
// result and is not part of the hash. It guides readers and protects nothing: anyone can
// load the scenario without it.
type View struct {
	// Tab, Side and Cycle say what the page shows first: a word of tabs, A or B, and a
	// cycle of the core clock.
	Tab   string `msgpack:"tab,omitempty" yaml:"tab,omitempty" json:"tab,omitempty"`
	Side  string `msgpack:"side,omitempty" yaml:"side,omitempty" json:"side,omitempty"`
	Cycle uint64 `msgpack:"cycle,omitempty" yaml:"cycle,omitempty" json:"cycle,omitempty"`
	// Locked controls are shown but cannot be used. Hidden controls are not shown. Both are
	// paths of Controls; a path stands for everything below it.
	Locked []string `msgpack:"locked,omitempty" yaml:"locked,omitempty,flow" json:"locked,omitempty"`
	Hidden []string `msgpack:"hidden,omitempty" yaml:"hidden,omitempty,flow" json:"hidden,omitempty"`
}

// The words of a view of the page. The page has the same lists (site/src/state/settings.ts, site/src/state/locks.ts).
var (
	tabs  = []string{"bursts", "address", "mag", "dram", "output", "source", "l1", "buddy", "launches"}
	sides = []string{"A", "B"}
)

func controls() []string {
	paths := []string{"scenario", "machine", "machine.preset", "machine.overrides", "workload", "workload.name", "workload.size", "workload.data", "workload.image"}
	for _, prefix := range []string{"", "compare."} {
		for _, group := range scheme.Groups() {
			paths = append(paths, prefix+group)
		}
		for _, path := range scheme.Paths() {
			paths = append(paths, prefix+path)
		}
	}
	return append(paths, "compare", "seed", "*")
}

// Controls returns the paths that view.locked and view.hidden may name: the values
// that the page has controls for, the groups they form, and "scenario", the choice of
// another scenario, or "*", all of them and those of later versions.
func Controls() []string { return controls() }

// Validate checks the view at path.
func (v *View) Validate(e *fault.Errors, path string) {
	if v.Tab != "" {
		e.Word(path+".tab", v.Tab, tabs)
	}
	if v.Side != "" {
		e.Word(path+".side", v.Side, sides)
	}
	if v.Cycle > maxSeed {
		e.Add(path+".cycle", fmt.Sprintf("%d is too large", v.Cycle), fmt.Sprintf("use 0 to %d", uint64(maxSeed)))
	}
	CheckControls(e, path+".locked", v.Locked)
	CheckControls(e, path+".hidden", v.Hidden)
}

// CheckControls checks a list of paths of controls.
func CheckControls(e *fault.Errors, path string, list []string) {
	controls := controls()
	if len(list) > len(controls) {
		e.Add(path, fmt.Sprintf("%d paths", len(list)), fmt.Sprintf("there are %d controls: name groups, such as memory", len(controls)))
		return
	}
	for i, control := range list {
		if slices.Index(controls, control) < 0 {
			e.Add(fmt.Sprintf("%s[%d]", path, i), "there is no control for "+fault.Quote(control), fault.MendWord(control, controls))
		}
	}
}
