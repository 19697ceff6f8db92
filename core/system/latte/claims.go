package latte

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/system"
)

// claims has the words of the paper's claims.
type claims struct{}

// Words implements system.Claims.
func (claims) Words() system.Words {
	return system.Words{
		Group: "l1", Run: nameOfRun, Constants: constants(),
		Measures: []system.Measure{{Name: "agreement", Value: agreement}},
	}
}

// nameOfRun describes what L1 stores.
func nameOfRun(p system.Part) string {
	store := p.Word("store")
	if store == "" || store == system.None {
		return ""
	}
	text := ", L1 " + store
	if n := p.Int("extraLatency"); n > 0 {
		text += fmt.Sprintf(" +%d cycles", n)
	}
	if p.Word("capacity") == "off" {
		text += " without capacity"
	}
	if n, low := p["lowDecompress"].(int64); low && n == 0 {
		text += " BDI in 0 cycles"
	}
	if n, high := p["highDecompress"].(int64); high && n == 0 {
		text += " SC in 0 cycles"
	}
	return text
}

// agreement is the share of phases in which the first run had the mode that the second one chose for the launch.
func agreement(runs []system.Measured, _ []any) (float64, error) {
	phases, planned := system.ReportIn[Phases](runs[0]), system.ReportIn[Phases](runs[1])
	if phases == nil || planned == nil {
		return 0, system.Lack("phases of " + runs[0].String())
	}
	share, ok := phases.Agreement(planned.Plan)
	if !ok {
		return 0, system.Note("has no complete phase, and counts as 0")
	}
	return share, nil
}

func constants() []system.Constant {
	setting := func(name string) func(*parameter.GPU) any {
		return func(*parameter.GPU) any { return entryNamed("latte").Default(name) }
	}
	return []system.Constant{
		{Name: "latte.decomp", Read: func(*parameter.GPU) any {
			var list system.Pairs
			for _, name := range []string{"bdi", "fpc", "cpackz", "bpc", "sc"} {
				list = append(list, [2]any{strings.ToUpper(name), cost(name).L1DecompressCycles})
			}
			return list
		}},
		{Name: "latte.bdi", Read: func(*parameter.GPU) any { return insideL1("bdi") }},
		{Name: "latte.sc", Read: func(*parameter.GPU) any { return insideL1("sc") }},
		{Name: "latte.sms", Read: func(m *parameter.GPU) any { return m.SMs }},
		{Name: "latte.l1", Read: func(m *parameter.GPU) any { return []any{m.SM.L1.Bytes(), mem.LineBytes, m.SM.L1.Ways} }},
		{Name: "latte.l2", Read: func(m *parameter.GPU) any {
			if m.Slices() != 12 { // the banks of table II
				return fmt.Errorf("%s has an L2 of %d slices with %d ways, not of 12 banks; the preset gtx480v322 has 12",
					m.Name, m.Slices(), m.L2.Ways)
			}
			return []any{m.L2Bytes(), mem.LineBytes, m.L2.Ways, m.Slices()}
		}},
		// The latency in front of L2, and with the one after it that of a DRAM access before any
		// DRAM timing. A joint queue takes three cycles of GPGPU-Sim's dram_latency itself (preset gtx480v3).
		{Name: "latte.min_lat", Read: func(m *parameter.GPU) any {
			dram := m.Controller.FixedLatencyCycles
			if m.Controller.Schedule == memctrl.ScheduleJoint {
				dram += 3
			}
			return []any{m.L2LatencyCycles, m.L2LatencyCycles + dram}
		}},
		{Name: "latte.tag_factor", Read: setting("tags")},
		{Name: "latte.ep", Read: setting("phase")},
		{Name: "latte.period_eps", Read: setting("period")},
		{Name: "latte.ded_sets", Read: setting("dedicated")},
	}
}

func entryNamed(name string) *system.Entry {
	g := system.Group{Entries: entries()}
	return g.Entry(name)
}

// insideL1 is a codec's latencies in an L1, and its energies in nanojoules.
func insideL1(name string) []any {
	c := cost(name)
	return []any{c.L1CompressCycles, c.L1DecompressCycles, c.CompressPJ / 1000, c.DecompressPJ / 1000}
}

// cost is the cost of a codec without a code of its own.
func cost(name string) codec.Cost {
	c, err := codecs.ByName(name, nil)
	if err != nil {
		panic(err) // it is in the table
	}
	return c.Info().Cost
}
