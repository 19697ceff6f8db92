package explain

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// Bits of TSLC's header (SLC figure 6) before the pointers.
const (
	modeBits  = 1
	startBits = 6
	countBits = 4
)

// Approximated explains a block under selective loss: the decision, and the code.
func Approximated(s *tslc.Scheme, line *mem.Line, region codec.Region) (*Explanation, error) {
	e := tslcExplanation(s, line)
	decision := s.Explain(line, region)
	e.Decision = &decision
	for _, mag := range granularities {
		p := s.Params()
		p.MAGBytes = mag
		at, err := tslc.NewScheme(p, s.Table())
		if err != nil {
			return nil, err
		}
		copied := *line
		e.Bursts = append(e.Bursts, stored(at.Store(&copied, region), mag))
	}
	var block codec.Block
	st := s.Encode(&block, line, region)
	return e, e.readTSLC(s, &block, line, st)
}

// AsStored explains a block that a run has stored, from its decoded bytes. The kept symbols
// are those in the code, so every bit of the code is known. The cut symbols are unknown.
func AsStored(s *tslc.Scheme, line *mem.Line, st codec.Stored) (*Explanation, error) {
	e := tslcExplanation(s, line)
	e.Bursts = []Bursts{stored(st, s.MAGBytes())}
	var block codec.Block
	if st.Mode != probe.ModeLossy {
		st = s.Encode(&block, line, codec.Region{})
		return e, e.readTSLC(s, &block, line, st)
	}
	w := codec.NewBitWriter(&block)
	w.Put(1, modeBits)
	w.Put(uint64(st.FirstSymbol), startBits)
	w.Put(uint64(st.TruncatedSymbols)-1, countBits)
	p := s.Params()
	s.Table().Write(&w, line, e2mc.Stream{
		Ways: p.Ways, HeaderBits: modeBits + startBits + countBits + e2mc.PointerBits*(p.Ways-1),
		First: int(st.FirstSymbol), Count: int(st.TruncatedSymbols),
	})
	e.Notes = append(e.Notes, "The values of the cut symbols before the cut are not kept: original shows the decoded bytes.")
	return e, e.readTSLC(s, &block, line, st)
}

func tslcExplanation(s *tslc.Scheme, line *mem.Line) *Explanation {
	return &Explanation{Codec: s.Name(), Source: "SLC (DATE 2019)", Original: hex.EncodeToString(line[:])}
}

func stored(st codec.Stored, magBytes int) Bursts {
	return Bursts{MAGBytes: magBytes, Bursts: int(st.Bursts), Bytes: int(st.Bursts) * magBytes, Bits: int(st.Bits), Mode: modeName(st.Mode)}
}

func modeName(m probe.Mode) string {
	switch m {
	case probe.ModeLossless:
		return modeLossless
	case probe.ModeLossy:
		return modeLossy
	}
	return modeRaw
}

// readTSLC reads header, pointers and ways, and fills in the cut symbols.
func (e *Explanation) readTSLC(s *tslc.Scheme, block *codec.Block, line *mem.Line, st codec.Stored) error {
	e.Bits, e.CodeBits, e.Mode = int(st.Bits), int(st.Bits), modeName(st.Mode)
	if st.Mode == probe.ModeRaw {
		e.CodeBits = s.CompBits(line)
		w := &walk{src: &codec.Block{}, e: e}
		w.raw(line)
		return nil
	}
	p := s.Params()
	// The header exists under every accounting; the walk ends with the ways.
	w := &walk{src: block, end: codec.BlockBytes * 8, e: e}
	w.item("header", 0, 0)
	in := stream{ways: p.Ways}
	if m := w.take(Header, "m", modeBits); m == 0 {
		w.mean("0", "lossless: no symbol is left out")
		if p.Header != tslc.HeaderVariable {
			w.take(Padding, "unused", startBits+countBits)
			w.mean("0", "ss and len of lossy blocks")
		}
		w.says("lossless")
	} else {
		w.mean("1", "lossy: symbols are left out")
		in.first = int(w.take(Header, "ss", startBits))
		w.mean(number(in.first), "the first symbol left out")
		in.count = int(w.take(Header, "len", countBits)) + 1
		w.mean(number(in.count), "how many are left out, less 1")
		w.says("%s left out from symbol %d", plural(in.count, "symbol"), in.first)
	}
	w.stream(s.Table(), in)
	for i := in.first; i < in.first+in.count; i++ {
		v, from := uint16(0), -1
		if p.Variant != tslc.SIMP {
			from = kept(i, in, p.Prediction)
			v = binary.LittleEndian.Uint16(w.line[2*from:])
		}
		binary.LittleEndian.PutUint16(w.line[2*i:], v)
		for k := range e.Items {
			if it := &e.Items[k]; it.Lost && it.Byte == 2*i {
				it.Says = "left out; a reader gets zero"
				if from >= 0 {
					it.Says = fmt.Sprintf("left out; a reader gets symbol %d, %s", from, symbolHex(uint32(v), 16))
				}
			}
		}
	}
	if w.at != e.Bits {
		e.Notes = append(e.Notes, fmt.Sprintf("This accounting counts %d bits; header and padding make it %d.", e.Bits, w.at))
	}
	w.end = w.at
	return w.finish()
}

// kept returns the symbol that replaces symbol i: the first kept symbol or, under
// PredictParity, the first kept symbol of the same half of a word.
func kept(i int, in stream, p tslc.Prediction) int {
	from, step := 0, 1
	if p == tslc.PredictParity {
		from, step = i&1, 2
	}
	for from >= in.first && from < in.first+in.count {
		from += step
	}
	return from
}
