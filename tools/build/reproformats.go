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
	table, err := tableOf(root, formatsData, "go test ./core/experiment -run FormatsStudy -formats -timeout 0")
	if err != nil {
		return err
	}
	return r.write("formats.json", table)
}

// packedTable is a CSV file as the page reads it.
type packedTable struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// tableOf reads a CSV file of the tree, numbers as numbers; made is the command that writes it.
func tableOf(root, name, made string) (packed packedTable, err error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return packed, err
	}
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return packed, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) < 2 {
		return packed, fmt.Errorf("%s: it has no rows; make them with: %s", name, made)
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
	return packed, nil
}
