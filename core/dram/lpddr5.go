package dram

const sourceLPDDR5 = "JESD209-5B as in Ramulator 2.1, python/ramulator/dram/lpddr5.py, LPDDR5_16Gb_x16 and LPDDR5_6400"

// lpddr5Rows are the constraints that JESD209-5B adds to GDDR5's.
var lpddr5Rows = []row{
	// ACT-1 and ACT-2 are two commands; the second follows at once [ours], so an activate takes two clocks of the bus.
	{"command bus", Activate, Precharge, Anywhere, twoClocks, 0},
	{"command bus", Activate, Read, Anywhere, twoClocks, 0},
	{"command bus", Activate, Write, Anywhere, twoClocks, 0},
	{"PPD", Precharge, Precharge, Anywhere, twoClocks, 0},
	// A group is busy for BL/n_max, twice the burst, before WTR_L (tables 330 to 332).
	{"WTR_L", Write, Read, SameGroup, func(v *values) int { return v.grouped(v.WL + 2*v.burst + v.CDLRL) }, 0},
}

func twoClocks(*values) int { return 2 }

// LPDDR5 is one channel of 16 pins of an LPDDR5 die of 16 Gb at its command clock of 800 MHz, 6.4 Gb/s a pin, in
// bank-group mode; WCK is always on. A burst of 16 brings 32 bytes in two clocks. Rows are 2 KB.
func LPDDR5() Spec {
	return Spec{
		Name: "lpddr5", Source: sourceLPDDR5, Standard: standardOf("lpddr5"),
		Banks: 16, BankGroups: 4, RowBytes: 2048, BytesPerCommandClock: 16, BurstBytes: 32,
		RCD: 15, RCDWR: 15, RAS: 34, RP: 15, RC: 49, RRD: 4, RRDL: 4, CCD: 2, CCDL: 4,
		CL: 17, WL: 9, CDLR: 5, CDLRL: 10, WR: 28, RTP: 8, FAW: 16,
		Refresh: RefreshPerBank, REFI: 3124, RFC: 224, RFCPB: 112, RREFD: 6, RREF: 72,
	}
}

// LPDDR5X is LPDDR5 at 8533 Mb/s a pin: its array has the same nanoseconds (JESD209-5B).
func LPDDR5X() Spec {
	s := LPDDR5().At(800, 1066)
	s.Name, s.Source = "lpddr5x", sourceLPDDR5+", in ns, at the 1066 MHz of 8533 Mb/s"
	return s
}
