package model

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/samples.txt anew")

// TestSamples: a change of what a picture shows is seen in testdata/samples.txt, which
// the page's painters are held to as well (tools/translate).
func TestSamples(t *testing.T) {
	var all strings.Builder
	for _, name := range samples() {
		all.WriteString("== " + name + "\n" + strings.ReplaceAll(sample(name), "><", ">\n<") + "\n")
	}
	const file = "testdata/samples.txt"
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(all.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("%s differs from line %d on; if the change is wanted: go test ./render/model -run TestSamples -update", file, i+1)
		}
	}
}
