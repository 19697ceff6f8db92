package cache

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// TestL1KeepsCurrentLines: between launches those lines stay whose bytes are memory's. One that somebody has
// changed, one of local memory, and one that is on its way leave.
func TestL1KeepsCurrentLines(t *testing.T) {
	const same, changed, local, ordered = 0x1000, 0x1080, 0x2000, 0x1100
	var s stat.Set
	l := NewL1(L1Config{Geometry: Geometry{Sets: 4, Ways: 2}, MSHRs: 4, Merges: 2, LatencyCycles: 1}, Plain, StoreEnv{})
	for _, a := range []mem.Addr{same, changed, local} {
		_, i := load(l, 0, a, allSectors, 1, &s)
		l.Fill(0, i, filled(byte(a>>7)), &s)
	}
	if o, _ := l.Prefetch(0, l.Find(ordered, allSectors), &s); o != Miss {
		t.Fatal(o)
	}
	l.KeepCurrent(local, func(a mem.Addr, line *mem.Line) {
		*line = *filled(byte(a >> 7))
		if a == changed {
			line[127]++
		}
	})
	for a, want := range map[mem.Addr]Outcome{same: Hit, changed: Miss, local: Miss, ordered: Miss} {
		if got := l.Find(a, allSectors).Outcome; got != want {
			t.Errorf("%#x: %v, want %v", a, got, want)
		}
	}
}

// TestL1KeepsCurrentSectors: of a line with some sectors only these count.
func TestL1KeepsCurrentSectors(t *testing.T) {
	var s stat.Set
	l := NewL1(L1Config{Geometry: Geometry{Sets: 1, Ways: 1}, MSHRs: 1, Merges: 1, LatencyCycles: 1, Sectored: true},
		Plain, StoreEnv{})
	_, i := load(l, 0, 0, 1, 1, &s)
	l.Fill(0, i, filled(7), &s)
	for _, one := range []struct {
		at   int
		want Outcome
	}{{mem.SectorBytes, Hit}, {mem.SectorBytes - 1, Miss}} {
		l.KeepCurrent(NoLine, func(_ mem.Addr, line *mem.Line) { *line = *filled(7); line[one.at]++ })
		if got := l.Find(0, 1).Outcome; got != one.want {
			t.Errorf("byte %d of memory changed: %v", one.at, got)
		}
	}
}
