package dram

import (
	"strings"
	"testing"
)

// TestAStandardIsARow: a standard that is a row with constraints of its own is kept by Channel and Checker, to the cycle and by
// its symbol, and by nobody else; a constraint that a channel cannot keep is refused by its symbol.
func TestAStandardIsARow(t *testing.T) {
	old := Standards
	t.Cleanup(func() { Standards = old })
	spec := GTX480()
	spec.Standard = Standard(len(Standards))
	toy := func(own ...row) {
		Standards = append(old[:len(old):len(old)], struct {
			Name string
			own  []row
		}{"toy", own})
	}
	thirty := func(*values) int { return 30 }
	two := []step{{Activate, 0, 1, 0}, {Activate, 1, 1, 100}, {Activate, 4, 1, 200}}
	read := append(two[:3:3], step{Read, 0, 1, 300})
	closed := append(two[:3:3], step{Precharge, 0, 1, 300})
	for _, c := range []struct {
		own  row
		last pin
	}{
		{row{"TOY", Read, Precharge, Anywhere, thirty, 0}, pin{"TOY", spec, 32, read, step{Precharge, 1, 1, 0}, 330}},
		{row{"TOY", Read, Write, SameGroup, thirty, 0}, pin{"TOY", spec, 32, read, step{Write, 4, 1, 0}, 330}},
		{row{"TOY", Read, Read, SameBank, thirty, 0}, pin{"TOY", spec, 32, read, step{Read, 0, 1, 0}, 330}},
		{row{"TOY", Precharge, Read, Anywhere, thirty, 0}, pin{"TOY", spec, 32, closed, step{Read, 1, 1, 0}, 330}},
		{row{"TOY", Activate, Write, SameGroup, thirty, 0}, pin{"TOY", spec, 32, two, step{Write, 0, 1, 0}, 230}},
	} {
		toy(c.own)
		if message := c.last.wrong(); message != "" {
			t.Errorf("%s from %v to %v: %s", c.own.symbol, c.own.first, c.own.second, message)
		}
		toy()
		if c.last.wrong() == "" {
			t.Errorf("%s from %v to %v holds without the row", c.own.symbol, c.own.first, c.own.second)
		}
	}
	for _, own := range []row{
		{"TOY", Read, Read, Anywhere, thirty, 4}, {"TOY", Activate, Activate, SameGroup, thirty, 4},
		{"TOY", Activate, Activate, Anywhere, thirty, 3}, {"TOY", Precharge, Refresh, SameBank, thirty, 0}, {"TOY", Read, Precharge, SameGroup, thirty, 0},
	} {
		toy(own)
		if _, err := spec.Resolve(32); err == nil || !strings.Contains(err.Error(), "constraint TOY") {
			t.Errorf("%+v: %v", own, err)
		}
	}
	toy()
	spec.Standard++
	if err := spec.Validate(); err == nil || !strings.Contains(err.Error(), "standard") {
		t.Errorf("a standard without a row: %v", err)
	}
}
