// Package explain reads one encoded block bit by bit, as a decoder would, and says
// what every bit is for. It has decoders of its own: what it says is what is stored,
// and a codec that wrote something else is found out.
package explain

import (
	"encoding/hex"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/cpack"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fibonacci"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/hycomp"
	"github.com/burstscope/burstscope/core/codec/mpc"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/codec/tslc"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/mem"
)

// Kind is what a field is for, whatever the codec calls it.
type Kind string

const (
	Header  Kind = "header"  // says how the rest is to be read
	Code    Kind = "code"    // a prefix, pattern or codeword
	Index   Kind = "index"   // points to something read before
	Data    Kind = "data"    // bits of a value
	Escape  Kind = "escape"  // a whole value behind a codeword that announces it
	Padding Kind = "padding" // nothing
)

// Field is a run of encoded bits with one meaning.
type Field struct {
	First   int    `json:"first"` // number of its first bit
	Count   int    `json:"count"` // bits
	Name    string `json:"name"`
	Kind    Kind   `json:"kind"`
	Value   string `json:"value"`
	Meaning string `json:"meaning"`
	Item    int    `json:"item"` // what it is a part of
}

// Item is what neighbouring fields stand for together: a word, a symbol, a plane.
type Item struct {
	Name  string `json:"name"`
	First int    `json:"first"` // its first bit
	Count int    `json:"count"` // bits, 0 for what was left out
	// Bytes of the block, from Byte on, that it stands for; none for bit planes.
	Byte  int    `json:"byte"`
	Bytes int    `json:"bytes"`
	Says  string `json:"says"`
	Lost  bool   `json:"lost,omitempty"` // not in the code
}

// Row is a line of a Structure.
type Row struct {
	Cells []string `json:"cells"`
	Items []int    `json:"items"` // items that it has to do with
}

// Structure kinds.
const (
	Table      = "table"
	CodeTree   = "code"       // symbol, codeword, bits, uses
	Dictionary = "dictionary" // one row for each word that enters it
	Planes     = "planes"     // columns 1 and on hold rows of bits
)

// Structure is what a codec makes of a block besides bits.
type Structure struct {
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Note    string   `json:"note"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Bursts is what a block takes at one memory access granularity.
type Bursts struct {
	MAGBytes int    `json:"mag"`
	Bursts   int    `json:"bursts"`
	Bytes    int    `json:"bytes"`
	Bits     int    `json:"bits"` // RawBits when raw
	Mode     string `json:"mode"`
}

// Explanation is one block under one codec.
type Explanation struct {
	Codec  string `json:"codec"`
	Source string `json:"source"`
	// Bits is what the block counts as, RawBits when it has no shorter code; CodeBits
	// is how long its code is all the same; LaidOut is what the fields cover. Bits and
	// LaidOut differ when raw, and where an accounting leaves header and padding out.
	Bits     int    `json:"bits"`
	CodeBits int    `json:"codeBits"`
	LaidOut  int    `json:"laidOut"`
	Mode     string `json:"mode"` // raw, lossless, lossy

	Original string `json:"original"` // hexadecimal, as all bytes here
	Encoded  string `json:"encoded"`
	Decoded  string `json:"decoded"` // what a reader gets

	Fields     []Field     `json:"fields"`
	Tag        []Field     `json:"tag"` // kept beside the block and not counted
	Items      []Item      `json:"items"`
	Structures []Structure `json:"structures"`
	Bursts     []Bursts    `json:"bursts"`
	Notes      []string    `json:"notes"`

	Decision *tslc.Explanation `json:"decision,omitempty"` // of TSLC
}

// Modes of a block.
const (
	modeRaw      = "raw"
	modeLossless = "lossless"
	modeLossy    = "lossy"
)

// granularities are those that DRAM of GPUs has: SLC varies the MAG over these.
var granularities = [...]int{16, 32, 64}

// Explain encodes line and reads the code. A scheme of tslc is given as *tslc.Scheme
// for the region, or as its Codec for a safe one.
func Explain(c codec.Codec, line *mem.Line, region codec.Region) (*Explanation, error) {
	switch c := c.(type) {
	case tslc.Codec:
		return Approximated(c.Scheme(), line, codec.Region{Safe: true})
	case *e2mc.Scheme:
		return Explain(&c.Codec, line, region)
	}
	info := c.Info()
	e := &Explanation{Codec: info.Name, Source: info.Source, Mode: modeLossless, Original: hex.EncodeToString(line[:])}
	var block codec.Block
	e.Bits = c.Encode(&block, line)
	e.CodeBits = e.Bits
	if r, ok := c.(codec.RawSizer); ok {
		e.CodeBits = r.RawBits(line)
	}
	for _, mag := range granularities {
		e.Bursts = append(e.Bursts, lossless(e.Bits, mag))
	}
	w := &walk{src: &block, end: e.Bits, e: e}
	if e.Bits == codec.RawBits {
		w.raw(line)
		return e, nil
	}
	if err := w.read(c, e.Bits); err != nil {
		return nil, err
	}
	return e, w.finish()
}

// read hands the block to the reader of its codec.
func (w *walk) read(c codec.Codec, bits int) error {
	switch c := c.(type) {
	case *bdi.Codec:
		return w.bdi(c.Params().CountMask, bits)
	case fpc.Codec:
		w.fpc()
	case *cpack.Codec:
		w.cpack(c.Params())
	case bpc.Codec:
		w.bpc()
	case zvc.Codec:
		w.zvc()
	case mpc.Codec:
		w.mpc()
	case fibonacci.Codec:
		w.fibonacci()
	case *sc.Codec:
		w.stream(c.Table(), stream{ways: 1})
	case *e2mc.Codec:
		w.stream(c.Table(), stream{ways: c.Ways()})
	case *hycomp.Codec:
		return w.hycomp(c, bits)
	default:
		return fmt.Errorf("explain: %s is none of the codecs that are explained", c.Info().Name)
	}
	return nil
}

// lossless says what a block of a lossless codec takes: it is stored compressed if
// that saves a burst.
func lossless(bits, magBytes int) Bursts {
	b := Bursts{MAGBytes: magBytes, Bits: bits, Mode: modeLossless, Bursts: max(1, (bits+8*magBytes-1)/(8*magBytes))}
	if bits > codec.RawBits-8*magBytes {
		b.Bits, b.Mode, b.Bursts = codec.RawBits, modeRaw, mem.LineBytes/magBytes
	}
	b.Bytes = b.Bursts * magBytes
	return b
}
