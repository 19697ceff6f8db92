package authoring

import (
	"fmt"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
)

// ParseTree reads YAML of any schema within the limits of a scenario. Each value of the
// tree knows its place in the text.
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

// ParseMsgpack reads a packed scenario, its lesson included.
func ParseMsgpack(b []byte) (*scenario.Scenario, error) {
	v, err := scenario.ParseMsgpackTree(b)
	if err != nil {
		return nil, err
	}
	return scenario.FromTree(v, steps.Validate)
}
