package cpack

// Params returns the setting.
func (c *Codec) Params() Params { return c.p }
