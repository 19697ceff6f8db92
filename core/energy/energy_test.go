package energy

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

func TestNewCodec(t *testing.T) {
	if c := NewCodec("c", 244.81118, 0.0004, "s"); c != (Codec{"c", 244811, 0, "s"}) {
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
