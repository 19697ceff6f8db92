package tslc

import (
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// tableOfLengths returns a table and a line whose symbols cost the given bits.
// Lengths that one code cannot hold together are had by different symbols of
// one length sharing it: only the set of distinct lengths must fit a code.
func tableOfLengths(t *testing.T, lengths []int) (*e2mc.Table, *mem.Line) {
	t.Helper()
	stored := []byte("E2MC\x01\x10\x14") // width 16, escape of 20 bits
	var distinct []int
	seen := map[int]int{}
	for _, l := range lengths {
		if _, ok := seen[l]; !ok {
			seen[l] = len(distinct)
			distinct = append(distinct, l)
		}
	}
	stored = binary.LittleEndian.AppendUint32(stored, uint32(len(distinct)))
	for i, l := range distinct {
		stored = binary.LittleEndian.AppendUint32(stored, uint32(i+1))
		stored = append(stored, byte(l))
	}
	table, err := e2mc.ParseTable(stored)
	if err != nil {
		t.Fatal(err)
	}
	var line mem.Line
	for i, l := range lengths {
		binary.LittleEndian.PutUint16(line[2*i:], uint16(seen[l]+1))
	}
	return table, &line
}

// vectorText holds selections made by an independent program.
//
//go:embed testdata/vectors.json
var vectorText string

// TestVectors reproduces the selection vectors: P is HeaderLiteral, R is
// HeaderVariable, base is the tree without and O1 with OPT's nodes. O2 is a
// reading of the extra nodes that was not taken.
func TestVectors(t *testing.T) {
	var vectors map[string]map[string]json.RawMessage
	if err := json.Unmarshal([]byte(vectorText), &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 8 {
		t.Fatalf("%d vectors, want 8", len(vectors))
	}
	for name, v := range vectors {
		var lengths []int
		var sum, lossless int
		for key, dst := range map[string]any{"lens": &lengths, "sum": &sum, "lossless_total_hdr22": &lossless} {
			if err := json.Unmarshal(v[key], dst); err != nil {
				t.Fatalf("%s %s: %v", name, key, err)
			}
		}
		table, line := tableOfLengths(t, lengths)
		for _, c := range []struct {
			key     string
			header  Header
			variant Variant
			comp    int
		}{
			{"P_base", HeaderLiteral, PRED, sum}, {"P_O1", HeaderLiteral, OPT, sum},
			{"R_base", HeaderVariable, PRED, lossless}, {"R_O1", HeaderVariable, OPT, lossless},
		} {
			var want [5]any // mode, bits, level, first symbol, symbols
			if err := json.Unmarshal(v[c.key], &want); err != nil {
				t.Fatal(err)
			}
			s, err := NewScheme(Params{Variant: c.variant, Header: c.header, MAGBytes: 32}, table)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.CompBits(line); got != c.comp {
				t.Errorf("%s %s: compressed size %d, want %d", name, c.key, got, c.comp)
			}
			e := s.Explain(line, codec.Region{Safe: true})
			mode := map[probe.Mode]string{probe.ModeRaw: "raw", probe.ModeLossless: "lossless", probe.ModeLossy: "lossy"}[e.Stored.Mode]
			level := ""
			if mode == "lossy" {
				level = map[uint8]string{1: "0", 2: "1", 4: "2", 6: "2b", 8: "3", 12: "3b", 16: "4"}[e.Stored.TruncatedSymbols]
			}
			got := fmt.Sprint(mode, e.Stored.Bits, level, e.Stored.FirstSymbol, e.Stored.TruncatedSymbols)
			if w := fmt.Sprint(want[0], want[1], fmt.Sprint(want[2]), want[3], want[4]); got != w {
				t.Errorf("%s %s: %s, want %s", name, c.key, got, w)
			}
		}
	}
}
