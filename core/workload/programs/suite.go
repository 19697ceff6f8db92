package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
)

// Suite names the data that follow the suite's own generator or file, as far as it is
// known. ../README.md lists the rule of each program, and which generators were read.
const Suite = "suite"

// overRandMax is (float)rand() / (float)RAND_MAX of the GNU C library: 31 random bits as a
// float, over 2^31. Small numbers have all their bits, and 1 occurs.
func overRandMax(rnd *sim.Rand) float32 { return float32(rnd.Uint32()>>1) / (1 << 31) }

// sdkUniform is how the option samples of the CUDA SDK draw from [low, high].
func sdkUniform(rnd *sim.Rand, low, high float32) float32 {
	t := overRandMax(rnd)
	return float32((1-t)*low) + float32(t*high)
}

// decimals is v >= 0 printed in units of 1 / parts and read back. parts is at most 2^20 or so:
// the units must be whole numbers of a float.
func decimals(v, parts float64) float32 {
	return float32(math.Floor(float64(v*parts)+0.5)) / float32(parts)
}
