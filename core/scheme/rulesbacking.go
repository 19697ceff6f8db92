package scheme

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/buddy"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// compressedBackings store compressed entries, uncompressedBackings hold data that only
// lie elsewhere.
var (
	compressedBackings   = []string{"buddy", "bandwidth"}
	uncompressedBackings = []string{"pinned", "unified"}
)

// backingRules are about memories and the codes of their blocks.
var backingRules = []Rule{
	ofBacking("memory.codec", compressedBackings, "no codec", "it stores compressed entries", set(),
		func(m *Memory, kind string) Breach {
			if m.Codec != system.None {
				return Breach{}
			}
			return Breach{Message: fmt.Sprintf("backing %s stores compressed entries, and there is no codec", kind), Fixes: set("memory.codec", "bpc", "backing.kind", system.None)}
		}),
	ofBacking("memory.codec", compressedBackings, "probabilities that are sampled online", "it needs codes from the start of the run",
		set("memory.codec", "e2mc16", "memory.probabilities", "online"), func(m *Memory, kind string) Breach {
			if !m.Trained() || !m.Online() {
				return Breach{}
			}
			return Breach{Message: fmt.Sprintf("backing %s needs codes from the start of the run", kind), Fixes: set("memory.probabilities", "offline", "memory.codec", "bpc", "backing.kind", system.None)}
		}),
	ofBacking("memory.codec", compressedBackings, lossyTitles(), "it stores entries exactly",
		set("memory.codec", "e2mc16", "memory.approximation", "tslc-opt"), func(m *Memory, kind string) Breach {
			if m.Approximation == system.None {
				return Breach{}
			}
			return Breach{Message: fmt.Sprintf("backing %s stores entries exactly", kind), Fixes: set("memory.approximation", system.None, "backing.kind", system.None)}
		}),
	ofBacking("memory.codec", compressedBackings, fmt.Sprintf("a MAG other than %d B", buddy.SectorBytes), "it divides entries into sectors of that size",
		set("memory.codec", "bpc", "memory.mag", "64"), func(m *Memory, kind string) Breach {
			if m.MAG == buddy.SectorBytes || !slices.Contains(mags, m.MAG) {
				return Breach{}
			}
			return Breach{
				Message: fmt.Sprintf("backing %s divides entries into sectors of %d bytes", kind, buddy.SectorBytes),
				Fixes:   set("memory.mag", fmt.Sprint(buddy.SectorBytes), "backing.kind", system.None),
			}
		}),
	ofBacking("memory.codec", uncompressedBackings, "a codec", "its data are not compressed",
		set("memory.codec", "bpc"), func(m *Memory, kind string) Breach {
			if m.Codec == system.None {
				return Breach{}
			}
			return Breach{Message: map[string]string{"pinned": "pinned host", "unified": "unified"}[kind] + " memory is not compressed", Fixes: set("memory.codec", system.None, "backing.kind", system.None)}
		}),
}

// ofBacking makes a rule about some backings and a memory scheme.
func ofBacking(path string, kinds []string, not, why string, sample []fault.Fix, broken func(m *Memory, kind string) Breach) Rule {
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
