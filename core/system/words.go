package system

import (
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/stat"
)

// Words are what the predicates of claims may say of the systems of a paper beside what its folder defines
// (assets/papers): values that take code of the system.
type Words struct {
	// Group is the group whose part Run puts into the name of a run: a text that begins with ", ", or nothing.
	Group     string
	Run       func(p Part) string
	Constants []Constant
	Measures  []Measure
}

// Constant is a value of the program that a paper states too.
type Constant struct {
	Name string
	// Read returns an int, a float64 or a text, a list of them, or Pairs; or an error that says why the machine has no
	// such value.
	Read func(m *parameter.GPU) any
}

// Pairs are values by keys, in order.
type Pairs [][2]any

// Measure is a value of the runs of some systems on one program.
type Measure struct {
	Name  string
	Value func(runs []Measured, args []any) (float64, error)
}

// Measured is a run with what its entries report.
type Measured interface {
	String() string  // its name
	Program() string // by its name in the paper
	Reports() []Report
	Count(c stat.Counter) (n uint64, ok bool)
	WarpInstructions() uint64
	// Linked returns for each launch with accesses of memory the share with a part behind a link.
	Linked() []float64
	// ExcessBits returns for each level of SLC's tree the bits that it truncated beyond what the budget needed.
	ExcessBits() []uint64
}

// ReportIn returns a run's report of one type; nil if it has none.
func ReportIn[T any](m Measured) *T {
	for _, r := range m.Reports() {
		if report, is := r.(any).(*T); is {
			return report
		}
	}
	return nil
}

// Lack is an error: a run does not hold what a measure needs, so that its row cannot be measured.
type Lack string

func (l Lack) Error() string { return string(l) }

// Note is an error: the value is 0, and Note says why.
type Note string

func (n Note) Error() string { return string(n) }

// Default returns the default of an entry's setting that is a number.
func (e *Entry) Default(setting string) int { return find(e.Settings, setting).Default }
