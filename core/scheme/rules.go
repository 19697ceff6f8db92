package scheme

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/system"
)

// Rule refuses a combination of choices.
type Rule struct {
	// Groups are those that the rule is about, Path the value that has the fault.
	Groups []string
	Path   string
	// Broken says why s cannot be and what to change; message is empty if it can. In
	// mend {} stands for the scheme's place in the scenario.
	Broken func(s *Scheme) (message, mend string)
}

// Rules is THE table of combinations that cannot be. A value that is not legal by
// itself breaks no rule: it is refused before.
var Rules = []Rule{
	{[]string{"memory"}, "memory.approximation", approximationWithoutItsCodec},
	{[]string{"memory"}, "memory.module", pluginWithoutModule},
	{[]string{"memory"}, "memory.threshold", thresholdAboveTheMAG},
	{[]string{"memory"}, "memory.threshold", thresholdOfNothing},
	{[]string{"memory", "backing"}, "memory.codec", backingWithoutCodec},
	{[]string{"memory", "backing"}, "memory.codec", pinnedWithCodec},
}

func approximationWithoutItsCodec(s *Scheme) (message, mend string) {
	row := codecs.Find(s.Memory.Approximation)
	if row == nil || row.Over == "" || row.Over == s.Memory.Codec || s.Memory.Codec != codecs.Plugin && !slices.Contains(Codecs(), s.Memory.Codec) {
		return "", ""
	}
	return fmt.Sprintf("%s works on the symbols of codec %s, not of %s", row.Name, row.Over, s.Memory.Codec),
		fmt.Sprintf("set {}memory.codec to %s or {}memory.approximation to none", row.Over)
}

func thresholdAboveTheMAG(s *Scheme) (message, mend string) {
	m := &s.Memory
	if !slices.Contains(mags, m.MAG) || m.Threshold >= 0 && m.Threshold <= m.MAG {
		return "", ""
	}
	return fmt.Sprintf("%d bytes is not between 0 and the MAG", m.Threshold), fmt.Sprintf("use 0 to %d, or a larger {}memory.mag", m.MAG)
}

func thresholdOfNothing(s *Scheme) (message, mend string) {
	m := &s.Memory
	if !slices.Contains(mags, m.MAG) || m.Threshold != 0 || m.Approximation == system.None {
		return "", ""
	}
	return "a threshold of 0 bytes approximates nothing", fmt.Sprintf("use 1 to %d, or set {}memory.approximation to none", m.MAG)
}
