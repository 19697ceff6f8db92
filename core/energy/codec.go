package energy

// Codec is the energy that a codec's hardware uses for a block.
type Codec struct {
	Name                  string
	CompressFemtojoules   uint64
	DecompressFemtojoules uint64
	Source                string
}

// NewCodec returns the costs of a codec whose paper states picojoules, rounded to
// whole femtojoules.
func NewCodec(name string, compressPJ, decompressPJ float64, source string) Codec {
	return Codec{name, uint64(float64(compressPJ*1000) + 0.5), uint64(float64(decompressPJ*1000) + 0.5), source}
}
