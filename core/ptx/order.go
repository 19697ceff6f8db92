package ptx

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// Order is what the host decides between the launches of a program: which of them follows. A nil
// Order runs one launch after the other.
type Order struct {
	// Checks are sorted by Before. Each jump leads forward, so every program ends.
	Checks []Check
}

// Check is a comparison that the host makes of a value that it reads back.
type Check struct {
	// Before is the launch before which the host checks, and after everything else has ended; the
	// number of launches stands for the end.
	Before int
	// Address and Type describe the value in device memory.
	Address uint64
	Type    Scalar
	Is      Comparison
	Not     bool   // the opposite of Is must hold
	Than    uint64 // the bits that the value is compared with
	// If the comparison holds, launch To follows, after the checks from number Next on that stand
	// before it.
	To, Next int
	// Fault ends the program in place of a comparison; nil = compare.
	Fault error
}

// Comparison is how a check compares.
type Comparison uint8

const (
	Equal Comparison = iota
	NotEqual
	Below
	AtLeast
)

// ComparisonNames are the words for comparisons. A NaN is neither equal nor below, and not at least anything.
var ComparisonNames = []string{"equal", "not-equal", "below", "at-least"}

// Stops reports whether the host checks something before a launch.
func (o *Order) Stops(launch int) bool {
	if o == nil {
		return false
	}
	i := o.first(launch)
	return i < len(o.Checks) && o.Checks[i].Before == launch
}

// NextStop returns the launch after the given one before which the host checks something next, or launches.
func (o *Order) NextStop(launch, launches int) int {
	if o != nil {
		if i := o.first(launch + 1); i < len(o.Checks) {
			return o.Checks[i].Before
		}
	}
	return launches
}

func (o *Order) first(launch int) int {
	before := func(c Check, launch int) int { return cmp.Compare(c.Before, launch) }
	i, _ := slices.BinarySearchFunc(o.Checks, launch, before)
	return i
}

// Next returns the launch that follows when all before the given one have ended or are left out. read copies
// device memory.
func (o *Order) Next(launch int, read func(address uint64, dst []byte)) (next int, err error) {
	if o == nil {
		return launch, nil
	}
	for i := o.first(launch); i < len(o.Checks) && o.Checks[i].Before == launch; {
		c := &o.Checks[i]
		if c.Fault != nil {
			return launch, c.Fault
		}
		var word [8]byte
		read(c.Address, word[:c.Type.Bytes()])
		if c.holds(binary.LittleEndian.Uint64(word[:])) != c.Not {
			launch, i = c.To, c.Next
		} else {
			i++
		}
	}
	return launch, nil
}

func (c *Check) holds(got uint64) bool {
	equal, below, ordered := got == c.Than, got < c.Than, true
	switch {
	case c.Type == TypeF32 || c.Type == TypeF64:
		a, b := c.float(got), c.float(c.Than)
		equal, below, ordered = a == b, a < b, a == a && b == b
	case c.Type.IsSigned():
		shift := 64 - 8*c.Type.Bytes()
		below = int64(got<<shift) < int64(c.Than<<shift)
	}
	switch c.Is {
	case Equal:
		return equal
	case NotEqual:
		return !equal
	case Below:
		return below
	}
	return ordered && !below
}

func (c *Check) float(bits uint64) float64 {
	if c.Type == TypeF32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}
