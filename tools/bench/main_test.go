package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var out strings.Builder
	native := []speed{{"vecadd-262144", 3.28e6, 0}, {"own", 2e6, 8e9}}
	if err := table(&out, native, []speed{{"own", 1e6, 4e9}, {"vecadd-262144", 1.64e6, 0}}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if got := strings.Fields(lines[2]); strings.Join(got, " ") != "vecadd-262144 3.28 1.64 0.50 0.0164 200x 100x - -" {
		t.Error(got)
	}
	if got := strings.Fields(lines[3]); strings.Join(got, " ") != "own 2.00 1.00 0.50 - - - 8000 4000" {
		t.Error(got)
	}
	if err := table(&out, native, nil); err == nil {
		t.Error("a figure is missing, but there is no error")
	}
}
