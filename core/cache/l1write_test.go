package cache

import (
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

func keepingL1(sets, ways int, sectored bool) *L1 {
	return NewL1(L1Config{Geometry: Geometry{Sets: sets, Ways: ways}, MSHRs: 4, Merges: 2, LatencyCycles: 1, Sectored: sectored, Stores: StoreKeep}, Plain, StoreEnv{})
}

// TestL1KeepsStores by hand, in a set of one way with sectors.
func TestL1KeepsStores(t *testing.T) {
	var s stat.Set
	l := keepingL1(1, 1, true)
	var byte5, sector2 mem.ByteMask
	byte5.Set(5, 1)
	sector2.Set(64, mem.SectorBytes)

	l.Store(0, 0x1000, filled(7), byte5, mem.EvictDefault, &s)
	if f := l.Find(0x1000, 1); f.Entry() >= 0 {
		t.Error("a byte of a line that L1 does not hold takes an entry")
	}
	l.Store(0, 0x1000, filled(7), sector2, mem.EvictDefault, &s)
	o, way := load(l, 0, 0x1000, 0b0100, 1, &s)
	if o != Hit || byteOf(l, way, 64) != 7 {
		t.Errorf("a whole sector that was stored: %v", o)
	}
	o, i := load(l, 0, 0x1000, 0b0001, 2, &s)
	if o != Miss {
		t.Fatalf("another sector of the line: %v", o)
	}
	l.Fill(0, i, filled(1), &s)
	l.Store(0, 0x1000, filled(9), byte5, mem.EvictDefault, &s)
	o, way = load(l, 0, 0x1000, 0b0101, 3, &s)
	if o != Hit || byteOf(l, way, 5) != 9 || byteOf(l, way, 4) != 1 || byteOf(l, way, 64) != 7 {
		t.Errorf("a byte stored into a held sector: %v, bytes 4, 5 and 64 are %d, %d, %d", o, byteOf(l, way, 4), byteOf(l, way, 5), byteOf(l, way, 64))
	}
	if s[stat.L1WriteEvicts] != 0 {
		t.Errorf("%d lines dropped", s[stat.L1WriteEvicts])
	}

	// A store to a sector under way: the answer has older bytes, so nothing of the line stays.
	_, i = load(l, 0, 0x1000, 0b0010, 4, &s)
	var byte40 mem.ByteMask
	byte40.Set(40, 1)
	l.Store(0, 0x1000, filled(3), byte40, mem.EvictDefault, &s)
	l.Fill(0, i, filled(1), &s)
	if o, _ := load(l, 0, 0x1000, 0b0010, 5, &s); o != Miss || s[stat.L1WriteEvicts] != 1 {
		t.Errorf("after a store to a sector under way: %v, %d lines dropped", o, s[stat.L1WriteEvicts])
	}
	// The only way waits for data now, so a stored line finds no room.
	l.Store(0, 0x2000, filled(3), sector2, mem.EvictDefault, &s)
	if f := l.Find(0x2000, 0b0100); f.Outcome != Miss {
		t.Error("a stored line took a way that waits for data")
	}
	l.Atomic(0x1000, &s)
	if s[stat.L1WriteEvicts] != 1 {
		t.Error("an atomic counts a line without data as dropped")
	}
}

// TestL1HitsHaveTheBytesOfMemory: random loads, stores and atomics of one SM in any order, with
// answers that come late. A hit has the bytes of memory, which has every store at once.
func TestL1HitsHaveTheBytesOfMemory(t *testing.T) {
	for seed := range uint64(40) {
		for _, policy := range []StorePolicy{StoreDrop, StoreKeep} {
			t.Run(fmt.Sprintf("%s %d", StorePolicyNames[policy], seed), func(t *testing.T) {
				r := sim.NewRand(seed, 1)
				l := keepingL1(2, 2, seed%2 == 0)
				l.config.Stores = policy
				var s stat.Set
				memory := make([]mem.Line, 9)
				answers := map[int]mem.Line{} // of the MSHRs under way
				hits := 0
				for step := range 4000 {
					k := r.Intn(len(memory))
					a := mem.Addr(k) * mem.LineBytes
					first, n := r.Intn(mem.LineBytes), 1+r.Intn(mem.LineBytes)
					var mask mem.ByteMask
					mask.Set(first, min(n, mem.LineBytes-first))
					switch r.Intn(5) {
					case 0:
						line := filled(byte(step))
						memory[k].Merge(line, mask)
						l.Store(0, a, line, mask, mem.EvictDefault, &s)
					case 1:
						if r.Intn(4) == 0 {
							memory[k].Merge(filled(byte(step)), mask)
							l.Atomic(a, &s)
						}
					case 2:
						for i := range l.mshr {
							if line, ok := answers[i]; ok {
								l.Fill(0, i, &line, &s)
								delete(answers, i)
								break
							}
						}
					default:
						sectors := mask.Sectors()
						if !l.config.Sectored {
							sectors = allSectors
						}
						switch o, i := load(l, 0, a, sectors, uint32(step), &s); o {
						case Miss:
							answers[i] = memory[k]
						case Hit:
							hits++
							line, _ := l.Read(0, i)
							got, want := mem.Line{}, mem.Line{}
							got.Merge(line, mask)
							want.Merge(&memory[k], mask)
							if got != want {
								t.Fatalf("step %d: a hit on line %d has other bytes than memory", step, k)
							}
						}
					}
				}
				if hits == 0 || s[stat.L1Accesses] != s[stat.L1Hits]+s[stat.L1Misses]+s[stat.L1Merged] {
					t.Errorf("%d hits, %d accesses", hits, s[stat.L1Accesses])
				}
			})
		}
	}
}
