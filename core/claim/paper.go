package claim

// Of returns how the rows of a paper are evaluated in a reading: some papers have a machine of
// their own where the reading leaves it open.
func (r Reading) Of(paper string) Reading {
	switch paper {
	case latte:
		return latteReading(r)
	case rfvpPaper:
		return rfvpReading(r)
	case buddyPaper:
		return buddyReading(r)
	}
	return r
}
