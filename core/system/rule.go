package system

import (
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
)

// Rule refuses choices of one group.
type Rule struct {
	Group string
	Path  string // of the value that has the fault
	// Choice cannot stand beside Not; Why says why. A rule about the machine leaves the machines that break it to a
	// list of machines, and Not says what they have in common.
	Choice, Not, Why string
	// Sample are settings that break the rule, beside the defaults.
	Sample []fault.Fix
	// OfMachine says that the rule needs a machine. The others are checked without one too.
	OfMachine bool
	// Broken says why p cannot be on a machine and what to change; no message if it can.
	Broken func(p Part, g *parameter.GPU) Breach
}

// Breach says how a rule is broken. Paths of a scheme are written without its place in the scenario. Without Mend the
// fixes say what to do.
type Breach struct {
	Message string
	Mend    string // {} stands for the scheme's place
	Fixes   []fault.Fix
}

// L1Loads is the path that lets global loads look into L1.
const L1Loads = "machine.overrides.sm.l1Loads"
