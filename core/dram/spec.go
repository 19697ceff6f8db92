// Package dram models a DRAM channel at command level: a symbolic timing
// specification, the integer tables it resolves to, the state of banks and
// buses, the map from addresses to banks and rows, and a checker that watches a
// command stream. It owns no clock: time is an argument, in command clock
// cycles.
package dram

import "fmt"

// MaxBanks and MaxGroups bound a channel, so that its state is a plain value.
const (
	MaxBanks  = 32
	MaxGroups = 8
	// longestBurstBytes is a whole block.
	longestBurstBytes = 128
)

// RefreshMode says what one refresh command covers.
type RefreshMode uint8

const (
	// RefreshAllBanks refreshes every bank at once: all must be closed, and none
	// can be used for RFC.
	RefreshAllBanks RefreshMode = iota
	// RefreshPerBank refreshes one bank after the other, Banks times as often;
	// only that bank must be closed, and it cannot be used for RFCPB.
	RefreshPerBank
)

// GroupRule says which bits of a bank's number are the number of its bank group.
type GroupRule uint8

const (
	// GroupLow takes the lowest bits: neighbouring banks are in different groups. It is
	// dram_bnkgrp_indexing_policy 1 of GPGPU-Sim 4.
	GroupLow GroupRule = iota
	// GroupHigh takes the highest bits: a group is a run of banks. GPGPU-Sim 3.2.1 knows
	// only this rule, and shifts the bank by one bit too many (memory_config::init): its
	// 4 groups of 16 banks are 2 groups of 8.
	GroupHigh
)

// Spec is a device's timing as its source states it, in command clock cycles unless the name
// says otherwise. The names come from GPGPU-Sim's options; Constants has the symbols of
// JEDEC. Zero switches a constraint marked optional off.
type Spec struct {
	Name   string
	Source string // where the constants come from
	// Exceptions are the values from other sources.
	Exceptions []Exception

	Standard             Standard
	Banks                int
	BankGroups           int // 1 = bank groups are switched off; the values for another group hold
	GroupOf              GroupRule
	RowBytes             int // size of an open row of one bank
	BytesPerCommandClock int // data bus: bytes moved in one command clock
	BurstBytes           int // burst for which CCD and CCDL are stated
	// SeparateRowBus lets a row command and a column command start in one clock,
	// as HBM does; otherwise all commands share one bus.
	SeparateRowBus bool

	RCD   int // activate to read
	RCDWR int // activate to write; 0 = RCD - (WL + 1), as GPGPU-Sim derives it
	RAS   int // activate to precharge
	RP    int // precharge to activate
	RC    int // activate to activate, one bank
	RRD   int // activate to activate, another bank group
	RRDL  int // activate to activate, same bank group; 0 = RRD
	CCD   int // column to column, another bank group
	CCDL  int // column to column, same bank group
	CL    int // read to first data
	WL    int // write to first data
	CDLR  int // last write data to read, another bank group (WTR)
	// CDLRL is CDLR inside one bank group; 0 = CDLR.
	CDLRL int
	WR    int // last write data to precharge
	RTP   int // read to precharge without bank groups; never less than the burst
	RTPL  int // read to precharge with bank groups; 0 = RTP
	FAW   int // window of four activates, optional
	AW32  int // window of 32 activates, optional

	Refresh RefreshMode
	REFI    int // refresh interval, optional
	RFC     int // refresh of all banks to any command; needed when REFI is set
	RFCPB   int // refresh of one bank to its next activate; needed for RefreshPerBank
	RREFD   int // refresh of one bank to activate or refresh of another; at least RRD
	RREF    int // refresh of one bank to refresh of another, optional; at least RREFD
}

// Exception is the source of a value that the Spec's own source does not state.
type Exception struct {
	Symbol string
	Source string
}

