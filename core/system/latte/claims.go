package latte

import (
	"fmt"

	"github.com/burstscope/burstscope/core/system"
)

// claims has the words of the paper's claims.
type claims struct{}

// Words implements system.Claims.
func (claims) Words() system.Words {
	return system.Words{
		Group: "l1", Run: nameOfRun,
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
