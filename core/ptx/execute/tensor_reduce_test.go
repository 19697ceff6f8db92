package execute

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

// tensorReduction returns the words and the types of the map for a reduction of bulkReductions; none without a tensor
// form (PTX ISA, cp.reduce.async.bulk.tensor: the operation alone, on the type of the map).
func tensorReduction(c *bulkReduction) (word string, types []string) {
	word, _, _ = strings.Cut(c.word, ".")
	switch t := c.word[strings.LastIndex(c.word, ".")+1:]; t {
	case "b32":
		return word, []string{"u32", "s32"}
	case "b64":
		return word, []string{"u64", "s64"}
	case "f64":
		return word, nil
	default:
		return word, []string{t}
	}
}

// TestTensorReductions combines boxes of every type in every way with a tensor: swizzled, of one to five dimensions,
// some beyond the bounds, where nothing is written.
func TestTensorReductions(t *testing.T) {
	r := rand.New(rand.NewSource(42))
	for _, c := range bulkReductions() {
		word, types := tensorReduction(&c)
		for _, name := range types {
			for range 2 {
				x := randomTensorOf(r, ptx.TensorType(slices.Index(ptx.TensorTypes, name)))
				x.m.FillNaN = false
				c.fill(r, x.tensor, x.in)
				want := bytes.Clone(x.tensor)
				box := ptx.NewTensorBox(&x.m, x.at, [3]uint16{}, uint64(c.size))
				for n := range box.Units() {
					if to, ok := box.Global(n); ok {
						from := box.Shared(0, n)
						writeBytes(want[to:], uint8(c.size), c.f(readBytes(want[to:], uint8(c.size)), readBytes(
							x.in[from:], uint8(c.size))))
					}
				}
				err := x.run(t, tensorStaged+fmt.Sprintf("@%%p cp.reduce.async.bulk.tensor.%dd.global.shared::cta.%s."+
					"%s.bulk_group [%%m, {%s}], [%%s]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
					x.m.Rank, word, x.mode(false), x.coordinates()))
				if err != nil {
					t.Fatalf("%s of %s: %v: %+v", word, name, err, x.m)
				}
				if !bytes.Equal(x.tensor, want) {
					t.Fatalf("%s of %s: %+v at %v: the tensor differs", word, name, x.m, x.at)
				}
			}
		}
	}
}
