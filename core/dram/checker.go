package dram

import "fmt"

// Watcher sees every command given to a channel.
type Watcher interface {
	Command(cmd Command, bank int, row uint32, at uint64)
}

// Checker watches the commands of one channel and keeps the first violation of
// the specification. It shares nothing with Channel: it remembers past commands
// and compares each new one with all of them, straight from the specification's
// rules, which is slow and obvious.
type Checker struct {
	spec   Spec
	rules  []rule
	past   []issued
	open   map[int]uint32
	window uint64 // no rule looks further back
	err    error
	count  int
}

type issued struct {
	cmd  Command
	bank int
	at   uint64
}

// scope says between which banks a rule holds.
type scope uint8

const (
	sameBank scope = iota
	sameGroup
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

// NewChecker returns a checker for bursts of magBytes.
func NewChecker(spec Spec, magBytes int) *Checker {
	s := spec
	burst := magBytes / s.BytesPerCommandClock
	ccd := max(ceilDiv(s.CCD*magBytes, s.BurstBytes), burst)
	ccdl := ceilDiv(s.CCDL*magBytes, s.BurstBytes)
	k := &Checker{spec: spec, open: map[int]uint32{}}
	k.rules = []rule{
		{"RCD", Activate, Read, sameBank, s.RCD},
		{"RCDWR", Activate, Write, sameBank, s.RCD - (s.WL + 1)},
		{"RAS", Activate, Precharge, sameBank, s.RAS},
		{"RC", Activate, Activate, sameBank, s.RC},
		{"RP", Precharge, Activate, sameBank, s.RP},
		{"RRD", Activate, Activate, anywhere, s.RRD},
		{"RRDL", Activate, Activate, sameGroup, s.RRDL},
		{"CCD", Read, Read, anywhere, ccd},
		{"CCD", Write, Write, anywhere, ccd},
		{"CCDL", Read, Read, sameGroup, ccdl},
		{"CCDL", Write, Write, sameGroup, ccdl},
		{"RTW", Read, Write, anywhere, s.CL + burst + 2 - s.WL},
		{"WTR", Write, Read, anywhere, s.WL + burst + s.CDLR},
		{"WTRL", Write, Read, sameGroup, s.WL + burst + s.CDLRL},
		{"RTP", Read, Precharge, sameBank, max(s.RTP, burst)},
		{"WTP", Write, Precharge, sameBank, s.WL + burst + s.WR},
		{"RP", Precharge, Refresh, anywhere, s.RP},
		{"RC", Activate, Refresh, anywhere, s.RC},
		{"RFC", Refresh, Activate, anywhere, s.RFC},
		{"RFC", Refresh, Refresh, anywhere, s.RFC},
	}
	for _, r := range k.rules {
		k.window = max(k.window, uint64(max(r.cycles, 0)))
	}
	k.window = max(k.window, uint64(s.FAW), uint64(s.CL+s.WL+2*burst))
	return k
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// Command checks one command. Commands come in the order of their cycles.
func (k *Checker) Command(cmd Command, bank int, row uint32, at uint64) {
	k.count++
	if name := k.violated(cmd, bank, row, at); name != "" && k.err == nil {
		k.err = fmt.Errorf("dram: command %d, %v of bank %d row %d at cycle %d, violates %s", k.count, cmd, bank, row, at, name)
	}
	switch cmd {
	case Activate:
		k.open[bank] = row
	case Precharge:
		delete(k.open, bank)
	}
	for len(k.past) > 0 && k.past[0].at+k.window < at {
		k.past = k.past[1:]
	}
	k.past = append(k.past, issued{cmd, bank, at})
}

// Err returns the first violation, nil if there is none.
func (k *Checker) Err() error { return k.err }

// Count returns how many commands were seen.
func (k *Checker) Count() int { return k.count }

// violated returns the name of the first rule a command breaks.
func (k *Checker) violated(cmd Command, bank int, row uint32, at uint64) string {
	openRow, open := k.open[bank]
	switch {
	case cmd == Activate && open:
		return "state: bank already open"
	case cmd == Precharge && !open:
		return "state: bank not open"
	case (cmd == Read || cmd == Write) && (!open || openRow != row):
		return "state: row not open"
	case cmd == Refresh && len(k.open) > 0:
		return "state: refresh with open banks"
	}
	for _, p := range k.past {
		if p.at > at {
			return "order of time"
		}
		if p.at == at && k.shareBus(p.cmd, cmd) {
			return "command bus"
		}
	}
	for _, r := range k.rules {
		for _, p := range k.past {
			if r.second != cmd || r.first != p.cmd {
				continue
			}
			if r.scope == sameBank && p.bank != bank || r.scope == sameGroup && k.group(p.bank) != k.group(bank) {
				continue
			}
			if int64(p.at)+int64(r.cycles) > int64(at) {
				return r.name
			}
		}
	}
	if cmd == Activate && k.spec.FAW > 0 {
		recent := 0
		for _, p := range k.past {
			if p.cmd == Activate && p.at+uint64(k.spec.FAW) > at {
				recent++
			}
		}
		if recent >= 4 {
			return "FAW"
		}
	}
	return ""
}

// group is the bank's group: GPGPU-Sim's dram_bnkgrp_indexing_policy 1, lower
// bits of the bank number.
func (k *Checker) group(bank int) int { return bank % k.spec.BankGroups }

func (k *Checker) shareBus(a, b Command) bool {
	column := func(c Command) bool { return c == Read || c == Write }
	return !k.spec.SeparateRowBus || column(a) == column(b)
}
