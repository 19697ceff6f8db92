package dram

// GDDR6X is one channel of a GDDR6X chip of 19.5 Gb/s a pin at its command clock of 1219 MHz, an eighth of the rate of
// symbols as in GDDR6. A symbol carries two bits (PAM4), so a burst of eight brings 32 bytes of 16 pins in one clock.
//
// Neither JEDEC nor Micron publishes its times. The array has the nanoseconds of GDDR6.
func GDDR6X() Spec {
	const ours = "[ours]: that of GDDR6 for a burst of one clock"
	s := GDDR6().At(1750, 1219)
	s.Name, s.Source = "gddr6x", sourceGDDR6+", in ns, at the 1219 MHz of 19.5 Gb/s"
	s.BytesPerCommandClock, s.CCD, s.CCDL, s.SeparateRowBus = 32, 1, 2, true
	return s.
		from("Micron, GDDR6X: four levels, two bits a symbol, bursts of eight; the driver reports 9751 MHz for 19.5 Gb/s",
			"bytesPerCommandClock", "burstBytes").
		from(ours, "CCD_S", "CCD_L").
		from("[ours]: bursts of one clock leave no clock for rows on one bus, and an RTX 4090 reaches 0.91 of the peak",
			"separateRowBus")
}

// GDDR6X21 is GDDR6X at 21 Gb/s a pin, a command clock of 1313 MHz.
func GDDR6X21() Spec {
	s := GDDR6X().At(1219, 1313)
	s.Name, s.Source = "gddr6x-21", sourceGDDR6+", in ns, at the 1313 MHz of 21 Gb/s"
	return s
}
