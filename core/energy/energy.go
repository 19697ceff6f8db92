// Package energy turns the counters of a run into energy. Every event has an energy;
// parts that draw power all the time have a power. All amounts are whole femtojoules,
// so that the sum of the parts is exactly the total, on every machine.
package energy

import "math/bits"

// Costs are the energies of a GPU's events, in femtojoules, and its constant power, in
// milliwatts.
type Costs struct {
	RegisterFemtojoules uint64 // one operand of one thread
	SharedFemtojoules   uint64 // one warp's access to shared memory
	L1Femtojoules       uint64 // one line that hits in L1 or passes it
	FlitFemtojoules     uint64 // one flit through a crossbar
	L2SectorFemtojoules uint64 // 32 bytes into or out of L2
	MetadataFemtojoules uint64 // one lookup in the metadata cache

	DRAMActivateFemtojoules uint64 // opening and closing a row
	DRAMReadFemtojoules     uint64 // a byte, from row to pins
	DRAMWriteFemtojoules    uint64 // a byte, from pins to row
	DRAMIOFemtojoules       uint64 // a byte between the chips
	DRAMRefreshFemtojoules  uint64 // refreshing all banks of a channel once
	DRAMOpenMilliwatts      uint64 // one channel while a row is open
	DRAMClosedMilliwatts    uint64 // one channel while no row is open

	StaticMilliwatts uint64 // the GPU: leakage, clocks and the board's share
}

// Term is one kind of event of a part: count x value x scale / divisor
// femtojoules, rounded down.
type Term struct {
	Counter string `json:"counter"` // name of the counter
	Count   uint64 `json:"count"`
	Path    string `json:"path"`  // which value of the machine, or of the codec
	Value   uint64 `json:"value"` // femtojoules, or milliwatts
	// Scale and Divisor are 1 for events. Terms of time count cycles: a milliwatt is a
	// million femtojoules in a microsecond, and a microsecond has Divisor (MHz) cycles.
	Scale       uint64 `json:"scale"`
	Divisor     uint64 `json:"divisor"`
	Femtojoules uint64 `json:"femtojoules"`
	Source      string `json:"source"`
}

// Part is a part of the machine.
type Part struct {
	Name        string  `json:"name"`
	Title       string  `json:"title"`
	Femtojoules uint64  `json:"femtojoules"`
	Watts       float64 `json:"watts"` // averaged over the run
	Terms       []Term  `json:"terms"`
}

// Account is the energy of a run: parts in a fixed order, whose sum is the total.
type Account struct {
	TotalFemtojoules uint64  `json:"totalFemtojoules"`
	Joules           float64 `json:"joules"`
	Watts            float64 `json:"watts"`           // averaged over the run
	EDP              float64 `json:"edpJouleSeconds"` // energy x time
	Parts            []Part  `json:"parts"`
}

// Events is a term of an energy for each event.
func Events(counter string, count uint64, path string, femtojoules uint64) Term {
	return newTerm(Term{Counter: counter, Count: count, Path: path, Value: femtojoules, Scale: 1, Divisor: 1})
}

// Time is a term of a power over cycles of a clock.
func Time(counter string, cycles uint64, path string, milliwatts, mhz uint64) Term {
	return newTerm(Term{Counter: counter, Count: cycles, Path: path, Value: milliwatts, Scale: 1_000_000, Divisor: mhz})
}

func newTerm(t Term) Term {
	over, each := bits.Mul64(t.Value, t.Scale)
	high, low := bits.Mul64(t.Count, each)
	if over != 0 || high >= t.Divisor {
		t.Femtojoules = most // 18 kilojoules: no real machine has such values
		return t
	}
	t.Femtojoules, _ = bits.Div64(high, low, t.Divisor)
	return t
}

const most = 1<<64 - 1

// add saturates at the largest number.
func add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return most
	}
	return sum
}

// Sum computes the sums of the parts and of the account, for a run of the given time.
// The caller has set the parts' names, titles and terms.
func Sum(parts []Part, seconds float64) Account {
	a := Account{Parts: parts}
	for i := range parts {
		p := &parts[i]
		for _, t := range p.Terms {
			p.Femtojoules = add(p.Femtojoules, t.Femtojoules)
		}
		p.Watts = watts(p.Femtojoules, seconds)
		a.TotalFemtojoules = add(a.TotalFemtojoules, p.Femtojoules)
	}
	a.Joules = float64(a.TotalFemtojoules) / 1e15
	a.Watts = watts(a.TotalFemtojoules, seconds)
	a.EDP = float64(a.Joules * seconds)
	return a
}

func watts(femtojoules uint64, seconds float64) float64 {
	if seconds == 0 {
		return 0
	}
	return float64(femtojoules) / 1e15 / seconds
}
