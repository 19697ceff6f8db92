package machine

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// L2 may have any number of sets: what fits into it stays, and nothing else does.
func TestL2OfAnyNumberOfSets(t *testing.T) {
	spec := withoutFetches(mini())
	for _, sets := range []string{"3", "48"} {
		for path, value := range map[string]string{"l2.sets": sets, "l2.index": "linear"} {
			if f := spec.Override(path, value); f != nil {
				t.Fatal(f)
			}
		}
		const load = "ld.global.cg.u32 %r, [%a];"
		for _, c := range []struct {
			bytes int
			stays bool
		}{{spec.L2Bytes(), true}, {2 * spec.L2Bytes(), false}} {
			s := hinted(t, spec, stream128(load, c.bytes)+stream128(load, c.bytes)).Stats()
			want := uint64(0)
			if c.stays {
				want = uint64(c.bytes / mem.LineBytes)
			}
			if s[stat.L2ReadHits] != want {
				t.Errorf("%s sets, %d bytes twice: %d hits in L2 of %d, want %d", sets, c.bytes, s[stat.L2ReadHits],
					spec.L2Bytes(), want)
			}
		}
	}
}
