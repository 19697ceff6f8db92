package dram

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// allConstraints is a device in which every constraint exists and differs from
// the others.
func allConstraints() Spec {
	s := GTX480()
	s.RRDL, s.CDLRL, s.FAW, s.RFC, s.REFI, s.RTP, s.RC = 9, 8, 37, 90, 3800, 4, 43
	s.AW32, s.RFCPB, s.RREFD = 600, 50, 11
	return s
}

type step struct {
	cmd  Command
	bank int
	row  uint32
	at   uint64
}

// One cycle early fails by the constraint's name, on time passes; and Channel's
// earliest cycle is the same one.
func TestEveryConstraintToTheCycle(t *testing.T) {
	for _, c := range pins() {
		if message := c.wrong(); message != "" {
			t.Errorf("%s: %s, %v of bank %d: %s", c.spec.Name, c.name, c.last.cmd, c.last.bank, message)
		}
	}
}

// commonPins are cases of allConstraints, whose numbers are worked out by hand.
func commonPins() []pin {
	const far = 1000
	two := []step{{Activate, 0, 1, 0}, {Activate, 1, 1, 100}}
	group := []step{{Activate, 0, 1, 0}, {Activate, 4, 1, 100}}
	then := func(before []step, s step) []step { return append(slices.Clone(before), s) }
	cases := []pin{
		{name: "RCD", before: []step{{Activate, 0, 1, 0}}, last: step{Read, 0, 1, 0}, legal: 12},
		{name: "command bus", before: two, last: step{Read, 0, 1, 0}, legal: 101},
		{name: "RCDWR", before: []step{{Activate, 0, 1, 0}}, last: step{Write, 0, 1, 0}, legal: 7},
		{name: "command bus", before: two, last: step{Write, 0, 1, 0}, legal: 101},
		{name: "RAS", before: []step{{Activate, 0, 1, 0}}, last: step{Precharge, 0, 1, 0}, legal: 28},
		{name: "command bus", before: two, last: step{Precharge, 0, 1, 0}, legal: 101},
		{name: "RP", before: []step{{Activate, 0, 1, 0}, {Precharge, 0, 1, far}}, last: step{Activate, 0, 2, 0}, legal: far + 12},
		{name: "command bus", before: []step{{Activate, 0, 1, 0}, {Precharge, 0, 1, far}}, last: step{Activate, 1, 2, 0}, legal: far + 1},
		{name: "RC", before: []step{{Activate, 0, 1, 0}, {Precharge, 0, 1, 28}}, last: step{Activate, 0, 2, 0}, legal: 43},
		{name: "RRD_S", before: []step{{Activate, 0, 1, 0}}, last: step{Activate, 1, 1, 0}, legal: 6},
		{name: "RRD_L", before: []step{{Activate, 0, 1, 0}}, last: step{Activate, 4, 1, 0}, legal: 9},
		{name: "CCD_S", before: then(two, step{Read, 0, 1, 200}), last: step{Read, 1, 1, 0}, legal: 202},
		{name: "CCD_L", before: then(group, step{Read, 0, 1, 200}), last: step{Read, 4, 1, 0}, legal: 203},
		{name: "CCD_S", before: then(two, step{Write, 0, 1, 200}), last: step{Write, 1, 1, 0}, legal: 202},
		{name: "CCD_L", before: then(group, step{Write, 0, 1, 200}), last: step{Write, 4, 1, 0}, legal: 203},
		{name: "RTW", before: then(two, step{Read, 0, 1, 200}), last: step{Write, 1, 1, 0}, legal: 212},
		{name: "WTR_S", before: then(two, step{Write, 0, 1, 200}), last: step{Read, 1, 1, 0}, legal: 211},
		{name: "WTR_L", before: then(group, step{Write, 0, 1, 200}), last: step{Read, 4, 1, 0}, legal: 214},
		{name: "RTP", before: []step{{Activate, 0, 1, 0}, {Read, 0, 1, 200}}, last: step{Precharge, 0, 1, 0}, legal: 204},
		{name: "command bus", before: then(two, step{Read, 0, 1, 200}), last: step{Precharge, 1, 1, 0}, legal: 201},
		{name: "WR", before: []step{{Activate, 0, 1, 0}, {Write, 0, 1, 200}}, last: step{Precharge, 0, 1, 0}, legal: 218},
		{name: "command bus", before: then(two, step{Write, 0, 1, 200}), last: step{Precharge, 1, 1, 0}, legal: 201},
		{name: "FAW", before: []step{{Activate, 0, 1, 0}, {Activate, 1, 1, 6}, {Activate, 2, 1, 12}, {Activate, 3, 1, 18}}, last: step{Activate, 4, 1, 0}, legal: 37},
		{name: "32AW", before: manyActivates(), last: step{Activate, 15, 5, 0}, legal: 600},
		{name: "RFC", before: []step{{Refresh, 0, 0, 0}}, last: step{Activate, 0, 1, 0}, legal: 90},
		{name: "RFC", before: []step{{Refresh, 0, 0, 0}}, last: step{Refresh, 0, 0, 0}, legal: 90},
		{name: "RP", before: []step{{Activate, 0, 1, 0}, {Precharge, 0, 1, 100}}, last: step{Refresh, 0, 0, 0}, legal: 112},
		{name: "RC", before: []step{{Activate, 0, 1, 0}, {Precharge, 0, 1, 28}}, last: step{Refresh, 0, 0, 0}, legal: 43},
		{name: "RP", before: []step{{Activate, 0, 1, 0}, {Precharge, 0, 1, 100}}, last: step{RefreshBank, 0, 0, 0}, legal: 112},
		{name: "command bus", before: []step{{Activate, 1, 1, 0}, {Precharge, 1, 1, 100}}, last: step{RefreshBank, 0, 0, 0}, legal: 101},
		{name: "RC", before: []step{{Activate, 0, 1, 0}, {Precharge, 0, 1, 28}}, last: step{RefreshBank, 0, 0, 0}, legal: 43},
		{name: "RRD_S", before: []step{{Activate, 0, 1, 0}}, last: step{RefreshBank, 1, 0, 0}, legal: 6},
		{name: "RRD_L", before: []step{{Activate, 0, 1, 0}}, last: step{RefreshBank, 4, 0, 0}, legal: 9},
		{name: "RFCPB", before: []step{{RefreshBank, 0, 0, 0}}, last: step{Activate, 0, 1, 0}, legal: 50},
		{name: "RFCPB", before: []step{{RefreshBank, 0, 0, 0}}, last: step{RefreshBank, 0, 0, 0}, legal: 50},
		{name: "RREFD", before: []step{{RefreshBank, 0, 0, 0}}, last: step{Activate, 1, 1, 0}, legal: 11},
		{name: "RREFD", before: []step{{RefreshBank, 0, 0, 0}}, last: step{RefreshBank, 1, 1, 0}, legal: 11},
	}
	for i := range cases {
		c := &cases[i]
		c.spec, c.mag = allConstraints(), 32
		if c.before[0].cmd == RefreshBank || c.last.cmd == RefreshBank {
			c.spec.Refresh = RefreshPerBank
		}
	}
	// HBM2 takes a column command each clock, and a burst of 64 bytes takes two.
	return append(cases,
		pin{"data bus", HBM2_8Gb(), 64, then(two, step{Read, 0, 1, 200}), step{Read, 1, 1, 0}, 202},
		pin{"data bus", HBM2_8Gb(), 64, then(two, step{Write, 0, 1, 200}), step{Write, 1, 1, 0}, 202})
}

