// Package e2mc is the entropy codec of E2MC (Lal, Lucas, Juurlink: "E2MC: Entropy
// Encoding Based Memory Compression for GPUs", IPDPS 2017) for symbols of 4, 8,
// 16 and 32 bits: canonical Huffman codes of the most frequent values, an escape
// for the rest, and blocks that several decoders read at once.
package e2mc

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// DefaultWays is the number of parallel decoding ways of the paper's main
// results (section V-C).
const DefaultWays = 4

// Params of a Codec and a Scheme.
type Params struct {
	SymbolBits int // 4, 8, 16 or 32
	Ways       int // parallel decoding ways: 1, 2, 4 or 8; 0 = DefaultWays
	// MAGBytes decides which blocks are stored compressed: those of at most
	// 128 - MAGBytes (section III-E: 96 B at 32). 0 compresses every block below 128 B,
	// for raw compression ratios; a Scheme needs 16, 32 or 64.
	MAGBytes int
}

// Codec is E2MC with one trained table.
type Codec struct {
	table      *Table
	ways       int
	headerBits int
	limitBits  int // largest size stored compressed
	info       codec.Info
}

var (
	_ codec.Codec       = (*Codec)(nil)
	_ codec.Sizer       = (*Codec)(nil)
	_ codec.RawSizer    = (*Codec)(nil)
	_ codec.SymbolCoder = (*Codec)(nil)
)

// New returns the codec of a table.
func New(p Params, t *Table) (*Codec, error) {
	if p.Ways == 0 {
		p.Ways = DefaultWays
	}
	if t == nil || t.symbolBits != p.SymbolBits {
		return nil, fmt.Errorf("e2mc: codec of %d-bit symbols: want a table trained on symbols of that width", p.SymbolBits)
	}
	if err := CheckWays(p.Ways); err != nil {
		return nil, err
	}
	limit := codec.RawBits - 8
	if p.MAGBytes != 0 {
		if err := CheckMAG(p.MAGBytes); err != nil {
			return nil, err
		}
		limit = codec.RawBits - 8*p.MAGBytes
	}
	return &Codec{
		table: t, ways: p.Ways, headerBits: PointerBits * (p.Ways - 1), limitBits: limit,
		info: codec.Info{
			Name: Name(p.SymbolBits), Source: "E2MC (IPDPS 2017), table VI", Lossless: true,
			Timing: Timing(p.SymbolBits, p.Ways),
			Cost:   UnitCost(p.SymbolBits),
		},
	}, nil
}

// CheckMAG returns an error if a memory access granularity is not supported.
func CheckMAG(magBytes int) error {
	switch magBytes {
	case 16, 32, 64:
		return nil
	}
	return fmt.Errorf("e2mc: memory access granularity of %d bytes: want 16, 32 or 64", magBytes)
}

// Name returns the name of the codec and scheme of a width: e2mc4 to e2mc32.
func Name(symbolBits int) string { return fmt.Sprintf("e2mc%d", symbolBits) }

// LatencyCycles returns the latencies of table VI in cycles at 1002 MHz. Ways
// divide decompression, rounded down as SLC uses it (82, 41, 20, 10 for 16 bits);
// they do not speed up compression.
func LatencyCycles(symbolBits, ways int) (compress, decompress int) {
	switch symbolBits {
	case 4:
		return 154, 233 / ways
	case 8:
		return 84, 143 / ways
	case 16:
		return 46, 82 / ways
	}
	return 24, 42 / ways
}

// Timing returns the latencies of table VI with the units of table IV. A block keeps a
// compressor busy for its latency; the ways of a block are as many decompressors.
func Timing(symbolBits, ways int) codec.Timing {
	compress, decompress := LatencyCycles(symbolBits, ways)
	t := codec.Timing{MHz: codec.MemoryMHz, CompressCycles: compress, DecompressCycles: decompress}
	compressors, decompressors := 68, 120
	switch symbolBits {
	case 4:
		compressors, decompressors = 464, 692
	case 8:
		compressors, decompressors = 252, 424
	case 16:
		compressors, decompressors = 136, 240
	}
	t.Compressors = codec.Units{Count: compressors, PerBlock: 1, BusyCycles: compress}
	t.Decompressors = codec.Units{Count: decompressors, PerBlock: ways, BusyCycles: decompress}
	return t
}

