package authoring

import (
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
)

// ParseJSON reads a scenario that people keep as strict JSON (RFC 8259), its lesson
// included. file names it in messages. Faults carry file:line:column.
func ParseJSON(file string, b []byte) (*scenario.Scenario, error) {
	v, err := scenario.ParseJSONText(file, b)
	if err != nil {
		return nil, err
	}
	return scenario.FromTree(v, steps.Validate)
}
