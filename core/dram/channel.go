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
	// Earliest cycle of each command by the constraints of the whole channel.
	anyACT, anyREF, anyRD, anyWR uint64 // anyACT holds the windows of activates, too
	rowBus, columnBus            uint64
	turnRD, turnWR               uint64 // the part that comes from a last burst in the other direction
	open                         uint32 // bit per bank with an open row

	next4, next32 uint8

	// Earliest cycle by the constraints of the bank group.
	group [MaxGroups]groupTimes
	bank  [MaxBanks]bankTimes

	// Ends of the windows opened by the last activates: the next one may not come
	// before the oldest of them.
	window4  [4]uint64
	window32 [32]uint64
}

// groupTimes are the earliest cycles of commands of a bank group; turnRD is the part that comes from a
// last write.
type groupTimes struct{ rd, wr, act, turnRD uint64 }

// bankTimes are the earliest cycles of commands of a bank, and its open row.
type bankTimes struct {
	rd, wr, pre, act uint64
	row              uint32
}

// NewChannel returns a channel with all banks closed. t is shared and never
// written.
func NewChannel(t *Timing) Channel { return Channel{t: t} }

// OpenRow returns the open row of a bank.
func (c *Channel) OpenRow(bank int) (row uint32, open bool) {
	return c.bank[bank].row, c.open>>bank&1 != 0
}

// OpenBanks returns a bit for each bank with an open row.
func (c *Channel) OpenBanks() uint32 { return c.open }

// EarliestColumn returns the first cycle at which a read or write of a bank keeps
// every timing constraint. It does not check that the right row is open; Issue does.
func (c *Channel) EarliestColumn(cmd Command, bank int) uint64 {
	bank &= MaxBanks - 1
	group := c.t.GroupOf(bank)
	if cmd == Read {
		return max(c.bank[bank].rd, c.group[group].rd, c.anyRD, c.columnBus)
	}
	return max(c.bank[bank].wr, c.group[group].wr, c.anyWR, c.columnBus)
}

// EarliestRow is EarliestColumn for activates and precharges.
func (c *Channel) EarliestRow(cmd Command, bank int) uint64 {
	bank &= MaxBanks - 1
	if cmd == Precharge {
		return max(c.bank[bank].pre, c.rowBus)
	}
	group := c.t.GroupOf(bank)
	return max(c.bank[bank].act, c.group[group].act, c.anyACT, c.rowBus)
}

// ColumnFloor is a cycle before which no column command of the kind can be given.
func (c *Channel) ColumnFloor(cmd Command) uint64 {
	if cmd == Read {
		return max(c.anyRD, c.columnBus)
	}
	return max(c.anyWR, c.columnBus)
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
		return max(c.turnRD, c.group[c.t.GroupOf(bank)].turnRD)
	}
	return c.turnWR
}

// ActivateFloor is a cycle before which no bank can be activated.
func (c *Channel) ActivateFloor() uint64 { return max(c.anyACT, c.rowBus) }

// EarliestRefreshBank returns the first cycle at which a bank has been closed
// long enough, and the last activate or refresh of another bank is far enough away.
func (c *Channel) EarliestRefreshBank(bank int) uint64 {
	bank &= MaxBanks - 1
	group := c.t.GroupOf(bank)
	return max(c.bank[bank].act, c.group[group].act, c.anyREF, c.rowBus)
}

// EarliestRefresh returns the first cycle at which all banks have been closed
// long enough.
func (c *Channel) EarliestRefresh() uint64 {
	at := max(c.rowBus, c.columnBus)
	for b := range c.t.Banks {
		at = max(at, c.bank[b].act)
	}
	return at
}

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
	t, group := c.t, c.t.GroupOf(bank)
	c.rowBus = at + 1
	if !t.SeparateRowBus {
		c.columnBus = at + 1
	}
	switch cmd {
	case Activate:
		c.open |= 1 << bank
		c.bank[bank].row = row
		c.bank[bank].act = at + t.RC
		c.bank[bank].pre = at + t.RAS
		c.bank[bank].rd, c.bank[bank].wr = at+t.RCD, at+t.RCDWR
		c.group[group].act, c.anyREF = at+t.RRDL, at+t.RRDS
		c.window4[c.next4&3] = at + t.FAW
		c.next4++
		c.anyACT = max(at+t.RRDS, c.window4[c.next4&3])
		if t.AW32 > 0 {
			c.window32[c.next32&31] = at + t.AW32
			c.next32++
			c.anyACT = max(c.anyACT, c.window32[c.next32&31])
		}
	case Precharge:
		c.open &^= 1 << bank
		c.bank[bank].act = max(c.bank[bank].act, at+t.RP)
	case Refresh:
		for b := range t.Banks {
			c.bank[b].act = at + t.RFC
		}
	case RefreshBank:
		c.bank[bank].act = at + t.RFC
		c.anyACT = max(c.anyACT, at+t.RREFD)
		c.anyREF = at + t.RREFD
	}
	return at
}

// Column is Issue for a read or write, which are most commands.
func (c *Channel) Column(cmd Command, bank int, row uint32, at uint64) (dataEnd uint64) {
	t, n := c.t, bank&(MaxBanks-1)
	group := t.group[n] & (MaxGroups - 1)
	legal := c.open>>n&1 != 0 && c.bank[n].row == row && at >= c.columnBus
	if cmd == Read {
		if !legal || at < c.bank[n].rd || at < c.group[group].rd || at < c.anyRD {
			panic(c.illegal(cmd, bank, row, at))
		}
		c.group[group].rd, c.anyRD = at+t.CCDL, at+t.CCDS
		c.turnWR = at + t.RTW
		c.anyWR = max(c.anyWR, c.turnWR)
		c.bank[n].pre = max(c.bank[n].pre, at+t.RTP)
		dataEnd = at + t.CL + t.BurstCycles
	} else {
		if !legal || at < c.bank[n].wr || at < c.group[group].wr || at < c.anyWR {
			panic(c.illegal(cmd, bank, row, at))
		}
		c.group[group].wr, c.anyWR = at+t.CCDL, at+t.CCDS
		c.turnRD, c.group[group].turnRD = at+t.WTRS, at+t.WTRL
		c.group[group].rd = max(c.group[group].rd, at+t.WTRL)
		c.anyRD = max(c.anyRD, at+t.WTRS)
		c.bank[n].pre = max(c.bank[n].pre, at+t.WTP)
		dataEnd = at + t.WL + t.BurstCycles
	}
	c.columnBus = at + 1
	if !t.SeparateRowBus {
		c.rowBus = at + 1
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
		ok = c.open == 0 && at >= c.EarliestRefresh()
	case RefreshBank:
		ok = !open && at >= c.EarliestRefreshBank(bank)
	}
	if !ok {
		panic(c.illegal(cmd, bank, row, at))
	}
}

// illegal says what is wrong with a command.
func (c *Channel) illegal(cmd Command, bank int, row uint32, at uint64) string {
	return fmt.Sprintf("dram: illegal %v of bank %d row %d at cycle %d (open %v row %d, earliest %d)",
		cmd, bank, row, at, c.open>>bank&1 != 0, c.bank[bank].row, c.Earliest(cmd, bank, 0))
}
