package dram

import "fmt"

// Watcher sees every command given to a channel.
type Watcher interface {
	Command(cmd Command, bank int, row uint32, at uint64)
}

// Checker watches the commands of one channel and keeps the first violation of
// the specification. It shares nothing with Channel or Timing: each rule is a
// sentence of the standard (JESD212 for GDDR5, JESD235 for HBM), applied to the
// times of the commands.
type Checker struct {
	spec       Spec
	burst      int
	rules      []rule
	given      [commands][MaxBanks]uint64 // cycle after the last command of a kind, 0 = none
	last       uint64
	open       [MaxBanks]bool
	row        [MaxBanks]uint32
	activates  ring
	transfers  [32]transfer
	refreshes  [MaxBanks]uint64
	err        error
	count      int
	violations int
}

const commands = int(RefreshBank) + 1

// ring remembers the cycles of the last 32 activates.
type ring struct {
	at [32]uint64
	n  int
}

// transfer is the time a burst occupies the data bus.
type transfer struct{ from, to uint64 }

// scope says between which banks a rule holds.
type scope uint8

const (
	sameBank scope = iota
	otherBank
	sameGroup // of banks, the bank itself included
	anywhere
)

// rule is a minimum distance between two commands.
type rule struct {
	name   string
	first  Command
	second Command
	scope  scope
	cycles int
}

// postponed is how many refreshes a controller may owe (JESD212 and JESD235,
// REFRESH command).
const postponed = 8

// NewChecker returns a checker for bursts of magBytes.
func NewChecker(spec Spec, magBytes int) *Checker {
	s := spec
	burst := magBytes / s.BytesPerCommandClock
	// CCD is stated for the device's burst; at another MAG it keeps its share.
	ccds := ceilDiv(s.CCD*magBytes, s.BurstBytes)
	rcdwr := s.RCDWR
	if rcdwr == 0 {
		rcdwr = s.RCD - (s.WL + 1)
	}
	rtp := s.RTP
	if s.BankGroups > 1 {
		rtp = max(s.RTP, s.RTPL)
	}
	k := &Checker{spec: s, burst: burst}
	k.rules = []rule{
		{"RCD", Activate, Read, sameBank, s.RCD},
		{"RCDWR", Activate, Write, sameBank, rcdwr},
		{"RAS", Activate, Precharge, sameBank, s.RAS},
		{"RC", Activate, Activate, sameBank, s.RC},
		{"RP", Precharge, Activate, sameBank, s.RP},
		{"RRD_S", Activate, Activate, anywhere, s.RRD},
		{"CCD_S", Read, Read, anywhere, ccds},
		{"CCD_S", Write, Write, anywhere, ccds},
		// The bus takes two clocks after the last beat of a read to change direction.
		{"RTW", Read, Write, anywhere, s.CL + burst + 2 - s.WL},
		{"WTR_S", Write, Read, anywhere, s.WL + burst + s.CDLR},
		{"RTP", Read, Precharge, sameBank, max(rtp, burst)},
		{"WR", Write, Precharge, sameBank, s.WL + burst + s.WR},
		{"RP", Precharge, Refresh, anywhere, s.RP},
		{"RC", Activate, Refresh, anywhere, s.RC},
		{"RFC", Refresh, Activate, anywhere, s.RFC},
		{"RFC", Refresh, Refresh, anywhere, s.RFC},
		{"RP", Precharge, RefreshBank, sameBank, s.RP},
		{"RC", Activate, RefreshBank, sameBank, s.RC},
		{"RFCPB", RefreshBank, Activate, sameBank, s.RFCPB},
		{"RFCPB", RefreshBank, RefreshBank, sameBank, s.RFCPB},
		// For the other banks a refresh of one bank counts as an activate.
		{"RRD_S", Activate, RefreshBank, otherBank, s.RRD},
		{"RREFD", RefreshBank, Activate, otherBank, max(s.RREFD, s.RRD)},
		{"RREFD", RefreshBank, RefreshBank, otherBank, max(s.RREFD, s.RRD)},
	}
	if s.BankGroups > 1 {
		k.rules = append(k.rules,
			rule{"RRD_L", Activate, Activate, sameGroup, s.RRDL},
			rule{"RRD_L", Activate, RefreshBank, sameGroup, s.RRDL},
			rule{"RREFD", RefreshBank, Activate, otherBank, s.RRDL},
			rule{"RREFD", RefreshBank, RefreshBank, otherBank, s.RRDL},
			rule{"CCD_L", Read, Read, sameGroup, ceilDiv(s.CCDL*magBytes, s.BurstBytes)},
			rule{"CCD_L", Write, Write, sameGroup, ceilDiv(s.CCDL*magBytes, s.BurstBytes)},
			rule{"WTR_L", Write, Read, sameGroup, s.WL + burst + s.CDLRL})
	}
	return k
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

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
	case Read, Write:
		copy(k.transfers[:], k.transfers[1:])
		k.transfers[len(k.transfers)-1] = k.transfer(cmd, at)
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
	for other := range Command(commands) {
		for b := range k.spec.Banks {
			if k.given[other][b] == at+1 && k.shareBus(other, cmd) {
				return "command bus"
			}
		}
	}
	for i := range k.rules {
		if r := &k.rules[i]; r.second == cmd && k.tooSoon(r, bank, at) {
			return r.name
		}
	}
	if cmd == Activate {
		if k.spec.FAW > 0 && k.within(4, k.spec.FAW, at) {
			return "FAW"
		}
		if k.spec.AW32 > 0 && k.within(32, k.spec.AW32, at) {
			return "32AW"
		}
	}
	if (cmd == Read || cmd == Write) && k.collides(k.transfer(cmd, at)) {
		return "data bus"
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
func (k *Checker) tooSoon(r *rule, bank int, at uint64) bool {
	groups := k.spec.BankGroups
	for b, next := range k.given[r.first][:k.spec.Banks] {
		related := true
		switch r.scope {
		case sameBank:
			related = b == bank
		case otherBank:
			related = b != bank
		case sameGroup:
			related = b%groups == bank%groups
			if k.spec.GroupOf == GroupHigh {
				related = b*groups/k.spec.Banks == bank*groups/k.spec.Banks
			}
		}
		if related && next > 0 && int64(next)-1+int64(r.cycles) > int64(at) {
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

// transfer returns when the data of a column command pass.
func (k *Checker) transfer(cmd Command, at uint64) transfer {
	first := at + uint64(k.spec.CL)
	if cmd == Write {
		first = at + uint64(k.spec.WL)
	}
	return transfer{first, first + uint64(k.burst)}
}

func (k *Checker) collides(t transfer) bool {
	for _, o := range k.transfers {
		if t.from < o.to && o.from < t.to {
			return true
		}
	}
	return false
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
