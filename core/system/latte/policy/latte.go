package policy

// latte hides up to the latency tolerance of a greedy scheduler.
func latte(p Params) Policy { return newSampled(p, ByAMAT, amatUnder(Tolerance)) }

// latteRoundRobin issues one instruction of a warp at a time, so the ready warps alone
// hide latency (section III-B2).
func latteRoundRobin(p Params) Policy {
	return newSampled(p, ByAMAT, amatUnder(func(e *Phase) float64 { return e.ReadyWarps }))
}

// Tolerance returns the cycles of latency that the other warps of a scheduler hide: each
// ready warp is issued for the mean length of a run (section III-B2).
func Tolerance(e *Phase) float64 { return float64(e.ReadyWarps * e.RunCycles) }

// HitCycles returns the latency of a hit on a compressed line: the lines in front of it
// pass the decompressor one after the other (section III-B2).
func HitCycles(hitCycles, decompress int, position float64) float64 {
	return float64(hitCycles) + float64(float64(decompress)*(position+1))
}

// AMAT returns the mean latency of an access that warps do not hide. Equation 2 of the paper
// prints min[hit latency - tolerance, 0], which would make hits free; max is meant.
func AMAT(hits, misses, hitCycles, tolerance, missCycles float64) float64 {
	exposed := max(hitCycles-tolerance, 0)
	return (float64(hits*exposed) + float64(misses*missCycles)) / (hits + misses)
}

// amatUnder rates a mode by its AMAT under a tolerance. Like a miss, a hit has the
// simulator's own latency, because the paper gives none [ours].
func amatUnder(tolerance func(*Phase) float64) score {
	return func(p *Params, m Mode, hits, misses float64, e *Phase, g *Grounds) float64 {
		hit := float64(p.HitCycles)
		if m != None {
			hit = HitCycles(p.HitCycles, p.Decompress[m], e.Positions[m])
		}
		g.ToleranceCycles, g.HitCycles[m] = tolerance(e), hit
		g.AMAT[m] = AMAT(hits, misses, hit, g.ToleranceCycles, e.MissCycles)
		return g.AMAT[m]
	}
}
