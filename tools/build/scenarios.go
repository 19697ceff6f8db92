package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
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

// shippedNoise is how far the speedup of B over A moves for no reason, from assets/scenarios/noise.json. The sides are
// the short hashes of the scenarios that results name, so the page shows it of these results and of no others.
type shippedNoise struct {
	SideA string `json:"a"`
	SideB string `json:"b"`
	experiment.Noise
}

// readNoise reads the intervals of the shipped scenarios, by the hash of the scenario.
func readNoise(root string) (map[string]*shippedNoise, error) {
	const mend = "run ./build.sh update ./tools/burstscope/sweep"
	file := filepath.Join(root, "assets", "scenarios", "noise.json")
	var list []struct {
		Version, Scenario, SideA, SideB string
		Noise                           experiment.Noise
	}
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", file, err, mend)
	}
	found := map[string]*shippedNoise{}
	for _, one := range list {
		if one.Version != experiment.Version {
			return nil, fmt.Errorf("%s is of version %s, this is %s: %s", file, one.Version, experiment.Version, mend)
		}
		for _, v := range []*float64{&one.Noise.Own.Low, &one.Noise.Own.High, &one.Noise.Null.Low, &one.Noise.Null.High} {
			*v = math.Round(*v*1e4) / 1e4 // more than the page shows
		}
		found[one.Scenario] = &shippedNoise{scenario.ShortHash(one.SideA), scenario.ShortHash(one.SideB), one.Noise}
	}
	return found, nil
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
