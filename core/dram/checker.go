package dram

import "fmt"

// Watcher sees every command given to a channel.
type Watcher interface {
	Command(cmd Command, bank int, row uint32, at uint64)
}

// Checker watches the commands of one channel and keeps the first violation of
// the specification. It shares the constraints with Channel and nothing else: it
// applies each of them to the times of the commands, bank by bank.
type Checker struct {
	spec       Spec
	rules      []Constraint
	given      [numCommands][MaxBanks]uint64 // cycle after the last command of a kind, 0 = none
	last       uint64
	open       [MaxBanks]bool
	row        [MaxBanks]uint32
	activates  ring
	refreshes  [MaxBanks]uint64
	err        error
	count      int
	violations int
}

// ring remembers the cycles of the last 32 activates.
type ring struct {
	at [32]uint64
	n  int
}

// postponed is how many refreshes a controller may owe (JESD212 and JESD235,
// REFRESH command).
const postponed = 8

// NewChecker returns a checker for bursts of magBytes.
func NewChecker(spec Spec, magBytes int) *Checker {
	return &Checker{spec: spec, rules: spec.Constraints(magBytes)}
}

// Command checks one command. Commands come in the order of their cycles.
func (k *Checker) Command(cmd Command, bank int, row uint32, at uint64) {
	k.count++
	if name := k.violated(cmd, bank, row, at); name != "" {
		k.fail(fmt.Errorf("dram: command %d, %v of bank %d row %d at cycle %d, violates %s", k.count, cmd, bank, row, at, name))
	}
	switch cmd {
	case Activate:
		k.open[bank], k.row[bank] = true, row
		k.activates.at[k.activates.n%len(k.activates.at)] = at
		k.activates.n++
	case Precharge:
		k.open[bank] = false
	case Refresh:
		for b := range k.refreshes {
			k.refreshes[b]++
		}
	case RefreshBank:
		k.refreshes[bank]++
	}
	k.given[cmd][bank] = at + 1
	k.last = at
}

func (k *Checker) fail(err error) {
	k.violations++
	if k.err == nil {
		k.err = err
	}
}

// End checks at the end, cycle at, that no refresh is missing.
func (k *Checker) End(at uint64) {
	if b := k.overdue(at); b >= 0 {
		k.fail(fmt.Errorf("dram: bank %d has had %d refreshes by cycle %d, fewer than REFI requires", b, k.refreshes[b], at))
	}
}

// Err returns the first violation, nil if there is none.
func (k *Checker) Err() error { return k.err }

// Violations returns how many commands broke a rule.
func (k *Checker) Violations() int { return k.violations }

// Count returns how many commands were seen.
func (k *Checker) Count() int { return k.count }

// violated returns the name of the first rule a command breaks.
func (k *Checker) violated(cmd Command, bank int, row uint32, at uint64) string {
	if name := k.wrongState(cmd, bank, row); name != "" {
		return name
	}
	if at < k.last {
		return "order of time"
	}
	for other := range numCommands {
		for b := range k.spec.Banks {
			if k.given[other][b] == at+1 && k.shareBus(other, cmd) {
				return "command bus"
			}
		}
	}
	for i := range k.rules {
		if r := &k.rules[i]; r.Second == cmd && k.tooSoon(r, bank, at) {
			return r.Symbol
		}
	}
	if cmd != Refresh && cmd != RefreshBank && cmd != Precharge && k.overdue(at) >= 0 {
		return "REFI"
	}
	return ""
}

func (k *Checker) wrongState(cmd Command, bank int, row uint32) string {
	switch {
	case bank < 0 || bank >= k.spec.Banks:
		return "state: no such bank"
	case cmd == Activate && k.open[bank]:
		return "state: bank already open"
	case cmd == Precharge && !k.open[bank]:
		return "state: bank not open"
	case (cmd == Read || cmd == Write) && (!k.open[bank] || k.row[bank] != row):
		return "state: row not open"
	case cmd == RefreshBank && k.open[bank]:
		return "state: refresh of an open bank"
	case cmd == Refresh:
		for _, open := range k.open {
			if open {
				return "state: refresh with open banks"
			}
		}
	}
	return ""
}

// tooSoon reports whether a command at cycle at comes before the distance of a
// rule has passed.
func (k *Checker) tooSoon(r *Constraint, bank int, at uint64) bool {
	if r.Window > 0 {
		return k.within(r.Window, r.Cycles, at)
	}
	for b, next := range k.given[r.First][:k.spec.Banks] {
		related := true
		switch r.Scope {
		case SameBank:
			related = b == bank
		case SameGroup:
			related = k.group(b) == k.group(bank)
		}
		if related && next > 0 && next-1+uint64(r.Cycles) > at {
			return true
		}
	}
	return false
}

// within reports whether an activate at cycle at would exceed n activates in a
// window of that many cycles.
func (k *Checker) within(n, cycles int, at uint64) bool {
	recent := 0
	for i := range min(k.activates.n, len(k.activates.at)) {
		if k.activates.at[i]+uint64(cycles) > at {
			recent++
		}
	}
	return recent >= n
}

// group returns the bank group of a bank.
func (k *Checker) group(bank int) int {
	if k.spec.GroupOf == GroupHigh {
		return bank * k.spec.BankGroups / k.spec.Banks
	}
	return bank % k.spec.BankGroups
}

// overdue returns a bank that has had too few refreshes until cycle at, or -1.
func (k *Checker) overdue(at uint64) int {
	if k.spec.REFI == 0 {
		return -1
	}
	due := at / uint64(k.spec.REFI)
	for b := range k.spec.Banks {
		if k.refreshes[b]+postponed < due {
			return b
		}
	}
	return -1
}

func (k *Checker) shareBus(a, b Command) bool {
	column := func(c Command) bool { return c == Read || c == Write }
	return !k.spec.SeparateRowBus || column(a) == column(b)
}
