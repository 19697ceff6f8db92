package e2mc

// Ways returns the number of parallel decoding ways.
func (c *Codec) Ways() int { return c.ways }
