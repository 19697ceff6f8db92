package ptx

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// The words that NVIDIA's libraries keep: libcu++ (access_property_encoding.h, __l2_interleave_*).
func TestPolicyWordsOfLibraries(t *testing.T) {
	for _, c := range []struct {
		word     uint64
		priority mem.Priority
	}{{0x10F0000000000000, mem.EvictDefault}, {0x12F0000000000000, mem.EvictFirst}, {0x14F0000000000000,
		mem.EvictLast}, {0x16F0000000000000, mem.EvictNormal}} {
		if got := FractionalPolicy(c.priority, mem.EvictDefault, 1); got != c.word {
			t.Errorf("a policy of priority %d for all lines is %#x, want %#x", c.priority, got, c.word)
		}
		for a := uint64(0); a < 1<<16; a += mem.LineBytes {
			if got := PolicyPriority(c.word, a); got != c.priority {
				t.Fatalf("%#x gives line %#x priority %d, want %d", c.word, a, got, c.priority)
			}
		}
	}
	for _, word := range []uint64{0, 5, 1 << 59} {
		if got := PolicyPriority(word, 4096); got != mem.EvictDefault {
			t.Errorf("%#x, which is no policy, gives priority %d", word, got)
		}
	}
}

func TestFractionsCountLines(t *testing.T) {
	for _, c := range []struct {
		fraction float32
		of16     int
	}{{1, 16}, {0.5, 8}, {0.25, 4}, {1.0 / 16, 1}, {0, 1}, {-3, 1}, {7, 16}} {
		policy, n := FractionalPolicy(mem.EvictLast, mem.EvictFirst, c.fraction), 0
		const lines = 1 << 12
		for i := uint64(0); i < lines; i++ {
			switch PolicyPriority(policy, i*mem.LineBytes) {
			case mem.EvictLast:
				n++
			case mem.EvictFirst:
			default:
				t.Fatalf("line %d has neither priority", i)
			}
		}
		if n != lines*c.of16/16 {
			t.Errorf("a fraction of %v has %d of %d lines, want %d sixteenths", c.fraction, n, lines, c.of16)
		}
	}
}

func TestRangesAreBlocks(t *testing.T) {
	const a = 0xc000_0000
	for _, c := range []struct {
		primary, total uint32
		inside, beyond uint64
	}{{4096, 8192, a + 4095, a + 4096}, {1, 1, a + 4095, a + 4096}, {127 << 13, 1 << 20, a + 127<<13 - 1, a +
		127<<13}, {1 << 26, 1 << 30, a + 1<<26 - 1, a + 1<<26}} {
		p := RangePolicy(mem.EvictLast, mem.EvictFirst, a, c.primary, c.total)
		for at, want := range map[uint64]mem.Priority{a: mem.EvictLast, c.inside: mem.EvictLast,
			c.beyond: mem.EvictFirst, a - 1: mem.EvictFirst} {
			if got := PolicyPriority(p, at); got != want {
				t.Errorf("a range of %d of %d bytes: %#x has priority %d, want %d", c.primary, c.total, at, got, want)
			}
		}
	}
}
