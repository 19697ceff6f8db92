package codec

import (
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// TestBitsAgainstBitString writes random fields and compares with a string of '0'
// and '1', the obvious way to say what the block holds.
func TestBitsAgainstBitString(t *testing.T) {
	rng := sim.NewRand(1, 1)
	for trial := 0; trial < 2000; trial++ {
		var b Block
		for i := range b {
			b[i] = 0xff // stale contents must not shine through
		}
		w := NewBitWriter(&b)
		var want []byte
		var values []uint64
		var widths []int
		for len(want) < 1200 {
			n := rng.Intn(65)
			v := rng.Uint64()
			if n < 64 {
				v &= 1<<uint(n) - 1
			}
			w.Put(v, n)
			for i := n - 1; i >= 0; i-- {
				want = append(want, byte(v>>uint(i)&1))
			}
			values, widths = append(values, v), append(widths, n)
			if rng.Intn(4) == 0 {
				w.Align()
				pad := 0
				for len(want)%8 != 0 {
					want = append(want, 0)
					pad++
				}
				values, widths = append(values, 0), append(widths, pad)
			}
		}
		if got := w.Flush(); got != len(want) {
			t.Fatalf("wrote %d bits, want %d", got, len(want))
		}
		for i, bit := range want {
			if b[i/8]>>(7-uint(i)%8)&1 != bit {
				t.Fatalf("bit %d of %d differs", i, len(want))
			}
		}
		r := NewBitReader(&b, len(want))
		for i, n := range widths {
			v := values[i]
			if n > 57 {
				if got := r.Take(n-32)<<32 | r.Take(32); got != v {
					t.Fatalf("field %d of %d bits: %#x, want %#x", i, n, got, v)
				}
				continue
			}
			if got := r.Take(n); got != v {
				t.Fatalf("field %d of %d bits: %#x, want %#x", i, n, got, v)
			}
		}
		if r.Failed {
			t.Fatal("reader failed inside the limit")
		}
		if r.Take(1); !r.Failed {
			t.Fatal("reading past the limit must fail")
		}
	}
}

func TestBitReaderRefusesLimitsOutsideTheBlock(t *testing.T) {
	var b Block
	for _, limit := range []int{-1, BlockBytes * 8, 1 << 30} {
		r := NewBitReader(&b, limit)
		r.Seek(5000)
		r.Skip(9)
		r.Take(57)
		if !r.Failed {
			t.Errorf("limit %d accepted", limit)
		}
	}
}

func TestTakeSigned(t *testing.T) {
	var b Block
	w := NewBitWriter(&b)
	w.Put(0x8, 4)
	w.Put(0x7, 4)
	w.Put(0x1ffffffff, 33)
	r := NewBitReader(&b, w.Flush())
	if a, c, d := r.TakeSigned(4), r.TakeSigned(4), r.TakeSigned(33); a != -8 || c != 7 || d != -1 {
		t.Fatal(a, c, d)
	}
}