// manyActivates opens and closes banks as fast as everything but the window of 32
// allows.
func manyActivates() []step {
	spec := allConstraints()
	spec.AW32 = 0
	timing, err := spec.Resolve(32)
	if err != nil {
		panic(err)
	}
	ch := NewChannel(&timing)
	var steps []step
	now := uint64(0)
	give := func(cmd Command, bank int, row uint32) {
		at := ch.Earliest(cmd, bank, now)
		ch.Issue(cmd, bank, row, at)
		steps = append(steps, step{cmd, bank, row, at})
		now = at
	}
	for i := range 32 {
		if bank := i % 15; i < 15 {
			give(Activate, bank, 1)
		} else {
			give(Precharge, bank, uint32(i/15))
			give(Activate, bank, uint32(i/15+1))
		}
	}
	return steps
}

func TestCheckerNamesWrongStates(t *testing.T) {
	for _, c := range []struct {
		want  string
		steps []step
	}{
		{"bank already open", []step{{Activate, 0, 1, 0}, {Activate, 0, 2, 100}}},
		{"bank not open", []step{{Precharge, 0, 1, 0}}},
		{"row not open", []step{{Activate, 0, 1, 0}, {Read, 0, 2, 100}}},
		{"refresh with open banks", []step{{Activate, 0, 1, 0}, {Refresh, 0, 0, 100}}},
		{"refresh of an open bank", []step{{Activate, 0, 1, 0}, {RefreshBank, 0, 0, 100}}},
		{"no such bank", []step{{Activate, 16, 1, 0}}},
		{"order of time", []step{{Activate, 0, 1, 10}, {Activate, 1, 1, 5}}},
	} {
		k := NewChecker(GTX480(), 32)
		for _, s := range c.steps {
			k.Command(s.cmd, s.bank, s.row, s.at)
		}
		if k.Err() == nil || !strings.Contains(k.Err().Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, k.Err())
		}
	}
}

