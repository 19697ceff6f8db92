package sm

import "testing"

// TestGPCs: of 132 SMs two GPCs have 18 and six have 16, as an H100 must have them; a small device is one GPC.
func TestGPCs(t *testing.T) {
	count := map[int]int{}
	for i := range 132 {
		count[gpcOf(i, 132)]++
	}
	sizes := map[int]int{}
	for _, n := range count {
		sizes[n]++
	}
	if len(count) != 8 || sizes[16] != 6 || sizes[18] != 2 {
		t.Errorf("GPCs of %v SMs", count)
	}
	if gpcOf(17, 18) != 0 || gpcOf(0, 1) != 0 {
		t.Error("18 SMs are more than one GPC")
	}
}
