package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// formatsData is the study of today's formats, as the test of it in core/experiment writes it.
const formatsData = "core/workload/formats.csv"

// formats writes repro/formats.json: the columns of the study, and its rows with numbers as numbers.
func (r *reproPacker) formats(root string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(formatsData)))
	if err != nil {
		return err
	}
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", formatsData, err)
	}
	if len(lines) < 2 {
		return fmt.Errorf("%s: it has no rows; make them with: go test ./core/experiment -run FormatsStudy -formats -timeout 0", formatsData)
	}
	var packed struct {
		Columns []string `json:"columns"`
		Rows    [][]any  `json:"rows"`
	}
	packed.Columns = lines[0]
	for _, line := range lines[1:] {
		row := make([]any, len(line))
		for i, cell := range line {
			row[i] = cell
			if number := json.Number(cell); json.Valid([]byte(number)) {
				row[i] = number
			}
		}
		packed.Rows = append(packed.Rows, row)
	}
	return r.write("formats.json", packed)
}
