package preset

import (
	"fmt"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx"
)

// Energies on the chip come from measurements of a 28 nm GPU, scaled to other processes in
// proportion to the feature size [ours]. Comparisons of memory schemes depend on their
// ratio to DRAM's.
const (
	sourceJoule = "GPUJoule (Arunkumar et al., HPCA 2019) table I, measured on a K40 of 28 nm"
	// sourceDally: register file 2 pJ, 8 KB SRAM 50 pJ for 256 bits, wires 0.2 pJ a
	// bit and millimetre.
	sourceDally = "energy budget of a 28 nm GPU (Dally; table 7 of doi 10.1186/s12859-018-2389-6)"
)

// laneEnergy is the energy of a thread's instruction at 28 nm in picojoules, operands
// included.
type laneEnergy struct {
	class      ptx.Class
	picojoules int
	operands   int // registers read and written
	source     string
}

func laneEnergies() []laneEnergy {
	const ours = sourceOurs + "by analogy to " + sourceJoule + ": "
	return []laneEnergy{
		{ptx.ClassMove, 60, 2, ours + "as AND32"},
		{ptx.ClassIntAdd, 70, 3, sourceJoule + ": IADD32 0.07 nJ"},
		{ptx.ClassIntMax, 70, 3, ours + "as IADD32"},
		{ptx.ClassIntMul, 130, 3, sourceJoule + ": IMUL32 0.13 nJ"},
		{ptx.ClassIntMad, 150, 4, sourceJoule + ": IMAD32 0.15 nJ"},
		{ptx.ClassIntDiv, 1500, 3, ours + "ten IMAD32, what a compiled division takes"},
		{ptx.ClassFloatAdd, 60, 3, sourceJoule + ": FADD32 0.06 nJ"},
		{ptx.ClassFloatMax, 60, 3, ours + "as FADD32"},
		{ptx.ClassFloatMul, 50, 3, sourceJoule + ": FMUL32 0.05 nJ"},
		{ptx.ClassFloatMad, 50, 4, sourceJoule + ": FFMA32 0.05 nJ"},
		{ptx.ClassFloatDiv, 410, 3, ours + "RCP32 and two FFMA32"},
		{ptx.ClassDoubleAdd, 150, 3, sourceJoule + ": FADD64 0.15 nJ"},
		{ptx.ClassDoubleMax, 150, 3, ours + "as FADD64"},
		{ptx.ClassDoubleMul, 130, 3, sourceJoule + ": FMUL64 0.13 nJ"},
		{ptx.ClassDoubleMad, 160, 4, sourceJoule + ": FFMA64 0.16 nJ"},
		{ptx.ClassDoubleDiv, 1600, 3, ours + "ten FFMA64"},
		{ptx.ClassSpecial, 107, 2, sourceJoule + ": mean of SIN32, COS32, SQRT32, LOG2_32, EXP2_32 and RCP32"},
		{ptx.ClassDivApprox, 107, 2, sourceJoule + ": as a special function, mean of SIN32, COS32, SQRT32, LOG2_32, EXP2_32 and RCP32"},
		{ptx.ClassShuffle, 70, 3, ours + "as IADD32"},
		{ptx.ClassBranch, 60, 1, ours + "as AND32"},
		{ptx.ClassBarrier, 60, 0, ours + "as AND32"},
		{ptx.ClassMemory, 70, 2, ours + "IADD32 for the address; the memories count for themselves"},
		{ptx.ClassMatrix, 3200, 4, ours + "64 FFMA32, a thread's share of m16n8k16"},
	}
}

// The process of the measurements, and the energy of a register operand there.
const (
	baseNanometres     = 28
	registerPicojoules = 2
)

// chipEnergy gives the energies on a chip of the given process.
func chipEnergy(nanometres int) []row {
	scaled := func(picojoules int) uint64 { return uint64(picojoules) * 1000 * uint64(nanometres) / baseNanometres }
	scale := ""
	if nanometres != baseNanometres {
		scale = fmt.Sprintf(", x %d/%d", nanometres, baseNanometres)
	}
	const (
		flitPicojoules = flitBytes * 8 * 10 * 2 / 10
		flit           = sourceDally + ": 320 bits over 10 mm at 0.2 pJ"
	)
	rows := []row{
		{"energy.registerFemtojoules", scaled(registerPicojoules), sourceDally + ": 2 pJ" + scale},
		{"energy.sharedFemtojoules", scaled(5450), sourceJoule + ": shared memory to registers 5.45 nJ for a warp" + scale},
		{"energy.l1Femtojoules", scaled(5990), sourceJoule + ": L1 to registers 5.99 nJ for a warp" + scale},
		{"energy.flitFemtojoules", scaled(flitPicojoules), flit + scale},
		{"energy.l2SectorFemtojoules", scaled(3960 - flitPicojoules), sourceJoule + ": L2 to L1 3.96 nJ for 32 bytes, less a flit" + scale},
		{"energy.metadataFemtojoules", scaled(50), sourceDally + ": 256 bits of an 8 KB SRAM 50 pJ" + scale},
	}
	for _, e := range laneEnergies() {
		rows = append(rows, row{
			"laneFemtojoules." + parameter.ClassNames[e.class], scaled(e.picojoules - e.operands*registerPicojoules),
			fmt.Sprintf("%s, less %d operands%s", e.source, e.operands, scale),
		})
	}
	return rows
}

