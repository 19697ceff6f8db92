package model

import "testing"

// TestAboveAxisCountsWholeBlocks: the middle of the axis is a whole number, so that no two
// of its labels are equal, even if no bar is higher than one block.
func TestAboveAxisCountsWholeBlocks(t *testing.T) {
	for most, want := range map[int]string{0: "1", 1: "1", 2: "1", 7: "4"} {
		h := Above{MAGBytes: 32, Bytes: make([]int, 32), Safe: make([]int, 32), All: 9}
		h.Bytes[3] = most
		var s Scene
		(&AboveChart{Counts: &h}).AboveScene(&s, 400, 200)
		middle := ""
		for _, p := range s.Shapes { // the labels of the axis come first, from the foot up
			if p.Kind == Words && p.Align == Right && middle == "" && p.Text != "0" {
				middle = p.Text
			}
		}
		if middle != want {
			t.Errorf("bars of up to %d blocks: the middle of the axis says %q, want %q", most, middle, want)
		}
	}
}
