package dram

import "fmt"

// Command is what a controller can tell a channel to do.
type Command uint8

const (
	Activate Command = iota
	Precharge
	Read
	Write
	Refresh     // all banks; all must be closed
	RefreshBank // one bank, which must be closed
	numCommands
)

var commandNames = [...]string{"ACT", "PRE", "RD", "WR", "REF", "REFpb"}

// String returns the command's usual abbreviation.
func (c Command) String() string { return commandNames[c] }

// Channel is the state of one channel: which rows are open, and from which cycle
// each command is allowed. It is a plain value; copying it copies its state.
type Channel struct {
	t *Timing
	channelState
}

type channelState struct {
	// Earliest cycles by the constraints between commands anywhere (with the windows of activates), in a
	// bank group, and in a bank.
	anywhere earliest
	group    [MaxGroups]earliest
	bank     [MaxBanks]earliest
	// Earliest cycles by the command buses.
	rowBus, columnBus uint64
	// The parts of the earliest cycles that come from a last burst in the other direction.
	turnRD, turnWR uint64
	groupTurnRD    [MaxGroups]uint64

	open uint32 // bit per bank with an open row
	row  [MaxBanks]uint32

	// Ends of the windows opened by the last activates: the next one may not come
	// before the oldest of them.
	next4, next32 uint8
	window4       [4]uint64
	window32      [32]uint64
}

// earliest holds the first legal cycle of each command.
type earliest [8]uint64

// NewChannel returns a channel with all banks closed. t is shared and never
// written.
func NewChannel(t *Timing) Channel { return Channel{t: t} }

// OpenRow returns the open row of a bank.
func (c *Channel) OpenRow(bank int) (row uint32, open bool) {
	return c.row[bank], c.open>>bank&1 != 0
}

// OpenBanks returns a bit for each bank with an open row.
func (c *Channel) OpenBanks() uint32 { return c.open }

// EarliestColumn returns the first cycle at which a read or write of a bank keeps
// every timing constraint. It does not check that the right row is open; Issue does.
func (c *Channel) EarliestColumn(cmd Command, bank int) uint64 {
	bank &= MaxBanks - 1
	group := c.t.GroupOf(bank)
	if cmd == Read {
		return max(c.bank[bank][Read], c.group[group][Read], c.anywhere[Read], c.columnBus)
	}
	return max(c.bank[bank][Write], c.group[group][Write], c.anywhere[Write], c.columnBus)
}

// EarliestRow is EarliestColumn for activates and precharges.
func (c *Channel) EarliestRow(cmd Command, bank int) uint64 {
	bank &= MaxBanks - 1
	if cmd == Precharge {
		return max(c.bank[bank][Precharge], c.anywhere[Precharge], c.rowBus)
	}
	return max(c.bank[bank][Activate], c.group[c.t.GroupOf(bank)][Activate], c.anywhere[Activate], c.rowBus)
}

// EarliestRefreshBank is EarliestColumn for a refresh of one bank.
func (c *Channel) EarliestRefreshBank(bank int) uint64 {
	bank &= MaxBanks - 1
	return max(c.bank[bank][RefreshBank], c.group[c.t.GroupOf(bank)][RefreshBank], c.anywhere[RefreshBank], c.rowBus)
}

// ColumnFloor is a cycle before which no column command of the kind can be given.
func (c *Channel) ColumnFloor(cmd Command) uint64 {
	if cmd == Read {
		return max(c.anywhere[Read], c.columnBus)
	}
	return max(c.anywhere[Write], c.columnBus)
}

// FirstColumn returns the place in a list of banks of the first one that can take a read or write
// soonest, and the cycle, which is not before floor.
func (c *Channel) FirstColumn(cmd Command, banks []uint8, floor uint64) (first int, at uint64) {
	floor = max(floor, c.ColumnFloor(cmd))
	at = ^uint64(0)
	for i, n := range banks {
		if v := max(c.EarliestColumn(cmd, int(n)), floor); v < at {
			first, at = i, v
			if v == floor {
				break
			}
		}
	}
	return first, at
}

// RowFloor is a cycle before which no row command of any bank can be given.
func (c *Channel) RowFloor() uint64 { return c.rowBus }

// TurnaroundEnd returns the first cycle at which the last burst, if it went in the other
// direction, no longer forbids a column command.
func (c *Channel) TurnaroundEnd(cmd Command, bank int) uint64 {
	if cmd == Read {
		return max(c.turnRD, c.groupTurnRD[c.t.GroupOf(bank)])
	}
	return c.turnWR
}

// ActivateFloor is a cycle before which no bank can be activated.
func (c *Channel) ActivateFloor() uint64 { return max(c.anywhere[Activate], c.rowBus) }

// EarliestRefresh returns the first cycle at which all banks have been closed
// long enough.
func (c *Channel) EarliestRefresh() uint64 { return max(c.anywhere[Refresh], c.rowBus, c.columnBus) }

// Earliest returns the first cycle from at on at which the command may be issued.
func (c *Channel) Earliest(cmd Command, bank int, at uint64) uint64 {
	switch cmd {
	case Activate, Precharge:
		return max(at, c.EarliestRow(cmd, bank))
	case Read, Write:
		return max(at, c.EarliestColumn(cmd, bank))
	case RefreshBank:
		return max(at, c.EarliestRefreshBank(bank))
	}
	return max(at, c.EarliestRefresh())
}

