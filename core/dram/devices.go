package dram

// The devices of the presets. A device whose source is a table of GPGPU-Sim has
// neither refresh nor a four-activate window, because that model has none;
// GDDR5Refresh and HBM2Refresh add them.

const (
	sourceGTX480 = "GPGPU-Sim 4 configs/tested-cfgs/SM2_GTX480, which cites Hynix H5GQ1H24AFR"
	sourceGDDR5  = "DRAMsim3 configs/GDDR5_8Gb_x32.ini, clock 0.667 ns"
	sourceHBM2   = "DRAMsim3 configs/HBM2_8Gb_x128.ini, clock 1 ns"
	sourceREFSB  = "Ramulator 2 src/dram/impl/HBM2.cpp, preset HBM2_2Gbps"
)

// GTX480 is the GDDR5 of GPGPU-Sim's tested configuration SM2_GTX480, which
// cites the Hynix H5GQ1H24AFR: nbk=16 CCD=2 RRD=6 RCD=12 RAS=28 RP=12 RC=40
// CL=12 WL=4 CDLR=5 WR=12 nbkgrp=4 CCDL=3 RTPL=2. 4 data transfers of 32 bits in
// a command clock; burst length 8 = 32 bytes. Rows are 2 KB, the page of that
// part.
func GTX480() Spec {
	return Spec{
		Name: "gtx480", Source: sourceGTX480,
		Banks: 16, BankGroups: 4, RowBytes: 2048, BytesPerCommandClock: 16, BurstBytes: 32,
		RCD: 12, RAS: 28, RP: 12, RC: 40, RRD: 6, CCD: 2, CCDL: 3,
		CL: 12, WL: 4, CDLR: 5, WR: 12, RTP: 2,
	}
}

// GTX480v3 is the same GDDR5 in GPGPU-Sim 3.2.1's configuration GTX480: a channel is two
// chips, 64 bits wide, so a burst has 64 bytes and a row 4 KB. See GroupHigh for its bank
// groups.
func GTX480v3() Spec {
	s := GTX480()
	s.Name, s.Source = "gtx480v3", "GPGPU-Sim 3.2.1 configs/GTX480"
	s.BankGroups, s.GroupOf = 2, GroupHigh
	s.RowBytes, s.BytesPerCommandClock, s.BurstBytes = 4096, 32, 64
	return s
}

// GTX480v3x32 is the same with one chip in a channel.
func GTX480v3x32() Spec {
	s := GTX480v3()
	s.Name = "gtx480v3x32"
	s.RowBytes, s.BytesPerCommandClock, s.BurstBytes = 2048, 16, 32
	return s
}

// GTX480v322 is half of a channel of GPGPU-Sim 3.2.2, which gives each of two sub-partitions every second bank: eight
// of the sixteen banks, their whole rows, and half of the bus [ours]. There the two share one bus of 64 bits.
func GTX480v322() Spec {
	s := GTX480v3()
	s.Name, s.Source = "gtx480v322", "GPGPU-Sim 3.2.2 configs/GTX480"
	s.Banks, s.BytesPerCommandClock, s.BurstBytes = 8, 16, 32
	return s
}

// GTX580 uses the constants of the GTX480: both boards carry the same GDDR5, and
// SLC (table II) and E2MC state only its clock and bus.
func GTX580() Spec {
	s := GTX480()
	s.Name = "gtx580"
	return s
}

// GDDR5_8Gb_x32 is one 8 Gb chip of DRAMsim3's table at its clock of 0.667 ns
// (1500 MHz, 6 Gb/s a pin). Bank groups are switched off as in that file:
// the values for another bank group hold everywhere. 128 columns of 32 bytes make
// rows of 4 KB. BankGroups = 4 switches bank groups on.
func GDDR5_8Gb_x32() Spec {
	return Spec{
		Name: "gddr5-8gb-x32", Source: sourceGDDR5,
		Banks: 16, BankGroups: 1, RowBytes: 4096, BytesPerCommandClock: 16, BurstBytes: 32,
		RCD: 24, RCDWR: 20, RAS: 56, RP: 24, RC: 80, RRD: 10, RRDL: 10, CCD: 2, CCDL: 3,
		CL: 24, WL: 7, CDLR: 10, CDLRL: 10, WR: 24, RTP: 2, RTPL: 2, FAW: 40, AW32: 360,
		REFI: 3800, RFC: 74, RFCPB: 30, RREFD: 10,
	}.from("[ours]: RRD of DRAMsim3's table, because a refresh of one bank counts as an activate for the others", "RREFD")
}

