package dram

import "fmt"

// Timing is a Spec at one burst size (MAG): every constraint is a distance in cycles
// between two commands.
type Timing struct {
	Banks, Groups int
	group         [MaxBanks]uint8 // bank group of each bank
	BurstBytes    int
	BurstCycles   uint64 // data bus time of a burst

	RCD, RCDWR      uint64 // activate to read, to write
	RAS, RP, RC     uint64
	RRDS, RRDL      uint64 // activate to activate: another, the same bank group
	CCDS, CCDL      uint64 // column to column of the same kind
	RTW             uint64 // read to write
	WTRS, WTRL      uint64 // write to read
	RTP, WTP        uint64 // read, write to precharge
	RTPL            uint64 // read to precharge of any bank of the group, as GPGPU-Sim has it
	CL, WL          uint64 // column command to first data
	FAW, AW32       uint64 // 0 = none
	RFC             uint64 // refresh to activate, of all banks or of the refreshed one
	RREFD           uint64 // refresh of one bank to activate or refresh of another
	REFI            uint64 // between refresh commands; 0 = no refresh
	RefreshPerBank  bool
	SeparateRowBus  bool
	RowBytes        int
	BytesPerCommand int
}

// GroupOf returns the group of a bank.
func (t *Timing) GroupOf(bank int) int {
	return int(t.group[bank&(MaxBanks-1)] & (MaxGroups - 1))
}

// Resolve turns the specification into tables for bursts of magBytes. The
// derived constants are those of GPGPU-Sim's dram_config (tRCDWR, tRTW, tWTR,
// tWTP), where BL/ratio is the burst's cycles.
//
// CCD and CCDL are stated for the device's own burst. They scale with the MAG, so
// that one bank group can use the same share of the bus at every MAG and a sweep
// over MAGs compares equal bandwidths [ours].
func (s *Spec) Resolve(magBytes int) (Timing, error) {
	if err := s.Validate(); err != nil {
		return Timing{}, err
	}
	if magBytes < s.BytesPerCommandClock || magBytes%s.BytesPerCommandClock != 0 || magBytes > 128 {
		return Timing{}, fmt.Errorf("dram: %s: bursts of %d bytes: want a multiple of the %d bytes the bus moves in a clock, up to 128", s.Name, magBytes, s.BytesPerCommandClock)
	}
	burst := magBytes / s.BytesPerCommandClock
	scale := func(cycles int) int { return (cycles*magBytes + s.BurstBytes - 1) / s.BurstBytes }
	// Without bank groups the values for another group hold between all banks.
	local := func(other, same int) int {
		if s.BankGroups == 1 {
			return other
		}
		return max(other, same)
	}
	ccds := max(scale(s.CCD), burst)
	rcdwr := s.RCDWR
	if rcdwr == 0 {
		rcdwr = max(s.RCD-(s.WL+1), 1)
	}
	t := Timing{
		Banks: s.Banks, Groups: s.BankGroups,
		BurstBytes: magBytes, BurstCycles: uint64(burst), RowBytes: s.RowBytes,
		BytesPerCommand: s.BytesPerCommandClock, SeparateRowBus: s.SeparateRowBus,
		RCD: uint64(s.RCD), RCDWR: uint64(rcdwr),
		RAS: uint64(s.RAS), RP: uint64(s.RP), RC: uint64(s.RC),
		RRDS: uint64(s.RRD), RRDL: uint64(local(s.RRD, s.RRDL)),
		CCDS: uint64(ccds), CCDL: uint64(local(ccds, scale(s.CCDL))),
		RTW:  uint64(max(s.CL+burst+2-s.WL, 1)),
		WTRS: uint64(s.WL + burst + s.CDLR), WTRL: uint64(s.WL + burst + local(s.CDLR, s.CDLRL)),
		RTP: uint64(max(local(s.RTP, s.RTPL), burst)), WTP: uint64(s.WL + burst + s.WR),
		CL: uint64(s.CL), WL: uint64(s.WL),
		RTPL: uint64(local(0, max(s.RTP, s.RTPL))),
		FAW:  uint64(s.FAW), AW32: uint64(s.AW32), RFC: uint64(s.RFC), REFI: uint64(s.REFI),
	}
	for bank := range s.Banks {
		group := bank % s.BankGroups
		if s.GroupOf == GroupHigh {
			group = bank / (s.Banks / s.BankGroups)
		}
		t.group[bank] = uint8(group)
	}
	if s.Refresh == RefreshPerBank {
		t.RefreshPerBank = true
		t.RFC, t.REFI = uint64(s.RFCPB), uint64(s.REFI/s.Banks)
		t.RREFD = uint64(max(s.RREFD, local(s.RRD, s.RRDL)))
	}
	return t, nil
}
