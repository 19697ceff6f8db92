package workload

// Value returns element i of a buffer's bytes.
func (b *Buffer) Value(data []byte, i int) float64 { return b.Element.value(data, i) }
