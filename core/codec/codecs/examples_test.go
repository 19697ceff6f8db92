package codecs

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
)

// The worked blocks come out of the table of codecs as they should.
func TestWorkedBlocks(t *testing.T) {
	for _, name := range codectest.ExampleCodecs {
		c, err := ByName(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		codectest.CheckExamples(t, name, c.RawBits)
	}
}
