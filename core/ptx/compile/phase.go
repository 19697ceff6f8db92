package compile

import "fmt"

// phase is the last pass that has run over a module or function. Each pass checks
// that the pass before it was the last.
type phase uint8

const (
	phaseParse      phase = iota // statements and declarations
	phaseResolve                 // names have symbols
	phaseSelect                  // nodes with values
	phaseFlow                    // branches have targets and joins
	phaseUniformity              // values know how they may spread over the lanes
	phaseSchedule                // nodes have their order
	phaseLive                    // values have places
	phaseEmit                    // decoded instructions
)

var phaseNames = [...]string{"parse", "resolve", "select", "flow", "uniformity", "schedule", "live", "emit"}

func (p phase) String() string { return phaseNames[p] }

// enter moves to the next phase.
func (p *phase) enter(next phase) {
	if *p != next-1 {
		panic(fmt.Sprintf("ptx: pass %v cannot follow pass %v", next, *p))
	}
	*p = next
}
