package dram

import "fmt"

// Timing is a Spec at one burst size (MAG), resolved from its constraints to tables of integers.
type Timing struct {
	Banks, Groups   int
	group           [MaxBanks]uint8 // bank group of each bank
	BurstBytes      int
	BurstCycles     uint64 // data bus time of a burst
	RowBytes        int
	BytesPerCommand int
	SeparateRowBus  bool

	// between is the least distance from one command to another in each scope, 0 = none.
	between [numCommands][numCommands][numScopes]uint64
	// What Channel does without a loop is in activate, read and write, what else is not 0 in rest.
	activate    activateDistances
	read, write columnDistances
	rest        [8]effects // by the first command
	// window4 and window32 are the windows of so many activates, 0 = none.
	window4, window32 uint64

	// What a controller needs to know itself.
	RCD, RP uint64
	CL, WL  uint64 // column command to first data
	CCDS    uint64 // column to column of the same kind
	RTPL    uint64 // read to precharge of any bank of the group, as GPGPU-Sim has it
	RFC     uint64 // refresh to activate, of all banks or of the refreshed one
	REFI    uint64 // between refresh commands; 0 = no refresh

	RefreshPerBank bool
}

// activateDistances are those that nearly every standard has from an activate: to the next of the bank, the group and the
// channel, and to the other commands of the bank.
type activateDistances struct {
	same, sameGroup, sameAnywhere, precharge, read, write uint64
}

// columnDistances are those that nearly every standard has from a column command: to the same command and to the
// other one, to a precharge of the bank, and to the last beat.
type columnDistances struct {
	same, sameGroup, other, otherGroup, precharge, data uint64
}

// effect of a command: it moves the earliest cycle of a second command in a scope.
type effect struct {
	second Command
	scope  Scope
	cycles uint64
}

// effects are what one command changes.
type effects struct {
	list [maxEffects]effect
	n    uint8
}

const maxEffects = 32 // a power of two; a command has at most three with each other command

// Distance returns the least distance from one command to another, 0 if there is none.
func (t *Timing) Distance(first, second Command, scope Scope) uint64 {
	return t.between[first][second][scope]
}

// GroupOf returns the group of a bank.
func (t *Timing) GroupOf(bank int) int {
	return int(t.group[bank&(MaxBanks-1)] & (MaxGroups - 1))
}

// Resolve turns the constraints into tables for bursts of magBytes.
func (s *Spec) Resolve(magBytes int) (Timing, error) {
	if err := s.Validate(); err != nil {
		return Timing{}, err
	}
	if magBytes < s.BytesPerCommandClock || magBytes%s.BytesPerCommandClock != 0 ||
		magBytes > longestBurstBytes {
		return Timing{}, fmt.Errorf("dram: %s: bursts of %d bytes: want a multiple of the %d bytes the bus moves in a clock, "+
			"up to %d", s.Name, magBytes, s.BytesPerCommandClock, longestBurstBytes)
	}
	t := Timing{
		Banks: s.Banks, Groups: s.BankGroups,
		BurstBytes: magBytes, BurstCycles: uint64(magBytes / s.BytesPerCommandClock), RowBytes: s.RowBytes,
		BytesPerCommand: s.BytesPerCommandClock, SeparateRowBus: s.SeparateRowBus,
		CL: uint64(s.CL), WL: uint64(s.WL), REFI: uint64(s.REFI), RefreshPerBank: s.Refresh == RefreshPerBank,
	}
	for _, c := range s.Constraints(magBytes) {
		if err := t.add(&c); err != nil {
			return Timing{}, fmt.Errorf("dram: %s: %w", s.Name, err)
		}
	}
	t.list()
	for bank := range s.Banks {
		group := bank % s.BankGroups
		if s.GroupOf == GroupHigh {
			group = bank / (s.Banks / s.BankGroups)
		}
		t.group[bank] = uint8(group)
	}
	t.RCD, t.RP = t.between[Activate][Read][SameBank], t.between[Precharge][Activate][SameBank]
	t.CCDS = t.between[Read][Read][Anywhere]
	if s.BankGroups > 1 {
		t.RTPL = uint64(max(s.RTP, s.RTPL))
	}
	t.RFC = t.between[Refresh][Activate][Anywhere]
	if t.RefreshPerBank {
		t.RFC, t.REFI = t.between[RefreshBank][Activate][SameBank], uint64(s.REFI/s.Banks)
	}
	return t, nil
}

// add enters a constraint. Only what Channel can keep is possible.
func (t *Timing) add(c *Constraint) error {
	cycles := uint64(c.Cycles)
	switch {
	case c.Second == Refresh && c.Scope != Anywhere:
		return fmt.Errorf("constraint %s before %v, which has no bank: its scope must be anywhere", c.Symbol, c.Second)
	case c.Second == Precharge && c.Scope == SameGroup:
		return fmt.Errorf("constraint %s before %v: a channel keeps it for a bank or anywhere, not for a bank group", c.Symbol, c.Second)
	case c.Window == 0:
		d := &t.between[c.First][c.Second][c.Scope]
		*d = max(*d, cycles)
	case c.First != Activate || c.Second != Activate || c.Scope != Anywhere || c.Window != 4 && c.Window != 32:
		return fmt.Errorf("constraint %s: a window of %d %v before %v: a channel counts windows of 4 and 32 activates only", c.Symbol, c.Window, c.First, c.Second)
	case c.Window == 4:
		t.window4 = max(t.window4, cycles)
	default:
		t.window32 = max(t.window32, cycles)
	}
	return nil
}

// straight are the distances that Channel keeps without a loop.
var straight = [numCommands][numCommands][numScopes]bool{
	Activate: {
		Activate: {SameBank: true, SameGroup: true, Anywhere: true}, Precharge: {SameBank: true}, Read: {SameBank: true}, Write: {SameBank: true},
	},
	Precharge: {Activate: {SameBank: true}},
	Read:      {Read: {SameGroup: true, Anywhere: true}, Write: {Anywhere: true}, Precharge: {SameBank: true}},
	Write:     {Write: {SameGroup: true, Anywhere: true}, Read: {SameGroup: true, Anywhere: true}, Precharge: {SameBank: true}},
}

// list sorts the distances into those that Channel keeps without a loop and the rest. A refresh command that is never
// given is left out.
func (t *Timing) list() {
	for first := range numCommands {
		for second := range numCommands {
			if second >= Refresh && (t.REFI == 0 || t.RefreshPerBank != (second == RefreshBank)) {
				continue
			}
			for scope := range numScopes {
				if cycles := t.between[first][second][scope]; cycles > 0 && !straight[first][second][scope] {
					r := &t.rest[first]
					r.list[r.n] = effect{second, scope, cycles}
					r.n++
				}
			}
		}
	}
	a := &t.between[Activate]
	t.activate = activateDistances{
		a[Activate][SameBank], a[Activate][SameGroup], a[Activate][Anywhere], a[Precharge][SameBank], a[Read][SameBank], a[Write][SameBank],
	}
	column := func(cmd, other Command, latency uint64) columnDistances {
		d := &t.between[cmd]
		return columnDistances{
			d[cmd][Anywhere], d[cmd][SameGroup], d[other][Anywhere], d[other][SameGroup], d[Precharge][SameBank], latency + t.BurstCycles,
		}
	}
	t.read, t.write = column(Read, Write, t.CL), column(Write, Read, t.WL)
}
