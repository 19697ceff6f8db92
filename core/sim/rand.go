package sim

// Rand is PCG32 (XSH-RR 64/32; O'Neill, HMC-CS-2014-0905): small, seedable, the
// same everywhere. Distinct streams of one seed are independent.
type Rand struct{ state, inc uint64 }

// NewRand returns the generator of a seed and a stream.
func NewRand(seed, stream uint64) Rand {
	r := Rand{inc: stream<<1 | 1}
	r.Uint32()
	r.state += seed
	r.Uint32()
	return r
}

// Uint32 returns 32 uniform bits.
func (r *Rand) Uint32() uint32 {
	old := r.state
	r.state = old*6364136223846793005 + r.inc
	x := uint32((old>>18 ^ old) >> 27)
	rot := uint32(old >> 59)
	return x>>rot | x<<(-rot&31)
}

// Uint64 returns 64 uniform bits.
func (r *Rand) Uint64() uint64 { return uint64(r.Uint32())<<32 | uint64(r.Uint32()) }

// Float32 returns a multiple of 2^-24 in [0,1).
func (r *Rand) Float32() float32 { return float32(r.Uint32()>>8) * (1.0 / (1 << 24)) }

// Float64 returns a multiple of 2^-53 in [0,1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) * (1.0 / (1 << 53)) }

// Intn returns a uniform integer in [0,n), n > 0, by the multiply-shift of Lemire
// (ACM TOMACS 29(1), 2019) without its rejection step: the bias, below n/2^32,
// does not matter to input generators.
func (r *Rand) Intn(n int) int {
	if n <= 0 {
		panic("sim: Intn of a number below 1")
	}
	return int(uint64(r.Uint32()) * uint64(n) >> 32)
}
