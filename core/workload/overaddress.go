package workload

import "math"

// ErrorOverAddress divides a buffer into at most parts parts of as many elements each, the last one excepted, and
// returns the mean and the largest difference of got and exact in each of them. If exactly one of two
// values is NaN, their difference is infinite.
func (b *Buffer) ErrorOverAddress(exact, got []byte, parts int) (each int, mean, most []float64) {
	n := len(exact) / b.Element.Bytes()
	each = max((n+parts-1)/parts, 1)
	for first := 0; first < n; first += each {
		last := min(first+each, n)
		sum, top := 0.0, 0.0
		b.Element.changed(exact, got, first, last, func(x, y []float64) {
			for i := range x {
				d, whole := difference(x[i], y[i])
				if whole {
					d = math.Inf(1)
				}
				sum += d
				top = max(top, d)
			}
		})
		mean, most = append(mean, sum/float64(last-first)), append(most, top)
	}
	return each, mean, most
}