// P100 is the HBM2 of GPGPU-Sim's P100 configuration at 715 MHz: nbk=16 CCD=1
// RRD=3 RCD=10 RAS=24 RP=10 RC=34 CL=10 WL=2 CDLR=3 WR=9 nbkgrp=4 CCDL=2 RTPL=3. A
// channel is 128 bits wide and moves 32 bytes a command clock; a row is 2 KB, as in
// its address map (11 column and byte bits).
func P100() Spec {
	return Spec{
		Name: "p100", Source: "GPGPU-Sim 4 P100 configuration, HBM2 at 715 MHz", Standard: standardOf("hbm"),
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

// HBM2_8Gb is an 8 Gb HBM2 channel of DRAMsim3's table at its clock of 1 ns, in
// legacy mode: 128 bits wide, a burst of four beats brings 64 bytes in two
// clocks. 64 columns of 32 bytes (two beats) make rows of 2 KB.
func HBM2_8Gb() Spec {
	return Spec{
		Name: "hbm2-8gb", Source: sourceHBM2, Standard: standardOf("hbm"),
		Banks: 16, BankGroups: 4, RowBytes: 2048, BytesPerCommandClock: 32, BurstBytes: 64, SeparateRowBus: true,
		RCD: 14, RCDWR: 14, RAS: 34, RP: 14, RC: 48, RRD: 4, RRDL: 6, CCD: 1, CCDL: 2,
		CL: 14, WL: 4, CDLR: 6, CDLRL: 8, WR: 16, RTP: 4, RTPL: 6, FAW: 30,
		REFI: 3900, RFC: 260, RFCPB: 160, RREFD: 8,
	}.from(sourceREFSB, "RFCPB", "RREFD")
}

// A100 is HBM2e at 1215 MHz in pseudo-channel mode; each pseudo-channel is modelled as a
// channel. NVIDIA A100 Tensor Core GPU Architecture, table 1: 5
// stacks, 5120 bits, 1215 MHz, 1555 GB/s, which are 80 pseudo-channels of 64 bits. Its
// array times are not published; this uses the nanoseconds of HBM2_8Gb.
// Banks are refreshed in turn, an option of HBM2 that saves bandwidth [ours].
func A100() Spec {
	s := HBM2_8Gb().At(1000, 1215).PseudoChannel()
	s.Name = "a100"
	s.Source = "DRAMsim3 configs/HBM2_8Gb_x128.ini in ns, at the 1215 MHz of the NVIDIA A100 whitepaper, table 1"
	s.Refresh = RefreshPerBank
	return s
}

// PseudoChannel returns one of the two halves of a legacy HBM2 channel: half the
// bus and half the row, the same array times (JESD235). Bursts of four beats
// bring half the bytes in the same two clocks. The halves share their command
// buses, but each needs a column command only every other clock, so they are
// modelled as separate channels [ours].
func (s Spec) PseudoChannel() Spec {
	s.Name += "-pseudo"
	s.RowBytes /= 2
	s.BytesPerCommandClock /= 2
	s.BurstBytes /= 2
	return s
}

// HBM2Refresh adds constants that GPGPU-Sim leaves out to an HBM2 specification at a
// clock. FAW 30 ns, RFC 260 ns and REFI 3900 ns are from DRAMsim3's HBM2_8Gb_x128;
// RFCPB and RREFD, for refreshing banks in turn, are from Ramulator 2.
func (s Spec) HBM2Refresh(mhz int) Spec {
	return s.withRefresh(HBM2_8Gb().At(1000, mhz), sourceHBM2)
}

// GDDR5Refresh adds FAW, 32AW, RFC and REFI, which GPGPU-Sim leaves out, to a GDDR5
// specification at a clock. They are from DRAMsim3's GDDR5_8Gb_x32.
func (s Spec) GDDR5Refresh(mhz int) Spec {
	return s.withRefresh(GDDR5_8Gb_x32().At(1500, mhz), sourceGDDR5)
}

func (s Spec) withRefresh(from Spec, source string) Spec {
	s.FAW, s.AW32, s.RFC, s.REFI = from.FAW, from.AW32, from.RFC, from.REFI
	s.RFCPB, s.RREFD = from.RFCPB, from.RREFD
	s = s.from(source, "FAW", "32AW", "RFC", "REFI", "RFCPB", "RREFD")
	for _, e := range from.Exceptions {
		s = s.from(e.Source, e.Symbol)
	}
	return s
}
