package policy

// hitCount takes the mode with the highest share of hits and ignores latency
// (section V-D).
func hitCount(p Params) Policy {
	return newSampled(p, ByHits, func(_ *Params, _ Mode, hits, misses float64, _ *Phase, _ *Grounds) float64 {
		return -hits / (hits + misses)
	})
}
