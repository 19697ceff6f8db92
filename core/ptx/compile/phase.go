package compile

import "fmt"

// phase is how far the passes over a module or function have come. Each pass
// checks that the one before it has run, and no other.
type phase uint8

const (
	phaseParse      phase = iota // statements and declarations
	phaseResolve                 // names are tied to what they stand for
	phaseSelect                  // nodes with values
	phaseFlow                    // branches have targets and joins
	phaseUniformity              // values know how they may spread over the lanes
	phaseLive                    // values have places
	phaseEmit                    // pre-decoded
)

var phaseNames = [...]string{"parse", "resolve", "select", "flow", "uniformity", "live", "emit"}

func (p phase) String() string { return phaseNames[p] }

// enter moves to the next phase.
func (p *phase) enter(next phase) {
	if *p != next-1 {
		panic(fmt.Sprintf("ptx: pass %v cannot follow pass %v", next, *p))
	}
	*p = next
}
