package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// source is a package that a registry serves, a row of packages.csv.
type source struct {
	ID, Registry, Package, Version, SHA256, Licence, Text, Credit string
}

// tensor is an array of a file of a package, a row of tensors.csv.
type tensor struct {
	ID, Title, Kind, Source, File, Array, Type string
	First, Bytes                               int64 // of the part that is taken; 0 bytes are all
	As                                         string
	Run                                        string // PACKAGE:FILE that the model was run on; Array is a value then
	SHA256                                     string // of what a run gave
	Beside                                     string // PROGRAM:DATA:BUFFER whose generator stands for such data, or ""
}

// The folder of the lists and of the arrays, and the lists.
const (
	dataFolder  = "assets/data"
	packagesCSV = "packages.csv"
	tensorsCSV  = "tensors.csv"
	arrayEnding = ".safetensors"
)

// lists reads both lists from a folder.
func lists(in fs.FS) (sources []source, tensors []tensor, err error) {
	rows, err := rowsOf(in, packagesCSV, 8)
	if err != nil {
		return nil, nil, err
	}
	known := map[string]bool{}
	for _, r := range rows {
		sources = append(sources, source{r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]})
		known[r[0]] = true
	}
	if rows, err = rowsOf(in, tensorsCSV, 13); err != nil {
		return nil, nil, err
	}
	for i, r := range rows {
		t := tensor{ID: r[0], Title: r[1], Kind: r[2], Source: r[3], File: r[4], Array: r[5], Type: r[6], As: r[9],
			Beside: r[10], Run: r[11], SHA256: r[12]}
		for k, to := range []*int64{&t.First, &t.Bytes} {
			if *to, err = strconv.ParseInt(r[7+k], 10, 64); err != nil || *to < 0 {
				return nil, nil, fmt.Errorf("%s: row %d: %q is no number of bytes", tensorsCSV, i+2, r[7+k])
			}
		}
		if from, _, ran := strings.Cut(t.Run, ":"); t.Run != "" && (!ran || !known[from] || len(t.SHA256) != 64) {
			return nil, nil, fmt.Errorf("%s: row %d: a run on %q, with a hash of %d digits", tensorsCSV, i+2, t.Run,
				len(t.SHA256))
		}
		if !known[t.Source] {
			return nil, nil, fmt.Errorf("%s: row %d: package %q is not in %s", tensorsCSV, i+2, t.Source, packagesCSV)
		}
		tensors = append(tensors, t)
	}
	return sources, tensors, nil
}

// rowsOf reads the rows of a list below its header.
func rowsOf(in fs.FS, name string, columns int) ([][]string, error) {
	f, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = columns
	rows, err := r.ReadAll()
	if err == nil && len(rows) == 0 {
		err = errors.New("the list is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows[1:], nil
}

// packageFolder is where a package is unpacked below a folder.
func packageFolder(folder string, s *source) string { return filepath.Join(folder, s.ID) }

// exists reports whether there is a file.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
