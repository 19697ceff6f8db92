package cache

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

const allSectors = 1<<mem.LineSectors - 1

func testL1() *L1 {
	return NewL1(L1Config{Geometry: Geometry{Sets: 2, Ways: 2}, MSHRs: 3, Merges: 2, LatencyCycles: 1}, Plain, StoreEnv{})
}

// load looks a line up and performs the load.
func load(l *L1, now sim.Cycle, a mem.Addr, sectors uint8, waiter uint32, s *stat.Set) (Outcome, int) {
	return l.Take(now, l.Find(a, sectors), waiter, s)
}

func byteOf(l *L1, entry, i int) byte {
	line, _ := l.Read(0, entry)
	return line[i]
}

func filled(b byte) *mem.Line {
	var l mem.Line
	for i := range l {
		l[i] = b
	}
	return &l
}

func TestL1HitAfterFill(t *testing.T) {
	var s stat.Set
	l := testL1()
	o, i := load(l, 0, 0x1000, allSectors, 1, &s)
	if o != Miss {
		t.Fatalf("first load: %v", o)
	}
	if o, _ := load(l, 0, 0x1000, allSectors, 2, &s); o != Merged {
		t.Fatalf("second load: %v", o)
	}
	if o, _ := load(l, 0, 0x1000, allSectors, 3, &s); o != Blocked {
		t.Fatalf("third load with two merge slots: %v", o)
	}
	w := l.Fill(0, i, filled(5), &s)
	if len(w) != 2 || w[0] != 1 || w[1] != 2 {
		t.Errorf("waiters %v", w)
	}
	o, way := load(l, 0, 0x1000, allSectors, 4, &s)
	if o != Hit || byteOf(l, way, 77) != 5 {
		t.Errorf("after the fill: %v", o)
	}
	if s[stat.L1Accesses] != s[stat.L1Hits]+s[stat.L1Misses]+s[stat.L1Merged] || s[stat.L1Accesses] != 3 {
		t.Errorf("accesses %d, hits %d, misses %d, merged %d", s[stat.L1Accesses], s[stat.L1Hits], s[stat.L1Misses], s[stat.L1Merged])
	}
}

// A store that passes a line whose fill is under way makes that fill stale: it
// must not be installed, and a load after the store must ask again.
func TestL1StoreUnderMissIsNotInstalled(t *testing.T) {
	var s stat.Set
	l := testL1()
	_, first := load(l, 0, 0x1000, allSectors, 1, &s)
	l.Store(0, 0x1000, nil, mem.FullMask, mem.EvictDefault, &s)
	o, second := load(l, 0, 0x1000, allSectors, 2, &s)
	if o != Miss || second == first {
		t.Fatalf("a load after the store joins the request from before it: %v", o)
	}
	l.Fill(0, first, filled(1), &s)
	if o, _ := load(l, 0, 0x1000, allSectors, 3, &s); o == Hit {
		t.Fatal("the stale line was installed")
	}
	l.Fill(0, second, filled(2), &s)
	if o, w := load(l, 0, 0x1000, allSectors, 4, &s); o != Hit || byteOf(l, w, 0) != 2 {
		t.Error("the newer line is not there")
	}
}

func TestL1StoreEvicts(t *testing.T) {
	var s stat.Set
	l := testL1()
	_, i := load(l, 0, 0x1000, allSectors, 1, &s)
	l.Fill(0, i, filled(1), &s)
	l.Store(0, 0x1000, nil, mem.FullMask, mem.EvictDefault, &s)
	if o, _ := load(l, 0, 0x1000, allSectors, 2, &s); o != Miss {
		t.Errorf("after a store: %v", o)
	}
	if s[stat.L1WriteEvicts] != 1 {
		t.Errorf("%d lines dropped", s[stat.L1WriteEvicts])
	}
}

func TestL1BypassDropsTheLine(t *testing.T) {
	var s stat.Set
	l := testL1()
	_, i := load(l, 0, 0x1000, allSectors, 1, &s)
	l.Fill(0, i, filled(1), &s)
	o, i := l.Bypass(0, 0x1000, 2, &s)
	if o != Miss {
		t.Fatalf("bypass: %v", o)
	}
	if w := l.Fill(0, i, filled(9), &s); len(w) != 1 || w[0] != 2 {
		t.Errorf("waiters %v", w)
	}
	if o, _ := load(l, 0, 0x1000, allSectors, 3, &s); o == Hit {
		t.Error("a volatile load left a line in L1")
	}
}

func TestL1ReplacesTheLeastRecentlyUsed(t *testing.T) {
	var s stat.Set
	l := testL1()
	load := func(a mem.Addr) Outcome {
		o, i := load(l, 0, a, allSectors, 0, &s)
		if o == Miss {
			l.Fill(0, i, filled(byte(a>>8)), &s)
		}
		return o
	}
	const set = 2 * mem.LineBytes // distance of lines in one set
	load(0)
	load(set)
	load(0)
	load(2 * set) // replaces set, not 0
	if o := load(0); o != Hit {
		t.Errorf("the most recent line is gone: %v", o)
	}
	if o := load(set); o != Miss {
		t.Errorf("the least recent line is still there: %v", o)
	}
}