// gddr5Part is the file of DRAMsim3 with the currents of GDDR5.
const gddr5Part = "DRAMsim3 GDDR5_1Gb_x32.ini"

// gddr5Energy is that of a 32-bit channel of one 1 Gb chip. The energies are
// those of its own clock of 0.667 ns, with the formulas of DRAMsim3: V x mA x
// cycles x ns = pJ.
func gddr5Energy() []row {
	const part = gddr5Part + ", 1.5 V, 0.667 ns: "
	return []row{
		{"energy.dramActivateFemtojoules", 6_003_000, part + "V x (IDD0 490 x 60 - IDD3N 450 x 42 - IDD2N 250 x 18) x ns"},
		{"energy.dramReadFemtojoules", 39_395, part + "V x (IDD4R 1080 - IDD3N 450) x 2 cycles x ns / 32 bytes"},
		{"energy.dramWriteFemtojoules", 44_397, part + "V x (IDD4W 1160 - IDD3N 450) x 2 cycles x ns / 32 bytes"},
		{"energy.dramIOFemtojoules", 24_000, sourceOurs + "JESD212 POD15: 1.5 V over 60 + 40 ohm during half of the bits of 3.7 Gb/s, 3 pJ a bit"},
		{"energy.dramRefreshFemtojoules", 0, part + "V x (IDD5AB 450 - IDD3N 450) x 98 cycles x ns"},
		{"energy.dramOpenMilliwatts", 675, part + "V x IDD3N 450"},
		{"energy.dramClosedMilliwatts", 375, part + "V x IDD2N 250"},
	}
}

// hbm2Energy is that of a channel of 16 banks as Buddy Compression counts it; the
// rest from DRAMsim3. A pseudo-channel draws half of a channel's power.
func hbm2Energy(pseudoChannel bool) []row {
	const (
		buddy = "Buddy Compression on its figure 13, from O'Connor et al., Fine-Grained DRAM, MICRO 2017: "
		part  = "DRAMsim3 HBM2_8Gb_x128.ini, 1.2 V, 1 ns: "
	)
	share, of := 1, ""
	if pseudoChannel {
		share, of = 2, ", half of a channel"
	}
	return []row{
		{"energy.dramActivateFemtojoules", 909_000, buddy + "909 pJ an activation"},
		{"energy.dramReadFemtojoules", 12_080, buddy + "1.51 pJ a bit"},
		{"energy.dramWriteFemtojoules", 12_080, buddy + "1.51 pJ a bit"},
		{"energy.dramIOFemtojoules", 15_760, buddy + "1.97 pJ a bit"},
		{"energy.dramRefreshFemtojoules", 60_840_000 / share, part + "V x (IDD5AB 250 - IDD3N 55) x 260 cycles x ns" + of},
		{"energy.dramOpenMilliwatts", 66 / share, part + "V x IDD3N 55" + of},
		{"energy.dramClosedMilliwatts", 48 / share, part + "V x IDD2N 40" + of},
	}
}

// voltaStatic is the power of a V100 beside its dynamic power by AccelWattch,
// which divides it into a constant part and one for its 80 SMs with all lanes on.
func voltaStatic(sms int) row {
	const constantMilliwatts, smsMilliwatts, voltaSMs = 32_325, 37_387, 80
	return row{
		"energy.staticMilliwatts", constantMilliwatts + smsMilliwatts*sms/voltaSMs,
		fmt.Sprintf("%sAccelWattch SM7_QV100: constant_power 32.33 W and static_geomean 17.22 + 31 x 0.65 W, the latter x %d/80 SMs", sourceOurs, sms),
	}
}

// fermiStatic is the static power that GPUSimPow reports for a GTX 580.
func fermiStatic(sms int) row {
	const gtx580Milliwatts, gtx580SMs = 80_000, 16
	const source = "GPUSimPow (Lucas et al., ISPASS 2013): about 80 W measured on a GTX 580"
	if sms == gtx580SMs {
		return row{"energy.staticMilliwatts", gtx580Milliwatts, source}
	}
	return row{"energy.staticMilliwatts", gtx580Milliwatts * sms / gtx580SMs, fmt.Sprintf("%s%s, x %d/%d SMs", sourceOurs, source, sms, gtx580SMs)}
}
