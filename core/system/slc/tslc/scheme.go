package tslc

// Scheme returns the scheme whose codec c is.
func (c Codec) Scheme() *Scheme { return c.s }
