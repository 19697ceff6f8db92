package scheme

import (
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/fault"
)

// The null scheme of each entry keeps what takes time, and its own null is itself.
func TestNullKeepsThePartsAndSavesNothing(t *testing.T) {
	for _, c := range []struct {
		sets [][2]string
		want map[string]string // of the null scheme, by path
	}{
		{[][2]string{{"memory.codec", "e2mc16"}, {"memory.mag", "64"}},
			map[string]string{"codec": codecs.Null, "latency": "46/20"}},
		{[][2]string{{"memory.codec", "e2mc16"}, {"memory.approximation", "tslc-opt"}},
			map[string]string{"codec": codecs.Null, "latency": "60/20"}},
		{[][2]string{{"memory.codec", "bdi"}, {"memory.latency", "7/3"}},
			map[string]string{"codec": codecs.Null, "latency": "7/3"}},
		// BPC's eleven cycles are those of Buddy Compression's clock.
		{[][2]string{{"memory.codec", "bpc"}, {"backing.kind", "buddy"}, {"backing.metadataKB", "32"}},
			map[string]string{"codec": codecs.Null, "latency": "13/13", "kind": "bandwidth", "metadataKB": "32"}},
		{[][2]string{{"memory.codec", "bpc"}, {"backing.kind", "buddy"}, {"backing.neighbours", "address"}},
			map[string]string{"codec": codecs.Null, "kind": "bandwidth", "neighbours": "address"}},
		{[][2]string{{"l1.store", "latte"}, {"l1.room", "fill"}},
			map[string]string{"codec": "none", "store": "raw", "room": "fill"}},
		{[][2]string{{"loads.policy", "rfvp"}}, map[string]string{"codec": "none"}},
	} {
		s := Default()
		for _, one := range c.sets {
			if err := s.set(one[0], one[1]); err != nil {
				t.Fatal(err)
			}
		}
		n := s.Null()
		e := &fault.Errors{}
		if n.Validate(e, ""); len(e.List) > 0 {
			t.Errorf("%v: %v", c.sets, e)
		}
		for key, want := range c.want {
			got := ""
			for i := range Table {
				p := *n.Part(Table[i].Name)
				if w := p.Word(key); w != "" {
					got = w
				} else if _, given := p[key]; given {
					got = strconv.Itoa(p.Int(key))
				}
			}
			if got != want {
				t.Errorf("%v: %s is %q, want %q", c.sets, key, got, want)
			}
		}
		if n.Approximates() {
			t.Errorf("%v: its null scheme approximates", c.sets)
		}
		if again := n.Null(); again.Label() != n.Label() || again.Memory.Latency() != n.Memory.Latency() {
			t.Errorf("%v: null of null is %s, not %s", c.sets, again.Label(), n.Label())
		}
	}
}
