package scenario

// presetMeaning says which machine the name of a preset means in scenarios from a schema
// version on.
type presetMeaning struct {
	name   string
	since  int
	preset string
}

// presetMeanings lists the names whose machine depends on the version of a scenario. The
// meanings of a name stand from the oldest to the newest. A name without a row means the preset
// of that name.
//
// A name can change its meaning with a version: its old machine gets a preset with a name of
// its own, and two rows say what the name meant before and means now, such as {"x", 1, "x-old"} and
// {"x", 3, "x-new"}. Scenarios of older versions then keep their machine, their packed form and
// their hash, and people who write "x" in a scenario of the new version get the new machine.
var presetMeanings = []presetMeaning{
	// Scenarios before version 3 mean the fabric of GPGPU-Sim 4. From version 3 on they mean the
	// fabric of 3.2.1, which the papers used.
	{"gtx580", 1, "gtx580v4"},
	{"gtx580", 3, "gtx580b"},
}

// defaultPreset is the name that a scenario without a machine means.
const defaultPreset = "gtx580"

// presetOf returns the preset that a name means in a scenario of a version.
func presetOf(name string, version int) string {
	preset := name
	for _, m := range presetMeanings {
		if m.name == name && (m.since <= version || preset == name) {
			preset = m.preset
		}
	}
	return preset
}

// packedName returns the name by which the packed form of a version calls a preset: the
// one from before the meaning of that name changed, so that old scenarios keep their hashes.
func packedName(preset string, version int) string {
	for i, m := range presetMeanings {
		if m.preset != preset || presetOf(m.name, version) != preset {
			continue
		}
		for _, later := range presetMeanings[i+1:] {
			if later.name == m.name {
				return m.name
			}
		}
	}
	return preset
}

// Packed returns the scenario as its packed form spells it.
func (s *Scenario) Packed() *Scenario {
	packed := *s
	packed.Machine.Preset = packedName(s.Machine.Preset, s.Version)
	return &packed
}
