package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/assets/scenarios"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// scenarioKinds are the endings of files with a scenario.
var scenarioKinds = []string{".yaml", ".yml", ".json", ".msgpack"}

func IsScenarioFile(name string) bool {
	return slices.Contains(scenarioKinds, strings.ToLower(filepath.Ext(name)))
}

// ReadTree reads a scenario's file as a tree.
func ReadTree(name string) (*scenario.Value, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".msgpack":
		b, err := disk.ReadFile(name, scenario.MaxMsgpackBytes)
		if err != nil {
			return nil, err
		}
		return scenario.ParseMsgpackTree(b)
	case ".json":
		b, err := ReadPlain(name, scenario.MaxJSONBytes)
		if err != nil {
			return nil, err
		}
		return scenario.ParseJSONText(name, b)
	}
	b, err := ReadPlain(name, scenario.MaxTextBytes)
	if err != nil {
		return nil, err
	}
	return authoring.ParseTree(name, b)
}

// InMsgpack is inFile for a file of msgpack; other places have the name already.
func InMsgpack(name string) func(*scenario.Scenario, error) (*scenario.Scenario, error) {
	if strings.ToLower(filepath.Ext(name)) == ".msgpack" {
		return InFile(name)
	}
	return func(s *scenario.Scenario, err error) (*scenario.Scenario, error) { return s, err }
}

// rfvpMachine is the preset with the values of RFVP's table II.
const rfvpMachine = "gtx480v3"

// ProgramOrScenario returns a program without a scheme on the machine of RFVP, or a scenario.
// A name that both have means the program.
func ProgramOrScenario(name string) (*scenario.Scenario, error) {
	info, err := programs.Describe(name)
	if err != nil {
		return LoadScenario(name)
	}
	s := scenario.Default(info.Name)
	s.Machine.Preset = rfvpMachine
	return s, nil
}

// LoadScenario reads a shipped scenario or a program by its name, or a file.
func LoadScenario(name string) (*scenario.Scenario, error) {
	if b := scenarios.Packed(name); b != nil {
		return scenario.ParseMsgpack(b)
	}
	kind := strings.ToLower(filepath.Ext(name))
	if !IsScenarioFile(name) {
		if info, err := programs.Describe(name); err == nil {
			return scenario.Default(info.Name), nil
		}
		names := slices.Concat(scenarios.Names(), programs.Names())
		mend := ""
		if near := fault.Nearest(name, names); near != "" {
			mend = ": did you mean " + near + "?"
		}
		return nil, fmt.Errorf("unknown scenario: %s: name one of %s, a program of burstscope workloads, or a .yaml, .json or .msgpack file%s",
			name, strings.Join(scenarios.Names(), ", "), mend)
	}
	if kind == ".msgpack" {
		b, err := disk.ReadFile(name, scenario.MaxMsgpackBytes)
		if err != nil {
			return nil, err
		}
		return InFile(name)(authoring.ParseMsgpack(b))
	}
	if kind == ".json" {
		b, err := ReadPlain(name, scenario.MaxJSONBytes)
		if err != nil {
			return nil, err
		}
		return authoring.ParseJSON(name, b)
	}
	b, err := ReadPlain(name, scenario.MaxTextBytes)
	if err != nil {
		return nil, err
	}
	return authoring.ParseYAML(name, b)
}

// ScenarioWith is LoadScenario with the values of --set.
func ScenarioWith(name string, sets []Assignment) (*scenario.Scenario, error) {
	s, err := LoadScenario(name)
	if err != nil {
		return nil, err
	}
	return s, Apply(s, sets)
}

// InFile puts a file's name before the places of msgpack faults.
func InFile(name string) func(*scenario.Scenario, error) (*scenario.Scenario, error) {
	return func(s *scenario.Scenario, err error) (*scenario.Scenario, error) {
		e, ok := err.(*fault.Errors)
		if !ok {
			return s, err
		}
		for i := range e.List {
			e.List[i].Where = strings.TrimSuffix(name+": "+e.List[i].Where, ": ")
		}
		return nil, e
	}
}