// UnitCost returns the cost of a width: the units of tables III and IV; a unit's energy is its power for the
// time of a block.
func UnitCost(symbolBits int) codec.Cost {
	c := codec.Cost{EnergySource: "derived: power and throughput of a unit, E2MC tables III and IV", UnitSource: "E2MC (IPDPS 2017), tables III and IV"}
	switch symbolBits {
	case 4:
		c.Compressor, c.Decompressor = codec.Unit{AreaMM2: 0.02, PowerMW: 1.43, GBPerSecond: 0.84, GHz: 1.67}, codec.Unit{AreaMM2: 0.01, PowerMW: 5.12, GBPerSecond: 0.56, GHz: 1.11}
	case 8:
		c.Compressor, c.Decompressor = codec.Unit{AreaMM2: 0.08, PowerMW: 4.01, GBPerSecond: 1.54, GHz: 1.54}, codec.Unit{AreaMM2: 0.04, PowerMW: 11.91, GBPerSecond: 0.91, GHz: 0.91}
	case 16:
		c.Compressor, c.Decompressor = codec.Unit{AreaMM2: 0.11, PowerMW: 5.47, GBPerSecond: 2.86, GHz: 1.43}, codec.Unit{AreaMM2: 0.07, PowerMW: 11.89, GBPerSecond: 1.60, GHz: 0.80}
	default:
		c.Compressor, c.Decompressor = codec.Unit{AreaMM2: 0.17, PowerMW: 9.34, GBPerSecond: 5.72, GHz: 1.43}, codec.Unit{AreaMM2: 0.12, PowerMW: 14.30, GBPerSecond: 3.20, GHz: 0.80}
	}
	c.CompressPJ, c.DecompressPJ = c.Compressor.BlockPJ(), c.Decompressor.BlockPJ()
	return c
}

// Info describes the codec.
func (c *Codec) Info() codec.Info { return c.info }

// Table returns the code in use.
func (c *Codec) Table() *Table { return c.table }

// TotalBits returns the size of line's code with pointers and alignment, even if it exceeds
// the raw size.
func (c *Codec) TotalBits(line *mem.Line) int {
	var sums [Eighths]int
	c.table.Sums(line, &sums)
	return TotalBits(&sums, c.ways, c.headerBits)
}

// RawBits is TotalBits.
func (c *Codec) RawBits(line *mem.Line) int { return c.TotalBits(line) }

// SizeBits returns what Encode would.
func (c *Codec) SizeBits(line *mem.Line) int {
	if total := c.TotalBits(line); total <= c.limitBits {
		return total
	}
	return codec.RawBits
}

func (c *Codec) stream() Stream { return Stream{Ways: c.ways, HeaderBits: c.headerBits} }

// Encode writes pointers and ways.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	if c.SizeBits(src) == codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	return c.table.Write(&w, src, c.stream())
}

// Decode reads all ways.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	r := codec.NewBitReader(src, bits)
	return c.table.Read(&r, dst, c.stream(), nil)
}

// SymbolBits returns the width of the symbols.
func (c *Codec) SymbolBits() int { return c.table.symbolBits }

// SymbolLengths stores the cost of each symbol, including escapes.
func (c *Codec) SymbolLengths(line *mem.Line, dst *[codec.MaxSymbols]uint8) int {
	return c.table.Lengths(line, dst)
}

// SizeWithout returns the size of the caller's header, pointers and ways without some
// symbols.
func (c *Codec) SizeWithout(line *mem.Line, headerBits, first, count int) int {
	var lengths [MaxSymbols]uint8
	var at [Eighths]int
	s := Stream{Ways: c.ways, HeaderBits: headerBits + c.headerBits, First: first, Count: count}
	return s.wayStarts(&lengths, c.table.Lengths(line, &lengths), &at)
}

// EncodeWithout writes pointers and ways without some symbols.
func (c *Codec) EncodeWithout(w *codec.BitWriter, line *mem.Line, first, count int) {
	c.table.Write(w, line, Stream{Ways: c.ways, HeaderBits: w.Bits() + c.headerBits, First: first, Count: count})
}

// DecodeWithout reads pointers and ways without some symbols.
func (c *Codec) DecodeWithout(r *codec.BitReader, line *mem.Line, first, count int) error {
	return c.table.Read(r, line, Stream{Ways: c.ways, First: first, Count: count}, nil)
}

// Describe returns the layout of an encoded block.
func (c *Codec) Describe(src *codec.Block, bits int) (Layout, error) {
	r := codec.NewBitReader(src, bits)
	return c.table.Describe(&r, c.stream())
}

// Scheme stores blocks with E2MC at one memory access granularity.
type Scheme struct {
	Codec
	magBytes int
}

var _ codec.Scheme = (*Scheme)(nil)

// NewScheme returns the scheme of a table. MAGBytes must be given.
func NewScheme(p Params, t *Table) (*Scheme, error) {
	if err := CheckMAG(p.MAGBytes); err != nil {
		return nil, err
	}
	c, err := New(p, t)
	if err != nil {
		return nil, err
	}
	return &Scheme{Codec: *c, magBytes: p.MAGBytes}, nil
}

func (s *Scheme) Name() string         { return s.info.Name }
func (s *Scheme) MAGBytes() int        { return s.magBytes }
func (s *Scheme) Compressed() bool     { return true }
func (s *Scheme) Timing() codec.Timing { return s.info.Timing }

// Store returns the size and bursts; line keeps its contents.
func (s *Scheme) Store(line *mem.Line, _ codec.Region) codec.Stored {
	total := s.TotalBits(line)
	bits, mode := total, probe.ModeLossless
	if total > s.limitBits {
		bits, mode = codec.RawBits, probe.ModeRaw
	}
	mag := s.magBytes * 8
	return codec.Stored{Bits: uint16(bits), LosslessBits: uint16(min(total, codec.RawBits)), Bursts: uint8((bits + mag - 1) / mag), Mode: mode}
}
