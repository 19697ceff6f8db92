package dram

const sourceGDDR6 = "Ramulator 2.1, python/ramulator/dram/gddr6.py, preset GDDR6_14000_1350mV_double, from the data sheet of Samsung's 8 Gb GDDR6"

// gddr6Rows are the constraints that JESD250 adds to GDDR5's. Its tPPD of one clock follows from the command bus.
var gddr6Rows = []row{
	// The controller drives the bus one clock after the read latency, whatever the write latency.
	{"RTW", Read, Write, Anywhere, func(v *values) int { return v.CL + 1 }, 0},
}

// GDDR6 is one channel of a GDDR6 chip at its command clock of 1750 MHz, 14 Gb/s a pin: 16 pins, and a burst of 16 brings
// 32 bytes in two clocks. A chip has two channels. Rows are 2 KB, 16 banks lie in four groups.
func GDDR6() Spec {
	return Spec{
		Name: "gddr6", Source: sourceGDDR6, Standard: standardOf("gddr6"),
		Banks: 16, BankGroups: 4, RowBytes: 2048, BytesPerCommandClock: 16, BurstBytes: 32,
		RCD: 27, RCDWR: 16, RAS: 53, RP: 27, RC: 79, RRD: 8, RRDL: 8, CCD: 2, CCDL: 4,
		CL: 24, WL: 6, CDLR: 9, CDLRL: 11, WR: 27, RTP: 4, FAW: 29,
		REFI: 3333, RFC: 211, RFCPB: 106, RREFD: 15,
	}.from("Ramulator 2.1, GDDR6_8Gb_x16: 1024 columns of 16 bits", "rowBytes")
}
