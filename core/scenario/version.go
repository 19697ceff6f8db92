package scenario

// complete fills the parts of all schemes with defaults, and sets the oldest version that
// can hold the scenario.
func (s *Scenario) complete() {
	s.Scheme.Complete()
	if s.Compare != nil {
		s.Compare.Scheme.Complete()
	}
	if s.Version >= 1 && s.Version <= Version {
		s.Version = s.oldestVersion()
	}
}

// oldestVersion is the oldest schema version that can hold s.
func (s *Scenario) oldestVersion() int {
	if s.Plain() && (s.Compare == nil || s.Compare.Plain()) {
		return 1
	}
	return 2
}
