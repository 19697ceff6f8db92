package experiment

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
)

// energyRuns holds the results of energyRun: two tests look at them.
var energyRuns = map[string]*Result{}

// energyRun runs a small program on a preset with a memory scheme.
func energyRun(t *testing.T, name string, m scheme.Memory) *Result {
	t.Helper()
	key := name + " " + m.Codec() + " " + m.Approximation()
	if res := energyRuns[key]; res != nil {
		return res
	}
	s := scenario.Default("vecadd")
	s.Workload.Size, s.Machine.Preset, s.Memory = 16384, name, m
	plan, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	_, energyRuns[key] = finish(t, plan)
	return energyRuns[key]
}

func energySchemes() []scheme.Memory {
	none, exact, lossy := scheme.DefaultMemory(), scheme.DefaultMemory(), scheme.DefaultMemory()
	exact.Put("codec", "e2mc16")
	lossy.Put("codec", "e2mc16", "approximation", "tslc-opt")
	return []scheme.Memory{none, exact, lossy}
}

// TestEnergyFromCounters computes the energy of every run a second time, from the
// counters of the result, the values of `machine describe` and the costs of the codec,
// with unbounded integers. The parts add up to the total exactly.
func TestEnergyFromCounters(t *testing.T) {
	for i, name := range preset.Names() {
		if testing.Short() && i%4 != 0 {
			continue // WebAssembly only has to give the same results
		}
		spec, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]string{}
		for _, f := range preset.Describe(spec) {
			values[f.Path] = f.Value
		}
		for _, m := range energySchemes() {
			res := energyRun(t, name, m)
			total := new(big.Int)
			for _, p := range res.Energy.Parts {
				sum := new(big.Int)
				for _, term := range p.Terms {
					sum.Add(sum, recompute(t, res, values, &term))
				}
				if !sum.IsUint64() || sum.Uint64() != p.Femtojoules || p.Title == "" {
					t.Errorf("%s %s: part %s is %d fJ, its counters give %v", name, m.Codec(), p.Name, p.Femtojoules, sum)
				}
				total.Add(total, sum)
			}
			if !total.IsUint64() || total.Uint64() != res.Energy.TotalFemtojoules || res.Energy.TotalFemtojoules == 0 {
				t.Errorf("%s %s: total %d fJ, the parts come to %v", name, m.Codec(), res.Energy.TotalFemtojoules, total)
			}
		}
	}
}

func recompute(t *testing.T, res *Result, values map[string]string, term *energy.Term) *big.Int {
	t.Helper()
	count, ok := res.Stats[term.Counter]
	class, lanes := strings.CutPrefix(term.Counter, "lanes.")
	switch {
	case term.Counter == "cycles":
		count = res.Cycles
	case term.Counter == "rowsOpenCycles":
		count = min(count, res.Stats["dramCycles"])
	case term.Counter == "dramCycles - rowsOpenCycles":
		count = res.Stats["dramCycles"] - min(res.Stats["rowsOpenCycles"], res.Stats["dramCycles"])
	case term.Counter == "registerOperands":
		count = res.RegisterOperands
	case lanes:
		for _, c := range res.Instructions {
			if c.Class == class {
				count = c.Lanes
			}
		}
	case !ok:
		t.Fatalf("the result has no counter %s", term.Counter)
	}
	if term.Source == "" || count != term.Count {
		t.Errorf("%s: the result counts %d, the term %d, from %q", term.Counter, count, term.Count, term.Source)
	}
	value := new(big.Int).SetUint64(term.Value)
	if text, known := values[term.Path]; known {
		value.SetString(text, 10)
		switch {
		case term.Path == "energy.l2SectorFemtojoules" && strings.HasPrefix(term.Counter, "l2"):
			value.Mul(value, big.NewInt(4)) // sectors of a line
		case term.Path == "energy.dramRefreshFemtojoules" && values["dram.refresh"] == "perBank":
			banks, _ := new(big.Int).SetString(values["dram.banks"], 10)
			value.Div(value, banks)
		}
	} else if !strings.HasPrefix(term.Path, "codec.") {
		t.Errorf("%s is not a value of the machine", term.Path)
	}
	joules := value.Mul(value, new(big.Int).SetUint64(count))
	clock := map[string]string{"cycles": "coreMHz", "rowsOpenCycles": "dramMHz", "dramCycles - rowsOpenCycles": "dramMHz"}[term.Counter]
	if clock != "" {
		mhz, _ := new(big.Int).SetString(values[clock], 10)
		joules.Div(joules.Mul(joules, big.NewInt(1_000_000)), mhz)
	}
	return joules
}

