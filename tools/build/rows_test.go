package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/burstscope/burstscope/core/metric"
)

// Style sheets name rows of the result table by their metrics. A name without a row would
// style nothing.
func TestStyledRowsAreInTheTable(t *testing.T) {
	files, err := filepath.Glob("../../site/*.css")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`data-row="?(\w+)`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range row.FindAllStringSubmatch(string(text), -1) {
			found++
			if m := metric.Find(name[1]); m == nil || m.Row == "" {
				t.Errorf("%s styles the row %s, which is not in the result table", filepath.Base(file), name[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d rows in the style sheets", found)
	}
}
