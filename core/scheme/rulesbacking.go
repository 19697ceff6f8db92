package scheme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system"
)

// compressedBackings store compressed entries, rawBackings hold data that only lie elsewhere, linkedBackings need a
// link.
var (
	compressedBackings = backings(func(e *system.Entry) bool { return e.Blocks == system.BlocksCompressed })
	rawBackings        = backings(func(e *system.Entry) bool { return e.Blocks == system.BlocksRaw })
	linkedBackings     = backings(func(e *system.Entry) bool { return e.Linked })
)

// backings lists the names of those that fulfil a condition.
func backings(are func(e *system.Entry) bool) (names []string) {
	list := Find("backing").List()
	for i := range list {
		if are(&list[i]) {
			names = append(names, list[i].Name)
		}
	}
	return names
}

// backingRules are about memories and the codes of their blocks.
var backingRules = []Rule{
	ofBacking("memory.codec", compressedBackings, "no codec", "it stores compressed entries", set(),
		func(m *Memory, kind string) Breach {
			if m.Codec() != system.None {
				return Breach{}
			}
			return Breach{Message: fmt.Sprintf("backing %s stores compressed entries, and there is no codec", kind),
				Fixes: set("memory.codec", "bpc", "backing.kind", system.None)}
		}),
	ofBacking("memory.codec", compressedBackings, "probabilities that are sampled online",
		"it needs codes from the start of the run",
		set("memory.codec", "e2mc16", "memory.probabilities", "online"), func(m *Memory, kind string) Breach {
			if !m.Trained() || !m.Online() {
				return Breach{}
			}
			return Breach{Message: fmt.Sprintf("backing %s needs codes from the start of the run", kind),
				Fixes: set("memory.probabilities", "offline", "memory.codec", "bpc", "backing.kind", system.None)}
		}),
	ofBacking("memory.codec", compressedBackings, lossyTitles(), "it stores entries exactly",
		set("memory.codec", "e2mc16", "memory.approximation", "tslc-opt"), func(m *Memory, kind string) Breach {
			if m.Approximation() == system.None {
				return Breach{}
			}
			return Breach{Message: fmt.Sprintf("backing %s stores entries exactly", kind),
				Fixes: set("memory.approximation", system.None, "backing.kind", system.None)}
		}),
	ofBacking("memory.codec", compressedBackings, fmt.Sprintf("a MAG other than %d B", mem.SectorBytes),
		"it divides entries into sectors of that size",
		set("memory.codec", "bpc", "memory.mag", "64"), func(m *Memory, kind string) Breach {
			if m.MAG() == mem.SectorBytes || !slices.Contains(mags, m.MAG()) {
				return Breach{}
			}
			return Breach{
				Message: fmt.Sprintf("backing %s divides entries into sectors of %d bytes", kind, mem.SectorBytes),
				Fixes:   set("memory.mag", fmt.Sprint(mem.SectorBytes), "backing.kind", system.None),
			}
		}),
	ofBacking("memory.codec", rawBackings, "a codec", "its data are not compressed",
		set("memory.codec", "bpc"), func(m *Memory, kind string) Breach {
			if m.Codec() == system.None {
				return Breach{}
			}
			return Breach{Message: strings.TrimSuffix(TitleOf("backing", kind), " (proxy)") + " is not compressed",
				Fixes: set("memory.codec", system.None, "backing.kind", system.None)}
		}),
}

// ofBacking makes a rule about some backings and a memory scheme.
func ofBacking(path string, kinds []string, not, why string, sample []fault.Fix,
	broken func(m *Memory, kind string) Breach) Rule {
	return Rule{
		Groups: []string{"memory", "backing"}, Path: path, Choice: backingTitles(kinds), Not: not, Why: why,
		Sample: append(set("backing.kind", kinds[0]), sample...),
		Broken: func(s *Scheme, _ *parameter.GPU) Breach {
			kind, _ := s.Backing["kind"].(string)
			if !slices.Contains(kinds, kind) {
				return Breach{}
			}
			return broken(&s.Memory, kind)
		},
	}
}
