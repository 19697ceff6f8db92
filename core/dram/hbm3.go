package dram

// The devices of the presets with HBM3.

const sourceHBM3 = "AttAcc (Park et al., ASPLOS 2024), its fork of Ramulator 2, src/dram/impl/HBM3.cpp, preset HBM3_6.4Gbps, clock 0.625 ns"

// HBM3 is one pseudo-channel of an HBM3 stack of eight dies at its clock of 1600 MHz, 6.4 Gb/s
// a pin. A stack has 16 channels of two pseudo-channels of 32 bits; a command clock carries
// four transfers, and a burst of eight brings 32 bytes in two clocks. A row is 1 KB. Two
// ranks of 16 banks in four groups share the pseudo-channel.
//
// The table's authors found no published array times of HBM3 either: theirs are the
// nanoseconds of HBM2_8Gb. Accel-Sim's SM90_H200 has the same RCD, RAS, RP, CL, WL, CDLR and
// WR at 1300 MHz.
func HBM3() Spec {
	return Spec{
		Name: "hbm3", Source: sourceHBM3, Standard: standardOf("hbm"),
		Banks: 32, BankGroups: 8, RowBytes: 1024, BytesPerCommandClock: 16, BurstBytes: 32, SeparateRowBus: true,
		RCD: 23, RCDWR: 23, RAS: 55, RP: 23, RC: 77, RRD: 2, RRDL: 4, CCD: 2, CCDL: 4,
		CL: 23, WL: 7, CDLR: 10, CDLRL: 13, WR: 26, RTP: 7, RTPL: 10, FAW: 24,
		Refresh: RefreshPerBank, REFI: 6240, RFC: 560, RFCPB: 320, RREFD: 13,
	}.
		from("JESD238: 16 banks for each rank; a stack of eight dies has two ranks", "banks").
		from("[ours]: the four groups of each rank; columns of two ranks are as far apart as those of two groups", "bankGroups").
		from("[ours]: half of the 48 clocks of "+sourceHBM3+", because the window is that of a rank and a pseudo-channel has two", "FAW").
		from(sourceHBM3+": 350 ns for the 8 Gb channel of a stack of 16 GB", "RFC")
}

// H100 is HBM3 at 1309 MHz. The driver reports a memory clock of 2619 MHz, at which a pin
// makes two transfers; a command clock has four.
func H100() Spec {
	s := HBM3().At(1600, 1309)
	s.Name, s.Source = "h100", sourceHBM3+", in ns, at the 1309 MHz of the H100 SXM5"
	return s
}

// H200 is HBM3e at 1600 MHz. The driver reports a memory clock of 3201 MHz. Its stacks
// have 24 GB, 12 Gb a channel.
func H200() Spec {
	s := HBM3()
	s.Name = "h200"
	s.RFC = 656
	return s.from(sourceHBM3+": 410 ns for the 12 Gb channel of a stack of 24 GB", "RFC")
}
