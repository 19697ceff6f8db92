package authoring

import (
	"fmt"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
)

// ParseTree reads authored YAML of another schema than a scenario's, within the
// same limits, as a tree whose values know where they stood.
func ParseTree(file string, b []byte) (*scenario.Value, error) {
	if len(b) > scenario.MaxTextBytes {
		return nil, fault.Refuse(file, fmt.Sprintf("%d bytes of text", len(b)), fmt.Sprintf("at most %d are read", scenario.MaxTextBytes))
	}
	if err := checkDensity(file, b); err != nil {
		return nil, err
	}
	root, err := readYAML(file, b)
	if err != nil {
		return nil, err
	}
	r := yamlReader{file: file}
	v, err := r.value(root, 0)
	if err != nil {
		return nil, err
	}
	return &v, nil
}

// ParseMsgpack reads a packed scenario with everything that people write in one.
func ParseMsgpack(b []byte) (*scenario.Scenario, error) {
	v, err := scenario.ParseMsgpackTree(b)
	if err != nil {
		return nil, err
	}
	return scenario.FromTree(v, steps.Validate)
}