// Issue gives the command at cycle at and returns the cycle at which its last
// data beat has passed (Read, Write), or at. An illegal command panics.
func (c *Channel) Issue(cmd Command, bank int, row uint32, at uint64) (dataEnd uint64) {
	if cmd == Read || cmd == Write {
		return c.Column(cmd, bank, row, at)
	}
	c.require(cmd, bank, row, at)
	c.rowBus = at + 1
	if !c.t.SeparateRowBus {
		c.columnBus = at + 1
	}
	t := c.t
	b := &c.bank[bank&(MaxBanks-1)]
	switch cmd {
	case Activate:
		c.open |= 1 << bank
		c.row[bank] = row
		// An activate was legal at cycle at, so its distances to the next need no comparison.
		d := &t.activate
		b[Activate], c.group[t.GroupOf(bank)][Activate] = at+d.same, at+d.sameGroup
		b[Precharge] = max(b[Precharge], at+d.precharge)
		b[Read], b[Write] = max(b[Read], at+d.read), max(b[Write], at+d.write)
		c.window4[c.next4&3] = at + t.window4
		c.next4++
		c.anywhere[Activate] = max(at+d.sameAnywhere, c.window4[c.next4&3])
		if t.window32 > 0 {
			c.window32[c.next32&31] = at + t.window32
			c.next32++
			c.anywhere[Activate] = max(c.anywhere[Activate], c.window32[c.next32&31])
		}
	case Precharge:
		c.open &^= 1 << bank
		b[Activate] = max(b[Activate], at+t.RP)
	}
	if t.rest[cmd].n > 0 {
		c.given(&t.rest[cmd], bank, at)
	}
	return at
}

// given moves the earliest cycles that an effect of a command at cycle at has.
func (c *Channel) given(list *effects, bank int, at uint64) {
	n := bank & (MaxBanks - 1)
	of := [4]*earliest{SameBank: &c.bank[n], SameGroup: &c.group[c.t.GroupOf(n)], Anywhere: &c.anywhere}
	for i := range list.n {
		d := &list.list[i&(maxEffects-1)]
		e := &of[d.scope&3][d.second&7]
		*e = max(*e, at+d.cycles)
	}
}

// Column is Issue for a read or write, which are most commands. What nearly every standard asks of them is done without
// a loop.
func (c *Channel) Column(cmd Command, bank int, row uint32, at uint64) (dataEnd uint64) {
	t, n := c.t, bank&(MaxBanks-1)
	group := t.group[n] & (MaxGroups - 1)
	if g := &c.group[group]; c.open>>n&1 == 0 || c.row[n] != row || at < c.columnBus ||
		at < c.bank[n][cmd&7] || at < g[cmd&7] || at < c.anywhere[cmd&7] {
		panic(c.illegal(cmd, bank, row, at))
	} else if cmd == Read {
		// A command of the same kind was legal at cycle at, so its distances need no comparison.
		d := &t.read
		g[Read], c.anywhere[Read] = at+d.sameGroup, at+d.same
		c.turnWR = at + d.other
		c.anywhere[Write] = max(c.anywhere[Write], c.turnWR)
		c.bank[n][Precharge] = max(c.bank[n][Precharge], at+d.precharge)
		dataEnd = at + d.data
	} else {
		d := &t.write
		g[Write], c.anywhere[Write] = at+d.sameGroup, at+d.same
		c.turnRD, c.groupTurnRD[group] = at+d.other, at+d.otherGroup
		g[Read] = max(g[Read], at+d.otherGroup)
		c.anywhere[Read] = max(c.anywhere[Read], at+d.other)
		c.bank[n][Precharge] = max(c.bank[n][Precharge], at+d.precharge)
		dataEnd = at + d.data
	}
	c.columnBus = at + 1
	if !t.SeparateRowBus {
		c.rowBus = at + 1
	}
	if r := &t.rest[cmd&7]; r.n > 0 {
		c.given(r, n, at)
	}
	return dataEnd
}

func (c *Channel) require(cmd Command, bank int, row uint32, at uint64) {
	open := c.open>>bank&1 != 0
	ok := false
	switch cmd {
	case Activate:
		ok = !open && at >= c.EarliestRow(cmd, bank)
	case Precharge:
		ok = open && at >= c.EarliestRow(cmd, bank)
	case Refresh:
		ok = c.t.REFI > 0 && !c.t.RefreshPerBank && c.open == 0 && at >= c.EarliestRefresh()
	case RefreshBank:
		ok = c.t.REFI > 0 && c.t.RefreshPerBank && !open && at >= c.EarliestRefreshBank(bank)
	}
	if !ok {
		panic(c.illegal(cmd, bank, row, at))
	}
}

// illegal says what is wrong with a command.
func (c *Channel) illegal(cmd Command, bank int, row uint32, at uint64) string {
	return fmt.Sprintf("dram: illegal %v of bank %d row %d at cycle %d (open %v row %d, earliest %d)",
		cmd, bank, row, at, c.open>>bank&1 != 0, c.row[bank], c.Earliest(cmd, bank, 0))
}
