package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// realData is the folder of arrays of real models, pictures and measurements.
const realData = "assets/data"

// maxPageArray bounds the arrays that come with the page: one of 64 K numbers in bf16, and its header [ours].
const maxPageArray = 132_000

// examples says how many arrays of a kind come with the page, the first ones, where it is not all: the page in one file
// holds them too. Of what runs made it is the first keys of a cache [ours].
var examples = map[string]int{"weights": 7, "activations": 0, "cache of keys and values": 1}

// packData writes data/index.json, the table of real arrays with the names of those that the page has, and these as
// texts: the file with everything in it holds no other form.
func packData(root, stage string) error {
	table, err := tableOf(root, realData+"/ratios.csv", "./build.sh update ./tools/datasets")
	if err != nil {
		return err
	}
	index := struct {
		packedTable
		Arrays []string `json:"arrays"`
	}{packedTable: table}
	of := map[string]int{}
	for _, row := range table.Rows {
		id, kind := row[0].(string), row[2].(string)
		array, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(realData), id+".safetensors"))
		if os.IsNotExist(err) { // the data of a generator
			continue
		}
		if err != nil {
			return err
		}
		if most, few := examples[kind]; len(array) > maxPageArray || few && of[kind] == most {
			continue
		}
		of[kind]++
		index.Arrays = append(index.Arrays, id)
		if err := writePacked(filepath.Join(stage, "data", id+".json"), array); err != nil {
			return err
		}
	}
	if err := packLicences(root, stage); err != nil {
		return err
	}
	return writePacked(filepath.Join(stage, "data", "index.json"), index)
}

// packLicences writes data/licences.txt: the authors of the arrays, and the texts of their licences.
func packLicences(root, stage string) error {
	packages, err := tableOf(root, realData+"/packages.csv", "hand")
	if err != nil {
		return err
	}
	var out strings.Builder
	var texts []string
	for _, row := range packages.Rows {
		fmt.Fprintf(&out, "%v %v: %v\n", row[2], row[3], row[7])
		if name := row[6].(string); name != "" && !slices.Contains(texts, name) {
			texts = append(texts, name)
		}
	}
	for _, name := range texts {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(realData), "licences", name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "\n--- %s\n\n%s", name, text)
	}
	return writeFile(filepath.Join(stage, "data", "licences.txt"), []byte(out.String()))
}

// writePacked writes a value; bytes become base64.
func writePacked(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFile(path, data)
}
