package dram

import "slices"

// Constant describes one value of a Spec: the one place where its path, its symbol, its unit and its bounds stand.
type Constant struct {
	Path   string // in a machine, after "dram."
	Symbol string // of JEDEC without the t, or a word where JEDEC has none
	Unit   string
	// Low and High bound a number; both are 0 for a word.
	Low, High int64
	What      string
	// Time is set for times of the array, which keep their nanoseconds when the clock changes.
	Time bool
	of   func(*Spec) *int // nil for a word
}

const clocks = "DRAM cycles"

// Constants lists the values of a Spec, in the order of every list.
var Constants = []Constant{
	{Path: "standard", Symbol: "standard", What: "standard, whose constraints hold: gddr5 (also GDDR5X), hbm (HBM2 and HBM3), gddr6 (also GDDR6X), lpddr5 (also LPDDR5X)"},
	{"banks", "banks", "banks", 1, 32, "banks of a channel", false, func(s *Spec) *int { return &s.Banks }},
	{"bankGroups", "bankGroups", "groups", 1, 8, "bank groups of a channel", false, func(s *Spec) *int { return &s.BankGroups }},
	{Path: "groupOf", Symbol: "groupOf", What: "bank group of a bank: low = its lowest bits, high = its highest bits"},
	{"rowBytes", "rowBytes", "bytes", 128, 1 << 16, "open row of a bank", false, func(s *Spec) *int { return &s.RowBytes }},
	{"bytesPerCommandClock", "bytesPerCommandClock", "bytes", 1, 128, "data moved in a command clock", false, func(s *Spec) *int { return &s.BytesPerCommandClock }},
	{"burstBytes", "burstBytes", "bytes", 1, 128, "burst for which CCD is stated", false, func(s *Spec) *int { return &s.BurstBytes }},
	{Path: "separateRowBus", Symbol: "separateRowBus", What: "a row command and a column command may start in one clock"},
	{"rcd", "RCD", clocks, 1, 1024, "tRCD: activate to read", true, func(s *Spec) *int { return &s.RCD }},
	{"rcdwr", "RCDWR", clocks, 0, 1024, "tRCDWR: activate to write; 0 = rcd - (wl + 1)", true, func(s *Spec) *int { return &s.RCDWR }},
	{"ras", "RAS", clocks, 1, 1024, "tRAS: activate to precharge", true, func(s *Spec) *int { return &s.RAS }},
	{"rp", "RP", clocks, 1, 1024, "tRP: precharge to activate", true, func(s *Spec) *int { return &s.RP }},
	{"rc", "RC", clocks, 1, 1024, "tRC: activate to activate, one bank", true, func(s *Spec) *int { return &s.RC }},
	{"rrd", "RRD_S", clocks, 1, 1024, "tRRD_S: activate to activate, another bank group", true, func(s *Spec) *int { return &s.RRD }},
	{"rrdl", "RRD_L", clocks, 0, 1024, "tRRD_L: the same bank group; 0 = as another", true, func(s *Spec) *int { return &s.RRDL }},
	{"ccd", "CCD_S", clocks, 1, 1024, "tCCD_S: column to column, another bank group", false, func(s *Spec) *int { return &s.CCD }},
	{"ccdl", "CCD_L", clocks, 0, 1024, "tCCD_L: the same bank group", false, func(s *Spec) *int { return &s.CCDL }},
	{"cl", "CL", clocks, 1, 1024, "CL: read to first data", true, func(s *Spec) *int { return &s.CL }},
	{"wl", "WL", clocks, 0, 1024, "WL: write to first data", true, func(s *Spec) *int { return &s.WL }},
	{"cdlr", "WTR_S", clocks, 0, 1024, "tCDLR (tWTR_S): last write data to read", true, func(s *Spec) *int { return &s.CDLR }},
	{"cdlrl", "WTR_L", clocks, 0, 1024, "tWTR_L: the same bank group; 0 = as another", true, func(s *Spec) *int { return &s.CDLRL }},
	{"wr", "WR", clocks, 0, 1024, "tWR: last write data to precharge", true, func(s *Spec) *int { return &s.WR }},
	{"rtp", "RTP_S", clocks, 0, 1024, "tRTP: read to precharge", true, func(s *Spec) *int { return &s.RTP }},
	{"rtpl", "RTP_L", clocks, 0, 1024, "tRTP_L: the same with bank groups; 0 = rtp", true, func(s *Spec) *int { return &s.RTPL }},
	{"aw32", "32AW", clocks, 0, 1 << 16, "t32AW: window of 32 activates; 0 = none", true, func(s *Spec) *int { return &s.AW32 }},
	{Path: "refresh", Symbol: "refresh", What: "banks that one refresh command covers"},
	{"rfcpb", "RFCPB", clocks, 0, 1 << 16, "tRFCpb: refresh of one bank to its next activate", true, func(s *Spec) *int { return &s.RFCPB }},
	{"rrefd", "RREFD", clocks, 0, 4096, "tRREFD: refresh of one bank to activate or refresh of another", true, func(s *Spec) *int { return &s.RREFD }},
	{"rref", "pbR2pbR", clocks, 0, 4096, "tpbR2pbR: refresh of one bank to refresh of another; 0 = rrefd", true, func(s *Spec) *int { return &s.RREF }},
	{"faw", "FAW", clocks, 0, 4096, "tFAW: window of four activates; 0 = none", true, func(s *Spec) *int { return &s.FAW }},
	{"rfc", "RFC", clocks, 0, 1 << 16, "tRFC: refresh to any command", true, func(s *Spec) *int { return &s.RFC }},
	{"refi", "REFI", clocks, 0, 1 << 20, "tREFI: between refreshes; 0 = none", false, func(s *Spec) *int { return &s.REFI }},
}

// SourceOf returns the source of the constant at a path.
func (s *Spec) SourceOf(path string) string {
	for i := range Constants {
		if Constants[i].Path != path {
			continue
		}
		for _, e := range s.Exceptions {
			if e.Symbol == Constants[i].Symbol {
				return e.Source
			}
		}
	}
	return s.Source
}

// from returns s with another source for constants. Constants has their symbols; a later source replaces an
// earlier one.
func (s Spec) from(source string, symbols ...string) Spec {
	var list []Exception
	for _, e := range s.Exceptions {
		if !slices.Contains(symbols, e.Symbol) {
			list = append(list, e)
		}
	}
	for _, symbol := range symbols {
		list = append(list, Exception{symbol, source})
	}
	s.Exceptions = list
	return s
}

// At returns the specification at a command clock of toMHz instead of fromMHz.
// Array times keep their nanoseconds, rounded up to whole clocks
// (REFI down); CCD and the burst stay the same number of clocks.
func (s Spec) At(fromMHz, toMHz int) Spec {
	for i := range Constants {
		if c := &Constants[i]; c.Time {
			n := c.of(&s)
			*n = (*n*toMHz + fromMHz - 1) / fromMHz
		}
	}
	s.REFI = s.REFI * toMHz / fromMHz
	return s
}
