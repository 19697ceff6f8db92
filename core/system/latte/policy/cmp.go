package policy

// cmp knows the latency of decompression, and that no warp hides it (section V-D).
func cmp(p Params) Policy { return newSampled(p, ByAMAT, amatUnder(func(*Phase) float64 { return 0 })) }
