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
)

// Spec is a device's timing as its source states it: names are the JEDEC
// symbols without the t, values are command clock cycles unless the name says
// otherwise. Zero switches a constraint marked optional off.
type Spec struct {
	Name   string
	Source string // where the constants come from

	Banks                int
	BankGroups           int
	RowBytes             int // size of an open row of one bank
	BytesPerCommandClock int // data bus: bytes moved in one command clock
	BurstBytes           int // burst for which CCD and CCDL are stated
	// SeparateRowBus lets a row command and a column command start in one clock,
	// as HBM does; otherwise all commands share one bus.
	SeparateRowBus bool

	RCD  int // activate to read
	RAS  int // activate to precharge
	RP   int // precharge to activate
	RC   int // activate to activate, one bank
	RRD  int // activate to activate, another bank group
	RRDL int // activate to activate, same bank group; 0 = RRD
	CCD  int // column to column, another bank group
	CCDL int // column to column, same bank group
	CL   int // read to first data
	WL   int // write to first data
	CDLR int // last write data to read, another bank group
	// CDLRL is CDLR inside one bank group; 0 = CDLR.
	CDLRL int
	WR    int // last write data to precharge
	RTP   int // read to precharge; never less than the burst
	FAW   int // window of four activates, optional
	RFC   int // refresh to any command; needed when REFI is set
	REFI  int // refresh interval, optional
}

// GTX480 is the GDDR5 of GPGPU-Sim's tested configuration SM2_GTX480, which
// cites the Hynix H5GQ1H24AFR: nbk=16 CCD=2 RRD=6 RCD=12 RAS=28 RP=12 RC=40
// CL=12 WL=4 CDLR=5 WR=12 nbkgrp=4 CCDL=3 RTPL=2. That model has neither
// refresh nor a four-activate window. 4 data transfers of 32 bits in a command
// clock; burst length 8 = 32 bytes. Rows are 2 KB, the page of that part.
func GTX480() Spec {
	return Spec{
		Name: "gtx480", Source: "GPGPU-Sim 4 configs/tested-cfgs/SM2_GTX480",
		Banks: 16, BankGroups: 4, RowBytes: 2048, BytesPerCommandClock: 16, BurstBytes: 32,
		RCD: 12, RAS: 28, RP: 12, RC: 40, RRD: 6, CCD: 2, CCDL: 3,
		CL: 12, WL: 4, CDLR: 5, WR: 12, RTP: 2,
	}
}

// GTX580 uses the constants of the GTX480: both boards carry the same GDDR5, and
// SLC (table II) and E2MC state only its clock and bus.
func GTX580() Spec {
	s := GTX480()
	s.Name = "gtx580"
	return s
}

// P100 is the HBM2 of GPGPU-Sim's P100 configuration at 715 MHz: nbk=16 CCD=1
// RRD=3 RCD=10 RAS=24 RP=10 RC=34 CL=10 WL=2 CDLR=3 WR=9 nbkgrp=4 CCDL=2 RTPL=3. A
// channel is 128 bits wide and moves 32 bytes a command clock; a row is 2 KB, as
// its address map has it (11 column and byte bits).
func P100() Spec {
	return Spec{
		Name: "p100", Source: "GPGPU-Sim 4 P100 configuration, HBM2 at 715 MHz",
		Banks: 16, BankGroups: 4, RowBytes: 2048, BytesPerCommandClock: 32, BurstBytes: 32, SeparateRowBus: true,
		RCD: 10, RAS: 24, RP: 10, RC: 34, RRD: 3, CCD: 1, CCDL: 2,
		CL: 10, WL: 2, CDLR: 3, WR: 9, RTP: 3,
	}
}

// V100 is the HBM2 of GPGPU-Sim's V100 configuration at 850 MHz.
func V100() Spec {
	s := P100()
	s.Name, s.Source = "v100", "GPGPU-Sim 4 V100 configuration, HBM2 at 850 MHz"
	s.RRD, s.RCD, s.RAS, s.RP, s.RC, s.CL = 3, 12, 28, 12, 40, 12
	s.WL, s.CDLR, s.WR, s.CCDL, s.RTP = 2, 3, 10, 2, 3
	return s
}

// HBM2Refresh adds to an HBM2 specification what GPGPU-Sim leaves out, from
// DRAMsim3's HBM2_8Gb_x128 (1 ns clock): FAW 30, RFC 260, REFI 3900. cyclesPer1000
// is the length of 1000 ns in command clocks, e.g. 715.
func (s Spec) HBM2Refresh(cyclesPer1000 int) Spec {
	up := func(ns int) int { return (ns*cyclesPer1000 + 999) / 1000 }
	s.FAW, s.RFC, s.REFI = up(30), up(260), 3900*cyclesPer1000/1000
	return s
}

// Validate reports the first value that cannot be.
func (s *Spec) Validate() error {
	switch {
	case s.Banks < 1 || s.Banks > MaxBanks || s.Banks&(s.Banks-1) != 0:
		return fmt.Errorf("dram: %s: %d banks: want a power of two up to %d", s.Name, s.Banks, MaxBanks)
	case s.BankGroups < 1 || s.BankGroups > MaxGroups || s.Banks%s.BankGroups != 0 || s.BankGroups&(s.BankGroups-1) != 0:
		return fmt.Errorf("dram: %s: %d bank groups for %d banks: want a power of two up to %d that divides the banks", s.Name, s.BankGroups, s.Banks, MaxGroups)
	case s.RowBytes < 128 || s.RowBytes&(s.RowBytes-1) != 0:
		return fmt.Errorf("dram: %s: rows of %d bytes: want a power of two of at least one 128-byte block", s.Name, s.RowBytes)
	case s.BytesPerCommandClock < 1 || s.BurstBytes%s.BytesPerCommandClock != 0 || s.BurstBytes == 0:
		return fmt.Errorf("dram: %s: a burst of %d bytes at %d bytes a clock: want a whole number of clocks", s.Name, s.BurstBytes, s.BytesPerCommandClock)
	case s.RCD < 1 || s.RAS < 1 || s.RP < 1 || s.RC < 1 || s.RRD < 1 || s.CCD < 1 || s.CL < 1 || s.WL < 0:
		return fmt.Errorf("dram: %s: RCD, RAS, RP, RC, RRD, CCD and CL must be at least 1", s.Name)
	case s.REFI > 0 && (s.RFC < 1 || s.RFC >= s.REFI):
		return fmt.Errorf("dram: %s: refresh every %d cycles needs an RFC below that, not %d", s.Name, s.REFI, s.RFC)
	}
	return nil
}
