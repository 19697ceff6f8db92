package arith

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

// math/big with room for any sum of products is the slow twin.
func bigSum(terms ...product) int {
	const enough = 4400
	exact := func(f float64) *big.Float { return new(big.Float).SetPrec(enough).SetFloat64(f) }
	sum := exact(0)
	for _, t := range terms {
		p := exact(t[0])
		sum.Add(sum, p.Mul(p, exact(t[1])))
	}
	return sum.Sign()
}

func TestSignOfSumIsThatOfBigNumbers(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	corners := []float64{0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64, 0x1p-1022, 1 + 0x1p-52}
	number := func() float64 {
		for {
			var f float64
			switch r.Intn(4) {
			case 0:
				f = corners[r.Intn(len(corners))]
			case 1:
				f = r.NormFloat64()
			default:
				f = math.Float64frombits(r.Uint64())
			}
			if finite(f) {
				return f
			}
		}
	}
	seen := map[int]int{}
	for range 100000 {
		a, b, c := number(), number(), number()
		terms := []product{{a, b}, {c, number()}}
		switch r.Intn(4) {
		case 0: // nearly nothing is left
			if p := a * b; finite(p) {
				terms = []product{{a, b}, {-p, 1}}
			}
		case 1:
			if f := math.FMA(a, b, c); finite(f) {
				terms = []product{{a, b}, {c, 1}, {-f, 1}}
			}
		case 2: // exactly nothing
			terms = []product{{a, b}, {c, 1}, {-b, a}, {-1, c}}
		}
		got, want := signOfSum(terms...), bigSum(terms...)
		if got != want {
			t.Fatalf("the sign of %v is %d, want %d", terms, got, want)
		}
		seen[got]++
	}
	if len(seen) != 3 {
		t.Errorf("only these signs: %v", seen)
	}
}

// Directed rounding of f64 against the rounding of math/big.
func TestDirectedF64IsThatOfBigNumbers(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	modes := map[ptx.Rounding]big.RoundingMode{ptx.RoundZero: big.ToZero, ptx.RoundDown: big.ToNegativeInf, ptx.RoundUp: big.ToPositiveInf}
	exact := func(f float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(f) }
	trials := 20000
	if testing.Short() { // WebAssembly has the operations of natively
		trials = 2000
	}
	for range trials {
		// Exponents at which neither operands nor results leave the normal range.
		number := func() float64 { return math.Ldexp(1+r.Float64(), r.Intn(200)-100) * float64(1-2*r.Intn(2)) }
		a, b, c := number(), number(), number()
		for mode, twin := range modes {
			sum := exact(a)
			sum.Mul(sum, exact(b))
			check := func(name string, got float64, exactly *big.Float) {
				want, _ := new(big.Float).SetMode(twin).SetPrec(53).Set(exactly).Float64()
				if got != want {
					t.Fatalf("%s of %v, %v, %v in mode %d: %v, want %v", name, a, b, c, mode, got, want)
				}
			}
			check("mul", mul64(a, b, mode), sum)
			check("fma", Fma64(a, b, c, mode), sum.Add(sum, exact(c)))
			check("add", add64(a, b, mode), exact(0).Add(exact(a), exact(b)))
			// Rounding to 4400 bits first cannot cross an f64 that the quotient is not.
			check("div", div64(a, b, mode), exact(0).Quo(exact(a), exact(b)))
			check("sqrt", sqrt64(math.Abs(a), mode), exact(0).Sqrt(exact(math.Abs(a))))
		}
	}
	if n := testing.AllocsPerRun(100, func() { Fma64(1e300, 3e-5, 7, ptx.RoundUp) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
