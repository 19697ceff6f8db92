package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// Bursts computed from bytes and bytes from bursts: the slow twins mark byte by byte.
func TestBurstsAndBytes(t *testing.T) {
	rnd := sim.NewRand(1, 1)
	for _, mag := range []int{16, 32, 64, 128} {
		for range 500 {
			var m mem.ByteMask
			for range rnd.Intn(4) {
				m.Set(rnd.Intn(mem.LineBytes), 1)
			}
			var bursts uint8
			var bytes mem.ByteMask
			for k := range mem.LineBytes / mag {
				var burst mem.ByteMask
				burst.Set(k*mag, mag)
				if burst.Lo&m.Lo|burst.Hi&m.Hi != 0 {
					bursts |= 1 << k
					bytes = bytes.Or(burst)
				}
			}
			if got := burstsOf(m, mag); got != bursts {
				t.Fatalf("MAG %d: bytes %x lie in bursts %b, want %b", mag, m, got, bursts)
			}
			if got := maskOf(bursts, mag); got != bytes {
				t.Fatalf("MAG %d: bursts %b hold bytes %x, want %x", mag, bursts, got, bytes)
			}
		}
	}
}
