package codectest

import (
	"math"

	"github.com/burstscope/burstscope/core/mem"
)

// Example is a worked block with the sizes that independent programs agree on, in
// bits and not capped at the size of the block.
type Example struct {
	Name        string
	Line        *mem.Line
	BDIEncoding string // of bdi
	TenEncoding string // of bdi10
	// Sizes has a column for each codec and reading.
	Sizes map[string]int
}

// ExampleCodecs are the codecs and readings of codecs in the rows below. Independent programs gave these sizes.
var ExampleCodecs = []string{"bdi", "bdi-mask", "bdi10", "fpc", "cpack", "cpack-xm", "cpack-all", "bpc", "bpc-unsigned", "zvc", "mpc", "fibonacci"}

var exampleRows = []struct {
	name, bdi, ten string
	sizes          []int
}{
	{"E00 all zero", "zero", "zero", []int{8, 8, 8, 24, 64, 64, 64, 10, 10, 32, 32, 64}},
	{"E01 words 0..31", "b4d1", "b4d1", []int{288, 320, 288, 319, 374, 374, 374, 15, 15, 1024, 96, 126}},
	{"E02 every FPC prefix", "none", "none", []int{1024, 1024, 1024, 231, 354, 354, 354, 745, 774, 448, 960, 410}},
	{"E03 every C-PACK code", "b4d2", "b4d2", []int{544, 576, 544, 189, 146, 146, 146, 652, 652, 192, 832, 189}},
	{"E04 C-PACK FIFO overflow", "none", "none", []int{1024, 1024, 1024, 677, 644, 644, 644, 422, 451, 640, 608, 795}},
	{"E05 C-PACK partial match then closer word", "b4d2", "b4d2", []int{544, 576, 544, 129, 140, 132, 132, 383, 391, 128, 960, 175}},
	{"E06 every BPC code, base 5", "b4d2", "b4d2", []int{544, 576, 544, 572, 542, 494, 494, 92, 92, 1056, 288, 258}},
	{"E07 same deltas, base -5 (crosses zero)", "b4d2", "b4d2", []int{544, 576, 544, 568, 564, 516, 516, 92, 107, 1056, 256, 258}},
	{"E08 BDI b8d1 pointers with nulls", "b8d1", "b8d1", []int{192, 208, 192, 618, 296, 296, 306, 777, 777, 736, 768, 1054}},
	{"E09 BDI b4d1 one delta -128", "b4d1", "b4d1", []int{288, 320, 288, 624, 248, 248, 248, 62, 62, 1056, 128, 116}},
	{"E10 BDI one delta +128", "b4d2", "b4d2", []int{544, 576, 544, 624, 230, 230, 230, 62, 62, 1056, 160, 116}},
	{"E11 BDI negative immediates", "b4d1", "b4d1", []int{288, 320, 288, 720, 548, 548, 548, 138, 143, 1056, 224, 1376}},
	{"E12 repeated 32-bit word", "rep8", "rep4", []int{64, 64, 32, 1120, 220, 220, 220, 40, 40, 1056, 576, 106}},
	{"E13 repeated 16-bit word", "rep8", "rep2", []int{64, 64, 16, 1120, 220, 220, 220, 40, 40, 1056, 544, 105}},
	{"E14 sin ramp floats", "b2d1", "b2d1", []int{528, 592, 528, 608, 1088, 1088, 1088, 57, 57, 1056, 160, 883}},
	{"E15 wrap of a 32-bit delta across 0x7fffffff/0x80000000", "b4d1", "b4d1", []int{288, 320, 288, 1104, 548, 548, 548, 60, 45, 1056, 160, 171}},
	{"E16 sparse: one nonzero word", "b8d1", "b8d1", []int{192, 208, 192, 65, 96, 96, 96, 105, 105, 64, 256, 134}},
	{"E17 FPC prefixes, runs <= 8, no negative 101 halfword", "none", "none", []int{1024, 1024, 1024, 263, 412, 412, 412, 709, 738, 704, 896, 377}},
}

// Examples returns the worked blocks E00 to E17.
func Examples() []Example {
	same := func(w uint32) *mem.Line { return WordsOf(func(uint32) uint32 { return w }) }
	lastApart := func(delta int32) *mem.Line {
		return WordsOf(func(i uint32) uint32 {
			if i == 31 {
				return 0x10000000 + uint32(delta)
			}
			return 0x10000000
		})
	}
	// Differences whose bit planes need every code of BPC.
	bitPlanes := func(base int32) *mem.Line {
		deltas := [31]uint32{8, 15, 8, 143, 15, 15, 8, 15, 8, 8, 48, 48, 15, 8, 15, 15, 8, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 12}
		w := uint32(base)
		return WordsOf(func(i uint32) uint32 {
			if i > 0 {
				w += deltas[i-1]
			}
			return w
		})
	}
	lines := []*mem.Line{
		same(0),
		WordsOf(func(i uint32) uint32 { return i }),
		Words(0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0xfffffff8, 8, 127, 0xffffff80, 128, 32767, 0xffff8000,
			0x12340000, 0x007f0001, 0xff80ffff, 0x7a7a7a7a, 0x12345678),
		Words(0, 0xab, 0x12345678, 0x12345678, 0x123456ff, 0x1234abcd),
		WordsOf(func(i uint32) uint32 {
			switch {
			case i == 17:
				i = 0
			case i == 18:
				i = 16
			case i > 18:
				return 0
			}
			return 0xa1005000 + i*0x01010001
		}),
		Words(0xaaaa1234, 0xaaaa5678, 0xaaaa5679),
		bitPlanes(5),
		bitPlanes(-5),
		Words(0x12345678, 0x7f00, 0, 0, 0x12345680, 0x7f00, 0x12345668, 0x7f00, 0, 0, 0x123456dc, 0x7f00, 0x123456f7, 0x7f00, 0x123455f8, 0x7f00,
			0, 0, 0, 0, 0x12345679, 0x7f00, 0x1234567a, 0x7f00, 0x1234567b, 0x7f00, 0, 0, 0x12345678, 0x7f00, 0x12345678, 0x7f00),
		lastApart(-128),
		lastApart(128),
		WordsOf(func(i uint32) uint32 {
			if i&1 == 1 {
				return i - 128
			}
			return 0x10000000 + i
		}),
		same(0xdeadbeef),
		same(0x12341234),
		WordsOf(func(i uint32) uint32 { return math.Float32bits(1 + float32(i)/64) }),
		WordsOf(func(i uint32) uint32 { return 0x7ffffff0 + i }),
		WordsOf(func(i uint32) uint32 {
			if i == 13 {
				return 0xc0ffee
			}
			return 0
		}),
		Words(0, 0, 0, 0, 0, 0, 0, 0, 7, 0xfffffff8, 8, 127, 0xffffff80, 128, 32767, 0xffff8000, 0x12340000, 0x007f0001,
			0x7a7a7a7a, 0x12345678, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1),
	}
	examples := make([]Example, len(lines))
	for i, row := range exampleRows {
		examples[i] = Example{row.name, lines[i], row.bdi, row.ten, map[string]int{}}
		for k, column := range ExampleCodecs {
			examples[i].Sizes[column] = row.sizes[k]
		}
	}
	return examples
}
