package tslc

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// FuzzOver stores any block over every codec: what is decoded is what Store leaves
// behind; and decodes any bits without a panic.
func FuzzOver(f *testing.F) {
	lines := codectest.Corpus(2)
	for i := range lines {
		f.Add(lines[i][:], uint16(i*31))
	}
	var schemes []*Over
	for _, below := range belows(f, lines) {
		for _, header := range []Header{HeaderFixed, HeaderVariable, HeaderLiteral} {
			s, err := NewOver(Params{Variant: OPT, MAGBytes: 32, Header: header}, below)
			if err != nil {
				f.Fatal(err)
			}
			schemes = append(schemes, s)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, bits uint16) {
		var line, out mem.Line
		var code, any codec.Block
		copy(line[:], data)
		copy(any[:], data)
		for _, s := range schemes {
			_ = s.Decode(&out, &any, int(bits))
			stored := line
			st := s.Store(&stored, safeRegion)
			if enc := s.Encode(&code, &line, safeRegion); enc != st {
				t.Fatalf("%s: Encode says %+v, Store %+v", s.Name(), enc, st)
			}
			if st.Mode == probe.ModeRaw {
				continue
			}
			if err := s.Decode(&out, &code, int(st.Bits)); err != nil || out != stored {
				t.Fatalf("%s: %v: decoded to % x, stored % x", s.Name(), err, out, stored)
			}
		}
	})
}
