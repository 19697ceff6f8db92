package claim

// Of returns how the rows of a paper are evaluated in a reading: where the reading leaves the machine open, it
// is that of the paper's folder.
func (r Reading) Of(paper string) Reading {
	if p := shipped(paper); p != nil && r.Machine == "" {
		r.Machine = p.Machine
	}
	if paper == rfvpPaper {
		return rfvpReading(r)
	}
	return r
}
