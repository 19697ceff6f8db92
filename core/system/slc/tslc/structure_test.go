package tslc

import (
	"slices"
	"testing"
)

// SLC section III-G and figure 6: 1 + 6 + 4 + 3 x 7 bits; section III-F: 8 and 4
// extra nodes.
func TestStructureIsThePapers(t *testing.T) {
	if got := HeaderBits(4); got != 32 {
		t.Errorf("the header has %d bits, not 32", got)
	}
	if got := ExtraNodes(); !slices.Equal(got, []int{8, 4}) {
		t.Errorf("OPT has %v extra nodes, not 8 and 4", got)
	}
}
