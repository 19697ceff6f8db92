// Package explain reads one encoded block bit by bit, like a decoder, and gives the meaning
// of every bit. It has its own decoders, so it describes the stored bits and finds errors
// of the codec.
package explain

import (
	"encoding/hex"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/bytegroup"
	"github.com/burstscope/burstscope/core/codec/cpack"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fibonacci"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/hycomp"
	"github.com/burstscope/burstscope/core/codec/mpc"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// Kind is the purpose of a field, in words common to all codecs.
type Kind string

const (
	Header  Kind = "header"  // says how to read the rest
	Code    Kind = "code"    // a prefix, pattern or codeword
	Index   Kind = "index"   // points to something read before
	Data    Kind = "data"    // bits of a value
	Escape  Kind = "escape"  // a whole value after a codeword that announces it
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
	Item    int    `json:"item"` // number of its item
}

// Item is the part of the block that neighbouring fields encode: a word, a symbol, a plane.
type Item struct {
	Name  string `json:"name"`
	First int    `json:"first"` // its first bit
	Count int    `json:"count"` // bits, 0 if the item was left out
	// Bytes of the block, from Byte on, that it stands for; none for bit planes.
	Byte  int    `json:"byte"`
	Bytes int    `json:"bytes"`
	Says  string `json:"says"`
	Lost  bool   `json:"lost,omitempty"` // not in the code
}

// Row is a line of a Structure.
type Row struct {
	Cells []string `json:"cells"`
	Items []int    `json:"items"` // items that it refers to
}

// Structure kinds.
const (
	Table      = "table"
	CodeTree   = "code"       // symbol, codeword, bits, uses
	Dictionary = "dictionary" // one row for each word that enters it
	Planes     = "planes"     // columns 1 and on hold rows of bits
)

// Structure describes how a codec represents a block.
type Structure struct {
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Note    string   `json:"note"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Bursts is the number of bursts of a block at one memory access granularity.
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
	// Bits is the counted size of the block, RawBits if it has no shorter code. CodeBits is
	// the length of its code in any case. LaidOut is the number of bits in fields. Bits and
	// LaidOut differ if an accounting leaves out header and padding, and for raw blocks.
	Bits     int    `json:"bits"`
	CodeBits int    `json:"codeBits"`
	LaidOut  int    `json:"laidOut"`
	Mode     string `json:"mode"` // raw, lossless, lossy

	Original string `json:"original"` // hexadecimal, as all bytes here
	Encoded  string `json:"encoded"`
	Decoded  string `json:"decoded"` // bytes after decoding

	Fields     []Field     `json:"fields"`
	Tag        []Field     `json:"tag"` // kept in the tag and not counted
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

// granularities are the MAGs of the DRAM of GPUs; SLC varies the MAG over these.
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
	own, isModule := c.(*plugin.Codec)
	if isModule && own.Lossy() && !region.Safe {
		e.Bits = own.EncodeExact(&block, line)
		e.Notes = append(e.Notes, "This allocation must stay exact: the module's exact code stores it, or nothing does.")
	} else {
		e.Bits = c.Encode(&block, line)
	}
	e.CodeBits = e.Bits
	if r, ok := c.(codec.RawSizer); ok && !isModule {
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

// read calls the reader of the block's codec.
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
	case *plugin.Codec:
		return w.module(c, bits)
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
	case *bytegroup.Codec:
		w.bytegroup(c)
	default:
		return fmt.Errorf("explain: there is no explanation of codec %s", c.Info().Name)
	}
	return nil
}

// lossless computes the bursts of a block of a lossless codec: it is stored compressed if
// that saves a burst.
func lossless(bits, magBytes int) Bursts {
	b := Bursts{MAGBytes: magBytes, Bits: bits, Mode: modeLossless, Bursts: max(1, (bits+8*magBytes-1)/(8*magBytes))}
	if bits > codec.RawBits-8*magBytes {
		b.Bits, b.Mode, b.Bursts = codec.RawBits, modeRaw, mem.LineBytes/magBytes
	}
	b.Bytes = b.Bursts * magBytes
	return b
}
