package cache

import "testing"

// Any number of sets: lines side by side fill all of them, and strides that do not divide it nearly all.
func TestSetsOfAnyNumber(t *testing.T) {
	for _, index := range []Index{IndexLinear, IndexFold} {
		for _, sets := range []int{1, 3, 48, 96, 144, 1152} {
			for _, stride := range []uint64{1, 5, 7} {
				count := make([]int, sets)
				for i := range uint64(8 * sets) {
					count[index.set(i*stride, sets)]++
				}
				unused := 0
				for set, n := range count {
					if n == 0 {
						unused++
					}
					if index == IndexLinear && n != 8 || n > 32 {
						t.Errorf("%s, %d sets, stride %d: set %d has %d of %d lines", IndexNames[index], sets, stride, set, n, 8*sets)
					}
				}
				if unused > sets/8 || stride == 1 && unused > 0 {
					t.Errorf("%s, %d sets, stride %d: %d sets have no line", IndexNames[index], sets, stride, unused)
				}
			}
		}
	}
	// Strides of the number of sets meet in one set under linear alone.
	seen := map[int]bool{}
	for i := range uint64(96) {
		if IndexLinear.set(i*96, 96) != 0 {
			t.Error("a stride of all sets leaves set 0")
		}
		seen[IndexFold.set(i*96, 96)] = true
	}
	if len(seen) < 48 {
		t.Errorf("fold spreads a stride of 96 over %d of 96 sets", len(seen))
	}
}
