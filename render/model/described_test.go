package model

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/golden"
)

// TestSamples: a change of what a picture shows is seen in testdata/samples.txt, which
// the page's painters are held to as well (tools/translate).
func TestSamples(t *testing.T) {
	var all strings.Builder
	for _, name := range samples() {
		all.WriteString("== " + name + "\n" + strings.ReplaceAll(sample(name), "><", ">\n<") + "\n")
	}
	golden.File(t, "testdata/samples.txt", []byte(all.String()))
}