// devices are the DRAM types, each with the burst it is used with.
func devices() map[string]struct {
	spec Spec
	mag  int
} {
	type device = struct {
		spec Spec
		mag  int
	}
	groups := GDDR5_8Gb_x32()
	groups.BankGroups = 4
	perBank := HBM2_8Gb()
	perBank.Refresh = RefreshPerBank
	return map[string]device{
		"gtx480":              {GTX480(), 32},
		"gtx480 refreshed":    {GTX480().GDDR5Refresh(924), 32},
		"gddr5":               {GDDR5_8Gb_x32(), 32},
		"gddr5 bank groups":   {groups, 32},
		"gtx480 MAG 16":       {GTX480(), 16},
		"gtx480 MAG 64":       {allConstraints(), 64},
		"p100":                {P100(), 32},
		"p100 refreshed":      {P100().HBM2Refresh(715), 32},
		"v100":                {V100().HBM2Refresh(850), 32},
		"hbm2 legacy":         {HBM2_8Gb(), 64},
		"hbm2 pseudo-channel": {HBM2_8Gb().PseudoChannel(), 32},
		"hbm2 bank by bank":   {perBank, 64},
		"a100":                {A100(), 32},
		"h100":                {H100(), 32},
		"h200":                {H200(), 32},
		"gddr6":               {GDDR6(), 32},
		"gddr6x":              {GDDR6X(), 32},
		"gddr6x 21":           {GDDR6X21(), 32},
		"lpddr5":              {LPDDR5(), 32},
		"lpddr5x":             {LPDDR5X(), 32},
	}
}

// player gives random commands, each at the earliest cycle Channel allows or
// somewhat later, to a channel and a checker.
type player struct {
	spec  Spec
	rnd   sim.Rand
	ch    Channel
	check *Checker
	now   uint64
	due   uint64 // of the next refresh
	turn  int    // bank of the next refresh of one bank
}

func newPlayer(t testing.TB, spec Spec, mag int, seed uint64) *player {
	timing := resolve(t, spec, mag)
	return &player{
		spec: spec, rnd: sim.NewRand(seed, 7), ch: NewChannel(timing), check: NewChecker(spec, mag), due: timing.REFI,
	}
}

// choose returns the next command and its earliest cycle.
func (p *player) choose() (cmd Command, bank int, row uint32, at uint64) {
	bank = p.rnd.Intn(p.spec.Banks)
	row, open := p.ch.OpenRow(bank)
	cmd = Activate
	if open {
		cmd = []Command{Precharge, Read, Read, Write, Write, Write}[p.rnd.Intn(6)]
	} else {
		row = uint32(p.rnd.Intn(100))
	}
	if p.due > 0 && p.now >= p.due {
		cmd, bank = p.refresh(cmd, bank)
		row, _ = p.ch.OpenRow(bank)
	}
	return cmd, bank, row, p.ch.Earliest(cmd, bank, p.now)
}

func (p *player) refresh(Command, int) (Command, int) {
	if p.spec.Refresh == RefreshPerBank {
		if _, open := p.ch.OpenRow(p.turn); open {
			return Precharge, p.turn
		}
		return RefreshBank, p.turn
	}
	for b := range p.spec.Banks {
		if _, open := p.ch.OpenRow(b); open {
			return Precharge, b
		}
	}
	return Refresh, 0
}

func (p *player) give(cmd Command, bank int, row uint32, at uint64) {
	p.ch.Issue(cmd, bank, row, at)
	p.check.Command(cmd, bank, row, at)
	p.now = at
	switch cmd {
	case Refresh:
		p.due += uint64(p.spec.REFI)
	case RefreshBank:
		p.turn = (p.turn + 1) % p.spec.Banks
		p.due += uint64(p.spec.REFI / p.spec.Banks)
	}
}

