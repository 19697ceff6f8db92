package dram

import (
	"fmt"
	"testing"
)

// history is the obvious twin of Channel and Checker: it keeps every command, and asks for each new one the whole
// history, constraint by constraint, bank by bank.
type history struct {
	spec  Spec
	rules []Constraint
	given []step
}

// earliest returns the first cycle at which a command keeps every constraint, and the symbol of the one that binds last.
func (h *history) earliest(cmd Command, bank int) (at uint64, symbol string) {
	for _, r := range h.rules {
		if r.Second != cmd {
			continue
		}
		n := 0
		for i := len(h.given) - 1; i >= 0; i-- {
			if g := h.given[i]; g.cmd == r.First && h.related(r.Scope, g, cmd, bank) {
				if n++; n >= max(1, r.Window) {
					if v := g.at + uint64(r.Cycles); v > at {
						at, symbol = v, r.Symbol
					}
					if r.Window > 0 {
						break
					}
				}
			}
		}
	}
	for _, g := range h.given {
		column := func(c Command) bool { return c == Read || c == Write }
		if h.spec.SeparateRowBus && cmd != Refresh && column(g.cmd) != column(cmd) {
			continue
		}
		if g.at+1 > at {
			at, symbol = g.at+1, "command bus"
		}
	}
	return at, symbol
}

func (h *history) related(scope Scope, g step, cmd Command, bank int) bool {
	if scope == Anywhere || g.cmd == Refresh || cmd == Refresh {
		return true
	}
	groups := func(n int) int {
		if h.spec.GroupOf == GroupHigh {
			return n / (h.spec.Banks / h.spec.BankGroups)
		}
		return n % h.spec.BankGroups
	}
	return g.bank == bank || scope == SameGroup && groups(g.bank) == groups(bank)
}

// busy returns the cycles in which the data of a column command pass.
func (h *history) busy(s step, mag int) (from, to uint64) {
	from = s.at + uint64(h.spec.CL)
	if s.cmd == Write {
		from = s.at + uint64(h.spec.WL)
	}
	return from, from + uint64(mag/h.spec.BytesPerCommandClock)
}

// TestChannelAgreesWithHistory: in random schedules of every device, at every MAG, Channel gives each command the first
// cycle that its constraints allow, no cycle later, and no two transfers meet on the data bus.
func TestChannelAgreesWithHistory(t *testing.T) {
	for name, d := range devices() {
		for _, mag := range []int{16, 32, 64} {
			if mag%d.spec.BytesPerCommandClock != 0 {
				continue
			}
			p := newPlayer(t, d.spec, mag, 11)
			h := &history{spec: d.spec, rules: d.spec.Constraints(mag)}
			bound := map[string]int{}
			var data []step
			for range 700 {
				cmd, bank, row, at := p.choose()
				want, symbol := h.earliest(cmd, bank)
				if got := p.ch.Earliest(cmd, bank, 0); max(got, p.now) != max(want, p.now) {
					t.Fatalf("%s, MAG %d: %v of bank %d from cycle %d, its constraints allow it from %d (%s)", name, mag, cmd, bank, got, want, symbol)
				}
				if at == want {
					bound[symbol]++
				}
				if p.rnd.Intn(4) == 0 {
					at += uint64(p.rnd.Intn(30))
				}
				p.give(cmd, bank, row, at)
				h.given = append(h.given, step{cmd, bank, row, at})
				if cmd == Read || cmd == Write {
					data = append(data, step{cmd, bank, row, at})
					if n := len(data); n > 1 {
						_, end := h.busy(data[n-2], mag)
						if from, _ := h.busy(data[n-1], mag); from < end {
							t.Fatalf("%s, MAG %d: data of %v at %d begin at %d, those before end at %d", name, mag, cmd, at, from, end)
						}
					}
				}
			}
			if p.check.Err() != nil || len(bound) < 8 {
				t.Errorf("%s, MAG %d: %v; constraints that bound: %v", name, mag, p.check.Err(), bound)
			}
		}
	}
}

// pins are the cases with numbers from which one must see any change of a constraint.
func pins() []pin { return append(append(commonPins(), gddr6Pins()...), lpddr5Pins()...) }

// TestEveryRowIsPinned: a constraint that is a cycle longer or shorter, gone, or of another scope fails a case with numbers of
// TestEveryConstraintToTheCycle, in every row of every standard.
func TestEveryRowIsPinned(t *testing.T) {
	tables := map[string][]row{"common": common}
	for i := range Standards {
		tables[Standards[i].Name] = Standards[i].own
	}
	cases := pins()
	failures := func() (n int) {
		for i := range cases {
			if cases[i].wrong() != "" {
				n++
			}
		}
		return n
	}
	if n := failures(); n != 0 {
		t.Fatalf("%d cases fail without a change", n)
	}
	for name, rows := range tables {
		for i := range rows {
			r := &rows[i]
			old := *r
			change := func(what string, edit func()) {
				edit()
				if failures() == 0 {
					t.Errorf("%s: %s from %v to %v (%d) %s: no case fails", name, old.symbol, old.first, old.second, old.scope, what)
				}
				*r = old
			}
			shifted := func(by int) func() {
				return func() {
					r.cycles = func(v *values) int {
						if n := old.cycles(v); n > 0 {
							return n + by
						}
						return 0
					}
				}
			}
			change("a cycle longer", shifted(1))
			change("a cycle shorter", shifted(-1))
			change("is gone", func() { r.cycles = func(*values) int { return 0 } })
			if old.second != Refresh && old.first != Refresh && old.window == 0 {
				change("in another scope", func() {
					r.scope = map[Scope]Scope{SameBank: Anywhere, SameGroup: SameBank, Anywhere: SameBank}[old.scope]
				})
			}
			change("from another command", func() {
				r.first = map[Command]Command{Activate: Precharge, Precharge: Activate, Read: Write, Write: Read, Refresh: Read, RefreshBank: Read}[old.first]
			})
		}
	}
}

// pin is a command that a device allows from one cycle on, and the constraint that forbids it before.
type pin struct {
	name   string
	spec   Spec
	mag    int
	before []step
	last   step // at is filled in
	legal  uint64
}

// wrong says what Channel or Checker does otherwise, empty if both agree with the case.
func (c *pin) wrong() (message string) {
	defer func() {
		if err := recover(); err != nil {
			message = fmt.Sprint(err)
		}
	}()
	timing, err := c.spec.Resolve(c.mag)
	if err != nil {
		return err.Error()
	}
	ch := NewChannel(&timing)
	for _, s := range c.before {
		ch.Issue(s.cmd, s.bank, s.row, s.at)
	}
	if at := ch.Earliest(c.last.cmd, c.last.bank, 0); at != c.legal {
		return fmt.Sprintf("Channel allows it from cycle %d, want %d", at, c.legal)
	}
	for _, early := range []uint64{1, 0} {
		k := NewChecker(c.spec, c.mag)
		for _, s := range c.before {
			k.Command(s.cmd, s.bank, s.row, s.at)
		}
		if k.Err() != nil {
			return "the lead-in is illegal: " + k.Err().Error()
		}
		if name := k.violated(c.last.cmd, c.last.bank, c.last.row, c.legal-early); early == 1 && name != c.name || early == 0 && name != "" {
			return fmt.Sprintf("%d cycles early the checker names %q", early, name)
		}
	}
	return ""
}
