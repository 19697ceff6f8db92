package cache

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// A set of four ways against an order that is kept as a list.
func TestOrderOfEviction(t *testing.T) {
	const ways = 4
	classes := map[mem.Priority]int{mem.EvictFirst: 0, mem.EvictNormal: 1, mem.EvictLast: 2}
	type held struct {
		line  mem.Addr
		class int
	}
	seed := uint32(1)
	random := func(n uint32) uint32 {
		seed = seed*1664525 + 1013904223
		return seed >> 16 % n
	}
	tags := newTags(Geometry{Sets: 1, Ways: ways}, func(mem.Addr) int { return 0 })
	var order []held // least recently used first
	for range 20000 {
		a, p := mem.Addr(1+random(9))*mem.LineBytes, mem.Priority(random(uint32(mem.NoAllocate)))
		at := -1
		for i, x := range order {
			if x.line == a {
				at = i
			}
		}
		next := held{a, 1}
		if at >= 0 {
			next = order[at]
		}
		if class, ok := classes[p]; ok {
			next.class = class
		}
		w := tags.Find(a)
		if (w >= 0) != (at >= 0) {
			t.Fatalf("line %#x is held: %v, want %v", a, w >= 0, at >= 0)
		}
		switch {
		case at >= 0 && p == mem.EvictUnchanged:
		case at >= 0:
			order = append(append(order[:at:at], order[at+1:]...), next)
		default:
			if len(order) == ways {
				victim := 0
				for i, x := range order {
					if x.class < order[victim].class {
						victim = i
					}
				}
				order = append(order[:victim:victim], order[victim+1:]...)
			}
			order = append(order, next)
			w = tags.victim(a, nil)
			tags.Put(w, a)
		}
		tags.Use(w, p)
	}
}

func TestPrefetchIntoL1(t *testing.T) {
	var s stat.Set
	l := testL1()
	o, i := l.Prefetch(0, l.Find(0x1000, allSectors), &s)
	if o != Miss {
		t.Fatalf("first: %v", o)
	}
	if o, _ := l.Prefetch(0, l.Find(0x1000, allSectors), &s); o != Merged {
		t.Errorf("again: %v", o)
	}
	if o, _ := load(l, 0, 0x1000, allSectors, 7, &s); o != Merged {
		t.Errorf("a load: %v", o)
	}
	if w := l.Fill(0, i, filled(5), &s); len(w) != 1 || w[0] != 7 {
		t.Errorf("waiters %v", w)
	}
	_, i = l.Prefetch(0, l.Find(0x2000, allSectors), &s)
	l.Invalidate(1) // a launch begins while the line is on its way
	if w := l.Fill(0, i, filled(5), &s); len(w) != 0 || l.Find(0x2000, allSectors).Outcome != Miss ||
		l.Outstanding() != 0 {
		t.Errorf("a prefetch of the launch before leaves its line in L1; waiters %v", w)
	}
}
