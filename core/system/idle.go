package system

// Counts are what a finished run counted.
type Counts struct {
	Stats    map[string]uint64 // counters by name
	Launches int
}

// Sum adds up counters.
func (r *Counts) Sum(counters ...string) (n uint64) {
	for _, c := range counters {
		n += r.Stats[c]
	}
	return n
}

// NothingMoved is why whatever works on blocks did nothing in a run without any.
const NothingMoved = "no block was read from DRAM or written to it"

// Lossy, Smaller and Moved are blocks that crossed the bus: those with cut symbols, those in codes of any kind, all.
func (r *Counts) Lossy() uint64 { return r.Sum("blocksReadLossy", "blocksWrittenLossy") }
func (r *Counts) Smaller() uint64 {
	return r.Lossy() + r.Sum("blocksReadLossless", "blocksWrittenLossless")
}
func (r *Counts) Moved() uint64 { return r.Smaller() + r.Sum("blocksReadRaw", "blocksWrittenRaw") }