// Validate reports the first value that is not possible.
func (s *Spec) Validate() error {
	switch {
	case s.Banks < 1 || s.Banks > MaxBanks || s.Banks&(s.Banks-1) != 0:
		return fmt.Errorf("dram: %s: %d banks: want a power of two up to %d", s.Name, s.Banks, MaxBanks)
	case s.BankGroups < 1 || s.BankGroups > MaxGroups || s.Banks%s.BankGroups != 0 || s.BankGroups&(s.BankGroups-1) != 0:
		return fmt.Errorf("dram: %s: %d bank groups for %d banks: want a power of two up to %d that divides the banks", s.Name, s.BankGroups, s.Banks, MaxGroups)
	case int(s.Standard) >= len(Standards):
		return fmt.Errorf("dram: %s: standard %d: want a row of Standards", s.Name, s.Standard)
	case s.GroupOf > GroupHigh:
		return fmt.Errorf("dram: %s: rule %d for the bank group of a bank: want low (0) or high (1)", s.Name, s.GroupOf)
	case s.RowBytes < 128 || s.RowBytes&(s.RowBytes-1) != 0:
		return fmt.Errorf("dram: %s: rows of %d bytes: want a power of two of at least one 128-byte block", s.Name, s.RowBytes)
	case s.BytesPerCommandClock < 1 || s.BurstBytes%s.BytesPerCommandClock != 0 || s.BurstBytes == 0:
		return fmt.Errorf("dram: %s: a burst of %d bytes at %d bytes a clock: want a whole number of clocks", s.Name, s.BurstBytes, s.BytesPerCommandClock)
	}
	for i := range Constants {
		c := &Constants[i]
		if c.of == nil {
			continue
		}
		if n := int64(*c.of(s)); n < c.Low || n > c.High {
			return fmt.Errorf("dram: %s: %s of %d: want %d to %d", s.Name, c.Symbol, n, c.Low, c.High)
		}
	}
	return s.validateRefresh()
}

func (s *Spec) validateRefresh() error {
	switch {
	case s.Refresh > RefreshPerBank:
		return fmt.Errorf("dram: %s: refresh mode %d: want all banks (0) or one bank (1)", s.Name, s.Refresh)
	case s.REFI == 0:
		return nil
	case s.Refresh == RefreshAllBanks && (s.RFC < 1 || s.RFC >= s.REFI):
		return fmt.Errorf("dram: %s: refresh every %d cycles needs an RFC below that; it is %d", s.Name, s.REFI, s.RFC)
	case s.Refresh == RefreshPerBank && (s.RFCPB < 1 || s.RFCPB >= s.REFI || s.REFI < s.Banks):
		return fmt.Errorf("dram: %s: refreshing %d banks in turn every %d cycles needs an RFCPB below that; it is %d",
			s.Name, s.Banks, s.REFI, s.RFCPB)
	case s.Refresh == RefreshPerBank:
		if chain, cycles := s.longestToRefreshBank(); cycles >= s.REFI/s.Banks {
			return fmt.Errorf("dram: %s: a bank is refreshed every %d cycles (REFI of %d, %d banks), and "+
				"it can take %d to get one ready (%s): want a longer REFI or shorter distances",
				s.Name, s.REFI/s.Banks, s.REFI, s.Banks, cycles, chain)
		}
	}
	return nil
}

// longestToRefreshBank returns the most cycles for which a refresh that is due can wait for the commands before it, for
// the longest bursts, and the constraints that make it wait. Banks are refreshed in turn: where this is longer than
// the time from one to the next, a busy controller falls behind for good.
func (s *Spec) longestToRefreshBank() (chain string, cycles int) {
	all := s.Constraints(longestBurstBytes)
	var close Constraint
	for _, c := range all {
		if c.Second == Precharge && c.Cycles > close.Cycles {
			close = c
		}
	}
	for _, c := range all {
		switch {
		case c.Second != RefreshBank || c.First == RefreshBank && c.Scope == SameBank:
		case c.First == Precharge && close.Cycles+c.Cycles > cycles:
			chain, cycles = close.Symbol+" + "+c.Symbol, close.Cycles+c.Cycles
		case c.Cycles > cycles:
			chain, cycles = c.Symbol, c.Cycles
		}
	}
	return chain, cycles
}
