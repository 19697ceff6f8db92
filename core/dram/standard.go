package dram

// Standard is a row of Standards.
type Standard uint8

// Standards lists the DRAM standards. All keep the constraints of common; a new one is a file with its own constraints and
// its devices, and a row here.
var Standards = []struct {
	Name string
	own  []row
}{
	{"gddr5", nil}, // and GDDR5X
	{"hbm", nil},   // HBM2 and HBM3
	{"gddr6", gddr6Rows},
	{"lpddr5", lpddr5Rows},
}

// GDDR5 is the zero value; standardOf finds the others.
const GDDR5 Standard = 0

// StandardNames lists the names of the standards.
func StandardNames() []string {
	var names []string
	for i := range Standards {
		names = append(names, Standards[i].Name)
	}
	return names
}

func standardOf(name string) Standard {
	for i := range Standards {
		if Standards[i].Name == name {
			return Standard(i)
		}
	}
	panic("dram: no standard " + name)
}

// Scope says between which banks a constraint holds.
type Scope uint8

const (
	SameBank  Scope = iota
	SameGroup       // of banks, the bank itself included
	Anywhere        // in the channel
	numScopes
)

// Constraint is a least distance between two commands. It is all that Channel and Checker know of a device's timing.
type Constraint struct {
	Symbol        string // of JEDEC without the t
	First, Second Command
	Scope         Scope
	// Cycles lie between the last First and a Second or, with a Window, between the Window-th last First and a Second.
	Cycles int
	Window int
}

// row is a constraint of a standard whose cycles follow from a device's values.
type row struct {
	symbol        string
	first, second Command
	scope         Scope
	cycles        func(v *values) int // 0 = the device has no such constraint
	window        int
}

// values are a device's constants for bursts of one size.
type values struct {
	*Spec
	burst      int // data bus time of a burst
	ccds, ccdl int // CCD and CCDL for that burst
}

// grouped returns cycles if the device has bank groups that are switched on.
func (v *values) grouped(cycles int) int {
	if v.BankGroups == 1 {
		return 0
	}
	return cycles
}

// refreshDistance is RREFD, and never less than an activate needs: for other banks, a refresh of one counts as an activate.
func (v *values) refreshDistance() int { return max(v.RREFD, v.RRD, v.grouped(v.RRDL)) }

// readToPrecharge is RTP, and never less than the burst.
func (v *values) readToPrecharge() int { return max(v.RTP, v.grouped(v.RTPL), v.burst) }

// activateToWrite is RCDWR, or what GPGPU-Sim derives.
func (v *values) activateToWrite() int {
	if v.RCDWR != 0 {
		return v.RCDWR
	}
	return max(v.RCD-(v.WL+1), 1)
}

// common are the constraints of every standard (JESD212 for GDDR5, JESD235 for HBM2, JESD238 for HBM3). Where GPGPU-Sim's
// dram_config derives a distance (tRCDWR, tRTW, tWTR, tWTP), it is derived as there; BL/ratio is the burst.
var common = []row{
	{"RCD", Activate, Read, SameBank, func(v *values) int { return v.RCD }, 0},
	{"RCDWR", Activate, Write, SameBank, (*values).activateToWrite, 0},
	{"RAS", Activate, Precharge, SameBank, func(v *values) int { return v.RAS }, 0},
	{"RC", Activate, Activate, SameBank, func(v *values) int { return v.RC }, 0},
	{"RP", Precharge, Activate, SameBank, func(v *values) int { return v.RP }, 0},
	{"RRD_S", Activate, Activate, Anywhere, func(v *values) int { return v.RRD }, 0},
	{"RRD_L", Activate, Activate, SameGroup, func(v *values) int { return v.grouped(v.RRDL) }, 0},
	{"FAW", Activate, Activate, Anywhere, func(v *values) int { return v.FAW }, 4},
	{"32AW", Activate, Activate, Anywhere, func(v *values) int { return v.AW32 }, 32},

	{"CCD_S", Read, Read, Anywhere, func(v *values) int { return v.ccds }, 0},
	{"CCD_S", Write, Write, Anywhere, func(v *values) int { return v.ccds }, 0},
	{"CCD_L", Read, Read, SameGroup, func(v *values) int { return v.grouped(v.ccdl) }, 0},
	{"CCD_L", Write, Write, SameGroup, func(v *values) int { return v.grouped(v.ccdl) }, 0},
	{"data bus", Read, Read, Anywhere, func(v *values) int { return v.burst }, 0},
	{"data bus", Write, Write, Anywhere, func(v *values) int { return v.burst }, 0},
	// The bus takes two clocks after the last beat of a read to change direction.
	{"RTW", Read, Write, Anywhere, func(v *values) int { return max(v.CL+v.burst+2-v.WL, 1) }, 0},
	{"WTR_S", Write, Read, Anywhere, func(v *values) int { return v.WL + v.burst + v.CDLR }, 0},
	{"WTR_L", Write, Read, SameGroup, func(v *values) int { return v.grouped(v.WL + v.burst + max(v.CDLR, v.CDLRL)) }, 0},
	{"RTP", Read, Precharge, SameBank, (*values).readToPrecharge, 0},
	{"WR", Write, Precharge, SameBank, func(v *values) int { return v.WL + v.burst + v.WR }, 0},

	// All banks.
	{"RP", Precharge, Refresh, Anywhere, func(v *values) int { return v.RP }, 0},
	{"RC", Activate, Refresh, Anywhere, func(v *values) int { return v.RC }, 0},
	{"RFC", Refresh, Activate, Anywhere, func(v *values) int { return v.RFC }, 0},
	{"RFC", Refresh, Refresh, Anywhere, func(v *values) int { return v.RFC }, 0},
	// One bank.
	{"RP", Precharge, RefreshBank, SameBank, func(v *values) int { return v.RP }, 0},
	{"RC", Activate, RefreshBank, SameBank, func(v *values) int { return v.RC }, 0},
	{"RFCPB", RefreshBank, Activate, SameBank, func(v *values) int { return v.RFCPB }, 0},
	{"RFCPB", RefreshBank, RefreshBank, SameBank, func(v *values) int { return v.RFCPB }, 0},
	{"RRD_S", Activate, RefreshBank, Anywhere, func(v *values) int { return v.RRD }, 0},
	{"RRD_L", Activate, RefreshBank, SameGroup, func(v *values) int { return v.grouped(v.RRDL) }, 0},
	{"RREFD", RefreshBank, Activate, Anywhere, (*values).refreshDistance, 0},
	{"RREFD", RefreshBank, RefreshBank, Anywhere, (*values).refreshDistance, 0},
	{"pbR2pbR", RefreshBank, RefreshBank, Anywhere, func(v *values) int { return v.RREF }, 0},
}

// Constraints returns the constraints of the device for bursts of magBytes.
//
// CCD and CCDL are stated for the device's own burst. They scale with the MAG, so
// that one bank group can use the same share of the bus at every MAG and a sweep
// over MAGs compares equal bandwidths [ours].
func (s *Spec) Constraints(magBytes int) []Constraint {
	scale := func(cycles int) int { return (cycles*magBytes + s.BurstBytes - 1) / s.BurstBytes }
	v := &values{Spec: s, burst: magBytes / s.BytesPerCommandClock, ccds: scale(s.CCD), ccdl: scale(s.CCDL)}
	var list []Constraint
	for _, rows := range [][]row{common, Standards[s.Standard].own} {
		for _, r := range rows {
			if n := r.cycles(v); n > 0 {
				list = append(list, Constraint{r.symbol, r.first, r.second, r.scope, n, r.window})
			}
		}
	}
	return list
}
