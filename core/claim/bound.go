package claim

// NotBound is a program that DRAM does not hold up.
type NotBound struct {
	Program string `json:"program"`
	// Gain is the speedup by boundBandwidth times the bandwidth, without compression.
	Gain float64 `json:"gain"`
}

const (
	// boundBandwidth is more than a codec can be worth [ours]: at a granularity of 32 bytes a
	// block of 128 shrinks to a quarter at most.
	boundBandwidth = 8
	// boundGain is the least gain of a program that is bound by memory [ours]. A program below it
	// gains less than 5 % even from a codec that takes seven eighths of its traffic away. SLC and
	// E2MC state mean speedups of 9 % and more.
	boundGain = 1.05
)

// timeMetrics are those that a faster DRAM changes.
var timeMetrics = []string{"speedup", "seconds", "energy", "edp", "energy_x"}

// notBound returns those of a paper's programs that are not bound by memory in the ledger's
// reading, and the session that asked for the runs that tell. A program without these runs is left out.
func (l *Ledger) notBound(paper string, ids []string) ([]NotBound, *session) {
	var list []NotBound
	s := &session{Ledger: l, paper: paper}
	wide := defaultSettings()
	wide.bw = boundBandwidth
	for _, id := range ids {
		p, err := s.point("NONE", id, wide)
		if err != nil {
			continue
		}
		base, err := s.point("NONE", id, defaultSettings())
		if err != nil {
			continue
		}
		lacking := s.lacking
		gain, _, err := s.relative("speedup", p, base)
		if err == nil && s.lacking == lacking && gain < boundGain {
			list = append(list, NotBound{id, gain})
		}
	}
	return list, s
}
