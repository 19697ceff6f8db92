package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// defaultScenario is the scenario that the page shows first, and defaultProgram is its program;
// site/src/protocol/first.ts repeats the name.
const (
	defaultScenario = "tp"
	defaultProgram  = "transpose"
)

// shipped is one entry of scenarios/index.json, as the page reads it.
type shipped struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Notes string `json:"notes,omitempty"`
	File  string `json:"file"`
	// Hash is that of the file, by which a Worker keeps it; ScenarioHash is the one
	// that results name (wasm/edge/README.md).
	Hash         string          `json:"hash"`
	ScenarioHash string          `json:"scenarioHash"`
	Scenario     json.RawMessage `json:"scenario"`
}

// packScenarios writes every scenario of assets/scenarios as msgpack, and the
// list of them, the default one first.
func packScenarios(root, dist string) error {
	files, err := filepath.Glob(filepath.Join(root, "assets", "scenarios", "*.yaml"))
	if err != nil {
		return err
	}
	folder := filepath.Join(dist, "scenarios")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var index []shipped
	for _, file := range files {
		name, s, err := readScenario(file)
		if err != nil {
			return err
		}
		packed := authoring.Marshal(s)
		entry := shipped{name, s.Title, s.Notes, name + ".msgpack", hashOf(packed), s.Hash(), authoring.ToJSON(s)}
		if err := os.WriteFile(filepath.Join(folder, entry.File), packed, 0o644); err != nil {
			return err
		}
		index = append(index, entry)
	}
	first := slices.IndexFunc(index, func(e shipped) bool { return e.Name == defaultScenario })
	if first < 0 {
		return fmt.Errorf("assets/scenarios has no %s.yaml: the page starts with this scenario", defaultScenario)
	}
	index = append([]shipped{index[first]}, slices.Delete(slices.Clone(index), first, first+1)...)
	data, err := json.Marshal(index)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "index.json"), data, 0o644)
}

func readScenario(file string) (name string, s *scenario.Scenario, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", nil, err
	}
	name = strings.TrimSuffix(filepath.Base(file), ".yaml")
	s, err = authoring.ParseYAML(filepath.Base(file), data)
	return name, s, err
}