func TestL1BlocksWithoutMSHR(t *testing.T) {
	var s stat.Set
	l := testL1()
	for i := 0; i < 3; i++ {
		load(l, 0, mem.Addr(i)*mem.LineBytes, allSectors, uint32(i), &s)
	}
	if o, _ := load(l, 0, 0x9000, allSectors, 9, &s); o != Blocked {
		t.Errorf("fourth miss with three MSHRs: %v", o)
	}
	if s[stat.L1Accesses] != 3 {
		t.Errorf("a blocked load counts as an access")
	}
}

// In a sectored L1 a load asks for its sectors and joins requests for them; others
// of the line are asked for on their own.
func TestL1Sectors(t *testing.T) {
	var s stat.Set
	l := NewL1(L1Config{Geometry: Geometry{Sets: 1, Ways: 1}, MSHRs: 3, Merges: 2, LatencyCycles: 1, Sectored: true}, Plain, StoreEnv{})
	o, first := load(l, 0, 0, 0b0011, 1, &s)
	if o != Miss {
		t.Fatalf("first load: %v", o)
	}
	if o, i := load(l, 0, 0, 0b0010, 2, &s); o != Merged || i != first {
		t.Errorf("a sector under way: %v", o)
	}
	o, second := load(l, 0, 0, 0b0110, 3, &s)
	if o != Miss || second == first {
		t.Fatalf("a further sector: %v", o)
	}
	if o, _ := load(l, 0, mem.LineBytes, 1, 4, &s); o != Blocked {
		t.Errorf("a line whose only way waits for sectors: %v", o)
	}
	l.Fill(0, first, filled(1), &s)
	if o, _ := load(l, 0, 0, 0b0011, 5, &s); o != Hit {
		t.Errorf("filled sectors: %v", o)
	}
	if o, i := load(l, 0, 0, 0b0100, 6, &s); o != Merged || i != second {
		t.Errorf("a sector that is still under way: %v", o)
	}
	l.Fill(0, second, filled(2), &s)
	o, way := load(l, 0, 0, 0b0111, 7, &s)
	if o != Hit || byteOf(l, way, 0) != 1 || byteOf(l, way, 64) != 2 {
		t.Errorf("all sectors: %v", o)
	}
	load(l, 0, 0, 0b1000, 8, &s)
	l.Store(0, 0, nil, mem.FullMask, mem.EvictDefault, &s)
	if o, _ := load(l, 0, 0, 0b0001, 9, &s); o != Miss {
		t.Errorf("after a store: %v", o)
	}
	if s[stat.L1WriteEvicts] != 1 || s[stat.L1Accesses] != s[stat.L1Hits]+s[stat.L1Misses]+s[stat.L1Merged] {
		t.Errorf("%d lines dropped, %d accesses", s[stat.L1WriteEvicts], s[stat.L1Accesses])
	}
}

// TestL1KeepsLocalLines by hand, in a set of two ways: a store that misses is not kept, one that
// hits is, later loads see it, and the line leaves with its bytes when another one needs its way.
func TestL1KeepsLocalLines(t *testing.T) {
	var s stat.Set
	l := NewL1(L1Config{Geometry: Geometry{Sets: 1, Ways: 2}, MSHRs: 3, Merges: 2, LatencyCycles: 1, Local: LocalBack}, Plain, StoreEnv{})
	var byte5 mem.ByteMask
	byte5.Set(5, 1)
	if l.Keep(0, 0x1000, filled(7), byte5) {
		t.Fatal("L1 keeps a store whose line it does not have")
	}
	_, i := load(l, 0, 0x1000, allSectors, 1, &s)
	if l.Keep(0, 0x1000, filled(7), byte5) {
		t.Fatal("L1 keeps a store whose line is under way")
	}
	l.Fill(0, i, filled(1), &s)
	if !l.Keep(0, 0x1000, filled(7), byte5) {
		t.Fatal("L1 does not keep a store that hits")
	}
	o, way := load(l, 0, 0x1000, allSectors, 1, &s)
	if o != Hit || byteOf(l, way, 5) != 7 || byteOf(l, way, 4) != 1 {
		t.Errorf("after the store: %v, byte 5 is %d, byte 4 is %d", o, byteOf(l, way, 5), byteOf(l, way, 4))
	}
	_, i = load(l, 0, 0x2000, allSectors, 2, &s)
	l.Fill(0, i, filled(2), &s)
	if _, _, ok := l.Victim(); ok {
		t.Error("a line leaves although a way is free")
	}
	load(l, 0, 0x3000, allSectors, 3, &s)
	a, line, ok := l.Victim()
	if !ok || a != 0x1000 || line[5] != 7 || line[4] != 1 {
		t.Errorf("line %#x leaves (%v) with byte 5 = %d, byte 4 = %d", a, ok, line[5], line[4])
	}
	if _, _, again := l.Victim(); again {
		t.Error("the line leaves twice")
	}
	load(l, 0, 0x4000, allSectors, 4, &s)
	if _, _, ok := l.Victim(); ok {
		t.Error("a clean line is written back")
	}
}
