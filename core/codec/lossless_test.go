package codec

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// fixed is a codec whose blocks all have one size.
type fixed struct {
	bits  int
	lossy bool
}

func (f fixed) Info() Info {
	return Info{Name: "fixed", Lossless: !f.lossy, Timing: Timing{MHz: 700, CompressCycles: 3, DecompressCycles: 5}}
}
func (f fixed) Encode(*Block, *mem.Line) int        { return f.bits }
func (f fixed) Decode(*mem.Line, *Block, int) error { return nil }
func (f fixed) SizeBits(*mem.Line) int              { return f.bits }

func TestLosslessStoresWhatSavesABurst(t *testing.T) {
	for _, c := range []struct {
		bits, mag, bursts int
		mode              probe.Mode
	}{
		{0, 32, 1, probe.ModeLossless}, {8, 32, 1, probe.ModeLossless}, {256, 32, 1, probe.ModeLossless}, {257, 32, 2, probe.ModeLossless},
		{768, 32, 3, probe.ModeLossless}, {769, 32, 4, probe.ModeRaw}, {1024, 32, 4, probe.ModeRaw},
		{896, 16, 7, probe.ModeLossless}, {897, 16, 8, probe.ModeRaw}, {512, 64, 1, probe.ModeLossless}, {513, 64, 2, probe.ModeRaw},
	} {
		s, err := NewLossless(fixed{bits: c.bits}, c.mag)
		if err != nil {
			t.Fatal(err)
		}
		st := s.Store(&mem.Line{}, Region{Safe: true})
		bits := c.bits
		if c.mode == probe.ModeRaw {
			bits = RawBits
		}
		if want := (Stored{Bits: uint16(bits), LosslessBits: uint16(c.bits), Bursts: uint8(c.bursts), Mode: c.mode}); st != want {
			t.Errorf("%d bits at MAG %d: %+v, want %+v", c.bits, c.mag, st, want)
		}
		if s.Timing() != (Timing{MHz: 700, CompressCycles: 3, DecompressCycles: 5}) || s.Name() != "fixed" || !s.Compressed() || s.MAGBytes() != c.mag {
			t.Errorf("%s at MAG %d: latencies %d, %d", s.Name(), s.MAGBytes(), s.Timing().CompressCycles, s.Timing().DecompressCycles)
		}
	}
	if _, err := NewLossless(fixed{}, 48); err == nil {
		t.Error("a MAG of 48 bytes accepted")
	}
	if _, err := NewLossless(fixed{lossy: true}, 32); err == nil {
		t.Error("a lossy codec accepted")
	}
}

func TestTranspose32(t *testing.T) {
	rng := sim.NewRand(9, 9)
	var a, b [32]uint32
	for i := range a {
		a[i] = rng.Uint32()
	}
	b = a
	Transpose32(&b)
	for i := range 32 {
		for j := range 32 {
			if a[i]>>j&1 != b[j]>>i&1 {
				t.Fatalf("bit %d of row %d is not bit %d of row %d", j, i, i, j)
			}
		}
	}
}

func TestPlanePairs(t *testing.T) {
	rng := sim.NewRand(9, 10)
	for range 100 {
		var a [32]uint32
		for i := range a {
			a[i] = rng.Uint32()
		}
		var p [16]uint64
		PlanePairs(&a, &p)
		Transpose32(&a)
		for k, pair := range p {
			if uint32(pair) != a[k] || uint32(pair>>32) != a[k+16] {
				t.Fatalf("planes %d and %d: %#x, want %#x and %#x", k, k+16, pair, a[k], a[k+16])
			}
		}
	}
}

func TestLanes(t *testing.T) {
	edges := []uint32{0, 1, 8, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffff8, 0xffffffff}
	for _, a := range edges {
		for _, b := range edges {
			x := uint64(a) | uint64(b)<<32
			want := uint64(0)
			if a != 0 {
				want |= 1 << 31
			}
			if b != 0 {
				want |= 1 << 63
			}
			if got := LanesNonzero(x); got != want {
				t.Errorf("%#x: nonzero %#x, want %#x", x, got, want)
			}
		}
	}
}
