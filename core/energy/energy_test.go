package energy

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

// The table of E2MC and the constants of LATTE-CC, computed another way.
func TestCodecEnergies(t *testing.T) {
	for _, c := range []struct {
		name                 string
		compress, decompress float64 // picojoules a block
	}{
		{"none", 0, 0},
		{"e2mc4", 1.43 / 0.84 * 128, 5.12 / 0.56 * 128},
		{"e2mc8", 4.01 / 1.54 * 128, 11.91 / 0.91 * 128},
		{"e2mc16", 5.47 / 2.86 * 128, 11.89 / 1.60 * 128},
		{"e2mc32", 9.34 / 5.72 * 128, 14.30 / 3.20 * 128},
		{"tslc-opt", (5.47 + 1.62) / 2.86 * 128, (11.89 + 0.21) / 1.60 * 128},
		{"bdi", 192, 56},
		{"sc", 420, 336},
	} {
		got := CodecOf(c.name)
		if math.Abs(float64(got.CompressFemtojoules)/1000-c.compress) > 0.01 || math.Abs(float64(got.DecompressFemtojoules)/1000-c.decompress) > 0.01 {
			t.Errorf("%s: %+v, want %.3f and %.3f pJ", c.name, got, c.compress, c.decompress)
		}
		if got.Source == "" {
			t.Errorf("%s has no source", c.name)
		}
	}
	if c := CodecOf("fpc"); c.CompressFemtojoules == 0 || c.Source != sourceNone {
		t.Errorf("%+v", c)
	}
}

// A term is count x value x scale / divisor, in numbers of any size.
func TestTermIsExact(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 1000 {
		count, value, mhz := r.Uint64()%(1<<32), r.Uint64()%(1<<20), 1+r.Uint64()%4000
		for _, term := range []Term{Events("c", count, "p", value), Time("c", count, "p", value, mhz)} {
			want := new(big.Int).SetUint64(term.Count)
			for _, f := range []uint64{term.Value, term.Scale} {
				want.Mul(want, new(big.Int).SetUint64(f))
			}
			if want.Div(want, new(big.Int).SetUint64(term.Divisor)); want.IsUint64() && want.Uint64() != term.Femtojoules || !want.IsUint64() && term.Femtojoules != most {
				t.Fatalf("%+v: want %v", term, want)
			}
		}
	}
	// A watt for a second is a joule.
	if got := Time("cycles", 822_000_000, "p", 1000, 822).Femtojoules; got != 1e15 {
		t.Errorf("a watt for a second is %d fJ", got)
	}
}

func TestSum(t *testing.T) {
	a := Sum([]Part{
		{Name: "a", Terms: []Term{Events("x", 3, "p", 5), Events("y", 1, "p", 7)}},
		{Name: "b", Terms: []Term{Time("t", 2e6, "p", 1, 1)}},
	}, 2)
	if a.Parts[0].Femtojoules != 22 || a.Parts[1].Femtojoules != 2e12 || a.TotalFemtojoules != 22+2e12 {
		t.Errorf("%+v", a)
	}
	if math.Abs(a.Watts-1.000000000011e-3) > 1e-15 || math.Abs(a.EDP-4.000000000044e-3) > 1e-15 {
		t.Errorf("%v W, %v Js", a.Watts, a.EDP)
	}
	if b := Sum(nil, 0); b.Watts != 0 || b.TotalFemtojoules != 0 {
		t.Errorf("%+v", b)
	}
}
