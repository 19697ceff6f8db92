package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// costsData has the measured costs of the programs, as the tests of sweeps write it.
const costsData = "tools/burstscope/sweep/costs.csv"

// memoryData has a table of the memory of the page's engines, as ./build.sh bench memory measures it.
const memoryData = "core/BENCHMARKS.md"

// memoryHead begins the table: a row for each preset, a column for each program.
const memoryHead = "| preset | `tp` |"

// memoryCell is megabytes, and how many engines have them.
var memoryCell = regexp.MustCompile(`(\d+) \(\d\)`)

// packCosts writes costs.json, of which the page says how long a run takes before it has measured any.
func packCosts(root, stage string) error {
	table, err := tableOf(root, costsData, "go test ./tools/burstscope/sweep -run TestMeasuredCosts -costs")
	if err != nil {
		return err
	}
	memory, err := engineMemory(root)
	if err != nil {
		return err
	}
	text, err := json.Marshal(struct {
		packedTable
		MB map[string][2]int `json:"mb"`
	}{table, memory})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(stage, "costs.json"), text)
}

// engineMemory is the least and the most memory of the engines on each measured preset, in MB.
func engineMemory(root string) (map[string][2]int, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(memoryData)))
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(text), memoryHead)
	table, _, _ := strings.Cut(rest, "\n\n")
	found := map[string][2]int{}
	for line := range strings.Lines(table) {
		parts := strings.Split(line, "`")
		cells := memoryCell.FindAllStringSubmatch(line, -1)
		if len(parts) < 3 || len(cells) == 0 {
			continue
		}
		ends := [2]int{}
		for _, cell := range cells {
			mb, err := strconv.Atoi(cell[1])
			if err != nil {
				return nil, err
			}
			if ends[0] == 0 || mb < ends[0] {
				ends[0] = mb
			}
			ends[1] = max(ends[1], mb)
		}
		found[parts[1]] = ends
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no table that begins with %s", memoryData, memoryHead)
	}
	return found, nil
}
