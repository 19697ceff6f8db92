package model

// timed is anything with a cycle. The lists of a Timeline are sorted by it.
type timed interface{ at() uint32 }

// insert appends v to a list sorted by cycle and moves it to its place, and
// returns the list and that place. Records arrive nearly in order, so the walk
// is short.
func insert[T timed](list []T, v T) ([]T, int) {
	list = append(list, v)
	i := len(list) - 1
	for i > 0 && list[i-1].at() > v.at() {
		list[i] = list[i-1]
		i--
	}
	list[i] = v
	return list, i
}

// after returns the number of elements at or before cycle, which is also the
// index of the first one later than it.
func after[T timed](list []T, cycle float64) int {
	low, high := 0, len(list)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if float64(list[mid].at()) <= cycle {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