// Random commands at the earliest cycle Channel allows keep every rule of the
// checker; one cycle before the earliest breaks one.
func TestRandomCommandsAgreeWithChecker(t *testing.T) {
	for name, d := range devices() {
		p := newPlayer(t, d.spec, d.mag, 1)
		early := 0
		for range 12000 {
			cmd, bank, row, at := p.choose()
			if at > p.now {
				early++
				if p.check.violated(cmd, bank, row, at-1) == "" {
					t.Fatalf("%s: %v of bank %d at %d: the checker allows a cycle earlier", name, cmd, bank, at)
				}
			}
			if p.rnd.Intn(4) == 0 {
				at += uint64(p.rnd.Intn(30))
			}
			p.give(cmd, bank, row, at)
		}
		p.check.End(p.now)
		if p.check.Err() != nil {
			t.Errorf("%s: %v", name, p.check.Err())
		}
		if early < 3000 {
			t.Errorf("%s: only %d commands met a constraint", name, early)
		}
	}
}

// Long random schedules in which one command comes a cycle early: each constraint
// is broken on purpose in the middle of a legal schedule, wherever chance makes it
// the one that binds, and is found by its name.
func TestSeededViolationsAreFoundByName(t *testing.T) {
	dense := GDDR5_8Gb_x32()
	dense.AW32 = 3000 // random commands activate less often than traffic does
	perBank := allConstraints()
	perBank.Refresh = RefreshPerBank
	for _, c := range []struct {
		want string
		spec Spec
		mag  int
	}{
		{"RCD", GTX480(), 32}, {"RCDWR", GDDR5_8Gb_x32(), 32}, {"RAS", P100(), 32}, {"RP", GTX480(), 32},
		{"RC", allConstraints(), 32}, {"RRD_S", GTX480(), 32}, {"RRD_L", HBM2_8Gb(), 64},
		{"CCD_S", GTX480(), 32}, {"CCD_L", GTX480(), 32}, {"RTW", V100(), 32}, {"WTR_S", GTX480(), 32},
		{"WTR_L", HBM2_8Gb(), 64}, {"RTP", HBM2_8Gb(), 64}, {"WR", GDDR5_8Gb_x32(), 32},
		{"FAW", HBM2_8Gb(), 64}, {"32AW", dense, 32}, {"RFC", GDDR5_8Gb_x32(), 32},
		{"RFCPB", perBank, 32}, {"RREFD", A100(), 32}, {"command bus", GTX480(), 32}, {"data bus", HBM2_8Gb(), 64},
		{"state: row not open", GTX480(), 32}, {"state: bank already open", GTX480(), 32},
		{"state: bank not open", P100(), 32}, {"state: refresh with open banks", HBM2_8Gb(), 64},
		{"state: refresh of an open bank", A100(), 32}, {"REFI", GDDR5_8Gb_x32(), 32},
	} {
		if err := breakRule(t, c.want, c.spec, c.mag); err == nil || !strings.HasSuffix(err.Error(), "violates "+c.want) {
			t.Errorf("%s: broken in a random schedule of %s, found %v", c.want, c.spec.Name, err)
		}
	}
}

// breakRule plays until it can break a rule and returns what the checker found.
func breakRule(t *testing.T, want string, spec Spec, mag int) error {
	p := newPlayer(t, spec, mag, 3)
	for step := range 200000 {
		cmd, bank, row, at := p.choose()
		if step < 200 {
			p.give(cmd, bank, row, at)
			continue
		}
		_, open := p.ch.OpenRow(bank)
		switch {
		case want == "REFI":
			p.due = 0 // refreshes are forgotten
		case want == "state: row not open" && cmd == Read:
			row++
		case want == "state: bank already open" && open:
			cmd = Activate
		case want == "state: bank not open" && !open:
			cmd = Precharge
		case want == "state: refresh with open banks" && open:
			cmd = Refresh
		case want == "state: refresh of an open bank" && open:
			cmd = RefreshBank
		default:
			// The cycle before may break several rules; going on backwards from the
			// earliest cycle, the first that is broken alone has the name.
			if at > p.now && p.check.violated(cmd, bank, row, at-1) == want {
				at--
			}
		}
		if name := p.check.violated(cmd, bank, row, at); name != "" {
			p.check.Command(cmd, bank, row, at)
			return p.check.Err()
		}
		p.give(cmd, bank, row, at)
	}
	return fmt.Errorf("the rule never bound")
}

// A checker costs no memory however long the run.
func TestCheckerDoesNotAllocate(t *testing.T) {
	p := newPlayer(t, GDDR5_8Gb_x32(), 32, 5)
	if n := testing.AllocsPerRun(50, func() {
		for range 100 {
			cmd, bank, row, at := p.choose()
			p.give(cmd, bank, row, at)
		}
	}); n != 0 {
		t.Errorf("%v allocations in 100 commands", n)
	}
}