// TestCodecEnergies compares the energy of a block with the papers' tables.
func TestCodecEnergies(t *testing.T) {
	for _, c := range []struct {
		codec, approximation string
		compress, decompress float64 // picojoules a block
	}{
		{"none", "none", 0, 0},
		{"e2mc4", "none", 1.43 / 0.84 * 128, 5.12 / 0.56 * 128},
		{"e2mc8", "none", 4.01 / 1.54 * 128, 11.91 / 0.91 * 128},
		{"e2mc16", "none", 5.47 / 2.86 * 128, 11.89 / 1.60 * 128},
		{"e2mc32", "none", 9.34 / 5.72 * 128, 14.30 / 3.20 * 128},
		{"e2mc16", "tslc-opt", 5.47/2.86*128 + 1.62*14/1.002, 11.89/1.60*128 + 0.21/1.002},
		{"bdi", "none", 192, 56},
		{"bpc", "none", 384, 112},
	} {
		m := scheme.DefaultMemory()
		m.Put("codec", c.codec, "approximation", c.approximation)
		got, err := hardware(&m)
		if err != nil || math.Abs(float64(got.CompressFemtojoules)-c.compress*1000) > 1 || math.Abs(float64(got.DecompressFemtojoules)-c.decompress*1000) > 1 {
			t.Errorf("%s %s: %+v, want %.3f and %.3f pJ: %v", c.codec, c.approximation, got, c.compress, c.decompress, err)
		}
		if got.Source == "" && c.codec != "none" {
			t.Errorf("%s has no source", c.codec)
		}
	}
	m := scheme.DefaultMemory().With("codec", "zip")
	if _, err := hardware(&m); err == nil {
		t.Error("codec none has a cost")
	}
}

// TestInstructionClasses: every instruction belongs to one class.
func TestInstructionClasses(t *testing.T) {
	res := energyRun(t, "mini", scheme.DefaultMemory())
	executions, lanes := uint64(0), uint64(0)
	for _, c := range res.Instructions {
		executions += c.Executions
		lanes += c.Lanes
	}
	if executions != res.WarpInstructions || lanes != res.ThreadInstructions || res.RegisterOperands < lanes {
		t.Errorf("%d of %d warp instructions, %d of %d thread instructions, %d operands", executions, res.WarpInstructions, lanes, res.ThreadInstructions, res.RegisterOperands)
	}
}

// TestEnergyOfSchemes: compression takes energy on the chip and saves energy in DRAM;
// power stays within the limit of such a board.
func TestEnergyOfSchemes(t *testing.T) {
	part := func(r *Result, name string) uint64 {
		for _, p := range r.Energy.Parts {
			if p.Name == name {
				return p.Femtojoules
			}
		}
		t.Fatalf("no part %s", name)
		return 0
	}
	for name, most := range map[string]float64{"gtx580v4": 244, "gtx580b": 244, "gtx480": 250, "mini": 100, "p100": 300, "p100b": 300, "v100": 300, "rtx2060": 160, "rtx3070": 220, "rtx3090": 350, "rtx4090": 450, "orin": 60, "a100": 400, "h100": 700, "h200": 700} {
		if testing.Short() && name != "gtx580b" && name != "h200" {
			continue // WebAssembly only has to give the same results
		}
		var results []*Result
		for _, m := range energySchemes() {
			results = append(results, energyRun(t, name, m))
		}
		none, exact := results[0], results[1]
		if part(none, "codec") != 0 || part(exact, "codec") == 0 {
			t.Errorf("%s: the codec takes %d fJ without compression and %d with it", name, part(none, "codec"), part(exact, "codec"))
		}
		if part(exact, "dramRead") >= part(none, "dramRead") || part(exact, "dramIO") >= part(none, "dramIO") {
			t.Errorf("%s: compression saves no energy of DRAM reads", name)
		}
		if part(none, "execution") != part(exact, "execution") {
			t.Errorf("%s: the same instructions take %d and %d fJ", name, part(none, "execution"), part(exact, "execution"))
		}
		for _, r := range results {
			if r.Energy.Watts < 10 || r.Energy.Watts > most {
				t.Errorf("%s %s: %.1f W on average", name, r.Memory.Codec(), r.Energy.Watts)
			}
			if static := part(r, "static"); r.Stats[stat.Describe(stat.DRAMCycles).Name] == 0 || static == 0 {
				t.Errorf("%s: static %d fJ", name, static)
			}
		}
		t.Logf("%s: none %.1f W, e2mc16 %.1f W, tslc-opt %.1f W", name, none.Energy.Watts, exact.Energy.Watts, results[2].Energy.Watts)
	}
}
