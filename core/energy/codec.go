package energy

// Codec is what a block of 128 bytes costs the hardware of a codec.
type Codec struct {
	Name                  string
	CompressFemtojoules   uint64
	DecompressFemtojoules uint64
	Source                string
}

// blockBytes is the block that is compressed.
const blockBytes = 128

// perBlock is the energy of a block in a unit of that power and throughput: a
// microwatt at a megabyte per second is a picojoule a byte.
func perBlock(microwatts, megabytesPerSecond uint64) uint64 {
	return microwatts * blockBytes * 1000 / megabytesPerSecond
}

const (
	sourceE2MC  = "E2MC tables III and IV: power of a unit over its throughput, 128 bytes"
	sourceTSLC  = sourceE2MC + "; SLC table I: power of the additions at the same throughput"
	sourceLATTE = "LATTE-CC table I: nJ of a line compressed and decompressed"
	// sourceNone marks codecs whose papers give no power.
	sourceNone = "[ours] as BDI of LATTE-CC, because its paper gives no power"
)

// codecs lists the codecs whose power is published. E2MC: microwatts and MB/s of
// a compressor and a decompressor for 4, 8, 16 and 32-bit symbols. LATTE-CC gives
// BDI 0.192 and 0.056 nJ, statistical compression 0.42 and 0.336 nJ.
func codecs() []Codec {
	e2mc16 := Codec{"e2mc16", perBlock(5470, 2860), perBlock(11890, 1600), sourceE2MC}
	list := []Codec{
		{Name: "none", Source: "no codec"},
		{"e2mc4", perBlock(1430, 840), perBlock(5120, 560), sourceE2MC},
		{"e2mc8", perBlock(4010, 1540), perBlock(11910, 910), sourceE2MC},
		e2mc16,
		{"e2mc32", perBlock(9340, 5720), perBlock(14300, 3200), sourceE2MC},
		{"bdi", 192_000, 56_000, sourceLATTE},
		{"sc", 420_000, 336_000, sourceLATTE},
		{"bpc", 384_000, 112_000, "[ours] twice BDI of LATTE-CC table I"},
	}
	for _, name := range []string{"tslc-simp", "tslc-pred", "tslc-opt"} {
		list = append(list, Codec{
			name, e2mc16.CompressFemtojoules + perBlock(1620, 2860), e2mc16.DecompressFemtojoules + perBlock(210, 1600), sourceTSLC,
		})
	}
	return list
}

// CodecOf returns the costs of a codec or approximation by name.
func CodecOf(name string) Codec {
	for _, c := range codecs() {
		if c.Name == name {
			return c
		}
	}
	return Codec{name, 192_000, 56_000, sourceNone}
}
